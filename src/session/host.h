#pragma once

/// What the sessions of one process share. Thread rule: any thread.

#include <memory>

#include "base/clock.h"
#include "exec/engine.h"
#include "session/conf.h"
#include "storage/stores.h"

namespace weir::session {

struct HostOptions {
  /// Spark's keys that every session starts with; those of the engine (spark.driver.memory, ..) count here
  /// only.
  ConfMap conf;
  exec::EngineOptions engine;
  /// Put under the decorators in place of the local store; for fault tests. Null: the machine's files.
  std::shared_ptr<Storage> local_storage;
  Clock* clock = nullptr;    ///< Null: the machine's. Must outlive the host.
  Random* random = nullptr;  ///< Null: the operating system's. Must outlive the host.
};

/// The stores, the engine with its memory and caches, and what sessions start with.
class Host {
 public:
  /// Errors: kInvalid (INVALID_CONF_VALUE.*); kUnavailable if the engine finds no place to spill.
  static Result<std::shared_ptr<const Host>> Open(const HostOptions& options);

  const Conf& conf() const { return conf_; }
  const std::shared_ptr<const Stores>& stores() const { return stores_; }
  exec::Engine& engine() const { return *engine_; }
  Clock& clock() const { return clock_; }
  Random& random() const { return random_; }

 private:
  Host(Conf conf, Clock& clock, Random& random) : conf_(std::move(conf)), clock_(clock), random_(random) {}

  Conf conf_;
  Clock& clock_;
  Random& random_;
  std::shared_ptr<const Stores> stores_;
  std::unique_ptr<exec::Engine> engine_;
};

}  // namespace weir::session

#pragma once

/// The configuration of a session: Spark's keys as users write them, and the few that are Weir's own. Keys
/// with a meaning are in KnownKeys. Thread rule: one thread.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/function.h"
#include "ops/operation.h"

namespace weir::session {

using ConfMap = std::map<std::string, std::string, std::less<>>;

/// One key with a meaning or at least a default.
struct KnownKey {
  /// kOnlyDefault: another value would change what statements mean, and is not implemented.
  enum class Kind : uint8_t { kText, kBoolean, kInteger, kTimeZone, kOverwriteMode, kOnlyDefault };
  std::string_view key;
  std::string_view default_value;
  Kind kind = Kind::kText;
};

class Conf {
 public:
  /// Keys given at the start are taken as they are, static ones included.
  /// Errors: kInvalid (INVALID_CONF_VALUE.*) for a value that a known key cannot have.
  static Result<Conf> Make(const ConfMap& initial);

  /// Any key can be set, as in Spark: a key that nobody knows has no effect.
  /// Errors: kInvalid (CANNOT_MODIFY_STATIC_CONFIG, CANNOT_MODIFY_CONFIG, INVALID_CONF_VALUE.*).
  Status Set(std::string_view key, std::string_view value);
  /// Whether Set takes the key at all.
  static bool IsModifiable(std::string_view key);
  /// Back to what the session started with.
  void Reset(std::string_view key);
  void ResetAll();

  /// What is set, else the default; nullopt for a key without either.
  std::optional<std::string> Get(std::string_view key) const;
  bool Flag(std::string_view key) const;  ///< Precondition: a known boolean key.
  const ConfMap& values() const { return values_; }

  Semantics semantics() const;
  ops::PruningSwitches pruning() const;
  /// `base` with what spark.driver.memory (1g, 512m, ...; a number alone counts MiB) and spark.local.dir (the
  /// first folder of a list) say. Errors: kInvalid (INVALID_CONF_VALUE) for a size that is none or is too
  /// small.
  Result<exec::EngineOptions> EngineFrom(exec::EngineOptions base) const;
  /// spark.sql.sources.partitionOverwriteMode = dynamic, in any case.
  bool DynamicPartitionOverwrite() const;

 private:
  ConfMap initial_;
  ConfMap values_;
};

const std::vector<KnownKey>& KnownKeys();

}  // namespace weir::session

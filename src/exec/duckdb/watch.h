#pragma once

/// Carries cancellation into DuckDB and progress out of it, from one thread for all statements of an engine.
/// Thread rule: any thread.

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "base/cancellation.h"
#include "duckdb/common/shared_ptr.hpp"

namespace duckdb {
class ClientContext;
}

namespace weir::exec {

class Watch {
 public:
  Watch();
  ~Watch();

  struct Entry;
  /// Ends when it is dropped; after that neither the context nor `progress` is touched.
  using Handle = std::shared_ptr<Entry>;
  Handle Follow(duckdb::shared_ptr<duckdb::ClientContext> context, Cancellation cancellation,
                std::function<void(double)> progress);

 private:
  void Loop();
  void Visit(Entry& entry);
  std::mutex mutex_;
  std::condition_variable wake_;
  std::list<std::weak_ptr<Entry>> entries_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace weir::exec

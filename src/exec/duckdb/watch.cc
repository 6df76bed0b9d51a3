#include "exec/duckdb/watch.h"

#include <chrono>

#include "duckdb/common/progress_bar/progress_bar.hpp"
#include "duckdb/main/client_context.hpp"

namespace weir::exec {

namespace {
constexpr std::chrono::milliseconds kPeriod{25};
/// Progress is reported every so many visits.
constexpr int kProgressVisits = 8;
}  // namespace

struct Watch::Entry {
  std::mutex mutex;  // Held while the context and progress are used.
  duckdb::shared_ptr<duckdb::ClientContext> context;
  Cancellation cancellation;
  std::function<void(double)> progress;
  int visits = 0;
};

Watch::Watch() : thread_([this] { Loop(); }) {}

Watch::~Watch() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

Watch::Handle Watch::Follow(duckdb::shared_ptr<duckdb::ClientContext> context, Cancellation cancellation,
                            std::function<void(double)> progress) {
  auto entry = std::make_shared<Entry>();
  entry->context = std::move(context);
  entry->cancellation = std::move(cancellation);
  entry->progress = std::move(progress);
  // The caller's handle detaches the entry: a visit that holds it a little longer finds no context.
  Handle handle(entry.get(), [entry](Entry*) {
    std::lock_guard lock(entry->mutex);
    entry->context.reset();
    entry->progress = nullptr;
  });
  {
    std::lock_guard lock(mutex_);
    entries_.push_back(entry);
  }
  wake_.notify_all();
  return handle;
}

void Watch::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (entries_.empty()) {
      wake_.wait(lock);
      continue;
    }
    std::list<std::shared_ptr<Entry>> live;
    for (auto it = entries_.begin(); it != entries_.end();) {
      if (std::shared_ptr<Entry> entry = it->lock()) {
        live.push_back(std::move(entry));
        ++it;
      } else {
        it = entries_.erase(it);
      }
    }
    lock.unlock();
    for (const std::shared_ptr<Entry>& entry : live) Visit(*entry);
    live.clear();
    lock.lock();
    if (!stopping_ && !entries_.empty()) wake_.wait_for(lock, kPeriod);
  }
}

void Watch::Visit(Entry& entry) {
  std::lock_guard lock(entry.mutex);
  if (!entry.context) return;
  if (entry.cancellation.requested()) entry.context->Interrupt();
  if (entry.progress && ++entry.visits % kProgressVisits == 0) {
    const double percent = entry.context->GetQueryProgress().GetPercentage();
    entry.progress(percent < 0 ? -1 : percent / 100);
  }
}

}  // namespace weir::exec

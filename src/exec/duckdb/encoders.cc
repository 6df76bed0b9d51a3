#include "exec/duckdb/encoders.h"

#include <system_error>

#include "duckdb/common/types/column/column_data_collection.hpp"

namespace weir::exec {

Encoders::Encoders(size_t threads) {
  try {
    for (size_t i = 0; i < std::max<size_t>(threads, 1); ++i) threads_.emplace_back([this] { Loop(); });
  } catch (const std::system_error&) {
    // The system gives no more threads. Without any, rows are encoded where they are given.
  }
}

Encoders::~Encoders() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Encoders::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    std::shared_ptr<Job> job;
    for (const auto& queued : queue_) {
      if (!queued->taken && !queued->step) {
        job = queued;
        break;
      }
    }
    if (!job) {
      work_.wait(lock);
      continue;
    }
    job->taken = true;
    lock.unlock();
    Result<std::shared_ptr<ParquetFile::RowGroup>> encoded = job->file->Encode(std::move(job->rows));
    lock.lock();
    job->Take(std::move(encoded));
    done_.notify_all();
  }
}

void Encoders::Job::Take(Result<std::shared_ptr<ParquetFile::RowGroup>> result) {
  if (result) {
    encoded = *std::move(result);
  } else {
    status = result.error();
  }
  done = true;
}

Status Encoders::Push(std::shared_ptr<Job> job) {
  if (threads_.empty() && !job->step) job->Take(job->file->Encode(std::move(job->rows)));
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
  }
  work_.notify_one();
  return Settle(threads_.size() + 1);
}

Status Encoders::Give(const std::shared_ptr<ParquetFile>& file,
                      duckdb::unique_ptr<duckdb::ColumnDataCollection> rows) {
  auto job = std::make_shared<Job>();
  job->file = file;
  job->rows = std::move(rows);
  return Push(std::move(job));
}

Status Encoders::Then(std::function<Status()> step) {
  auto job = std::make_shared<Job>();
  job->step = std::move(step);
  job->done = true;
  return Push(std::move(job));
}

Status Encoders::Settle(size_t keep) {
  std::unique_lock lock(mutex_);
  while (!queue_.empty() && (queue_.size() > keep || queue_.front()->done)) {
    done_.wait(lock, [&] { return queue_.front()->done; });
    const std::shared_ptr<Job> job = queue_.front();
    queue_.pop_front();
    lock.unlock();
    WEIR_DO(job->status);
    if (job->step) {
      WEIR_DO(job->step());
    } else {
      WEIR_DO(job->file->Append(*job->encoded));
    }
    lock.lock();
  }
  return {};
}

Status Encoders::Drain() { return Settle(0); }

}  // namespace weir::exec

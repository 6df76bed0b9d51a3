#pragma once

/// Encodes row groups of Parquet files on threads of its own and appends them in the order in which they were
/// given. Thread rule: one thread gives; encoding happens elsewhere.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "exec/duckdb/parquet_file.h"

namespace weir::exec {

class Encoders {
 public:
  explicit Encoders(size_t threads);
  ~Encoders();

  /// Encodes rows and appends them to the file, soon. Waits while more than a few row groups are on their
  /// way. Errors: that of an earlier row group.
  Status Give(const std::shared_ptr<ParquetFile>& file,
              duckdb::unique_ptr<duckdb::ColumnDataCollection> rows);
  /// Calls `step` when everything given so far has been appended.
  Status Then(std::function<Status()> step);
  /// Waits for everything.
  Status Drain();

 private:
  struct Job {
    std::shared_ptr<ParquetFile> file;
    duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
    std::shared_ptr<ParquetFile::RowGroup> encoded;
    std::function<Status()> step;
    Status status;
    bool taken = false;
    bool done = false;

    void Take(Result<std::shared_ptr<ParquetFile::RowGroup>> result);
  };
  void Loop();
  Status Push(std::shared_ptr<Job> job);
  /// Appends finished row groups from the front; waits until at most `keep` are left.
  Status Settle(size_t keep);

  std::mutex mutex_;
  std::condition_variable work_, done_;
  std::deque<std::shared_ptr<Job>> queue_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace weir::exec

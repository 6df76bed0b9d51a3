#pragma once

/// DuckDB's view of Weir's stores. DuckDB opens a file by a ticket that an adapter of ours has issued; the
/// ticket says which store, whose account and how large, so that no byte moves without an owner. Nothing is
/// cached here. Thread rule: any thread.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "duckdb/common/file_system.hpp"
#include "duckdb/common/open_file_info.hpp"
#include "pages/synthesize.h"
#include "storage/storage.h"

namespace weir::exec {

/// A readable file: an object of a store, or a synthesized one in memory.
struct ReadTicket {
  std::optional<Store> store;  ///< Its purpose is charged; of kData, footers are kFooter.
  std::string path;            ///< In the store's own form.
  uint64_t size_bytes = 0;
  std::shared_ptr<const pages::SynthesizedFile> synthesized;  ///< Instead of the store.
};

/// A file being written. The upload is finished by Close; dropping it unclosed leaves nothing behind.
struct WriteTicket {
  Store store;
  std::string path;
  /// Bytes written after `keep_from_now` was set, for reading back the footer.
  std::atomic<bool> keep_from_now{false};
  std::string kept;
  uint64_t size_bytes = 0;
  bool finished = false;

  WriteTicket(Store in_store, std::string in_path) : store(std::move(in_store)), path(std::move(in_path)) {}
};

/// Issued tickets by number. They live until withdrawn.
class Tickets {
 public:
  uint64_t Issue(std::shared_ptr<const ReadTicket> ticket);
  uint64_t Issue(std::shared_ptr<WriteTicket> ticket);
  void Withdraw(uint64_t number);
  std::shared_ptr<const ReadTicket> FindRead(uint64_t number) const;
  std::shared_ptr<WriteTicket> FindWrite(uint64_t number) const;

 private:
  mutable std::mutex mutex_;
  uint64_t next_ = 1;
  std::unordered_map<uint64_t, std::shared_ptr<const ReadTicket>> reads_;
  std::unordered_map<uint64_t, std::shared_ptr<WriteTicket>> writes_;
};

/// What DuckDB is told to open. `name` shows up in its error messages.
duckdb::OpenFileInfo InfoOf(uint64_t read_ticket, const std::string& name);
std::string WritePathOf(uint64_t write_ticket);
/// Removes the prefix of InfoOf from names in a message.
std::string PlainMessage(std::string message);

duckdb::unique_ptr<duckdb::FileSystem> MakeFileSystem(std::shared_ptr<Tickets> tickets);

}  // namespace weir::exec

#include "exec/duckdb/file_system.h"

#include <algorithm>
#include <charconv>

#include "codec/parquet/footer.h"
#include "codec/parquet/unordered_statistics.h"
#include "duckdb/common/types/timestamp.hpp"
#include "exec/duckdb/errors.h"

namespace weir::exec {

namespace {

constexpr std::string_view kReadPrefix = "weir:";
constexpr std::string_view kWritePrefix = "weir-out:";
constexpr char kTicketOption[] = "weir_ticket";

using parquet::kTrailerSizeBytes;

class ReadHandle : public duckdb::FileHandle {
 public:
  ReadHandle(duckdb::FileSystem& system, const std::string& at, duckdb::FileOpenFlags how,
             std::shared_ptr<const ReadTicket> ticket)
      : FileHandle(system, at, how), ticket_(std::move(ticket)) {}
  void Close() override {}

  void ReadAt(uint64_t offset, MutableBytes into) {
    if (ticket_->synthesized) return CheckOrThrow(ticket_->synthesized->ReadAt(offset, into));
    if (offset > ticket_->size_bytes || into.size() > ticket_->size_bytes - offset) {
      Throw(Corrupt("{}: a read of {} bytes at {} goes beyond its {} bytes", ticket_->path, into.size(),
                    offset, ticket_->size_bytes));
    }
    const uint64_t end = offset + into.size();
    if (!tail_.empty() && offset >= tail_offset()) {
      const auto from = tail_.begin() + static_cast<int64_t>(offset - tail_offset());
      std::copy(from, from + static_cast<int64_t>(into.size()), into.begin());
      return;
    }
    Fetch(offset, into, IsForFooter(end));
    if (IsForFooter(end)) CheckOrThrow(HideStatistics(offset, into));
  }
  uint64_t size_bytes() const { return ticket_->size_bytes; }
  uint64_t position = 0;

 private:
  /// A request that ends there. Those that end within the trailer are for the footer; column data never
  /// reaches it.
  bool IsForFooter(uint64_t end) const { return end + kTrailerSizeBytes >= ticket_->size_bytes; }
  uint64_t tail_offset() const { return ticket_->size_bytes - tail_.size(); }

  void Fetch(uint64_t offset, MutableBytes into, bool for_footer) const {
    Purpose purpose = ticket_->store->account().purpose();
    if (purpose == Purpose::kData && for_footer) purpose = Purpose::kFooter;
    CheckOrThrow(ticket_->store->For(purpose).ReadInto(ticket_->path, {offset, into.size()}, into));
  }

  /// DuckDB believes bounds in the wrong order. `read` are the last bytes of the file from `offset` on; a
  /// footer that begins before them is fetched whole, and kept for the request that will ask for it.
  Status HideStatistics(uint64_t offset, MutableBytes read) {
    const uint64_t size_bytes = ticket_->size_bytes;
    if (offset + read.size() != size_bytes || read.size() < kTrailerSizeBytes) return {};
    const Result<uint64_t> tail_bytes = parquet::FooterTailSize(read, size_bytes);
    // DuckDB says what is wrong with the trailer.
    if (!tail_bytes) return {};
    const uint64_t start = size_bytes - *tail_bytes;
    if (start >= offset) {
      return Hide(read.subspan(start - offset), start);
    }
    std::vector<uint8_t> tail(*tail_bytes);
    Fetch(start, MutableBytes(tail).first(offset - start), true);
    std::copy(read.begin(), read.end(), tail.begin() + static_cast<int64_t>(offset - start));
    WEIR_DO(Hide(tail, start));
    std::copy(tail.end() - static_cast<int64_t>(read.size()), tail.end(), read.begin());
    tail_ = std::move(tail);
    return {};
  }
  Status Hide(MutableBytes tail, uint64_t start) const {
    WEIR_DO_CONTEXT(ticket_->path,
                    parquet::HideUnorderedStatistics(tail.first(tail.size() - kTrailerSizeBytes), start));
    return {};
  }

  std::shared_ptr<const ReadTicket> ticket_;
  std::vector<uint8_t> tail_;  ///< Footer and trailer, if they came in two parts.
};

class WriteHandle : public duckdb::FileHandle {
 public:
  WriteHandle(duckdb::FileSystem& system, const std::string& at, duckdb::FileOpenFlags how,
              std::shared_ptr<WriteTicket> ticket)
      : FileHandle(system, at, how), ticket_(std::move(ticket)) {
    upload_ = ValueOrThrow(ticket_->store.StartUpload(ticket_->path, PutIf::Absent()));
  }
  /// DuckDB writes in pieces of 4 KiB; they go on in larger ones.
  void Append(Bytes bytes) {
    buffer_.append(AsText(bytes));
    ticket_->size_bytes += bytes.size();
    if (ticket_->keep_from_now) ticket_->kept.append(AsText(bytes));
    if (buffer_.size() >= kWriteBytes) Send();
  }
  void Close() override {
    if (!upload_) return;
    Send();
    Result<ObjectTag> tag = upload_->Finish(ticket_->store.io());
    upload_.reset();
    if (!tag) Throw(tag.error());
    ticket_->finished = true;
  }
  uint64_t size_bytes() const { return ticket_->size_bytes; }

 private:
  static constexpr size_t kWriteBytes = 1_MiB;
  void Send() {
    CheckOrThrow(upload_->Write(ticket_->store.io(), AsBytes(buffer_)));
    buffer_.clear();
  }
  std::shared_ptr<WriteTicket> ticket_;
  std::unique_ptr<Upload> upload_;
  std::string buffer_;
};

class StoreFileSystem : public duckdb::FileSystem {
 public:
  explicit StoreFileSystem(std::shared_ptr<Tickets> tickets) : tickets_(std::move(tickets)) {}

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(const std::string& path, duckdb::FileOpenFlags flags,
                                                  duckdb::optional_ptr<duckdb::FileOpener>) override {
    uint64_t number = 0;
    if (path.starts_with(kWritePrefix)) {
      std::from_chars(path.data() + kWritePrefix.size(), path.data() + path.size(), number);
    }
    std::shared_ptr<WriteTicket> ticket = tickets_->FindWrite(number);
    if (!ticket || !flags.OpenForWriting()) Throw(Internal("{}: opened without a ticket", path));
    return duckdb::make_uniq<WriteHandle>(*this, path, flags, std::move(ticket));
  }

  void Read(duckdb::FileHandle& handle, void* buffer, int64_t count, duckdb::idx_t location) override {
    handle.Cast<ReadHandle>().ReadAt(location, {static_cast<uint8_t*>(buffer), static_cast<size_t>(count)});
  }
  int64_t Read(duckdb::FileHandle& handle, void* buffer, int64_t count) override {
    auto& reader = handle.Cast<ReadHandle>();
    const uint64_t left = reader.size_bytes() - std::min(reader.position, reader.size_bytes());
    const uint64_t size = std::min<uint64_t>(static_cast<uint64_t>(count), left);
    reader.ReadAt(reader.position, {static_cast<uint8_t*>(buffer), size});
    reader.position += size;
    return static_cast<int64_t>(size);
  }
  int64_t Write(duckdb::FileHandle& handle, void* buffer, int64_t count) override {
    handle.Cast<WriteHandle>().Append({static_cast<const uint8_t*>(buffer), static_cast<size_t>(count)});
    return count;
  }
  int64_t GetFileSize(duckdb::FileHandle& handle) override {
    if (handle.GetFlags().OpenForWriting())
      return static_cast<int64_t>(handle.Cast<WriteHandle>().size_bytes());
    return static_cast<int64_t>(handle.Cast<ReadHandle>().size_bytes());
  }
  // A constant time without a version tag keeps DuckDB from caching by path.
  duckdb::timestamp_t GetLastModifiedTime(duckdb::FileHandle&) override { return duckdb::timestamp_t(0); }
  std::string GetVersionTag(duckdb::FileHandle&) override { return ""; }
  duckdb::FileType GetFileType(duckdb::FileHandle&) override { return duckdb::FileType::FILE_TYPE_REGULAR; }
  void Seek(duckdb::FileHandle& handle, duckdb::idx_t location) override {
    handle.Cast<ReadHandle>().position = location;
  }
  duckdb::idx_t SeekPosition(duckdb::FileHandle& handle) override {
    return handle.Cast<ReadHandle>().position;
  }
  void Reset(duckdb::FileHandle& handle) override { handle.Cast<ReadHandle>().position = 0; }
  void FileSync(duckdb::FileHandle&) override {}
  bool CanSeek() override { return true; }
  // "On disk" would make the Parquet reader ask for one page at a time.
  bool OnDiskFile(duckdb::FileHandle&) override { return false; }
  bool CanHandleFile(const std::string& path) override {
    return path.starts_with(kReadPrefix) || path.starts_with(kWritePrefix);
  }
  std::string GetName() const override { return "WeirStores"; }

 protected:
  bool SupportsOpenFileExtended() const override { return true; }
  duckdb::unique_ptr<duckdb::FileHandle> OpenFileExtended(
      const duckdb::OpenFileInfo& info, duckdb::FileOpenFlags flags,
      duckdb::optional_ptr<duckdb::FileOpener> opener) override {
    if (!info.extended_info) return OpenFile(info.path, flags, opener);
    const auto& options = info.extended_info->options;
    const auto option = options.find(kTicketOption);
    if (option == options.end()) return OpenFile(info.path, flags, opener);
    std::shared_ptr<const ReadTicket> ticket = tickets_->FindRead(option->second.GetValue<uint64_t>());
    if (!ticket || flags.OpenForWriting()) Throw(Internal("{}: its ticket is no longer valid", info.path));
    return duckdb::make_uniq<ReadHandle>(*this, info.path, flags, std::move(ticket));
  }

 private:
  std::shared_ptr<Tickets> tickets_;
};

}  // namespace

uint64_t Tickets::Issue(std::shared_ptr<const ReadTicket> ticket) {
  std::lock_guard lock(mutex_);
  reads_[next_] = std::move(ticket);
  return next_++;
}

uint64_t Tickets::Issue(std::shared_ptr<WriteTicket> ticket) {
  std::lock_guard lock(mutex_);
  writes_[next_] = std::move(ticket);
  return next_++;
}

void Tickets::Withdraw(uint64_t number) {
  std::lock_guard lock(mutex_);
  reads_.erase(number);
  writes_.erase(number);
}

std::shared_ptr<const ReadTicket> Tickets::FindRead(uint64_t number) const {
  std::lock_guard lock(mutex_);
  const auto it = reads_.find(number);
  return it == reads_.end() ? nullptr : it->second;
}

std::shared_ptr<WriteTicket> Tickets::FindWrite(uint64_t number) const {
  std::lock_guard lock(mutex_);
  const auto it = writes_.find(number);
  return it == writes_.end() ? nullptr : it->second;
}

duckdb::OpenFileInfo InfoOf(uint64_t read_ticket, const std::string& name) {
  duckdb::OpenFileInfo info(std::string(kReadPrefix) + name);
  info.extended_info = duckdb::make_shared_ptr<duckdb::ExtendedOpenFileInfo>();
  info.extended_info->options[kTicketOption] = duckdb::Value::UBIGINT(read_ticket);
  return info;
}

std::string WritePathOf(uint64_t write_ticket) {
  return std::string(kWritePrefix) + std::to_string(write_ticket) + ".parquet";
}

std::string PlainMessage(std::string message) {
  for (size_t at = 0; (at = message.find(kReadPrefix, at)) != std::string::npos;) {
    const bool quoted =
        at > 0 && (message[at - 1] == '"' || message[at - 1] == '\'' || message[at - 1] == ' ');
    if (quoted || at == 0) {
      message.erase(at, kReadPrefix.size());
    } else {
      at += kReadPrefix.size();
    }
  }
  return message;
}

duckdb::unique_ptr<duckdb::FileSystem> MakeFileSystem(std::shared_ptr<Tickets> tickets) {
  return duckdb::make_uniq<StoreFileSystem>(std::move(tickets));
}

}  // namespace weir::exec

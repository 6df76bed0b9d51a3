#include "exec/duckdb/spill.h"

#include "duckdb/common/error_data.hpp"
#include "duckdb/common/types/timestamp.hpp"
#include "exec/duckdb/errors.h"

namespace weir::exec {

namespace {

constexpr std::string_view kSpillPrefix = "weir-spill:";

std::string Plain(const std::string& path) { return path.substr(kSpillPrefix.size()); }

/// Runs a call of the local file system, whose errors here are never about the data.
template <typename F>
auto Spilling(const std::string& path, F&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception& exception) {
    Throw(Unavailable("{}: cannot spill: {}", path, duckdb::ErrorData(exception).RawMessage()));
  }
}

struct SpillHandle : duckdb::FileHandle {
  SpillHandle(duckdb::FileSystem& system, const std::string& at, duckdb::FileOpenFlags how,
              duckdb::unique_ptr<duckdb::FileHandle> in_file)
      : FileHandle(system, at, how), file(std::move(in_file)) {}
  void Close() override { file->Close(); }
  duckdb::unique_ptr<duckdb::FileHandle> file;
};

duckdb::FileHandle& FileOf(duckdb::FileHandle& handle) { return *handle.Cast<SpillHandle>().file; }

class SpillFileSystem : public duckdb::FileSystem {
 public:
  using Opener = duckdb::optional_ptr<duckdb::FileOpener>;
  explicit SpillFileSystem(std::shared_ptr<SpillMeter> meter)
      : meter_(std::move(meter)), local_(duckdb::FileSystem::CreateLocal()) {}

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(const std::string& path, duckdb::FileOpenFlags flags,
                                                  Opener) override {
    auto file = Spilling(Plain(path), [&] { return local_->OpenFile(Plain(path), flags); });
    if (!file) return nullptr;
    return duckdb::make_uniq<SpillHandle>(*this, path, flags, std::move(file));
  }

  void Read(duckdb::FileHandle& handle, void* buffer, int64_t count, duckdb::idx_t location) override {
    Spilling(Plain(handle.path), [&] { local_->Read(FileOf(handle), buffer, count, location); });
    ChargeRead(count);
  }
  int64_t Read(duckdb::FileHandle& handle, void* buffer, int64_t count) override {
    count = Spilling(Plain(handle.path), [&] { return local_->Read(FileOf(handle), buffer, count); });
    ChargeRead(count);
    return count;
  }
  void Write(duckdb::FileHandle& handle, void* buffer, int64_t count, duckdb::idx_t location) override {
    Spilling(Plain(handle.path), [&] { local_->Write(FileOf(handle), buffer, count, location); });
    ChargeWritten(count);
  }
  int64_t Write(duckdb::FileHandle& handle, void* buffer, int64_t count) override {
    count = Spilling(Plain(handle.path), [&] { return local_->Write(FileOf(handle), buffer, count); });
    ChargeWritten(count);
    return count;
  }
  bool Trim(duckdb::FileHandle& handle, duckdb::idx_t offset, duckdb::idx_t length) override {
    return local_->Trim(FileOf(handle), offset, length);
  }
  void Truncate(duckdb::FileHandle& handle, int64_t size) override {
    Spilling(Plain(handle.path), [&] { local_->Truncate(FileOf(handle), size); });
  }
  int64_t GetFileSize(duckdb::FileHandle& handle) override { return local_->GetFileSize(FileOf(handle)); }
  duckdb::FileType GetFileType(duckdb::FileHandle& handle) override {
    return local_->GetFileType(FileOf(handle));
  }
  void FileSync(duckdb::FileHandle&) override {}
  bool CanSeek() override { return true; }
  bool OnDiskFile(duckdb::FileHandle&) override { return true; }

  bool DirectoryExists(const std::string& directory, Opener) override {
    return local_->DirectoryExists(Plain(directory));
  }
  void CreateDirectory(const std::string& directory, Opener) override {
    Spilling(Plain(directory), [&] { local_->CreateDirectory(Plain(directory)); });
  }
  void RemoveDirectory(const std::string& directory, Opener) override {
    local_->RemoveDirectory(Plain(directory));
  }
  bool ListFiles(const std::string& directory, const std::function<void(const std::string&, bool)>& callback,
                 duckdb::FileOpener*) override {
    return local_->ListFiles(Plain(directory), callback);
  }
  bool FileExists(const std::string& path, Opener) override { return local_->FileExists(Plain(path)); }
  void RemoveFile(const std::string& path, Opener) override { local_->RemoveFile(Plain(path)); }
  bool TryRemoveFile(const std::string& path, Opener) override { return local_->TryRemoveFile(Plain(path)); }
  bool CanHandleFile(const std::string& path) override { return path.starts_with(kSpillPrefix); }
  std::string GetName() const override { return "WeirSpill"; }

 private:
  void ChargeRead(int64_t count) {
    const auto bytes = static_cast<uint64_t>(count);
    meter_->Charge({.requests = 1, .bytes_asked = bytes, .bytes_read = bytes, .bytes_written = 0});
  }
  void ChargeWritten(int64_t count) {
    meter_->Charge(
        {.requests = 1, .bytes_asked = 0, .bytes_read = 0, .bytes_written = static_cast<uint64_t>(count)});
  }

  std::shared_ptr<SpillMeter> meter_;
  duckdb::unique_ptr<duckdb::FileSystem> local_;
};

}  // namespace

SpillMeter::Handle SpillMeter::Follow(std::shared_ptr<Ledger> ledger) {
  if (!ledger) return nullptr;
  std::lock_guard lock(mutex_);
  const auto place = running_.insert(running_.end(), std::move(ledger));
  if (!(unclaimed_ == Traffic{})) (*place)->Open("spill", Purpose::kSpill).Charge(unclaimed_);
  unclaimed_ = {};
  return Handle(this, [place](void* meter) {
    auto* self = static_cast<SpillMeter*>(meter);
    std::lock_guard guard(self->mutex_);
    self->running_.erase(place);
  });
}

void SpillMeter::Charge(const Traffic& traffic) {
  std::lock_guard lock(mutex_);
  if (running_.empty()) {
    unclaimed_ += traffic;
  } else {
    running_.back()->Open("spill", Purpose::kSpill).Charge(traffic);
  }
}

std::string SpillPathOf(const std::string& folder) { return std::string(kSpillPrefix) + folder; }

duckdb::unique_ptr<duckdb::FileSystem> MakeSpillFileSystem(std::shared_ptr<SpillMeter> meter) {
  return duckdb::make_uniq<SpillFileSystem>(std::move(meter));
}

}  // namespace weir::exec

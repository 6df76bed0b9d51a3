#include "storage/local/local.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "storage/local/pending_file.h"

namespace weir {
namespace {

Status CheckPath(std::string_view path) {
  if (path.empty() || path[0] != '/' || path.back() == '/' || path.find('\0') != std::string_view::npos) {
    return Invalid("\"{}\" is not a local object: expected an absolute path", path);
  }
  if (path.substr(FolderOf(path).size()).starts_with(kPendingPrefix)) {
    return Invalid("{}: names that begin with \"{}\" are reserved", path, kPendingPrefix);
  }
  return {};
}

bool NamesFolder(std::string_view path) {
  return path.size() > 1 && path.front() == '/' && path.back() == '/' &&
         path.find('\0') == std::string_view::npos;
}

/// For reads: what is below a file, or is a folder, is no object.
Error ReadError(int error_number, std::string_view action, std::string_view path) {
  if (error_number == ENOTDIR || error_number == EISDIR) error_number = ENOENT;
  return LocalError(error_number, action, path);
}

Status ReadRange(int fd, std::string_view path, uint64_t file_bytes, const ByteRange& range,
                 MutableBytes buffer) {
  if (range.offset_bytes > file_bytes || range.size_bytes > file_bytes - range.offset_bytes) {
    return Corrupt("read {}: bytes {} to {} of a file of {}", path, range.offset_bytes, range.end_bytes(),
                   file_bytes);
  }
  for (uint64_t done = 0; done < range.size_bytes;) {
    const ssize_t got = pread(fd, buffer.data() + done, range.size_bytes - done,
                              static_cast<off_t>(range.offset_bytes + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return LocalError(errno, "read", path);
    if (got == 0) return Corrupt("read {}: it shrank while it was read", path);
    done += static_cast<uint64_t>(got);
  }
  return {};
}

/// A folder that appears between the calls is as good as one of ours, unless it must be new.
Result<ObjectTag> PutFolder(std::string_view path, Bytes bytes, const PutIf& condition, bool sync) {
  if (!bytes.empty()) return Invalid("write {}: a folder holds no bytes", path);
  if (condition.kind == PutIf::Kind::kMatches) return Invalid("write {}: folders have no tags", path);
  const std::string folder(path.substr(0, path.size() - 1));
  const std::string parent(FolderOf(folder));
  if (parent.size() > 1) WEIR_DO(MakeFolders(parent.substr(0, parent.size() - 1)));
  if (mkdir(folder.c_str(), 0777) != 0) {
    const int error_number = errno;
    struct stat info;
    const bool is_folder = stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
    if (is_folder && condition.kind == PutIf::Kind::kAbsent) return LocalError(EEXIST, "make folder", path);
    if (!is_folder) return LocalError(error_number == EEXIST ? ENOTDIR : error_number, "make folder", path);
  }
  const Descriptor opened(sync ? open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  if (sync && (!opened.valid() || fsync(opened.get()) != 0)) return LocalError(errno, "sync folder", parent);
  return ObjectTag{};
}

Status DeleteOne(const std::string& path) {
  if (NamesFolder(path)) {
    if (rmdir(path.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR) return {};
    if (errno != ENOTEMPTY && errno != EEXIST) return LocalError(errno, "delete", path);
    RemoveAbandoned(path);
    static_cast<void>(rmdir(path.c_str()));
    return {};
  }
  WEIR_DO(CheckPath(path));
  // A folder is no object, and so is what would be below a file.
  if (unlink(path.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR || errno == EISDIR) return {};
  return LocalError(errno, "delete", path);
}

class LocalUpload final : public Upload {
 public:
  LocalUpload(PendingFile file, PutIf condition) : file_(std::move(file)), condition_(std::move(condition)) {}

  Status Write(Io& io, Bytes bytes) override {
    WEIR_DO(io.cancellation.Check());
    if (!file_) return Internal("write to an upload after its end");
    return file_->Write(bytes);
  }
  Result<ObjectTag> Finish(Io& io) override {
    WEIR_DO(io.cancellation.Check());
    if (!file_) return Internal("finish of an upload after its end");
    Result<ObjectTag> tag = file_->Publish(condition_);
    file_.reset();
    return tag;
  }
  Status Abort(Io&) override {
    file_.reset();
    return {};
  }

 private:
  std::optional<PendingFile> file_;  ///< Absent once ended.
  PutIf condition_;
};

}  // namespace

Result<ObjectInfo> LocalStorage::Head(Io& io, std::string_view path) {
  WEIR_DO(io.cancellation.Check());
  const bool wants_folder = NamesFolder(path);
  if (!wants_folder) WEIR_DO(CheckPath(path));
  std::string name(path);
  struct stat info;
  if (stat(name.c_str(), &info) != 0) return ReadError(errno, "look up", path);
  if (wants_folder) return ObjectInfo{std::move(name), 0, 0, {}};
  if (!S_ISREG(info.st_mode)) return NotFound("look up {}: it is not a file", path);
  return InfoOf(std::move(name), info);
}

Status LocalStorage::ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                                std::span<const MutableBytes> buffers) {
  WEIR_DO(io.cancellation.Check());
  WEIR_DO(CheckPath(path));
  // Not blocking: a pipe in the place of a file is refused, not waited for.
  const Descriptor file(open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return ReadError(errno, "read", path);
  struct stat info;
  if (fstat(file.get(), &info) != 0) return LocalError(errno, "read", path);
  if (!S_ISREG(info.st_mode)) return NotFound("read {}: it is not a file", path);
  for (size_t i = 0; i < ranges.size(); ++i) {
    WEIR_DO(io.cancellation.Check());
    WEIR_DO(ReadRange(file.get(), path, static_cast<uint64_t>(info.st_size), ranges[i], buffers[i]));
  }
  return {};
}

Result<ObjectTag> LocalStorage::Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) {
  WEIR_DO(io.cancellation.Check());
  if (NamesFolder(path)) return PutFolder(path, bytes, condition, options_.sync);
  WEIR_DO(CheckPath(path));
  struct stat info;
  // Saves the write where the outcome is plain; Publish is what decides.
  if (condition.kind == PutIf::Kind::kAbsent && lstat(std::string(path).c_str(), &info) == 0 &&
      S_ISREG(info.st_mode)) {
    return LocalError(EEXIST, "write", path);
  }
  WEIR_TRY(PendingFile file, PendingFile::Create(std::string(path), random_, options_.sync));
  WEIR_DO(file.Write(bytes));
  WEIR_DO(io.cancellation.Check());
  return file.Publish(condition);
}

Result<std::unique_ptr<Upload>> LocalStorage::StartUpload(Io& io, std::string_view path,
                                                          const PutIf& condition) {
  WEIR_DO(io.cancellation.Check());
  WEIR_DO(CheckPath(path));
  WEIR_TRY(PendingFile file, PendingFile::Create(std::string(path), random_, options_.sync));
  return std::unique_ptr<Upload>(std::make_unique<LocalUpload>(std::move(file), condition));
}

Status LocalStorage::Delete(Io& io, std::span<const std::string> paths) {
  Status first_error;
  for (const std::string& path : paths) {
    WEIR_DO(io.cancellation.Check());
    Status deleted = DeleteOne(path);
    if (!deleted && first_error) first_error = std::move(deleted);
  }
  return first_error;
}

}  // namespace weir

#include "storage/local/pending_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "storage/local/local.h"

namespace weir {
namespace {

int OpenNew(const std::string& path) {
  return open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
}

}  // namespace

Status MakeFolders(const std::string& folder) {
  for (size_t slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    const std::string part = folder.substr(0, slash);
    if (part != "/" && !part.empty() && mkdir(part.c_str(), 0777) != 0 && errno != EEXIST &&
        errno != EISDIR) {
      // A folder that exists may sit where we may not write.
      const int error = errno;
      struct stat info;
      if (stat(part.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
        return LocalError(error, "make folder", part);
    }
    if (slash == std::string::npos) return {};
  }
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

ObjectTag TagOf(const struct stat& info) {
  return {fmt::format("{:x}-{:x}-{:x}.{:x}", info.st_ino, info.st_size, info.st_mtim.tv_sec,
                      info.st_mtim.tv_nsec)};
}

ObjectInfo InfoOf(std::string path, const struct stat& info) {
  return {std::move(path), static_cast<uint64_t>(info.st_size),
          info.st_mtim.tv_sec * 1'000'000 + info.st_mtim.tv_nsec / 1000, TagOf(info)};
}

std::string_view FolderOf(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

Result<PendingFile> PendingFile::Create(std::string path, Random& random, bool sync) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return LocalError(EISDIR, "write", path);
  const std::string folder(FolderOf(path));
  std::string pending = fmt::format("{}{}{:016x}", folder, kPendingPrefix, random.Next());
  Descriptor file(OpenNew(pending));
  if (!file.valid() && errno == ENOENT) {
    WEIR_DO_CONTEXT(fmt::format("write {}", path), MakeFolders(folder));
    file = Descriptor(OpenNew(pending));
  }
  if (!file.valid()) return LocalError(errno, "write", path);
  static_cast<void>(flock(file.get(), LOCK_EX | LOCK_NB));  // Where there are no locks, nobody asks for them.
  PendingFile made(std::move(path), std::move(pending), std::move(file), sync);
  // The final name may be too long where the temporary one is not: tell it before the bytes are written.
  if (lstat(made.path_.c_str(), &info) != 0 && errno == ENAMETOOLONG) {
    return LocalError(ENAMETOOLONG, "write", made.path_);
  }
  return made;
}

void RemoveAbandoned(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(folder.c_str()), closedir);
  if (!stream) return;
  std::vector<std::string> names;
  while (const dirent* entry = readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (!name.starts_with(kPendingPrefix)) return;
    names.emplace_back(name);
  }
  for (const std::string& name : names) {
    const Descriptor file(openat(dirfd(stream.get()), name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.valid() && flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
      unlinkat(dirfd(stream.get()), name.c_str(), 0);
    }
  }
}

PendingFile::~PendingFile() { Discard(); }

void PendingFile::Discard() {
  if (!pending_.empty()) unlink(pending_.c_str());
  pending_.clear();
}

Status PendingFile::Write(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return LocalError(errno, "write", path_);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

Status PendingFile::Sync() {
  // The kernel's own file times are as coarse as its tick; a tag has to tell apart two writes within one.
  struct timespec times[2] = {{0, UTIME_OMIT}, {}};
  clock_gettime(CLOCK_REALTIME, &times[1]);
  if (futimens(file_.get(), times) != 0) return LocalError(errno, "set the time of", path_);
  if (sync_ && fsync(file_.get()) != 0) return LocalError(errno, "sync", path_);
  return {};
}

Status PendingFile::Rename() {
  if (rename(pending_.c_str(), path_.c_str()) != 0) return LocalError(errno, "write", path_);
  pending_.clear();
  return {};
}

Status PendingFile::NameIfAbsent() {
  if (renameat2(AT_FDCWD, pending_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) {
    pending_.clear();
    return {};
  }
  if (errno != EINVAL && errno != ENOSYS) return LocalError(errno, "write", path_);
  if (link(pending_.c_str(), path_.c_str()) != 0) return LocalError(errno, "write", path_);
  Discard();
  return {};
}

Status PendingFile::NameUnderLock(const Descriptor& folder, const PutIf& condition) {
  while (flock(folder.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return LocalError(errno, "lock", FolderOf(path_));
  }
  Status named;
  struct stat info;
  if (condition.kind == PutIf::Kind::kMatches &&
      (stat(path_.c_str(), &info) != 0 || TagOf(info) != condition.tag)) {
    named = Exists("write {}: it has changed", path_);
  } else {
    named = Rename();
  }
  flock(folder.get(), LOCK_UN);
  return named;
}

Result<ObjectTag> PendingFile::Publish(const PutIf& condition) {
  WEIR_DO(Sync());
  struct stat info;
  if (fstat(file_.get(), &info) != 0) return LocalError(errno, "write", path_);
  const std::string folder_path(FolderOf(path_));
  const Descriptor folder(open(folder_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return LocalError(errno, "open folder", folder_path);
  if (condition.kind == PutIf::Kind::kAbsent) {
    WEIR_DO(NameIfAbsent());
  } else {
    WEIR_DO(NameUnderLock(folder, condition));
  }
  if (sync_ && fsync(folder.get()) != 0) {
    return UnknownOutcome(LocalError(errno, "sync folder", folder_path).message());
  }
  return TagOf(info);
}

}  // namespace weir

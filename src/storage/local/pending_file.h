#pragma once

/// A file that does not have its name yet: the mechanics behind Put and uploads. Thread rule: one thread.

#include <sys/stat.h>

#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/clock.h"
#include "storage/storage.h"

namespace weir {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Names that begin so are ours and temporary.
inline constexpr std::string_view kPendingPrefix = ".weir-";

ObjectTag TagOf(const struct stat& info);
ObjectInfo InfoOf(std::string path, const struct stat& info);
/// "/a/" of "/a/b".
std::string_view FolderOf(std::string_view path);

/// Makes the folder ("/a/b") and those above it. Errors: see LocalStorage.
Status MakeFolders(const std::string& folder);

/// Removes the temporary files of writers that are gone from a folder that holds nothing else.
void RemoveAbandoned(const std::string& folder);

/// Its writer holds a lock on it, by which others see that somebody still writes it.
class PendingFile {
 public:
  /// Creates the temporary file, and the folders on the way. Errors: see LocalStorage.
  static Result<PendingFile> Create(std::string path, Random& random, bool sync);
  PendingFile(PendingFile&& other) noexcept = default;
  PendingFile& operator=(PendingFile&&) = delete;
  /// Removes the temporary file unless it was published.
  ~PendingFile();

  Status Write(Bytes bytes);
  /// Gives the file its name. Errors: kExists if the condition fails; WRITE_OUTCOME_UNKNOWN if the name was
  /// given but syncing the folder failed. The file must not be used afterwards.
  Result<ObjectTag> Publish(const PutIf& condition);
  void Discard();

 private:
  PendingFile(std::string path, std::string pending, Descriptor file, bool sync)
      : path_(std::move(path)), pending_(std::move(pending)), file_(std::move(file)), sync_(sync) {}
  Status Sync();
  Status NameIfAbsent();
  Status NameUnderLock(const Descriptor& folder, const PutIf& condition);
  Status Rename();

  std::string path_;
  std::string pending_;  ///< Empty once published or discarded, and in a moved-from object.
  Descriptor file_;
  bool sync_ = true;
};

}  // namespace weir

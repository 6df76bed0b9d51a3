#pragma once

/// Files of this machine as a store. Thread rule: any thread, any number of processes.
///
/// How a write becomes visible: the bytes go to a temporary file in the object's own folder (".weir-" and a
/// random name, not listed), are synced, and take their name in one step; then the folder is synced. A failed
/// write removes its temporary file; only a crash can leave one.
/// - PutIf::Absent is atomic against every other program (rename without replacing, or link(2) where the
///   file system lacks it).
/// - PutIf::Always replaces in one step (rename).
/// - PutIf::Matches compares and replaces while it holds a lock (flock) on the folder. It is therefore
///   atomic against Matches and Always writes through this class, by any process of this machine, and not
///   against Delete, other programs, or other machines that share the file system.
/// A tag is made of inode, size and modification time in nanoseconds.
///
/// Links to folders are not followed by listings. Folders are made as needed and stay when they become empty;
/// they have no tags.

#include <cstddef>
#include <string>

#include "base/clock.h"
#include "storage/storage.h"

namespace weir {

struct LocalOptions {
  /// The kernel moves whole pages: only a gap within one is as cheap to read as to skip.
  StoreTraits traits = {.name = "local", .merge_gap_bytes = 4 << 10, .parallel_requests = 1};
  /// Sync files and folders before a write counts as done. Without it a power failure may undo or tear
  /// finished writes; a crash of the process may not.
  bool sync = true;
  size_t list_page_size = 1000;
};

/// Paths are absolute: "/dir/file". Errors beside those of Storage: kInvalid for a path that is not absolute,
/// is too long, names a folder in a write, or goes through a file; kUnavailable for a full disk; kDenied for
/// missing rights and read-only file systems.
class LocalStorage final : public Storage {
 public:
  explicit LocalStorage(LocalOptions options = {}, Random& random = SystemRandom())
      : options_(std::move(options)), random_(random) {}

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override;
  Result<ObjectInfo> Head(Io& io, std::string_view path) override;
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override;
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override;
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path, const PutIf& condition) override;
  Status Delete(Io& io, std::span<const std::string> paths) override;
  const StoreTraits& traits() const override { return options_.traits; }

 private:
  const LocalOptions options_;
  Random& random_;
};

/// The error for a failed system call. `action` is such as "read"; `path` what it was applied to.
Error LocalError(int error_number, std::string_view action, std::string_view path);

}  // namespace weir

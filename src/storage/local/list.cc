/// Listing: a walk over folders in the order of whole paths, that can start behind any path.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "storage/local/local.h"
#include "storage/local/pending_file.h"

namespace weir {
namespace {

class Walk {
 public:
  Walk(Io& io, std::string_view start_after, size_t most) : io_(io), start_after_(start_after), most_(most) {}

  /// Lists what is in `folder` (ends in "/") and begins with `name_prefix`. Stops once more than `most` are
  /// found.
  Status Visit(const std::string& folder, std::string_view name_prefix) {
    WEIR_DO(io_.cancellation.Check());
    WEIR_TRY(const std::vector<std::string> names, Names(folder, name_prefix));
    if (names.empty() && name_prefix.empty() && folder > start_after_) AddEmpty(folder);
    for (const std::string& name : names) {
      if (objects_.size() > most_) return {};
      const std::string path = folder + name;
      if (name.back() == '/') {
        // All paths below lie before or behind start_after_, unless it is one of them.
        const bool behind = path > start_after_ || std::string_view(start_after_).starts_with(path);
        if (behind) WEIR_DO(Visit(path, ""));
      } else if (path > start_after_) {
        WEIR_DO(Add(path));
      }
    }
    return {};
  }

  std::vector<ObjectInfo> TakeObjects() { return std::move(objects_); }

 private:
  /// Files, and folders with a "/" behind, in the order that their whole paths have.
  static Result<std::vector<std::string>> Names(const std::string& folder, std::string_view prefix) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(folder.c_str()), closedir);
    if (!stream) {
      if (errno == ENOENT || errno == ENOTDIR) return names;
      return LocalError(errno, "list", folder);
    }
    while (true) {
      errno = 0;
      const dirent* entry = readdir(stream.get());
      if (entry == nullptr) {
        if (errno != 0) return LocalError(errno, "list", folder);
        break;
      }
      std::string name = entry->d_name;
      if (name == "." || name == ".." || name.starts_with(kPendingPrefix)) continue;
      const bool is_folder = IsFolder(dirfd(stream.get()), *entry);
      if (is_folder) name += '/';
      if (name.starts_with(prefix)) names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
  }

  static bool IsFolder(int folder, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
    struct stat info;
    return fstatat(folder, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
  }

  Status Add(const std::string& path) {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) {
      if (errno == ENOENT || errno == ELOOP) return {};  // Gone meanwhile, or a link to nothing.
      return LocalError(errno, "list", path);
    }
    if (!S_ISREG(info.st_mode)) return {};
    objects_.push_back(InfoOf(path, info));
    return {};
  }

  /// A folder with temporary files, pipes or links to nothing in it is not empty, though they are not listed.
  void AddEmpty(const std::string& folder) {
    std::error_code error;
    if (std::filesystem::is_empty(folder, error) && !error) objects_.push_back({folder, 0, 0, {}});
  }

  Io& io_;
  const std::string start_after_;
  const size_t most_;
  std::vector<ObjectInfo> objects_;
};

}  // namespace

Result<ListPage> LocalStorage::List(Io& io, std::string_view prefix, const std::optional<std::string>& page) {
  if (prefix.empty() || prefix[0] != '/' || prefix.find('\0') != std::string_view::npos) {
    return Invalid("prefix \"{}\": expected an absolute path", prefix);
  }
  Walk walk(io, page.value_or(""), options_.list_page_size);
  const std::string_view folder = FolderOf(prefix);
  WEIR_DO(walk.Visit(std::string(folder), prefix.substr(folder.size())));
  ListPage out;
  out.objects = walk.TakeObjects();
  if (out.objects.size() > options_.list_page_size) {
    out.objects.resize(options_.list_page_size);
    out.next_page = out.objects.back().path;
  }
  return out;
}

}  // namespace weir

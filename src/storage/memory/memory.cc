#include "storage/memory/memory.h"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

constexpr std::string_view kScheme = "mem:";

Status CheckPath(std::string_view path) {
  if (path.size() <= kScheme.size() || !path.starts_with(kScheme)) {
    return Invalid("\"{}\" is not a memory path: it does not begin with \"mem:\" and a name", path);
  }
  return {};
}

class MemoryUpload final : public Upload {
 public:
  MemoryUpload(MemoryStorage& storage, std::string path, PutIf condition)
      : storage_(storage), path_(std::move(path)), condition_(std::move(condition)) {}

  Status Write(Io& io, Bytes bytes) override {
    WEIR_DO(io.cancellation.Check());
    if (ended_) return Internal("write to {} after its end", path_);
    content_.append(AsText(bytes));
    return {};
  }
  Result<ObjectTag> Finish(Io& io) override {
    if (ended_) return Internal("{} is finished twice", path_);
    ended_ = true;
    return storage_.Put(io, path_, AsBytes(content_), condition_);
  }
  Status Abort(Io&) override {
    ended_ = true;
    content_.clear();
    return {};
  }

 private:
  MemoryStorage& storage_;
  std::string path_;
  PutIf condition_;
  std::string content_;
  bool ended_ = false;
};

}  // namespace

Result<ListPage> MemoryStorage::List(Io& io, std::string_view prefix,
                                     const std::optional<std::string>& page) {
  WEIR_DO(io.cancellation.Check());
  if (!prefix.starts_with(kScheme)) return Invalid("prefix \"{}\" does not begin with \"mem:\"", prefix);
  ListPage out;
  std::lock_guard lock(mutex_);
  auto at = page && *page >= prefix ? objects_.upper_bound(*page) : objects_.lower_bound(prefix);
  for (; at != objects_.end() && at->first.starts_with(prefix); ++at) {
    if (out.objects.size() == options_.list_page_size) {
      out.next_page = out.objects.back().path;
      break;
    }
    out.objects.push_back(InfoOf(at->first, at->second));
  }
  return out;
}

Result<ObjectInfo> MemoryStorage::Head(Io& io, std::string_view path) {
  WEIR_DO(io.cancellation.Check());
  WEIR_DO(CheckPath(path));
  std::lock_guard lock(mutex_);
  const auto found = objects_.find(path);
  if (found == objects_.end()) return NotFound("{} does not exist", path);
  return InfoOf(found->first, found->second);
}

Status MemoryStorage::ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                                 std::span<const MutableBytes> buffers) {
  WEIR_DO(io.cancellation.Check());
  WEIR_DO(CheckPath(path));
  std::shared_ptr<const std::string> content;
  {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(path);
    if (found == objects_.end()) return NotFound("{} does not exist", path);
    content = found->second.content;
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    const ByteRange& range = ranges[i];
    if (range.offset_bytes > content->size() || range.size_bytes > content->size() - range.offset_bytes) {
      return Corrupt("{}: bytes {} to {} of an object of {}", path, range.offset_bytes, range.end_bytes(),
                     content->size());
    }
    if (range.size_bytes > 0)
      std::memcpy(buffers[i].data(), content->data() + range.offset_bytes, range.size_bytes);
  }
  return {};
}

Result<ObjectTag> MemoryStorage::Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) {
  WEIR_DO(io.cancellation.Check());
  WEIR_DO(CheckPath(path));
  if (path.ends_with('/') && !bytes.empty()) return Invalid("write {}: a folder holds no bytes", path);
  auto content = std::make_shared<const std::string>(AsText(bytes));
  std::lock_guard lock(mutex_);
  const auto found = objects_.find(path);
  const bool exists = found != objects_.end();
  if (condition.kind == PutIf::Kind::kAbsent && exists) return Exists("{} exists already", path);
  if (condition.kind == PutIf::Kind::kMatches &&
      (!exists || InfoOf(found->first, found->second).tag != condition.tag)) {
    return Exists("{} has changed", path);
  }
  Object object = {std::move(content), ++last_version_};
  const ObjectTag tag = InfoOf(std::string(path), object).tag;
  objects_.insert_or_assign(std::string(path), std::move(object));
  return tag;
}

Result<std::unique_ptr<Upload>> MemoryStorage::StartUpload(Io& io, std::string_view path,
                                                           const PutIf& condition) {
  WEIR_DO(io.cancellation.Check());
  WEIR_DO(CheckPath(path));
  return std::unique_ptr<Upload>(std::make_unique<MemoryUpload>(*this, std::string(path), condition));
}

Status MemoryStorage::Delete(Io& io, std::span<const std::string> paths) {
  WEIR_DO(io.cancellation.Check());
  std::lock_guard lock(mutex_);
  Status first_error;
  for (const std::string& path : paths) {
    Status valid = CheckPath(path);
    if (!valid && first_error) first_error = std::move(valid);
    objects_.erase(path);
  }
  return first_error;
}

ObjectInfo MemoryStorage::InfoOf(const std::string& path, const Object& object) {
  return {path, object.content->size(), object.version, ObjectTag{fmt::format("{}", object.version)}};
}

}  // namespace weir

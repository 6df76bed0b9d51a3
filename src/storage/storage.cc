#include "storage/storage.h"

namespace weir {
namespace {

constexpr std::string_view kOutcomeUnknown = "WRITE_OUTCOME_UNKNOWN";

/// More is not allocated on the word of a caller, whose sizes come from files.
constexpr uint64_t kTrustedBytes = 256_MiB;

}  // namespace

bool OutcomeUnknown(const Error& error) {
  return error.condition() != nullptr && error.condition()->name == kOutcomeUnknown;
}

Error UnknownOutcome(std::string message) {
  return Error(ErrorCode::kUnavailable, std::move(message))
      .WithCondition({std::string(kOutcomeUnknown), "", {}, {}, ""});
}

Result<std::vector<ObjectInfo>> Store::List(std::string_view prefix) const {
  std::vector<ObjectInfo> objects;
  std::optional<std::string> page;
  do {
    WEIR_DO(io_.cancellation.Check());
    WEIR_TRY(ListPage part, storage_->List(io_, prefix, page));
    objects.insert(objects.end(), std::make_move_iterator(part.objects.begin()),
                   std::make_move_iterator(part.objects.end()));
    page = std::move(part.next_page);
  } while (page);
  return objects;
}

Result<ObjectInfo> Store::Head(std::string_view path) const { return storage_->Head(io_, path); }

Result<bool> Store::Exists(std::string_view path) const {
  Result<ObjectInfo> found = storage_->Head(io_, path);
  if (found) return true;
  if (found.error().code() == ErrorCode::kNotFound) return false;
  return std::move(found).error();
}

Result<std::string> Store::Read(std::string_view path, const ByteRange& range) const {
  WEIR_TRY(std::vector<std::string> parts, ReadRanges(path, {&range, 1}));
  return std::move(parts[0]);
}

Result<std::string> Store::ReadAll(std::string_view path, std::optional<uint64_t> known_size_bytes) const {
  if (!known_size_bytes) {
    WEIR_TRY(const ObjectInfo info, Head(path));
    known_size_bytes = info.size_bytes;
  }
  return Read(path, {0, *known_size_bytes});
}

Result<std::vector<std::string>> Store::ReadRanges(std::string_view path,
                                                   std::span<const ByteRange> ranges) const {
  uint64_t total = 0;
  for (const ByteRange& range : ranges) {
    if (__builtin_add_overflow(total, range.size_bytes, &total))
      return Corrupt("{}: ranges beyond 64 bits", path);
  }
  if (total > kTrustedBytes) WEIR_DO(CheckEnds(path, ranges));
  std::vector<std::string> parts(ranges.size());
  std::vector<MutableBytes> buffers;
  for (size_t i = 0; i < ranges.size(); ++i) {
    parts[i].resize(ranges[i].size_bytes);
    buffers.emplace_back(reinterpret_cast<uint8_t*>(parts[i].data()), parts[i].size());
  }
  WEIR_DO(storage_->ReadRanges(io_, path, ranges, buffers));
  return parts;
}

Status Store::CheckEnds(std::string_view path, std::span<const ByteRange> ranges) const {
  WEIR_TRY(const ObjectInfo info, Head(path));
  for (const ByteRange& range : ranges) {
    if (range.offset_bytes > info.size_bytes || range.size_bytes > info.size_bytes - range.offset_bytes) {
      return Corrupt("read {}: bytes {} to {} of an object of {}", path, range.offset_bytes,
                     range.end_bytes(), info.size_bytes);
    }
  }
  return {};
}

Status Store::ReadInto(std::string_view path, const ByteRange& range, MutableBytes into) const {
  if (into.size() != range.size_bytes) {
    return Internal("{}: a buffer of {} bytes for a range of {}", path, into.size(), range.size_bytes);
  }
  return storage_->ReadRanges(io_, path, {&range, 1}, {&into, 1});
}

Result<ObjectTag> Store::Put(std::string_view path, Bytes bytes, const PutIf& condition) const {
  return storage_->Put(io_, path, bytes, condition);
}

Result<std::unique_ptr<Upload>> Store::StartUpload(std::string_view path, const PutIf& condition) const {
  return storage_->StartUpload(io_, path, condition);
}

Status Store::Delete(std::span<const std::string> paths) const {
  if (paths.empty()) return {};
  return storage_->Delete(io_, paths);
}

}  // namespace weir

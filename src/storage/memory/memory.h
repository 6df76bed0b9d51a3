#pragma once

/// A store in memory: for tests, examples and scratch tables. Thread rule: any thread.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "storage/storage.h"

namespace weir {

struct MemoryOptions {
  StoreTraits traits = {.name = "memory"};
  size_t list_page_size = 1000;
};

/// Paths begin with "mem:"; other paths are kInvalid. Times are the count of writes so far, in microseconds.
/// All conditions of PutIf are exact.
class MemoryStorage final : public Storage {
 public:
  explicit MemoryStorage(MemoryOptions options = {}) : options_(std::move(options)) {}

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override;
  Result<ObjectInfo> Head(Io& io, std::string_view path) override;
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override;
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override;
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path, const PutIf& condition) override;
  Status Delete(Io& io, std::span<const std::string> paths) override;
  const StoreTraits& traits() const override { return options_.traits; }

 private:
  struct Object {
    std::shared_ptr<const std::string> content;  ///< Immutable: a reader keeps its version.
    int64_t version = 0;
  };
  static ObjectInfo InfoOf(const std::string& path, const Object& object);

  const MemoryOptions options_;
  std::mutex mutex_;
  std::map<std::string, Object, std::less<>> objects_;
  int64_t last_version_ = 0;
};

}  // namespace weir

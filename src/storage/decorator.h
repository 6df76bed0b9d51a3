#pragma once

/// A store that passes every call to another: the base of decorators, which override what they change.
/// Thread rule: any thread.

#include <memory>
#include <utility>

#include "storage/storage.h"

namespace weir {

class Decorator : public Storage {
 public:
  explicit Decorator(std::shared_ptr<Storage> inner) : inner_(std::move(inner)) {}

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override {
    return inner_->List(io, prefix, page);
  }
  Result<ObjectInfo> Head(Io& io, std::string_view path) override { return inner_->Head(io, path); }
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    return inner_->ReadRanges(io, path, ranges, buffers);
  }
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    return inner_->Put(io, path, bytes, condition);
  }
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path,
                                              const PutIf& condition) override {
    return inner_->StartUpload(io, path, condition);
  }
  Status Delete(Io& io, std::span<const std::string> paths) override { return inner_->Delete(io, paths); }
  const StoreTraits& traits() const override { return inner_->traits(); }

 protected:
  Storage& inner() { return *inner_; }

 private:
  std::shared_ptr<Storage> inner_;
};

}  // namespace weir

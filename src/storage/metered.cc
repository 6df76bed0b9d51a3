#include "storage/metered.h"

#include "storage/decorator.h"

namespace weir {
namespace {

class MeteredUpload final : public Upload {
 public:
  explicit MeteredUpload(std::unique_ptr<Upload> inner) : inner_(std::move(inner)) {}

  Status Write(Io& io, Bytes bytes) override {
    io.account.Charge({.requests = 1});
    WEIR_DO(inner_->Write(io, bytes));
    io.account.Charge({.bytes_written = bytes.size()});
    return {};
  }
  Result<ObjectTag> Finish(Io& io) override {
    io.account.Charge({.requests = 1});
    return inner_->Finish(io);
  }
  Status Abort(Io& io) override {
    io.account.Charge({.requests = 1});
    return inner_->Abort(io);
  }

 private:
  std::unique_ptr<Upload> inner_;
};

class MeteredStorage final : public Decorator {
 public:
  using Decorator::Decorator;

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override {
    io.account.Charge({.requests = 1});
    return inner().List(io, prefix, page);
  }
  Result<ObjectInfo> Head(Io& io, std::string_view path) override {
    io.account.Charge({.requests = 1});
    return inner().Head(io, path);
  }
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    io.account.Charge({.requests = ranges.size()});
    WEIR_DO(inner().ReadRanges(io, path, ranges, buffers));
    uint64_t read_bytes = 0;
    for (const ByteRange& range : ranges) read_bytes += range.size_bytes;
    io.account.Charge({.bytes_read = read_bytes});
    return {};
  }
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    io.account.Charge({.requests = 1});
    WEIR_TRY(ObjectTag tag, inner().Put(io, path, bytes, condition));
    io.account.Charge({.bytes_written = bytes.size()});
    return tag;
  }
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path,
                                              const PutIf& condition) override {
    io.account.Charge({.requests = 1});
    WEIR_TRY(std::unique_ptr<Upload> upload, inner().StartUpload(io, path, condition));
    return std::unique_ptr<Upload>(std::make_unique<MeteredUpload>(std::move(upload)));
  }
  Status Delete(Io& io, std::span<const std::string> paths) override {
    io.account.Charge({.requests = paths.size()});
    return inner().Delete(io, paths);
  }
};

}  // namespace

std::shared_ptr<Storage> Metered(std::shared_ptr<Storage> inner) {
  return std::make_shared<MeteredStorage>(std::move(inner));
}

}  // namespace weir

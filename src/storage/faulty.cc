#include "storage/faulty.h"

#include <utility>

namespace weir {
namespace {

bool Writes(StoreCall call) { return call >= StoreCall::kPut; }

}  // namespace

FaultRule FailNth(uint64_t number, Fault fault) {
  return [=](const FaultyCall& call) { return call.number == number ? fault : Fault::kNone; };
}

FaultyStorage::FaultyStorage(std::shared_ptr<Storage> inner, FaultRule rule, Clock* clock, int64_t slow_us)
    : inner_(std::move(inner)), rule_(std::move(rule)), clock_(clock), slow_us_(slow_us) {}

template <typename Call>
auto FaultyStorage::Make(StoreCall kind, std::string_view path, Call call) -> decltype(call()) {
  const uint64_t number = ++call_count_;
  switch (rule_({number, kind, std::string(path)})) {
    case Fault::kNone:
      return call();
    case Fault::kRefused:
      return Unavailable("call {} on {}: refused by a fault", number, path);
    case Fault::kDenied:
      return Denied("call {} on {}: denied by a fault", number, path);
    case Fault::kDiskFull:
      if (!Writes(kind) || kind == StoreCall::kDelete || kind == StoreCall::kAbort) return call();
      return Unavailable("call {} on {}: the disk is full, by a fault", number, path);
    case Fault::kSlow:
      if (clock_ != nullptr) clock_->SleepMicros(slow_us_);
      return call();
    case Fault::kReplyLost:
      break;
  }
  auto lost = call();
  // A call that failed by itself said so: there was nothing to lose.
  if (!lost) return lost;
  if (!Writes(kind)) return Unavailable("call {} on {}: the reply is lost, by a fault", number, path);
  return UnknownOutcome(fmt::format("call {} on {}: the reply is lost, by a fault", number, path));
}

class FaultyUpload final : public Upload {
 public:
  FaultyUpload(FaultyStorage& storage, std::string path, std::unique_ptr<Upload> inner)
      : storage_(storage), path_(std::move(path)), inner_(std::move(inner)) {}

  Status Write(Io& io, Bytes bytes) override {
    return storage_.Make(StoreCall::kWrite, path_, [&] { return inner_->Write(io, bytes); });
  }
  Result<ObjectTag> Finish(Io& io) override {
    return storage_.Make(StoreCall::kFinish, path_, [&] { return inner_->Finish(io); });
  }
  Status Abort(Io& io) override {
    return storage_.Make(StoreCall::kAbort, path_, [&] { return inner_->Abort(io); });
  }

 private:
  FaultyStorage& storage_;
  std::string path_;
  std::unique_ptr<Upload> inner_;
};

Result<ListPage> FaultyStorage::List(Io& io, std::string_view prefix,
                                     const std::optional<std::string>& page) {
  return Make(StoreCall::kList, prefix, [&] { return inner_->List(io, prefix, page); });
}

Result<ObjectInfo> FaultyStorage::Head(Io& io, std::string_view path) {
  return Make(StoreCall::kHead, path, [&] { return inner_->Head(io, path); });
}

Status FaultyStorage::ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                                 std::span<const MutableBytes> buffers) {
  return Make(StoreCall::kRead, path, [&] { return inner_->ReadRanges(io, path, ranges, buffers); });
}

Result<ObjectTag> FaultyStorage::Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) {
  return Make(StoreCall::kPut, path, [&] { return inner_->Put(io, path, bytes, condition); });
}

Result<std::unique_ptr<Upload>> FaultyStorage::StartUpload(Io& io, std::string_view path,
                                                           const PutIf& condition) {
  using Started = Result<std::unique_ptr<Upload>>;
  return Make(StoreCall::kStartUpload, path, [&]() -> Started {
    WEIR_TRY(std::unique_ptr<Upload> upload, inner_->StartUpload(io, path, condition));
    return std::unique_ptr<Upload>(
        std::make_unique<FaultyUpload>(*this, std::string(path), std::move(upload)));
  });
}

Status FaultyStorage::Delete(Io& io, std::span<const std::string> paths) {
  return Make(StoreCall::kDelete, paths.empty() ? std::string_view() : paths[0],
              [&] { return inner_->Delete(io, paths); });
}

}  // namespace weir

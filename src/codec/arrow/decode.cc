#include <memory>

#include "base/bytes.h"
#include "codec/arrow/budget.h"
#include "codec/arrow/flat_table.h"
#include "codec/arrow/format.h"
#include "codec/arrow/stream.h"
#include "codec/arrow/values_check.h"
#include "codec/arrow/wire_batch.h"
#include "codec/arrow/wire_schema.h"
#include "type/arrow.h"

namespace weir::arrow_ipc {
namespace {

struct Message {
  HeaderKind kind = HeaderKind::kNone;
  FlatTable header;
  Bytes body;
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view stream) : left_(AsBytes(stream)), stream_(left_) {}

  size_t position() const { return stream_.size() - left_.size(); }

  /// Nothing at the end of the stream.
  Result<std::optional<Message>> Next() {
    if (left_.empty()) return std::optional<Message>();
    WEIR_TRY(auto size_bytes, NextNumber());
    if (size_bytes == kContinuation) {
      WEIR_TRY(size_bytes, NextNumber());
    }
    if (size_bytes == 0) return std::optional<Message>();
    WEIR_TRY(const Bytes metadata, Take(size_bytes));
    WEIR_TRY(const FlatTable message, FlatTable::Root(metadata));
    WEIR_TRY(const auto version, message.Number<int16_t>(message::kVersion));
    if (version != kVersion4 && version != kVersion5) return Unsupported("Arrow metadata V{}", version + 1);
    WEIR_TRY(const auto kind, message.Number<HeaderKind>(message::kHeaderKind));
    WEIR_TRY(const auto header, message.Table(message::kHeader));
    if (!header) return Corrupt("a message without a header (Message.fbs, Message)");
    WEIR_TRY(const auto body_bytes, message.Number<int64_t>(message::kBodyLength));
    WEIR_TRY(const Bytes body, Take(static_cast<uint64_t>(body_bytes)));
    return std::optional<Message>({kind, *header, body});
  }

 private:
  Result<uint32_t> NextNumber() {
    WEIR_TRY(const Bytes bytes, Take(sizeof(uint32_t)));
    return LoadLittleEndian<uint32_t>(bytes.data());
  }

  Result<Bytes> Take(uint64_t size_bytes) {
    if (size_bytes > left_.size())
      return Corrupt("{} bytes of a message, {} are left", size_bytes, left_.size());
    const Bytes taken = left_.first(size_bytes);
    left_ = left_.subspan(size_bytes);
    return taken;
  }

  Bytes left_;
  Bytes stream_;
};

class StreamDecoder {
 public:
  explicit StreamDecoder(size_t max_bytes) : budget_(max_bytes) {}

  Status Add(const Message& message) {
    switch (message.kind) {
      case HeaderKind::kSchema:
        if (root_) return Corrupt("a second schema");
        return AddSchema(message.header);
      case HeaderKind::kRecordBatch:
        if (!root_) return Corrupt("rows before the schema");
        return AddBatch(message);
      case HeaderKind::kDictionaryBatch:
        return Unsupported("an Arrow dictionary");
      default:
        return Unsupported("an Arrow message of kind {}", static_cast<int>(message.kind));
    }
  }

  Result<DecodedStream> Finish() && {
    if (!root_) return Corrupt("no schema");
    return std::move(decoded_);
  }

 private:
  Status AddSchema(const FlatTable& table) {
    WEIR_TRY(root_, ReadSchema(table, budget_));
    WEIR_TRY(const Type type, TypeFromArrow(root_->schema));
    decoded_.fields = type.fields();
    return {};
  }

  Status AddBatch(const Message& message) {
    WEIR_TRY(Batch batch, ReadBatch(message.header, message.body, *root_, budget_));
    for (size_t i = 0; i < decoded_.fields.size(); ++i)
      WEIR_DO(CheckValues(decoded_.fields[i], *batch.columns[i]));
    decoded_.batches.push_back(std::move(batch));
    return {};
  }

  Budget budget_;
  std::unique_ptr<const WireColumn> root_;
  DecodedStream decoded_;
};

}  // namespace

Result<DecodedStream> DecodeStream(std::string_view bytes, size_t max_decoded_bytes) {
  MessageReader reader(bytes);
  StreamDecoder decoder(max_decoded_bytes);
  while (true) {
    const auto context = [at = reader.position()] { return fmt::format("Arrow stream, message at {}", at); };
    WEIR_TRY_CONTEXT(const std::optional<Message> message, context(), reader.Next());
    if (!message) break;
    WEIR_DO_CONTEXT(context(), decoder.Add(*message));
  }
  return std::move(decoder).Finish();
}

}  // namespace weir::arrow_ipc

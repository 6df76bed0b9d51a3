#include <flatbuffers/flatbuffers.h>

#include <bit>
#include <deque>
#include <limits>
#include <map>

#include "base/bytes.h"
#include "codec/arrow/format.h"
#include "codec/arrow/stream.h"
#include "type/arrow.h"
#include "type/scalar_text.h"

namespace weir::arrow_ipc {
namespace {

using flatbuffers::FieldIndexToOffset;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

/// Lengths of metadata and buffers are multiples of it.
constexpr size_t kAlignmentBytes = 8;
constexpr int64_t kNanosPerMicro = 1000;

struct AnyTable {};
using TableOffset = Offset<AnyTable>;

size_t PaddingBytes(size_t size_bytes) { return -size_bytes % kAlignmentBytes; }

/// Builds one table: members of other tables are made before.
class TableBuilder {
 public:
  explicit TableBuilder(FlatBufferBuilder& buffer) : buffer_(buffer), start_(buffer.StartTable()) {}
  template <typename T>
  TableBuilder& Number(uint16_t member, T value) {
    buffer_.AddElement<T>(FieldIndexToOffset(member), value);
    return *this;
  }
  template <typename T>
  TableBuilder& Refer(uint16_t member, Offset<T> to) {
    buffer_.AddOffset(FieldIndexToOffset(member), to);
    return *this;
  }
  TableOffset End() { return TableOffset(buffer_.EndTable(start_)); }

 private:
  FlatBufferBuilder& buffer_;
  flatbuffers::uoffset_t start_;
};

template <typename T>
uint8_t Code(T kind) {
  return static_cast<uint8_t>(kind);
}

/// The names of a struct's members, numbered where they are not alone with theirs.
std::vector<std::string> DistinctNames(const std::vector<Field>& members) {
  std::map<std::string_view, int> uses, used;
  for (const Field& member : members) ++uses[member.name];
  std::vector<std::string> names;
  for (const Field& member : members) {
    names.push_back(uses[member.name] == 1 ? member.name
                                           : fmt::format("{}_{}", member.name, used[member.name]++));
  }
  return names;
}

class SchemaBuilder {
 public:
  SchemaBuilder(FlatBufferBuilder& buffer, std::string_view time_zone)
      : buffer_(buffer), time_zone_(time_zone) {}

  TableOffset Schema(std::span<const Field> fields) {
    std::vector<TableOffset> columns;
    for (const Field& field : fields) columns.push_back(Column(field.name, field.type, !field.required));
    const auto list = buffer_.CreateVector(columns);
    return TableBuilder(buffer_).Refer(schema::kFields, list).End();
  }

 private:
  struct WiredType {
    WireType kind;
    TableOffset table;
  };

  TableOffset Column(std::string_view name, const Type& type, bool nullable) {
    return Column(name, Wire(type), nullable, Children(type));
  }

  TableOffset Column(std::string_view name, WiredType type, bool nullable,
                     const std::vector<TableOffset>& children) {
    const auto text = buffer_.CreateString(name.data(), name.size());
    const auto list = buffer_.CreateVector(children);
    return TableBuilder(buffer_)
        .Refer(field::kName, text)
        .Number<uint8_t>(field::kNullable, nullable ? 1 : 0)
        .Number<uint8_t>(field::kTypeKind, Code(type.kind))
        .Refer(field::kType, type.table)
        .Refer(field::kChildren, list)
        .End();
  }

  std::vector<TableOffset> Children(const Type& type) {
    std::vector<TableOffset> children;
    const std::vector<std::string> names = DistinctNames(type.fields());
    for (size_t i = 0; i < names.size(); ++i) {
      const Field& member = type.fields()[i];
      children.push_back(Column(names[i], member.type, !member.required));
    }
    if (type.kind() != TypeKind::kMap) return children;
    return {Column("entries", Plain(WireType::kStruct), false, children)};
  }

  WiredType Plain(WireType kind) { return {kind, TableBuilder(buffer_).End()}; }
  template <typename T>
  WiredType WithUnit(WireType kind, T unit) {
    return {kind, TableBuilder(buffer_).Number<int16_t>(0, static_cast<int16_t>(unit)).End()};
  }
  WiredType Integer(int32_t bits) {
    return {WireType::kInt, TableBuilder(buffer_).Number<int32_t>(0, bits).Number<uint8_t>(1, 1).End()};
  }

  WiredType Wire(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kVoid:
        return Plain(WireType::kNull);
      case TypeKind::kBoolean:
        return Plain(WireType::kBool);
      case TypeKind::kByte:
        return Integer(8);
      case TypeKind::kShort:
        return Integer(16);
      case TypeKind::kInt:
        return Integer(32);
      case TypeKind::kLong:
        return Integer(64);
      case TypeKind::kFloat:
        return WithUnit(WireType::kFloatingPoint, FloatPrecision::kSingle);
      case TypeKind::kDouble:
        return WithUnit(WireType::kFloatingPoint, FloatPrecision::kDouble);
      case TypeKind::kDecimal:
        return {WireType::kDecimal, TableBuilder(buffer_)
                                        .Number<int32_t>(0, type.precision())
                                        .Number<int32_t>(1, type.scale())
                                        .Number<int32_t>(2, 128)
                                        .End()};
      case TypeKind::kDate:
        return WithUnit(WireType::kDate, DateUnit::kDay);
      case TypeKind::kTime:
        return {WireType::kTime, TableBuilder(buffer_)
                                     .Number<int16_t>(0, static_cast<int16_t>(TimeUnit::kNanosecond))
                                     .Number<int32_t>(1, 64)
                                     .End()};
      case TypeKind::kTimestamp: {
        const auto zone = buffer_.CreateString(time_zone_.data(), time_zone_.size());
        return {WireType::kTimestamp, TableBuilder(buffer_)
                                          .Number<int16_t>(0, static_cast<int16_t>(TimeUnit::kMicrosecond))
                                          .Refer(1, zone)
                                          .End()};
      }
      case TypeKind::kTimestampNtz:
        return WithUnit(WireType::kTimestamp, TimeUnit::kMicrosecond);
      case TypeKind::kString:
      case TypeKind::kUuid:
        return Plain(WireType::kUtf8);
      case TypeKind::kBinary:
      case TypeKind::kFixed:
        return Plain(WireType::kBinary);
      case TypeKind::kIntervalYearMonth:
        return WithUnit(WireType::kInterval, IntervalUnit::kYearMonth);
      case TypeKind::kIntervalDayTime:
        return WithUnit(WireType::kDuration, TimeUnit::kMicrosecond);
      case TypeKind::kArray:
        return Plain(WireType::kList);
      case TypeKind::kMap:
        return {WireType::kMap, TableBuilder(buffer_).Number<uint8_t>(0, 0).End()};
      case TypeKind::kStruct:
        return Plain(WireType::kStruct);
    }
    return Plain(WireType::kNull);
  }

  FlatBufferBuilder& buffer_;
  std::string_view time_zone_;
};

/// Puts the table that a message is about into a message, and that with its frame behind the stream.
void AppendMetadata(FlatBufferBuilder& buffer, HeaderKind kind, TableOffset header, int64_t body_bytes,
                    std::string& stream) {
  buffer.Finish(TableBuilder(buffer)
                    .Number<int16_t>(message::kVersion, kVersion5)
                    .Number<uint8_t>(message::kHeaderKind, Code(kind))
                    .Refer(message::kHeader, header)
                    .Number<int64_t>(message::kBodyLength, body_bytes)
                    .End());
  const size_t size = buffer.GetSize();
  AppendLittleEndian(stream, kContinuation);
  AppendLittleEndian(stream, static_cast<uint32_t>(size + PaddingBytes(size)));
  stream.append(reinterpret_cast<const char*>(buffer.GetBufferPointer()), size);
  stream.append(PaddingBytes(size), '\0');
}

/// The nodes and buffers of a batch, in the order of the schema. Buffers are borrowed from the arrays, or
/// made here where Spark's layout is another than ours.
class BodyBuilder {
 public:
  Status Add(const ArrowArray& array, const Type& type) {
    const int64_t rows = array.length;
    switch (type.kind()) {
      case TypeKind::kVoid:
        nodes_.push_back({rows, rows});
        return {};
      case TypeKind::kString:
      case TypeKind::kBinary:
        AddValidity(array);
        AddOffsets(array);
        AddBuffer(array.buffers[2], static_cast<const int32_t*>(array.buffers[1])[rows]);
        return {};
      case TypeKind::kUuid:
        return AddTexts(array, type.kind(), sizeof("00000000-0000-0000-0000-000000000000") - 1);
      case TypeKind::kFixed:
        return AddTexts(array, type.kind(), type.length_bytes());
      case TypeKind::kArray:
        AddValidity(array);
        AddOffsets(array);
        return Add(*array.children[0], type.fields()[0].type);
      case TypeKind::kMap:
        AddValidity(array);
        AddOffsets(array);
        return AddMembers(*array.children[0], type);
      case TypeKind::kStruct:
        return AddMembers(array, type);
      default:
        AddValidity(array);
        AddValues(array, type);
        return {};
    }
  }

  /// Appends the message. Cost: one copy of the buffers.
  void AppendMessage(int64_t row_count, std::string& stream) const {
    std::vector<BufferPlace> places;
    size_t body_bytes = 0;
    for (const Bytes& bytes : buffers_) {
      places.push_back({static_cast<int64_t>(body_bytes), static_cast<int64_t>(bytes.size())});
      body_bytes += bytes.size() + PaddingBytes(bytes.size());
    }
    FlatBufferBuilder buffer;
    const auto nodes = buffer.CreateVectorOfStructs(nodes_);
    const auto buffers = buffer.CreateVectorOfStructs(places);
    const TableOffset header = TableBuilder(buffer)
                                   .Number<int64_t>(record_batch::kLength, row_count)
                                   .Refer(record_batch::kNodes, nodes)
                                   .Refer(record_batch::kBuffers, buffers)
                                   .End();
    const size_t framing_bytes = 256 + buffer.GetSize();
    stream.reserve(stream.size() + framing_bytes + body_bytes);
    AppendMetadata(buffer, HeaderKind::kRecordBatch, header, static_cast<int64_t>(body_bytes), stream);
    for (const Bytes& bytes : buffers_) {
      stream.append(AsText(bytes));
      stream.append(PaddingBytes(bytes.size()), '\0');
    }
  }

 private:
  void AddBuffer(const void* data, int64_t size_bytes) {
    buffers_.push_back({static_cast<const uint8_t*>(data), static_cast<size_t>(size_bytes)});
  }

  void AddOffsets(const ArrowArray& array) {
    AddBuffer(array.buffers[1], (array.length + 1) * static_cast<int64_t>(sizeof(int32_t)));
  }

  /// Adds the node and its bitmap, which is left out where there are no NULLs.
  void AddValidity(const ArrowArray& array) {
    const auto* bits = static_cast<const uint8_t*>(array.buffers[0]);
    const int64_t nulls = bits == nullptr ? 0 : array.length - CountBits(bits, array.length);
    nodes_.push_back({array.length, nulls});
    AddBuffer(bits, nulls == 0 ? 0 : (array.length + 7) / 8);
  }

  static int64_t CountBits(const uint8_t* bits, int64_t length) {
    int64_t count = 0, at = 0;
    for (; at + 64 <= length; at += 64) count += std::popcount(LoadLittleEndian<uint64_t>(bits + at / 8));
    for (; at < length; ++at) count += bits[at >> 3] >> (at & 7) & 1;
    return count;
  }

  void AddValues(const ArrowArray& array, const Type& type) {
    if (type.kind() == TypeKind::kBoolean) return AddBuffer(array.buffers[1], (array.length + 7) / 8);
    if (type.kind() != TypeKind::kTime) {
      return AddBuffer(array.buffers[1], array.length * FixedWidthBytes(type));
    }
    std::string& nanos = made_.emplace_back();
    nanos.reserve(array.length * sizeof(uint64_t));
    const auto* micros = static_cast<const uint8_t*>(array.buffers[1]);
    for (int64_t i = 0; i < array.length; ++i) {
      AppendLittleEndian(nanos, LoadLittleEndian<uint64_t>(micros + i * sizeof(uint64_t)) * kNanosPerMicro);
    }
    AddBuffer(nanos.data(), static_cast<int64_t>(nanos.size()));
  }

  /// Values of one width as text or binary of `size_bytes` each.
  Status AddTexts(const ArrowArray& array, TypeKind kind, int64_t size_bytes) {
    if (size_bytes > 0 && array.length > std::numeric_limits<int32_t>::max() / size_bytes) {
      return Invalid("{} values of {} bytes in one Arrow batch, the limit is 2147483647 bytes", array.length,
                     size_bytes);
    }
    AddValidity(array);
    std::string& offsets = made_.emplace_back();
    for (int64_t i = 0; i <= array.length; ++i)
      AppendLittleEndian(offsets, static_cast<int32_t>(i * size_bytes));
    AddBuffer(offsets.data(), static_cast<int64_t>(offsets.size()));
    const auto* values = static_cast<const char*>(array.buffers[1]);
    if (kind == TypeKind::kUuid) {
      constexpr int64_t kUuidBytes = 16;
      std::string& texts = made_.emplace_back();
      for (int64_t i = 0; i < array.length; ++i) texts += UuidText({values + i * kUuidBytes, kUuidBytes});
      values = texts.data();
    }
    AddBuffer(values, array.length * size_bytes);
    return {};
  }

  /// A struct, or the entries of a map.
  Status AddMembers(const ArrowArray& array, const Type& type) {
    AddValidity(array);
    for (size_t i = 0; i < type.fields().size(); ++i) {
      WEIR_DO(Add(*array.children[i], type.fields()[i].type));
    }
    return {};
  }

  std::vector<FieldNode> nodes_;
  std::vector<Bytes> buffers_;
  std::deque<std::string> made_;
};

}  // namespace

StreamEncoder::StreamEncoder(std::span<const Field> fields, const StreamOptions& options)
    : fields_(fields.begin(), fields.end()) {
  FlatBufferBuilder buffer;
  const TableOffset header = SchemaBuilder(buffer, options.time_zone).Schema(fields);
  AppendMetadata(buffer, HeaderKind::kSchema, header, 0, schema_message_);
}

Result<std::string> StreamEncoder::Encode(std::span<const Batch> batches) const {
  std::string stream = schema_message_;
  for (const Batch& batch : batches) WEIR_DO(AppendBatch(batch, stream));
  AppendLittleEndian(stream, kContinuation);
  AppendLittleEndian(stream, uint32_t{0});
  return stream;
}

Status StreamEncoder::AppendBatch(const Batch& batch, std::string& stream) const {
  if (batch.column_count() != fields_.size()) {
    return Invalid("a batch of {} columns in an Arrow stream of {}", batch.column_count(), fields_.size());
  }
  for (size_t i = 0; i < fields_.size(); ++i) {
    const Type& type = batch.columns[i]->type;
    if (!SameShape(type, fields_[i].type)) {
      return Invalid("column '{}' of an Arrow stream is {}, a batch has {}", fields_[i].name,
                     fields_[i].type.ToString(), type.ToString());
    }
  }
  WEIR_TRY(const OwnedArrowArray exported, ExportBatch(batch));
  BodyBuilder body;
  for (size_t i = 0; i < fields_.size(); ++i) WEIR_DO(body.Add(*exported->children[i], fields_[i].type));
  body.AppendMessage(batch.row_count, stream);
  return {};
}

}  // namespace weir::arrow_ipc

#pragma once

/// Streaming reader and writer of the Thrift compact protocol: fields go straight into structs, no tree is
/// built. Thread rule: one thread. Spec: Apache Thrift, "Thrift Compact protocol encoding".

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace weir::parquet {

/// A type as the compact protocol spells it on the wire.
enum class WireType : uint8_t {
  kStop = 0,
  kTrue = 1,  ///< A boolean field carries its value in its type.
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
  kUuid = 13,
};

/// Reads one value after another. The first error sticks: from then on every read gives zero or nothing, so
/// that parsers check `status()` once at the end. Memory: proportional to the input, whatever its length
/// fields say.
class ThriftReader {
 public:
  struct Field {
    int32_t id = 0;
    WireType type = WireType::kStop;
  };

  /// `bytes` must outlive the reader. `file_offset` is where they lie in their file; errors name places in
  /// the file.
  ThriftReader(Bytes bytes, uint64_t file_offset) : bytes_(bytes), file_offset_(file_offset) {}

  /// Calls `on_field(Field)` for each field of the struct that starts here; it must read or Skip the value.
  template <std::invocable<Field> F>
  void ReadStruct(F&& on_field) {
    if (!Enter()) return;
    Field field;
    while (NextField(field)) on_field(field);
    Leave();
  }
  /// As above for a field that must be a struct (or union).
  template <std::invocable<Field> F>
  void ReadStruct(Field field, F&& on_field) {
    if (Expect(field, WireType::kStruct)) ReadStruct(std::forward<F>(on_field));
  }
  /// Calls `on_element(Field)` once per element of a list field; `Field::id` is the index.
  template <std::invocable<Field> F>
  void ReadList(Field field, F&& on_element) {
    if (!Enter()) return;
    Field element;
    const uint64_t count = ListHeader(field, element);
    for (uint64_t i = 0; i < count && ok(); ++i) {
      element.id = static_cast<int32_t>(i);
      on_element(element);
    }
    Leave();
  }

  bool Bool(Field field);
  int32_t I32(Field field);  ///< Accepts byte, i16, i32; fails if the value does not fit.
  int64_t I64(Field field);  ///< Accepts any integer.
  /// A view into the input.
  std::string_view Binary(Field field);
  std::string String(Field field) { return std::string(Binary(field)); }
  void Skip(Field field);
  /// A boolean inside a list is a byte of its own.
  bool ListBool();

  bool ok() const { return !error_.has_value(); }
  /// Bytes read so far.
  uint64_t position() const { return position_; }
  /// Records kCorrupt: "at file offset N: expected .., found ..". Keeps the first.
  void Fail(std::string_view expected, std::string_view found);
  Status status() const;

 private:
  bool Enter();
  void Leave() { --depth_; }
  bool NextField(Field& field);
  uint64_t ListHeader(Field field, Field& element);
  bool Expect(Field field, WireType type);
  uint8_t Byte();
  uint64_t Varint();
  int64_t ZigZag();
  void SkipElement(WireType type);

  Bytes bytes_;
  uint64_t file_offset_;
  uint64_t position_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;
};

/// Writes structs field by field, ids ascending. The caller closes what it opens.
class ThriftWriter {
 public:
  void BeginStruct();  ///< The outermost struct, or a struct inside a list.
  void EndStruct();
  void BeginStructField(int32_t id);  ///< Closed by EndStruct.
  void Bool(int32_t id, bool value);
  void I8(int32_t id, int8_t value);
  void I32(int32_t id, int32_t value);
  void I64(int32_t id, int64_t value);
  void Binary(int32_t id, std::string_view value);
  /// `count` elements follow: BeginStruct/EndStruct, or the Element calls.
  void BeginList(int32_t id, WireType element, size_t count);
  void ElementI32(int32_t value);
  void ElementBinary(std::string_view value);

  std::string Take() { return std::move(out_); }

 private:
  void FieldHeader(int32_t id, WireType type);
  void Varint(uint64_t value);
  void ZigZag(int64_t value);

  std::string out_;
  std::vector<int32_t> last_ids_;  ///< Of each open struct; field headers store the difference.
};

}  // namespace weir::parquet

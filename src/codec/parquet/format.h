#pragma once

/// The metadata of a Parquet file as plain structs. Offsets are bytes from the start of the file.
/// Thread rule: immutable values. Spec: Apache Parquet, parquet.thrift.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "type/ids.h"

namespace weir::parquet {

enum class PhysicalType : uint8_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kInt96 = 3,
  kFloat = 4,
  kDouble = 5,
  kByteArray = 6,
  kFixedLenByteArray = 7,
};

enum class Repetition : uint8_t { kRequired = 0, kOptional = 1, kRepeated = 2, kVector = 3 };

/// What the values of a column mean. One form for both of the specification's: LogicalType where the file has
/// it, else the older ConvertedType.
struct LogicalType {
  enum class Kind : uint8_t {
    kNone,
    kString,
    kEnum,
    kJson,
    kBson,
    kDecimal,
    kDate,
    kTime,
    kTimestamp,
    kInteger,
    kUuid,
    kFloat16,
    kInterval,
    kMap,
    kList,
    kNull,
    kOther,  ///< Variant, geometry, or newer than this code: values have no known order.
  };
  enum class Unit : uint8_t { kMillis, kMicros, kNanos };

  Kind kind = Kind::kNone;
  Unit unit = Unit::kMicros;     ///< kTime, kTimestamp.
  bool adjusted_to_utc = false;  ///< kTime, kTimestamp.
  bool is_signed = true;         ///< kInteger.
  int32_t bit_width = 0;         ///< kInteger: 8, 16, 32, 64.
  int32_t precision = 0;         ///< kDecimal.
  int32_t scale = 0;             ///< kDecimal.

  bool operator==(const LogicalType&) const = default;
};

/// One node of the schema tree; nodes are listed depth first.
struct SchemaElement {
  std::string name;
  std::optional<PhysicalType> physical;  ///< Absent for groups.
  int32_t type_length = 0;               ///< kFixedLenByteArray.
  Repetition repetition = Repetition::kRequired;
  int32_t child_count = 0;
  std::optional<FieldId> field_id;
  LogicalType logical;
  size_t parent = 0;  ///< Index in Footer::schema; the root is its own parent. Derived, not stored in files.
};

/// The numbers of the specification; a file may hold others.
enum class Encoding : int32_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinaryPacked = 5,
  kRleDictionary = 8,
};
enum class Codec : int32_t {
  kUncompressed = 0,
  kSnappy = 1,
  kGzip = 2,
  kLzo = 3,
  kBrotli = 4,
  kLz4 = 5,
  kZstd = 6,
  kLz4Raw = 7,
};
enum class PageType : int32_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3 };

/// Bounds as the file stores them, in plain encoding without length prefix. See bounds.h for their meaning.
struct Statistics {
  std::optional<std::string> min_value;
  std::optional<std::string> max_value;
  std::optional<std::string> deprecated_min;  ///< Ordered by signed comparison, whatever the type.
  std::optional<std::string> deprecated_max;
  std::optional<int64_t> null_count;  ///< Never negative.
  std::optional<int64_t> nan_count;   ///< Never negative.
  bool min_is_exact = false;          ///< The file says that the bound is a value of the data.
  bool max_is_exact = false;
};

/// How many pages of a type use an encoding.
struct EncodingCount {
  PageType page_type = PageType::kData;
  Encoding encoding = Encoding::kPlain;
  int32_t count = 0;
};

/// One column of one row group.
struct ColumnChunk {
  PhysicalType physical = PhysicalType::kBoolean;
  Codec codec = Codec::kUncompressed;
  std::vector<Encoding> encodings;
  std::vector<EncodingCount> encoding_counts;
  int64_t value_count = 0;  ///< NULLs included.
  int64_t uncompressed_size_bytes = 0;
  int64_t compressed_size_bytes = 0;  ///< All pages with their headers.
  int64_t data_page_offset = 0;
  std::optional<int64_t> dictionary_page_offset;  ///< Some writers leave it out, or write 0 for none.
  Statistics statistics;
  std::optional<ByteRange> offset_index;
  std::optional<ByteRange> column_index;
  bool is_encrypted = false;
  bool is_external = false;  ///< The data is said to be in another file.

  /// The first byte of the chunk's pages, its dictionary included.
  uint64_t start_bytes() const;
};

struct RowGroup {
  std::vector<ColumnChunk> columns;  ///< One per leaf of the schema, in schema order.
  int64_t row_count = 0;
  int64_t total_size_bytes = 0;  ///< Uncompressed.
  std::optional<int64_t> compressed_size_bytes;

  /// Compressed bytes of all columns.
  uint64_t size_bytes() const;
};

/// How a column's min_value and max_value are ordered.
enum class ColumnOrder : uint8_t {
  kUndefined,  ///< Absent from the file, or a kind that this code does not know: bounds mean nothing.
  kTypeDefined,
  kIeee754,
};

struct KeyValue {
  std::string key;
  std::optional<std::string> value;
};

/// A column that holds values: a leaf of the schema tree.
struct Leaf {
  size_t element = 0;                ///< Index in Footer::schema.
  int32_t max_definition_level = 0;  ///< 0: no NULLs are possible.
  int32_t max_repetition_level = 0;  ///< 0: one value or NULL per row.
};

/// Everything a footer says that Weir uses.
struct Footer {
  int32_t version = 1;
  std::vector<SchemaElement> schema;  ///< schema[0] is the root.
  std::vector<Leaf> leaves;           ///< In schema order, so leaf i is column i of every row group.
  int64_t row_count = 0;
  std::vector<RowGroup> row_groups;
  std::vector<KeyValue> key_values;
  std::string created_by;
  std::vector<ColumnOrder> column_orders;  ///< One per leaf.
  bool has_encrypted_columns = false;      ///< The footer is plain text, columns may be encrypted.

  const SchemaElement& element(const Leaf& leaf) const { return schema[leaf.element]; }
  bool is_top_level(const Leaf& leaf) const { return element(leaf).parent == 0; }
  /// Names from below the root down to the leaf.
  std::vector<std::string> PathOf(const Leaf& leaf) const;
  /// True if any element carries a field id.
  bool has_field_ids() const;
};

/// Where a data page lies and which rows it holds.
struct PageLocation {
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;  ///< With its header.
  int64_t first_row = 0;    ///< Within the row group.
};

/// Data pages of a chunk, by increasing offset and first row; the first row of the first page is 0.
struct OffsetIndex {
  std::vector<PageLocation> pages;
};

/// Bounds of each data page of a chunk; all vectors have one entry per page.
struct ColumnIndex {
  std::vector<uint8_t> null_pages;  ///< 1: the page holds only NULLs, and its bounds are empty.
  std::vector<std::string> min_values;
  std::vector<std::string> max_values;
  std::vector<int64_t> null_counts;  ///< Empty if not known.
};

struct PageHeader {
  PageType type = PageType::kData;
  int64_t header_size_bytes = 0;
  int64_t uncompressed_size_bytes = 0;  ///< Without header.
  int64_t compressed_size_bytes = 0;    ///< Without header.
  int64_t value_count = 0;              ///< NULLs included; 0 for index pages.
  std::optional<int64_t> row_count;     ///< kDataV2 only.
  Encoding encoding = Encoding::kPlain;
};

}  // namespace weir::parquet

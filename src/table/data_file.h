#pragma once

/// Nouns shared by all table formats: files, deletes, partitions. Thread rule: immutable once published.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/bounds.h"
#include "type/ids.h"
#include "type/scalar.h"
#include "type/transform.h"

namespace weir::table {

enum class FileFormat : uint8_t { kParquet, kAvro, kOrc };
std::string_view ToString(FileFormat format);  ///< "parquet", "avro", "orc".

/// One field of a partition spec.
struct PartitionField {
  FieldId source_id;  ///< Column that the transform reads.
  FieldId field_id;   ///< Of the partition value; unique over all specs of a table.
  std::string name;
  Transform transform;
  bool operator==(const PartitionField&) const = default;
};

/// How rows map to partitions. No fields: unpartitioned.
struct PartitionSpec {
  int32_t spec_id = 0;
  std::vector<PartitionField> fields;
  bool operator==(const PartitionSpec&) const = default;
};

/// True if no field separates rows: no fields, or void ones only.
bool IsUnpartitioned(const PartitionSpec& spec);

/// The type of `_partition`: every partition field of every spec, by id, under its newest name; not those
/// whose column `find` does not know. NULL where a file's spec lacks a field.
Type PartitionType(std::span<const PartitionSpec> specs, const std::function<const Field*(FieldId)>& find);

struct SortField {
  FieldId source_id;
  Transform transform;
  bool ascending = true;
  bool nulls_first = true;
  bool operator==(const SortField&) const = default;
};
struct SortOrder {
  int32_t order_id = 0;  ///< 0 is unsorted.
  std::vector<SortField> fields;
  bool operator==(const SortOrder&) const = default;
};

/// Partition values of one spec, by position of its fields. Tuples of different specs never compare equal.
struct PartitionTuple {
  int32_t spec_id = 0;
  std::vector<Scalar> values;
  bool operator==(const PartitionTuple&) const = default;
};
struct PartitionTupleHash {
  size_t operator()(const PartitionTuple& tuple) const;
};

/// Equality of partitions, which is finer than that of values: 0.0 and -0.0 are two, NaN is one. Goes with
/// PartitionTupleHash. Spec: none; as Iceberg's Java library tells the partitions of files apart.
struct SamePartition {
  bool operator()(const PartitionTuple& a, const PartitionTuple& b) const;
};

/// Whatever a format must remember about its own files. Only the format that made it looks inside.
struct FormatDetail {
  virtual ~FormatDetail() = default;
};

/// A live file of rows.
struct DataFile {
  std::string path;  ///< As the table's metadata spells it; position deletes compare it byte by byte.
  FileFormat format = FileFormat::kParquet;
  uint64_t size_bytes = 0;
  uint64_t row_count = 0;
  Bounds bounds;  ///< Keyed by ColumnOf(field id); sound, possibly wide.
  PartitionTuple partition;
  std::optional<int32_t> sort_order_id;
  std::vector<int64_t> split_offsets;
  std::shared_ptr<const FormatDetail> detail;
};
using DataFilePtr = std::shared_ptr<const DataFile>;

/// A live file that deletes rows of data files.
struct DeleteFile {
  enum class Kind : uint8_t {
    kPosition,  ///< Rows (file path, position).
    kEquality,  ///< Rows whose `equality_fields` equal a row of this file, NULL equal to NULL.
  };
  Kind kind = Kind::kPosition;
  std::string path;
  FileFormat format = FileFormat::kParquet;
  uint64_t size_bytes = 0;
  uint64_t row_count = 0;
  Bounds bounds;
  PartitionTuple partition;
  std::vector<FieldId> equality_fields;             ///< kEquality only.
  std::optional<std::string> referenced_data_file;  ///< kPosition: set when all rows name one file.
  std::shared_ptr<const FormatDetail> detail;
};
using DeleteFilePtr = std::shared_ptr<const DeleteFile>;

/// One file to read, with everything that applies to it.
struct ScanTask {
  DataFilePtr file;
  std::vector<DeleteFilePtr> deletes;  ///< Those whose sequence, partition and bounds allow them to apply.
};

}  // namespace weir::table

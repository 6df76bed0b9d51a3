#pragma once

/// Files of a table as rows of the metadata tables "files", "entries" and "partitions". Private to the
/// metadata tables. Thread rule: immutable once built.

#include <string>
#include <vector>

#include "table/iceberg/manifest.h"
#include "table/iceberg/partitioning.h"

namespace weir::iceberg {

/// Gives fields of a metadata table ids of their own, in order.
class FieldList {
 public:
  void Add(std::string name, Type type, bool required) {
    fields_.push_back({FieldId{++last_id_}, std::move(name), std::move(type), required, ""});
  }
  Field Part(std::string name, Type type, bool required) {
    return {FieldId{++last_id_}, std::move(name), std::move(type), required, ""};
  }
  Type MapOf(Type key, Type value) {
    return Type::Map(Part("key", std::move(key), true), Part("value", std::move(value), true));
  }
  Type ArrayOf(Type element) { return Type::Array(Part("element", std::move(element), true)); }
  const std::vector<Field>& fields() const { return fields_; }

 private:
  int32_t last_id_ = 0;
  std::vector<Field> fields_;
};

/// Describes files of any partition spec in one shape.
class FileRows {
 public:
  explicit FileRows(const TableMetadata& metadata);

  /// Partition values of all specs, by field id; no fields: the table was never partitioned.
  const Type& partition_type() const { return partition_type_; }
  const Type& metrics_type() const { return metrics_type_; }

  /// Columns "content" to "content_size_in_bytes".
  void AddFileFields(FieldList& list) const;
  std::vector<Scalar> FileValues(const ContentFile& file) const;
  Scalar PartitionValue(const PartitionTuple& partition) const;
  Scalar ReadableMetrics(const ContentFile& file) const;

 private:
  const TableMetadata& metadata_;
  Type partition_type_;
  std::vector<Field> leaves_;  ///< Columns with metrics, named by path, sorted by name.
  Type metrics_type_ = Type::Struct({});
};

}  // namespace weir::iceberg

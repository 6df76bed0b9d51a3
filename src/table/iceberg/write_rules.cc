#include "table/iceberg/write_rules.h"

#include "base/ascii.h"

namespace weir::iceberg {

namespace {

std::string DataLocation(const TableMetadata& metadata) {
  std::string location = TextProperty(metadata.properties, "write.data.path", metadata.location + "/data");
  while (location.size() > 1 && location.ends_with('/')) location.pop_back();
  return location;
}

Result<table::RowDeleteForm> DeleteForm(const Properties& properties, std::string_view name) {
  const std::string mode = AsciiLower(TextProperty(properties, name, "copy-on-write"));
  if (mode == "merge-on-read") return table::RowDeleteForm::kPositionFile;
  if (mode == "copy-on-write") return table::RowDeleteForm::kRewrite;
  return Invalid("table property {}: expected copy-on-write or merge-on-read, found '{}'", name, mode);
}

Result<table::Isolation> IsolationOf(const Properties& properties, std::string_view name) {
  const std::string level = AsciiLower(TextProperty(properties, name, "serializable"));
  if (level == "serializable") return table::Isolation::kSerializable;
  if (level == "snapshot") return table::Isolation::kSnapshot;
  return Invalid("table property {}: expected serializable or snapshot, found '{}'", name, level);
}

Result<table::FileFormat> FormatOf(const Properties& properties) {
  const std::string format = AsciiLower(TextProperty(properties, "write.format.default", "parquet"));
  if (format == "parquet") return table::FileFormat::kParquet;
  if (format == "avro") return table::FileFormat::kAvro;
  if (format == "orc") return table::FileFormat::kOrc;
  return Invalid("table property write.format.default: unknown format '{}'", format);
}

Result<uint64_t> SizeProperty(const Properties& properties, std::string_view name, uint64_t otherwise) {
  WEIR_TRY(const int64_t value, IntegerProperty(properties, name, static_cast<int64_t>(otherwise)));
  if (value <= 0) return Invalid("table property {}: expected more than 0, found {}", name, value);
  return static_cast<uint64_t>(value);
}

Result<bool> OneDeleteFilePerDataFile(const Properties& properties) {
  constexpr std::string_view kName = "write.delete.granularity";
  const std::string granularity = AsciiLower(TextProperty(properties, kName, "file"));
  if (granularity == "file") return true;
  if (granularity == "partition") return false;
  return Invalid("table property {}: expected file or partition, found '{}'", kName, granularity);
}

Result<int> CompressionLevel(const Properties& properties) {
  constexpr std::string_view kName = "write.parquet.compression-level";
  WEIR_TRY(const int64_t level, IntegerProperty(properties, kName, 0));
  if (level >= INT32_MIN && level <= INT32_MAX) return static_cast<int>(level);
  return Invalid("table property {}: expected a number of 32 bits, found {}", kName, level);
}

Result<table::WriteLayout> LayoutOf(const TableMetadata& metadata) {
  const Properties& properties = metadata.properties;
  table::WriteLayout layout;
  layout.data_location = DataLocation(metadata);
  WEIR_TRY(layout.format, FormatOf(properties));
  // Tables that never chose a codec were written when Parquet's own default was gzip.
  layout.compression = TextProperty(properties, "write.parquet.compression-codec", "gzip");
  if (properties.contains("write.parquet.compression-level")) {
    WEIR_TRY(layout.compression_level, CompressionLevel(properties));
  }
  WEIR_TRY(layout.target_file_size_bytes,
           SizeProperty(properties, "write.target-file-size-bytes", layout.target_file_size_bytes));
  WEIR_TRY(
      layout.target_delete_file_size_bytes,
      SizeProperty(properties, "write.delete.target-file-size-bytes", layout.target_delete_file_size_bytes));
  if (properties.contains("write.parquet.row-group-size-bytes")) {
    WEIR_TRY(layout.row_group_size_bytes, SizeProperty(properties, "write.parquet.row-group-size-bytes", 1));
  }
  WEIR_TRY(layout.one_delete_file_per_data_file, OneDeleteFilePerDataFile(properties));
  return layout;
}

}  // namespace

Status CheckWriteProperties(const TableMetadata& metadata) {
  WEIR_TRY([[maybe_unused]] const table::WriteLayout layout, LayoutOf(metadata));
  WEIR_TRY([[maybe_unused]] const table::WriteRules rules, WriteRulesOf(metadata.properties));
  WEIR_TRY([[maybe_unused]] const auto object_storage, ObjectStorageLayoutOf(metadata.properties));
  return {};
}

Result<table::WriteRules> WriteRulesOf(const Properties& properties) {
  table::WriteRules rules;
  WEIR_TRY(rules.delete_form, DeleteForm(properties, "write.delete.mode"));
  WEIR_TRY(rules.update_form, DeleteForm(properties, "write.update.mode"));
  WEIR_TRY(rules.merge_form, DeleteForm(properties, "write.merge.mode"));
  WEIR_TRY(rules.delete_isolation, IsolationOf(properties, "write.delete.isolation-level"));
  WEIR_TRY(rules.update_isolation, IsolationOf(properties, "write.update.isolation-level"));
  WEIR_TRY(rules.merge_isolation, IsolationOf(properties, "write.merge.isolation-level"));
  return rules;
}

Result<ObjectStorageLayout> ObjectStorageLayoutOf(const Properties& properties) {
  ObjectStorageLayout layout;
  WEIR_TRY(layout.enabled, BooleanProperty(properties, "write.object-storage.enabled", layout.enabled));
  WEIR_TRY(layout.partitioned_paths,
           BooleanProperty(properties, "write.object-storage.partitioned-paths", layout.partitioned_paths));
  return layout;
}

table::WriteLayout LayoutOrDefault(const TableMetadata& metadata) {
  auto layout = LayoutOf(metadata);
  if (layout) return *std::move(layout);
  table::WriteLayout otherwise;
  otherwise.data_location = DataLocation(metadata);
  return otherwise;
}

}  // namespace weir::iceberg

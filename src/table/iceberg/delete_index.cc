#include "table/iceberg/delete_index.h"

#include "table/deletes.h"

namespace weir::iceberg {

namespace {

using table::DataFile;
using table::DeleteFile;

/// The one data file that all positions name, if bounds or the entry say so.
std::optional<std::string> OnlyDataFile(const DeleteFile& file) {
  if (file.referenced_data_file) return file.referenced_data_file;
  const ColumnBounds* path = file.bounds.Find(ColumnOf(table::kDeletePathField));
  if (path == nullptr || !path->lower || !path->upper || !(*path->lower == *path->upper)) return std::nullopt;
  return path->lower->text();
}

bool PathMayBeWithin(const DeleteFile& deletes, const std::string& path) {
  const ColumnBounds* bounds = deletes.bounds.Find(ColumnOf(table::kDeletePathField));
  if (bounds == nullptr) return true;
  if (bounds->lower && path < bounds->lower->text()) return false;
  // A bound that was cut short says nothing of paths that begin with it.
  return !bounds->upper || path <= bounds->upper->text() || path.starts_with(bounds->upper->text());
}

bool MayHaveNull(const ColumnBounds* column) {
  return column == nullptr || !column->null_count || *column->null_count > 0;
}
bool IsAllNull(const ColumnBounds* column, const Bounds& bounds) {
  if (column == nullptr || !column->null_count) return false;
  const auto count = column->value_count ? column->value_count : bounds.row_count;
  return count && *column->null_count == *count;
}

bool SameKind(const Scalar& a, const Scalar& b) {
  return a.type().kind() == b.type().kind() && a.type().scale() == b.type().scale();
}

/// False only if no value of one column can equal a value of the other; NULL equals NULL, NaN equals NaN.
bool MayShareValue(FieldId field, const Bounds& data, const Bounds& deletes) {
  const ColumnBounds* a = data.Find(ColumnOf(field));
  const ColumnBounds* b = deletes.Find(ColumnOf(field));
  if (MayHaveNull(a) && MayHaveNull(b)) return true;
  if (IsAllNull(a, data) || IsAllNull(b, deletes)) return false;
  if (a == nullptr || b == nullptr) return true;
  const Scalar* example = a->lower ? &*a->lower : a->upper ? &*a->upper : nullptr;
  if (example == nullptr) return true;
  if (example->type().is_floating() && a->may_have_nan && b->may_have_nan) return true;
  const auto lies_below = [](const std::optional<Scalar>& upper, const std::optional<Scalar>& lower) {
    return upper && lower && SameKind(*upper, *lower) && Compare(*upper, *lower) < 0;
  };
  return !lies_below(a->upper, b->lower) && !lies_below(b->upper, a->lower);
}

bool EqualityMayApply(const DataFile& data, const DeleteFile& deletes) {
  for (const FieldId field : deletes.equality_fields) {
    if (!MayShareValue(field, data.bounds, deletes.bounds)) return false;
  }
  return true;
}

std::shared_ptr<FileOrigin> MakeOrigin(const ManifestEntry& entry, const std::string& manifest_path) {
  auto origin = std::make_shared<FileOrigin>();
  origin->manifest_path = manifest_path;
  origin->snapshot_id = entry.snapshot_id.value_or(SnapshotId{});
  origin->sequence_number = entry.sequence_number.value_or(SequenceNumber{});
  origin->file_sequence_number = entry.file_sequence_number.value_or(origin->sequence_number);
  return origin;
}

}  // namespace

const FileOrigin& OriginOf(const std::shared_ptr<const table::FormatDetail>& detail) {
  return static_cast<const FileOrigin&>(*detail);
}

table::DataFilePtr ToDataFile(const ManifestEntry& entry, const std::string& manifest_path, Bounds bounds) {
  auto file = std::make_shared<DataFile>();
  file->detail = MakeOrigin(entry, manifest_path);
  file->path = entry.file.path;
  file->format = entry.file.format;
  file->size_bytes = static_cast<uint64_t>(entry.file.size_bytes);
  file->row_count = static_cast<uint64_t>(entry.file.row_count);
  file->bounds = std::move(bounds);
  file->partition = entry.file.partition;
  file->sort_order_id = entry.file.sort_order_id;
  if (entry.file.split_offsets) file->split_offsets = *entry.file.split_offsets;
  return file;
}

table::DeleteFilePtr ToDeleteFile(const ManifestEntry& entry, const std::string& manifest_path,
                                  Bounds bounds) {
  auto file = std::make_shared<DeleteFile>();
  file->detail = MakeOrigin(entry, manifest_path);
  file->kind = entry.file.kind == ContentFile::Kind::kEqualityDeletes ? DeleteFile::Kind::kEquality
                                                                      : DeleteFile::Kind::kPosition;
  file->path = entry.file.path;
  file->format = entry.file.format;
  file->size_bytes = static_cast<uint64_t>(entry.file.size_bytes);
  file->row_count = static_cast<uint64_t>(entry.file.row_count);
  file->bounds = std::move(bounds);
  file->partition = entry.file.partition;
  if (entry.file.equality_ids) file->equality_fields = *entry.file.equality_ids;
  file->referenced_data_file = entry.file.referenced_data_file;
  return file;
}

void DeleteIndex::Add(table::DeleteFilePtr file, bool global) {
  empty_ = false;
  if (file->kind == DeleteFile::Kind::kEquality) {
    (global ? global_equality_ : equality_[file->partition]).push_back(std::move(file));
    return;
  }
  if (const auto only = OnlyDataFile(*file)) {
    positions_by_path_[*only].push_back(std::move(file));
  } else {
    positions_[file->partition].push_back(std::move(file));
  }
}

std::vector<table::DeleteFilePtr> DeleteIndex::Find(const DataFile& file) const {
  std::vector<table::DeleteFilePtr> found;
  if (empty_) return found;
  const SequenceNumber sequence = OriginOf(file.detail).sequence_number;
  const auto add_positions = [&](const Files& files) {
    for (const auto& deletes : files) {
      if (OriginOf(deletes->detail).sequence_number < sequence) continue;
      if (PathMayBeWithin(*deletes, file.path)) found.push_back(deletes);
    }
  };
  const auto add_equality = [&](const Files& files) {
    for (const auto& deletes : files) {
      if (OriginOf(deletes->detail).sequence_number <= sequence) continue;
      if (EqualityMayApply(file, *deletes)) found.push_back(deletes);
    }
  };
  if (const auto it = positions_by_path_.find(file.path); it != positions_by_path_.end())
    add_positions(it->second);
  if (const auto it = positions_.find(file.partition); it != positions_.end()) add_positions(it->second);
  if (const auto it = equality_.find(file.partition); it != equality_.end()) add_equality(it->second);
  add_equality(global_equality_);
  return found;
}

}  // namespace weir::iceberg

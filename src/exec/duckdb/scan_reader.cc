#include "exec/duckdb/scan_reader.h"

#include <charconv>

#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "duckdb/planner/filter/constant_filter.hpp"
#include "duckdb/planner/filter/optional_filter.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/file_columns.h"
#include "exec/duckdb/file_filters.h"
#include "exec/duckdb/readable.h"
#include "exec/duckdb/remap.h"
#include "exec/duckdb/row_filter.h"
#include "exec/duckdb/types.h"
#include "type/scalar_text.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::MultiFileColumnDefinition;
using duckdb::Value;

/// Field ids of metadata columns; no table or file uses them.
constexpr int32_t kConstantColumnId = -2;
LogicalType DuckTypeOf(const Type& type) { return ValueOrThrow(ToDuckType(type)); }

MultiFileColumnDefinition DefinitionOf(const std::string& name, const LogicalType& type, Value identifier) {
  MultiFileColumnDefinition definition(name, type);
  definition.identifier = std::move(identifier);
  definition.default_expression = duckdb::make_uniq<duckdb::ConstantExpression>(Value(type));
  return definition;
}

void AddChildren(MultiFileColumnDefinition& definition, const Type& type) {
  size_t member = 0;
  for (const Field& field : type.fields()) {
    std::string name = field.name;
    if (type.kind() == TypeKind::kStruct) name = duckdb::StructType::GetChildName(definition.type, member++);
    MultiFileColumnDefinition child =
        DefinitionOf(name, DuckTypeOf(field.type), Value::INTEGER(field.id.value));
    AddChildren(child, field.type);
    definition.children.push_back(std::move(child));
  }
}

MultiFileColumnDefinition DefinitionOf(const ScanOutput& output) {
  const LogicalType type = DuckTypeOf(output.type);
  if (const Field* field = std::get_if<Field>(&output.source)) {
    MultiFileColumnDefinition definition = DefinitionOf(output.name, type, Value::INTEGER(field->id.value));
    AddChildren(definition, field->type);
    return definition;
  }
  if (const std::string* name = std::get_if<std::string>(&output.source)) {
    return DefinitionOf(output.name, type, Value(*name));
  }
  const bool position = std::get<plan::MetadataColumn>(output.source) == plan::MetadataColumn::kPos;
  const int32_t id = position ? duckdb::MultiFileReader::ORDINAL_FIELD_ID : kConstantColumnId;
  return DefinitionOf(output.name, type, Value::INTEGER(id));
}

/// A partition value as `_partition` has it: a uuid is text there.
Scalar ShownValue(const Scalar& value, const Type& type) {
  if (value.type().kind() == TypeKind::kUuid) return Scalar::String(UuidText(value.text()));
  return Scalar(type, value.payload());
}

/// The value of `_partition`: a struct over the partition fields of all specs, NULL where the file's spec has
/// no such field.
Value PartitionValue(const ScanSource& source, const table::DataFile& file, const Type& type) {
  const table::PartitionSpec* spec = source.snapshot->FindSpec(file.partition.spec_id);
  std::vector<Scalar> members;
  for (const Field& field : type.fields()) {
    Scalar value = Scalar::Null(field.type);
    for (size_t i = 0; spec && i < spec->fields.size() && i < file.partition.values.size(); ++i) {
      const Scalar& found = file.partition.values[i];
      if (spec->fields[i].field_id == field.id && !found.is_null()) value = ShownValue(found, field.type);
    }
    members.push_back(std::move(value));
  }
  return ValueOrThrow(ToDuckValue(Scalar(type, std::move(members))));
}

Value MetadataValue(const ScanSource& source, const ScanFile& file, plan::MetadataColumn column,
                    const Type& type) {
  const table::DataFile& data = *(*source.tasks)[file.task].file;
  switch (column) {
    case plan::MetadataColumn::kFile:
      return Value(data.path);
    case plan::MetadataColumn::kSpecId:
      return Value::INTEGER(data.partition.spec_id);
    case plan::MetadataColumn::kPartition:
      return PartitionValue(source, data, type);
    case plan::MetadataColumn::kTask:
      return Value::INTEGER(file.task);
    case plan::MetadataColumn::kPos:
      break;
  }
  return Value();
}

/// The file's identity partition value of a column that the file does not hold. Spec: Iceberg, "Column
/// Projection".
std::optional<Value> IdentityValue(const ScanSource& source, const ScanFile& file, const Field& field,
                                   const LogicalType& type) {
  if (file.task < 0 || !source.snapshot) return std::nullopt;
  const table::DataFile& data = *(*source.tasks)[file.task].file;
  const table::PartitionSpec* spec = source.snapshot->FindSpec(data.partition.spec_id);
  for (size_t i = 0; spec && i < spec->fields.size() && i < data.partition.values.size(); ++i) {
    const table::PartitionField& part = spec->fields[i];
    if (part.source_id != field.id || part.transform.kind != Transform::Kind::kIdentity) continue;
    if (data.partition.values[i].is_null()) return Value(type);
    Result<Scalar> widened = WidenTo(data.partition.values[i], field.type);
    Value value = ValueOrThrow(ToDuckValue(widened ? *widened : data.partition.values[i]));
    return value.DefaultCastAs(type);
  }
  return std::nullopt;
}

/// Adds the reader's row number as its last column and returns its place there.
duckdb::idx_t AddRowNumber(duckdb::BaseFileReader& reader) {
  MultiFileColumnDefinition column("file_row_number", LogicalType::BIGINT);
  column.identifier = Value::INTEGER(duckdb::MultiFileReader::ORDINAL_FIELD_ID);
  reader.columns.push_back(std::move(column));
  reader.AddVirtualColumn(duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILE_ROW_NUMBER);
  return reader.columns.size() - 1;
}

/// A filter on row numbers that lets the reader skip row groups without a selected row; single rows it does
/// not test.
duckdb::unique_ptr<duckdb::TableFilter> RowGroupFilter(const std::vector<int64_t>& selected) {
  // Rows this near to each other count as one range: a row group holds more.
  constexpr int64_t kGapRows = 4096;
  auto any = duckdb::make_uniq<duckdb::ConjunctionOrFilter>();
  for (size_t i = 0; i < selected.size();) {
    size_t last = i;
    while (last + 1 < selected.size() && selected[last + 1] - selected[last] <= kGapRows) ++last;
    auto range = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
    range->child_filters.push_back(duckdb::make_uniq<duckdb::ConstantFilter>(
        duckdb::ExpressionType::COMPARE_GREATERTHANOREQUALTO, Value::BIGINT(selected[i])));
    range->child_filters.push_back(duckdb::make_uniq<duckdb::ConstantFilter>(
        duckdb::ExpressionType::COMPARE_LESSTHANOREQUALTO, Value::BIGINT(selected[last])));
    any->child_filters.push_back(std::move(range));
    i = last + 1;
  }
  return duckdb::make_uniq<duckdb::OptionalFilter>(std::move(any));
}

void SkipRowGroups(duckdb::BaseFileReader& reader, const std::vector<int64_t>& selected) {
  duckdb::idx_t row_number = reader.columns.size();
  for (duckdb::idx_t i = 0; i < reader.columns.size(); ++i) {
    const Value& identifier = reader.columns[i].identifier;
    if (identifier == Value::INTEGER(duckdb::MultiFileReader::ORDINAL_FIELD_ID)) row_number = i;
  }
  if (row_number == reader.columns.size()) row_number = AddRowNumber(reader);
  duckdb::idx_t local = reader.column_ids.size();
  for (duckdb::idx_t i = 0; i < reader.column_ids.size(); ++i) {
    if (reader.column_ids[duckdb::MultiFileLocalIndex(i)].GetId() == row_number) local = i;
  }
  if (local == reader.column_ids.size()) {
    reader.column_ids.push_back(duckdb::MultiFileLocalColumnId(row_number));
    reader.column_indexes.emplace_back(row_number);
  }
  if (!reader.filters) reader.filters = duckdb::make_uniq<duckdb::TableFilterSet>();
  // A filter that the query itself put on the row number already skips what it can.
  reader.filters->filters.emplace(local, RowGroupFilter(selected));
}

void SetRowFilter(duckdb::BaseFileReader& reader, const ScanSource& source, const ScanFile& file) {
  if (file.synthesized) {
    std::vector<std::shared_ptr<const table::RowDeletes>> deletes;
    for (int32_t task : file.tasks_of_synthesized) deletes.push_back(ValueOrThrow(LoadDeletes(source, task)));
    reader.deletion_filter =
        MakeSynthesizedRowFilter(file.synthesized, std::move(deletes), source.selection != nullptr);
    return;
  }
  if (file.task < 0) return;
  const std::vector<int64_t>* selected = source.selection ? &source.selection->positions[file.task] : nullptr;
  reader.deletion_filter = MakeRowFilter(
      ValueOrThrow(LoadDeletes(source, file.task)),
      selected ? std::span<const int64_t>(*selected) : std::span<const int64_t>(), selected != nullptr);
}

/// Errors: kCorrupt naming file and column.
Status CheckColumns(const duckdb::BaseFileReader& reader, const ScanSource& source,
                    const duckdb::vector<duckdb::ColumnIndex>& global_column_ids) {
  for (const duckdb::ColumnIndex& index : global_column_ids) {
    const duckdb::column_t column = index.GetPrimaryIndex();
    if (column >= source.outputs.size()) continue;
    const Field* field = std::get_if<Field>(&source.outputs[column].source);
    if (!field) continue;
    const FileColumn* held = FindColumn(reader.columns, field->id.value);
    if (held) WEIR_DO_CONTEXT(reader.file.path, CheckReadable(*held, *field));
  }
  return {};
}

/// A column that is read as the file has it and mapped afterwards.
struct RemappedColumn {
  duckdb::idx_t place;  ///< Among the columns that the scan gives.
  const MultiFileColumnDefinition* held;
  const MultiFileColumnDefinition* wanted;
};

std::vector<RemappedColumn> RemappedColumns(const duckdb::BaseFileReader& reader, const ScanSource& source,
                                            const duckdb::vector<MultiFileColumnDefinition>& global_columns,
                                            const duckdb::vector<duckdb::ColumnIndex>& global_column_ids) {
  std::vector<RemappedColumn> remapped;
  for (duckdb::idx_t place = 0; place < global_column_ids.size(); ++place) {
    const duckdb::column_t column = global_column_ids[place].GetPrimaryIndex();
    if (column >= source.outputs.size()) continue;
    const Field* field = std::get_if<Field>(&source.outputs[column].source);
    if (!field) continue;
    const FileColumn* held = FindColumn(reader.columns, field->id.value);
    if (held && NeedsRemap(*held, *field)) remapped.push_back({place, held, &global_columns[column]});
  }
  return remapped;
}

struct WantedColumns {
  FileColumns columns;
  duckdb::vector<duckdb::ColumnIndex> ids;
};

/// The columns of the table as the file has them where they are remapped, so that DuckDB maps nothing inside.
WantedColumns AsHeld(const std::vector<RemappedColumn>& remapped, WantedColumns wanted) {
  for (const RemappedColumn& column : remapped) {
    const duckdb::column_t id = wanted.ids[column.place].GetPrimaryIndex();
    wanted.columns[id] = AsTableColumn(*column.held);
    wanted.columns[id].name = column.wanted->name;
    wanted.ids[column.place] = duckdb::ColumnIndex(id);  // All members: the file counts them otherwise.
  }
  return wanted;
}

/// Filters look at what the table has.
void Refilter(const duckdb::TableFilterSet& filters, const RemappedColumn& column,
              duckdb::TableFilterSet& usable) {
  usable.filters.erase(column.place);
  const auto filter = filters.filters.find(column.place);
  if (filter == filters.filters.end()) return;
  const auto mapped = RemapExpression(
      duckdb::make_uniq<duckdb::BoundReferenceExpression>(column.held->type, duckdb::storage_t(0)),
      *column.held, *column.wanted);
  if (auto over = FilterOver(*filter->second, *mapped)) usable.filters.emplace(column.place, std::move(over));
}

}  // namespace

duckdb::shared_ptr<duckdb::MultiFileList> ScanReader::CreateFileList(duckdb::ClientContext&,
                                                                     const duckdb::vector<std::string>& paths,
                                                                     const duckdb::FileGlobInput&) {
  uint64_t number = 0;
  std::from_chars(paths[0].data(), paths[0].data() + paths[0].size(), number);
  source_ = scans_->Find(number);
  if (!source_) Throw(Internal("scan {} is not registered", paths[0]));
  std::vector<size_t> files(source_->files.size());
  for (size_t i = 0; i < files.size(); ++i) files[i] = i;
  return duckdb::make_shared_ptr<ScanFileList>(source_, std::move(files));
}

bool ScanReader::Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList&,
                      duckdb::vector<LogicalType>& types, duckdb::vector<std::string>& names,
                      duckdb::MultiFileReaderBindData& bind_data) {
  options.auto_detect_hive_partitioning = false;
  options.hive_partitioning = false;
  if (source_->describe) return false;
  bool by_name = false;
  for (const ScanOutput& output : source_->outputs) {
    MultiFileColumnDefinition definition = DefinitionOf(output);
    types.push_back(definition.type);
    names.push_back(definition.name);
    by_name |= std::holds_alternative<std::string>(output.source);
    bind_data.schema.push_back(std::move(definition));
  }
  bind_data.mapping =
      by_name ? duckdb::MultiFileColumnMappingMode::BY_NAME : duckdb::MultiFileColumnMappingMode::BY_FIELD_ID;
  return true;
}

void ScanReader::FinalizeBind(duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileOptions&,
                              const duckdb::MultiFileReaderBindData&,
                              const duckdb::vector<MultiFileColumnDefinition>& global_columns,
                              const duckdb::vector<duckdb::ColumnIndex>& global_column_ids,
                              duckdb::ClientContext&,
                              duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> global_state) {
  (void)global_state;
  const ScanFile& file = source_->files[FileIndexOf(reader_data.reader->file)];
  for (duckdb::idx_t i = 0; i < global_column_ids.size(); ++i) {
    const duckdb::column_t column = global_column_ids[i].GetPrimaryIndex();
    if (column >= source_->outputs.size()) continue;
    const ScanOutput& output = source_->outputs[column];
    const duckdb::MultiFileGlobalIndex global(i);
    if (const auto* metadata = std::get_if<plan::MetadataColumn>(&output.source)) {
      if (*metadata == plan::MetadataColumn::kPos) continue;
      reader_data.constant_map.Add(global, MetadataValue(*source_, file, *metadata, output.type));
    } else if (const Field* field = std::get_if<Field>(&output.source)) {
      if (FindColumn(reader_data.reader->columns, field->id.value)) continue;
      if (auto value = IdentityValue(*source_, file, *field, global_columns[column].type)) {
        reader_data.constant_map.Add(global, *std::move(value));
      }
    }
  }
}

duckdb::ReaderInitializeType ScanReader::InitializeReader(
    duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
    const duckdb::vector<MultiFileColumnDefinition>& global_columns,
    const duckdb::vector<duckdb::ColumnIndex>& global_column_ids,
    duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
    duckdb::MultiFileGlobalState& state) {
  duckdb::BaseFileReader& reader = *reader_data.reader;
  const ScanFile& file = source_->files[FileIndexOf(reader.file)];
  CheckOrThrow(source_->cancellation.Check());
  if (bind_data.reader_bind.mapping == duckdb::MultiFileColumnMappingMode::BY_FIELD_ID) {
    AssignIds(reader.columns, source_->name_mapping);
    CheckOrThrow(CheckColumns(reader, *source_, global_column_ids));
  }
  for (const duckdb::ColumnIndex& index : global_column_ids) {
    const duckdb::column_t column = index.GetPrimaryIndex();
    if (column >= source_->outputs.size()) continue;
    const auto* metadata = std::get_if<plan::MetadataColumn>(&source_->outputs[column].source);
    if (metadata && *metadata == plan::MetadataColumn::kPos) {
      AddRowNumber(reader);
      break;
    }
  }
  const std::vector<RemappedColumn> remapped =
      RemappedColumns(reader, *source_, global_columns, global_column_ids);
  std::optional<WantedColumns> as_held;
  if (!remapped.empty()) as_held = AsHeld(remapped, {global_columns, global_column_ids});
  const auto& columns = as_held ? as_held->columns : global_columns;
  const auto& column_ids = as_held ? as_held->ids : global_column_ids;
  duckdb::TableFilterSet usable;
  if (filters) {
    usable = FiltersForFile(*filters, reader.columns, columns, column_ids);
    for (const RemappedColumn& column : remapped) Refilter(*filters, column, usable);
  }
  const auto result = MultiFileReader::InitializeReader(reader_data, bind_data, columns, column_ids,
                                                        filters ? &usable : nullptr, context, state);
  if (result == duckdb::ReaderInitializeType::SKIP_READING_FILE) return result;
  for (const RemappedColumn& column : remapped) {
    auto& expression = reader_data.expressions[column.place];
    if (expression->return_type != column.held->type) {
      Throw(Internal("column {} came as {}, not as {}", column.wanted->name,
                     expression->return_type.ToString(), column.held->type.ToString()));
    }
    expression = RemapExpression(std::move(expression), *column.held, *column.wanted);
  }
  SetRowFilter(reader, *source_, file);
  if (source_->selection && file.task >= 0 && !file.synthesized) {
    SkipRowGroups(reader, source_->selection->positions[file.task]);
  }
  return result;
}

duckdb::shared_ptr<duckdb::BaseFileReader> ScanReader::CreateReader(
    duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& state, const duckdb::OpenFileInfo& file,
    duckdb::idx_t index, const duckdb::MultiFileBindData& bind_data) {
  CheckOrThrow(source_->cancellation.Check());
  return NamingFile(file.path,
                    [&] { return MultiFileReader::CreateReader(context, state, file, index, bind_data); });
}

duckdb::unique_ptr<duckdb::MultiFileReader> ScanReader::Copy() const {
  auto copy = duckdb::make_uniq<ScanReader>(scans_);
  copy->source_ = source_;
  copy->function_name = function_name;
  return copy;
}

}  // namespace weir::exec

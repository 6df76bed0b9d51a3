#include "exec/duckdb/file_scan.h"

#include <algorithm>
#include <set>

#include "duckdb/parser/tableref/table_function_ref.hpp"
#include "exec/duckdb/name_mapping.h"
#include "exec/duckdb/page_scan.h"
#include "exec/duckdb/query.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

/// Name of a column that a filter needs and nobody sees.
std::string HiddenName(size_t i) { return "h" + std::to_string(i); }
constexpr char kTaskName[] = "h_task";

Status CheckFormats(const plan::FileScan& scan) {
  for (const table::ScanTask& task : *scan.tasks) {
    if (task.file->format != table::FileFormat::kParquet) {
      return Unsupported("{}: data files of format {} cannot be read", task.file->path,
                         ToString(task.file->format));
    }
  }
  return {};
}

Result<Field> FieldOfScan(const plan::FileScan& scan, FieldId id) {
  const Field* field = scan.snapshot->schema.Find(id);
  if (!field) field = scan.snapshot->FindField(id);
  if (!field) return Internal("{} has no field {}", scan.name, id.value);
  return *field;
}

/// The columns that some equality delete of the scan compares. Errors: kCorrupt for one that the table never
/// had; kUnsupported for structs and their members.
Result<std::vector<FieldId>> EqualityFields(const plan::FileScan& scan) {
  std::set<FieldId> ids;
  for (const table::ScanTask& task : *scan.tasks) {
    for (const table::DeleteFilePtr& file : task.deletes) {
      if (file->kind != table::DeleteFile::Kind::kEquality) continue;
      for (const FieldId id : file->equality_fields) {
        const auto field = FieldOfScan(scan, id);
        if (!field)
          return Corrupt("{}: compares field {}, which no schema of {} has", file->path, id.value, scan.name);
        if (field->type.is_nested() ||
            !std::ranges::any_of(scan.snapshot->all_fields,
                                 [&](const Field& column) { return column.id == id; })) {
          return Unsupported("{}: an equality delete by field {} ({}) of {}, which is not a plain column",
                             file->path, id.value, field->name, scan.name);
        }
        ids.insert(id);
      }
    }
  }
  return std::vector<FieldId>(ids.begin(), ids.end());
}

void SelectColumns(duckdb::SelectNode& select, const plan::Node& node, const ScanSource& source) {
  for (size_t i = 0; i < node.output.size(); ++i) {
    select.select_list.push_back(Named(ColumnNamed(source.column_names[i]), NameOf(node.output[i].id)));
  }
  KeepCount(select);
}

/// weir_scan with an equality filter on top: columns beyond the node's own are compared and dropped.
Result<QueryPtr> WithEqualityDeletes(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan,
                                     std::shared_ptr<ScanSource> source, const std::vector<FieldId>& fields) {
  ParsedList compared;
  for (size_t i = 0; i < fields.size(); ++i) {
    WEIR_TRY(Field field, FieldOfScan(scan, fields[i]));
    compared.push_back(
        ColumnNamed(source->Add({.name = HiddenName(i), .type = SparkType(field.type), .source = field})));
  }
  const std::string task =
      source->Add({.name = kTaskName, .type = Type::Int(), .source = plan::MetadataColumn::kTask});
  source->equality_fields = fields;
  Query& query = lowering.query();
  const uint64_t number = query.AddScan(source);
  ParsedList arguments = ListOf(Constant(duckdb::Value::UBIGINT(number)), ColumnNamed(task));
  for (ParsedPtr& column : compared) arguments.push_back(std::move(column));
  SelectPtr select = SelectFrom(ScanTable(number, "scan"));
  SelectColumns(*select, node, *source);
  select->where_clause = CallOf("weir_not_deleted", std::move(arguments));
  return QueryPtr(std::move(select));
}

}  // namespace

bool ReadsPages(const plan::Node& node, const plan::FileScan& scan) {
  const auto equality = EqualityFields(scan);
  return equality && equality->empty() && CanReadPages(node, scan);
}

Result<std::shared_ptr<ScanSource>> SourceOf(Lowering& lowering, const plan::Node& node,
                                             const plan::FileScan& scan) {
  Query& query = lowering.query();
  auto source = std::make_shared<ScanSource>();
  source->name = scan.name;
  source->snapshot = scan.snapshot;
  source->tasks = scan.tasks;
  source->selection = scan.selection;
  source->cancellation = query.context().cancellation;
  source->account = query.context().ledger->Open("scan " + scan.name, Purpose::kData);
  source->deletes = std::make_shared<table::DeleteLoader>(*query.shared().stores, *query.shared().row_files,
                                                          source->account->For(Purpose::kDeletes),
                                                          query.context().cancellation);
  WEIR_TRY(source->name_mapping, NameMappingOf(*scan.snapshot));
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    ScanOutput output{.name = NameOf(node.output[i].id), .type = node.output[i].type, .source = {}};
    if (const FieldId* id = std::get_if<FieldId>(&scan.columns[i])) {
      WEIR_TRY(Field field, FieldOfScan(scan, *id));
      output.source = std::move(field);
    } else {
      output.source = std::get<plan::MetadataColumn>(scan.columns[i]);
    }
    source->column_names.push_back(source->Add(std::move(output)));
  }
  return source;
}

Result<std::shared_ptr<const KeyFilter>> KeyFilterOf(const plan::FileScan& scan) {
  std::vector<Type> types;
  if (!scan.keys) return std::shared_ptr<const KeyFilter>();
  for (FieldId id : scan.keys->fields) {
    WEIR_TRY(Field field, FieldOfScan(scan, id));
    types.push_back(SparkType(field.type));
    if (!(types.back() == field.type)) return std::shared_ptr<const KeyFilter>();
  }
  return KeyFilter::Make(*scan.keys, types);
}

Status AddTaskFile(Query& query, ScanSource& source, size_t task) {
  if (source.selection && source.selection->positions[task].empty()) return {};
  const table::DataFile& data = *(*source.tasks)[task].file;
  ScanFile file;
  WEIR_TRY(file.info, query.AddFile(data.path, data.size_bytes, *source.account));
  file.row_count = data.row_count;
  file.task = static_cast<int32_t>(task);
  source.files.push_back(std::move(file));
  return {};
}

TablePtr ScanTable(uint64_t number, const std::string& alias) {
  auto table = duckdb::make_uniq<duckdb::TableFunctionRef>();
  // NaN lies outside the bounds that Parquet files state.
  table->function =
      CallOf(kScanFunction, ListOf(Constant(duckdb::Value(std::to_string(number))),
                                   Named(Constant(duckdb::Value::BOOLEAN(true)), "can_have_nan")));
  table->alias = alias;
  return table;
}

Result<QueryPtr> LowerFileScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan) {
  if (scan.selection && scan.selection->positions.size() != scan.tasks->size()) {
    return Internal("{}: {} selections for {} files", scan.name, scan.selection->positions.size(),
                    scan.tasks->size());
  }
  WEIR_DO(CheckFormats(scan));
  WEIR_TRY(const std::vector<FieldId> equality, EqualityFields(scan));
  if (ReadsPages(node, scan)) return LowerPageScan(lowering, node, scan);
  WEIR_TRY(std::shared_ptr<ScanSource> source, SourceOf(lowering, node, scan));
  WEIR_TRY(source->key_filter, KeyFilterOf(scan));
  for (size_t task = 0; task < scan.tasks->size(); ++task)
    WEIR_DO(AddTaskFile(lowering.query(), *source, task));
  if (source->files.empty()) return EmptyRelation(node);
  if (!equality.empty()) return WithEqualityDeletes(lowering, node, scan, std::move(source), equality);
  return SelectScan(lowering.query(), node, std::move(source));
}

Result<QueryPtr> SelectScan(Query& query, const plan::Node& node, std::shared_ptr<ScanSource> source) {
  if (source->outputs.empty()) {
    // DuckDB cannot bind a table without columns; this one is never read.
    source->outputs.push_back(
        {.name = "nothing", .type = Type::Int(), .source = plan::MetadataColumn::kSpecId});
  }
  SelectPtr select = SelectFrom(ScanTable(query.AddScan(source), "scan"));
  SelectColumns(*select, node, *source);
  return QueryPtr(std::move(select));
}

Result<QueryPtr> LowerPathScan(Lowering& lowering, const plan::Node& node, const plan::PathScan& scan) {
  Query& query = lowering.query();
  auto source = std::make_shared<ScanSource>();
  source->name = "parquet";
  source->cancellation = query.context().cancellation;
  source->account = query.context().ledger->Open("scan parquet", Purpose::kData);
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    source->column_names.push_back(source->Add(
        {.name = NameOf(node.output[i].id), .type = node.output[i].type, .source = scan.columns[i]}));
  }
  for (const std::string& path : scan.paths) {
    WEIR_TRY(ScanFile file, PathFile(query, path, *source->account));
    source->files.push_back(std::move(file));
  }
  if (source->files.empty()) return EmptyRelation(node);
  return SelectScan(query, node, std::move(source));
}

Result<ScanFile> PathFile(Query& query, const std::string& path, const Account& account) {
  WEIR_TRY(Location location, query.shared().stores->Find(path));
  const Store store(location.storage, account.For(Purpose::kMetadata), query.context().cancellation);
  WEIR_TRY(ObjectInfo info, store.Head(location.path));
  ScanFile file;
  WEIR_TRY(file.info, query.AddFile(path, info.size_bytes, account));
  return file;
}

}  // namespace weir::exec

#include "exec/duckdb/describe.h"

#include <set>

#include "duckdb/main/connection.hpp"
#include "duckdb/main/prepared_statement.hpp"
#include "duckdb/parser/expression/star_expression.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/types.h"
#include "pages/footer_cache.h"

namespace weir::exec {

namespace {

/// Columns that hold instants as INT96, which DuckDB takes for wall clock readings.
Result<std::set<std::string>> Int96Columns(const Store& store, const ObjectInfo& info) {
  // Files that no table names may change under their path: nothing of them is kept.
  pages::FooterCache none(0);
  WEIR_TRY(
      auto footer,
      none.ReadFooter(store, {.path = info.path, .size_bytes = info.size_bytes, .footer_size_bytes = {}}));
  std::set<std::string> names;
  for (const parquet::Leaf& leaf : footer->leaves) {
    if (footer->element(leaf).physical != parquet::PhysicalType::kInt96) continue;
    const std::vector<std::string> path = footer->PathOf(leaf);
    if (path.size() == 1) names.insert(path[0]);
  }
  return names;
}

}  // namespace

Result<std::vector<Field>> DescribeFiles(Query& query, const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return Invalid("no Parquet files to take columns from")
        .WithCondition({.name = "UNABLE_TO_INFER_SCHEMA",
                        .sql_state = "42KD9",
                        .parameters = {{"format", "Parquet"}},
                        .span = {},
                        .fragment = {}});
  }
  auto source = std::make_shared<ScanSource>();
  source->name = "parquet";
  source->describe = true;
  source->account = query.context().ledger->Open("scan parquet", Purpose::kData);
  WEIR_TRY(Location location, query.shared().stores->Find(paths[0]));
  const Store store(location.storage, source->account->For(Purpose::kMetadata), query.context().cancellation);
  WEIR_TRY(ObjectInfo info, store.Head(location.path));
  WEIR_TRY(std::set<std::string> instants, Int96Columns(store, info));
  ScanFile file;
  WEIR_TRY(file.info, query.AddFile(paths[0], info.size_bytes, *source->account));
  source->files.push_back(std::move(file));
  SelectPtr select = SelectFrom(ScanTable(query.AddScan(std::move(source)), "scan"));
  select->select_list.push_back(duckdb::make_uniq<duckdb::StarExpression>());
  auto prepared = query.connection().Prepare(StatementOf(std::move(select)));
  if (prepared->HasError()) {
    Error error = query.Translate(prepared->error);
    if (error.code() != ErrorCode::kInvalid) return error;
    return Corrupt("{}: {}", paths[0], error.message());
  }
  std::vector<Field> fields;
  for (size_t i = 0; i < prepared->GetNames().size(); ++i) {
    WEIR_TRY_CONTEXT(Type type, fmt::format("{}: column {}", paths[0], prepared->GetNames()[i]),
                     FromDuckType(prepared->GetTypes()[i]));
    if (instants.contains(prepared->GetNames()[i])) type = Type::Timestamp();
    fields.push_back(Field{
        .id = {}, .name = prepared->GetNames()[i], .type = std::move(type), .required = false, .doc = {}});
  }
  return fields;
}

}  // namespace weir::exec

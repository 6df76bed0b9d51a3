#include "exec/duckdb/describe.h"

#include "duckdb/main/connection.hpp"
#include "duckdb/main/prepared_statement.hpp"
#include "duckdb/parser/expression/star_expression.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

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
  WEIR_TRY(ScanFile file, PathFile(query, paths[0], *source->account));
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
    fields.push_back(Field{.id = {}, .name = prepared->GetNames()[i], .type = std::move(type), .required = false, .doc = {}});
  }
  return fields;
}

}  // namespace weir::exec

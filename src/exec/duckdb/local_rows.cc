#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/parser/tableref/column_data_ref.hpp"
#include "exec/duckdb/batches.h"
#include "exec/duckdb/lower.h"
#include "exec/duckdb/query.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::LocalRows& rows) {
  std::vector<Type> types;
  duckdb::vector<duckdb::LogicalType> duck_types;
  std::vector<std::string> names;
  for (const plan::Column& column : node.output) {
    types.push_back(column.type);
    WEIR_TRY(duckdb::LogicalType type, ToDuckType(column.type));
    duck_types.push_back(std::move(type));
    names.push_back(NameOf(column.id));
  }
  const bool counted = types.empty();
  if (counted) {
    // Rows without columns are counted by one that nobody reads.
    duck_types.push_back(duckdb::LogicalType::BOOLEAN);
    names.push_back("nothing");
  }
  duckdb::ClientContext& client = *query_.connection().context;
  auto collection = duckdb::make_uniq<duckdb::ColumnDataCollection>(client, duck_types);
  duckdb::DataChunk chunk;
  chunk.Initialize(client, duck_types);
  for (const Batch& batch : *rows.batches) {
    Batch wanted{batch.row_count, {}};
    for (int32_t column : rows.columns) wanted.columns.push_back(batch.columns[static_cast<size_t>(column)]);
    for (int64_t first = 0; first < batch.row_count; first += STANDARD_VECTOR_SIZE) {
      const int64_t count = std::min<int64_t>(STANDARD_VECTOR_SIZE, batch.row_count - first);
      chunk.Reset();
      if (counted) {
        chunk.data[0].Reference(duckdb::Value::BOOLEAN(true));
        chunk.SetCardinality(static_cast<duckdb::idx_t>(count));
      } else {
        WEIR_DO(FillChunk(wanted, types, first, count, chunk));
      }
      collection->Append(chunk);
    }
  }
  auto reference = duckdb::make_uniq<duckdb::ColumnDataRef>(
      duckdb::optionally_owned_ptr<duckdb::ColumnDataCollection>(std::move(collection)),
      duckdb::vector<std::string>(names.begin(), names.end()));
  reference->alias = NextAlias();
  SelectPtr select = SelectFrom(std::move(reference));
  for (const plan::Column& column : node.output) {
    select->select_list.push_back(Named(ColumnNamed(NameOf(column.id)), NameOf(column.id)));
  }
  KeepCount(*select);
  return QueryPtr(std::move(select));
}

}  // namespace weir::exec

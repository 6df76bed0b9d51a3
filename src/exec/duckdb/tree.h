#pragma once

/// Short names for building DuckDB's parsed tree. Thread rule: pure functions.

#include <string>
#include <utility>
#include <vector>

#include "duckdb/common/types/value.hpp"
#include "duckdb/parser/parsed_expression.hpp"
#include "duckdb/parser/query_node.hpp"
#include "duckdb/parser/query_node/select_node.hpp"
#include "duckdb/parser/statement/select_statement.hpp"
#include "duckdb/parser/tableref.hpp"

namespace weir::exec {

using ParsedPtr = duckdb::unique_ptr<duckdb::ParsedExpression>;
using ParsedList = std::vector<ParsedPtr>;
using TablePtr = duckdb::unique_ptr<duckdb::TableRef>;
using QueryPtr = duckdb::unique_ptr<duckdb::QueryNode>;
using SelectPtr = duckdb::unique_ptr<duckdb::SelectNode>;

ParsedPtr ColumnNamed(std::string name);
ParsedPtr Constant(duckdb::Value value);
/// A NULL of the type: how our own functions learn which type they return.
ParsedPtr TypeMarker(const duckdb::LogicalType& type);
ParsedPtr CallOf(const std::string& function, ParsedList arguments);
ParsedPtr CastTo(const duckdb::LogicalType& type, ParsedPtr input);
ParsedPtr CompareOf(duckdb::ExpressionType op, ParsedPtr left, ParsedPtr right);
/// Boolean operators and tests: NOT, IS NULL, COALESCE, IN.
ParsedPtr OperatorOf(duckdb::ExpressionType op, ParsedList arguments);
ParsedPtr AllOf(ParsedList conditions);
ParsedPtr AnyOf(ParsedList conditions);
/// CASE WHEN condition THEN value ELSE otherwise END.
ParsedPtr IfElse(ParsedPtr condition, ParsedPtr value, ParsedPtr otherwise);
ParsedPtr Named(ParsedPtr expression, std::string name);
/// Rows without columns keep their number by one that nobody reads.
void KeepCount(duckdb::SelectNode& select);

template <typename... Arguments>
ParsedList ListOf(Arguments&&... arguments) {
  ParsedList list;
  (list.push_back(std::forward<Arguments>(arguments)), ...);
  return list;
}
ParsedList CopyOf(const ParsedList& list);

SelectPtr SelectFrom(TablePtr from);
duckdb::unique_ptr<duckdb::SelectStatement> StatementOf(QueryPtr query);
TablePtr TableOf(QueryPtr query, std::string alias);

}  // namespace weir::exec

#include "exec/duckdb/lower.h"

#include "duckdb/parser/expression/star_expression.hpp"
#include "duckdb/parser/expression/window_expression.hpp"
#include "duckdb/parser/query_node/set_operation_node.hpp"
#include "duckdb/parser/tableref/basetableref.hpp"
#include "duckdb/parser/tableref/emptytableref.hpp"
#include "duckdb/parser/tableref/expressionlistref.hpp"
#include "duckdb/parser/tableref/joinref.hpp"
#include "duckdb/parser/tableref/table_function_ref.hpp"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/functions/generators.h"
#include "exec/duckdb/query.h"
#include "exec/duckdb/types.h"
#include "expr/coercion.h"

namespace weir::exec {

using duckdb::Value;

std::string NameOf(ColumnId id) { return "c" + std::to_string(id.value); }

const Semantics& Lowering::semantics() const { return query_.context().semantics; }

Result<duckdb::unique_ptr<duckdb::SelectStatement>> Lowering::Statement(const plan::NodePtr& plan) {
  // The outermost list names each column once by position: a plan may output one column twice.
  WEIR_TRY(SelectPtr select, From(plan));
  size_t position = 0;
  for (const plan::Column& column : plan->output) {
    select->select_list.push_back(Named(ColumnNamed(NameOf(column.id)), "p" + std::to_string(position++)));
  }
  // No columns at all: DuckDB needs one, the caller takes none.
  if (select->select_list.empty()) select->select_list.push_back(Named(Constant(Value::BOOLEAN(true)), "p0"));
  return StatementOf(std::move(select));
}

Result<QueryPtr> Lowering::SelectOp(const plan::Node& node) {
  return std::visit([&](const auto& op) { return Lower(node, op); }, node.op);
}

Result<TablePtr> Lowering::Table(const plan::NodePtr& node) {
  WEIR_TRY(QueryPtr query, SelectOp(*node));
  return TableOf(std::move(query), NextAlias());
}

Result<SelectPtr> Lowering::From(const plan::NodePtr& node) {
  const plan::NodePtr* base = &node;
  ParsedList conditions;
  while (const auto* filter = (*base)->As<plan::Filter>()) {
    WEIR_TRY(ParsedPtr condition, Condition(filter->condition));
    conditions.insert(conditions.begin(), std::move(condition));
    base = &(*base)->inputs[0];
  }
  WEIR_TRY(TablePtr table, Table(*base));
  SelectPtr select = SelectFrom(std::move(table));
  if (!conditions.empty()) select->where_clause = AllOf(std::move(conditions));
  return select;
}

void Lowering::PassThrough(duckdb::SelectNode& select, const plan::Node& node) const {
  for (const plan::Column& column : node.output) select.select_list.push_back(ColumnNamed(NameOf(column.id)));
  KeepCount(select);
}

Result<QueryPtr> EmptyRelation(const plan::Node& node) {
  SelectPtr select = SelectFrom(duckdb::make_uniq<duckdb::EmptyTableRef>());
  for (const plan::Column& column : node.output) {
    WEIR_TRY(duckdb::LogicalType type, ToDuckType(column.type));
    select->select_list.push_back(Named(CastTo(type, TypeMarker(type)), NameOf(column.id)));
  }
  KeepCount(*select);
  select->where_clause = Constant(Value::BOOLEAN(false));
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node&, const plan::TableScan& scan) {
  return Internal("scan of {} reached the executor before its files were planned", scan.name);
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::FileScan& scan) {
  return LowerFileScan(*this, node, scan);
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::PathScan& scan) {
  return LowerPathScan(*this, node, scan);
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::RelationScan& scan) {
  WEIR_TRY(std::string table, query_.RelationTable(scan.relation_id));
  auto reference = duckdb::make_uniq<duckdb::BaseTableRef>();
  reference->table_name = table;
  SelectPtr select = SelectFrom(std::move(reference));
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    select->select_list.push_back(
        Named(ColumnNamed("p" + std::to_string(scan.columns[i])), NameOf(node.output[i].id)));
  }
  KeepCount(*select);
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Values& values) {
  if (values.rows.empty()) return EmptyRelation(node);
  if (node.output.empty()) {
    // Rows without columns, such as SELECT without FROM: count them by a column that nobody reads.
    auto list = duckdb::make_uniq<duckdb::ExpressionListRef>();
    for (size_t i = 0; i < values.rows.size(); ++i) {
      duckdb::vector<ParsedPtr> row;
      row.push_back(Constant(Value::BOOLEAN(true)));
      list->values.push_back(std::move(row));
    }
    list->expected_names = {"nothing"};
    list->alias = NextAlias();
    SelectPtr select = SelectFrom(std::move(list));
    PassThrough(*select, node);
    return QueryPtr(std::move(select));
  }
  auto list = duckdb::make_uniq<duckdb::ExpressionListRef>();
  for (const std::vector<ExprPtr>& row : values.rows) {
    duckdb::vector<ParsedPtr> lowered;
    for (size_t i = 0; i < row.size(); ++i) {
      WEIR_TRY(ParsedPtr expression, Expression(row[i]));
      WEIR_TRY(duckdb::LogicalType type, ToDuckType(node.output[i].type));
      lowered.push_back(CastTo(type, std::move(expression)));
    }
    list->values.push_back(std::move(lowered));
  }
  for (const plan::Column& column : node.output) list->expected_names.push_back(NameOf(column.id));
  list->alias = NextAlias();
  SelectPtr select = SelectFrom(std::move(list));
  PassThrough(*select, node);
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Range& range) {
  auto table = duckdb::make_uniq<duckdb::TableFunctionRef>();
  table->function =
      CallOf("range", ListOf(Constant(Value::BIGINT(range.start)), Constant(Value::BIGINT(range.stop)),
                             Constant(Value::BIGINT(range.step))));
  table->alias = NextAlias();
  table->column_name_alias = {NameOf(node.output[0].id)};
  SelectPtr select = SelectFrom(std::move(table));
  PassThrough(*select, node);
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Project& project) {
  WEIR_TRY(SelectPtr select, From(node.inputs[0]));
  for (size_t i = 0; i < project.exprs.size(); ++i) {
    WEIR_TRY(ParsedPtr expression, Expression(project.exprs[i]));
    select->select_list.push_back(Named(std::move(expression), NameOf(node.output[i].id)));
  }
  KeepCount(*select);
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Filter& filter) {
  WEIR_TRY(SelectPtr select, From(node.inputs[0]));
  WEIR_TRY(ParsedPtr condition, Condition(filter.condition));
  if (select->where_clause) {
    select->where_clause = AllOf(ListOf(std::move(select->where_clause), std::move(condition)));
  } else {
    select->where_clause = std::move(condition);
  }
  PassThrough(*select, node);
  return QueryPtr(std::move(select));
}

namespace {

duckdb::JoinType DuckJoinType(plan::JoinType type) {
  switch (type) {
    case plan::JoinType::kInner:
      return duckdb::JoinType::INNER;
    case plan::JoinType::kLeft:
      return duckdb::JoinType::LEFT;
    case plan::JoinType::kRight:
      return duckdb::JoinType::RIGHT;
    case plan::JoinType::kFull:
      return duckdb::JoinType::OUTER;
    case plan::JoinType::kLeftSemi:
      return duckdb::JoinType::SEMI;
    case plan::JoinType::kLeftAnti:
      return duckdb::JoinType::ANTI;
  }
  return duckdb::JoinType::INVALID;
}

/// Rows that Spark tells apart by value: -0.0 is 0.0 and is shown so.
ParsedPtr WithoutSignsOfZero(ParsedPtr value, const Type& type) {
  return type.holds_floating() ? CallOf("weir_plus_zero", ListOf(std::move(value))) : std::move(value);
}

/// Adds zero to one side of each equality of columns with floating numbers. DuckDB reads a column that is
/// equal to one of the other side from that side, and -0.0 is not 0.0 to who sees it
/// (test/property/row_level_test.cc).
ExprPtr KeepSignsOfZero(const ExprPtr& condition) {
  std::vector<ExprPtr> conjuncts = Conjuncts(condition);
  for (ExprPtr& conjunct : conjuncts) {
    const auto* call = conjunct->As<Call>();
    if (call == nullptr || (call->function->name != "=" && call->function->name != "<=>")) continue;
    const ExprPtr& right = call->args[1];
    if (!right->type().holds_floating()) continue;
    const ExprPtr copy = std::make_shared<const Expr>(Call{FindFunction("+0"), {right}, false, nullptr},
                                                      right->type(), right->nullable());
    conjunct = MakePredicate(call->function->name, {call->args[0], copy});
  }
  return Conjunction(std::move(conjuncts));
}

}  // namespace

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Join& join) {
  WEIR_TRY(TablePtr left, Table(node.inputs[0]));
  WEIR_TRY(TablePtr right, Table(node.inputs[1]));
  const bool cross = join.type == plan::JoinType::kInner && !join.condition;
  auto table =
      duckdb::make_uniq<duckdb::JoinRef>(cross ? duckdb::JoinRefType::CROSS : duckdb::JoinRefType::REGULAR);
  table->type = DuckJoinType(join.type);
  table->left = std::move(left);
  table->right = std::move(right);
  if (join.condition) {
    WEIR_TRY(table->condition, Condition(KeepSignsOfZero(join.condition)));
  } else if (!cross) {
    table->condition = Constant(Value::BOOLEAN(true));
  }
  SelectPtr select = SelectFrom(std::move(table));
  PassThrough(*select, node);
  return QueryPtr(std::move(select));
}

namespace {

/// The set without keys has a row in DuckDB even when no row comes in, and none in Spark.
void AddGroupingSets(duckdb::SelectNode& select, const std::vector<std::vector<int32_t>>& sets) {
  for (const std::vector<int32_t>& keys : sets) {
    duckdb::GroupingSet set;
    for (int32_t key : keys) set.insert(static_cast<duckdb::idx_t>(key));
    if (set.empty() && !select.having) {
      select.having = CompareOf(duckdb::ExpressionType::COMPARE_GREATERTHAN, CallOf("count_star", {}),
                                Constant(Value::BIGINT(0)));
    }
    select.groups.grouping_sets.push_back(std::move(set));
  }
}

ParsedPtr SetNumber(const duckdb::SelectNode& select, size_t key_count) {
  if (key_count == 0) return Constant(Value::BIGINT(0));
  ParsedList keys;
  for (const auto& key : select.groups.group_expressions) keys.push_back(key->Copy());
  return OperatorOf(duckdb::ExpressionType::GROUPING_FUNCTION, std::move(keys));
}

}  // namespace

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Aggregate& aggregate) {
  // Keys become columns first, so that an aggregate list never has to match their text.
  WEIR_TRY(SelectPtr inner, From(node.inputs[0]));
  inner->select_list.push_back(duckdb::make_uniq<duckdb::StarExpression>());
  const size_t key_count = aggregate.keys.size();
  auto key_name = [](size_t i) { return "g" + std::to_string(i); };
  for (size_t i = 0; i < key_count; ++i) {
    // Maps are equal whatever the order of their entries, which DuckDB does not know.
    if (const Type& type = aggregate.keys[i]->type(); !IsOrderable(type)) {
      return Unsupported("GROUP BY of maps ({}) is not implemented", type.ToSql());
    }
    WEIR_TRY(ParsedPtr key, Expression(aggregate.keys[i]));
    // Spark groups -0.0 with 0.0 and shows 0.0.
    key = WithoutSignsOfZero(std::move(key), aggregate.keys[i]->type());
    inner->select_list.push_back(Named(std::move(key), key_name(i)));
  }
  // DuckDB takes several sets without keys for one, unless there is a key that none of them has.
  const bool no_keys = key_count == 0 && !aggregate.sets.empty();
  if (no_keys) inner->select_list.push_back(Named(Constant(Value::BOOLEAN(true)), key_name(0)));
  SelectPtr select = SelectFrom(TableOf(std::move(inner), NextAlias()));
  duckdb::GroupingSet all;
  for (size_t i = 0; i < key_count; ++i) {
    select->groups.group_expressions.push_back(ColumnNamed(key_name(i)));
    all.insert(i);
    select->select_list.push_back(Named(ColumnNamed(key_name(i)), NameOf(node.output[i].id)));
  }
  if (!aggregate.sets.empty()) {
    if (no_keys) select->groups.group_expressions.push_back(ColumnNamed(key_name(0)));
    AddGroupingSets(*select, aggregate.sets);
  } else if (key_count > 0) {
    select->groups.grouping_sets.push_back(std::move(all));
  }
  for (size_t i = 0; i < aggregate.aggregates.size(); ++i) {
    WEIR_TRY(ParsedPtr value, Expression(aggregate.aggregates[i]));
    select->select_list.push_back(Named(std::move(value), NameOf(node.output[key_count + i].id)));
  }
  if (!aggregate.sets.empty())
    select->select_list.push_back(Named(SetNumber(*select, key_count), NameOf(node.output.back().id)));
  if (select->select_list.empty()) {
    select->select_list.push_back(Named(CallOf("count_star", {}), "nothing"));
  }
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Distinct&) {
  WEIR_TRY(SelectPtr select, From(node.inputs[0]));
  for (const plan::Column& column : node.output) {
    const std::string name = NameOf(column.id);
    select->select_list.push_back(Named(WithoutSignsOfZero(ColumnNamed(name), column.type), name));
  }
  KeepCount(*select);
  select->modifiers.push_back(duckdb::make_uniq<duckdb::DistinctModifier>());
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::SetOperation& operation) {
  auto set = duckdb::make_uniq<duckdb::SetOperationNode>();
  switch (operation.kind) {
    case plan::SetOpKind::kUnionAll:
      set->setop_type = duckdb::SetOperationType::UNION;
      break;
    case plan::SetOpKind::kIntersect:
    case plan::SetOpKind::kIntersectAll:
      set->setop_type = duckdb::SetOperationType::INTERSECT;
      break;
    case plan::SetOpKind::kExcept:
    case plan::SetOpKind::kExceptAll:
      set->setop_type = duckdb::SetOperationType::EXCEPT;
      break;
  }
  set->setop_all = operation.kind == plan::SetOpKind::kUnionAll ||
                   operation.kind == plan::SetOpKind::kIntersectAll ||
                   operation.kind == plan::SetOpKind::kExceptAll;
  for (const plan::NodePtr& input : node.inputs) {
    // By position: an input may output one column twice, and types must not depend on the other side.
    WEIR_TRY(SelectPtr select, From(input));
    for (size_t i = 0; i < node.output.size(); ++i) {
      WEIR_TRY(duckdb::LogicalType type, ToDuckType(node.output[i].type));
      ParsedPtr column = ColumnNamed(NameOf(input->output[i].id));
      if (!node.output[i].type.is_nested()) column = CastTo(type, std::move(column));
      if (!set->setop_all) column = WithoutSignsOfZero(std::move(column), node.output[i].type);
      select->select_list.push_back(Named(std::move(column), NameOf(node.output[i].id)));
    }
    set->children.push_back(std::move(select));
  }
  return QueryPtr(std::move(set));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Sort& sort) {
  WEIR_TRY(SelectPtr select, From(node.inputs[0]));
  PassThrough(*select, node);
  auto order = duckdb::make_uniq<duckdb::OrderModifier>();
  for (const plan::SortKey& key : sort.keys) {
    // A constant would be taken for a column number, and orders nothing.
    if (key.expr->As<Scalar>()) continue;
    WEIR_TRY(ParsedPtr expression, Expression(key.expr));
    // DuckDB rebuilds a sorted column from its sort key, where -0.0 has become 0.0; an expression leaves it
    // alone.
    expression = WithoutSignsOfZero(std::move(expression), key.expr->type());
    order->orders.emplace_back(
        key.ascending ? duckdb::OrderType::ASCENDING : duckdb::OrderType::DESCENDING,
        key.nulls_first ? duckdb::OrderByNullType::NULLS_FIRST : duckdb::OrderByNullType::NULLS_LAST,
        std::move(expression));
  }
  if (!order->orders.empty()) select->modifiers.push_back(std::move(order));
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Limit& limit) {
  const plan::NodePtr& input = node.inputs[0];
  QueryPtr query;
  if (input->As<plan::Sort>()) {
    // In one query node DuckDB keeps only the top rows.
    WEIR_TRY(query, SelectOp(*input));
  } else {
    WEIR_TRY(SelectPtr select, From(input));
    PassThrough(*select, node);
    query = std::move(select);
  }
  auto modifier = duckdb::make_uniq<duckdb::LimitModifier>();
  if (limit.limit) modifier->limit = Constant(Value::BIGINT(*limit.limit));
  if (limit.offset > 0) modifier->offset = Constant(Value::BIGINT(limit.offset));
  if (modifier->limit || modifier->offset) query->modifiers.push_back(std::move(modifier));
  return query;
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::RowNumber&) {
  WEIR_TRY(SelectPtr select, From(node.inputs[0]));
  for (size_t i = 0; i + 1 < node.output.size(); ++i) {
    select->select_list.push_back(ColumnNamed(NameOf(node.output[i].id)));
  }
  auto number = duckdb::make_uniq<duckdb::WindowExpression>(duckdb::ExpressionType::WINDOW_ROW_NUMBER,
                                                            INVALID_CATALOG, DEFAULT_SCHEMA, "row_number");
  number->start = duckdb::WindowBoundary::UNBOUNDED_PRECEDING;
  number->end = duckdb::WindowBoundary::CURRENT_ROW_ROWS;
  ParsedPtr from_zero = CallOf("-", ListOf(ParsedPtr(std::move(number)), Constant(Value::BIGINT(1))));
  select->select_list.push_back(Named(std::move(from_zero), NameOf(node.output.back().id)));
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Window& window) {
  WEIR_TRY(SelectPtr select, From(node.inputs[0]));
  const size_t passed = node.output.size() - window.calls.size();
  for (size_t i = 0; i < node.output.size(); ++i) {
    const std::string name = NameOf(node.output[i].id);
    ParsedPtr value = ColumnNamed(name);
    if (i >= passed) {
      WEIR_TRY(value, Expression(window.calls[i - passed]));
      value = Named(std::move(value), name);
    }
    select->select_list.push_back(std::move(value));
  }
  return QueryPtr(std::move(select));
}

Result<QueryPtr> Lowering::Lower(const plan::Node& node, const plan::Generate& generate) {
  const std::vector<plan::Column>& input = node.inputs[0]->output;
  WEIR_TRY(UnnestedLists made, ListsOf(*this, *generate.generator->As<Call>(), generate.outer));
  const auto pass_input = [&](duckdb::SelectNode& select) {
    for (const plan::Column& column : input) select.select_list.push_back(ColumnNamed(NameOf(column.id)));
  };
  // What is unnested is computed first, then unnested, then taken apart.
  WEIR_TRY(SelectPtr inner, From(node.inputs[0]));
  pass_input(*inner);
  for (auto& [name, value] : made.inputs) inner->select_list.push_back(Named(std::move(value), name));
  KeepCount(*inner);
  SelectPtr rows = SelectFrom(TableOf(std::move(inner), NextAlias()));
  pass_input(*rows);
  for (size_t i = 0; i < made.lists.size(); ++i) {
    rows->select_list.push_back(
        Named(CallOf("unnest", ListOf(std::move(made.lists[i]))), "u" + std::to_string(i)));
  }
  SelectPtr select = SelectFrom(TableOf(std::move(rows), NextAlias()));
  pass_input(*select);
  for (size_t i = 0; i < made.columns.size(); ++i) {
    const plan::Column& column = node.output[input.size() + i];
    WEIR_TRY(duckdb::LogicalType type, ToDuckType(column.type));
    ParsedPtr value = std::move(made.columns[i]);
    if (!column.type.is_nested()) value = CastTo(type, std::move(value));
    select->select_list.push_back(Named(std::move(value), NameOf(column.id)));
  }
  return QueryPtr(std::move(select));
}

}  // namespace weir::exec

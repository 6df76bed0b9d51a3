#include "connect/write.h"

#include "base/ascii.h"
#include "sql/parser.h"
#include "type/identifier.h"

namespace weir::connect {
namespace {

using unresolved::ExprPtr;
using unresolved::RelationPtr;

unresolved::Statement StatementOf(auto node) { return {std::move(node), {}}; }

/// A column or a transform of one, such as days(ts) or bucket(10, id).
Result<unresolved::PartitionTransform> Partitioning(const unresolved::Expr& expr) {
  unresolved::PartitionTransform field;
  if (const auto* attribute = std::get_if<unresolved::Attribute>(&expr.node)) {
    field.column = attribute->parts;
    field.text = DottedName(attribute->parts[0], {attribute->parts.begin() + 1, attribute->parts.end()});
    return field;
  }
  const auto* call = std::get_if<unresolved::Call>(&expr.node);
  if (call == nullptr || call->args.empty())
    return InvalidPlan("a table is partitioned by columns and transforms");
  const std::string name = AsciiLower(call->name.back());
  const auto* column = std::get_if<unresolved::Attribute>(&call->args.back()->node);
  if (column == nullptr) return InvalidPlan(fmt::format("the transform {} takes a column", name));
  field.column = column->parts;
  field.text = name;
  const auto parameter = [&]() -> Result<int32_t> {
    const auto* literal = std::get_if<unresolved::Literal>(&call->args[0]->node);
    if (call->args.size() != 2 || literal == nullptr || !literal->value.type().is_integral() ||
        literal->value.is_null()) {
      return InvalidPlan(fmt::format("the transform {} takes a number and a column", name));
    }
    return static_cast<int32_t>(literal->value.integer());
  };
  using Kind = Transform::Kind;
  if (name == "years" || name == "year") {
    field.transform.kind = Kind::kYear;
  } else if (name == "months" || name == "month") {
    field.transform.kind = Kind::kMonth;
  } else if (name == "days" || name == "day") {
    field.transform.kind = Kind::kDay;
  } else if (name == "hours" || name == "hour") {
    field.transform.kind = Kind::kHour;
  } else if (name == "bucket" || name == "truncate") {
    field.transform.kind = name == "bucket" ? Kind::kBucket : Kind::kTruncate;
    WEIR_TRY(field.transform.parameter, parameter());
  } else {
    return NotImplemented("partitioning by " + name);
  }
  return field;
}

template <typename Map>
std::vector<std::pair<std::string, std::string>> PairsOf(const Map& map) {
  return {map.begin(), map.end()};
}

Error TableExists(const unresolved::Name& name) {
  const std::string quoted = QuoteName(name);
  return Exists("there is a table {} already; choose another name, or another mode", quoted)
      .WithCondition({"TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", {{"relationName", quoted}}, std::nullopt, ""});
}

Result<unresolved::CreateTable> CreateFrom(const proto::WriteOperation& write, unresolved::Name name,
                                           RelationPtr query) {
  unresolved::CreateTable create;
  create.name = std::move(name);
  create.provider = write.has_source() ? write.source() : "";
  create.query = std::move(query);
  for (const std::string& column : write.partitioning_columns()) {
    create.partitioning.push_back({{column}, {}, column, {}});
  }
  create.options = PairsOf(write.options());
  return create;
}

Result<unresolved::Assignment> AssignmentOf(const proto::MergeAction::Assignment& assignment,
                                            const DecodeContext& context) {
  unresolved::Assignment decoded;
  WEIR_TRY(ExprPtr key, DecodeExpression(assignment.key(), context));
  if (const auto* written = std::get_if<unresolved::Written>(&key->node)) key = written->input;
  const auto* column = std::get_if<unresolved::Attribute>(&key->node);
  if (column == nullptr) return InvalidPlan("an assignment of MERGE names no column");
  decoded.column = column->parts;
  WEIR_TRY(decoded.value, DecodeExpression(assignment.value(), context));
  return decoded;
}

Status AddClauses(const google::protobuf::RepeatedPtrField<proto::Expression>& actions,
                  unresolved::MergeClause::When when, const DecodeContext& context,
                  unresolved::Merge& merge) {
  using Action = proto::MergeAction;
  using Clause = unresolved::MergeClause;
  for (const proto::Expression& expression : actions) {
    if (!expression.has_merge_action()) return InvalidPlan("a clause of MERGE is no action");
    const Action& action = expression.merge_action();
    Clause clause;
    clause.when = when;
    if (action.has_condition()) {
      WEIR_TRY(clause.condition, DecodeExpression(action.condition(), context));
    }
    switch (action.action_type()) {
      case Action::ACTION_TYPE_DELETE:
        clause.action = Clause::Action::kDelete;
        break;
      case Action::ACTION_TYPE_INSERT:
        clause.action = Clause::Action::kInsert;
        break;
      case Action::ACTION_TYPE_INSERT_STAR:
        clause.action = Clause::Action::kInsertAll;
        break;
      case Action::ACTION_TYPE_UPDATE:
        clause.action = Clause::Action::kUpdate;
        break;
      case Action::ACTION_TYPE_UPDATE_STAR:
        clause.action = Clause::Action::kUpdateAll;
        break;
      default:
        return InvalidPlan("a clause of MERGE has no action");
    }
    for (const Action::Assignment& written : action.assignments()) {
      WEIR_TRY(unresolved::Assignment assignment, AssignmentOf(written, context));
      if (clause.action == Clause::Action::kInsert) {
        clause.insert_columns.push_back(std::move(assignment.column));
        clause.insert_values.push_back(std::move(assignment.value));
      } else {
        clause.assignments.push_back(std::move(assignment));
      }
    }
    merge.clauses.push_back(std::move(clause));
  }
  return {};
}

}  // namespace

Result<unresolved::Name> TargetOf(const proto::WriteOperation& write) {
  if (write.has_table()) return sql::ParseName(write.table().table_name());
  const std::string source = write.has_source() ? write.source() : "parquet";
  if (write.has_path() && source == "iceberg") return sql::ParseName(write.path());
  return NotImplemented("writing files of " + source);
}

Result<std::optional<unresolved::Statement>> DecodeWrite(const proto::WriteOperation& write, TableState table,
                                                         const DecodeContext& context) {
  using Operation = proto::WriteOperation;
  if (write.has_bucket_by()) return NotImplemented("bucketBy");
  if (!write.sort_column_names().empty()) return NotImplemented("sortBy");
  if (!write.clustering_columns().empty()) return NotImplemented("clusterBy");
  WEIR_TRY(unresolved::Name name, TargetOf(write));
  WEIR_TRY(RelationPtr query, DecodeRelation(write.input(), context));
  unresolved::Insert insert;
  insert.table = name;
  insert.query = query;
  const bool overwrite = write.mode() == Operation::SAVE_MODE_OVERWRITE;
  if (write.has_table() &&
      write.table().save_method() == Operation::SaveTable::TABLE_SAVE_METHOD_INSERT_INTO) {
    insert.overwrite = overwrite;
    return std::optional(StatementOf(std::move(insert)));
  }
  if (table == TableState::kPresent) {
    switch (write.mode()) {
      case Operation::SAVE_MODE_IGNORE:
        return std::optional<unresolved::Statement>();
      case Operation::SAVE_MODE_APPEND:
        insert.by_name = true;
        return std::optional(StatementOf(std::move(insert)));
      case Operation::SAVE_MODE_OVERWRITE:
        if (write.has_table()) return NotImplemented("saveAsTable over a table that is there");
        insert.by_name = true;
        insert.overwrite = true;
        return std::optional(StatementOf(std::move(insert)));
      default:
        return TableExists(name);
    }
  }
  WEIR_TRY(unresolved::CreateTable create, CreateFrom(write, std::move(name), std::move(query)));
  return std::optional(StatementOf(std::move(create)));
}

Result<unresolved::Statement> DecodeWriteV2(const proto::WriteOperationV2& write,
                                            const DecodeContext& context) {
  using Operation = proto::WriteOperationV2;
  WEIR_TRY(unresolved::Name name, sql::ParseName(write.table_name()));
  WEIR_TRY(RelationPtr query, DecodeRelation(write.input(), context));
  if (!write.clustering_columns().empty()) return NotImplemented("clusterBy");
  if (write.mode() == Operation::MODE_CREATE) {
    unresolved::CreateTable create;
    create.name = std::move(name);
    create.provider = write.provider();
    create.query = std::move(query);
    create.properties = PairsOf(write.table_properties());
    create.options = PairsOf(write.options());
    for (const proto::Expression& column : write.partitioning_columns()) {
      WEIR_TRY(ExprPtr expr, DecodeExpression(column, context));
      WEIR_TRY(unresolved::PartitionTransform field, Partitioning(*expr));
      create.partitioning.push_back(std::move(field));
    }
    return StatementOf(std::move(create));
  }
  if (!write.options().empty())
    return NotImplemented("option " + write.options().begin()->first + " of a write");
  unresolved::Insert insert;
  insert.table = std::move(name);
  insert.by_name = true;
  insert.query = std::move(query);
  switch (write.mode()) {
    case Operation::MODE_APPEND:
      break;
    case Operation::MODE_OVERWRITE_PARTITIONS:
      insert.overwrite = true;
      insert.dynamic = true;
      break;
    case Operation::MODE_OVERWRITE: {
      insert.overwrite = true;
      WEIR_TRY(insert.overwritten, DecodeExpression(write.overwrite_condition(), context));
      break;
    }
    default:
      return NotImplemented("writeTo with " + Operation::Mode_Name(write.mode()));
  }
  return StatementOf(std::move(insert));
}

Result<unresolved::Statement> DecodeMerge(const proto::MergeIntoTableCommand& merge,
                                          const DecodeContext& context) {
  using When = unresolved::MergeClause::When;
  if (merge.with_schema_evolution()) return NotImplemented("MERGE WITH SCHEMA EVOLUTION");
  unresolved::Merge node;
  WEIR_TRY(node.target, sql::ParseName(merge.target_table_name()));
  WEIR_TRY(node.source, DecodeRelation(merge.source_table_plan(), context));
  WEIR_TRY(node.condition, DecodeExpression(merge.merge_condition(), context));
  WEIR_DO(AddClauses(merge.match_actions(), When::kMatched, context, node));
  WEIR_DO(AddClauses(merge.not_matched_actions(), When::kNotMatched, context, node));
  WEIR_DO(AddClauses(merge.not_matched_by_source_actions(), When::kNotMatchedBySource, context, node));
  return StatementOf(std::move(node));
}

}  // namespace weir::connect

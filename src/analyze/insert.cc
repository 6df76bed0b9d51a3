#include <algorithm>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "analyze/statement.h"
#include "analyze/store.h"
#include "analyze/target.h"
#include "base/ascii.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

std::vector<std::string> NamesOf(const std::vector<plan::Column>& columns) {
  std::vector<std::string> names;
  for (const plan::Column& column : columns) names.push_back(column.name);
  return names;
}

/// DEFAULT in VALUES is the column's default, which is NULL for every column that Weir can make.
unresolved::RelationPtr WithoutDefaults(const unresolved::RelationPtr& query) {
  const auto* values = std::get_if<unresolved::Values>(&query->node);
  if (values == nullptr) return query;
  unresolved::Values replaced = *values;
  for (auto& row : replaced.rows) {
    for (unresolved::ExprPtr& expr : row) {
      if (!std::holds_alternative<unresolved::DefaultValue>(expr->node)) continue;
      expr = std::make_shared<const unresolved::Expr>(
          unresolved::Expr{unresolved::Literal{Scalar(), {}}, expr->span});
    }
  }
  return std::make_shared<const unresolved::Relation>(unresolved::Relation{std::move(replaced), query->span});
}

class InsertResolver {
 public:
  InsertResolver(const unresolved::Insert& insert, Context& context) : insert_(insert), context_(context) {}

  Result<plan::InsertCommand> Run() {
    WEIR_TRY(target_, ResolveTarget(insert_.table, "", context_));
    if (insert_.if_partition_not_exists) return Unsupported("INSERT with IF NOT EXISTS is not implemented");
    WEIR_TRY(query_, ResolveQuery(*WithoutDefaults(insert_.query), {}, context_));
    WEIR_DO(ResolveStaticValues());
    WEIR_TRY(std::vector<size_t> sources, MatchColumns());
    WEIR_DO(CheckDefaults(sources));
    WEIR_TRY(std::vector<ExprPtr> values, Values(sources));
    plan::InsertCommand command;
    command.query = plan::MakeProject(query_.plan, std::move(values), NamesOf(columns()), context_.ids);
    command.target = target_.write;
    if (insert_.overwrite) WEIR_DO(SetOverwrite(command));
    return command;
  }

 private:
  const std::vector<plan::Column>& columns() const { return target_.write.columns; }
  const std::vector<plan::Column>& given() const { return query_.plan->output; }

  /// DEFAULT is NULL, so a column that cannot be NULL takes none.
  Status CheckDefaults(const std::vector<size_t>& sources) const {
    const auto* values = std::get_if<unresolved::Values>(&insert_.query->node);
    if (values == nullptr) return {};
    for (size_t i = 0; i < columns().size(); ++i) {
      if (columns()[i].nullable || sources[i] == kNone || static_values_[i] != nullptr) continue;
      for (const auto& row : values->rows) {
        if (sources[i] < row.size() &&
            std::holds_alternative<unresolved::DefaultValue>(row[sources[i]]->node))
          return NoDefault(columns()[i].name);
      }
    }
    return {};
  }

  /// Columns whose values are the partition's: identity fields of the current spec.
  bool IsPartitionColumn(size_t position) const {
    const table::Snapshot& snapshot = *target_.write.snapshot;
    FieldId id = snapshot.schema.fields[position].id;
    return std::ranges::any_of(snapshot.default_spec().fields, [&](const table::PartitionField& field) {
      return field.source_id == id && field.transform.kind == Transform::Kind::kIdentity;
    });
  }

  /// Spark reads the text of the literal, whatever its type: k = true is no INT, k = 6L is.
  Result<Scalar> PartitionValue(const unresolved::Expr& value, const Type& type) {
    WEIR_TRY(const ExprPtr given, ResolveExpression(value, Names(), context_));
    const bool by_text = given->type().kind() == TypeKind::kFloat || !AlwaysWidens(given->type(), type);
    if (!by_text) return ConstantValue(given, type, context_);
    WEIR_TRY(Scalar text, ConstantValue(given, Type::String(), context_));
    return ConstantValue(MakeLiteral(std::move(text)), type, context_);
  }

  Status ResolveStaticValues() {
    static_values_.resize(columns().size());
    std::vector<std::string> seen;
    for (const unresolved::StaticPartition& partition : insert_.partition) {
      if (std::ranges::find(seen, AsciiLower(partition.column)) != seen.end()) {
        return Condition("DUPLICATE_KEY", "23505", {{"keyColumn", QuoteName({partition.column})}},
                         fmt::format("PARTITION names {} twice", QuoteName({partition.column})));
      }
      seen.push_back(AsciiLower(partition.column));
      auto position = ColumnPosition(target_, partition.column);
      if (!position || !IsPartitionColumn(*position)) {
        return Condition("NON_PARTITION_COLUMN", "42000", {{"columnName", QuoteName({partition.column})}},
                         fmt::format("{} is not a partition column of {}", QuoteName({partition.column}),
                                     target_.quoted_name));
      }
      if (partition.value == nullptr) continue;
      WEIR_TRY(Scalar value, PartitionValue(*partition.value, columns()[*position].type));
      static_values_[*position] = MakeLiteral(std::move(value));
    }
    return {};
  }

  /// The values' names, those of PARTITION at their columns' places.
  std::vector<std::string> DataNames() const {
    std::vector<std::string> names;
    size_t next = 0;
    for (size_t i = 0; i < columns().size(); ++i) {
      if (static_values_[i] != nullptr)
        names.push_back(columns()[i].name);
      else if (next < given().size())
        names.push_back(given()[next++].name);
    }
    for (; next < given().size(); ++next) names.push_back(given()[next].name);
    return names;
  }

  Error ArityMismatch(std::string_view kind, const std::vector<std::string>& wanted) const {
    std::string tables = QuoteNames(wanted), data = QuoteNames(DataNames());
    return Condition(
        fmt::format("INSERT_COLUMN_ARITY_MISMATCH.{}", kind), "21S01",
        {{"tableName", target_.quoted_name}, {"tableColumns", tables}, {"dataColumns", data}},
        fmt::format("cannot write to {}: columns {} get the values {}", target_.quoted_name, tables, data));
  }

  /// Columns that get values by position, in order.
  Result<std::vector<size_t>> ListedColumns() const {
    std::vector<size_t> listed;
    for (const std::string& name : insert_.columns) {
      WEIR_TRY(size_t position, ColumnPosition(target_, name));
      if (std::ranges::find(listed, position) != listed.end()) {
        return Condition("COLUMN_ALREADY_EXISTS", "42711", {{"columnName", QuoteName({AsciiLower(name)})}},
                         fmt::format("the column list names {} twice", QuoteName({name})));
      }
      listed.push_back(position);
    }
    if (!insert_.columns.empty()) return listed;
    for (size_t i = 0; i < columns().size(); ++i) {
      if (static_values_[i] == nullptr) listed.push_back(i);
    }
    return listed;
  }

  /// For each column of the table the position of its value in the query, or kNone.
  Result<std::vector<size_t>> MatchColumns() const {
    if (insert_.by_name) return MatchByName();
    WEIR_TRY(std::vector<size_t> listed, ListedColumns());
    std::vector<std::string> wanted = insert_.columns.empty() ? NamesOf(columns()) : insert_.columns;
    if (given().size() < listed.size()) return ArityMismatch("NOT_ENOUGH_DATA_COLUMNS", wanted);
    if (given().size() > listed.size()) return ArityMismatch("TOO_MANY_DATA_COLUMNS", wanted);
    std::vector<size_t> sources(columns().size(), kNone);
    for (size_t i = 0; i < listed.size(); ++i) sources[listed[i]] = i;
    return sources;
  }

  Result<std::vector<size_t>> MatchByName() const {
    std::vector<size_t> sources(columns().size(), kNone);
    std::vector<std::string> extra;
    for (size_t i = 0; i < given().size(); ++i) {
      auto found = std::ranges::find_if(columns(), [&](const plan::Column& column) {
        return EqualsIgnoringAsciiCase(column.name, given()[i].name);
      });
      if (found == columns().end()) {
        extra.push_back(given()[i].name);
        continue;
      }
      size_t position = static_cast<size_t>(found - columns().begin());
      if (sources[position] != kNone) {
        StoreTarget target{target_.quoted_name, {found->name}, true};
        return IncompatibleData("AMBIGUOUS_COLUMN_NAME", target, {},
                                fmt::format("several values are named {}", QuoteName({found->name})));
      }
      sources[position] = i;
    }
    if (extra.empty()) return sources;
    if (given().size() > columns().size()) return ArityMismatch("TOO_MANY_DATA_COLUMNS", NamesOf(columns()));
    StoreTarget table{target_.quoted_name, {}, true};
    return IncompatibleData("EXTRA_COLUMNS", table, {{"extraColumns", QuoteNames(extra)}},
                            fmt::format("the table lacks columns {}", QuoteNames(extra)));
  }

  Result<std::vector<ExprPtr>> Values(const std::vector<size_t>& sources) {
    std::vector<ExprPtr> values;
    for (size_t i = 0; i < columns().size(); ++i) {
      StoreTarget target{target_.quoted_name, {columns()[i].name}, insert_.by_name};
      if (static_values_[i] != nullptr) {
        values.push_back(static_values_[i]);
      } else if (sources[i] != kNone) {
        WEIR_TRY(ExprPtr value,
                 StoreAs(plan::ColumnExpr(given()[sources[i]]), columns()[i].type, target, context_));
        values.push_back(std::move(value));
      } else if (columns()[i].nullable) {
        values.push_back(MakeLiteral(Scalar::Null(columns()[i].type)));
      } else {
        return IncompatibleData("CANNOT_FIND_DATA", target, {},
                                fmt::format("there is no value for {}", QuoteName(target.path)));
      }
    }
    return values;
  }

  Status SetOverwrite(plan::InsertCommand& command) {
    const bool told = insert_.dynamic || insert_.overwritten != nullptr;
    if (insert_.dynamic || (!told && context_.settings.dynamic_partition_overwrite)) {
      command.mode = plan::InsertCommand::Mode::kOverwriteDynamic;
      return {};
    }
    command.mode = plan::InsertCommand::Mode::kOverwriteStatic;
    if (insert_.overwritten != nullptr) {
      Names names;
      names.scopes = {&target_.scope};
      WEIR_TRY(command.overwrite, ResolveCondition(*insert_.overwritten, names, context_, "filter"));
      return CheckWhere(command.overwrite);
    }
    std::vector<ExprPtr> replaced;
    for (size_t i = 0; i < columns().size(); ++i) {
      if (static_values_[i] == nullptr) continue;
      replaced.push_back(MakePredicate("<=>", {plan::ColumnExpr(columns()[i]), static_values_[i]}));
    }
    if (!replaced.empty()) command.overwrite = Conjunction(std::move(replaced));
    return {};
  }

  const unresolved::Insert& insert_;
  Context& context_;
  Target target_;
  Query query_;
  std::vector<ExprPtr> static_values_;  ///< Parallel to the table's columns; null where PARTITION gives none.
};

}  // namespace

Result<plan::InsertCommand> ResolveInsert(const unresolved::Insert& insert, Context& context) {
  return InsertResolver(insert, context).Run();
}

}  // namespace weir::analyze

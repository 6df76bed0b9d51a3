#include <algorithm>
#include <set>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/generator.h"
#include "analyze/grouping.h"
#include "analyze/query.h"
#include "analyze/star.h"
#include "analyze/window.h"
#include "base/ascii.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using Visibility = ScopeColumn::Visibility;

class SelectResolver {
 public:
  SelectResolver(const unresolved::Select& select, const unresolved::Sort* sort,
                 const Environment& environment, Context& context)
      : select_(select), sort_(sort), environment_(environment), context_(context), windows_(context) {}

  Result<Query> Run() {
    WEIR_TRY(from_, ResolveRelation(*select_.from, environment_, context_));
    WEIR_DO(ResolveItems());
    plan::NodePtr input = from_.plan;
    bool grouped =
        !select_.group_by.empty() || select_.group_by_all || select_.having != nullptr ||
        std::ranges::any_of(items_, [](const NamedExpr& item) { return HasAggregate(*item.expr); }) ||
        std::ranges::any_of(generators_, [](const Generator& one) { return HasAggregate(*one.call); });
    if (grouped) {
      WEIR_TRY(GroupBy group_by, GroupKeys());
      keys_ = group_by.keys;
      grouping_.emplace(std::move(group_by), from_.plan, context_);
    }
    std::vector<ExprPtr> values;
    for (const NamedExpr& item : items_) {
      WEIR_TRY(ExprPtr value, OverGroups(item.expr));
      WEIR_TRY(value, windows_.Replace(value));
      values.push_back(std::move(value));
    }
    ExprPtr having;
    if (select_.having) {
      WEIR_TRY(having, ResolveHaving());
    }
    MakeOutput(values);
    if (select_.distinct) WEIR_DO(CheckComparable(OutputColumns()));
    WEIR_TRY(std::vector<plan::SortKey> sort_keys, SortKeys());
    WEIR_DO(GroupGenerators());
    if (grouping_) input = grouping_->Plan();
    if (having) input = plan::MakeFilter(std::move(input), std::move(having));
    // Rows of each generator with those of all before it.
    for (const Generator& generator : generators_) input = MakeGenerate(std::move(input), generator);
    input = windows_.Over(std::move(input));
    return Finish(std::move(input), std::move(values), std::move(sort_keys));
  }

 private:
  Names InputNames() const {
    Names names;
    names.scopes = {&from_.scope};
    names.environment = environment_;
    return names;
  }

  Result<ExprPtr> OverGroups(const ExprPtr& expr) {
    if (!grouping_) return expr;
    return grouping_->Over(expr);
  }

  /// HAVING and ORDER BY do not know a column that is neither grouped nor in the select list.
  Result<ExprPtr> OverGroupsOrOutputs(const ExprPtr& expr) {
    auto over = OverGroups(expr);
    if (over || over.error().condition() == nullptr) return over;
    const ErrorCondition& condition = *over.error().condition();
    if (condition.name != "MISSING_AGGREGATION") return over;
    std::string name = condition.parameters[0].second;
    std::erase(name, '"');
    std::vector<unresolved::Name> candidates;
    for (const NamedExpr& item : items_) candidates.push_back({item.name});
    return UnresolvedColumn({name}, candidates);
  }

  /// An item that is a generator stands for all its columns, which items further right can read.
  Result<bool> ResolveGeneratorItem(const unresolved::Expr& item) {
    const unresolved::Expr* expr = &item;
    std::vector<std::string> columns;
    if (const auto* alias = std::get_if<unresolved::Alias>(&item.node)) {
      expr = alias->input.get();
      columns = {alias->name};
    } else if (const auto* aliases = std::get_if<unresolved::MultiAlias>(&item.node)) {
      expr = aliases->input.get();
      columns = aliases->names;
    }
    if (!IsGenerator(*expr)) return false;
    Names names = InputNames();
    names.laterals = &laterals_;
    auto generator = ResolveGenerator(std::get<unresolved::Call>(expr->node), columns, names, context_);
    if (!generator) return std::move(generator).error().WithSpan(item.span, context_.text);
    for (const plan::Column& column : generator->columns) {
      items_.push_back({column.name, plan::ColumnExpr(column)});
      generated_.columns.push_back({column, {}, Visibility::kVisible});
    }
    generators_.push_back(*std::move(generator));
    return true;
  }

  Status GroupGenerators() {
    for (Generator& generator : generators_) {
      WEIR_TRY(generator.call, OverGroups(generator.call));
    }
    return {};
  }

  /// Clauses that come before the generators.
  Status CheckNotGenerated(const Expr& expr, std::string_view clause) const {
    for (ColumnId id : ColumnsOf(expr)) {
      for (const ScopeColumn& column : generated_.columns) {
        if (column.column.id != id) continue;
        return Unsupported("{} by {}, which a generator makes, is not implemented; use a subquery", clause,
                           QuoteName({column.column.name}));
      }
    }
    return {};
  }

  /// Windows are computed over the generated rows, and yet Spark does not let them read the new columns.
  Status CheckWindows(const Expr& expr) const {
    if (expr.As<WindowCall>() == nullptr) {
      for (const ExprPtr& child : Children(expr)) WEIR_DO(CheckWindows(*child));
      return {};
    }
    const std::unordered_set<ColumnId> read = ColumnsOf(expr);
    for (const ScopeColumn& column : generated_.columns) {
      if (read.contains(column.column.id)) return AliasInWindow(column.column.name, expr);
    }
    return {};
  }

  Status ResolveItems() {
    Names names = InputNames();
    names.scopes.push_back(&generated_);
    names.laterals = &laterals_;
    names.windows = &select_.windows;
    for (const unresolved::ExprPtr& item : select_.items) {
      if (const auto* star = std::get_if<unresolved::Star>(&item->node)) {
        auto columns = ExpandStar(*star, InputNames());
        if (!columns) return std::move(columns).error().WithSpan(item->span, context_.text);
        for (NamedExpr& column : *columns) items_.push_back(std::move(column));
        continue;
      }
      WEIR_TRY(const bool generated, ResolveGeneratorItem(*item));
      if (generated) continue;
      WEIR_TRY(ExprPtr expr, ResolveExpression(*item, names, context_));
      WEIR_DO(CheckWindows(*expr));
      const auto* alias = std::get_if<unresolved::Alias>(&item->node);
      std::string name = alias != nullptr ? alias->name : OutputName(*item, *expr);
      if (alias != nullptr) laterals_.push_back({name, expr});
      if (alias != nullptr) renamed_.insert(items_.size());
      std::string metadata = alias != nullptr ? alias->metadata : MetadataOfUnnamed(*expr);
      items_.push_back({std::move(name), std::move(expr), std::move(metadata)});
    }
    return {};
  }

  /// The item that a position names. Errors: `condition` when there is none.
  Result<size_t> Position(const unresolved::Expr& expr, std::string_view condition) const {
    const auto* literal = std::get_if<unresolved::Literal>(&expr.node);
    int64_t position = literal->value.integer();
    if (position >= 1 && position <= static_cast<int64_t>(items_.size()))
      return static_cast<size_t>(position) - 1;
    return Condition(condition, "42805",
                     {{"index", std::to_string(position)}, {"size", std::to_string(items_.size())}},
                     fmt::format("position {} is not in the select list, which has {} items", position,
                                 items_.size()))
        .WithSpan(expr.span, context_.text);
  }

  static bool IsPosition(const unresolved::Expr& expr) {
    const auto* literal = std::get_if<unresolved::Literal>(&expr.node);
    return literal != nullptr && literal->value.type().kind() == TypeKind::kInt && !literal->value.is_null();
  }

  bool HasStar() const {
    return std::ranges::any_of(select_.items, [](const unresolved::ExprPtr& item) {
      return std::holds_alternative<unresolved::Star>(item->node);
    });
  }

  Result<GroupBy> GroupKeys() {
    // A column of that name comes before the keyword.
    if (select_.group_by_all && !from_.scope.Find({"all"}).empty()) {
      const auto column =
          std::make_shared<const unresolved::Expr>(unresolved::Expr{unresolved::Attribute{{"all"}}, {}});
      return ResolveGroupBy({column}, [this](const unresolved::Expr& key) { return GroupKey(key); });
    }
    if (!select_.group_by_all) {
      return ResolveGroupBy(select_.group_by, [this](const unresolved::Expr& key) { return GroupKey(key); });
    }
    GroupBy all;
    for (const NamedExpr& item : items_) {
      if (HasAggregate(*item.expr) || HasWindow(*item.expr)) continue;
      WEIR_DO(CheckNotGenerated(*item.expr, "GROUP BY ALL"));
      const bool known =
          std::ranges::any_of(all.keys, [&](const ExprPtr& key) { return SameExpr(*key, *item.expr); });
      if (!known) all.keys.push_back(item.expr);
    }
    return all;
  }

  Result<ExprPtr> GroupKey(const unresolved::Expr& written) {
    WEIR_TRY(ExprPtr key, AnyGroupKey(written));
    if (HasWindow(*key)) return WindowNotAllowed(*key).WithSpan(written.span, context_.text);
    WEIR_DO(CheckNotGenerated(*key, "GROUP BY"));
    return key;
  }

  Result<ExprPtr> AnyGroupKey(const unresolved::Expr& written) {
    if (IsPosition(written)) {
      if (HasStar()) {
        return Condition("STAR_GROUP_BY_POS", "0A000", {}, "GROUP BY a position beside * in the select list");
      }
      WEIR_TRY(size_t position, Position(written, "GROUP_BY_POS_OUT_OF_RANGE"));
      const NamedExpr& item = items_[position];
      if (!HasAggregate(*item.expr)) return item.expr;
      std::string shown = fmt::format("{} AS {}", PrettySql(*item.expr), QuoteName({item.name}));
      return Condition("GROUP_BY_POS_AGGREGATE", "42903",
                       {{"index", std::to_string(position + 1)}, {"aggExpr", shown}},
                       fmt::format("GROUP BY {} is an aggregate function: {}", position + 1, shown))
          .WithSpan(written.span, context_.text);
    }
    WEIR_TRY(ExprPtr key, GroupExpression(written));
    if (!HasAggregate(*key)) return key;
    std::string shown = PrettySql(*key);
    return Condition("GROUP_BY_AGGREGATE", "42903", {{"sqlExpr", shown}},
                     fmt::format("GROUP BY cannot hold the aggregate function {}", shown))
        .WithSpan(written.span, context_.text);
  }

  /// A name means a column of the input, and only if there is none an alias of the select list.
  Result<ExprPtr> GroupExpression(const unresolved::Expr& written) {
    Names names = InputNames();
    const auto* attribute = std::get_if<unresolved::Attribute>(&written.node);
    if (attribute != nullptr && attribute->parts.size() == 1 && from_.scope.Find(attribute->parts).empty()) {
      for (const NamedExpr& lateral : laterals_) {
        if (EqualsIgnoringAsciiCase(lateral.name, attribute->parts[0])) return lateral.expr;
      }
    }
    return ResolveExpression(written, names, context_);
  }

  Result<ExprPtr> ResolveHaving() {
    Names names = InputNames();
    names.group_keys = &keys_;
    names.outputs = &items_;
    names.aggregate_arguments = &from_.scope;
    names.windows = &select_.windows;
    WEIR_TRY(ExprPtr having, ResolveExpression(*select_.having, names, context_));
    WEIR_DO(CheckNoWindow(*having, "HAVING"));
    WEIR_DO(CheckNotGenerated(*having, "HAVING"));
    WEIR_TRY(having, CastToCondition(having, context_));
    return OverGroupsOrOutputs(having);
  }

  /// Output columns; a plain column keeps its table's name for ORDER BY t.k.
  void MakeOutput(const std::vector<ExprPtr>& values) {
    std::map<ColumnId, std::vector<ColumnId>> kept;
    for (size_t i = 0; i < items_.size(); ++i) {
      plan::Column column{context_.ids.Next(), items_[i].name, values[i]->type(), values[i]->nullable(),
                          items_[i].metadata};
      unresolved::Name qualifier;
      const ColumnRef* passed = items_[i].expr->As<ColumnRef>();
      if (passed != nullptr && !renamed_.contains(i)) kept[passed->id].push_back(column.id);
      for (const ScopeColumn& source : from_.scope.columns) {
        if (passed == nullptr || source.column.id != passed->id) continue;
        column.metadata = source.column.metadata;
        if (EqualsIgnoringAsciiCase(source.column.name, column.name)) qualifier = source.qualifier;
      }
      output_.columns.push_back({std::move(column), std::move(qualifier), Visibility::kVisible});
    }
    output_.origins = PassedOn(from_.scope.origins, kept);
  }

  std::vector<plan::Column> OutputColumns() const {
    std::vector<plan::Column> columns;
    for (const ScopeColumn& column : output_.columns) columns.push_back(column.column);
    return columns;
  }

  Result<std::vector<plan::SortKey>> SortKeys() {
    std::vector<plan::SortKey> keys;
    if (sort_ == nullptr) return keys;
    Names names = InputNames();
    names.scopes = {&output_};
    // The rows that DISTINCT leaves have no other columns.
    if (!select_.distinct) names.scopes.push_back(&from_.scope);
    names.aggregate_arguments = &from_.scope;
    names.windows = &select_.windows;
    for (const unresolved::SortKey& key : sort_->keys) {
      ExprPtr expr;
      if (IsPosition(*key.expr)) {
        WEIR_TRY(size_t position, Position(*key.expr, "ORDER_BY_POS_OUT_OF_RANGE"));
        expr = plan::ColumnExpr(output_.columns[position].column);
      } else {
        WEIR_TRY(ExprPtr resolved, ResolveExpression(*key.expr, names, context_));
        if (HasWindow(*resolved)) return WindowNotAllowed(*resolved).WithSpan(key.expr->span, context_.text);
        if (!grouping_ && HasAggregate(*resolved)) {
          return Unsupported("ORDER BY {} without GROUP BY is not implemented", PrettySql(*resolved));
        }
        WEIR_TRY(expr, OverGroupsOrOutputs(resolved));
      }
      WEIR_DO(CheckSortable(*expr, key));
      keys.push_back({std::move(expr), key.ascending, key.nulls_first});
    }
    if (sort_->all) {
      for (const ScopeColumn& column : output_.columns) {
        keys.push_back({plan::ColumnExpr(column.column), sort_->all_ascending, sort_->all_nulls_first});
      }
    }
    return keys;
  }

  /// Columns of the input that sort keys read beside the output.
  std::vector<plan::Column> SortColumns(const plan::Node& input,
                                        const std::vector<plan::SortKey>& keys) const {
    std::vector<plan::Column> columns;
    for (const plan::Column& column : input.output) {
      bool read = std::ranges::any_of(
          keys, [&](const plan::SortKey& key) { return ColumnsOf(*key.expr).contains(column.id); });
      if (read) columns.push_back(column);
    }
    return columns;
  }

  Result<Query> Finish(plan::NodePtr input, std::vector<ExprPtr> values, std::vector<plan::SortKey> keys) {
    std::vector<plan::Column> visible = OutputColumns();
    std::vector<plan::Column> all = visible;
    for (const plan::Column& column : SortColumns(*input, keys)) {
      values.push_back(plan::ColumnExpr(column));
      all.push_back(column);
    }
    bool extra = all.size() > visible.size();
    plan::NodePtr node = plan::MakeNode(plan::Project{std::move(values)}, {std::move(input)}, std::move(all));
    if (select_.distinct) node = plan::MakeNode(plan::Distinct{}, {std::move(node)}, visible);
    if (sort_ != nullptr) node = plan::MakeSort(std::move(node), std::move(keys));
    if (extra) {
      plan::Project last;
      for (const plan::Column& column : visible) last.exprs.push_back(plan::ColumnExpr(column));
      node = plan::MakeNode(std::move(last), {std::move(node)}, visible);
    }
    return Query{std::move(node), std::move(output_)};
  }

  const unresolved::Select& select_;
  const unresolved::Sort* sort_;
  const Environment& environment_;
  Context& context_;
  Query from_;
  std::vector<NamedExpr> items_;     ///< Over the input's columns, aggregate calls included.
  std::vector<NamedExpr> laterals_;  ///< Those with an alias.
  std::set<size_t> renamed_;         ///< Items with an alias: a new column, even of the same name.
  std::vector<ExprPtr> keys_;        ///< Of GROUP BY.
  std::optional<Grouping> grouping_;
  std::vector<Generator> generators_;
  Scope generated_;  ///< Their columns.
  Windows windows_;
  Scope output_;
};

}  // namespace

Result<Query> ResolveSelect(const unresolved::Select& select, const unresolved::Sort* sort,
                            const Environment& environment, Context& context) {
  return SelectResolver(select, sort, environment, context).Run();
}

}  // namespace weir::analyze

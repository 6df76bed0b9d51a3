#include "analyze/scope.h"

#include <algorithm>

#include "analyze/conditions.h"
#include "base/ascii.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using unresolved::Name;
using Visibility = ScopeColumn::Visibility;

/// True if the first `count` parts of the name are a suffix of the qualifier.
bool QualifierMatches(const Name& qualifier, const Name& name, size_t count) {
  if (count > qualifier.size()) return false;
  return std::equal(name.begin(), name.begin() + static_cast<ptrdiff_t>(count),
                    qualifier.end() - static_cast<ptrdiff_t>(count), EqualsIgnoringAsciiCase);
}

std::vector<Scope::Match> FindAt(const Scope& scope, const Name& name, size_t qualifier_parts,
                                 bool metadata) {
  std::vector<Scope::Match> matches;
  for (const ScopeColumn& column : scope.columns) {
    bool hidden = column.visibility == Visibility::kMetadata ||
                  (column.visibility == Visibility::kQualifiedOnly && qualifier_parts == 0);
    if (hidden != metadata || !EqualsIgnoringAsciiCase(column.column.name, name[qualifier_parts])) continue;
    if (!QualifierMatches(column.qualifier, name, qualifier_parts)) continue;
    bool known = std::ranges::any_of(
        matches, [&](const Scope::Match& match) { return match.column->column.id == column.column.id; });
    if (!known) matches.push_back({&column, qualifier_parts + 1});
  }
  return matches;
}

Name QualifiedNameOf(const ScopeColumn& column) {
  Name name = column.qualifier;
  name.push_back(column.column.name);
  return name;
}

/// The rest of the name goes down into structs.
Result<ExprPtr> WithMembers(ExprPtr base, const Name& name, size_t first) {
  for (size_t i = first; i < name.size(); ++i) {
    WEIR_TRY(base, Member(base, name[i]));
  }
  return base;
}

Result<ExprPtr> FromMatches(const std::vector<Scope::Match>& matches, const Name& name) {
  if (matches.size() > 1) {
    std::vector<Name> all;
    for (const Scope::Match& match : matches) all.push_back(QualifiedNameOf(*match.column));
    return AmbiguousReference(name, all);
  }
  plan::Column column = matches[0].column->column;
  // Spark shows a column as the query spells it.
  column.name = name[matches[0].parts - 1];
  return WithMembers(plan::ColumnExpr(column), name, matches[0].parts);
}

std::vector<const NamedExpr*> Named(const std::vector<NamedExpr>* list, const std::string& name) {
  std::vector<const NamedExpr*> found;
  if (list == nullptr) return found;
  for (const NamedExpr& item : *list) {
    if (EqualsIgnoringAsciiCase(item.name, name)) found.push_back(&item);
  }
  return found;
}

ExprPtr WithText(const Expr& expr, std::string text) {
  return std::make_shared<const Expr>(expr.node(), expr.type(), expr.nullable(), std::move(text));
}

/// An expression that is used twice doubles at each level of nesting.
constexpr size_t kMaxSharedNodes = 10'000;

/// Nodes of the expression, counted up to `limit`.
size_t NodeCount(const Expr& expr, size_t limit) {
  size_t count = 1;
  for (const ExprPtr& child : Children(expr)) {
    if (count >= limit) break;
    count += NodeCount(*child, limit - count);
  }
  return count;
}

Result<ExprPtr> FromGroupKeys(const Name& name, const Names& names) {
  if (names.group_keys == nullptr) return ExprPtr();
  for (const Scope* scope : names.scopes) {
    std::vector<Scope::Match> matches = scope->Find(name);
    if (matches.size() != 1) continue;
    const bool is_key = std::ranges::any_of(*names.group_keys, [&](const ExprPtr& key) {
      const ColumnRef* column = key->As<ColumnRef>();
      return column != nullptr && column->id == matches[0].column->column.id;
    });
    if (is_key) return FromMatches(matches, name);
  }
  return ExprPtr();
}

Result<ExprPtr> FromOutputs(const Name& name, const Names& names) {
  std::vector<const NamedExpr*> found = Named(names.outputs, name[0]);
  // HAVING comes before windows.
  std::erase_if(found, [](const NamedExpr* item) { return HasWindow(*item->expr); });
  if (found.empty()) return ExprPtr();
  if (found.size() > 1) return AmbiguousReference(name, std::vector<Name>(found.size(), Name{name[0]}));
  if (!IsRepeatable(*found[0]->expr)) {
    return Unsupported("HAVING on {}, which is not deterministic, is not implemented", QuoteName(name));
  }
  return WithMembers(WithText(*found[0]->expr, name[0]), name, 1);
}

Result<ExprPtr> FromLaterals(const Name& name, const Names& names) {
  std::vector<const NamedExpr*> found = Named(names.laterals, name[0]);
  if (found.empty()) return ExprPtr();
  if (found.size() > 1) {
    return Condition("AMBIGUOUS_LATERAL_COLUMN_ALIAS", "42702",
                     {{"name", QuoteName(name)}, {"n", std::to_string(found.size())}},
                     fmt::format("{} columns further left are named {}", found.size(), QuoteName(name)));
  }
  if (!IsRepeatable(*found[0]->expr)) {
    return Unsupported("{} refers to a non-deterministic column of the same select list", QuoteName(name));
  }
  WEIR_DO(CheckSize(*found[0]->expr));
  return WithMembers(WithText(*found[0]->expr, fmt::format("lateralAliasReference({})", name[0])), name, 1);
}

Result<ExprPtr> FromOuter(const Name& name, const Environment& environment) {
  if (environment.outer == nullptr) return ExprPtr();
  Names outer = *environment.outer;
  // Aliases of the select list are no columns, which is all that a subquery sees.
  outer.laterals = nullptr;
  for (const NamedExpr* item : Named(outer.outputs, name[0])) {
    if (item->expr->As<ColumnRef>() == nullptr) {
      return Unsupported("{} of the select list in a subquery of HAVING is not implemented", QuoteName(name));
    }
  }
  WEIR_TRY(ExprPtr expr, FindName(name, outer));
  if (expr == nullptr) return expr;
  for (ColumnId id : ColumnsOf(*expr)) {
    std::vector<ColumnId>& used = *environment.outer_used;
    if (std::ranges::find(used, id) == used.end()) used.push_back(id);
  }
  return expr;
}

}  // namespace

std::vector<Scope::Match> Scope::Find(const Name& name) const {
  size_t most = std::min<size_t>(name.size() - 1, 3);
  for (size_t qualifier_parts = most + 1; qualifier_parts-- > 0;) {
    std::vector<Match> matches = FindAt(*this, name, qualifier_parts, false);
    if (!matches.empty()) return matches;
  }
  for (size_t qualifier_parts = most + 1; qualifier_parts-- > 0;) {
    std::vector<Match> matches = FindAt(*this, name, qualifier_parts, true);
    // A key that USING merged has a visible twin.
    std::erase_if(matches,
                  [](const Match& match) { return match.column->visibility != Visibility::kMetadata; });
    if (!matches.empty()) return matches;
  }
  return {};
}

std::vector<Name> Scope::Candidates() const {
  std::vector<Name> names;
  for (const ScopeColumn& column : columns) {
    if (column.visibility == Visibility::kVisible) names.push_back(QualifiedNameOf(column));
  }
  std::ranges::stable_sort(names, {}, [](const Name& name) { return name.back(); });
  return names;
}

Result<ExprPtr> FindName(const Name& name, const Names& names) {
  WEIR_TRY(ExprPtr key, FromGroupKeys(name, names));
  if (key != nullptr) return key;
  WEIR_TRY(ExprPtr output, FromOutputs(name, names));
  if (output != nullptr) return output;
  for (const Scope* scope : names.scopes) {
    std::vector<Scope::Match> matches = scope->Find(name);
    if (!matches.empty()) return FromMatches(matches, name);
  }
  WEIR_TRY(ExprPtr lateral, FromLaterals(name, names));
  if (lateral != nullptr) return lateral;
  return FromOuter(name, names.environment);
}

std::vector<Name> CandidatesOf(const Names& names) {
  if (names.suggestions != nullptr) return *names.suggestions;
  if (names.outputs != nullptr) {
    std::vector<Name> candidates;
    for (const NamedExpr& item : *names.outputs) {
      if (!HasWindow(*item.expr)) candidates.push_back({item.name});
    }
    return candidates;
  }
  return names.scopes.empty() ? std::vector<Name>() : names.scopes[0]->Candidates();
}

Result<ExprPtr> ResolveName(const Name& name, const Names& names) {
  WEIR_TRY(ExprPtr found, FindName(name, names));
  if (found != nullptr) return found;
  return UnresolvedColumn(name, CandidatesOf(names));
}

Result<ExprPtr> ResolveOfPlan(const Name& name, unresolved::PlanId plan, const Names& names) {
  const std::string quoted = QuoteName(name);
  for (const Scope* scope : names.scopes) {
    std::vector<const plan::Column*> found;
    for (const Origin& origin : scope->origins) {
      if (origin.plan != plan) continue;
      for (const plan::Column& column : origin.columns) {
        bool same = EqualsIgnoringAsciiCase(column.name, name[0]);
        bool known =
            std::ranges::any_of(found, [&](const plan::Column* one) { return one->id == column.id; });
        if (same && !known) found.push_back(&column);
      }
    }
    if (found.size() > 1) {
      return Condition(
          "AMBIGUOUS_COLUMN_REFERENCE", "42702", {{"name", quoted}},
          fmt::format("{} may be a column of either side; give the sides names with alias()", quoted));
    }
    if (found.empty()) continue;
    plan::Column column = *found[0];
    column.name = name[0];
    // A join may have made it nullable since.
    for (const ScopeColumn& now : scope->columns) {
      if (now.column.id == column.id) column.nullable = now.column.nullable;
    }
    return WithMembers(plan::ColumnExpr(column), name, 1);
  }
  if (names.environment.outer != nullptr) {
    WEIR_TRY(ExprPtr outer, ResolveOfPlan(name, plan, *names.environment.outer));
    for (ColumnId id : ColumnsOf(*outer)) {
      std::vector<ColumnId>& used = *names.environment.outer_used;
      if (std::ranges::find(used, id) == used.end()) used.push_back(id);
    }
    return outer;
  }
  return Condition(
      "CANNOT_RESOLVE_DATAFRAME_COLUMN", "42704", {{"name", quoted}},
      fmt::format("{} is a column of a DataFrame that is not read here, or that has been left out", quoted));
}

std::vector<Origin> PassedOn(const std::vector<Origin>& origins,
                             const std::map<ColumnId, std::vector<ColumnId>>& renamed) {
  std::vector<Origin> passed;
  for (const Origin& origin : origins) {
    Origin kept{origin.plan, {}};
    for (const plan::Column& column : origin.columns) {
      const auto found = renamed.find(column.id);
      if (found == renamed.end()) continue;
      kept.columns.push_back(column);
      kept.columns.back().id = found->second[0];
    }
    if (!kept.columns.empty()) passed.push_back(std::move(kept));
  }
  return passed;
}

bool IsRepeatable(const plan::Node& node) {
  return std::ranges::all_of(plan::ExprsOf(node), [](const ExprPtr& expr) { return IsRepeatable(*expr); }) &&
         std::ranges::all_of(node.inputs, [](const plan::NodePtr& input) { return IsRepeatable(*input); });
}

bool IsRepeatable(const Expr& expr) {
  if (const Call* call = expr.As<Call>(); call != nullptr && !call->function->deterministic) return false;
  if (const Subquery* subquery = expr.As<Subquery>(); subquery != nullptr && !IsRepeatable(*subquery->plan)) {
    return false;
  }
  return std::ranges::all_of(Children(expr), [](const ExprPtr& child) { return IsRepeatable(*child); });
}

Status CheckSize(const Expr& expr) {
  if (NodeCount(expr, kMaxSharedNodes) < kMaxSharedNodes) return {};
  return Unsupported("an expression of more than {} parts cannot be used twice", kMaxSharedNodes);
}

Result<ExprPtr> Member(const ExprPtr& base, const std::string& field) {
  const Type& type = base->type();
  if (type.kind() == TypeKind::kMap) {
    Call call{.function = FindFunction("[]"), .args = {base, MakeLiteral(Scalar::String(field))}};
    return std::make_shared<const Expr>(std::move(call), type.fields()[1].type, true);
  }
  if (type.kind() == TypeKind::kArray && type.fields()[0].type.kind() == TypeKind::kStruct) {
    return Unsupported("member {} of every element of an array is not implemented", QuoteName({field}));
  }
  if (type.kind() != TypeKind::kStruct) {
    std::string shown = QuoteSql(PrettySql(*base));
    return Condition("INVALID_EXTRACT_BASE_FIELD_TYPE", "42000", {{"base", shown}, {"other", Quoted(type)}},
                     fmt::format("{} has type {} and no members", shown, Quoted(type)));
  }
  std::vector<size_t> found;
  std::vector<std::string> members;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    members.push_back(type.fields()[i].name);
    if (EqualsIgnoringAsciiCase(members.back(), field)) found.push_back(i);
  }
  std::string quoted = QuoteName({field});
  if (found.empty()) {
    return Condition("FIELD_NOT_FOUND", "42704", {{"fieldName", quoted}, {"fields", QuoteNames(members)}},
                     fmt::format("there is no member {} among {}", quoted, QuoteNames(members)));
  }
  if (found.size() > 1) {
    return Condition("AMBIGUOUS_REFERENCE_TO_FIELDS", "42000",
                     {{"field", quoted}, {"count", std::to_string(found.size())}},
                     fmt::format("{} members are named {}", found.size(), quoted));
  }
  const Field& member = type.fields()[found[0]];
  return std::make_shared<const Expr>(GetField{base, static_cast<int32_t>(found[0]), field}, member.type,
                                      base->nullable() || !member.required);
}

Scope ScopeOf(const std::vector<plan::Column>& columns, const Name& qualifier) {
  Scope scope;
  for (const plan::Column& column : columns)
    scope.columns.push_back({column, qualifier, Visibility::kVisible});
  return scope;
}

}  // namespace weir::analyze

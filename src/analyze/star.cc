#include "analyze/star.h"

#include <algorithm>
#include <set>

#include "analyze/conditions.h"
#include "base/ascii.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using unresolved::Name;
using Visibility = ScopeColumn::Visibility;

bool EndsWith(const Name& qualifier, const Name& suffix) {
  return suffix.size() <= qualifier.size() &&
         std::equal(suffix.begin(), suffix.end(), qualifier.end() - static_cast<ptrdiff_t>(suffix.size()),
                    EqualsIgnoringAsciiCase);
}

std::vector<NamedExpr> MembersOf(const ExprPtr& base) {
  std::vector<NamedExpr> members;
  const std::vector<Field>& fields = base->type().fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    members.push_back({fields[i].name, std::make_shared<const Expr>(
                                           GetField{base, static_cast<int32_t>(i), fields[i].name},
                                           fields[i].type, base->nullable() || !fields[i].required)});
  }
  return members;
}

Error CannotExpand(const Name& qualifier, const Scope* scope) {
  std::set<std::string> sorted;
  if (scope != nullptr) {
    for (const ScopeColumn& column : scope->columns) {
      if (column.visibility == Visibility::kVisible) sorted.insert(column.column.name);
    }
  }
  std::string columns = QuoteNames({sorted.begin(), sorted.end()});
  return Condition(
      "CANNOT_RESOLVE_STAR_EXPAND", "42704", {{"targetString", QuoteName(qualifier)}, {"columns", columns}},
      fmt::format("{}.* names no table or struct in reach; columns are {}", QuoteName(qualifier), columns));
}

Result<std::vector<NamedExpr>> Expand(const unresolved::Star& star, const Names& names) {
  const Scope* scope = names.scopes.empty() ? nullptr : names.scopes[0];
  std::vector<NamedExpr> columns;
  for (const ScopeColumn& column : scope == nullptr ? std::vector<ScopeColumn>() : scope->columns) {
    if (column.visibility == Visibility::kMetadata) continue;
    bool wanted = star.qualifier.empty() ? column.visibility == Visibility::kVisible
                                         : EndsWith(column.qualifier, star.qualifier);
    if (wanted) columns.push_back({column.column.name, plan::ColumnExpr(column.column)});
  }
  if (!star.qualifier.empty() && columns.empty()) {
    WEIR_TRY(ExprPtr base, FindName(star.qualifier, names));
    if (base == nullptr || base->type().kind() != TypeKind::kStruct)
      return CannotExpand(star.qualifier, scope);
    return MembersOf(base);
  }
  return columns;
}

}  // namespace

Result<std::vector<NamedExpr>> ExpandStar(const unresolved::Star& star, const Names& names) {
  WEIR_TRY(std::vector<NamedExpr> columns, Expand(star, names));
  for (const Name& excluded : star.except) {
    WEIR_TRY(ExprPtr target, FindName(excluded, names));
    if (target == nullptr) return UnresolvedColumn(excluded, CandidatesOf(names));
    const ColumnRef* column = target->As<ColumnRef>();
    if (column == nullptr)
      return Unsupported("EXCEPT of a struct member ({}) is not implemented", QuoteName(excluded));
    size_t before = columns.size();
    std::erase_if(columns, [&](const NamedExpr& one) {
      const ColumnRef* candidate = one.expr->As<ColumnRef>();
      return candidate != nullptr && candidate->id == column->id;
    });
    if (columns.size() == before) return UnresolvedColumn(excluded, CandidatesOf(names));
  }
  return columns;
}

Result<ExprPtr> MakeStruct(const std::vector<unresolved::ExprPtr>& written, std::vector<ExprPtr> args,
                           const Context& context) {
  std::vector<ExprPtr> pairs;
  std::string text = "struct(";
  bool starred = written.size() != args.size();
  for (size_t i = 0; i < args.size(); ++i) {
    std::string name = fmt::format("col{}", i + 1), shown = PrettySql(*args[i]);
    if (const ColumnRef* column = args[i]->As<ColumnRef>()) name = column->name;
    if (const GetField* member = args[i]->As<GetField>()) name = member->name;
    const auto* alias = starred ? nullptr : std::get_if<unresolved::Alias>(&written[i]->node);
    if (alias != nullptr) {
      name = alias->name;
      shown += fmt::format(" AS {}", name);
    }
    text += (i == 0 ? "" : ", ") + shown;
    pairs.push_back(MakeLiteral(Scalar::String(name)));
    pairs.push_back(args[i]);
  }
  WEIR_TRY(ExprPtr made, MakeCall("named_struct", std::move(pairs), context));
  return ShownAs(made, text + ")");
}

}  // namespace weir::analyze

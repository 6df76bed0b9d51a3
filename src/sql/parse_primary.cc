#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::ExprPtr;

/// A base with everything that binds tighter than a unary operator behind it.
Result<ExprPtr> Grammar::Primary() {
  const Cursor::Chain chain(in_);
  const size_t first = in_.index();
  WEIR_TRY(ExprPtr base, PrimaryBase());
  while (true) {
    if (in_.Accept("::")) {
      WEIR_TRY(Type type, DataType());
      base = Make(unresolved::Cast{std::move(base), std::move(type)}, first);
    } else if (in_.Accept("[")) {
      WEIR_TRY(ExprPtr index, Value());
      WEIR_DO(in_.Expect("]"));
      base = Operator("[]", {std::move(base), std::move(index)}, first);
    } else if (in_.Accept(".")) {
      WEIR_TRY(std::string field, AnyName());
      const auto* attribute = std::get_if<unresolved::Attribute>(&base->node);
      if (attribute != nullptr) {
        Name parts = attribute->parts;
        parts.push_back(std::move(field));
        base = Make(unresolved::Attribute{std::move(parts)}, first);
      } else {
        base = Make(unresolved::FieldAccess{std::move(base), std::move(field)}, first);
      }
    } else if (in_.At("COLLATE") && AtName(1)) {
      return in_.Refuse("COLLATE", in_.SpanOf(in_.Peek()));
    } else if (in_.At(":") && (AtName(1) || in_.At("[", 1))) {
      return in_.Refuse("paths into a variant (value:path)", in_.SpanOf(in_.Peek()));
    } else {
      return base;
    }
    WEIR_DO(in_.AddLink());
  }
}

Result<ExprPtr> Grammar::PrimaryBase() {
  const Token& token = in_.Peek();
  const size_t first = in_.index();
  switch (token.kind) {
    case TokenKind::kWord:
      return WordPrimary();
    case TokenKind::kQuotedName:
      return NamePath();
    case TokenKind::kString:
      return Strings();
    case TokenKind::kSymbol:
      break;
    case TokenKind::kEnd:
    case TokenKind::kUnrecognized:
      return in_.Mismatch();
    default:
      return Number();
  }
  if (token.Is("(")) return Parenthesized();
  if (token.Is("-") && AtNumber(1)) return Number();
  if (token.Is("*")) {
    in_.Take();
    return StarExpression({}, first);
  }
  if (token.Is("?") || (token.Is(":") && AtName(1)))
    return in_.Refuse("parameter markers", in_.SpanOf(token));
  return in_.Mismatch();
}

/// What begins with a word: a keyword's form if it matches, else a call or a column.
Result<ExprPtr> Grammar::WordPrimary() {
  const size_t first = in_.index();
  if (in_.At("->", 1)) return in_.Refuse("lambda functions", in_.SpanOf(in_.Peek()));
  if (!failed_forms_.contains(first)) {
    WEIR_TRY(std::optional<ExprPtr> form, SpecialForm());
    if (form) return *std::move(form);
    failed_forms_.insert(first);
  }
  if (AtString(1)) return TypedLiteral();
  if (in_.AtAny({"TRUE", "FALSE"}) && !in_.At("(", 1)) {
    const bool value = in_.Take().Is("TRUE");
    return Constant(Scalar::Boolean(value), first);
  }
  if (in_.At("NULL") && !in_.At("(", 1)) {
    in_.Take();
    return Constant(Scalar(), first);
  }
  return NamePath();
}

/// The forms whose keyword could also be the name of a function or column.
Result<std::optional<ExprPtr>> Grammar::SpecialForm() {
  if (in_.At("CASE") && in_.At("WHEN", 1)) return TryQuietly([&] { return CaseExpression(); });
  if (in_.At("CASE") && StartsExpression(1)) return Try([&] { return CaseExpression(); });
  if (in_.At("INTERVAL")) return Try([&] { return Interval(); });
  if (!in_.At("(", 1)) return std::optional<ExprPtr>();
  if (in_.AtAny({"CAST", "TRY_CAST"})) return Try([&] { return CastExpression(); });
  if (in_.AtAny({"TIMESTAMPADD", "DATEADD", "DATE_ADD"}))
    return Try([&] { return UnitForm("timestampadd"); });
  if (in_.AtAny({"TIMESTAMPDIFF", "DATEDIFF", "DATE_DIFF", "TIMEDIFF"})) {
    return Try([&] { return UnitForm("timestampdiff"); });
  }
  if (in_.At("STRUCT")) return Try([&] { return StructForm(); });
  if (in_.AtAny({"FIRST", "LAST", "ANY_VALUE"})) return Try([&] { return FirstForm(); });
  if (in_.At("POSITION")) return Try([&] { return PositionForm(); });
  if (in_.At("EXTRACT")) return Try([&] { return ExtractForm(); });
  if (in_.AtAny({"SUBSTR", "SUBSTRING"})) return Try([&] { return SubstringForm(); });
  if (in_.At("TRIM")) return Try([&] { return TrimForm(); });
  if (in_.At("OVERLAY")) return Try([&] { return OverlayForm(); });
  return std::optional<ExprPtr>();
}

/// A subquery, an expression in parentheses, or a row.
Result<ExprPtr> Grammar::Parenthesized() {
  const size_t first = in_.index();
  if (StartsQueryInParentheses()) {
    WEIR_TRY(std::optional<ExprPtr> subquery,
             Try([&] { return Subquery(unresolved::SubqueryKind::kScalar, {}, first); }));
    if (subquery) return *std::move(subquery);
  }
  WEIR_DO(in_.Expect("("));
  size_t ahead = 0;
  while (AtName(ahead) && in_.At(",", ahead + 1)) ahead += 2;
  if (ahead > 0 && AtName(ahead) && in_.AtAll({")", "->"}, ahead + 1)) {
    return in_.Refuse("lambda functions", in_.SpanFrom(first));
  }
  WEIR_TRY(ExprPtr expr, NamedExpression());
  if (in_.At(",")) {
    std::vector<ExprPtr> members = {std::move(expr)};
    while (in_.Accept(",")) {
      WEIR_TRY(ExprPtr member, NamedExpression());
      members.push_back(std::move(member));
    }
    if (!in_.Accept(")")) return in_.Mismatch();
    return Make(unresolved::Call{.name = {"struct"}, .args = std::move(members), .filter = {}}, first);
  }
  if (std::holds_alternative<unresolved::Alias>(expr->node) ||
      std::holds_alternative<unresolved::MultiAlias>(expr->node)) {
    return in_.Mismatch();
  }
  if (!in_.Accept(")")) return in_.Mismatch();
  return expr;
}

Result<ExprPtr> Grammar::CaseExpression() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("CASE"));
  unresolved::Case result;
  if (!in_.At("WHEN")) {
    WEIR_TRY(result.operand, Expression());
  }
  do {
    WEIR_DO(in_.Expect("WHEN"));
    WEIR_TRY(ExprPtr when, Expression());
    WEIR_DO(in_.Expect("THEN"));
    WEIR_TRY(ExprPtr then, Expression());
    result.branches.emplace_back(std::move(when), std::move(then));
  } while (in_.At("WHEN"));
  if (in_.Accept("ELSE")) {
    WEIR_TRY(result.otherwise, Expression());
  }
  WEIR_DO(in_.Expect("END"));
  return Make(std::move(result), first);
}

Result<ExprPtr> Grammar::CastExpression() {
  const size_t first = in_.index();
  const bool is_try = in_.Take().Is("TRY_CAST");
  WEIR_DO(in_.Expect("("));
  WEIR_TRY(ExprPtr input, Expression());
  WEIR_DO(in_.Expect("AS"));
  WEIR_TRY(Type type, DataType());
  WEIR_DO(in_.Expect(")"));
  return Make(unresolved::Cast{std::move(input), std::move(type), is_try}, first);
}

/// A column, a star or a call.
Result<ExprPtr> Grammar::NamePath() {
  const size_t first = in_.index();
  if (in_.At("IDENTIFIER") && in_.At("(", 1)) {
    return in_.Refuse("the IDENTIFIER clause", in_.SpanOf(in_.Peek()));
  }
  Name name;
  WEIR_TRY(std::string part, AnyName());
  name.push_back(std::move(part));
  while (in_.At(".") && (AtName(1) || in_.At("*", 1))) {
    in_.Take();
    if (in_.Accept("*")) return StarExpression(std::move(name), first);
    WEIR_TRY(std::string next, AnyName());
    name.push_back(std::move(next));
  }
  if (in_.At("(")) return CallArguments(std::move(name), first);
  return Make(unresolved::Attribute{std::move(name)}, first);
}

/// What follows the asterisk.
Result<ExprPtr> Grammar::StarExpression(Name qualifier, size_t first) {
  unresolved::Star star{std::move(qualifier), {}};
  if (in_.At("EXCEPT") && in_.At("(", 1) && !StartsQuery(2)) {
    in_.Take();
    WEIR_DO(in_.Expect("("));
    do {
      WEIR_TRY(Name column, TableName());
      star.except.push_back(std::move(column));
    } while (in_.Accept(","));
    WEIR_DO(in_.Expect(")"));
  }
  return Make(std::move(star), first);
}

/// The arguments of a call and what may follow them.
Result<ExprPtr> Grammar::CallArguments(Name name, size_t first) {
  WEIR_DO(in_.Expect("("));
  unresolved::Call call{.name = std::move(name), .args = {}, .filter = {}};
  if (in_.AtAny({"DISTINCT", "ALL"}) && StartsExpression(1)) {
    call.distinct = in_.Take().Is("DISTINCT");
  }
  if (!in_.At(")")) {
    do {
      if (AtName() && in_.At("=>", 1)) return in_.Refuse("named arguments", in_.SpanOf(in_.Peek()));
      WEIR_TRY(ExprPtr arg, Expression());
      call.args.push_back(std::move(arg));
    } while (in_.Accept(","));
  }
  WEIR_DO(in_.Expect(")"));
  WEIR_DO(CallSuffix(call));
  return Windowed(Make(std::move(call), first), first);
}

Status Grammar::CallSuffix(unresolved::Call& call) {
  if (in_.AtAll({"WITHIN", "GROUP", "("})) return in_.Refuse("WITHIN GROUP", in_.SpanOf(in_.Peek()));
  if (in_.AtAll({"FILTER", "(", "WHERE"})) {
    WEIR_DO(in_.ExpectAll({"FILTER", "(", "WHERE"}));
    WEIR_TRY(call.filter, Expression());
    WEIR_DO(in_.Expect(")"));
  }
  if (in_.AtAny({"IGNORE", "RESPECT"}) && in_.At("NULLS", 1)) {
    call.ignore_nulls = in_.Take().Is("IGNORE");
    in_.Take();
  }
  return {};
}

/// "(query)" as an expression.
Result<ExprPtr> Grammar::Subquery(unresolved::SubqueryKind kind, std::vector<ExprPtr> values, size_t first) {
  WEIR_TRY(RelationPtr query, QueryInParentheses());
  return Make(unresolved::Subquery{kind, std::move(values), std::move(query)}, first);
}

}  // namespace weir::sql

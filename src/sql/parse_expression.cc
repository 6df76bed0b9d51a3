#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {
namespace {

using unresolved::ExprPtr;

/// The operators of two values, by how tightly they bind; all are left associative.
int Precedence(const Token& token) {
  static constexpr std::pair<std::string_view, int> kOperators[] = {
      {"*", 7},  {"/", 7},   {"%", 7}, {"DIV", 7}, {"+", 6},  {"-", 6}, {"||", 6}, {"<<", 5},
      {">>", 5}, {">>>", 5}, {"&", 4}, {"^", 3},   {"|", 2},  {"=", 1}, {"==", 1}, {"<=>", 1},
      {"<>", 1}, {"!=", 1},  {"<", 1}, {"<=", 1},  {"!>", 1}, {">", 1}, {">=", 1}, {"!<", 1}};
  for (const auto& [text, precedence] : kOperators) {
    if (token.Is(text)) return precedence;
  }
  return 0;
}

/// The function table's name of an operator; "<>" is the negation of "=".
std::string OperatorName(const Token& token) {
  if (token.Is("==") || token.Is("<>") || token.Is("!=")) return "=";
  if (token.Is("!>")) return "<=";
  if (token.Is("!<")) return ">=";
  return AsciiLower(token.text);
}

}  // namespace

ExprPtr Grammar::Make(decltype(Expr::node) node, size_t first) const {
  return std::make_shared<const Expr>(Expr{std::move(node), in_.SpanFrom(first)});
}

ExprPtr Grammar::Operator(std::string name, std::vector<ExprPtr> args, size_t first) const {
  return Make(
      unresolved::Call{.name = {std::move(name)}, .args = std::move(args), .is_operator = true, .filter = {}},
      first);
}

ExprPtr Grammar::NotIf(bool is_negated, ExprPtr expr, size_t first) const {
  return is_negated ? Operator("not", {std::move(expr)}, first) : expr;
}

namespace {

/// A long chain of AND or OR becomes a tree of small height.
template <typename Combine>
ExprPtr Balanced(const std::vector<ExprPtr>& operands, size_t low, size_t high, const Combine& combine) {
  if (low == high) return operands[low];
  const size_t middle = low + (high - low) / 2;
  return combine(Balanced(operands, low, middle, combine), Balanced(operands, middle + 1, high, combine));
}

}  // namespace

/// The height of a balanced tree over some operands.
Status Grammar::AddLevels(size_t operands) {
  for (; operands > 1; operands = (operands + 1) / 2) WEIR_DO(in_.AddLink());
  return {};
}

/// `operand` once or more, with the keyword between. A keyword that no operand follows belongs to what comes
/// next.
Result<ExprPtr> Grammar::OperandsBetween(std::string_view keyword, Result<ExprPtr> (Grammar::*operand)()) {
  const size_t first = in_.index();
  std::vector<ExprPtr> operands;
  WEIR_TRY(ExprPtr left_most, (this->*operand)());
  operands.push_back(std::move(left_most));
  while (in_.At(keyword) && StartsExpression(1)) {
    const Cursor::Mark mark = in_.Here();
    in_.Take();
    Result<ExprPtr> next = (this->*operand)();
    if (!next) {
      if (!Cursor::IsMismatch(next.error())) return std::move(next).error();
      in_.Rewind(mark);
      break;
    }
    operands.push_back(*std::move(next));
  }
  WEIR_DO(AddLevels(operands.size()));
  return Balanced(operands, 0, operands.size() - 1, [&](ExprPtr left, ExprPtr right) {
    return Operator(AsciiLower(keyword), {std::move(left), std::move(right)}, first);
  });
}

/// NOT binds tighter than AND, AND tighter than OR.
Result<ExprPtr> Grammar::Expression() {
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  return OperandsBetween("OR", &Grammar::Conjunction);
}

Result<ExprPtr> Grammar::Conjunction() {
  const Cursor::Chain chain(in_);
  return OperandsBetween("AND", &Grammar::Negation);
}

Result<ExprPtr> Grammar::Negation() {
  const size_t first = in_.index();
  if (in_.At("!") || (in_.At("NOT") && StartsExpression(1))) {
    const Cursor::Level level(in_);
    WEIR_DO(in_.CheckDepth());
    WEIR_TRY(std::optional<ExprPtr> negated, Try([&]() -> Result<ExprPtr> {
               in_.Take();
               WEIR_TRY(ExprPtr operand, Negation());
               return Operator("not", {std::move(operand)}, first);
             }));
    if (negated) return *std::move(negated);
  }
  if (in_.At("EXISTS") && in_.At("(", 1) && StartsQuery(2)) {
    WEIR_TRY(std::optional<ExprPtr> exists, TryQuietly([&]() -> Result<ExprPtr> {
               in_.Take();
               return Subquery(unresolved::SubqueryKind::kExists, {}, first);
             }));
    if (exists) return *std::move(exists);
  }
  return Predicated();
}

Result<ExprPtr> Grammar::Predicated() {
  const size_t first = in_.index();
  WEIR_TRY(ExprPtr value, Value());
  WEIR_TRY(std::optional<ExprPtr> predicate, Predicate(value, first));
  return predicate ? *std::move(predicate) : value;
}

/// One predicate behind a value; nullopt if the next word begins none.
Result<std::optional<ExprPtr>> Grammar::Predicate(const ExprPtr& value, size_t first) {
  const size_t ahead = in_.AtAny({"NOT", "!"}) ? 1 : 0;
  const bool is_negated = ahead == 1;
  const bool is_is = in_.At("IS");
  if (is_is) {
    const size_t word = in_.AtAny({"NOT", "!"}, 1) ? 2 : 1;
    const bool is_predicate = in_.AtAny({"NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT"}, word);
    if (!is_predicate && !(word == 2 && in_.AtKind(TokenKind::kEnd, word))) return std::optional<ExprPtr>();
  } else if (!in_.AtAny({"BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP"}, ahead) ||
             !StartsExpression(ahead + 1)) {
    return std::optional<ExprPtr>();
  }
  if (in_.At("IN", ahead)) {
    return TryQuietly([&]() -> Result<ExprPtr> {
      if (is_negated) AcceptNot();
      WEIR_TRY(ExprPtr in, In(value, first));
      return NotIf(is_negated, std::move(in), first);
    });
  }
  return Try([&]() -> Result<ExprPtr> {
    if (in_.At("IS")) return Is(value, first);
    if (is_negated) AcceptNot();
    if (in_.AtAny({"LIKE", "ILIKE"})) return Like(value, is_negated, first);
    if (in_.At("BETWEEN")) {
      WEIR_TRY(ExprPtr between, Between(value, first));
      return NotIf(is_negated, std::move(between), first);
    }
    in_.Take();
    WEIR_TRY(ExprPtr pattern, Value());
    return NotIf(is_negated, Operator("rlike", {value, std::move(pattern)}, first), first);
  });
}

Result<ExprPtr> Grammar::Between(const ExprPtr& value, size_t first) {
  WEIR_DO(in_.Expect("BETWEEN"));
  WEIR_TRY(ExprPtr low, Value());
  WEIR_DO(in_.Expect("AND"));
  WEIR_TRY(ExprPtr high, Value());
  return Operator("between", {value, std::move(low), std::move(high)}, first);
}

Result<ExprPtr> Grammar::In(const ExprPtr& value, size_t first) {
  WEIR_DO(in_.Expect("IN"));
  if (StartsQueryInParentheses()) {
    // (a, b) IN (SELECT ..) compares two columns.
    std::vector<ExprPtr> values = {value};
    if (const auto* call = std::get_if<unresolved::Call>(&value->node);
        call != nullptr && call->name == Name{"struct"}) {
      values = call->args;
    }
    WEIR_TRY(std::optional<ExprPtr> subquery,
             Try([&]() { return Subquery(unresolved::SubqueryKind::kIn, std::move(values), first); }));
    if (subquery) return *std::move(subquery);
  }
  WEIR_DO(in_.Expect("("));
  std::vector<ExprPtr> args = {value};
  WEIR_TRY(std::vector<ExprPtr> items, Expressions());
  args.insert(args.end(), items.begin(), items.end());
  WEIR_DO(in_.Expect(")"));
  return Operator("in", std::move(args), first);
}

Result<ExprPtr> Grammar::Like(const ExprPtr& value, bool is_negated, size_t first) {
  const std::string name = AsciiLower(in_.Take().text);
  if (in_.AtAny({"ANY", "SOME", "ALL"}) && in_.At("(", 1)) {
    return LikeAnyOrAll(value, name, is_negated, first);
  }
  WEIR_TRY(ExprPtr pattern, Value());
  std::vector<ExprPtr> args = {value, std::move(pattern)};
  if (in_.At("ESCAPE") && AtString(1)) {
    in_.Take();
    const size_t escape_first = in_.index();
    WEIR_TRY(const std::string escape, String());
    const bool is_one_character =
        !escape.empty() && LetterSize(escape, 0) + (LetterSize(escape, 0) == 0 ? 1 : 0) == escape.size();
    if (!is_one_character) {
      in_.Defer(in_.ErrorAt(in_.SpanFrom(escape_first), "INVALID_ESCAPE_CHAR", "42604",
                            {{"sqlExpr", fmt::format("\"{}\"", escape)}}, "ESCAPE takes one character."));
    }
    args.push_back(Constant(Scalar::String(escape), escape_first));
  }
  return NotIf(is_negated, Operator(name, std::move(args), first), first);
}

/// A disjunction or conjunction with one LIKE for each pattern.
Result<ExprPtr> Grammar::LikeAnyOrAll(const ExprPtr& value, const std::string& name, bool is_negated,
                                      size_t first) {
  const Cursor::Chain chain(in_);
  const std::string combine = in_.Take().Is("ALL") ? "and" : "or";
  WEIR_DO(in_.Expect("("));
  std::vector<ExprPtr> patterns;
  if (in_.At(")")) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0064", "",
                          {{"msg", "Expected something between '(' and ')'."}},
                          "LIKE ANY and LIKE ALL need a pattern."));
    patterns.push_back(value);
  } else {
    WEIR_TRY(patterns, Expressions());
  }
  WEIR_DO(in_.Expect(")"));
  ExprPtr result;
  for (ExprPtr& pattern : patterns) {
    ExprPtr one = NotIf(is_negated, Operator(name, {value, std::move(pattern)}, first), first);
    if (result) WEIR_DO(in_.AddLink());
    result = result ? Operator(combine, {std::move(result), std::move(one)}, first) : std::move(one);
  }
  return result;
}

Result<ExprPtr> Grammar::Is(const ExprPtr& value, size_t first) {
  WEIR_DO(in_.Expect("IS"));
  const bool is_negated = AcceptNot();
  if (in_.Accept("NULL") || in_.Accept("UNKNOWN")) {
    return Operator(is_negated ? "isnotnull" : "isnull", {value}, first);
  }
  const size_t operand_first = in_.index();
  if (in_.AtAny({"TRUE", "FALSE"})) {
    ExprPtr truth = Constant(Scalar::Boolean(in_.Take().Is("TRUE")), operand_first);
    return NotIf(is_negated, Operator("<=>", {value, std::move(truth)}, first), first);
  }
  if (in_.Accept("DISTINCT")) {
    WEIR_DO(in_.Expect("FROM"));
    WEIR_TRY(ExprPtr other, Value());
    return NotIf(!is_negated, Operator("<=>", {value, std::move(other)}, first), first);
  }
  return in_.Mismatch();
}

Result<ExprPtr> Grammar::Value(int min_precedence) {
  const Cursor::Chain chain(in_);
  const size_t first = in_.index();
  WEIR_TRY(ExprPtr left, Unary());
  while (true) {
    const Token& token = in_.Peek();
    const int precedence = Precedence(token);
    if (precedence < min_precedence || precedence == 0) return left;
    if (token.kind == TokenKind::kWord && !StartsExpression(1)) return left;  // A name "div".
    WEIR_TRY(std::optional<ExprPtr> right, Try([&]() {
               in_.Take();
               return Value(precedence + 1);
             }));
    if (!right) return token.kind == TokenKind::kWord ? Result<ExprPtr>(left) : in_.Mismatch();
    WEIR_DO(in_.AddLink());
    left = NotIf(token.Is("<>") || token.Is("!="),
                 Operator(OperatorName(token), {std::move(left), *std::move(right)}, first), first);
  }
}

Result<ExprPtr> Grammar::Unary() {
  const size_t first = in_.index();
  if (in_.AtAny({"+", "~"}) || (in_.At("-") && !AtNumber(1))) {
    const Cursor::Level level(in_);
    WEIR_DO(in_.CheckDepth());
    const Token& token = in_.Take();
    WEIR_TRY(ExprPtr operand, Unary());
    const std::string name = token.Is("-") ? "negative" : token.Is("+") ? "positive" : "~";
    return Operator(name, {std::move(operand)}, first);
  }
  return Primary();
}

/// An expression that may have an alias.
Result<ExprPtr> Grammar::NamedExpression() {
  const size_t first = in_.index();
  WEIR_TRY(ExprPtr expr, Expression());
  WEIR_TRY(std::vector<std::string> names, ItemAlias());
  if (names.empty()) return expr;
  if (names.size() > 1) return Make(unresolved::MultiAlias{std::move(expr), std::move(names)}, first);
  return Make(unresolved::Alias{std::move(expr), std::move(names[0])}, first);
}

Result<std::vector<ExprPtr>> Grammar::Expressions() {
  std::vector<ExprPtr> items;
  do {
    WEIR_TRY(ExprPtr item, Expression());
    items.push_back(std::move(item));
  } while (in_.Accept(","));
  return items;
}

Result<std::vector<ExprPtr>> Grammar::NamedExpressions() {
  std::vector<ExprPtr> items;
  do {
    WEIR_TRY(ExprPtr item, NamedExpression());
    items.push_back(std::move(item));
  } while (in_.Accept(","));
  return items;
}

}  // namespace weir::sql

#include "sql/characters.h"
#include "sql/grammar.h"
#include "sql/literal.h"

namespace weir::sql {
namespace {

/// The words that cannot be a table's alias without AS.
constexpr std::string_view kStrict[] = {"ANTI",  "CROSS",   "EXCEPT", "FULL",  "INNER",   "INTERSECT",
                                        "JOIN",  "LATERAL", "LEFT",   "MINUS", "NATURAL", "ON",
                                        "RIGHT", "SEMI",    "UNION",  "USING"};
/// The words that begin a query.
constexpr std::string_view kQueryWords[] = {"SELECT", "VALUES", "TABLE", "FROM", "WITH", "MAP", "REDUCE"};

}  // namespace

bool Grammar::AtName(size_t ahead) const {
  return in_.AtKind(TokenKind::kWord, ahead) || in_.AtKind(TokenKind::kQuotedName, ahead);
}

/// A name; every keyword can be one.
Result<std::string> Grammar::AnyName() {
  const Token& token = in_.Peek();
  if (token.kind == TokenKind::kQuotedName) {
    in_.Take();
    return QuotedNameValue(token.text);
  }
  if (token.kind != TokenKind::kWord) return in_.Mismatch();
  if (token.Is("IDENTIFIER") && in_.At("(", 1) && AtString(2)) {
    return in_.Refuse("the IDENTIFIER clause", in_.SpanOf(token));
  }
  in_.Take();
  for (char c : token.text) {
    if (IsNameCharacter(c)) continue;
    return in_.ErrorAt(
        in_.SpanOf(token), "INVALID_IDENTIFIER", "42602", {{"ident", std::string(token.text)}},
        fmt::format("The name {} needs backquotes: only ASCII letters, digits and underscores do without.",
                    token.text));
  }
  return std::string(token.text);
}

/// A name where no expression can stand: a hyphen behind it is a missing pair of backquotes.
Result<std::string> Grammar::CheckedName() {
  const size_t first = in_.index();
  WEIR_TRY(std::string name, AnyName());
  const SourceSpan hyphen = in_.SpanOf(in_.Peek());
  bool has_hyphen = false;
  while (in_.At("-") && AtName(1)) {
    has_hyphen = true;
    in_.Take();
    WEIR_DO(AnyName());
  }
  if (!has_hyphen) return name;
  const std::string written(in_.TextOf(in_.SpanFrom(first)));
  return in_.ErrorAt(hyphen, "INVALID_IDENTIFIER", "42602", {{"ident", written}},
                     fmt::format("The name {} needs backquotes because of its hyphen.", written));
}

/// Names with points between them, where no expression can stand.
Result<unresolved::Name> Grammar::TableName() {
  if (in_.At("IDENTIFIER") && in_.At("(", 1)) {
    return in_.Refuse("the IDENTIFIER clause", in_.SpanOf(in_.Peek()));
  }
  Name name;
  do {
    WEIR_TRY(std::string part, CheckedName());
    name.push_back(std::move(part));
  } while (in_.Accept("."));
  return name;
}

Result<unresolved::Name> Grammar::PathName() {
  Name name;
  do {
    WEIR_TRY(std::string part, AnyName());
    name.push_back(std::move(part));
  } while (in_.Accept("."));
  return name;
}

/// One string of one or more string tokens.
Result<std::string> Grammar::String() {
  if (!AtString()) return in_.Mismatch();
  std::string value;
  while (AtString()) value += StringValue(in_.Take().text);
  return value;
}

/// "(a, b, c)".
Result<std::vector<std::string>> Grammar::NameList() {
  WEIR_DO(in_.Expect("("));
  std::vector<std::string> names;
  do {
    WEIR_TRY(std::string name, CheckedName());
    names.push_back(std::move(name));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  return names;
}

bool Grammar::StartsExpression(size_t ahead) const {
  const Token& token = in_.Peek(ahead);
  switch (token.kind) {
    case TokenKind::kEnd:
    case TokenKind::kUnrecognized:
      return false;
    case TokenKind::kSymbol:
      return in_.AtAny({"(", "-", "+", "~", "!", "*", "?", ":"}, ahead);
    default:
      return true;
  }
}

bool Grammar::StartsQuery(size_t ahead) const {
  for (int depth = 0; in_.At("(", ahead); ++ahead) {
    if (++depth > kMaxNesting) return false;
  }
  // "(map(k, v))" is a call.
  if (in_.AtAny({"MAP", "REDUCE"}, ahead) && in_.At("(", ahead + 1)) return false;
  return in_.AtAny(kQueryWords, ahead) && (StartsExpression(ahead + 1) || in_.At("/*+", ahead + 1));
}

/// The next token is a parenthesis behind which a query may begin.
bool Grammar::StartsQueryInParentheses() const { return in_.At("(") && StartsQuery(1); }

/// No alias of a table without AS.
bool Grammar::IsStrictWord(size_t ahead) const { return in_.AtAny(kStrict, ahead); }

/// JOIN, or a word before it.
bool Grammar::IsJoinWord(size_t ahead) const {
  return in_.AtAny({"JOIN", "CROSS", "INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "NATURAL"}, ahead);
}

bool Grammar::StartsTimeTravel(size_t ahead) const {
  const bool has_for = in_.At("FOR", ahead);
  if (has_for) ++ahead;
  return in_.AtAny({"VERSION", "SYSTEM_VERSION", "TIMESTAMP", "SYSTEM_TIME"}, ahead) &&
         (has_for || in_.At("AS", ahead + 1));
}

/// What can follow a table but not a select item.
bool Grammar::StartsTableClause(size_t ahead) const {
  if (IsStrictWord(ahead) || StartsTimeTravel(ahead)) return true;
  const size_t next = ahead + 1;
  if (in_.AtAny({"TABLESAMPLE", "PIVOT", "UNPIVOT", "WITH"}, ahead)) return in_.At("(", next);
  if (in_.At("SELECT", ahead)) return StartsExpression(next) || in_.At("/*+", next);
  if (in_.At("INSERT", ahead)) return in_.AtAny({"INTO", "OVERWRITE"}, next);
  return false;
}

/// A word that could be an alias begins a clause here if the token behind it fits that clause.
bool Grammar::StartsClause(Context context, size_t ahead) const {
  if (!in_.AtKind(TokenKind::kWord, ahead)) return false;
  const size_t next = ahead + 1;
  if (context != Context::kItem && StartsTableClause(ahead)) return true;
  if (context == Context::kUpdateTarget && in_.At("SET", ahead))
    return AtName(next) && !(in_.At("SET", next) && AtName(ahead + 2));
  if (in_.At("FROM", ahead)) return context == Context::kItem && (AtName(next) || in_.At("(", next));
  if (in_.AtAny({"WHERE", "HAVING", "LIMIT", "OFFSET"}, ahead)) return StartsExpression(next);
  if (in_.AtAny({"GROUP", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE"}, ahead)) return in_.At("BY", next);
  if (in_.AtAny({"UNION", "EXCEPT", "INTERSECT", "MINUS"}, ahead)) {
    return StartsQuery(next) || in_.AtAny({"ALL", "DISTINCT"}, next);
  }
  if (in_.At("LATERAL", ahead)) return in_.At("VIEW", next);
  if (in_.At("WINDOW", ahead)) return AtName(next) && in_.At("AS", ahead + 2);
  return false;
}

/// The word can be an alias here. It is one even if it could begin a clause, when what follows cannot go on
/// with that clause: in "a WHERE FROM t", WHERE is an alias.
bool Grammar::IsAlias(Context context, size_t ahead) const {
  if (!AtName(ahead)) return false;
  if (!StartsClause(context, ahead)) return true;
  return !(context != Context::kItem && IsStrictWord(ahead)) && EndsAlias(context, ahead + 1);
}

/// The token begins a clause for certain: it cannot go on with an expression that a clause before it would
/// have.
bool Grammar::EndsAlias(Context context, size_t ahead) const {
  if (!StartsClause(context, ahead)) return false;
  if (!in_.AtAny({"WHERE", "HAVING", "LIMIT", "OFFSET"}, ahead)) return true;
  return !in_.AtKind(TokenKind::kSymbol, ahead + 1) &&
         !in_.AtAny({"IS", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "BETWEEN", "NOT", "AND", "OR", "DIV"},
                    ahead + 1);
}

/// `[AS] name` or `[AS] (name, name)` behind an expression; empty if there is none. Several names are never
/// just one in parentheses.
Result<std::vector<std::string>> Grammar::ItemAlias() {
  if (in_.At("AS") && (IsAlias(Context::kItem, 1) || in_.At("(", 1))) {
    in_.Take();
  } else if (!IsAlias(Context::kItem, 0) && !(in_.At("(") && AtName(1))) {
    return std::vector<std::string>();
  }
  if (in_.At("(")) return NameList();
  WEIR_TRY(std::string name, CheckedName());
  return std::vector<std::string>{std::move(name)};
}

/// NOT or !, which Spark refuses in this place by a deferred error.
bool Grammar::AcceptNot() {
  if (in_.Accept("NOT")) return true;
  if (!in_.At("!")) return false;
  in_.Defer(in_.ErrorAt(in_.SpanOf(in_.Peek()), "SYNTAX_DISCONTINUED.BANG_EQUALS_NOT", "42601",
                        {{"clause", "!"}}, "Write NOT instead of ! here."));
  in_.Take();
  return true;
}

Status Grammar::IfExists(bool& is_set) {
  is_set = in_.At("IF") && in_.At("EXISTS", 1);
  if (is_set) return in_.ExpectAll({"IF", "EXISTS"});
  return {};
}

Status Grammar::IfNotExists(bool& is_set) {
  is_set = in_.At("IF") && in_.AtAny({"NOT", "!"}, 1);
  if (!is_set) return {};
  in_.Take();
  AcceptNot();
  if (!in_.Accept("EXISTS")) return in_.Mismatch();
  return {};
}

}  // namespace weir::sql

#include <array>

#include "sql/grammar.h"

namespace weir::sql {

using unresolved::MergeClause;
using unresolved::RelationPtr;

Result<Grammar::StatementNode> Grammar::Merge(size_t first) {
  WEIR_DO(in_.Expect("MERGE"));
  if (in_.AtAll({"WITH", "SCHEMA", "EVOLUTION"})) {
    return in_.Refuse("MERGE WITH SCHEMA EVOLUTION", in_.SpanOf(in_.Peek()));
  }
  if (!in_.Accept("INTO")) return in_.Mismatch();
  unresolved::Merge merge;
  WEIR_TRY(merge.target, TableName());
  WEIR_TRY(merge.target_alias, AliasWithoutColumns("MERGE"));
  WEIR_DO(in_.Expect("USING"));
  WEIR_TRY(merge.source, MergeSource());
  WEIR_DO(in_.Expect("ON"));
  WEIR_TRY(merge.condition, Expression());
  // The three kinds come in this order.
  for (const auto when : {MergeClause::When::kMatched, MergeClause::When::kNotMatched,
                          MergeClause::When::kNotMatchedBySource}) {
    while (in_.At("WHEN")) {
      WEIR_TRY(std::optional<MergeClause> clause, MergeClauseOf(when));
      if (!clause) break;
      merge.clauses.push_back(*std::move(clause));
    }
  }
  WEIR_DO(CheckMerge(merge, first));
  return StatementNode(std::move(merge));
}

/// A table or a query in parentheses, with its alias.
Result<RelationPtr> Grammar::MergeSource() {
  const size_t first = in_.index();
  RelationPtr source;
  if (in_.At("(")) {
    WEIR_TRY(source, QueryInParentheses());
  } else {
    WEIR_TRY(Name name, TableName());
    source = MakeRelation(unresolved::NamedTable{.name = std::move(name), .time_travel = {}, .options = {}},
                          first);
  }
  WEIR_TRY(std::string alias, AliasWithoutColumns("MERGE"));
  if (alias.empty()) return source;
  return MakeRelation(unresolved::Aliased{std::move(source), std::move(alias), {}}, first);
}

/// The next clause if it is of this kind.
Result<std::optional<MergeClause>> Grammar::MergeClauseOf(MergeClause::When when) {
  const size_t first = in_.index();
  const bool has_not = in_.AtAny({"NOT", "!"}, 1);
  const bool by_source = has_not && in_.AtAll({"BY", "SOURCE"}, 3);
  const MergeClause::When found = by_source ? MergeClause::When::kNotMatchedBySource
                                  : has_not ? MergeClause::When::kNotMatched
                                            : MergeClause::When::kMatched;
  if (found != when) {
    // Only the clauses that may still come are expected here.
    if (found > when) return std::optional<MergeClause>();
    in_.Take();
    if (has_not) in_.Take();
    if (has_not && in_.At("MATCHED")) in_.Take();
    return in_.Mismatch();
  }
  MergeClause clause;
  clause.when = when;
  WEIR_DO(in_.Expect("WHEN"));
  if (has_not) AcceptNot();
  if (!in_.Accept("MATCHED")) return in_.Mismatch();
  if (by_source) {
    WEIR_DO(in_.ExpectAll({"BY", "SOURCE"}));
  } else if (has_not && in_.At("BY")) {
    WEIR_DO(in_.ExpectAll({"BY", "TARGET"}));
  }
  if (in_.Accept("AND")) {
    WEIR_TRY(clause.condition, Expression());
    WEIR_DO(in_.Expect("THEN"));
  } else if (!in_.Accept("THEN")) {
    return in_.Mismatch();
  }
  WEIR_DO(MergeAction(clause));
  clause.span = in_.SpanFrom(first);
  return std::optional(std::move(clause));
}

Status Grammar::MergeAction(MergeClause& clause) {
  if (clause.when == MergeClause::When::kNotMatched) return MergeInsert(clause);
  if (in_.Accept("DELETE")) {
    clause.action = MergeClause::Action::kDelete;
    return {};
  }
  if (!in_.Accept("UPDATE")) return in_.Mismatch();
  if (!in_.Accept("SET")) return in_.Mismatch();
  if (clause.when == MergeClause::When::kMatched && in_.Accept("*")) {
    clause.action = MergeClause::Action::kUpdateAll;
    return {};
  }
  clause.action = MergeClause::Action::kUpdate;
  WEIR_TRY(clause.assignments, Assignments());
  return {};
}

Status Grammar::MergeInsert(MergeClause& clause) {
  if (!in_.Accept("INSERT")) return in_.Mismatch();
  const size_t action_first = in_.index() - 1;
  if (in_.Accept("*")) {
    clause.action = MergeClause::Action::kInsertAll;
    return {};
  }
  clause.action = MergeClause::Action::kInsert;
  if (!in_.Accept("(")) return in_.Mismatch();
  do {
    WEIR_TRY(Name column, TableName());
    clause.insert_columns.push_back(std::move(column));
  } while (in_.Accept(","));
  WEIR_DO(in_.ExpectAll({")", "VALUES", "("}));
  do {
    WEIR_TRY(ExprPtr value, ExpressionOrDefault());
    clause.insert_values.push_back(std::move(value));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  if (clause.insert_columns.size() != clause.insert_values.size()) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(action_first), "_LEGACY_ERROR_TEMP_0006", "", {},
                          fmt::format("INSERT has {} columns but {} values.", clause.insert_columns.size(),
                                      clause.insert_values.size())));
  }
  return {};
}

/// At least one clause; of each kind only the last may lack a condition.
Status Grammar::CheckMerge(const unresolved::Merge& merge, size_t first) {
  const SourceSpan span = in_.SpanFrom(first);
  if (merge.clauses.empty()) {
    in_.Defer(in_.ErrorAt(span, "MERGE_WITHOUT_WHEN", "42601", {}, "MERGE needs at least one WHEN clause."));
  }
  static constexpr std::array<std::string_view, 3> kKinds = {"MATCHED", "NOT_MATCHED_BY_TARGET",
                                                             "NOT_MATCHED_BY_SOURCE"};
  for (size_t i = 0; i + 1 < merge.clauses.size(); ++i) {
    const MergeClause& clause = merge.clauses[i];
    if (clause.condition || clause.when != merge.clauses[i + 1].when) continue;
    const std::string_view kind = kKinds[static_cast<size_t>(clause.when)];
    in_.Defer(in_.ErrorAt(span, fmt::format("NON_LAST_{}_CLAUSE_OMIT_CONDITION", kind), "42613", {},
                          "Of the WHEN clauses of one kind only the last may lack a condition."));
  }
  return {};
}

}  // namespace weir::sql

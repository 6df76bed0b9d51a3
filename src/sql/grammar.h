#pragma once

/// The rules of Spark SQL, one method each. Every method either takes the tokens of its rule and returns what
/// they mean, or returns an Error (see Cursor for the three kinds). Thread rule: one thread, one statement.

#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "plan/unresolved.h"
#include "sql/cursor.h"
#include "sql/parser.h"

namespace weir::sql {

class Grammar {
 public:
  Grammar(Tokens tokens, std::string_view text, const ParseOptions& options);

  /// The whole text as one statement, or as one expression.
  Result<unresolved::Statement> WholeStatement();
  Result<unresolved::ExprPtr> WholeExpression();
  Result<std::vector<unresolved::ColumnDefinition>> WholeColumns();
  Result<unresolved::Name> WholeName();
  /// What the caller of the parser sees of an error that one of these gave.
  const Cursor& cursor() const { return in_; }

 private:
  using Expr = unresolved::Expr;
  using ExprPtr = unresolved::ExprPtr;
  using Name = unresolved::Name;
  using RelationPtr = unresolved::RelationPtr;
  using Properties = std::vector<std::pair<std::string, std::string>>;
  using StatementNode = decltype(unresolved::Statement::node);
  /// What precedes a word of which it must be decided whether it is an alias or begins a clause.
  enum class Context { kItem, kTable, kUpdateTarget };

  // ---- parse_name.cc ----
  bool AtName(size_t ahead = 0) const;
  bool AtString(size_t ahead = 0) const { return in_.AtKind(TokenKind::kString, ahead); }
  Result<std::string> AnyName();
  Result<std::string> CheckedName();
  Result<Name> TableName();
  Result<Name> PathName();
  Result<std::string> String();
  Result<std::vector<std::string>> NameList();
  bool StartsExpression(size_t ahead) const;
  bool StartsQuery(size_t ahead) const;
  bool StartsQueryInParentheses() const;
  bool StartsClause(Context context, size_t ahead = 0) const;
  bool StartsTableClause(size_t ahead) const;
  bool IsAlias(Context context, size_t ahead) const;
  bool EndsAlias(Context context, size_t ahead) const;
  bool StartsTimeTravel(size_t ahead) const;
  bool IsStrictWord(size_t ahead) const;
  bool IsJoinWord(size_t ahead) const;
  Result<std::vector<std::string>> ItemAlias();
  Status IfExists(bool& is_set);
  Status IfNotExists(bool& is_set);
  bool AcceptNot();

  // ---- parse_expression.cc ----
  Result<ExprPtr> Expression();
  Result<ExprPtr> Conjunction();
  Result<ExprPtr> OperandsBetween(std::string_view keyword, Result<ExprPtr> (Grammar::*operand)());
  Status AddLevels(size_t operands);
  Result<ExprPtr> Negation();
  Result<ExprPtr> Predicated();
  Result<std::optional<ExprPtr>> Predicate(const ExprPtr& value, size_t first);
  Result<ExprPtr> Between(const ExprPtr& value, size_t first);
  Result<ExprPtr> In(const ExprPtr& value, size_t first);
  Result<ExprPtr> Like(const ExprPtr& value, bool is_negated, size_t first);
  Result<ExprPtr> LikeAnyOrAll(const ExprPtr& value, const std::string& name, bool is_negated, size_t first);
  Result<ExprPtr> Is(const ExprPtr& value, size_t first);
  Result<ExprPtr> Value(int min_precedence = 1);
  Result<ExprPtr> Unary();
  Result<ExprPtr> NamedExpression();
  Result<std::vector<ExprPtr>> Expressions();
  Result<std::vector<ExprPtr>> NamedExpressions();
  ExprPtr Make(decltype(Expr::node) node, size_t first) const;
  ExprPtr Operator(std::string name, std::vector<ExprPtr> args, size_t first) const;
  ExprPtr NotIf(bool is_negated, ExprPtr expr, size_t first) const;

  // ---- parse_primary.cc ----
  Result<ExprPtr> Primary();
  Result<ExprPtr> PrimaryBase();
  Result<ExprPtr> WordPrimary();
  Result<std::optional<ExprPtr>> SpecialForm();
  Result<ExprPtr> Parenthesized();
  Result<ExprPtr> CaseExpression();
  Result<ExprPtr> CastExpression();
  Result<ExprPtr> NamePath();
  Result<ExprPtr> StarExpression(Name qualifier, size_t first);
  Result<ExprPtr> CallArguments(Name name, size_t first);
  Status CallSuffix(unresolved::Call& call);
  Result<ExprPtr> Subquery(unresolved::SubqueryKind kind, std::vector<ExprPtr> values, size_t first);

  // ---- parse_form.cc: function forms with words between the arguments ----
  Result<ExprPtr> UnitForm(std::string_view name);
  Result<ExprPtr> StructForm();
  Result<ExprPtr> FirstForm();
  Result<ExprPtr> PositionForm();
  Result<ExprPtr> ExtractForm();
  Result<ExprPtr> SubstringForm();
  Result<ExprPtr> TrimForm();
  Result<ExprPtr> OverlayForm();
  ExprPtr TextLiteral(std::string text, size_t first) const;

  // ---- parse_literal.cc ----
  bool AtNumber(size_t ahead = 0) const;
  Result<ExprPtr> Number();
  Result<ExprPtr> Strings();
  Result<ExprPtr> TypedLiteral();
  Result<ExprPtr> Interval();
  bool AtIntervalNumber(size_t ahead) const;
  Result<ExprPtr> IntervalUnits(size_t first);
  Result<ExprPtr> IntervalRange(size_t first);
  Result<std::string> IntervalValue(bool& is_string, bool& is_negative);
  ExprPtr Constant(Scalar value, size_t first) const;
  Result<Scalar> TypedValue(const std::string& type, const std::string& text, std::string& shown,
                            size_t first);
  Result<std::optional<Scalar>> TimestampValue(const std::string& text, bool is_local,
                                               const SourceSpan& span) const;

  // ---- parse_type.cc ----
  Result<Type> DataType();
  Result<Type> ArrayType(size_t first);
  Result<Type> MapType(size_t first);
  Result<Type> StructType(size_t first);
  Result<Type> IntervalType(size_t first);
  Result<Type> PrimitiveType(size_t first);
  Result<Type> TypeWithParameters(const std::string& name, const std::vector<std::string>& parameters,
                                  size_t first);
  Result<Field> StructField();

  // ---- parse_query.cc ----
  Result<RelationPtr> Query();
  Result<RelationPtr> QueryInParentheses();
  Result<std::vector<unresolved::CommonTable>> CommonTables();
  Result<RelationPtr> SetOperations(bool only_intersect);
  Result<RelationPtr> QueryPrimary();
  Result<RelationPtr> SelectFrom(RelationPtr from, size_t first);
  Result<RelationPtr> FromFirst();
  Status Hints();
  Result<RelationPtr> Organized(RelationPtr input, size_t first);
  Result<unresolved::SortKey> SortKey();
  Result<std::vector<unresolved::SortKey>> SortKeys();
  RelationPtr MakeRelation(decltype(unresolved::Relation::node) node, size_t first) const;

  // ---- parse_group_by.cc ----
  Status GroupBy(unresolved::Select& select);
  std::optional<unresolved::GroupingSets::Kind> AtGroupingSets() const;
  Result<ExprPtr> GroupItem();
  Result<ExprPtr> GroupingSetsForm(unresolved::GroupingSets::Kind kind);
  Result<std::vector<ExprPtr>> GroupingSet();
  Result<std::optional<ExprPtr>> SetsOfAllKeys(const std::vector<ExprPtr>& keys, size_t first);

  // ---- parse_window.cc ----
  Result<ExprPtr> Windowed(ExprPtr function, size_t first);
  Status WindowSpecOrName(unresolved::WindowSpec& spec, std::string& name);
  bool StartsWindowSpec(size_t ahead) const;
  Result<unresolved::WindowSpec> WindowSpec();
  Result<unresolved::WindowFrame> WindowFrame();
  Result<unresolved::FrameBound> FrameBound();
  bool AtWindowClause() const;
  Status WindowClause(std::vector<unresolved::NamedWindow>& windows);
  Result<RelationPtr> WithWindowClause(RelationPtr input, size_t first);

  // ---- parse_relation.cc ----
  Result<RelationPtr> FromClause();
  Result<RelationPtr> LateralViews(RelationPtr input, size_t first);
  Result<RelationPtr> JoinedRelation(RelationPtr left, size_t first);
  Result<RelationPtr> RelationPrimary();
  Result<RelationPtr> ParenthesizedRelation();
  Result<RelationPtr> InlineTable();
  Result<RelationPtr> TableFunction();
  Result<RelationPtr> NamedTable();
  Result<std::optional<unresolved::TimeTravel>> TimeTravel();
  struct TableAlias {
    std::string name;  ///< Empty if there is none.
    std::vector<std::string> columns;
    SourceSpan columns_span;
  };
  Result<TableAlias> Alias(Context context = Context::kTable);
  Result<RelationPtr> WithAlias(RelationPtr input, size_t first);
  Status RefuseSample() const;
  std::optional<std::pair<unresolved::JoinType, size_t>> AtJoin() const;
  Result<RelationPtr> Join(RelationPtr left, size_t first);

  // ---- parse_statement.cc ----
  Result<StatementNode> StatementBody();
  Status RefuseKnownStatement() const;
  Result<StatementNode> Explain();
  Result<StatementNode> Describe();
  Result<StatementNode> Show();
  Result<StatementNode> ShowLike(bool is_tables);
  Result<StatementNode> Use();
  Error InvalidStatement(std::string_view operation, size_t first) const;

  // ---- parse_set.cc ----
  Result<StatementNode> Set();
  Result<StatementNode> SetTimeZone();
  Result<StatementNode> Reset();
  std::string_view TakeRest();

  // ---- parse_ddl.cc ----
  Result<StatementNode> Create();
  Result<StatementNode> CreateNamespace();
  Result<StatementNode> CreateTable(size_t first);
  Result<std::vector<unresolved::ColumnDefinition>> Columns();
  Result<unresolved::ColumnDefinition> Column();
  Status ColumnOption(unresolved::ColumnDefinition& column, bool& has_comment);
  Status TableClause(unresolved::CreateTable& table, std::vector<std::string>& seen, size_t clauses_first);
  Status RefuseTableElement() const;
  Result<StatementNode> Drop();
  Status CheckOnce(std::vector<std::string>& seen, std::string_view clause, size_t first);

  // ---- parse_property.cc ----
  struct Property {
    std::string key;
    std::optional<std::string> value;
  };
  Result<std::vector<Property>> PropertyList();
  Result<std::string> PropertyKey();
  Result<std::optional<std::string>> PropertyValue();
  Result<Properties> PropertiesWithValues();
  Result<Properties> OptionList();
  Status CheckReserved(const Properties& properties, bool is_namespace, size_t first);
  Result<std::vector<unresolved::PartitionTransform>> PartitionFields();
  Result<unresolved::PartitionTransform> PartitionField();
  Result<unresolved::PartitionTransform> AppliedTransform(std::string name, size_t first, bool is_create);

  // ---- parse_alter.cc ----
  Result<StatementNode> Alter();
  Result<std::optional<decltype(unresolved::AlterTable::action)>> PartitionFieldAction();
  Result<unresolved::PartitionTransform> IcebergTransform();
  Status RefuseAlterAction() const;

  // ---- parse_dml.cc ----
  Result<StatementNode> Insert(std::vector<unresolved::CommonTable> tables, size_t first);
  Status InsertTarget(unresolved::Insert& insert);
  Result<std::vector<unresolved::StaticPartition>> PartitionSpec();
  Result<StatementNode> Update(size_t first);
  Result<StatementNode> Delete(size_t first);
  Result<std::vector<unresolved::Assignment>> Assignments();
  Result<ExprPtr> ExpressionOrDefault();
  Result<std::string> AliasWithoutColumns(std::string_view operation, Context context = Context::kTable);

  // ---- parse_merge.cc ----
  Result<StatementNode> Merge(size_t first);
  Result<RelationPtr> MergeSource();
  Result<std::optional<unresolved::MergeClause>> MergeClauseOf(unresolved::MergeClause::When when);
  Status MergeAction(unresolved::MergeClause& clause);
  Status MergeInsert(unresolved::MergeClause& clause);
  Status CheckMerge(const unresolved::Merge& merge, size_t first);

  /// Tries a rule: nullopt and everything as before if it does not match; other errors are passed on.
  template <typename Rule, typename T = typename std::invoke_result_t<Rule>::value_type>
  Result<std::optional<T>> Try(Rule rule) {
    const Cursor::Mark mark = in_.Here();
    Result<T> result = rule();
    if (result) return std::optional<T>(*std::move(result));
    if (!Cursor::IsMismatch(result.error())) return std::move(result).error();
    in_.Rewind(mark);
    return std::optional<T>();
  }
  /// As Try; a mismatch within the rule is also forgotten as the place of a syntax error, because Spark then
  /// reports what is wrong with the other reading.
  template <typename Rule, typename T = typename std::invoke_result_t<Rule>::value_type>
  Result<std::optional<T>> TryQuietly(Rule rule) {
    const Cursor::Furthest furthest = in_.furthest();
    WEIR_TRY(std::optional<T> result, Try(rule));
    if (!result) in_.RestoreFurthest(furthest);
    return result;
  }

  /// A query in parentheses that was read before; null if there was none.
  struct KnownQuery {
    RelationPtr query;
    Cursor::Taken taken;
  };

  Cursor in_;
  ParseOptions options_;
  /// By the token of the parenthesis. Nested text that is first read as one thing and then as another would
  /// otherwise take exponential time.
  std::unordered_map<size_t, KnownQuery> known_queries_;
  /// Tokens at which SpecialForm found that its keyword is a name.
  std::unordered_set<size_t> failed_forms_;
};

}  // namespace weir::sql

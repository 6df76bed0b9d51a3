#pragma once

/// The unresolved plan: what a statement says, before names and types mean anything. SQL text and Spark
/// Connect both produce it; only analyze reads it. Every node keeps its place in the text for errors.
/// Thread rule: built by one thread, then immutable.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "type/scalar.h"
#include "type/transform.h"

namespace weir {
struct Batch;
}

namespace weir::unresolved {

/// A multipart name as written, without quotes: `a`.b.c -> {"a","b","c"}.
using Name = std::vector<std::string>;

/// A relation that columns can be taken from by number: df["a"] of the DataFrame API, wherever it stands.
using PlanId = int64_t;
inline constexpr PlanId kNoPlan = -1;

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;
struct Relation;
using RelationPtr = std::shared_ptr<const Relation>;

// ---- expressions ----

struct Literal {
  Scalar value;
  /// Spark prints some literals as they were written (dates, intervals); empty: print the value.
  std::string text;
};
/// A column, or a column's struct member: a.b.c.
struct Attribute {
  Name parts;
  PlanId plan = kNoPlan;  ///< Only a column of that relation is meant.
};
/// `*` or `t.*`, with the names of EXCEPT (..).
struct Star {
  Name qualifier;
  std::vector<Name> except = {};
  PlanId plan = kNoPlan;  ///< As in Attribute.
};
/// A function call or an operator. Operators use the function table's names: "+", "=", "and", "not", "<=>",
/// "like", "between", "in" (first argument is the value), "isnull", "isnotnull", "||"; "-" of one argument is
/// "negative", a[i] is "[]".
/// Forms with words between the arguments are calls: (a, b) and STRUCT(..) are "struct"; DATEADD(unit, ..)
/// and DATEDIFF(unit, ..) are "timestampadd" and "timestampdiff" with the unit as a string; EXTRACT(field
/// FROM x) has the field as a string; TRIM(LEADING c FROM x) is "ltrim"(c, x); FIRST(x IGNORE NULLS) is
/// "first"(x, true). CURRENT_DATE and its like without parentheses are an Attribute: a column of that name
/// comes first.
struct Call {
  Name name;
  std::vector<ExprPtr> args;
  bool is_operator = false;
  bool distinct = false;
  ExprPtr filter = {};  ///< FILTER (WHERE ..), or null.
  bool ignore_nulls = false;
};
struct Cast {
  ExprPtr input;
  Type type;
  bool is_try = false;
};
/// `operand` is null for CASE WHEN; `otherwise` is null when there is no ELSE.
struct Case {
  ExprPtr operand;
  std::vector<std::pair<ExprPtr, ExprPtr>> branches;
  ExprPtr otherwise;
};
/// Member of a struct-valued expression that is not a plain attribute: (expr).name.
struct FieldAccess {
  ExprPtr input;
  std::string field;
};
enum class SubqueryKind : uint8_t { kScalar, kExists, kIn };
struct Subquery {
  SubqueryKind kind = SubqueryKind::kScalar;
  std::vector<ExprPtr> values;  ///< kIn: the left side, one per column.
  RelationPtr query;
};
struct Alias {
  ExprPtr input;
  std::string name;
  std::string metadata = {};  ///< As in plan::Column.
};
/// Names for all columns of a generator: explode(m) AS (key, value).
struct MultiAlias {
  ExprPtr input;
  std::vector<std::string> names;
};
struct SortKey {
  ExprPtr expr;
  bool ascending = true;
  bool nulls_first = true;  ///< Spark's default: first for ASC, last for DESC.
};
struct FrameBound {
  enum class Kind : uint8_t { kUnboundedPreceding, kOffset, kCurrentRow, kUnboundedFollowing };
  Kind kind = Kind::kUnboundedPreceding;
  ExprPtr offset;  ///< kOffset: added to the current row; n PRECEDING is "negative" of n.
};
struct WindowFrame {
  bool is_rows = true;
  FrameBound lower;
  FrameBound upper;
};
struct WindowSpec {
  std::vector<ExprPtr> partition_by;
  std::vector<SortKey> order_by;
  std::optional<WindowFrame> frame;  ///< Absent: the function's own, or Spark's default.
};
/// function OVER ..
struct Window {
  ExprPtr function;  ///< A Call.
  std::string name;  ///< Of a window in Select::windows, else empty.
  WindowSpec spec;   ///< Without a name.
};
/// Of GROUP BY: stands for several lists of keys, beside plain keys and others of its kind. The sets of
/// kGroupingSets may hold further ones as their only member.
struct GroupingSets {
  enum class Kind : uint8_t { kGroupingSets, kRollup, kCube };
  Kind kind = Kind::kGroupingSets;
  std::vector<std::vector<ExprPtr>> sets;
  /// All keys in their order, where the statement lists them beside the sets; else they come as the sets have
  /// them.
  std::vector<ExprPtr> keys;
};
/// The keyword DEFAULT in VALUES and SET.
struct DefaultValue {};
/// An expression with a text of its own, in which its spans count.
struct Written {
  ExprPtr input;
  std::shared_ptr<const std::string> text;
};

struct Expr {
  std::variant<Literal, Attribute, Star, Call, Cast, Case, FieldAccess, Subquery, Alias, DefaultValue,
               Written, Window, GroupingSets, MultiAlias>
      node;
  SourceSpan span;
};

// ---- relations ----

struct TimeTravel {
  bool is_version = false;  ///< VERSION AS OF, else TIMESTAMP AS OF.
  ExprPtr value;            ///< A literal, or for TIMESTAMP any constant expression.
};
struct NamedTable {
  Name name;  ///< Also {"parquet", "/path"} for a path table.
  std::optional<TimeTravel> time_travel;
  std::vector<std::pair<std::string, std::string>> options;
};
/// A table-valued function in FROM.
struct TableFunction {
  Name name;
  std::vector<ExprPtr> args;
};
struct Values {
  std::vector<std::vector<ExprPtr>> rows;
};
/// SELECT without FROM: one row, no columns.
struct OneRow {};
struct Aliased {
  RelationPtr input;
  std::string name;
  std::vector<std::string> columns;  ///< Empty, or one per column.
};
enum class JoinType : uint8_t { kInner, kLeft, kRight, kFull, kLeftSemi, kLeftAnti, kCross };
struct Join {
  RelationPtr left;
  RelationPtr right;
  JoinType type = JoinType::kInner;
  bool natural = false;
  std::vector<std::string> using_columns;
  ExprPtr condition;  ///< Null if absent.
};
struct Filter {
  RelationPtr input;
  ExprPtr condition;
};
struct NamedWindow {
  std::string name;
  WindowSpec spec;
};
/// LATERAL VIEW: each row of the input with each row that the generator makes of it.
struct LateralView {
  RelationPtr input;
  ExprPtr generator;                 ///< A Call.
  bool outer = false;                ///< A row without any is kept, with NULLs.
  std::string name;                  ///< Of the generated columns' table.
  std::vector<std::string> columns;  ///< Empty: the generator's own names.
};
/// SELECT list over `from`. Aggregation is implied by `group_by`, `group_by_all`, `having` or an aggregate in
/// items.
struct Select {
  bool distinct = false;
  std::vector<ExprPtr> items;
  RelationPtr from;  ///< With WHERE already as a Filter.
  /// Keys and GroupingSets.
  std::vector<ExprPtr> group_by;
  bool group_by_all = false;
  ExprPtr having;
  std::vector<NamedWindow> windows = {};  ///< What OVER may name; the first one of a name counts.
};
enum class SetOpKind : uint8_t { kUnion, kIntersect, kExcept };
struct SetOperation {
  SetOpKind kind = SetOpKind::kUnion;
  bool all = false;
  bool by_name = false;        ///< Columns of both sides belong together by name, not by place.
  bool allow_missing = false;  ///< With `by_name`: NULL for a column that one side lacks.
  RelationPtr left;
  RelationPtr right;
};
struct Sort {
  RelationPtr input;
  std::vector<SortKey> keys;  ///< Empty with `all`: ORDER BY ALL.
  bool all = false;
  bool all_ascending = true;
  bool all_nulls_first = true;
};
struct Limit {
  RelationPtr input;
  ExprPtr limit;   ///< Null: no limit.
  ExprPtr offset;  ///< Null: 0.
};
struct CommonTable {
  std::string name;
  std::vector<std::string> columns;
  RelationPtr query;
};
struct With {
  std::vector<CommonTable> tables;
  RelationPtr input;
};

// Relations that only the DataFrame API has.

/// Rows that came with the plan.
struct LocalRows {
  std::vector<Field> columns;
  std::shared_ptr<const std::vector<Batch>> batches;
};
/// Adds columns behind the others, or replaces those of the same name in their place.
struct WithColumns {
  RelationPtr input;
  std::vector<std::pair<std::string, ExprPtr>> columns;
};
/// Renames columns; a name that is not there is passed over.
struct RenameColumns {
  RelationPtr input;
  std::vector<std::pair<std::string, std::string>> renames;  ///< From, to.
};
/// Leaves columns out; what is not there is passed over.
struct DropColumns {
  RelationPtr input;
  std::vector<ExprPtr> columns;
  std::vector<std::string> names;
};
/// Gives every column a new name.
struct NameColumns {
  RelationPtr input;
  std::vector<std::string> names;
};
/// One row, any, of those with equal values in `columns`; none: in all columns.
struct Deduplicate {
  RelationPtr input;
  std::vector<std::string> columns;
};
/// The rows as columns of the given schema. Spec: Dataset.to.
struct ToSchema {
  RelationPtr input;
  std::vector<Field> columns;
  bool by_place = false;  ///< Columns belong together by place, not by name.
};
/// A value in place of NULL (and NaN). Each value goes to the columns of its kind of type, or to those named.
struct FillNulls {
  RelationPtr input;
  std::vector<std::string> columns;  ///< Empty: all; else parallel to `values`, or all with its only value.
  std::vector<Scalar> values;
};
/// Leaves out rows with fewer than `least` values that are neither NULL nor NaN among the columns.
struct DropNulls {
  RelationPtr input;
  std::vector<std::string> columns;  ///< Empty: all.
  std::optional<int64_t> least;      ///< Absent: all of the columns.
};
/// Other values in place of some, in columns whose type has them.
struct ReplaceValues {
  RelationPtr input;
  std::vector<std::string> columns;  ///< Empty: all.
  std::vector<std::pair<Scalar, Scalar>> replacements;
};
/// A query with a text of its own, in which its spans count.
struct WrittenQuery {
  RelationPtr input;
  std::shared_ptr<const std::string> text;
};

struct Relation {
  std::variant<NamedTable, TableFunction, Values, OneRow, Aliased, Join, Filter, Select, SetOperation, Sort,
               Limit, With, LocalRows, WithColumns, RenameColumns, DropColumns, NameColumns, Deduplicate,
               ToSchema, FillNulls, DropNulls, ReplaceValues, WrittenQuery, LateralView>
      node;
  SourceSpan span;
  PlanId plan = kNoPlan;
};

// ---- statements ----

struct Query {
  RelationPtr relation;
};
struct CreateNamespace {
  Name name;
  bool if_not_exists = false;
  std::string comment;
  std::vector<std::pair<std::string, std::string>> properties;
};
struct DropNamespace {
  Name name;
  bool if_exists = false;
  bool cascade = false;
};
struct ColumnDefinition {
  std::string name;
  Type type;
  bool not_null = false;
  std::string comment;
  SourceSpan span;
};
/// One item of PARTITIONED BY, or of ALTER TABLE .. PARTITION FIELD: a column or transform(column, n).
struct PartitionTransform {
  Name column;
  Transform transform;
  std::string text;  ///< As written, for errors.
  SourceSpan span;
};
struct CreateTable {
  Name name;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
  std::string provider;  ///< USING; empty if absent.
  std::vector<PartitionTransform> partitioning;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::pair<std::string, std::string>> options;
  std::optional<std::string> location;
  std::string comment;
  RelationPtr query;  ///< CTAS, else null.
};
struct DropTable {
  Name name;
  bool if_exists = false;
  bool purge = false;
};
struct AlterTable {
  struct SetProperties {
    std::vector<std::pair<std::string, std::string>> properties;
  };
  struct UnsetProperties {
    std::vector<std::string> keys;
    bool if_exists = false;
  };
  struct AddPartitionField {
    PartitionTransform field;
    std::string name;  ///< AS name, else empty.
  };
  struct DropPartitionField {
    PartitionTransform field;  ///< A bare column may also be a partition field's name.
  };
  struct ReplacePartitionField {
    PartitionTransform old_field;
    PartitionTransform new_field;
    std::string name;
  };
  Name name;
  std::variant<SetProperties, UnsetProperties, AddPartitionField, DropPartitionField, ReplacePartitionField>
      action;
};
/// A static partition value of INSERT .. PARTITION (a = 1, b): `value` is null for a dynamic column.
struct StaticPartition {
  std::string column;
  ExprPtr value;
};
struct Insert {
  Name table;
  bool overwrite = false;
  bool by_name = false;
  std::vector<std::string> columns;
  std::vector<StaticPartition> partition;
  bool if_partition_not_exists = false;
  RelationPtr query;
  bool dynamic = false;      ///< With `overwrite`: the partitions that get rows, whatever the session says.
  ExprPtr overwritten = {};  ///< With `overwrite`: the rows that are replaced; or null.
};
struct Assignment {
  Name column;  ///< As written: `status`, `tgt.status`, `t.point.x`.
  ExprPtr value;
  SourceSpan span;
};
struct Update {
  Name table;
  std::string alias;
  std::vector<Assignment> assignments;
  ExprPtr condition;  ///< Null: every row.
};
struct Delete {
  Name table;
  std::string alias;
  ExprPtr condition;  ///< Null: every row.
};
struct MergeClause {
  enum class When : uint8_t { kMatched, kNotMatched, kNotMatchedBySource };
  enum class Action : uint8_t { kUpdate, kUpdateAll, kDelete, kInsert, kInsertAll };
  When when = When::kMatched;
  Action action = Action::kUpdate;
  ExprPtr condition;                    ///< AND .., or null.
  std::vector<Assignment> assignments;  ///< kUpdate.
  std::vector<Name> insert_columns;     ///< kInsert.
  std::vector<ExprPtr> insert_values;   ///< kInsert.
  SourceSpan span;
};
struct Merge {
  Name target;
  std::string target_alias;
  RelationPtr source;  ///< Aliased where the text has an alias.
  ExprPtr condition;
  std::vector<MergeClause> clauses;  ///< In text order.
};
struct Statement;
enum class ExplainMode : uint8_t { kSimple, kExtended, kFormatted, kCost, kCodegen };
struct Explain {
  ExplainMode mode = ExplainMode::kSimple;
  std::shared_ptr<const Statement> statement;
};
struct Describe {
  Name table;
  bool extended = false;
};
struct ShowTables {
  Name in_namespace;  ///< Empty: the current one.
  std::string pattern;
};
struct ShowNamespaces {
  Name in_namespace;
  std::string pattern;
};
struct UseNamespace {
  Name name;
  bool within_catalog = false;  ///< USE NAMESPACE: the name never begins with a catalog.
};
/// SET (no key: all), SET key (no value: show), SET key = value, RESET (is_reset).
struct SetConfiguration {
  std::string key;
  std::optional<std::string> value;
  bool is_reset = false;
};

struct Statement {
  std::variant<Query, CreateNamespace, DropNamespace, CreateTable, DropTable, AlterTable, Insert, Update,
               Delete, Merge, Explain, Describe, ShowTables, ShowNamespaces, UseNamespace, SetConfiguration>
      node;
  SourceSpan span;
};

}  // namespace weir::unresolved

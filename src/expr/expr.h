#pragma once

/// Resolved expressions: names are gone, types are decided, every coercion is an explicit cast.
/// One tree serves plans, pruning and (later) pushdown. Thread rule: immutable, shared.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "base/result.h"
#include "expr/function.h"
#include "type/scalar.h"

namespace weir::plan {
struct Node;  // A subquery's plan. Expressions carry it and never look inside.
}

namespace weir {

class Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// A column of the plan node's input. In a ScanRequest the id equals the table's FieldId (see ColumnOf).
struct ColumnRef {
  ColumnId id;
  std::string name;  ///< For printing only.
};

/// A function or operator of the function table.
struct Call {
  const Function* function = nullptr;  ///< Never null; lives as long as the process.
  std::vector<ExprPtr> args;
  bool distinct = false;  ///< Aggregates only.
  ExprPtr filter = {};    ///< Aggregates only; null if absent.
};

enum class CastMode : uint8_t {
  kAnsi,    ///< Spark's CAST with ANSI mode on: a value that does not fit is an error.
  kLegacy,  ///< CAST with ANSI mode off: NULL, or wrapped integers.
  kTry,     ///< TRY_CAST: NULL.
  kStore,   ///< Store assignment under the ANSI policy: like kAnsi, errors name the column.
};
struct Cast {
  ExprPtr input;
  CastMode mode = CastMode::kAnsi;
  bool implicit = false;  ///< Made by coercion: left out where an expression is shown to the user.
  std::string column;     ///< Of kStore: the column stored to, quoted, as its errors name it.
};

/// CASE WHEN .. THEN .. ELSE .. END. `otherwise` is never null (a NULL literal when absent in the text).
struct Case {
  struct Branch {
    ExprPtr condition;
    ExprPtr value;
  };
  std::vector<Branch> branches;
  ExprPtr otherwise;
};

/// Member of a struct by position.
struct GetField {
  ExprPtr input;
  int32_t index = 0;
  std::string name;
};

enum class SubqueryKind : uint8_t { kScalar, kExists, kIn };
/// `outer` columns of the enclosing query that the plan refers to make it correlated.
struct Subquery {
  SubqueryKind kind = SubqueryKind::kScalar;
  std::shared_ptr<const plan::Node> plan;
  ExprPtr value;                ///< kIn: the left side. Else null.
  std::vector<ColumnId> outer;  ///< Columns of the enclosing query used inside.
};

struct SortKey {
  ExprPtr expr;
  bool ascending = true;
  bool nulls_first = true;
};

/// One end of a frame.
struct FrameBound {
  enum class Kind : uint8_t { kUnboundedPreceding, kOffset, kCurrentRow, kUnboundedFollowing };
  Kind kind = Kind::kUnboundedPreceding;
  /// kOffset: what is added to the current row's number (ROWS, an int) or to its sort key (RANGE). Never
  /// NULL.
  Scalar offset = {};
  std::string text = {};  ///< kOffset: as Spark shows it, "1 PRECEDING".

  friend bool operator==(const FrameBound& a, const FrameBound& b);
};
/// The rows of its partition that a window function sees, by distance from the current row. RANGE counts rows
/// with equal sort keys as one.
struct WindowFrame {
  bool is_rows = true;
  FrameBound lower;
  FrameBound upper;

  friend bool operator==(const WindowFrame& a, const WindowFrame& b) = default;
};
/// A window or aggregate function over the frame of each row. The column is in the output of a plan::Window
/// and stands nowhere else in a plan; analysis has it inside of other expressions until then.
struct WindowCall {
  Call call;
  std::string text;           ///< How the call is shown, as Expr::text.
  bool ignore_nulls = false;  ///< Of functions that pick rows.
  std::vector<ExprPtr> partition_by;
  std::vector<SortKey> order_by;
  WindowFrame frame;
};

class Expr {
 public:
  using Variant = std::variant<Scalar, ColumnRef, Call, Cast, Case, GetField, Subquery, WindowCall>;

  Expr(Variant node, Type type, bool nullable, std::string text = {})
      : node_(std::move(node)), type_(std::move(type)), nullable_(nullable), text_(std::move(text)) {}

  const Variant& node() const { return node_; }
  const Type& type() const { return type_; }
  bool nullable() const { return nullable_; }
  /// What the user wrote, in Spark's spelling, where the tree says it in other words (nullif as CASE); else
  /// empty. Only PrettySql reads it, and a rewritten copy may lose it.
  const std::string& text() const { return text_; }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }

 private:
  Variant node_;
  Type type_;
  bool nullable_;
  std::string text_;
};

ExprPtr MakeLiteral(Scalar value);
ExprPtr MakeColumn(ColumnId id, std::string name, Type type, bool nullable);
/// A boolean call of the named operator or predicate ("=", "and", "not", "isnull", ...). The function must
/// exist.
ExprPtr MakePredicate(std::string_view function, std::vector<ExprPtr> args);
ExprPtr MakeCast(ExprPtr input, Type type, CastMode mode);
/// AND of all; TRUE for none.
ExprPtr Conjunction(std::vector<ExprPtr> conjuncts);
/// Splits nested ANDs; a single expression gives itself.
std::vector<ExprPtr> Conjuncts(const ExprPtr& predicate);

/// Direct children, in evaluation order; a subquery's value but not its plan; of a window call its arguments,
/// filter, partition and order, so that its own function counts for no aggregate of the query.
std::vector<ExprPtr> Children(const Expr& expr);
/// A copy with other children, in the order and number of Children. The type and nullability stay.
ExprPtr WithChildren(const Expr& expr, const std::vector<ExprPtr>& children);
/// All columns that the expression reads, subqueries' outer columns included.
std::unordered_set<ColumnId> ColumnsOf(const Expr& expr);
/// Replaces columns; those not in the map stay. Subqueries' plans are not entered: returns kInternal if one
/// has outer columns.
Result<ExprPtr> ReplaceColumns(const ExprPtr& expr,
                               const std::unordered_map<ColumnId, ExprPtr>& replacements);
/// True unless some function in it may give another value on another call (rand, uuid).
bool IsDeterministic(const Expr& expr);
bool HasSubquery(const Expr& expr);
bool HasAggregate(const Expr& expr);
bool HasWindow(const Expr& expr);
bool HasGenerator(const Expr& expr);

/// Spark's SQL text of the expression, fully parenthesised, as EXPLAIN shows it.
std::string ToString(const Expr& expr);
/// "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW".
std::string ToString(const WindowFrame& frame);
/// "expr ASC NULLS FIRST", with the text of the key's expression given.
std::string SortKeyText(const SortKey& key, std::string_view expr);

/// A field's column in a ScanRequest.
inline ColumnId ColumnOf(FieldId id) { return ColumnId{id.value}; }
inline FieldId FieldOf(ColumnId id) { return FieldId{id.value}; }

}  // namespace weir

#pragma once

/// Expressions: names, functions and coercions. Thread rule: one thread.

#include "analyze/scope.h"

namespace weir::analyze {

/// Resolves an expression. Aggregates may occur; whoever calls decides whether they are allowed.
/// Errors: name and type errors with the place of the offending part; kUnsupported.
Result<ExprPtr> ResolveExpression(const unresolved::Expr& expr, const Names& names, Context& context);

/// Resolves a condition of `clause` ("filter" or "join"). Errors: Spark's condition for what is not boolean.
Result<ExprPtr> ResolveCondition(const unresolved::Expr& expr, const Names& names, Context& context,
                                 std::string_view clause);

/// The column name that an item without an alias gets.
std::string OutputName(const unresolved::Expr& item, const Expr& resolved);

/// What Spark notes in the schema of a column that it had to name: metadata as in plan::Column. Columns,
/// their members, casts of those and literals are not noted.
std::string MetadataOfUnnamed(const Expr& resolved);

/// The expression cast implicitly to the type, or itself when it has it.
ExprPtr Coerce(const ExprPtr& expr, const Type& type, const Context& context);
/// CAST(expr AS type), as the user wrote it. Errors: DATATYPE_MISMATCH.CAST_*.
Result<ExprPtr> ExplicitCast(const ExprPtr& expr, const Type& type, bool is_try, const Context& context);
/// The condition of HAVING, which Spark casts where WHERE refuses. Errors: as ExplicitCast.
Result<ExprPtr> CastToCondition(const ExprPtr& expr, const Context& context);

/// A call of a table function by its entry: counts arguments, adds defaults, decides types, casts arguments.
/// `written_name` is how the user spelled it. Errors: WRONG_NUM_ARGS, DATATYPE_MISMATCH.
Result<ExprPtr> MakeCall(const Function& function, std::string_view written_name, std::vector<ExprPtr> args,
                         const Context& context);
/// As MakeCall for a function that exists, by name.
Result<ExprPtr> MakeCall(std::string_view name, std::vector<ExprPtr> args, const Context& context);

/// The same expression, shown to the user as `text`.
ExprPtr ShownAs(const ExprPtr& expr, std::string text);

/// Resolves the arguments of a call, with stars expanded.
Result<std::vector<ExprPtr>> ResolveArguments(const std::vector<unresolved::ExprPtr>& args,
                                              const Names& names, Context& context);
/// Calls and operators. Errors: as ResolveExpression; UNRESOLVED_ROUTINE, NESTED_AGGREGATE_FUNCTION.
Result<ExprPtr> ResolveCall(const unresolved::Call& call, const Names& names, Context& context);
/// A call of a generator. Errors: as ResolveCall.
Result<ExprPtr> ResolveGeneratorCall(const unresolved::Call& call, const Names& names, Context& context);
/// The function before OVER: an Expr with a Call, of whatever kind of function. Its arguments may hold
/// aggregates of the query around it. `ignore_nulls` is set if the function itself skips NULLs. Errors: as
/// ResolveCall.
Result<ExprPtr> ResolveWindowedCall(const unresolved::Call& call, const Names& names, Context& context,
                                    bool& ignore_nulls);
/// Calls that mean something else than a table function: nullif, between, struct, current_date, date +
/// interval, ... Nullptr if the call is none of those.
Result<ExprPtr> ResolveSpecialCall(std::string_view name, std::vector<ExprPtr>& args, const Context& context);
/// CASE. `branches` are conditions and values; a missing ELSE is null.
Result<ExprPtr> MakeCase(std::vector<std::pair<ExprPtr, ExprPtr>> branches, ExprPtr otherwise,
                         const Context& context);

/// Scalar, EXISTS and IN subqueries.
Result<ExprPtr> ResolveSubquery(const unresolved::Subquery& subquery, const Names& names, Context& context);

}  // namespace weir::analyze

#pragma once

/// The function table: one entry per function or operator, and the only place that says what Spark means by
/// it. A function that is not in the table does not exist. Its DuckDB lowering is kept by exec/duckdb under
/// `name`. Thread rule: the table is built once and immutable.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "type/scalar.h"

namespace weir {

class Expr;
struct Call;
struct Bounds;
class Outcomes;

/// What a signature rule sees of one argument before coercion.
struct Argument {
  Type type;
  bool nullable = true;
  /// For rules that need a literal (round's digits) and for errors; may be null.
  const Expr* expr = nullptr;
};

/// What a signature rule decides. `arguments[i]` is the type to which argument i is cast.
struct Signature {
  std::vector<Type> arguments;
  Type result;
  bool nullable = true;
};

/// Session settings that change meaning.
struct Semantics {
  bool ansi = true;
  std::string time_zone = "UTC";
};

/// Decides types. Errors: kInvalid with Spark's condition (DATATYPE_MISMATCH.*, WRONG_NUM_ARGS.*).
using SignatureRule = Result<Signature> (*)(std::string_view name, std::span<const Argument> args,
                                            const Semantics&);
/// Values for missing trailing arguments: the last of them stands for the last argument.
using DefaultArguments = std::vector<Scalar> (*)();
/// Possible truth values over rows described by bounds; null means "all outcomes possible". See outcomes.h.
using BoundsRule = Outcomes (*)(const Call&, const Bounds&);

enum class FunctionKind : uint8_t {
  kScalar,
  kAggregate,
  kWindow,     ///< Only with OVER.
  kGenerator,  ///< Many rows out of one. The result is a struct: one member per column.
};
/// How Spark names a column made by the function.
enum class PrettyForm : uint8_t {
  kCall,     ///< name(a, b)
  kInfix,    ///< (a NAME b)
  kPrefix,   ///< (NAME a)
  kPostfix,  ///< (a NAME)
  kCustom,   ///< pretty.cc prints it by name
};

struct Function {
  std::string_view name;  ///< Canonical Spark name in lower case, or the operator: "=", "and", "+".
  FunctionKind kind = FunctionKind::kScalar;
  PrettyForm pretty = PrettyForm::kCall;
  SignatureRule signature = nullptr;
  BoundsRule bounds = nullptr;
  bool deterministic = true;
  /// Other Spark names, separated by spaces; one with a "*" behind is shown as `name`.
  std::string_view aliases = {};
  int min_args = 0;
  int max_args = kAnyNumber;
  DefaultArguments defaults = nullptr;  ///< So that a resolved call always has max_args arguments; or null.
  std::string_view display = {};        ///< Spark's spelling in column names where it is not `name`: "SQRT".

  static constexpr int kAnyNumber = -1;
};

/// Finds by name or alias in any case; null if the function does not exist.
const Function* FindFunction(std::string_view name);
/// How a call that was written with `name` is shown: by that name for most aliases, else by the function's
/// own.
std::string ShownName(const Function& function, std::string_view name);
/// All entries, in table order.
std::span<const Function> AllFunctions();

}  // namespace weir

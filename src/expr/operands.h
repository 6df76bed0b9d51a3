#pragma once

/// Coercion of the two operands of a binary operator. Private to this folder. Thread rule: pure functions.

#include "expr/signature.h"

namespace weir {

/// Which operators a coercion is for; decides how decimals and integers meet and what is accepted.
enum class OperandRule : uint8_t {
  kArithmetic,        ///< + -: numbers or intervals; decimals keep their own precision.
  kProduct,           ///< *: numbers.
  kRemainder,         ///< % and pmod: numbers.
  kDivision,          ///< /: double or decimal.
  kIntegralDivision,  ///< div: bigint or decimal.
  kBitwise,           ///< & | ^.
  kLogical,           ///< and or.
  kComparison,        ///< = < ...: one type on both sides.
};

struct Operands {
  Type left;
  Type right;
};
/// Errors: DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES, BINARY_OP_WRONG_TYPE.
Result<Operands> CoerceOperands(OperandRule rule, const Argument& left, const Argument& right,
                                TypeRules rules);

}  // namespace weir

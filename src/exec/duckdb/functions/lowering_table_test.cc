#include "exec/duckdb/functions/lowering_table.h"

#include <gtest/gtest.h>

#include <string>

#include "expr/function.h"

namespace weir::exec {
namespace {

TEST(LoweringTableTest, EveryFunctionHasALowering) {
  std::string missing;
  for (const Function& function : AllFunctions()) {
    if (function.kind == FunctionKind::kGenerator) continue;  // A node of the plan: see generators.h.
    if (FindLowering(function.name) == nullptr) missing += std::string(function.name) + ' ';
  }
  EXPECT_EQ(missing, "");
}

TEST(LoweringTableTest, EveryLoweringHasAFunction) {
  for (const auto& part :
       {OperatorLowerings(), MathLowerings(), TextLowerings(), RegexLowerings(), TimeLowerings(),
        CollectionLowerings(), HashLowerings(), DigestLowerings(), AggregateLowerings(), WindowLowerings()}) {
    for (const FunctionLowering& lowering : part) {
      const Function* function = FindFunction(lowering.name);
      ASSERT_NE(function, nullptr) << lowering.name;
      EXPECT_EQ(function->name, lowering.name);
    }
  }
}

}  // namespace
}  // namespace weir::exec

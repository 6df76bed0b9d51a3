#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "base/clock.h"
#include "base/executor.h"
#include "base/int128.h"
#include "base/result.h"

namespace weir {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return Invalid("{} is odd", n);
  return n / 2;
}
Result<int> Quarter(int n) {
  WEIR_TRY(int half, Half(n));
  WEIR_TRY_CONTEXT(int quarter, "second half", Half(half));
  return quarter;
}

TEST(Result, CarriesValueOrError) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(Quarter(7).error().message(), "7 is odd");
  EXPECT_EQ(Quarter(6).error().message(), "second half: 3 is odd");
  EXPECT_EQ(Quarter(6).error().code(), ErrorCode::kInvalid);
}

TEST(Error, ShowsSparkConditionAndPlace) {
  Error error =
      Invalid("no such column").WithCondition({"UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", {}, {}, ""});
  error = std::move(error).WithSpan({7, 8, 1, 7}, "SELECT x");
  EXPECT_EQ(error.condition()->fragment, "x");
  EXPECT_EQ(error.ToString(),
            "[UNRESOLVED_COLUMN.WITHOUT_SUGGESTION] no such column SQLSTATE: 42703; line 1 pos 7");
}

TEST(Int128, TextRoundTripsAtTheEdges) {
  const std::string highest = "170141183460469231731687303715884105727";
  const std::string lowest = "-170141183460469231731687303715884105728";
  EXPECT_EQ(ToString(*ParseInt128(highest)), highest);
  EXPECT_EQ(ToString(*ParseInt128(lowest)), lowest);
  EXPECT_FALSE(ParseInt128("170141183460469231731687303715884105728"));
  EXPECT_FALSE(ParseInt128("1x"));
  EXPECT_FALSE(ParseInt128("-"));
  EXPECT_EQ(ToString(PowerOfTen(38)), "1" + std::string(38, '0'));
}

TEST(ParallelFor, CallsEachIndexOnceAndStopsAtTheFirstError) {
  std::atomic<int> sum{0};
  ASSERT_TRUE(ParallelFor(100, 4, [&](size_t i) -> Status {
    sum += static_cast<int>(i);
    return {};
  }));
  EXPECT_EQ(sum, 4950);
  std::atomic<int> calls{0};
  Status failed = ParallelFor(1000, 1, [&](size_t i) -> Status {
    ++calls;
    if (i == 3) return Invalid("three");
    return {};
  });
  EXPECT_EQ(failed.error().message(), "three");
  EXPECT_EQ(calls, 4);
}

TEST(Random, UuidHasVersionFourAndIsRepeatable) {
  SeededRandom one(7), two(7);
  const std::string uuid = one.Uuid();
  EXPECT_EQ(uuid, two.Uuid());
  EXPECT_EQ(uuid.size(), 36u);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_TRUE(uuid[19] == '8' || uuid[19] == '9' || uuid[19] == 'a' || uuid[19] == 'b');
}

}  // namespace
}  // namespace weir

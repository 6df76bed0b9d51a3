#include "exec/duckdb/test_plans.h"

#include <cmath>

namespace weir::exec {
namespace {

using testing::EngineTest;

constexpr char kOverflow[] = "[ARITHMETIC_OVERFLOW]";
constexpr char kByteOverflow[] = "[BINARY_ARITHMETIC_OVERFLOW]";

// Values seen on Spark 4.1.
class MathTest : public EngineTest {
 protected:
  std::string Of(std::string_view function, std::vector<ExprPtr> args, Type type, bool ansi = true) {
    auto plan = plan::MakeProject(OneRow(), {Call(function, std::move(args), std::move(type))}, {"x"}, ids_);
    RunContext context = Context();
    context.semantics.ansi = ansi;
    return TextOf(Rows(plan, context));
  }
  std::string Of(std::string_view function, double x) { return Of(function, {Dbl(x)}, Type::Double()); }
  std::string Of(std::string_view function, double x, double y) {
    return Of(function, {Dbl(x), Dbl(y)}, Type::Double());
  }
  static ExprPtr Dec(Int128 unscaled, int precision, int scale) {
    return MakeLiteral(Scalar::Decimal(unscaled, precision, scale));
  }
  static ExprPtr Tiny(int64_t value) { return MakeLiteral(Scalar(Type::Byte(), value)); }
  static ExprPtr Small(int64_t value) { return MakeLiteral(Scalar(Type::Short(), value)); }
  static ExprPtr Single(float value) { return MakeLiteral(Scalar::Float(value)); }
};

TEST_F(MathTest, FunctionsOfDoubles) {
  struct Case {
    const char* function;
    double x;
    const char* value;
  };
  for (const Case& c : {Case{"signum", -0.0, "-0.0"},
                        {"signum", NAN, "NaN"},
                        {"sqrt", -1, "NaN"},
                        {"sqrt", -0.0, "-0.0"},
                        {"cbrt", -27, "-3.0"},
                        {"exp", 710, "Infinity"},
                        {"ln", 0, "NULL"},
                        {"ln", -1, "NULL"},
                        {"ln", NAN, "NaN"},
                        {"ln", INFINITY, "Infinity"},
                        {"log10", 1000, "3.0"},
                        {"log10", 0, "NULL"},
                        {"log2", 8, "3.0"},
                        {"log2", 10, "3.3219280948873626"},
                        {"asin", 2, "NaN"},
                        {"atan", INFINITY, "1.5707963267948966"},
                        {"degrees", 3.141592653589793, "180.0"},
                        {"radians", 180, "3.141592653589793"},
                        {"sin", INFINITY, "NaN"}}) {
    EXPECT_EQ(Of(c.function, c.x), c.value) << c.function << ' ' << c.x;
  }
  EXPECT_EQ(Of("power", NAN, 0), "1.0");
  EXPECT_EQ(Of("power", 1, NAN), "NaN");
  EXPECT_EQ(Of("power", -1, INFINITY), "NaN");
  EXPECT_EQ(Of("power", 0, -1), "Infinity");
  EXPECT_EQ(Of("log", 2, 8), "3.0");
  EXPECT_EQ(Of("log", 0, 5), "NULL");
  EXPECT_EQ(Of("log", 1, 5), "Infinity");
  EXPECT_EQ(Of("atan2", 0, -0.0), "0.0");
}

TEST_F(MathTest, WholeNumbers) {
  const Type big = Type::Long();
  EXPECT_EQ(Of("ceil", {Dbl(-0.5)}, big), "0");
  EXPECT_EQ(Of("ceil", {Dbl(NAN)}, big), "0");
  EXPECT_EQ(Of("floor", {Dbl(-1e300)}, big), "-9223372036854775808");
  EXPECT_EQ(Of("ceil", {Dec(-101, 3, 2)}, Type::Decimal(2, 0)), "-1");
  EXPECT_EQ(Of("floor", {Dec(-101, 3, 2)}, Type::Decimal(2, 0)), "-2");
}

TEST_F(MathTest, AbsAndItsOverflow) {
  EXPECT_EQ(Of("abs", {Tiny(-128)}, Type::Byte()), kOverflow);
  EXPECT_EQ(Of("abs", {Tiny(-128)}, Type::Byte(), false), "-128");
  EXPECT_EQ(Of("abs", {Long(INT64_MIN)}, Type::Long()), kOverflow);
  EXPECT_EQ(Of("abs", {Dbl(-0.0)}, Type::Double()), "0.0");
  EXPECT_EQ(Of("abs", {Dec(-150, 3, 2)}, Type::Decimal(3, 2)), "1.50");
}

TEST_F(MathTest, RoundGoesByTheDigits) {
  struct Case {
    double x;
    int32_t digits;
    const char* half_up;
  };
  for (const Case& c : {Case{2.5, 0, "3.0"},
                        {-2.5, 0, "-3.0"},
                        {1.005, 2, "1.01"},
                        {2.675, 2, "2.68"},
                        {1e300, 2, "1.0E300"},
                        {123456.789, -3, "123000.0"},
                        {NAN, 2, "NaN"},
                        {-0.4, 0, "0.0"},
                        {-0.0, 0, "0.0"},
                        {0.15, 1, "0.2"},
                        {1.5, 400, "1.5"},
                        {1.5, -400, "0.0"}}) {
    EXPECT_EQ(Of("round", {Dbl(c.x), Int(c.digits)}, Type::Double()), c.half_up) << c.x << ' ' << c.digits;
  }
  EXPECT_EQ(Of("bround", {Dbl(2.5), Int(0)}, Type::Double()), "2.0");
  EXPECT_EQ(Of("bround", {Dbl(0.125), Int(2)}, Type::Double()), "0.12");
  EXPECT_EQ(Of("bround", {Int(35), Int(-1)}, Type::Int()), "40");
  EXPECT_EQ(Of("round", {Single(2.675f), Int(2)}, Type::Float()), "2.67");
  EXPECT_EQ(Of("round", {Single(0.15f), Int(1)}, Type::Float()), "0.2");
  EXPECT_EQ(Of("round", {Int(-55), Int(-1)}, Type::Int()), "-60");
  EXPECT_EQ(Of("round", {Tiny(127), Int(-1)}, Type::Byte()), kOverflow);
  EXPECT_EQ(Of("round", {Tiny(127), Int(-1)}, Type::Byte(), false), "-126");
  EXPECT_EQ(Of("round", {Dec(9995, 4, 3), Int(2)}, Type::Decimal(4, 2)), "10.00");
  const ExprPtr wide = Dec(ParseInt128("99999999999999999999999999999999999999").value(), 38, 0);
  EXPECT_EQ(Of("round", {wide, Int(-1)}, Type::Decimal(38, 0)),
            "[NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION]");
  EXPECT_EQ(Of("round", {wide, Int(-1)}, Type::Decimal(38, 0), false), "NULL");
}

TEST_F(MathTest, SmallTypesOverflowByName) {
  EXPECT_EQ(Of("+", {Tiny(127), Tiny(1)}, Type::Byte()), kByteOverflow);
  EXPECT_EQ(Of("+", {Tiny(127), Tiny(1)}, Type::Byte(), false), "-128");
  EXPECT_EQ(Of("-", {Small(-32768), Small(1)}, Type::Short()), kByteOverflow);
  EXPECT_EQ(Of("*", {Tiny(100), Tiny(2)}, Type::Byte(), false), "-56");
  EXPECT_EQ(Of("negative", {Tiny(-128)}, Type::Byte()), kOverflow);
}

TEST_F(MathTest, Remainders) {
  EXPECT_EQ(Of("pmod", {Int(-7), Int(3)}, Type::Int()), "2");
  EXPECT_EQ(Of("pmod", {Int(-7), Int(-3)}, Type::Int()), "-1");
  EXPECT_EQ(Of("pmod", {Tiny(-1), Tiny(127)}, Type::Byte()), "126");
  EXPECT_EQ(Of("%", {Long(INT64_MIN), Long(-1)}, Type::Long()), "0");
  EXPECT_EQ(Of("%", -0.0, 5), "-0.0");
  EXPECT_EQ(Of("%", 5, INFINITY), "5.0");
  EXPECT_EQ(Of("pmod", {Dbl(1), Dbl(0)}, Type::Double()), "[REMAINDER_BY_ZERO]");
}

TEST_F(MathTest, HashesAndEncodings) {
  const Type text = Type::String();
  EXPECT_EQ(Of("hash", {Str("abc")}, Type::Int()), "1322437556");
  EXPECT_EQ(Of("hash", {Dbl(-0.0)}, Type::Int()), "-1670924195");
  EXPECT_EQ(Of("hash", {Dbl(NAN)}, Type::Int()), "-1281358385");
  EXPECT_EQ(Of("xxhash64", {Str("abc")}, Type::Long()), "1423657621850124518");
  EXPECT_EQ(Of("xxhash64", {Long(1)}, Type::Long()), "-7001672635703045582");
  EXPECT_EQ(Of("hex", {Long(-1)}, text), "FFFFFFFFFFFFFFFF");
  EXPECT_EQ(Of("base64", {MakeLiteral(Scalar::Binary(std::string(60, 'a')))}, text),
            "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh\r\nYWFh");
  const auto decoded = [&](const char* input) { return Of("unbase64", {Str(input)}, Type::Binary()); };
  EXPECT_EQ(decoded("YQ=="), "a");
  EXPECT_EQ(decoded("YQ"), "a");
  EXPECT_EQ(decoded("a!b"), "i");
  for (const char* broken : {"Y", "YQ=a", "YQ=", "YWJj="})
    EXPECT_EQ(decoded(broken).substr(0, 7), "invalid") << broken;
  EXPECT_EQ(Of("unhex", {Str("GG")}, Type::Binary()), "NULL");
  EXPECT_EQ(Of("crc32", {MakeLiteral(Scalar::Binary("abc"))}, Type::Long()), "891568578");
}

}  // namespace
}  // namespace weir::exec

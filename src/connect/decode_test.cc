#include "connect/decode.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "connect/errors.h"
#include "connect/show.h"
#include "sql/printer.h"

namespace weir::connect {
namespace {

template <typename Message>
Message Parsed(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

std::string ExpressionText(const std::string& text) {
  auto expr = DecodeExpression(Parsed<proto::Expression>(text), {});
  return expr ? sql::ToSql(**expr) : expr.error().ToString();
}

TEST(DecodeExpression, SaysWhatSqlWouldSay) {
  EXPECT_EQ(ExpressionText("unresolved_attribute { unparsed_identifier: 'a.`b.c`.d' }"), "`a`.`b.c`.`d`");
  EXPECT_EQ(ExpressionText("expression_string { expression: 'a + 1' }"), "(`a` + 1)");
  EXPECT_EQ(ExpressionText(
                "unresolved_function { function_name: '==' arguments { literal { integer: 1 } } arguments { "
                "literal { string: 'x' } } }"),
            "(1 = 'x')");
  EXPECT_EQ(
      ExpressionText("unresolved_function { function_name: 'when' arguments { literal { boolean: true } } "
                     "arguments { literal { integer: 1 } } }"),
      "CASE WHEN TRUE THEN 1 END");
  EXPECT_EQ(ExpressionText("cast { expr { literal { integer: 1 } } type_str: 'string' }"),
            "CAST(1 AS STRING)");
}

TEST(DecodeExpression, BadNamesAreRefused) {
  for (const char* name : {"a.", ".a..b", "`a", "a`b`", "`a`b"}) {
    auto expr = DecodeExpression(
        Parsed<proto::Expression>(fmt::format("unresolved_attribute {{ unparsed_identifier: '{}' }}", name)),
        {});
    ASSERT_FALSE(expr) << name;
    EXPECT_EQ(expr.error().condition()->name, "INVALID_ATTRIBUTE_NAME_SYNTAX") << name;
  }
}

TEST(DecodeExpression, WhatIsNotImplementedIsNamed) {
  auto expr = DecodeExpression(Parsed<proto::Expression>("unresolved_regex { col_name: 'a.*' }"), {});
  ASSERT_FALSE(expr);
  EXPECT_EQ(expr.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(expr.error().message().find("unresolved_regex"), std::string::npos);
}

TEST(DecodeLiteral, DecimalsHaveTheDigitsOfTheirText) {
  struct Case {
    const char* text;
    const char* value;
    const char* type;
  };
  for (const Case& one :
       {Case{"value: '1.50'", "1.50", "decimal(3,2)"}, Case{"value: '-0.05'", "-0.05", "decimal(2,2)"},
        Case{"value: '12E2'", "1200", "decimal(4,0)"},
        Case{"value: '1.5' precision: 10 scale: 3", "1.500", "decimal(10,3)"}}) {
    auto value = DecodeLiteral(Parsed<proto::Expression::Literal>(fmt::format("decimal {{ {} }}", one.text)));
    ASSERT_TRUE(value) << value.error().ToString();
    EXPECT_EQ(value->ToString(), one.value);
    EXPECT_EQ(value->type().ToString(), one.type);
  }
  EXPECT_FALSE(DecodeLiteral(Parsed<proto::Expression::Literal>("decimal { value: 'x' }")));
  // Found by fuzzing: 2.50 has no room for so many more digits.
  for (const char* scale : {"38", "39", "2147483647"}) {
    EXPECT_FALSE(DecodeLiteral(Parsed<proto::Expression::Literal>(
        fmt::format("decimal {{ value: '2.50' precision: 10 scale: {} }}", scale))))
        << scale;
  }
  EXPECT_FALSE(DecodeLiteral(
      Parsed<proto::Expression::Literal>(fmt::format("decimal {{ value: '{}' }}", std::string(39, '9')))));
}

TEST(DecodeLiteral, NestedOnesTakeTheTypesThatAreDeclared) {
  auto value = DecodeLiteral(Parsed<proto::Expression::Literal>(
      "array { element_type { long {} } elements { long: 1 } elements { null { long {} } } }"));
  ASSERT_TRUE(value) << value.error().ToString();
  EXPECT_EQ(value->type().ToString(), "array<bigint>");
  EXPECT_EQ(value->ToString(), "[1, null]");
  EXPECT_FALSE(DecodeLiteral(Parsed<proto::Expression::Literal>("map { keys { integer: 1 } }")));
  EXPECT_FALSE(DecodeLiteral(Parsed<proto::Expression::Literal>("struct { elements { integer: 1 } }")));
}

TEST(DataTypes, ComeBackAsTheyWent) {
  for (const char* text : {"boolean", "tinyint", "smallint", "int", "bigint", "float", "double",
                           "decimal(12,2)", "date", "timestamp", "timestamp_ntz", "string", "binary",
                           "array<int>", "map<string,double>", "struct<a:int,b:array<string>>"}) {
    auto type = ParseType(text);
    ASSERT_TRUE(type) << text;
    auto back = DecodeType(EncodeType(*type));
    ASSERT_TRUE(back) << back.error().ToString();
    EXPECT_EQ(*back, *type) << text;
  }
}

TEST(ParseSchema, TakesDdlTypesAndJson) {
  auto names = [](const std::string& text) {
    auto fields = ParseSchema(text);
    if (!fields) return fields.error().ToString();
    std::string list;
    for (const Field& field : *fields) {
      list += fmt::format("{} {}{}; ", field.name, field.type.ToString(), field.required ? " required" : "");
    }
    return list;
  };
  EXPECT_EQ(names("a int, b string NOT NULL"), "a int; b string required; ");
  EXPECT_EQ(names("struct<a:int>"), "a int; ");
  EXPECT_EQ(names("bigint"), "value bigint; ");
  EXPECT_EQ(names(R"({"type":"struct","fields":[{"name":"a","type":"long","nullable":false,"metadata":{}},)"
                  R"({"name":"b","type":{"type":"array","elementType":"integer","containsNull":true}}]})"),
            "a bigint required; b array<int>; ");
  for (const char* bad : {"", "a int,", "{", R"({"type":"struct"})", R"({"type":"array"})"}) {
    EXPECT_FALSE(ParseSchema(bad)) << bad;
  }
}

TEST(DecodeRelation, KeepsPlanIdsAndTexts) {
  auto relation = DecodeRelation(
      Parsed<proto::Relation>(
          "common { plan_id: 7 } filter { input { sql { query: 'SELECT 1 AS a' } } condition { "
          "expression_string { expression: 'a > 0' } } }"),
      {});
  ASSERT_TRUE(relation) << relation.error().ToString();
  EXPECT_EQ((*relation)->plan, 7);
  const auto& filter = std::get<unresolved::Filter>((*relation)->node);
  EXPECT_EQ(*std::get<unresolved::WrittenQuery>(filter.input->node).text, "SELECT 1 AS a");
  EXPECT_EQ(*std::get<unresolved::Written>(filter.condition->node).text, "a > 0");
}

TEST(DecodeRelation, DeepPlansEndInAnError) {
  proto::Relation relation = Parsed<proto::Relation>("range { end: 1 step: 1 }");
  for (int i = 0; i < 1100; ++i) {
    proto::Relation deeper;
    deeper.mutable_limit()->set_limit(1);
    deeper.mutable_limit()->mutable_input()->Swap(&relation);
    relation.Swap(&deeper);
  }
  EXPECT_FALSE(DecodeRelation(relation, {}));
}

TEST(Errors, HaveTheClassThatSparkThrows) {
  auto class_of = [](std::string condition, std::string state, ErrorCode code = ErrorCode::kInvalid) {
    return ClassesOf(Error(code, "x").WithCondition({std::move(condition), std::move(state), {}, {}, ""}))[0];
  };
  EXPECT_EQ(class_of("PARSE_SYNTAX_ERROR", "42601"), "org.apache.spark.sql.catalyst.parser.ParseException");
  EXPECT_EQ(class_of("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703"), "org.apache.spark.sql.AnalysisException");
  EXPECT_EQ(class_of("DIVIDE_BY_ZERO", "22012"), "java.lang.ArithmeticException");
  EXPECT_EQ(class_of("CAST_INVALID_INPUT", "22018"), "java.lang.NumberFormatException");
  EXPECT_EQ(class_of("INVALID_ARRAY_INDEX", "22003"), "java.lang.ArrayIndexOutOfBoundsException");
  EXPECT_EQ(ClassesOf(Unsupported("x"))[0], "java.lang.UnsupportedOperationException");
}

TEST(Errors, LongMessagesAreCutInTheHeaderOnly) {
  const Error error = Invalid("{}", std::string(100'000, 'x'));
  EXPECT_LT(ToRpcStatus(error, "id").ByteSizeLong(), 6000u);
  EXPECT_GT(DetailsOf(error).errors(0).message().size(), 100'000u);
}

TEST(ShowText, CutsByCharactersOfUtf16) {
  // Spark counts the emoji as two.
  EXPECT_EQ(ShowText({"a"}, {{"\xF0\x9F\x98\x80wxyz"}}, false, {.rows = 20, .truncate = 5}),
            "+-----+\n|    a|\n+-----+\n|\xF0\x9F\x98\x80...|\n+-----+\n");
  EXPECT_EQ(ShowText({"a"}, {{"\xF0\x9F\x98\x80xyz"}}, false, {.rows = 20, .truncate = 5}),
            "+-----+\n|    a|\n+-----+\n|\xF0\x9F\x98\x80xyz|\n+-----+\n");
}

}  // namespace
}  // namespace weir::connect

#include "type/type.h"

#include <gtest/gtest.h>

#include "type/identifier.h"

namespace weir {
namespace {

Field Optional(int32_t id, std::string name, Type type) {
  return {.id = FieldId{id}, .name = std::move(name), .type = std::move(type), .required = false, .doc = {}};
}

// Expected texts: Spark 4.1.4, parseDataType(text) -> catalogString and sql.
TEST(ParseType, ReadsWhatSparkReads) {
  struct Row {
    std::string text, ddl, sql;
  };
  const Row rows[] = {
      {"int", "int", "INT"},
      {"INTEGER", "int", "INT"},
      {"TinyInt", "tinyint", "TINYINT"},
      {"byte", "tinyint", "TINYINT"},
      {"short", "smallint", "SMALLINT"},
      {"long", "bigint", "BIGINT"},
      {"real", "float", "FLOAT"},
      {"double", "double", "DOUBLE"},
      {"decimal", "decimal(10,0)", "DECIMAL(10,0)"},
      {"dec(5)", "decimal(5,0)", "DECIMAL(5,0)"},
      {"numeric(10, 2)", "decimal(10,2)", "DECIMAL(10,2)"},
      {"string", "string", "STRING"},
      {"string collate utf8_binary", "string", "STRING"},
      {"binary", "binary", "BINARY"},
      {"boolean", "boolean", "BOOLEAN"},
      {"date", "date", "DATE"},
      {"time", "time(6)", "TIME(6)"},
      {"time(6)", "time(6)", "TIME(6)"},
      {"timestamp_ltz", "timestamp", "TIMESTAMP"},
      {"timestamp_ntz", "timestamp_ntz", "TIMESTAMP_NTZ"},
      {"timestamp without time zone", "timestamp_ntz", "TIMESTAMP_NTZ"},
      {"void", "void", "VOID"},
      {"interval year to month", "interval year to month", "INTERVAL YEAR TO MONTH"},
      {"interval day to second", "interval day to second", "INTERVAL DAY TO SECOND"},
      {"ARRAY < INT >", "array<int>", "ARRAY<INT>"},
      {"map<string,array<int>>", "map<string,array<int>>", "MAP<STRING, ARRAY<INT>>"},
      {"struct<a: int, b: string>", "struct<a:int,b:string>", "STRUCT<a: INT, b: STRING>"},
      {"struct<a int, b string not null comment 'hi'>", "struct<a:int,b:string>",
       "STRUCT<a: INT, b: STRING NOT NULL COMMENT 'hi'>"},
      {"struct<a:int comment 'it''s'>", "struct<a:int>", "STRUCT<a: INT COMMENT 'it\\'s'>"},
      {"struct<a:int comment \"dq\">", "struct<a:int>", "STRUCT<a: INT COMMENT 'dq'>"},
      {"struct<>", "struct<>", "STRUCT<>"},
      {"struct<`a b`: int, `x``y`: string>", "struct<a b:int,x`y:string>",
       "STRUCT<`a b`: INT, `x``y`: STRING>"},
      {"struct<1a: int>", "struct<1a:int>", "STRUCT<`1a`: INT>"},
      {"struct<`\u00e9`: int, `1`: int, `ab_1`: int, `_`: int, `A-b`: int>",
       "struct<\u00e9:int,1:int,ab_1:int,_:int,A-b:int>",
       "STRUCT<`\u00e9`: INT, `1`: INT, ab_1: INT, _: INT, `A-b`: INT>"},
      {"struct<select: int, A: int>", "struct<select:int,A:int>", "STRUCT<select: INT, A: INT>"},
      {"struct<a: struct<b: decimal(12, 3)>>", "struct<a:struct<b:decimal(12,3)>>",
       "STRUCT<a: STRUCT<b: DECIMAL(12,3)>>"},
      {"struct<timestamp:timestamp>", "struct<timestamp:timestamp>", "STRUCT<timestamp: TIMESTAMP>"},
      {"/* c */ int", "int", "INT"},
      {"int -- comment", "int", "INT"},
      {"varchar(10)", "string", "STRING"},  // The length is not part of the type.
  };
  for (const Row& row : rows) {
    Result<Type> type = ParseType(row.text);
    ASSERT_TRUE(type) << row.text << ": " << type.error().ToString();
    EXPECT_EQ(type->ToString(), row.ddl) << row.text;
    EXPECT_EQ(type->ToSql(), row.sql) << row.text;
  }
}

TEST(ParseType, RefusesWhatSparkRefusesWithItsCondition) {
  struct Row {
    std::string text, condition;
  };
  const Row rows[] = {
      {"decimal(39,2)", "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION"},
      {"decimal(5,-2)", "PARSE_SYNTAX_ERROR"},
      {"decimal(a)", "PARSE_SYNTAX_ERROR"},
      {"decimal(10,2,3)", "UNSUPPORTED_DATATYPE"},
      {"decimal(99999999999)", "PARSE_SYNTAX_ERROR"},
      {"char", "DATATYPE_MISSING_SIZE"},
      {"varchar", "DATATYPE_MISSING_SIZE"},
      {"null", "UNSUPPORTED_DATATYPE"},
      {"foo", "UNSUPPORTED_DATATYPE"},
      {"uuid", "UNSUPPORTED_DATATYPE"},
      {"int(5)", "UNSUPPORTED_DATATYPE"},
      {"timestamp_ltz(3)", "UNSUPPORTED_DATATYPE"},
      {"struct<a: foo>", "UNSUPPORTED_DATATYPE"},
      {"array", "INCOMPLETE_TYPE_DEFINITION.ARRAY"},
      {"struct", "INCOMPLETE_TYPE_DEFINITION.STRUCT"},
      {"array<int", "PARSE_SYNTAX_ERROR"},
      {"array<int>>", "PARSE_SYNTAX_ERROR"},
      {"int x", "PARSE_SYNTAX_ERROR"},
      {"", "PARSE_SYNTAX_ERROR"},
      {"map<int>", "PARSE_SYNTAX_ERROR"},
      {"struct<a>", "PARSE_SYNTAX_ERROR"},
      {"struct<a: int,>", "PARSE_SYNTAX_ERROR"},
      {"struct<a.b: int>", "PARSE_SYNTAX_ERROR"},
      {"struct<`a: int>", "PARSE_SYNTAX_ERROR"},
      {"struct<a: int comment 'x>", "PARSE_SYNTAX_ERROR"},
      {"`int`", "PARSE_SYNTAX_ERROR"},
      {"/* int", "PARSE_SYNTAX_ERROR"},
      {"interval month to year", "PARSE_SYNTAX_ERROR"},
      {"interval month to day", "PARSE_SYNTAX_ERROR"},
      {"interval year to year", "PARSE_SYNTAX_ERROR"},
      {"interval days", "PARSE_SYNTAX_ERROR"},
      {"timestamp with local time zone", "PARSE_SYNTAX_ERROR"},
      {"double precision", "PARSE_SYNTAX_ERROR"},
  };
  for (const Row& row : rows) {
    Result<Type> type = ParseType(row.text);
    ASSERT_FALSE(type) << row.text;
    EXPECT_EQ(type.error().code(), ErrorCode::kInvalid) << row.text;
    ASSERT_NE(type.error().condition(), nullptr) << row.text;
    EXPECT_EQ(type.error().condition()->name, row.condition) << row.text;
  }
  EXPECT_EQ(ParseType("struct<a: foo>").error().message(),
            "there is no type \"FOO\", at offset 10 of \"struct<a: foo>\"");
  EXPECT_EQ(ParseType("decimal(5,6)").error().code(), ErrorCode::kInvalid);
}

TEST(ParseType, NamesWhatWeirDoesNotHave) {
  for (const char* text : {"variant", "geometry(4326)", "geography(4326)", "interval",
                           "string collate UTF8_LCASE", "time(3)", "decimal(0,0)"}) {
    Result<Type> type = ParseType(text);
    ASSERT_FALSE(type) << text;
    EXPECT_EQ(type.error().code(), ErrorCode::kUnsupported) << text;
  }
}

TEST(ParseType, BoundsItsDepth) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "array<";
  EXPECT_FALSE(ParseType(deep));
}

TEST(Type, EqualityAndShape) {
  const Type a = Type::Struct({Optional(1, "x", Type::Array(Optional(2, "", Type::Int())))});
  const Type same = Type::Struct({Optional(1, "x", Type::Array(Optional(2, "", Type::Int())))});
  const Type other_ids = Type::Struct({Optional(7, "x", Type::Array(Optional(8, "", Type::Int())))});
  EXPECT_EQ(a, same);
  EXPECT_NE(a, other_ids);
  EXPECT_TRUE(SameShape(a, other_ids));
  EXPECT_FALSE(SameShape(a, Type::Struct({Optional(1, "y", Type::Array(Optional(2, "", Type::Int())))})));
  EXPECT_FALSE(SameShape(Type::Decimal(10, 2), Type::Decimal(10, 3)));
  EXPECT_NE(Type::Fixed(4), Type::Fixed(5));
  EXPECT_EQ(Type::Map(Optional(1, "", Type::Int()), Optional(2, "", Type::Int())).fields()[0].required, true);
}

TEST(Type, SparkSeesUuidAsStringAtAnyDepth) {
  const Type stored =
      Type::Struct({Optional(1, "u", Type::Uuid()),
                    Optional(2, "m",
                             Type::Map(Optional(3, "", Type::Fixed(4)),
                                       Optional(4, "", Type::Array(Optional(5, "", Type::Uuid())))))});
  EXPECT_EQ(SparkType(stored).ToString(), "struct<u:string,m:map<binary,array<string>>>");
  EXPECT_EQ(SparkType(stored).fields()[1].type.fields()[1].id, FieldId{4});
  EXPECT_EQ(SparkType(Type::Time()), Type::Time());
}

TEST(Schema, FindsFieldsAtAnyDepth) {
  Schema schema;
  schema.fields = {
      Optional(1, "a", Type::Array(Optional(5, "", Type::Struct({Optional(6, "b", Type::Long())})))),
      Optional(2, "c", Type::Int())};
  EXPECT_EQ(schema.Find(FieldId{6})->type, Type::Long());
  EXPECT_EQ(schema.Find(FieldId{9}), nullptr);
  EXPECT_EQ(schema.FindByName("c")->id, FieldId{2});
  EXPECT_EQ(schema.FindByName("C"), nullptr);
  EXPECT_EQ(schema.PathOf(FieldId{6}), "a.element.b");
  EXPECT_EQ(schema.PathOf(FieldId{2}), "c");
  EXPECT_EQ(schema.PathOf(FieldId{9}), std::nullopt);
}

TEST(Identifier, Quotes) {
  EXPECT_EQ(QuoteIfNeeded("a_1"), "a_1");
  EXPECT_EQ(QuoteIfNeeded("1a"), "`1a`");
  EXPECT_EQ(QuoteIfNeeded(""), "``");
  EXPECT_EQ(QuoteIfNeeded("a`b"), "`a``b`");
  EXPECT_EQ(QuoteString("it's \\"), "'it\\'s \\\\'");
}

}  // namespace
}  // namespace weir

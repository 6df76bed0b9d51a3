#include "codec/avro/schema.h"

#include <gtest/gtest.h>

namespace weir::avro {
namespace {

std::string Reprinted(std::string_view json) {
  Result<Schema> schema = Schema::Parse(json);
  if (!schema) return schema.error().ToString();
  Result<std::string> printed = schema->ToJson();
  return printed ? *printed : printed.error().ToString();
}

TEST(AvroSchema, PrintsWhatItParsedWithIcebergIds) {
  const std::string_view cases[] = {
      R"("long")",
      R"(["null","string"])",
      R"({"type":"array","items":"int","element-id":7})",
      R"({"type":"map","values":["null","int"],"key-id":8,"value-id":9})",
      R"({"type":"long","logicalType":"timestamp-micros","adjust-to-utc":false})",
      R"({"type":"fixed","name":"decimal_9_2","size":4,"logicalType":"decimal","precision":9,"scale":2})",
      R"({"type":"enum","name":"a.b.Suit","symbols":["SPADES","HEARTS"]})",
      R"({"type":"record","name":"r","fields":[{"name":"a","type":"int","doc":"d","field-id":0},)"
      R"({"name":"b","type":["null","long"],"default":null,"field-id":2147483546}]})",
      R"({"type":"array","items":{"type":"record","name":"k1_v2","fields":[{"name":"key","type":"int","field-id":1},)"
      R"({"name":"value","type":"bytes","field-id":2}]},"logicalType":"map"})",
      // A second use of a name is a reference, short within its namespace.
      R"({"type":"record","name":"n.r","fields":[{"name":"a","type":{"type":"fixed","name":"f","size":2}},)"
      R"({"name":"b","type":"f"},{"name":"c","type":{"type":"fixed","name":"o.f","size":2}},{"name":"d","type":"o.f"}]})",
  };
  for (std::string_view json : cases) EXPECT_EQ(Reprinted(json), json);
}

TEST(AvroSchema, ResolvesNamesAsTheSpecSays) {
  // Spec: "Names": a name without dots takes the namespace around it; a dotted name ignores the attribute.
  Result<Schema> schema = Schema::Parse(R"({"type":"record","name":"Example","namespace":"","fields":[
      {"name":"inheritNull","type":{"type":"enum","name":"Simple","symbols":["a"]}},
      {"name":"explicitNamespace","type":{"type":"fixed","name":"Simple","namespace":"explicit","size":12}},
      {"name":"fullName","type":{"type":"record","name":"a.full.Name","namespace":"ignored","fields":[
          {"name":"inheritNamespace","type":{"type":"enum","name":"Understanding","symbols":["d","e"]}}]}}]})");
  ASSERT_TRUE(schema) << schema.error().ToString();
  EXPECT_EQ(schema->fields()[0].schema.name(), "Simple");
  EXPECT_EQ(schema->fields()[1].schema.name(), "explicit.Simple");
  EXPECT_EQ(schema->fields()[2].schema.name(), "a.full.Name");
  EXPECT_EQ(schema->fields()[2].schema.fields()[0].schema.name(), "a.full.Understanding");
}

TEST(AvroSchema, IgnoresInvalidLogicalTypes) {
  // Spec: "Logical Types": an invalid one leaves the underlying type.
  const std::string_view cases[] = {
      R"({"type":"string","logicalType":"date"})",
      R"({"type":"bytes","logicalType":"decimal","precision":2,"scale":3})",
      R"({"type":"bytes","logicalType":"decimal"})",
      R"({"type":"bytes","logicalType":"decimal","precision":"9"})",
      R"({"type":"fixed","name":"f","size":1,"logicalType":"decimal","precision":3})",
      R"({"type":"int","logicalType":"no-such"})",
      R"({"type":"int","logicalType":7})",
  };
  for (std::string_view json : cases) {
    Result<Schema> schema = Schema::Parse(json);
    ASSERT_TRUE(schema) << json;
    EXPECT_EQ(schema->logical().kind, Logical::kNone) << json;
  }
  // 2 digits are the most that one signed byte holds.
  EXPECT_EQ(Schema::Parse(R"({"type":"fixed","name":"f","size":1,"logicalType":"decimal","precision":2})")
                ->logical(),
            (LogicalType{Logical::kDecimal, 2, 0, {}}));
}

TEST(AvroSchema, RefusesBrokenSchemas) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"{", "not valid JSON"},
      {"7", "expected a string, object or array"},
      {R"("r")", "not defined before its use"},
      {R"({"name":"r"})", "without \"type\""},
      {R"([])", "without branches"},
      {R"(["int","int"])", "two branches of int"},
      {R"([["int"],"null"])", "directly within a union"},
      {R"({"type":"record","name":"r"})", "without fields"},
      {R"({"type":"record","fields":[]})", "\"name\" is not a text"},
      {R"({"type":"record","name":"r","fields":[7]})", "not an object"},
      {R"({"type":"record","name":"r","fields":[{"name":"a","type":"int"},{"name":"a","type":"int"}]})",
       "two fields \"a\""},
      {R"({"type":"record","name":"r","fields":[{"name":"a","type":"int","field-id":1},{"name":"b","type":"int","field-id":1}]})",
       "two fields with id 1"},
      {R"({"type":"record","name":"r","fields":[{"name":"a","type":"int","field-id":"1"}]})",
       "not an integer"},
      {R"({"type":"record","name":"r","fields":[{"name":"a","type":"int","field-id":2147483648}]})",
       "not a field id"},
      {R"({"type":"fixed","name":"f","size":-1})", "without a valid size"},
      {R"({"type":"map","values":"int","key-id":20,"value-id":20})",
       "have the same id"},  // Found by fuzzing.
      {R"({"type":"enum","name":"e","symbols":["A","A"]})", "a symbol twice"},
      {R"([{"type":"fixed","name":"f","size":1},{"type":"fixed","name":"f","size":1}])", "defined twice"},
  };
  for (const auto& [json, message] : cases) {
    Result<Schema> schema = Schema::Parse(json);
    ASSERT_FALSE(schema) << json;
    EXPECT_EQ(schema.error().code(), ErrorCode::kCorrupt) << json;
    EXPECT_NE(schema.error().message().find(message), std::string::npos) << schema.error().message();
  }
}

TEST(AvroSchema, RefusesTypesThatContainThemselvesOrNestTooDeep) {
  Result<Schema> list = Schema::Parse(R"({"type":"record","name":"LongList","fields":[
      {"name":"value","type":"long"},{"name":"next","type":["null","LongList"]}]})");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(list.error().message().find("\"LongList\" contains itself"), std::string::npos);

  std::string deep(100'000, '[');
  EXPECT_FALSE(Schema::Parse(deep + R"("int")" + std::string(deep.size(), ']')));
  // Each record holds the one before it twice: the text is flat, the type is not.
  std::string ladder =
      R"({"type":"record","name":"top","fields":[{"name":"f0","type":{"type":"record","name":"r0","fields":[]}})";
  for (int i = 1; i < 200; ++i) {
    ladder += fmt::format(
        R"(,{{"name":"f{0}","type":{{"type":"record","name":"r{0}","fields":[{{"name":"a","type":"r{1}"}},{{"name":"b","type":"r{1}"}}]}}}})",
        i, i - 1);
  }
  Result<Schema> tall = Schema::Parse(ladder + "]}");
  ASSERT_FALSE(tall);
  EXPECT_EQ(tall.error().code(), ErrorCode::kUnsupported);
}

TEST(AvroSchema, RefusesToPrintWhatAvroForbids) {
  const std::pair<Schema, std::string_view> cases[] = {
      {Schema::Any(), "kind any"},
      {Schema::Record("1r", {}), "\"1r\" is not an Avro name"},
      {Schema::Record("int", {}), "\"int\" is not an Avro name"},
      {Schema::Record("r", {{"", {}, Schema::Int(), ""}}), "without a name"},
      {Schema::Record("r", {{"a b", {}, Schema::Int(), ""}, {"a_x20b", {}, Schema::Int(), ""}}),
       "two fields named"},
      {Schema::Record("r", {{"a", FieldId{1}, Schema::Int(), ""}, {"b", FieldId{1}, Schema::Int(), ""}}),
       "id 1"},
      {Schema::Record("r", {{"a", {}, Schema::Fixed("f", 1), ""}, {"b", {}, Schema::Fixed("f", 2), ""}}),
       "differ"},
      {Schema::Union({}), "0 branches"},
      {Schema::Map(Schema::Int(), FieldId{1}, FieldId{1}), "have the same id"},
      {Schema::Optional(Schema::Null()), "two branches of null"},
      {Schema::Optional(Schema::Optional(Schema::Int())), "inner union"},
      {Schema::Enum("e", {"a b"}), "not an enum symbol"},
      {Schema::Int().With({Logical::kUuid, 0, 0, {}}), "cannot have this logical type"},
      {Schema::Record("r", {{"a", {}, Schema::Int(), "\xff"}}), "not valid UTF-8"},
  };
  for (const auto& [schema, message] : cases) {
    Result<std::string> json = schema.ToJson();
    ASSERT_FALSE(json) << *json;
    EXPECT_EQ(json.error().code(), ErrorCode::kInvalid);
    EXPECT_NE(json.error().message().find(message), std::string::npos) << json.error().message();
  }
}

TEST(AvroSchema, SanitizesNamesAsIcebergDoes) {
  // The forms are those that Iceberg's Java writer gave; see fixtures/avro/iceberg_manifest.avro for the
  // first.
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"odd name", "odd_x20name"}, {"valid_1", "valid_1"},     {"9x", "_9x"},
      {"a.b", "a_x2Eb"},           {"\xe2\x98\x83", "_x2603"}, {"\xf0\x9d\x84\x9e", "_xD834_xDD1E"},
  };
  for (const auto& [name, expected] : cases) EXPECT_EQ(SanitizedName(name), expected);

  const Schema schema = Schema::Record("r", {{"odd name", FieldId{5}, Schema::Int(), ""}});
  Result<std::string> json = schema.ToJson();
  ASSERT_TRUE(json);
  EXPECT_EQ(
      *json,
      R"({"type":"record","name":"r","fields":[{"name":"odd_x20name","type":"int","iceberg-field-name":"odd name","field-id":5}]})");
  EXPECT_EQ(*Schema::Parse(*json), schema);
}

}  // namespace
}  // namespace weir::avro

#include "codec/avro/container.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "codec/avro/cursor.h"

namespace weir::avro {
namespace {

std::string Fixture(const std::string& name) {
  std::ifstream in(std::string(WEIR_SOURCE_DIR) + "/test/fixtures/avro/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The records as text, or the error as the last entry.
std::vector<std::string> ReadAll(const std::string& file, const Schema& wanted, Limits limits = {}) {
  std::vector<std::string> records;
  Result<Reader> reader = Reader::Open(AsBytes(file), "f.avro", limits);
  if (!reader) return {reader.error().ToString()};
  Status status = reader->ForEach(wanted, [&](const Value& record) -> Status {
    records.push_back(record.ToString());
    return {};
  });
  if (!status) records.push_back(status.error().ToString());
  return records;
}

using Lines = std::vector<std::string>;

std::string Repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(AvroVectors, ReadsEveryKindAndCodecOfTheJavaWriter) {
  const Lines expected = {
      R"({null, false, 0, 0, 0, 0, 0x, "", 0x00ff, 0, [], {}, null})",
      R"({null, true, 2147483647, 9223372036854775807, 1.5, 1e+300, 0x00, "x", 0x01ff, 1, [0], {}, "text"})",
      R"({null, false, -2147483648, -9223372036854775808, -0.25, nan, 0x00ff, ")" + Repeated("é", 40) +
          R"(", 0x02ff, 0, [0, 100], {"k", 0x0102}, 1})",
  };
  for (const std::string codec : {"null", "deflate", "snappy", "zstandard"}) {
    const std::string file = Fixture("java_" + codec + ".avro");
    EXPECT_EQ(ReadAll(file, Schema::Any()), expected) << codec;
    Result<Reader> reader = Reader::Open(AsBytes(file), "f.avro");
    ASSERT_TRUE(reader);
    EXPECT_EQ(ToString(reader->codec()), codec);
    EXPECT_EQ(reader->metadata().at("made-by"), "Java");
    EXPECT_EQ(*reader->CountRecords(), 3u);
  }
}

TEST(AvroVectors, ReadsFastavroBlocks) {
  const Lines expected = {"{0, []}", R"({1, [null, "tag 1"]})", R"({2, [null, "tag 2", null, "tag 2"]})",
                          "{3, []}", R"({4, [null, "tag 4"]})"};
  EXPECT_EQ(ReadAll(Fixture("fastavro_null.avro"), Schema::Any()), expected);
  EXPECT_EQ(ReadAll(Fixture("fastavro_deflate.avro"), Schema::Any()), expected);
}

TEST(AvroVectors, ReadsAnIcebergManifestByFieldId) {
  const Schema counts =
      Schema::Optional(Schema::ArrayMap(Schema::Int(), FieldId{121}, Schema::Long(), FieldId{122}));
  const Schema bounds =
      Schema::Optional(Schema::ArrayMap(Schema::Int(), FieldId{126}, Schema::Bytes(), FieldId{127}));
  const Schema wanted = Schema::Record(
      "entry", {{"data_file", FieldId{2},
                 Schema::Record("r2", {{"format", FieldId{101}, Schema::String(), ""},
                                       {"partition", FieldId{102}, Schema::Any(), ""},
                                       {"null_counts", FieldId{110}, counts, ""},
                                       {"lower_bounds", FieldId{125}, bounds, ""},
                                       {"split_offsets", FieldId{132},
                                        Schema::Optional(Schema::Array(Schema::Long())), ""},
                                       {"first_row_id", FieldId{142}, Schema::Optional(Schema::Long()), ""}}),
                 ""},
                {"status", FieldId{0}, Schema::Long(), ""}});
  EXPECT_EQ(
      ReadAll(Fixture("iceberg_manifest.avro"), wanted),
      (Lines{
          R"({{"PARQUET", {"é", 0x0000007d, 19782, 0}, {1, 0, 2, 0, 3, 0, 4, 0, 5, 0}, )"
          R"({1, 0x0100000000000000, 2, 0xc3a9, 3, 0x7d, 4, 0x464d0000, 5, 0x00f0afff83120600}, [4], null}, 1})",
          R"({{"PARQUET", {null, null, null, 0}, {1, 0, 2, 1, 3, 1, 4, 1, 5, 1}, )"
          R"({1, 0x0200000000000000}, [4], null}, 1})"}));

  const std::string file = Fixture("iceberg_manifest.avro");
  Result<Reader> reader = Reader::Open(AsBytes(file), "m.avro");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->metadata().at("content"), "data");
  const Schema partition = reader->schema().FindField(FieldId{2})->schema.FindField(FieldId{102})->schema;
  EXPECT_EQ(partition.fields()[0].name, "odd name");
  EXPECT_EQ(partition.FindField(FieldId{1001})->schema.required().logical(),
            (LogicalType{Logical::kDecimal, 9, 2, {}}));
}

TEST(AvroVectors, ReadsIcebergDataRows) {
  EXPECT_EQ(ReadAll(Fixture("iceberg_rows.avro"), Schema::Any()),
            (Lines{R"({true, -1, 9223372036854775807, 1.5, -inf, 0xff54ab567314e0f52d, "é", 0x00ff, -1, )"
                   R"(1709208000123456, -1, {7, "deep"}, [1, null, 3], {"k", 1, "n", null}, {5, {0.5}}})",
                   "{" + Repeated("null, ", 14) + "null}"}));
}

TEST(AvroWriter, RewritesVectorsOfOthersUnchanged) {
  for (const std::string name : {"java_null", "iceberg_manifest", "iceberg_manifest_list", "iceberg_rows"}) {
    const std::string file = Fixture(name + ".avro");
    const Lines expected = ReadAll(file, Schema::Any());
    for (Codec codec : {Codec::kNull, Codec::kDeflate, Codec::kSnappy, Codec::kZstandard}) {
      Result<Reader> reader = Reader::Open(AsBytes(file), name);
      ASSERT_TRUE(reader);
      SeededRandom random(1);
      Result<Writer> writer = Writer::Make(
          reader->schema(), {.codec = codec, .metadata = {{"k", "v"}}, .block_bytes = 1}, random);
      ASSERT_TRUE(writer) << writer.error().ToString();
      Status status =
          reader->ForEach(reader->schema(), [&](const Value& record) { return writer->Append(record); });
      ASSERT_TRUE(status) << status.error().ToString();
      const uint64_t promised = writer->size_bytes();
      Result<std::string> ours = writer->Finish();
      ASSERT_TRUE(ours);
      EXPECT_EQ(ours->size(), promised);
      EXPECT_EQ(ReadAll(*ours, Schema::Any()), expected) << name << " " << ToString(codec);
      Result<Reader> again = Reader::Open(AsBytes(*ours), name);
      EXPECT_EQ(again->schema(), reader->schema());
      EXPECT_EQ(again->metadata().at("k"), "v");
    }
  }
}

/// A file of one uncompressed block, made without the writer.
std::string OneBlock(std::string_view schema, int64_t records, std::string_view payload) {
  std::string file("Obj\x01", 4);
  AppendLong(file, 1);
  AppendText(file, "avro.schema");
  AppendText(file, schema);
  AppendLong(file, 0);
  const std::string sync(16, 's');
  file += sync;
  AppendLong(file, records);
  AppendText(file, payload);
  return file + sync;
}

std::string RecordOf(std::string_view type) {
  return fmt::format(R"({{"type":"record","name":"r","fields":[{{"name":"a","type":{},"field-id":1}},)"
                     R"({{"name":"z","type":"int","field-id":2}}]}})",
                     type);
}

std::string Hex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    if (digits[i] == ' ') ++i;
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

const std::string kIds = R"({"type":"record","name":"r","fields":[{"name":"z","type":"int"}]})";

TEST(AvroEncoding, ReadsTheExamplesOfTheSpec) {
  const std::tuple<std::string_view, std::string, std::string_view> cases[] = {
      {R"("long")", Hex("00"), "0"},
      {R"("long")", Hex("01"), "-1"},
      {R"("long")", Hex("7f"), "-64"},
      {R"("long")", Hex("8001"), "64"},
      {R"("string")", Hex("06666f6f"), "\"foo\""},
      {R"({"type":"array","items":"long"})", Hex("04063600"), "[3, 27]"},
      // The same array in a block that states its size: count -2, 2 bytes.
      {R"({"type":"array","items":"long"})", Hex("0304063600"), "[3, 27]"},
      {R"({"type":"array","items":"long"})", Hex("020602 3600"), "[3, 27]"},
      {R"(["null","string"])", Hex("00"), "null"},
      {R"(["null","string"])", Hex("020261"), "\"a\""},
      {R"(["string","null"])", Hex("02"), "null"},
      {R"({"type":"map","values":"long"})", Hex("0202610600"), "{\"a\", 3}"},
      {R"({"type":"enum","name":"Foo","symbols":["A","B","C","D"]})", Hex("06"), "3"},
  };
  for (const auto& [type, bytes, expected] : cases) {
    const std::string file = OneBlock(RecordOf(type), 1, bytes + Hex("12"));
    EXPECT_EQ(ReadAll(file, Schema::Any()), Lines{fmt::format("{{{}, 9}}", expected)}) << type;
    // Skipped, the field behind it must still be found.
    const Schema last = Schema::Record("r", {{"", FieldId{2}, Schema::Int(), ""}});
    EXPECT_EQ(ReadAll(file, last), Lines{"{9}"}) << type;
  }
}

Schema WantA(Schema schema) { return Schema::Record("r", {{"a", FieldId{1}, std::move(schema), ""}}); }

TEST(AvroResolution, WidensAndDissolves) {
  const std::tuple<std::string_view, std::string, Schema, std::string_view> cases[] = {
      {R"("int")", Hex("02"), Schema::Long(), "1"},
      {R"(["null","int"])", Hex("0202"), Schema::Optional(Schema::Long()), "1"},
      {R"(["null","int"])", Hex("0202"), Schema::Long(), "1"},
      {R"("int")", Hex("02"), Schema::Optional(Schema::Long()), "1"},
      {R"("null")", "", Schema::Optional(Schema::Long()), "null"},
      {R"("float")", Hex("0000c03f"), Schema::Double(), "1.5"},
      {R"("bytes")", Hex("0261"), Schema::String(), "\"a\""},
      {R"("string")", Hex("0261"), Schema::Bytes(), "0x61"},
      {R"({"type":"fixed","name":"f","size":1})", "a", Schema::Bytes(), "0x61"},
      {R"({"type":"fixed","name":"f","size":1})", "a", Schema::Fixed("other", 1), "0x61"},
      {R"({"type":"fixed","name":"f","size":1,"logicalType":"decimal","precision":2,"scale":1})", "\x07",
       Schema::Fixed("g", 9).With({Logical::kDecimal, 20, 1, {}}), "0x07"},
      {R"({"type":"map","values":"int"})", Hex("0202610600"),
       Schema::ArrayMap(Schema::String(), FieldId{3}, Schema::Long(), FieldId{4}), "{\"a\", 3}"},
      // Some writers leave out the logical type of a map, or its ids.
      {R"({"type":"array","items":{"type":"record","name":"e","fields":[{"name":"key","type":"int"},{"name":"value","type":"int"}]}})",
       Hex("02060800"), Schema::ArrayMap(Schema::Int(), FieldId{3}, Schema::Long(), FieldId{4}), "{3, 4}"},
      {R"({"type":"array","items":{"type":"record","name":"e","fields":[{"name":"v","type":"int","field-id":4},{"name":"k","type":"int","field-id":3}]}})",
       Hex("02080600"), Schema::ArrayMap(Schema::Int(), FieldId{3}, Schema::Long(), FieldId{4}), "{3, 4}"},
  };
  for (const auto& [type, bytes, wanted, expected] : cases) {
    EXPECT_EQ(ReadAll(OneBlock(RecordOf(type), 1, bytes + Hex("12")), WantA(wanted)),
              Lines{fmt::format("{{{}}}", expected)})
        << type;
  }
}

TEST(AvroResolution, RefusesWhatDoesNotFit) {
  const std::tuple<std::string_view, std::string, Schema, std::string_view> cases[] = {
      {R"("long")", Hex("02"), Schema::Int(),
       "unsupported: f.avro: a: the file has Avro type long, which cannot be read as int"},
      {R"("string")", Hex("00"), Schema::Long(), "cannot be read as long"},
      {R"("double")", std::string(8, 0), Schema::Float(), "cannot be read as float"},
      {R"({"type":"fixed","name":"f","size":1})", "a", Schema::Fixed("f", 2), "cannot be read as fixed"},
      {R"({"type":"bytes","logicalType":"decimal","precision":4,"scale":1})", Hex("0207"),
       Schema::Fixed("g", 9).With({Logical::kDecimal, 20, 2, {}}), "scale 1 cannot be read with scale 2"},
      {R"({"type":"array","items":"int"})", Hex("00"), Schema::Array(Schema::String()),
       "a[]: the file has Avro type int"},
      {R"({"type":"enum","name":"e","symbols":["A"]})", Hex("00"), Schema::Enum("e", {"B"}),
       "cannot be read as enum"},
      {R"(["null","int"])", Hex("00"), Schema::Int(), ": at byte 1 of the block: a is null but required"},
      {R"("null")", "", Schema::Int(), "corrupt: f.avro: a: always null in the file, but required"},
  };
  for (const auto& [type, bytes, wanted, message] : cases) {
    const Lines lines = ReadAll(OneBlock(RecordOf(type), 1, bytes + Hex("12")), WantA(wanted));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find(message), std::string::npos) << lines[0];
  }
  const Schema missing = Schema::Record("r", {{"new", FieldId{9}, Schema::Int(), ""}});
  EXPECT_EQ(ReadAll(OneBlock(kIds, 1, Hex("12")), missing),
            Lines{"corrupt: f.avro: the record: the file lacks the required field \"new\" (id 9)"});
}

TEST(AvroResolution, TellsTheBranchOfAUnion) {
  const std::string file = OneBlock(RecordOf(R"(["string","null","int"])"), 1, Hex("040212"));
  Result<Reader> reader = Reader::Open(AsBytes(file), "f.avro");
  ASSERT_TRUE(reader);
  ASSERT_TRUE(reader->ForEach(reader->schema(), [](const Value& record) -> Status {
    EXPECT_EQ(record[0].branch(), 2);
    EXPECT_EQ(record[0], Value::Int(1));
    return {};
  }));
}

TEST(AvroHostile, RefusesDamagedValues) {
  const std::pair<std::string_view, std::string> cases[] = {
      {R"("boolean")", Hex("02")},
      {R"("int")", Hex("8080808010")},               // 2^31
      {R"("long")", Hex("80808080808080808002")},    // beyond 64 bits
      {R"("long")", Hex("8080808080808080808000")},  // 11 bytes
      {R"("string")", Hex("01")},                    // length -1
      {R"("string")", Hex("7e61")},                  // length 63
      {R"("bytes")", Hex("feffffffffffffffff01")},   // length 2^63 - 1
      {R"({"type":"enum","name":"e","symbols":["A"]})", Hex("02")},
      {R"({"type":"enum","name":"e","symbols":["A"]})", Hex("01")},
      {R"(["null","int"])", Hex("04")},
      {R"(["null","int"])", Hex("01")},
      {R"({"type":"array","items":"int"})", Hex("feffffffffffffffff01")},    // 2^63 - 1 items
      {R"({"type":"array","items":"null"})", Hex("feffffffffffffffff01")},   // the same, of no bytes
      {R"({"type":"array","items":"int"})", Hex("ffffffffffffffffff0100")},  // -2^63 items, size 0
      {R"({"type":"array","items":"int"})", Hex("01040200")},                // 1 item, 2 bytes, holds 1
      {R"({"type":"array","items":"int"})", Hex("010300")},                  // size -2
  };
  for (const auto& [type, bytes] : cases) {
    const Lines lines = ReadAll(OneBlock(RecordOf(type), 1, bytes), Schema::Any());
    ASSERT_EQ(lines.size(), 1u) << type;
    EXPECT_TRUE(lines[0].starts_with("corrupt: f.avro: block at byte ")) << type << " " << lines[0];
  }
}

TEST(AvroHostile, RefusesDamagedFiles) {
  const std::string good = OneBlock(kIds, 2, Hex("1214"));
  ASSERT_EQ(ReadAll(good, Schema::Any()), (Lines{"{9}", "{10}"}));
  // Cut anywhere, a file gives an error, but at the end of its header, where it is whole.
  const size_t header = good.size() - 16 - 4;
  for (size_t size = 0; size < good.size(); ++size) {
    const Lines lines = ReadAll(good.substr(0, size), Schema::Any());
    if (size == header) {
      EXPECT_TRUE(lines.empty());
    } else {
      ASSERT_EQ(lines.size(), 1u) << size;
      EXPECT_TRUE(lines[0].starts_with("corrupt: f.avro: ")) << lines[0];
    }
  }
  std::string bad_sync = good;
  bad_sync.back() = 'x';
  EXPECT_EQ(ReadAll(bad_sync, Schema::Any()),
            Lines{fmt::format(
                "corrupt: f.avro: block at byte {}: the sync marker behind it is not the file's", header)});
  EXPECT_EQ(ReadAll(OneBlock(kIds, 1, Hex("1214")), Schema::Any()).back(),
            fmt::format("corrupt: f.avro: block at byte {}: 1 bytes behind its 1 records", header));
  EXPECT_TRUE(ReadAll(OneBlock(kIds, -1, ""), Schema::Any())[0].ends_with("a damaged record count"));
  EXPECT_TRUE(
      ReadAll(OneBlock(kIds, INT64_MAX, Hex("12")), Schema::Any())[0].ends_with("records in 1 bytes"));
  const std::string nothing = R"({"type":"record","name":"r","fields":[]})";
  EXPECT_EQ(ReadAll(OneBlock(nothing, 2, ""), Schema::Any()), (Lines{"{}", "{}"}));
  EXPECT_TRUE(ReadAll(OneBlock(nothing, INT64_MAX, ""), Schema::Any())[0].ends_with("records in 0 bytes"));
}

TEST(AvroHostile, BoundsWhatAFileMayAllocate) {
  const std::string nulls = RecordOf(R"({"type":"array","items":"null"})");
  std::string many;
  AppendLong(many, 5000);
  EXPECT_NE(ReadAll(OneBlock(nulls, 1, many), Schema::Any(), {.values_per_record = 5000})[0].find(
                "more than 5000 values"),
            std::string::npos);

  const Schema schema = Schema::Record("r", {{"s", {}, Schema::String(), ""}});
  const std::string zeros(1 << 20, '0');
  const Value text[] = {Value::String(zeros)};
  for (Codec codec : {Codec::kNull, Codec::kDeflate, Codec::kSnappy, Codec::kZstandard}) {
    SeededRandom random(1);
    Result<Writer> writer = Writer::Make(schema, {.codec = codec}, random);
    ASSERT_TRUE(writer->Append(Value::Record(text)));
    const std::string bomb = *writer->Finish();
    // The text and its length are exactly 2^20 + 4 bytes.
    EXPECT_EQ(ReadAll(bomb, Schema::Any(), {.block_bytes = (1 << 20) + 4}).size(), 1u) << ToString(codec);
    const Lines lines = ReadAll(bomb, Schema::Any(), {.block_bytes = (1 << 20) + 3});
    if (codec == Codec::kNull) continue;  // Nothing is allocated for it.
    EXPECT_NE(lines[0].find("larger than 1048579 bytes when decompressed"), std::string::npos) << lines[0];
  }
}

TEST(AvroHostile, DetectsDamageInCompressedBlocks) {
  for (const std::string codec : {"deflate", "snappy", "zstandard"}) {
    const std::string good = Fixture("java_" + codec + ".avro");
    const Lines expected = ReadAll(good, Schema::Any());
    for (size_t at = good.size() - 60; at < good.size() - 16; ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x55);
      const Lines lines = ReadAll(bad, Schema::Any());
      // Snappy blocks have a checksum; the others need not notice, but must not crash.
      if (codec == "snappy") {
        EXPECT_NE(lines, expected) << at;
      }
    }
  }
}

TEST(AvroHostile, NamesACodecThatItDoesNotHave) {
  std::string file("Obj\x01", 4);
  AppendLong(file, 2);
  AppendText(file, "avro.schema");
  AppendText(file, R"("int")");
  AppendText(file, "avro.codec");
  AppendText(file, "bzip2");
  AppendLong(file, 0);
  file += std::string(16, 's');
  EXPECT_EQ(ReadAll(file, Schema::Any()), Lines{"unsupported: f.avro: Avro codec \"bzip2\""});
}

TEST(AvroWriter, RefusesValuesThatDoNotFitAndStaysUsable) {
  const Schema schema = Schema::Record(
      "r", {{"l", {}, Schema::Long(), ""},
            {"o", {}, Schema::Optional(Schema::Fixed("f", 2)), ""},
            {"e", {}, Schema::Enum("e", {"A"}), ""},
            {"a", {}, Schema::Array(Schema::Record("i", {{"x", {}, Schema::Double(), ""}})), ""}});
  SeededRandom random(1);
  Result<Writer> writer = Writer::Make(schema, {}, random);
  ASSERT_TRUE(writer);
  ValueArena arena;
  const Value items = arena.Array({arena.Record({Value::Float(0.5)})});
  const std::pair<Value, std::string_view> bad[] = {
      {Value::Int(1), "expected Avro type record, found a value of int"},
      {arena.Record({Value::Int(1)}), "expected 4 fields, found 1"},
      {arena.Record({Value::Null(), Value::Null(), Value::Enum(0), items}), "l: expected Avro type long"},
      {arena.Record({Value::Int(1), Value::Fixed("abc"), Value::Enum(0), items}),
       "o: expected 2 bytes, found 3"},
      {arena.Record({Value::Int(1), Value::Bytes("ab"), Value::Enum(0), items}),
       "o: expected Avro type fixed"},
      {arena.Record({Value::Int(1), Value::Null(), Value::Enum(1), items}), "e: symbol 1 of an enum of 1"},
      {arena.Record(
           {Value::Int(1), Value::Null(), Value::Enum(0), arena.Array({arena.Record({Value::Null()})})}),
       "a: element[0]: x: expected Avro type double"},
  };
  for (const auto& [value, message] : bad) {
    Status status = writer->Append(value);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), ErrorCode::kInvalid);
    EXPECT_EQ(status.error().message().substr(0, message.size()), message);
  }
  ASSERT_TRUE(writer->Append(arena.Record({Value::Int(-7), Value::Fixed("ab"), Value::Enum(0), items})));
  EXPECT_EQ(writer->record_count(), 1u);
  EXPECT_EQ(ReadAll(*writer->Finish(), Schema::Any()), Lines{"{-7, 0x6162, 0, [{0.5}]}"});
}

TEST(AvroWriter, RefusesBadOptions) {
  const Schema schema = Schema::Record("r", {});
  SeededRandom random(1);
  EXPECT_FALSE(Writer::Make(Schema::Int(), {}, random));
  EXPECT_FALSE(Writer::Make(schema, {.level = 0}, random));
  EXPECT_FALSE(Writer::Make(schema, {.codec = Codec::kZstandard, .level = 20}, random));
  EXPECT_FALSE(Writer::Make(schema, {.metadata = {{"avro.codec", "null"}}}, random));
  EXPECT_TRUE(ReadAll(*Writer::Make(schema, {}, random)->Finish(), Schema::Any()).empty());
}

TEST(AvroValue, ComparesDeeply) {
  ValueArena arena;
  const Value nan = Value::Double(std::nan(""));
  EXPECT_EQ(nan, Value::Double(-std::nan("")));
  EXPECT_FALSE(Value::Int(1) == Value::Long(1));
  const Value tree = arena.Map({Value::String("k"), arena.Array({Value::Null(), nan})});
  EXPECT_EQ(tree, arena.DeepCopy(tree));
  EXPECT_EQ(tree[1][1], nan);
  EXPECT_TRUE(tree[1][2].is_null());
  EXPECT_TRUE(Value::Int(1)[0].is_null());
}

}  // namespace
}  // namespace weir::avro

// Metadata files: what is refused, and how metadata changes.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "codec/gzip/gzip.h"
#include "storage/decorator.h"
#include "storage/faulty.h"
#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string SampleJson() {
  TableMetadata metadata = SampleMetadata({{{"id"}, Must(Transform::Parse("bucket[4]")), ""}});
  SnapshotRecord snapshot;
  snapshot.id = SnapshotId{5};
  snapshot.sequence_number = SequenceNumber{1};
  snapshot.timestamp_ms = 1'700'000'000'001;
  snapshot.manifest_list = "mem:/l.avro";
  snapshot.operation = "append";
  snapshot.schema_id = 0;
  AddSnapshot(snapshot, metadata);
  return TableMetadataToJson(metadata);
}

struct BrokenCase {
  const char* what;
  const char* pointer;  ///< JSON pointer of what is replaced; removed if `value` is empty.
  const char* value;
  ErrorCode code;
  const char* message;
};

TEST(TableMetadataJson, BrokenMetadataIsRefusedWithItsPlace) {
  const std::vector<BrokenCase> cases = {
      {"no version", "/format-version", "", ErrorCode::kCorrupt, "'format-version'"},
      {"version 1", "/format-version", "1", ErrorCode::kUnsupported, "format version 1"},
      {"version 3", "/format-version", "3", ErrorCode::kUnsupported, "format version 3"},
      {"version text", "/format-version", "\"2\"", ErrorCode::kCorrupt, "/format-version"},
      {"no uuid", "/table-uuid", "", ErrorCode::kCorrupt, "'table-uuid'"},
      {"huge number", "/last-column-id", "99999999999", ErrorCode::kCorrupt, "/last-column-id"},
      {"fraction", "/last-updated-ms", "1.5", ErrorCode::kCorrupt, "/last-updated-ms"},
      {"no schemas", "/schemas", "", ErrorCode::kCorrupt, "schemas"},
      {"unknown type", "/schemas/0/fields/1/type", "\"strange\"", ErrorCode::kCorrupt,
       "/schemas/0/fields/1/type"},
      {"later type", "/schemas/0/fields/1/type", "\"variant\"", ErrorCode::kUnsupported, "variant"},
      {"bad decimal", "/schemas/0/fields/1/type", "\"decimal(40, 2)\"", ErrorCode::kCorrupt, "a type"},
      {"list of nothing", "/schemas/0/fields/1/type", "{\"type\":\"list\"}", ErrorCode::kCorrupt,
       "element-required"},
      {"default value", "/schemas/0/fields/1/initial-default", "1", ErrorCode::kUnsupported,
       "initial-default"},
      {"current schema", "/current-schema-id", "7", ErrorCode::kCorrupt, "/current-schema-id"},
      {"default spec", "/default-spec-id", "7", ErrorCode::kCorrupt, "/default-spec-id"},
      {"bad transform", "/partition-specs/0/fields/0/transform", "\"bucket[x]\"", ErrorCode::kCorrupt,
       "transform"},
      {"current snapshot", "/current-snapshot-id", "6", ErrorCode::kCorrupt, "/current-snapshot-id"},
      {"main differs", "/refs/main/snapshot-id", "6", ErrorCode::kCorrupt, "/refs/main"},
      {"bad ref type", "/refs/main/type", "\"twig\"", ErrorCode::kCorrupt, "branch or tag"},
      {"no manifest list", "/snapshots/0/manifest-list", "", ErrorCode::kUnsupported, "manifest-list"},
      {"encrypted", "/snapshots/0/key-id", "\"k\"", ErrorCode::kUnsupported, "encryption"},
      {"twice", "/snapshots/1",
       "{\"snapshot-id\":5,\"timestamp-ms\":1,\"manifest-list\":\"x\",\"sequence-number\":1}",
       ErrorCode::kCorrupt, "listed twice"},
      {"properties", "/properties", "{\"a\":1}", ErrorCode::kCorrupt, "/properties/a"},
      {"sequence number behind a snapshot's", "/last-sequence-number", "0", ErrorCode::kCorrupt,
       "has sequence number"},
      {"negative sequence number", "/last-sequence-number", "-1", ErrorCode::kCorrupt,
       "/last-sequence-number"},
      {"negative sequence number of a snapshot", "/snapshots/0/sequence-number", "-5", ErrorCode::kCorrupt,
       "has sequence number -5"},
      {"an id twice", "/schemas/0/fields/1/id", "1", ErrorCode::kCorrupt, "id 1 is there twice"},
      {"an id twice, below", "/schemas/0/fields/1/type",
       "{\"type\":\"list\",\"element-id\":1,\"element\":\"int\",\"element-required\":true}",
       ErrorCode::kCorrupt, "id 1 is there twice"},
      {"no time", "/snapshots/0/timestamp-ms", "9223372036854775807", ErrorCode::kCorrupt, "is not a time"},
  };
  for (const BrokenCase& test : cases) {
    SCOPED_TRACE(test.what);
    nlohmann::json json = nlohmann::json::parse(SampleJson());
    const nlohmann::json::json_pointer pointer(test.pointer);
    if (std::string_view(test.value).empty()) {
      json.at(pointer.parent_pointer()).erase(pointer.back());
    } else {
      json[pointer] = nlohmann::json::parse(test.value);
    }
    const auto metadata = ParseTableMetadata(json.dump(), "v3.metadata.json");
    ASSERT_FALSE(metadata);
    EXPECT_EQ(metadata.error().code(), test.code) << metadata.error().message();
    EXPECT_THAT(metadata.error().message(), HasSubstr("v3.metadata.json"));
    EXPECT_THAT(metadata.error().message(), HasSubstr(test.message));
  }
}

TEST(TableMetadataJson, TextThatIsNoJsonIsCorrupt) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"), std::string("nul"),
                                  std::string("\x1f\x8b\x08garbage"), std::string(100'000, '[')}) {
    const auto metadata = ParseTableMetadata(text, "v1.metadata.json");
    ASSERT_FALSE(metadata);
    EXPECT_EQ(metadata.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(metadata.error().message(), HasSubstr("v1.metadata.json"));
  }
}

TEST(TableMetadataJson, UnknownMembersAndStatisticsAreKept) {
  nlohmann::json json = nlohmann::json::parse(SampleJson());
  json["statistics"] = nlohmann::json::parse(R"([{"snapshot-id":5,"statistics-path":"s.puffin"}])");
  json["made-up"] = {1, "x"};
  const auto metadata = Must(ParseTableMetadata(json.dump(), "f"));
  EXPECT_EQ(nlohmann::json::parse(TableMetadataToJson(metadata)), json);
}

// As the Java library does, so that no path gets an empty folder.
TEST(TableMetadataJson, SlashesBehindTheLocationDoNotCount) {
  nlohmann::json json = nlohmann::json::parse(SampleJson());
  const auto location = json["location"].get<std::string>();
  json["location"] = location + "//";
  EXPECT_EQ(Must(ParseTableMetadata(json.dump(), "f")).location, location);
}

TEST(TableMetadataJson, NullMissingAndMinusOneAreNoCurrentSnapshot) {
  nlohmann::json json = nlohmann::json::parse(SampleJson());
  json.erase("refs");
  for (const nlohmann::json& none : {nlohmann::json(), nlohmann::json(-1)}) {
    json["current-snapshot-id"] = none;
    EXPECT_FALSE(Must(ParseTableMetadata(json.dump(), "f")).current_snapshot_id);
  }
  json.erase("current-snapshot-id");
  EXPECT_FALSE(Must(ParseTableMetadata(json.dump(), "f")).current_snapshot_id);
}

TEST(TableMetadataJson, MissingRefsMeanMainOnly) {
  nlohmann::json json = nlohmann::json::parse(SampleJson());
  json.erase("refs");
  const auto metadata = Must(ParseTableMetadata(json.dump(), "f"));
  EXPECT_EQ(metadata.refs.at("main").snapshot_id.value, 5);
  json["current-snapshot-id"] = -1;
  EXPECT_TRUE(Must(ParseTableMetadata(json.dump(), "f")).refs.empty());
}

TEST(Gzip, RoundTripsAndIsBounded) {
  const std::string text(100'000, 'x');
  const std::string packed = Must(Gzip(text));
  EXPECT_LT(packed.size(), 1000u);
  EXPECT_EQ(Must(Gunzip(packed, 100'000)), text);
  EXPECT_EQ(Gunzip(packed, 99'999).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(Gunzip(packed.substr(0, packed.size() - 9), 1'000'000).error().code(), ErrorCode::kCorrupt);
}

// ------------------------------------------------------------------------------------------------- changes

Field NewField(const char* name, Type type, bool required = false) {
  return {{}, name, std::move(type), required, ""};
}

TEST(NewTables, FieldIdsGoLevelByLevel) {
  NewTable table;
  table.location = "mem:/t/";
  table.schema.fields = {
      NewField("a", Type::Short()),
      NewField("b", Type::Array(NewField(
                        "element", Type::Struct({NewField("x", Type::Byte()), NewField("y", Type::Int())})))),
      NewField("c", Type::Map(NewField("key", Type::String(), true), NewField("value", Type::Int())))};
  const auto metadata = Must(MakeTableMetadata(table));
  EXPECT_EQ(metadata.location, "mem:/t");
  const Schema& schema = metadata.current_schema();
  const auto id = [&](const char* name) { return schema.FindByName(name)->id.value; };
  EXPECT_EQ(id("a"), 1);
  EXPECT_EQ(id("b"), 2);
  EXPECT_EQ(id("c"), 3);
  const Field& element = schema.fields[1].type.fields()[0];
  EXPECT_EQ(element.id.value, 4);
  EXPECT_EQ(element.type.fields()[0].id.value, 5);
  EXPECT_EQ(element.type.fields()[1].id.value, 6);
  EXPECT_EQ(schema.fields[2].type.fields()[0].id.value, 7);
  EXPECT_EQ(schema.fields[2].type.fields()[1].id.value, 8);
  EXPECT_EQ(metadata.last_column_id, 8);
  EXPECT_EQ(schema.fields[0].type, Type::Int());
  EXPECT_EQ(element.type.fields()[0].type, Type::Int());
}

TEST(NewTables, WhatCannotBeStoredIsRefused) {
  NewTable table;
  table.location = "mem:/t";
  table.schema.fields = {NewField("a", Type::IntervalDayTime())};
  EXPECT_EQ(MakeTableMetadata(table).error().code(), ErrorCode::kUnsupported);
  table.schema.fields = {NewField("a", Type::Int()), NewField("a", Type::Int())};
  EXPECT_EQ(MakeTableMetadata(table).error().code(), ErrorCode::kInvalid);
  table.schema.fields = {NewField("a", Type::Int())};
  for (const char* version : {"1", "3"}) {
    table.properties = {{"format-version", version}};
    EXPECT_EQ(MakeTableMetadata(table).error().code(), ErrorCode::kUnsupported);
  }
  table.properties = {{"format-version", "2"}, {"x", "y"}};
  EXPECT_THAT(Must(MakeTableMetadata(table)).properties,
              ElementsAre(std::pair("write.parquet.compression-codec", "zstd"), std::pair("x", "y")));
}

TEST(Evolution, OnlySafeChangesAreAllowed) {
  struct Case {
    const char* what;
    std::function<void(Schema&)> edit;
    const char* message;  ///< Null: allowed.
  };
  const std::vector<Case> cases = {
      {"rename", [](Schema& s) { s.fields[1].name = "colour"; }, nullptr},
      {"reorder", [](Schema& s) { std::swap(s.fields[0], s.fields[2]); }, nullptr},
      {"make optional", [](Schema& s) { s.fields[0].required = false; }, nullptr},
      {"comment", [](Schema& s) { s.fields[0].doc = "the key"; }, nullptr},
      {"drop", [](Schema& s) { s.fields.pop_back(); }, nullptr},
      {"make required", [](Schema& s) { s.fields[1].required = true; }, "cannot become required"},
      {"narrow", [](Schema& s) { s.fields[0].type = Type::Int(); },
       "column id: type bigint cannot become int"},
      {"other type", [](Schema& s) { s.fields[1].type = Type::Long(); }, "column color: type"},
      {"add required",
       [](Schema& s) {
         s.fields.push_back({FieldId{4}, "x", Type::Int(), true, ""});
       },
       "is required"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    const Schema before = SampleMetadata().current_schema();
    Schema after = before;
    test.edit(after);
    const Status allowed = CheckEvolution(before, after);
    EXPECT_EQ(allowed.has_value(), test.message == nullptr);
    if (allowed) continue;
    EXPECT_THAT(allowed.error().message(), HasSubstr(test.message == nullptr ? "none" : test.message));
  }
  const auto of_type = [](Type type) {
    Schema schema;
    schema.fields = {{FieldId{1}, "x", std::move(type), false, ""}};
    return schema;
  };
  EXPECT_TRUE(CheckEvolution(of_type(Type::Int()), of_type(Type::Long())));
  EXPECT_TRUE(CheckEvolution(of_type(Type::Float()), of_type(Type::Double())));
  EXPECT_TRUE(CheckEvolution(of_type(Type::Decimal(5, 2)), of_type(Type::Decimal(9, 2))));
  EXPECT_FALSE(CheckEvolution(of_type(Type::Decimal(9, 2)), of_type(Type::Decimal(9, 3))));
}

std::string SpecText(const TableMetadata& metadata) {
  std::string text = fmt::format("{}:", metadata.default_spec_id);
  for (const PartitionField& field : metadata.default_spec().fields) {
    text += fmt::format(" {}={}({})#{}", field.name, field.transform.ToString(), field.source_id.value,
                        field.field_id.value);
  }
  return text;
}

// Names and ids as Spark gave them for the same statements (test/fixtures/iceberg, table "evolved").
TEST(SpecChange, FieldsAreNamedNumberedAndFoundAgainAsIcebergDoes) {
  const auto transform = [](const char* text) { return Must(Transform::Parse(text)); };
  TableMetadata metadata =
      SampleMetadata({{{"id"}, transform("bucket[4]"), ""}, {{"color"}, transform("truncate[2]"), ""}});
  EXPECT_EQ(SpecText(metadata), "0: id_bucket=bucket[4](1)#1000 color_trunc=truncate[2](2)#1001");
  const auto set = [&](std::vector<PartitionField> fields) {
    table::SchemaChange change;
    change.spec = PartitionSpec{0, std::move(fields)};
    Must(ApplySchemaChange(change, metadata));
    return SpecText(metadata);
  };
  const auto field = [&](int32_t source, const char* text, const char* name = "") {
    return PartitionField{FieldId{source}, FieldId{}, name, transform(text)};
  };
  EXPECT_EQ(set({field(1, "bucket[4]"), field(2, "truncate[2]"), field(1, "bucket[16]")}),
            "1: id_bucket=bucket[4](1)#1000 color_trunc=truncate[2](2)#1001 id_bucket_16=bucket[16](1)#1002");
  EXPECT_EQ(set({field(2, "truncate[2]"), field(1, "bucket[8]", "shard")}),
            "2: color_trunc=truncate[2](2)#1001 shard=bucket[8](1)#1003");
  // The first spec comes back under its own id, and a dropped field under its old one.
  EXPECT_EQ(set({field(1, "bucket[4]"), field(2, "truncate[2]")}),
            "0: id_bucket=bucket[4](1)#1000 color_trunc=truncate[2](2)#1001");
  EXPECT_EQ(set({field(1, "bucket[16]")}), "3: id_bucket_16=bucket[16](1)#1002");
  EXPECT_EQ(set({}), "4:");
  EXPECT_EQ(metadata.last_partition_id, 1003);
}

// The numbers are another writer's, and the next one may not exist, or be in use.
TEST(SpecChange, IdsInUseAreNotGivenAgainAndDoNotOverflow) {
  const auto add_field = [](const std::function<void(TableMetadata&)>& edit) -> Result<int32_t> {
    TableMetadata metadata = SampleMetadata({{{"id"}, Must(Transform::Parse("bucket[4]")), ""}});
    edit(metadata);
    table::SchemaChange change;
    change.spec = PartitionSpec{0, {{FieldId{2}, FieldId{}, "", Transform()}}};
    WEIR_DO(ApplySchemaChange(change, metadata));
    return metadata.default_spec().fields[0].field_id.value;
  };
  EXPECT_EQ(Must(add_field([](TableMetadata&) {})), 1001);
  EXPECT_EQ(Must(add_field([](TableMetadata& m) { m.last_partition_id = 0; })), 1001);
  const auto none_left = add_field([](TableMetadata& m) { m.last_partition_id = INT32_MAX; });
  EXPECT_EQ(none_left.error().code(), ErrorCode::kCorrupt);
  const auto no_spec =
      add_field([](TableMetadata& m) { m.specs[0].spec_id = m.default_spec_id = INT32_MAX; });
  EXPECT_EQ(no_spec.error().code(), ErrorCode::kCorrupt);
}

TEST(Properties, AreSetAndRemovedAndReservedOnesRefused) {
  TableMetadata metadata = SampleMetadata({}, {{"a", "1"}, {"b", "2"}});
  table::SchemaChange change;
  change.properties = {{"a", std::nullopt}, {"c", "3"}, {"format-version", "2"}};
  Must(ApplySchemaChange(change, metadata));
  EXPECT_FALSE(metadata.properties.contains("a"));
  EXPECT_EQ(metadata.properties.at("c"), "3");
  EXPECT_FALSE(metadata.properties.contains("format-version"));
  for (const auto& [name, code] : std::vector<std::pair<std::string, ErrorCode>>{
           {"uuid", ErrorCode::kInvalid}, {"current-snapshot-id", ErrorCode::kInvalid}}) {
    change.properties = {{name, "x"}};
    EXPECT_EQ(ApplySchemaChange(change, metadata).error().code(), code);
  }
  change.properties = {{"format-version", "3"}};
  EXPECT_EQ(ApplySchemaChange(change, metadata).error().code(), ErrorCode::kUnsupported);
}

TEST(MetadataLog, IsTrimmedToTheWantedLength) {
  TableMetadata metadata = SampleMetadata({}, {{"write.metadata.previous-versions-max", "2"}});
  EXPECT_TRUE(Must(LogMetadataFile({1, "v1"}, metadata)).empty());
  EXPECT_TRUE(Must(LogMetadataFile({2, "v2"}, metadata)).empty());
  EXPECT_THAT(Must(LogMetadataFile({3, "v3"}, metadata)), ElementsAre("v1"));
  ASSERT_EQ(metadata.metadata_log.size(), 2u);
  EXPECT_EQ(metadata.metadata_log[0].file, "v2");
}

// ------------------------------------------------------------------------------------------------- the
// folder

std::set<std::string> Put(World& world, const std::string& name, const std::string& text) {
  Must(world.store().Put(kTableLocation + "/metadata/" + name, AsBytes(text), PutIf::Always()));
  return world.Paths();
}

int64_t VersionOf(World& world) {
  Client client(world);
  const auto current = Must(client.committer->Current(world.account(), world.cancellation));
  return current ? current->version : 0;
}

TEST(HadoopCommitter, TheHintMayBeMissingStaleOrGarbage) {
  const std::string long_text(1 << 20, '9');
  for (const char* hint : {"", "1", "2", "3", "x", "-1", "2\n", "99999999999999999999", long_text.c_str()}) {
    SCOPED_TRACE(std::string_view(hint).substr(0, 30));
    World world;
    const std::string json = TableMetadataToJson(SampleMetadata());
    for (const char* name : {"v1.metadata.json", "v2.metadata.json", "v3.metadata.json"})
      Put(world, name, json);
    if (*hint != '\0') Put(world, "version-hint.text", hint);
    EXPECT_EQ(VersionOf(world), 3);
  }
}

// Otherwise the state before a lost metadata file would pass for the table. Spark fails too.
TEST(HadoopCommitter, AHintWhoseVersionIsGoneIsCorrupt) {
  for (const bool older_version_there : {true, false}) {
    World world;
    if (older_version_there) Put(world, "v3.metadata.json", TableMetadataToJson(SampleMetadata()));
    Put(world, "version-hint.text", "4");
    Client client(world);
    const auto current = client.committer->Current(world.account(), world.cancellation);
    ASSERT_FALSE(current);
    EXPECT_EQ(current.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(current.error().message(), testing::HasSubstr("version-hint.text: names version 4"));
  }
}

// The three answers of a store that make a commit's outcome open, each with what the file itself then says.
TEST(HadoopCommitter, OpenOutcomesAreSettledByTheFile) {
  struct Case {
    const char* what;
    Fault fault;
    bool cancelled;
    bool committed;
  };
  for (const Case& test :
       {Case{"reply lost", Fault::kReplyLost, false, true}, Case{"refused", Fault::kRefused, false, false},
        Case{"cancelled", Fault::kNone, true, false}}) {
    SCOPED_TRACE(test.what);
    World inner;
    Client setup(inner);
    setup.Create(SampleMetadata());
    Cancellation cancellation;
    auto faulty = std::make_shared<FaultyStorage>(inner.memory, [&](const FaultyCall& call) {
      const bool hit = call.call == StoreCall::kPut && call.path.ends_with("v2.metadata.json");
      if (hit && test.cancelled) cancellation.Request();
      return hit ? test.fault : Fault::kNone;
    });
    World world(2, faulty);
    Client client(world);
    const auto base = Must(client.committer->Current(world.account(), cancellation));
    TableMetadata next = *base->metadata;
    next.properties["x"] = "y";
    const auto outcome = client.committer->Replace(base, next, world.account(), cancellation);
    EXPECT_EQ(outcome && std::holds_alternative<Replaced>(*outcome), test.committed);
    EXPECT_EQ(VersionOf(inner), test.committed ? 2 : 1);
    if (outcome) continue;
    EXPECT_EQ(outcome.error().code(), test.cancelled ? ErrorCode::kCancelled : ErrorCode::kUnavailable);
  }
}

TEST(HadoopCommitter, OtherFilesAreNoTable) {
  World world;
  EXPECT_EQ(VersionOf(world), 0);
  Put(world, "00000-uuid.metadata.json", "x");
  Put(world, "vx.metadata.json", "x");
  Put(world, "v.metadata.json", "x");
  EXPECT_EQ(VersionOf(world), 0);
}

// As in the Java library a version has 32 bits.
TEST(HadoopCommitter, NothingFollowsTheLastVersion) {
  EXPECT_EQ(iceberg::VersionOf("v2147483647.metadata.json"), 2147483647);
  for (const char* name : {"v2147483648.metadata.json", "v9223372036854775807.metadata.json"})
    EXPECT_FALSE(iceberg::VersionOf(name).has_value()) << name;
  World world;
  Put(world, "v2147483647.metadata.json", TableMetadataToJson(SampleMetadata()));
  Client client(world);
  const auto before = world.Paths();
  const auto outcome = client.Commit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(world.Paths(), before);
}

/// Puts of version 2 do not happen, and nobody says so.
class Silent : public Decorator {
 public:
  Silent(std::shared_ptr<Storage> inner, Cancellation cancellation, int cancel_at)
      : Decorator(std::move(inner)), cancellation_(std::move(cancellation)), cancel_at_(cancel_at) {}
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    if (!path.ends_with("v2.metadata.json")) return inner().Put(io, path, bytes, condition);
    if (++puts == cancel_at_) cancellation_.Request();
    return UnknownOutcome("silence");
  }
  int puts = 0;

 private:
  Cancellation cancellation_;
  int cancel_at_;
};

TEST(HadoopCommitter, SilenceIsNotAskedForEver) {
  for (const auto& [cancel_at, puts] : std::vector<std::pair<int, int>>{{0, 21}, {2, 2}}) {
    World inner;
    Client(inner).Create(SampleMetadata({}, {{"commit.status-check.num-retries", "9000000000000000000"}}));
    const auto silent = std::make_shared<Silent>(inner.memory, inner.cancellation, cancel_at);
    World world(2, silent);
    world.memory = inner.memory;
    Client client(world);
    const auto base = client.Load();
    world.cancellation = inner.cancellation;
    const auto outcome = Must(client.Commit(Append(base, {NewFile(inner, "a", 1, 1)})));
    EXPECT_TRUE(std::holds_alternative<table::OutcomeNotKnown>(outcome));
    EXPECT_EQ(silent->puts, puts);
    EXPECT_TRUE(Must(Store(inner.memory, inner.account(), {}).Exists(kTableLocation + "/data/a")));
  }
}

TEST(HadoopCommitter, CompressedMetadataIsReadAndWritten) {
  World world;
  const std::string json = TableMetadataToJson(SampleMetadata());
  Put(world, "v1.metadata.json.gz", Must(Gzip(json)));
  EXPECT_EQ(VersionOf(world), 1);
  Client client(world);
  TableMetadata next = *Must(client.committer->Current(world.account(), world.cancellation))->metadata;
  next.properties["write.metadata.compression-codec"] = "gzip";
  // The change itself is still written as the version that it replaces.
  for (const char* name : {"v2.metadata.json", "v3.gz.metadata.json"}) {
    Must(client.committer->Replace(Must(client.committer->Current(world.account(), world.cancellation)), next,
                                   world.account(), world.cancellation));
    EXPECT_TRUE(world.Paths().contains(kTableLocation + "/metadata/" + name)) << name;
  }
  EXPECT_EQ(VersionOf(world), 3);
}

TEST(HadoopCommitter, VersionsThatWereCleanedUpDoNotHideTheNewest) {
  World world;
  Client stale(world), client(world);
  const Properties properties = {{"write.metadata.delete-after-commit.enabled", "true"},
                                 {"write.metadata.previous-versions-max", "1"}};
  client.Create(SampleMetadata({}, properties));
  const auto base = stale.Load();
  for (int i = 0; i < 4; ++i)
    client.MustCommit(Append(client.Load(), {NewFile(world, std::to_string(i), 1, 1)}));
  EXPECT_FALSE(world.Paths().contains(kTableLocation + "/metadata/v2.metadata.json"));
  EXPECT_TRUE(world.Paths().contains(kTableLocation + "/metadata/v4.metadata.json"));
  // A client that last saw version 1, and a hint that says so, must not put version 2.
  Put(world, "version-hint.text", "1");
  Must(world.store().Put(kTableLocation + "/metadata/v1.metadata.json",
                         AsBytes(TableMetadataToJson(SampleMetadata({}, properties))), PutIf::Always()));
  stale.MustCommit(Append(base, {NewFile(world, "late", 1, 1)}));
  EXPECT_EQ(client.LivePaths().size(), 5u);
}

TEST(HadoopCommitter, WhatWasReadBeforeDoesNotHideTheNewest) {
  World world;
  const std::string json =
      TableMetadataToJson(SampleMetadata({}, {{"write.metadata.delete-after-commit.enabled", "true"}}));
  Put(world, "v1.metadata.json", json);
  Put(world, "version-hint.text", "1");
  Client client(world);
  const auto version = [&] {
    return Must(client.committer->Current(world.account(), world.cancellation))->version;
  };
  EXPECT_EQ(version(), 1);
  Put(world, "v3.metadata.json", json);
  EXPECT_EQ(version(), 3);
}

// The put of a slow writer, held up while others commit and delete the version that it is about to put.
TEST(HadoopCommitter, AVersionThatCameAndWentIsNotPutAgain) {
  const Properties properties = {{"write.metadata.delete-after-commit.enabled", "true"},
                                 {"write.metadata.previous-versions-max", "1"}};
  for (const bool snapshot : {true, false}) {
    SCOPED_TRACE(snapshot ? "append" : "property");
    World inner;
    Client others(inner);
    others.Create(SampleMetadata({}, properties));
    others.MustCommit(Append(others.Load(), {NewFile(inner, "first", 1, 1)}));
    bool held_up = false;
    auto slow = std::make_shared<FaultyStorage>(inner.memory, [&](const FaultyCall& call) {
      if (call.call == StoreCall::kPut && call.path.ends_with("v3.metadata.json") && !held_up) {
        held_up = true;
        for (int i = 0; i < 3; ++i)
          others.MustCommit(Append(others.Load(), {NewFile(inner, std::to_string(i), 2, 2)}));
      }
      return Fault::kNone;
    });
    World world(2, slow);
    Client late(world);
    if (snapshot) {
      late.MustCommit(Append(late.Load(), {NewFile(world, "late", 3, 3)}));
      EXPECT_EQ(others.LivePaths().size(), 5u);
      EXPECT_EQ(VersionOf(inner), 6);
    } else {
      const auto base = Must(late.committer->Current(world.account(), world.cancellation));
      TableMetadata next = *base->metadata;
      next.properties["x"] = "y";
      const auto outcome = Must(late.committer->Replace(base, next, world.account(), world.cancellation));
      // One earlier version is kept: nothing tells that version 5 was not made from this one.
      EXPECT_TRUE(std::holds_alternative<NotKnown>(outcome));
      EXPECT_EQ(VersionOf(inner), 5);
    }
    EXPECT_TRUE(held_up);
    EXPECT_EQ(Must(inner.store().ReadAll(kTableLocation + "/metadata/version-hint.text")),
              snapshot ? "6" : "5");
    EXPECT_EQ(inner.Paths().contains(kTableLocation + "/metadata/v3.metadata.json"), !snapshot);
  }
}

// Two writers of the same version, one of which changes the codec of metadata files.
TEST(HadoopCommitter, AChangeOfCodecRacesWithOtherCommits) {
  World world;
  Client one(world), two(world);
  one.Create(SampleMetadata({}, {{"write.metadata.compression-codec", "gzip"}}));
  const auto base = Must(one.committer->Current(world.account(), world.cancellation));
  TableMetadata plain = *base->metadata, other = *base->metadata;
  plain.properties.erase("write.metadata.compression-codec");
  other.properties["x"] = "y";
  EXPECT_TRUE(std::holds_alternative<Replaced>(
      Must(one.committer->Replace(base, plain, world.account(), world.cancellation))));
  EXPECT_TRUE(std::holds_alternative<LostRace>(
      Must(two.committer->Replace(base, other, world.account(), world.cancellation))));
}

TEST(HadoopCommitter, LocalChecksumsOfTheHintAreRemoved) {
  World world;
  Put(world, ".version-hint.text.crc", "x");
  Client client(world);
  client.Create(SampleMetadata());
  EXPECT_FALSE(world.Paths().contains(kTableLocation + "/metadata/.version-hint.text.crc"));
  EXPECT_EQ(Must(world.store().ReadAll(kTableLocation + "/metadata/version-hint.text")), "1");
}

TEST(HadoopCommitter, ATableThatWasDroppedIsNotMadeAgain) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  const auto before = client.Load();
  for (const std::string& path : world.Paths()) Must(world.store().Delete(std::vector<std::string>{path}));
  const auto outcome = client.Commit(Append(before, {NewFile(world, "a", 1, 1)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(outcome.error().message(), HasSubstr("does not exist any more"));
  EXPECT_TRUE(world.Paths().empty());
}

TEST(HadoopCommitter, ATableThatWasDroppedAndCreatedAgainIsAnother) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  const auto before = client.Load();
  for (const std::string& path : world.Paths()) Must(world.store().Delete(std::vector<std::string>{path}));
  TableMetadata other = SampleMetadata();
  other.table_uuid = "00000000-0000-4000-8000-000000000002";
  client.Create(other);
  const auto outcome = Must(client.Commit(Append(before, {NewFile(world, "a", 1, 1)})));
  EXPECT_THAT(std::get<table::Conflicted>(outcome).reason, HasSubstr("dropped and created again"));
}

}  // namespace
}  // namespace weir::iceberg

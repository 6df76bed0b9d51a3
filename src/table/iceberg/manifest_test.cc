// Manifests, their lists, and what is pruned by them.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "codec/avro/container.h"
#include "expr/expr.h"
#include "table/deletes.h"
#include "table/iceberg/delete_index.h"
#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/manifest_avro.h"
#include "table/iceberg/manifest_cache.h"
#include "table/iceberg/manifest_schema.h"
#include "table/iceberg/pruning.h"
#include "table/iceberg/single_value.h"

namespace weir::iceberg {
namespace {

using testing::HasSubstr;
using Status_ = ManifestEntry::Status;

const Schema& TestSchema() {
  static const Schema schema = SampleMetadata().current_schema();
  return schema;
}
const Field* FindField(FieldId id) { return TestSchema().Find(id); }

PartitionSpec ColorSpec() {
  return {0,
          {{FieldId{2}, FieldId{1000}, "col or", Transform()},
           {FieldId{1}, FieldId{1001}, "id_bucket", Must(Transform::Parse("bucket[8]"))}}};
}

ManifestEntry Entry(const std::string& path, Status_ status, const char* color) {
  ManifestEntry entry;
  entry.status = status;
  entry.file.path = path;
  entry.file.partition.values = {color != nullptr ? Scalar::String(color) : Scalar::Null(Type::String()),
                                 Scalar::Int(3)};
  entry.file.row_count = 10;
  entry.file.size_bytes = 1000;
  if (status != Status_::kAdded) {
    entry.snapshot_id = SnapshotId{1};
    entry.sequence_number = SequenceNumber{1};
    entry.file_sequence_number = SequenceNumber{1};
  }
  return entry;
}

ManifestWriter::Written Write(const std::vector<ManifestEntry>& entries, Content content = Content::kData) {
  SeededRandom random(1);
  ManifestWriter::Options options;
  options.content = content;
  options.snapshot_id = SnapshotId{42};
  auto writer = Must(ManifestWriter::Make(TestSchema(), ColorSpec(),
                                          Must(PartitionTypes(ColorSpec(), FindField)), options, random));
  for (const ManifestEntry& entry : entries) Must(writer.Add(entry));
  auto written = Must(std::move(writer).Finish());
  written.file.path = "mem:/m.avro";
  return written;
}

std::vector<ManifestEntry> Read(const std::string& bytes, const ManifestFile& listed) {
  std::vector<ManifestEntry> entries;
  Must(ParseManifest(bytes, listed, ColorSpec(), FindField, [&](ManifestEntry&& entry) -> Status {
    entries.push_back(std::move(entry));
    return {};
  }));
  return entries;
}

TEST(Manifest, EveryFieldSurvives) {
  ManifestEntry full = Entry("mem:/a", Status_::kExisting,
                             "r\xC3\xA9"
                             "d");
  full.file.column_sizes = ContentFile::Counts{{FieldId{1}, 5}, {FieldId{2}, 6}};
  full.file.value_counts = ContentFile::Counts{{FieldId{1}, 10}};
  full.file.null_counts = ContentFile::Counts{};
  full.file.nan_counts = ContentFile::Counts{{FieldId{3}, 1}};
  full.file.lower_bounds = ContentFile::RawBounds{{FieldId{2}, std::string("\x00\xff", 2)}};
  full.file.upper_bounds = ContentFile::RawBounds{{FieldId{2}, ""}};
  full.file.split_offsets = std::vector<int64_t>{4, 100};
  full.file.equality_ids = std::vector<FieldId>{FieldId{1}};
  full.file.sort_order_id = 0;
  full.file.referenced_data_file = "mem:/r";
  auto written = Write({full});
  written.file.sequence_number = SequenceNumber{9};
  const auto entries = Read(written.bytes, written.file);
  ASSERT_EQ(entries.size(), 1u);
  const ManifestEntry& read = entries[0];
  EXPECT_EQ(read.status, Status_::kExisting);
  EXPECT_EQ(read.snapshot_id, SnapshotId{1});
  EXPECT_EQ(read.sequence_number, SequenceNumber{1});
  EXPECT_EQ(read.file.path, full.file.path);
  EXPECT_EQ(read.file.partition, full.file.partition);
  EXPECT_EQ(read.file.row_count, 10);
  EXPECT_EQ(read.file.size_bytes, 1000);
  EXPECT_EQ(read.file.column_sizes, full.file.column_sizes);
  EXPECT_EQ(read.file.value_counts, full.file.value_counts);
  EXPECT_EQ(read.file.null_counts, full.file.null_counts);
  EXPECT_EQ(read.file.nan_counts, full.file.nan_counts);
  EXPECT_EQ(read.file.lower_bounds, full.file.lower_bounds);
  EXPECT_EQ(read.file.upper_bounds, full.file.upper_bounds);
  EXPECT_EQ(read.file.split_offsets, full.file.split_offsets);
  EXPECT_EQ(read.file.equality_ids, full.file.equality_ids);
  EXPECT_EQ(read.file.sort_order_id, full.file.sort_order_id);
  EXPECT_EQ(read.file.referenced_data_file, full.file.referenced_data_file);
}

TEST(Manifest, NewEntriesInheritFromTheListAndOldOnesDoNot) {
  auto written = Write({Entry("mem:/new", Status_::kAdded, "a"), Entry("mem:/old", Status_::kExisting, "b"),
                        Entry("mem:/gone", Status_::kDeleted, nullptr)});
  EXPECT_EQ(*written.file.added_files, 1);
  EXPECT_EQ(*written.file.existing_rows, 10);
  EXPECT_EQ(*written.file.deleted_files, 1);
  EXPECT_EQ(written.file.min_sequence_number, SequenceNumber{1});
  EXPECT_FALSE(written.file.sequence_number.has_value());
  const FieldSummary& color = written.file.partitions->at(0);
  EXPECT_TRUE(color.contains_null);
  EXPECT_EQ(color.lower, "a");
  EXPECT_EQ(color.upper, "b");
  written.file.sequence_number = SequenceNumber{7};
  const auto entries = Read(written.bytes, written.file);
  EXPECT_EQ(entries[0].sequence_number, SequenceNumber{7});
  EXPECT_EQ(entries[0].file_sequence_number, SequenceNumber{7});
  EXPECT_EQ(entries[0].snapshot_id, SnapshotId{42});
  EXPECT_EQ(entries[1].sequence_number, SequenceNumber{1});
  EXPECT_EQ(entries[1].snapshot_id, SnapshotId{1});
}

TEST(Manifest, HeaderSaysWhatTheSpecDemands) {
  const auto written = Write({Entry("mem:/a", Status_::kAdded, "a")}, Content::kData);
  const auto reader = Must(avro::Reader::Open(AsBytes(written.bytes), "m"));
  const auto& header = reader.metadata();
  EXPECT_EQ(header.at("format-version"), "2");
  EXPECT_EQ(header.at("content"), "data");
  EXPECT_EQ(header.at("partition-spec-id"), "0");
  EXPECT_THAT(header.at("partition-spec"), HasSubstr("\"transform\":\"bucket[8]\""));
  EXPECT_THAT(header.at("schema"), HasSubstr("\"name\":\"color\""));
  // Names that Avro does not allow are sanitized as the Java library does.
  EXPECT_THAT(header.at("avro.schema"), HasSubstr("col_x20or"));
}

TEST(Manifest, BrokenManifestsAreCorrupt) {
  const auto good = Write({Entry("mem:/a", Status_::kAdded, "a"), Entry("mem:/b", Status_::kAdded, "b")});
  for (size_t size = 0; size < good.bytes.size(); size += 97) {
    const Status read = ParseManifest(good.bytes.substr(0, size), good.file, ColorSpec(), FindField,
                                      [](ManifestEntry&&) -> Status { return {}; });
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message(), HasSubstr("mem:/m.avro"));
  }
  ManifestFile as_deletes = good.file;
  as_deletes.content = Content::kDeletes;
  const Status mixed = ParseManifest(good.bytes, as_deletes, ColorSpec(), FindField,
                                     [](ManifestEntry&&) -> Status { return {}; });
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message(), HasSubstr("a data file in a manifest of deletes"));
}

TEST(Manifest, OldEntriesNeedTheirSequenceNumbers) {
  SeededRandom random(1);
  auto writer = Must(ManifestWriter::Make(TestSchema(), ColorSpec(),
                                          Must(PartitionTypes(ColorSpec(), FindField)), {}, random));
  ManifestEntry entry = Entry("mem:/a", Status_::kExisting, "a");
  entry.sequence_number.reset();
  EXPECT_FALSE(writer.Add(entry));
}

TEST(Manifest, MoreRowsThanCanBeCountedAreCorrupt) {
  SeededRandom random(1);
  auto writer = Must(ManifestWriter::Make(TestSchema(), ColorSpec(),
                                          Must(PartitionTypes(ColorSpec(), FindField)), {}, random));
  ManifestEntry entry = Entry("mem:/a", Status_::kAdded, "a");
  entry.file.row_count = INT64_MAX;
  Must(writer.Add(entry));
  EXPECT_EQ(writer.Add(entry).error().code(), ErrorCode::kCorrupt);
}

TEST(Manifest, CodecsAreNamedInAnyCase) {
  SeededRandom random(1);
  ManifestWriter::Options options;
  options.compression = "ZSTD";
  auto writer = Must(ManifestWriter::Make(TestSchema(), ColorSpec(),
                                          Must(PartitionTypes(ColorSpec(), FindField)), options, random));
  const auto written = Must(std::move(writer).Finish());
  EXPECT_EQ(Must(avro::Reader::Open(AsBytes(written.bytes), "m")).codec(), avro::Codec::kZstandard);
}

avro::Value With(const avro::Value& record, size_t field, avro::Value value, avro::ValueArena& arena) {
  const auto fields = arena.New(record.children().size());
  std::ranges::copy(record.children(), fields.begin());
  fields[field] = value;
  return avro::Value::Record(fields);
}

/// The file of a writer that makes longs of all ints, with other records.
std::string AsLongs(const std::string& bytes, const avro::Schema& schema,
                    const std::function<avro::Value(const avro::Value&, avro::ValueArena&)>& edit) {
  SeededRandom random(1);
  auto writer = Must(avro::Writer::Make(schema, {}, random));
  avro::ValueArena arena;
  Must(Must(avro::Reader::Open(AsBytes(bytes), "m")).ForEach(schema, [&](const avro::Value& record) {
    return writer.Append(edit(record, arena));
  }));
  return Must(writer.Finish());
}

// Cut to 32 bits this one would be the id 1, of another column or spec.
constexpr int64_t kLongId = (int64_t{1} << 32) + 1;

TEST(Manifest, IdsBeyond32BitsAreCorrupt) {
  const auto good = Write({Entry("mem:/a", Status_::kAdded, "a")});
  const auto schema = ManifestEntrySchema(ColorSpec(), Must(PartitionTypes(ColorSpec(), FindField)), true);
  const avro::Value id = avro::Value::Long(kLongId);
  const std::array<avro::Value, 2> count = {id, avro::Value::Long(5)};
  const std::array<avro::Value, 2> bound = {id, avro::Value::Bytes("x")};
  for (const auto& [field, value] :
       std::vector<std::pair<size_t, avro::Value>>{{kFileEqualityIds, avro::Value::Array({&id, 1})},
                                                   {kFileSortOrder, id},
                                                   {kFileColumnSizes, avro::Value::Map(count)},
                                                   {kFileLower, avro::Value::Map(bound)}}) {
    const std::string bytes =
        AsLongs(good.bytes, schema, [&, f = field, v = value](const auto& record, auto& arena) {
          return With(record, kEntryFile, With(record[kEntryFile], f, v, arena), arena);
        });
    const Status read =
        ParseManifest(bytes, good.file, ColorSpec(), FindField, [](ManifestEntry&&) -> Status { return {}; });
    ASSERT_FALSE(read) << field;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message(), HasSubstr("of 32 bits, found 4294967297"));
  }
}

// A transform of the future: its values still tell partitions apart, nothing is pruned by them, nothing is
// written.
TEST(Manifest, PartitionsOfUnknownTransformsAreReadAndNotWritten) {
  auto written = Write({Entry("mem:/a", Status_::kAdded, "x"), Entry("mem:/b", Status_::kAdded, "y")});
  written.file.sequence_number = SequenceNumber{1};
  PartitionSpec spec = ColorSpec();
  for (PartitionField& field : spec.fields) field.transform = Must(Transform::Parse("zorder"));
  std::vector<PartitionTuple> tuples;
  Must(ParseManifest(written.bytes, written.file, spec, FindField, [&](ManifestEntry&& entry) -> Status {
    tuples.push_back(std::move(entry.file.partition));
    return {};
  }));
  ASSERT_EQ(tuples.size(), 2u);
  EXPECT_EQ(tuples[0].values, (std::vector<Scalar>{Scalar::String("x"), Scalar::Long(3)}));
  EXPECT_FALSE(tuples[0] == tuples[1]);
  EXPECT_TRUE(BoundsOfTuple(spec, tuples[0].values, 1, FindField).columns.empty());
  SeededRandom random(1);
  const auto writer =
      ManifestWriter::Make(TestSchema(), spec, Must(PartitionTypes(spec, FindField)), {}, random);
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(writer.error().message(), HasSubstr("zorder"));
}

TEST(ManifestList, RoundTripsAndNumbersNewManifests) {
  SeededRandom random(1);
  auto fresh = Write({Entry("mem:/a", Status_::kAdded, "a")}).file;
  auto kept = fresh;
  kept.path = "mem:/kept.avro";
  kept.content = Content::kDeletes;
  kept.sequence_number = SequenceNumber{3};
  kept.min_sequence_number = SequenceNumber{2};
  kept.added_snapshot_id = SnapshotId{3};
  const auto bytes =
      Must(WriteManifestList({fresh, kept}, {SnapshotId{42}, SnapshotId{3}, SequenceNumber{4}}, random));
  const auto list = Must(ParseManifestList(bytes, "mem:/l.avro"));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].sequence_number, SequenceNumber{4});
  EXPECT_EQ(list[0].min_sequence_number, SequenceNumber{4});
  EXPECT_EQ(list[0].partitions->at(0).lower, "a");
  EXPECT_EQ(list[0].partitions->at(0).contains_nan, false);
  EXPECT_EQ(list[1].content, Content::kDeletes);
  EXPECT_EQ(list[1].sequence_number, SequenceNumber{3});
  EXPECT_EQ(list[1].min_sequence_number, SequenceNumber{2});
  ManifestFile uncounted = kept;
  uncounted.existing_files.reset();
  EXPECT_EQ(WriteManifestList({uncounted}, {}, random).error().code(), ErrorCode::kUnsupported);
}

TEST(ManifestList, SpecIdsBeyond32BitsAreCorrupt) {
  SeededRandom random(1);
  const auto bytes =
      Must(WriteManifestList({Write({Entry("mem:/a", Status_::kAdded, "a")}).file}, {}, random));
  const auto list =
      ParseManifestList(AsLongs(bytes, ManifestListSchema(true),
                                [](const auto& record, auto& arena) {
                                  return With(record, kListSpecId, avro::Value::Long(kLongId), arena);
                                }),
                        "mem:/l.avro");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(list.error().message(), HasSubstr("partition_spec_id"));
}

// A manifest whose live files look dead is not read, and the next commit drops it for good.
TEST(ManifestList, NegativeCountsAreCorrupt) {
  using Count = std::optional<int64_t> ManifestFile::*;
  for (const auto& [count, name] :
       std::vector<std::pair<Count, const char*>>{{&ManifestFile::added_files, "added_files_count"},
                                                  {&ManifestFile::existing_files, "existing_files_count"},
                                                  {&ManifestFile::deleted_files, "deleted_files_count"},
                                                  {&ManifestFile::added_rows, "added_rows_count"},
                                                  {&ManifestFile::existing_rows, "existing_rows_count"},
                                                  {&ManifestFile::deleted_rows, "deleted_rows_count"}}) {
    SeededRandom random(1);
    ManifestFile file = Write({Entry("mem:/a", Status_::kAdded, "a")}).file;
    file.*count = -1;
    const auto list = ParseManifestList(Must(WriteManifestList({file}, {}, random)), "mem:/l.avro");
    ASSERT_FALSE(list) << name;
    EXPECT_EQ(list.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(list.error().message(), HasSubstr("mem:/l.avro"));
    EXPECT_THAT(list.error().message(), HasSubstr(name));
  }
}

TEST(ManifestCache, CountsTextsAndTellsListsApart) {
  const auto read_twice = [](const std::string& bound, int64_t later_sequence) {
    World world;
    ManifestEntry entry = Entry("mem:/a", Status_::kAdded, "a");
    entry.file.lower_bounds = ContentFile::RawBounds{{FieldId{2}, bound}};
    auto written = Write({entry});
    Must(world.store().Put(written.file.path, AsBytes(written.bytes), PutIf::Always()));
    const TableFiles files(world.stores, world.account(), {});
    ManifestCache cache(64 << 10);
    written.file.sequence_number = SequenceNumber{1};
    const auto first = Must(cache.Read(written.file, ColorSpec(), FindField, files));
    written.file.sequence_number = SequenceNumber{later_sequence};
    const auto second = Must(cache.Read(written.file, ColorSpec(), FindField, files));
    EXPECT_EQ(second->at(0).sequence_number, SequenceNumber{later_sequence});
    return first == second;
  };
  EXPECT_TRUE(read_twice("short", 1));
  EXPECT_FALSE(read_twice("short", 2));
  EXPECT_FALSE(read_twice(std::string(100'000, 'x'), 1));
}

// ------------------------------------------------------------------------------------------------- pruning

ExprPtr Column(int32_t id) {
  const Field* field = FindField(FieldId{id});
  return MakeColumn(ColumnId{id}, field->name, field->type, true);
}
ExprPtr Equal(int32_t id, Scalar value) {
  return MakePredicate("=", {Column(id), MakeLiteral(std::move(value))});
}

const std::optional<table::KeySet> kNoKeys;

// bucket[8] of 34 is 2017239379 % 8 = 3; of 20 it is another, computed by the transform that type/ tests.
TEST(Pruning, BucketsAreKnownFromLiterals) {
  const std::vector<PartitionSpec> specs = {ColorSpec()};
  const auto may = [&](const ExprPtr& predicate, int32_t bucket) {
    return Pruner(predicate, kNoKeys, specs, FindField)
        .MayMatchPartition(
            specs[0], {Scalar::String("x"), bucket < 0 ? Scalar::Null(Type::Int()) : Scalar::Int(bucket)});
  };
  const ExprPtr is_34 = Equal(1, Scalar::Long(34));
  EXPECT_TRUE(may(is_34, 3));
  EXPECT_FALSE(may(is_34, 4));
  EXPECT_FALSE(may(is_34, -1));
  EXPECT_TRUE(may(MakePredicate("or", {is_34, Equal(2, Scalar::String("x"))}), 4));
  EXPECT_TRUE(may(MakePredicate("not", {is_34}), 4));
  EXPECT_TRUE(may(MakePredicate("<", {Column(1), MakeLiteral(Scalar::Long(34))}), 4));
  EXPECT_FALSE(may(MakePredicate("and", {Equal(2, Scalar::String("x")), is_34}), 4));
  EXPECT_TRUE(may(MakePredicate("in", {Column(1), MakeLiteral(Scalar::Long(34)),
                                       MakeLiteral(Scalar::Null(Type::Long()))}),
                  3));
  EXPECT_FALSE(may(MakePredicate("in", {Column(1), MakeLiteral(Scalar::Long(34))}), 5));
  // An int literal hashes as the long it is compared with.
  EXPECT_FALSE(may(Equal(1, Scalar::Int(34)), 4));
  EXPECT_TRUE(may(MakePredicate("<=>", {Column(1), MakeLiteral(Scalar::Null(Type::Long()))}), 4));
}

table::KeySet Keys(std::vector<int64_t> ids, std::vector<PartitionSpec> specs = {}) {
  table::KeySetBuilder builder({FieldId{1}}, std::move(specs), {});
  for (const int64_t id : ids) Must(builder.Add({Scalar::Long(id)}));
  return std::move(builder).Finish();
}

Bounds IdBounds(std::optional<int64_t> low, std::optional<int64_t> high, std::optional<uint64_t> nulls = 0) {
  Bounds bounds;
  bounds.row_count = 10;
  ColumnBounds& column = bounds.columns[ColumnId{1}];
  if (low) column.lower = Scalar::Long(*low);
  if (high) column.upper = Scalar::Long(*high);
  column.null_count = nulls;
  column.value_count = 10;
  return bounds;
}

TEST(Pruning, KeysFallIntoBoundsOrDoNot) {
  const std::optional<table::KeySet> keys = Keys({10, 20, 30});
  const Pruner pruner(nullptr, keys, {}, FindField);
  EXPECT_TRUE(pruner.MayMatch(IdBounds(20, 20)));
  EXPECT_TRUE(pruner.MayMatch(IdBounds(0, 10)));
  EXPECT_TRUE(pruner.MayMatch(IdBounds(30, 99)));
  EXPECT_FALSE(pruner.MayMatch(IdBounds(11, 19)));
  EXPECT_FALSE(pruner.MayMatch(IdBounds(31, 99)));
  EXPECT_FALSE(pruner.MayMatch(IdBounds(0, 9)));
  EXPECT_TRUE(pruner.MayMatch(IdBounds({}, {})));
  EXPECT_FALSE(pruner.MayMatch(IdBounds(21, {}, 0)) && pruner.MayMatch(IdBounds({}, 9)));
  EXPECT_FALSE(pruner.MayMatch(IdBounds({}, {}, 10)));  // NULL matches nothing.
  EXPECT_TRUE(pruner.MayMatch(Bounds()));
  const std::optional<table::KeySet> none = Keys({});
  EXPECT_FALSE(Pruner(nullptr, none, {}, FindField).MayMatch(Bounds()));
}

TEST(Pruning, NanKeysMatchFilesThatMayHoldNan) {
  table::KeySetBuilder builder({FieldId{3}}, {}, {});
  Must(builder.Add({Scalar::Double(std::nan(""))}));
  const std::optional<table::KeySet> keys = std::move(builder).Finish();
  const Pruner pruner(nullptr, keys, {}, FindField);
  Bounds bounds;
  bounds.row_count = 10;
  ColumnBounds& price = bounds.columns[ColumnId{3}];
  price.lower = Scalar::Double(0);
  price.upper = Scalar::Double(1);
  price.null_count = 0;
  EXPECT_TRUE(pruner.MayMatch(bounds));
  price.may_have_nan = false;
  EXPECT_FALSE(pruner.MayMatch(bounds));
}

TEST(Pruning, KeyTuplesPickPartitions) {
  const std::vector<PartitionSpec> specs = {ColorSpec()};
  const std::optional<table::KeySet> keys = Keys({34}, specs);
  const Pruner pruner(nullptr, keys, specs, FindField);
  EXPECT_TRUE(pruner.MayMatchPartition(specs[0], {Scalar::String("anything"), Scalar::Int(3)}));
  EXPECT_TRUE(pruner.MayMatchPartition(specs[0], {Scalar::Null(Type::String()), Scalar::Int(3)}));
  EXPECT_FALSE(pruner.MayMatchPartition(specs[0], {Scalar::String("anything"), Scalar::Int(4)}));
  EXPECT_FALSE(pruner.MayMatchPartition(specs[0], {Scalar::String("anything"), Scalar::Null(Type::Int())}));
}

TEST(Pruning, TruncatedDecimalsAtTheTopHaveNoUpperBound) {
  const Field column{FieldId{1}, "d", Type::Decimal(38, 0), false, ""};
  const PartitionSpec spec = {0, {{FieldId{1}, FieldId{1000}, "d", Must(Transform::Parse("truncate[10]"))}}};
  const Scalar largest(column.type, static_cast<Int128>(~UInt128{0} >> 1));
  const Bounds bounds = BoundsOfTuple(spec, {largest}, 1, [&](FieldId) { return &column; });
  EXPECT_EQ(bounds.columns.at(ColumnId{1}).lower, largest);
  EXPECT_FALSE(bounds.columns.at(ColumnId{1}).upper.has_value());
}

// The text of a uuid hashes to another bucket than its bytes, so that keys say nothing about such partitions.
TEST(Pruning, UuidKeysDoNotPickBuckets) {
  const Field column{FieldId{1}, "u", Type::Uuid(), false, ""};
  const std::vector<PartitionSpec> specs = {
      {0, {{FieldId{1}, FieldId{1000}, "b", Must(Transform::Parse("bucket[1000]"))}}}};
  table::KeySetBuilder builder({FieldId{1}}, specs, {});
  Must(builder.Add({Scalar::String("f79c3e09-677c-4bbd-a479-3f349cb785e7")}));
  const std::optional<table::KeySet> keys = std::move(builder).Finish();
  const auto find = [&](FieldId) { return &column; };
  // The spec's vector: the bytes hash to 1488055340.
  EXPECT_TRUE(
      Pruner(nullptr, keys, specs, find).MayMatchPartition(specs[0], {Scalar::Int(1488055340 % 1000)}));
  const ExprPtr equal =
      MakePredicate("=", {MakeColumn(ColumnId{1}, "u", Type::String(), true),
                          MakeLiteral(Scalar::String("f79c3e09-677c-4bbd-a479-3f349cb785e7"))});
  EXPECT_TRUE(
      Pruner(equal, kNoKeys, specs, find).MayMatchPartition(specs[0], {Scalar::Int(1488055340 % 1000)}));
  EXPECT_FALSE(Pruner(equal, kNoKeys, specs, find).MayMatchPartition(specs[0], {Scalar::Int(1)}));
}

TEST(Pruning, ManifestsAreSkippedBySummaries) {
  const auto colors =
      Write({Entry("mem:/a", Status_::kAdded, "blue"), Entry("mem:/b", Status_::kAdded, "green")}).file;
  const std::vector<PartitionSpec> specs = {ColorSpec()};
  const auto may = [&](const ExprPtr& predicate) {
    return Pruner(predicate, kNoKeys, specs, FindField).MayMatchManifest(specs[0], colors);
  };
  EXPECT_TRUE(may(nullptr));
  EXPECT_TRUE(may(Equal(2, Scalar::String("cyan"))));
  EXPECT_FALSE(may(Equal(2, Scalar::String("red"))));
  EXPECT_FALSE(may(MakePredicate("isnull", {Column(2)})));
  EXPECT_TRUE(may(Equal(1, Scalar::Long(34))));   // Bucket 3, which is there.
  EXPECT_FALSE(may(Equal(1, Scalar::Long(35))));  // Another bucket.
  EXPECT_TRUE(may(Equal(3, Scalar::Double(1))));
}

// ------------------------------------------------------------------------------------------------- delete
// index

table::DataFilePtr Data(const std::string& path, int64_t sequence, const char* color, Bounds bounds = {}) {
  ManifestEntry entry = Entry(path, Status_::kExisting, color);
  entry.sequence_number = SequenceNumber{sequence};
  return ToDataFile(entry, "m", std::move(bounds));
}

table::DeleteFilePtr Positions(const std::string& path, int64_t sequence, const char* color,
                               const char* low = nullptr, const char* high = nullptr) {
  ManifestEntry entry = Entry(path, Status_::kExisting, color);
  entry.file.kind = ContentFile::Kind::kPositionDeletes;
  entry.sequence_number = SequenceNumber{sequence};
  Bounds bounds;
  if (low != nullptr) {
    bounds.columns[ColumnOf(table::kDeletePathField)].lower = Scalar::String(low);
    bounds.columns[ColumnOf(table::kDeletePathField)].upper = Scalar::String(high);
  }
  return ToDeleteFile(entry, "m", std::move(bounds));
}

table::DeleteFilePtr Equality(const std::string& path, int64_t sequence, const char* color,
                              Bounds bounds = {}) {
  ManifestEntry entry = Entry(path, Status_::kExisting, color);
  entry.file.kind = ContentFile::Kind::kEqualityDeletes;
  entry.file.equality_ids = std::vector<FieldId>{FieldId{1}};
  entry.sequence_number = SequenceNumber{sequence};
  return ToDeleteFile(entry, "m", std::move(bounds));
}

bool Applies(table::DeleteFilePtr deletes, const table::DataFilePtr& data, bool global = false) {
  DeleteIndex index;
  index.Add(std::move(deletes), global);
  return !index.Find(*data).empty();
}

// Spec: "Scan Planning": position deletes apply from their own sequence number on back, equality deletes
// strictly before.
TEST(DeleteIndex, SequenceNumbersDecide) {
  for (const auto& [sequence, position, equality] :
       std::vector<std::tuple<int64_t, bool, bool>>{{4, true, true}, {5, true, false}, {6, false, false}}) {
    const auto data = Data("mem:/a", sequence, "red");
    EXPECT_EQ(Applies(Positions("d", 5, "red"), data), position) << sequence;
    EXPECT_EQ(Applies(Positions("d", 5, "red", "mem:/a", "mem:/a"), data), position) << sequence;
    EXPECT_EQ(Applies(Equality("d", 5, "red"), data), equality) << sequence;
    EXPECT_EQ(Applies(Equality("d", 5, "blue"), data, true), equality) << sequence;
  }
}

TEST(DeleteIndex, PartitionsDecideButForGlobalEqualityDeletes) {
  const auto data = Data("mem:/a", 1, "red");
  EXPECT_FALSE(Applies(Positions("d", 5, "blue"), data));
  EXPECT_FALSE(Applies(Equality("d", 5, "blue"), data));
  EXPECT_TRUE(Applies(Equality("d", 5, "blue"), data, true));
  EXPECT_TRUE(Applies(Positions("d", 5, nullptr), Data("mem:/a", 1, nullptr)));
  auto other_spec = std::make_shared<table::DataFile>(*data);
  other_spec->partition.spec_id = 1;
  EXPECT_FALSE(Applies(Positions("d", 5, "red"), other_spec));
}

TEST(DeleteIndex, PathBoundsDecide) {
  const auto data = Data("mem:/m", 1, "red");
  EXPECT_TRUE(Applies(Positions("d", 5, "red", "mem:/a", "mem:/z"), data));
  EXPECT_FALSE(Applies(Positions("d", 5, "red", "mem:/n", "mem:/z"), data));
  EXPECT_FALSE(Applies(Positions("d", 5, "red", "mem:/a", "mem:/b"), data));
  EXPECT_FALSE(Applies(Positions("d", 5, "red", "mem:/o", "mem:/o"), data));
}

TEST(DeleteIndex, BoundsOfEqualityColumnsDecide) {
  const auto apart = Equality("d", 5, "red", IdBounds(100, 200));
  EXPECT_FALSE(Applies(apart, Data("mem:/a", 1, "red", IdBounds(1, 99))));
  EXPECT_TRUE(Applies(apart, Data("mem:/a", 1, "red", IdBounds(1, 100))));
  EXPECT_TRUE(Applies(apart, Data("mem:/a", 1, "red")));
  // NULL equals NULL, so that files with NULLs on both sides meet whatever their bounds.
  EXPECT_TRUE(
      Applies(Equality("d", 5, "red", IdBounds(100, 200, 1)), Data("mem:/a", 1, "red", IdBounds(1, 99, 1))));
  EXPECT_FALSE(
      Applies(Equality("d", 5, "red", IdBounds(100, 200, 1)), Data("mem:/a", 1, "red", IdBounds(1, 99, 0))));
  EXPECT_FALSE(
      Applies(Equality("d", 5, "red", IdBounds({}, {}, 10)), Data("mem:/a", 1, "red", IdBounds(1, 99, 0))));
}

}  // namespace
}  // namespace weir::iceberg

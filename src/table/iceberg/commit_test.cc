#include "table/iceberg/commit.h"

#include <gmock/gmock.h>

#include "expr/expr.h"
#include "storage/faulty.h"
#include "table/iceberg/delete_index.h"
#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/manifest_avro.h"
#include "table/iceberg/snapshot_noun.h"
#include "table/iceberg/table_files.h"
#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {
namespace {

using table::Change;
using table::CommitOutcome;
using table::Intent;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Path(const std::string& name) { return kTableLocation + "/data/" + name; }

ExprPtr IdIs(const char* operation, int64_t value) {
  return MakePredicate(
      operation, {MakeColumn(ColumnId{1}, "id", Type::Long(), false), MakeLiteral(Scalar::Long(value))});
}

/// Removes whole files that are live in `base`.
Change Removal(Client& client, const table::SnapshotPtr& base, const std::set<std::string>& names,
               Intent intent) {
  Change change;
  change.base = base;
  change.intent = intent;
  for (const auto& task : client.Plan(*base).tasks) {
    for (const std::string& name : names) {
      if (task.file->path == Path(name)) change.removed.push_back(task.file);
    }
  }
  EXPECT_EQ(change.removed.size(), names.size());
  return change;
}

/// Deletes rows of one live file by position.
Change PositionDelete(Client& client, const table::SnapshotPtr& base, const std::string& data,
                      const std::string& deletes, Intent intent) {
  Change change;
  change.base = base;
  change.intent = intent;
  for (const auto& task : client.Plan(*base).tasks) {
    if (task.file->path != Path(data)) continue;
    change.added_deletes.push_back(NewDeletes(client.world, deletes, *task.file));
    change.referenced_files.push_back(task.file->path);
  }
  EXPECT_EQ(change.added_deletes.size(), 1u);
  return change;
}

std::string ConflictOf(const CommitOutcome& outcome) {
  const auto* lost = std::get_if<table::Conflicted>(&outcome);
  return lost != nullptr ? lost->reason : "";
}

std::vector<ManifestFile> Manifests(Client& client) {
  const TableFiles files(client.world.stores, client.world.account(), client.world.cancellation);
  return Must(files.ReadManifestList(*DetailOf(*client.Load()).record));
}

TEST(Commit, AppendsAreReadBackInOrderWithTheirSequenceNumbers) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 10)}));
  const auto snapshot = client.MustCommit(Append(client.Load(), {NewFile(world, "b", 11, 20)}));
  EXPECT_THAT(client.LivePaths(), ElementsAre(Path("a"), Path("b")));
  const TableMetadata& metadata = *DetailOf(*snapshot).table.metadata;
  EXPECT_EQ(metadata.last_sequence_number.value, 2);
  ASSERT_EQ(metadata.snapshots.size(), 2u);
  EXPECT_EQ(metadata.snapshots[1].parent, metadata.snapshots[0].id);
  EXPECT_EQ(metadata.refs.at("main").snapshot_id, *snapshot->id);
  ASSERT_EQ(metadata.snapshot_log.size(), 2u);
  ASSERT_EQ(metadata.metadata_log.size(), 2u);
  EXPECT_EQ(metadata.metadata_log[1].file, kTableLocation + "/metadata/v2.metadata.json");
  const auto tasks = client.Plan(*snapshot).tasks;
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(OriginOf(tasks[0].file->detail).sequence_number.value, 2);
  EXPECT_EQ(OriginOf(tasks[1].file->detail).sequence_number.value, 1);
}

// Counters as Spark writes them for the same steps.
TEST(Commit, SummaryCountsAsSparkDoes) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 10), NewFile(world, "b", 11, 12)}));
  Change change = PositionDelete(client, client.Load(), "a", "a-deletes", Intent::kUpdate);
  change.added.push_back(NewFile(world, "c", 5, 5));
  client.MustCommit(change);
  const auto snapshot = client.MustCommit(Removal(client, client.Load(), {"b"}, Intent::kDelete));
  const auto& snapshots = DetailOf(*snapshot).table.metadata->snapshots;
  const auto counters = [&](size_t i) {
    auto summary = snapshots[i].summary;
    EXPECT_EQ(summary.at("engine-name"), "weir");
    summary.erase("engine-name");
    return summary;
  };
  EXPECT_EQ(snapshots[0].operation, "append");
  EXPECT_EQ(counters(0), (std::map<std::string, std::string>{{"added-data-files", "2"},
                                                             {"added-files-size", "200"},
                                                             {"added-records", "12"},
                                                             {"changed-partition-count", "1"},
                                                             {"manifests-created", "1"},
                                                             {"manifests-kept", "0"},
                                                             {"manifests-replaced", "0"},
                                                             {"total-data-files", "2"},
                                                             {"total-delete-files", "0"},
                                                             {"total-equality-deletes", "0"},
                                                             {"total-files-size", "200"},
                                                             {"total-position-deletes", "0"},
                                                             {"total-records", "12"}}));
  EXPECT_EQ(snapshots[1].operation, "overwrite");
  EXPECT_EQ(counters(1), (std::map<std::string, std::string>{{"added-data-files", "1"},
                                                             {"added-delete-files", "1"},
                                                             {"added-files-size", "110"},
                                                             {"added-position-delete-files", "1"},
                                                             {"added-position-deletes", "1"},
                                                             {"added-records", "1"},
                                                             {"changed-partition-count", "1"},
                                                             {"manifests-created", "2"},
                                                             {"manifests-kept", "1"},
                                                             {"manifests-replaced", "0"},
                                                             {"total-data-files", "3"},
                                                             {"total-delete-files", "1"},
                                                             {"total-equality-deletes", "0"},
                                                             {"total-files-size", "310"},
                                                             {"total-position-deletes", "1"},
                                                             {"total-records", "13"}}));
  EXPECT_EQ(snapshots[2].operation, "delete");
  EXPECT_EQ(counters(2), (std::map<std::string, std::string>{{"changed-partition-count", "1"},
                                                             {"deleted-data-files", "1"},
                                                             {"deleted-records", "2"},
                                                             {"manifests-created", "1"},
                                                             {"manifests-kept", "2"},
                                                             {"manifests-replaced", "1"},
                                                             {"removed-files-size", "100"},
                                                             {"total-data-files", "2"},
                                                             {"total-delete-files", "1"},
                                                             {"total-equality-deletes", "0"},
                                                             {"total-files-size", "210"},
                                                             {"total-position-deletes", "1"},
                                                             {"total-records", "11"}}));
}

TEST(Commit, RemovedFilesLeaveAndTheOthersKeepTheirSequenceNumber) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 10), NewFile(world, "b", 11, 12)}));
  client.MustCommit(Removal(client, client.Load(), {"a"}, Intent::kDelete));
  const auto tasks = client.Plan(*client.Load()).tasks;
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].file->path, Path("b"));
  EXPECT_EQ(OriginOf(tasks[0].file->detail).sequence_number.value, 1);
  const auto manifests = Manifests(client);
  ASSERT_EQ(manifests.size(), 1u);
  EXPECT_EQ(manifests[0].sequence_number->value, 2);
  EXPECT_EQ(manifests[0].min_sequence_number->value, 1);
  EXPECT_EQ(*manifests[0].existing_files, 1);
  EXPECT_EQ(*manifests[0].deleted_files, 1);
  // History of the deletion is dropped by the commit after it.
  client.MustCommit(Removal(client, client.Load(), {"b"}, Intent::kDelete));
  EXPECT_THAT(client.LivePaths(), IsEmpty());
  client.MustCommit(Append(client.Load(), {NewFile(world, "c", 1, 1)}));
  EXPECT_EQ(Manifests(client).size(), 1u);
}

TEST(Commit, DeleteFilesApplyToFilesOfTheSameOrAnEarlierCommitOnly) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 10)}));
  client.MustCommit(PositionDelete(client, client.Load(), "a", "a-deletes", Intent::kDelete));
  client.MustCommit(Append(client.Load(), {NewFile(world, "b", 1, 10)}));
  const auto tasks = client.Plan(*client.Load()).tasks;
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].file->path, Path("b"));
  EXPECT_THAT(tasks[0].deletes, IsEmpty());
  ASSERT_EQ(tasks[1].deletes.size(), 1u);
  EXPECT_EQ(tasks[1].deletes[0]->path, Path("a-deletes"));
}

TEST(Commit, ManifestsAreMergedOnceThereAreEnough) {
  World world;
  Client client(world);
  client.Create(SampleMetadata({}, {{"commit.manifest.min-count-to-merge", "3"}}));
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
  client.MustCommit(Append(client.Load(), {NewFile(world, "b", 2, 2)}));
  EXPECT_EQ(Manifests(client).size(), 2u);
  client.MustCommit(Append(client.Load(), {NewFile(world, "c", 3, 3)}));
  const auto manifests = Manifests(client);
  ASSERT_EQ(manifests.size(), 1u);
  EXPECT_EQ(*manifests[0].added_files, 1);
  EXPECT_EQ(*manifests[0].existing_files, 2);
  EXPECT_EQ(manifests[0].min_sequence_number->value, 1);
  const auto tasks = client.Plan(*client.Load()).tasks;
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(OriginOf(tasks[0].file->detail).sequence_number.value, 3);
  EXPECT_EQ(OriginOf(tasks[1].file->detail).sequence_number.value, 2);
  EXPECT_EQ(OriginOf(tasks[2].file->detail).sequence_number.value, 1);
  // The manifest of the new files went into the merged one and must not stay behind.
  size_t left = 0;
  for (const std::string& path : world.Paths()) left += path.find("-m") != std::string::npos ? 1 : 0;
  EXPECT_EQ(left, 3u);
}

// Sizes are what the list of another writer says; a manifest that is not merged is not read.
TEST(Commit, ManifestsOfAnySizeArePacked) {
  World world;
  Client client(world);
  client.Create(SampleMetadata({}, {{"commit.manifest.min-count-to-merge", "3"}}));
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
  const auto base = client.MustCommit(Append(client.Load(), {NewFile(world, "b", 2, 2)}));
  auto manifests = Manifests(client);
  ASSERT_EQ(manifests.size(), 2u);
  for (ManifestFile& manifest : manifests) manifest.size_bytes = INT64_MAX;
  const SnapshotRecord& record = *DetailOf(*base).record;
  Must(world.store().Put(record.manifest_list,
                         AsBytes(Must(WriteManifestList(
                             manifests, {record.id, record.parent, record.sequence_number}, world.random))),
                         PutIf::Always()));
  client.MustCommit(Append(base, {NewFile(world, "c", 3, 3)}));
  EXPECT_EQ(Manifests(client).size(), 3u);
}

TEST(Commit, LostRacesAreRetriedWithTheSameManifest) {
  World world;
  Client one(world), two(world);
  one.Create(SampleMetadata());
  const auto base = two.Load();
  one.MustCommit(Append(one.Load(), {NewFile(world, "a", 1, 1)}));
  two.MustCommit(Append(base, {NewFile(world, "b", 2, 2)}));
  EXPECT_THAT(one.LivePaths(), ElementsAre(Path("a"), Path("b")));
}

TEST(Commit, AnotherSpecMeanwhileIsAConflictOnlyForASpecChange) {
  World world;
  Client one(world), two(world);
  one.Create(SampleMetadata());
  const auto base = two.Load();
  Change change;
  change.base = one.Load();
  change.metadata.emplace();
  change.metadata->spec = table::PartitionSpec{0, {{FieldId{2}, FieldId{}, "", Transform()}}};
  EXPECT_FALSE(one.MustCommit(change)->id.has_value());
  Change other = change;
  other.base = base;
  EXPECT_THAT(ConflictOf(Must(two.Commit(other))), HasSubstr("another commit changed the partition spec"));
  two.MustCommit(Append(base, {NewFile(world, "a", 1, 1)}));
  EXPECT_EQ(one.Load()->default_spec().fields.size(), 1u);
}

/// Another engine changes the metadata, in ways that no Change here can.
void ChangeMetadata(Client& client, const std::function<void(TableMetadata&)>& change) {
  const auto current = Must(client.committer->Current(client.world.account(), client.world.cancellation));
  TableMetadata next = *current->metadata;
  change(next);
  const auto outcome =
      Must(client.committer->Replace(current, next, client.world.account(), client.world.cancellation));
  ASSERT_TRUE(std::holds_alternative<Replaced>(outcome));
}

// CREATE OR REPLACE TABLE keeps the table's uuid and the ids of columns whose names return.
TEST(Commit, FilesThatDoNotFitTheCurrentSchemaAreAConflict) {
  struct Case {
    std::string name;
    std::function<void(std::vector<Field>&)> change;
    std::string conflict;
  };
  const std::vector<Case> cases = {
      {"dropped", [](auto& fields) { fields.pop_back(); }, ""},
      {"wider",
       [](auto& fields) {
         fields.push_back({FieldId{4}, "note", Type::String(), false, ""});
       },
       ""},
      {"other type", [](auto& fields) { fields[0].type = Type::String(); },
       "column id: type bigint cannot become string"},
      {"narrower", [](auto& fields) { fields[0].type = Type::Int(); },
       "column id: type bigint cannot become int"},
      {"required", [](auto& fields) { fields[1].required = true; }, "column color may hold NULLs"},
      {"new and required",
       [](auto& fields) {
         fields.push_back({FieldId{4}, "note", Type::String(), true, ""});
       },
       "column note is required"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    World world;
    Client one(world), two(world);
    one.Create(SampleMetadata());
    const Change change = Append(two.Load(), {NewFile(world, "a", 1, 1)});
    ChangeMetadata(one, [&](TableMetadata& metadata) {
      Schema schema = metadata.current_schema();
      test.change(schema.fields);
      schema.schema_id = metadata.current_schema_id = 1;
      metadata.schemas.push_back(std::move(schema));
    });
    const auto outcome = Must(two.Commit(change));
    EXPECT_THAT(ConflictOf(outcome), HasSubstr(test.conflict));
    EXPECT_EQ(std::holds_alternative<table::Committed>(outcome), test.conflict.empty());
    EXPECT_EQ(world.Paths().contains(Path("a")), test.conflict.empty());
  }
}

TEST(Commit, CountersBeyond64BitsAreLeftOut) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  Change change = Append(client.Load(), {});
  for (const char* name : {"a", "b", "c"}) {
    change.added.push_back(NewFile(world, name, 1, 1));
    change.added.back().file.size_bytes = INT64_MAX;
  }
  const auto snapshot = client.MustCommit(change);
  const auto& summary = DetailOf(*snapshot).record->summary;
  EXPECT_FALSE(summary.contains("added-files-size"));
  EXPECT_FALSE(summary.contains("total-files-size"));
  EXPECT_EQ(summary.at("total-records"), "3");
}

TEST(Commit, NewFilesLieWhereThePropertiesSay) {
  const std::string data = kTableLocation + "/data/";
  const auto path = [](Properties properties) {
    World world;
    Client client(world);
    client.Create(SampleMetadata({}, std::move(properties)));
    return client.table.NewFilePath(*client.Load(), {}, ".parquet");
  };
  EXPECT_THAT(path({}), testing::MatchesRegex(data + "[^/]+"));
  EXPECT_THAT(path({{"write.data.path", "mem:/x//"}}), testing::MatchesRegex("mem:/x/[^/]+"));
  const Properties spread = {{"write.object-storage.enabled", "TRUE"},
                             {"write.object-storage.partitioned-paths", "FALSE"}};
  EXPECT_THAT(path(spread), testing::MatchesRegex(data + "[01]{4}/[01]{4}/[01]{4}/[01]{8}-[^/]+"));
}

TEST(Commit, RulesOfAWrongPropertyComeWithTheirError) {
  World world;
  Client client(world);
  TableMetadata metadata = SampleMetadata();
  metadata.properties["write.merge.isolation-level"] = "foo";
  client.Create(metadata);
  ASSERT_TRUE(client.Load()->rules_error.has_value());
  EXPECT_THAT(client.Load()->rules_error->message(), HasSubstr("write.merge.isolation-level"));
}

// What came in between, what is committed then, and whether that must be refused. The rules are those of the
// Java library: BaseRowDelta.validate and BaseOverwriteFiles.validate.
struct ConflictCase {
  std::string name;
  std::function<void(Client&, World&)> meanwhile;
  std::function<Change(Client&, const table::SnapshotPtr&)> change;
  std::string conflict;  ///< Empty: must succeed.
};

Change WithRead(Change change, ExprPtr predicate, table::Isolation isolation) {
  change.read = table::ReadSet{std::move(predicate), isolation};
  return change;
}

std::vector<ConflictCase> ConflictCases() {
  using table::Isolation;
  const auto append = [](Client& client, World& world) {
    client.MustCommit(Append(client.Load(), {NewFile(world, "new", 100, 110)}));
  };
  const auto drop_a = [](Client& client, World&) {
    client.MustCommit(Removal(client, client.Load(), {"a"}, Intent::kDelete));
  };
  const auto rewrite_a = [](Client& client, World& world) {
    Change change = Removal(client, client.Load(), {"a"}, Intent::kUpdate);
    change.added.push_back(NewFile(world, "a2", 1, 10));
    client.MustCommit(change);
  };
  const auto drop_b = [](Client& client, World&) {
    client.MustCommit(Removal(client, client.Load(), {"b"}, Intent::kDelete));
  };
  const auto compact = [](std::string name) {
    return [name](Client& client, World& world) {
      Change change = Removal(client, client.Load(), {name}, Intent::kUpdate);
      change.added.push_back(NewFile(world, "compacted", 1, 20));
      client.MustCommit(change);
      ChangeMetadata(client,
                     [](TableMetadata& metadata) { metadata.snapshots.back().operation = "replace"; });
    };
  };
  const auto delete_in_a = [](Client& client, World&) {
    client.MustCommit(PositionDelete(client, client.Load(), "a", "other-deletes", Intent::kDelete));
  };
  const auto delete_rows = [](Intent intent, ExprPtr predicate, Isolation isolation) {
    return [=](Client& client, const table::SnapshotPtr& base) {
      return WithRead(PositionDelete(client, base, "a", "my-deletes", intent), predicate, isolation);
    };
  };
  const auto remove_a = [](Intent intent, ExprPtr predicate, Isolation isolation) {
    return [=](Client& client, const table::SnapshotPtr& base) {
      return WithRead(Removal(client, base, {"a"}, intent), predicate, isolation);
    };
  };
  const auto blind = [](Client& client, const table::SnapshotPtr& base) {
    return Append(base, {NewFile(client.world, "blind", 1, 1)});
  };
  // A MERGE that only inserts.
  const auto insert_new = [](ExprPtr predicate, Isolation isolation) {
    return [=](Client& client, const table::SnapshotPtr& base) {
      return WithRead(Append(base, {NewFile(client.world, "mine", 1, 1)}), predicate, isolation);
    };
  };
  const ExprPtr low = IdIs("<", 50), high = IdIs(">", 50);
  return {
      {"delete, file compacted", compact("a"), delete_rows(Intent::kDelete, low, Isolation::kSnapshot),
       "another commit removed data file"},
      {"merge, file compacted", compact("a"), delete_rows(Intent::kMerge, low, Isolation::kSnapshot),
       "another commit removed data file"},
      {"merge, another file compacted", compact("b"),
       delete_rows(Intent::kMerge, low, Isolation::kSerializable), ""},
      {"merge, rows that were read dropped", drop_b,
       delete_rows(Intent::kMerge, low, Isolation::kSerializable), "another commit removed files"},
      {"merge, other rows dropped", drop_b,
       delete_rows(Intent::kMerge, IdIs("<", 5), Isolation::kSerializable), ""},
      {"merge, snapshot isolation, rows that were read dropped", drop_b,
       delete_rows(Intent::kMerge, low, Isolation::kSnapshot), ""},
      {"update, rows that were read dropped", drop_b,
       delete_rows(Intent::kUpdate, low, Isolation::kSerializable), ""},
      {"insert-only merge, append may match", append, insert_new(high, Isolation::kSerializable),
       "another commit added files"},
      {"insert-only merge, unrelated append", append, insert_new(low, Isolation::kSerializable), ""},
      {"insert-only merge, snapshot isolation, append may match", append,
       insert_new(high, Isolation::kSnapshot), ""},
      {"insert-only merge, rows deleted", delete_in_a, insert_new(low, Isolation::kSerializable),
       "another commit deleted rows that"},
      {"insert-only merge, file dropped", drop_a, insert_new(low, Isolation::kSerializable),
       "another commit removed files"},
      {"insert-only merge, file compacted", compact("a"), insert_new(low, Isolation::kSerializable), ""},
      {"insert-only merge, snapshot isolation, rows deleted", delete_in_a,
       insert_new(low, Isolation::kSnapshot), ""},
      {"blind append after anything", rewrite_a, blind, ""},
      {"delete, serializable, unrelated append", append,
       delete_rows(Intent::kDelete, low, Isolation::kSerializable), ""},
      {"delete, serializable, append may match", append,
       delete_rows(Intent::kDelete, high, Isolation::kSerializable), "another commit added files"},
      {"delete, snapshot isolation, append may match", append,
       delete_rows(Intent::kDelete, nullptr, Isolation::kSnapshot), ""},
      {"delete, file dropped by a delete", drop_a, delete_rows(Intent::kDelete, low, Isolation::kSnapshot),
       ""},
      {"delete, file rewritten", rewrite_a, delete_rows(Intent::kDelete, low, Isolation::kSnapshot),
       "another commit removed data file"},
      {"update, file dropped by a delete", drop_a, delete_rows(Intent::kUpdate, low, Isolation::kSnapshot),
       "another commit removed data file"},
      {"delete, other rows of the file deleted", delete_in_a,
       delete_rows(Intent::kDelete, low, Isolation::kSerializable), ""},
      {"merge, rows of the file deleted", delete_in_a, delete_rows(Intent::kMerge, low, Isolation::kSnapshot),
       "another commit deleted rows that"},
      {"remove file, rows of it deleted", delete_in_a, remove_a(Intent::kDelete, low, Isolation::kSnapshot),
       "which this change replaces"},
      {"remove file, already rewritten", rewrite_a, remove_a(Intent::kOverwrite, low, Isolation::kSnapshot),
       "files to remove are no longer in the table"},
      {"overwrite, serializable, append may match", append,
       remove_a(Intent::kOverwrite, nullptr, Isolation::kSerializable), "another commit added files"},
      {"overwrite, serializable, unrelated append", append,
       remove_a(Intent::kOverwrite, low, Isolation::kSerializable), ""},
  };
}

TEST(Commit, ConcurrentChangesConflictAsInTheJavaLibrary) {
  for (const ConflictCase& test : ConflictCases()) {
    SCOPED_TRACE(test.name);
    World world;
    Client one(world), two(world);
    one.Create(SampleMetadata());
    one.MustCommit(Append(one.Load(), {NewFile(world, "a", 1, 10), NewFile(world, "b", 11, 20)}));
    const Change change = test.change(two, two.Load());
    test.meanwhile(one, world);
    const auto before = world.Paths();
    const auto outcome = Must(two.Commit(change));
    if (test.conflict.empty()) {
      EXPECT_TRUE(std::holds_alternative<table::Committed>(outcome)) << ConflictOf(outcome);
      continue;
    }
    EXPECT_THAT(ConflictOf(outcome), HasSubstr(test.conflict));
    // Nothing of the refused change stays: neither its files nor its manifests.
    auto expected = before;
    for (const auto& file : change.added) expected.erase(file.file.path);
    for (const auto& file : change.added_deletes) expected.erase(file.file.path);
    EXPECT_EQ(world.Paths(), expected);
  }
}

TEST(Commit, HistoryThatCannotBeFollowedIsAConflict) {
  World world;
  Client one(world), two(world);
  one.Create(SampleMetadata());
  one.MustCommit(Append(one.Load(), {NewFile(world, "a", 1, 10)}));
  const Change change = WithRead(PositionDelete(two, two.Load(), "a", "d", Intent::kDelete), nullptr,
                                 table::Isolation::kSnapshot);
  one.MustCommit(Append(one.Load(), {NewFile(world, "b", 1, 10)}));
  one.MustCommit(Append(one.Load(), {NewFile(world, "c", 1, 10)}));
  // Another engine expires the snapshots before the last one.
  ChangeMetadata(one, [](TableMetadata& metadata) {
    metadata.snapshots.erase(metadata.snapshots.begin(), metadata.snapshots.begin() + 2);
  });
  EXPECT_THAT(ConflictOf(Must(two.Commit(change))), HasSubstr("is not an ancestor"));
}

TEST(Commit, FilesRemovedAndReferencedAtOnceAreRefused) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 10)}));
  Change change = Removal(client, client.Load(), {"a"}, Intent::kUpdate);
  change.referenced_files.push_back(Path("a"));
  const auto outcome = client.Commit(change);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::kInternal);
}

TEST(Commit, WhatCannotBeWrittenIsRefusedByName) {
  struct Case {
    const char* what;
    std::function<void(TableMetadata&)> edit;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"location provider", [](TableMetadata& m) { m.properties["write.location-provider.impl"] = "x"; },
       "write.location-provider.impl"},
      {"metadata elsewhere", [](TableMetadata& m) { m.properties["write.metadata.path"] = "x"; },
       "write.metadata.path"},
      {"metadata codec", [](TableMetadata& m) { m.properties["write.metadata.compression-codec"] = "lzo"; },
       "lzo"},
      {"manifest codec", [](TableMetadata& m) { m.properties["write.manifest.compression-codec"] = "lzo"; },
       "lzo"},
      {"bad number", [](TableMetadata& m) { m.properties["commit.retry.num-retries"] = "many"; },
       "commit.retry.num-retries"},
      {"sort order", [](TableMetadata& m) { m.default_sort_order_id = 7; }, "default-sort-order-id 7"},
      {"uuid partition", [](TableMetadata& m) { m.schemas[0].fields[1].type = Type::Uuid(); }, "uuid"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    World world;
    Client client(world);
    TableMetadata metadata = SampleMetadata({{{"color"}, Transform(), ""}});
    test.edit(metadata);
    Must(world.store().Put(kTableLocation + "/metadata/v1.metadata.json",
                           AsBytes(TableMetadataToJson(metadata)), PutIf::Always()));
    const auto before = world.Paths();
    const auto outcome =
        client.Commit(Append(client.Load(), {NewFile(world, "a", 1, 1, {Scalar::String("x")})}));
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message(), HasSubstr(test.message));
    EXPECT_EQ(world.Paths(), before);
  }
}

// A property that another engine has set wrongly must not lock anybody out: the table is read, and the
// property removed.
TEST(Commit, WrongPropertiesCanBeRepaired) {
  struct Case {
    std::string name, value;
    ErrorCode code = ErrorCode::kInvalid;
  };
  for (const auto& [name, value, code] :
       std::vector<Case>{{"write.delete.mode", "sometimes"},
                         {"write.merge.isolation-level", "none"},
                         {"write.target-file-size-bytes", "big"},
                         {"write.parquet.compression-level", "4294967299"},
                         {"write.delete.granularity", "table"},
                         {"write.object-storage.enabled", "yes"},
                         {"write.object-storage.partitioned-paths", "no"},
                         {"commit.retry.num-retries", "many"},
                         // Of a table without encrypted files, which Spark reads too.
                         {"encryption.key-id", "x", ErrorCode::kUnsupported}}) {
    SCOPED_TRACE(name);
    World world;
    Client client(world);
    TableMetadata metadata = SampleMetadata();
    metadata.properties[name] = value;
    Must(world.store().Put(kTableLocation + "/metadata/v1.metadata.json",
                           AsBytes(TableMetadataToJson(metadata)), PutIf::Always()));
    const auto refused = client.Commit(Append(client.Load(), {}));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr(name));
    Change repair;
    repair.base = client.Load();
    repair.metadata.emplace();
    repair.metadata->properties = {{name, std::nullopt}};
    client.MustCommit(repair);
    client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
    // And nobody sets it wrongly through us.
    Change wrong;
    wrong.base = client.Load();
    wrong.metadata.emplace();
    wrong.metadata->properties = {{name, value}};
    const int64_t version = DetailOf(*wrong.base).table.version;
    const auto outcome = client.Commit(wrong);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), code);
    EXPECT_EQ(DetailOf(*client.Load()).table.version, version);
  }
}

TEST(Commit, ABranchOrAnOldSnapshotIsNoBaseForWriting) {
  World world;
  Client client(world);
  client.Create(SampleMetadata());
  const auto first = client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
  client.MustCommit(Append(client.Load(), {NewFile(world, "b", 1, 1)}));
  const auto old = client.Load({table::At::Kind::kVersion, first->id->value, ""});
  const auto outcome = client.Commit(Append(old, {NewFile(world, "c", 1, 1)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::kUnsupported);
  EXPECT_FALSE(world.Paths().contains(Path("c")));
}

TEST(Commit, RemovedFilesAreFoundAfterTheirManifestWasMerged) {
  World world;
  Client one(world), two(world);
  one.Create(SampleMetadata({}, {{"commit.manifest.min-count-to-merge", "2"}}));
  one.MustCommit(Append(one.Load(), {NewFile(world, "a", 1, 10)}));
  const Change change = Removal(two, two.Load(), {"a"}, Intent::kDelete);
  one.MustCommit(Append(one.Load(), {NewFile(world, "b", 1, 10)}));
  two.MustCommit(change);
  EXPECT_THAT(one.LivePaths(), ElementsAre(Path("b")));
}

/// How long a commit waits that loses each race: a rival puts the next version each time before it.
int64_t WaitedMs(const Properties& properties) {
  World inner;
  Client setup(inner);
  setup.Create(SampleMetadata({}, properties));
  int rivals = 0;
  auto faulty = std::make_shared<FaultyStorage>(inner.memory, [&](const FaultyCall& call) {
    if (call.call == StoreCall::kPut && call.path.ends_with(".metadata.json")) {
      ++rivals;
      setup.MustCommit(Append(setup.Load(), {}));
    }
    return Fault::kNone;
  });
  World world(2, faulty);
  world.memory = inner.memory;
  Client client(world);
  const int64_t started = world.clock.NowMicros();
  const auto outcome = client.Commit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
  EXPECT_EQ(outcome.has_value() ? ErrorCode::kInternal : outcome.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(rivals, 3);
  EXPECT_FALSE(world.Paths().contains(Path("a")));
  return (world.clock.NowMicros() - started) / 1000;
}

TEST(Commit, GivesUpAfterTheWantedNumberOfRetries) {
  using testing::AllOf, testing::Ge, testing::Le;
  // 100 ms and 200 ms, and up to a tenth more.
  EXPECT_THAT(WaitedMs({{"commit.retry.num-retries", "2"}}), AllOf(Ge(300), Le(330)));
  // The longest wait bounds the first one too.
  EXPECT_THAT(WaitedMs({{"commit.retry.num-retries", "2"},
                        {"commit.retry.min-wait-ms", "9223372036854775807"},
                        {"commit.retry.max-wait-ms", "50"}}),
              AllOf(Ge(100), Le(110)));
}

TEST(Commit, StagedTableAppearsWithItsRowsAtOnce) {
  World world;
  Client client(world);
  IcebergTable staged({world.stores, world.clock, world.random}, client.committer,
                      std::make_shared<const TableMetadata>(SampleMetadata()));
  const auto base = Must(staged.Load({}, world.account(), world.cancellation));
  EXPECT_FALSE(base->id.has_value());
  EXPECT_FALSE(Must(client.committer->Current(world.account(), world.cancellation)).has_value());
  Must(staged.Commit(Append(base, {NewFile(world, "a", 1, 1)}), world.account(), world.cancellation));
  EXPECT_THAT(client.LivePaths(), ElementsAre(Path("a")));
  EXPECT_EQ(DetailOf(*client.Load()).table.version, 1);
  const auto again =
      staged.Commit(Append(base, {NewFile(world, "b", 1, 1)}), world.account(), world.cancellation);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kExists);
  EXPECT_FALSE(world.Paths().contains(Path("b")));
}

// Every storage call of a commit fails in every way. The table is then as before or as after; a commit that
// is reported done is done, one that is refused has left nothing behind.
class CommitUnderFaults : public testing::TestWithParam<Fault> {};

TEST_P(CommitUnderFaults, LeavesTheOldTableOrTheNew) {
  for (uint64_t number = 1;; ++number) {
    SCOPED_TRACE(number);
    World inner;
    Client setup(inner);
    setup.Create(SampleMetadata({}, {{"commit.manifest.min-count-to-merge", "2"}}));
    setup.MustCommit(Append(setup.Load(), {NewFile(inner, "a", 1, 10), NewFile(inner, "b", 11, 20)}));
    Change change = Removal(setup, setup.Load(), {"a"}, Intent::kUpdate);
    change.read = table::ReadSet{nullptr, table::Isolation::kSerializable};
    for (const auto& task : setup.Plan(*change.base).tasks) {
      if (task.file->path == Path("b"))
        change.added_deletes.push_back(NewDeletes(inner, "b-deletes", *task.file));
    }
    change.added.push_back(NewFile(inner, "c", 1, 9));
    const auto before = inner.Paths();
    ManualClock clock(0);
    auto faulty = std::make_shared<FaultyStorage>(inner.memory, FailNth(number, GetParam()), &clock);
    World world(2, faulty);
    Client client(world);
    const auto outcome = client.Commit(change);
    const bool reported_done = outcome && std::holds_alternative<table::Committed>(*outcome);
    const bool not_known = outcome && std::holds_alternative<table::OutcomeNotKnown>(*outcome);
    Client reader(inner);
    const auto live = reader.LivePaths();
    const bool is_new = live == std::vector<std::string>{Path("b"), Path("c")};
    const bool is_old = live == std::vector<std::string>{Path("a"), Path("b")};
    EXPECT_TRUE(is_new || is_old);
    EXPECT_TRUE(not_known || reported_done == is_new);
    for (const auto& task : reader.Plan(*reader.Load()).tasks) {
      EXPECT_TRUE(inner.Paths().contains(task.file->path)) << task.file->path;
      for (const auto& deletes : task.deletes)
        EXPECT_TRUE(inner.Paths().contains(deletes->path)) << deletes->path;
    }
    // A delete that fails leaves garbage; every other fault must not.
    const bool refused = outcome ? !reported_done && !not_known : true;
    if (refused && is_old) {
      auto expected = before;
      for (const auto& file : change.added) expected.erase(file.file.path);
      for (const auto& file : change.added_deletes) expected.erase(file.file.path);
      EXPECT_EQ(inner.Paths(), expected);
    }
    if (faulty->call_count() < number) break;
    ASSERT_LT(number, 200u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CommitUnderFaults,
                         testing::Values(Fault::kRefused, Fault::kReplyLost, Fault::kSlow, Fault::kDiskFull,
                                         Fault::kDenied));

// Two writers, every order of their storage calls: at each call of one, the other commits in between. An
// update of a row of "a" and the deletion of all of "a" must not both succeed.
TEST(Commit, OfTwoWritersThatConflictOneWinsInEveryInterleaving) {
  int we_won = 0, they_won = 0;
  for (uint64_t meet_at = 1;; ++meet_at) {
    SCOPED_TRACE(meet_at);
    World inner;
    Client setup(inner), rival(inner);
    setup.Create(SampleMetadata());
    setup.MustCommit(Append(setup.Load(), {NewFile(inner, "a", 1, 10)}));
    const Change theirs = Removal(rival, rival.Load(), {"a"}, Intent::kDelete);
    Change mine = PositionDelete(setup, setup.Load(), "a", "a-deletes", Intent::kUpdate);
    mine.added.push_back(NewFile(inner, "b", 5, 5));
    mine.read = table::ReadSet{nullptr, table::Isolation::kSnapshot};
    std::optional<CommitOutcome> their_outcome;
    auto faulty = std::make_shared<FaultyStorage>(inner.memory, [&](const FaultyCall& call) {
      if (call.number == meet_at) their_outcome = Must(rival.Commit(theirs));
      return Fault::kNone;
    });
    World world(3, faulty);
    Client client(world);
    const auto my_outcome = Must(client.Commit(mine));
    if (!their_outcome) break;
    Client reader(inner);
    if (std::holds_alternative<table::Committed>(my_outcome)) {
      ++we_won;
      EXPECT_THAT(ConflictOf(*their_outcome), HasSubstr("which this change replaces"));
      EXPECT_THAT(reader.LivePaths(), ElementsAre(Path("a"), Path("b")));
    } else {
      ++they_won;
      EXPECT_TRUE(std::holds_alternative<table::Committed>(*their_outcome));
      EXPECT_THAT(ConflictOf(my_outcome), HasSubstr("another commit removed data file"));
      EXPECT_THAT(reader.LivePaths(), IsEmpty());
      EXPECT_FALSE(inner.Paths().contains(Path("b")));
    }
  }
  EXPECT_GT(we_won, 0);
  EXPECT_GT(they_won, 5);
}

// The same for appends, which never conflict: no row is lost.
TEST(Commit, OfTwoAppendsNoneIsLostInAnyInterleaving) {
  for (uint64_t meet_at = 1;; ++meet_at) {
    SCOPED_TRACE(meet_at);
    World inner;
    Client rival(inner);
    rival.Create(SampleMetadata());
    bool met = false;
    auto faulty = std::make_shared<FaultyStorage>(inner.memory, [&](const FaultyCall& call) {
      if (call.number == meet_at) {
        met = true;
        rival.MustCommit(Append(rival.Load(), {NewFile(inner, "theirs", 1, 1)}));
      }
      return Fault::kNone;
    });
    World world(3, faulty);
    Client client(world);
    client.MustCommit(Append(client.Load(), {NewFile(inner, "mine", 2, 2)}));
    if (!met) break;
    EXPECT_THAT(Client(inner).LivePaths(), ElementsAre(Path("mine"), Path("theirs")));
  }
}

}  // namespace
}  // namespace weir::iceberg

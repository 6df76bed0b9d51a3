#include "table/iceberg/commit.h"

#include <gmock/gmock.h>

#include "storage/faulty.h"
#include "table/iceberg/delete_index.h"
#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/snapshot_noun.h"
#include "table/iceberg/table_files.h"

namespace weir::iceberg {
namespace {

using table::Change;
using table::Intent;
using testing::ElementsAre;
using testing::IsEmpty;

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

}  // namespace
}  // namespace weir::iceberg

#include "table/iceberg/validation.h"

#include <gmock/gmock.h>

#include "expr/expr.h"
#include "storage/faulty.h"
#include "table/iceberg/fixture_for_test.h"

namespace weir::iceberg {
namespace {

using table::Change;
using table::CommitOutcome;
using table::Intent;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ExprPtr IdIs(const char* operation, int64_t value) {
  return MakePredicate(
      operation, {MakeColumn(ColumnId{1}, "id", Type::Long(), false), MakeLiteral(Scalar::Long(value))});
}

TEST(Validation, AnotherSpecMeanwhileIsAConflictOnlyForASpecChange) {
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

// CREATE OR REPLACE TABLE keeps the table's uuid and the ids of columns whose names return.
TEST(Validation, FilesThatDoNotFitTheCurrentSchemaAreAConflict) {
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

TEST(Validation, ConcurrentChangesConflictAsInTheJavaLibrary) {
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

TEST(Validation, HistoryThatCannotBeFollowedIsAConflict) {
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

// Two writers, every order of their storage calls: at each call of one, the other commits in between. An
// update of a row of "a" and the deletion of all of "a" must not both succeed.
TEST(Validation, OfTwoWritersThatConflictOneWinsInEveryInterleaving) {
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
TEST(Validation, OfTwoAppendsNoneIsLostInAnyInterleaving) {
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

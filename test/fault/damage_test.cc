/// Damaged, missing and unknown files of a table, met by every statement. Each says which file, where in it
/// and what was expected; the folder stays as it was, byte by byte, and the table is readable once the file
/// is whole again. A statement that does not need the file succeeds.

#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "files_in_memory.h"
#include "foreign.h"

namespace weir {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// The files of cat.db.t that matter.
struct Files {
  fs::path metadata, hint, list, data_manifest, delete_manifest;
  fs::path data;     ///< Holds key 1.
  fs::path deleted;  ///< Held key 4, holds key 6.
  fs::path deletes;  ///< Deletes key 4.
};

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void Write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}
fs::path OnlyRow(session::Session& session, const std::string& query) {
  const auto rows = Ask(session, query);
  EXPECT_TRUE(rows) << rows.error().ToString();
  if (!rows) return {};
  EXPECT_EQ(rows->size(), 1u) << query;
  return rows->empty() ? fs::path() : fs::path(rows->front());
}

Files FindFiles(LakeFolder& lake) {
  Files files;
  const fs::path folder = lake.folder() / "db" / "t" / "metadata";
  files.hint = folder / "version-hint.text";
  files.metadata = folder / ("v" + Read(files.hint) + ".metadata.json");
  const json metadata = json::parse(Read(files.metadata));
  for (const json& snapshot : metadata["snapshots"]) {
    if (snapshot["snapshot-id"] == metadata["current-snapshot-id"])
      files.list = snapshot["manifest-list"].get<std::string>();
  }
  const auto session = lake.Open();
  files.delete_manifest = OnlyRow(*session, "SELECT path FROM cat.db.t.manifests WHERE content = 1");
  files.deletes = OnlyRow(*session, "SELECT file_path FROM cat.db.t.delete_files");
  files.data = OnlyRow(*session, "SELECT _file FROM cat.db.t WHERE k = 1");
  files.deleted = OnlyRow(*session, "SELECT _file FROM cat.db.t WHERE k = 6");
  const auto manifests = Ask(*session, "SELECT path FROM cat.db.t.manifests WHERE content = 0");
  EXPECT_EQ(manifests->size(), 2u);
  files.data_manifest = manifests->front();
  return files;
}

const std::vector<std::pair<std::string, std::string>>& Statements() {
  static const auto& statements = *new std::vector<std::pair<std::string, std::string>>{
      {"select", kSelect},
      {"insert", "INSERT INTO cat.db.t VALUES (7, 'a', 70)"},
      {"overwrite", "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)"},
      {"merge",
       "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (1L, 'b', 11L), (6L, 'a', 56L), (9L, 'd', 90L) "
       "AS s(k, p, v)) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"},
      {"update", "UPDATE cat.db.t SET v = v + 1 WHERE k IN (1, 6)"},
      {"delete", "DELETE FROM cat.db.t WHERE k IN (1, 6) AND v < 1000"},
      {"ctas", "CREATE TABLE cat.db.copy USING iceberg AS SELECT * FROM cat.db.t"}};
  return statements;
}

struct Damage {
  std::string name;
  std::function<void(const Files&)> apply;
  ErrorCode code = ErrorCode::kCorrupt;
  std::vector<std::string> says;      ///< In every error.
  std::set<std::string> spares = {};  ///< Statements that do not need what is damaged.
};

using At = fs::path Files::*;

std::function<void(const Files&)> Truncate(At file) {
  return [=](const Files& files) { fs::resize_file(files.*file, fs::file_size(files.*file) / 2); };
}
std::function<void(const Files&)> Empty(At file) {
  return [=](const Files& files) { Write(files.*file, ""); };
}
std::function<void(const Files&)> Remove(At file) {
  return [=](const Files& files) { fs::remove(files.*file); };
}
/// Inverts bytes: `count` of them, `from` bytes from the start, or from the end if negative.
std::function<void(const Files&)> Flip(At file, int64_t from, size_t count) {
  return [=](const Files& files) {
    std::string bytes = Read(files.*file);
    const size_t first = from >= 0 ? static_cast<size_t>(from) : bytes.size() - static_cast<size_t>(-from);
    ASSERT_LE(first + count, bytes.size());
    for (size_t i = first; i < first + count; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    Write(files.*file, bytes);
  };
}
std::function<void(const Files&)> Text(At file, const std::string& text) {
  return [=](const Files& files) { Write(files.*file, text); };
}
std::function<void(const Files&)> Json(std::function<void(json&)> change) {
  return [=](const Files& files) {
    json metadata = json::parse(Read(files.metadata));
    change(metadata);
    Write(files.metadata, metadata.dump());
  };
}

std::vector<Damage> DamagedMetadata() {
  const std::string file = ".metadata.json";
  std::vector<Damage> damages = {
      {"truncated", Truncate(&Files::metadata), ErrorCode::kCorrupt, {file, "not valid JSON"}},
      {"empty", Empty(&Files::metadata), ErrorCode::kCorrupt, {file, "not valid JSON"}},
      {"an array", Text(&Files::metadata, "[]"), ErrorCode::kCorrupt, {file, "at /: expected an object"}},
      {"member of another type",
       Json([](json& m) { m["current-snapshot-id"] = "x"; }),
       ErrorCode::kCorrupt,
       {file, "at /current-snapshot-id: expected", "found"}},
      {"member missing",
       Json([](json& m) { m.erase("last-column-id"); }),
       ErrorCode::kCorrupt,
       {file, "'last-column-id' is missing"}},
      {"no such snapshot",
       Json([](json& m) { m["current-snapshot-id"] = 1; }),
       ErrorCode::kCorrupt,
       {file, "at /current-snapshot-id", "snapshot 1 is not in /snapshots"}},
      {"no such schema",
       Json([](json& m) { m["current-schema-id"] = 7; }),
       ErrorCode::kCorrupt,
       {file, "at /current-schema-id", "schema 7 is not in /schemas"}},
      {"no such spec",
       Json([](json& m) { m["default-spec-id"] = 7; }),
       ErrorCode::kCorrupt,
       {file, "at /default-spec-id", "spec 7 is not in /partition-specs"}},
      {"unknown type",
       Json([](json& m) { m["schemas"][0]["fields"][2]["type"] = "int128"; }),
       ErrorCode::kCorrupt,
       {file, "at /schemas/0/fields/2/type: expected a type", "int128"}},
      {"type of a later version",
       Json([](json& m) { m["schemas"][0]["fields"][2]["type"] = "variant"; }),
       ErrorCode::kUnsupported,
       {file, "at /schemas/0/fields/2", "variant"}},
      {"lost", Remove(&Files::metadata), ErrorCode::kCorrupt, {"version-hint.text", "names version"}},
      {"hint points nowhere",
       Text(&Files::hint, "99"),
       ErrorCode::kCorrupt,
       {"version-hint.text", "names version 99, but the newest metadata file has version"}},
  };
  for (const int version : {1, 3, 4}) {
    damages.push_back({"format version " + std::to_string(version),
                       Json([=](json& m) { m["format-version"] = version; }),
                       ErrorCode::kUnsupported,
                       {file, "format version " + std::to_string(version)}});
  }
  return damages;
}

std::vector<Damage> DamagedManifests() {
  const std::set<std::string> reading = {"select", "ctas"};
  std::vector<Damage> damages = {
      {"list truncated", Truncate(&Files::list), ErrorCode::kCorrupt, {"snap-", ".avro", "byte"}},
      {"list empty", Empty(&Files::list), ErrorCode::kCorrupt, {"snap-", "not an Avro file"}},
      {"list without magic", Flip(&Files::list, 0, 4), ErrorCode::kCorrupt, {"snap-", "not an Avro file"}},
      {"list with another sync marker",
       Flip(&Files::list, -16, 16),
       ErrorCode::kCorrupt,
       {"snap-", "block at byte", "sync marker"}},
      {"list missing", Remove(&Files::list), ErrorCode::kNotFound, {"snap-"}},
  };
  for (const auto& [what, at] : {std::pair{"data manifest ", &Files::data_manifest},
                                 std::pair{"delete manifest ", &Files::delete_manifest}}) {
    const std::string name = what, path = "-m";
    damages.push_back(
        {name + "truncated", Truncate(at), ErrorCode::kCorrupt, {path, ".avro", "of a file of"}, {"insert"}});
    damages.push_back({name + "empty", Empty(at), ErrorCode::kCorrupt, {path, "of a file of 0"}, {"insert"}});
    damages.push_back({name + "without magic",
                       Flip(at, 0, 4),
                       ErrorCode::kCorrupt,
                       {path, "not an Avro file"},
                       {"insert"}});
    damages.push_back({name + "with another sync marker",
                       Flip(at, -16, 16),
                       ErrorCode::kCorrupt,
                       {path, "block at byte", "sync marker"},
                       {"insert"}});
    damages.push_back({name + "missing", Remove(at), ErrorCode::kNotFound, {path, ".avro"}, {"insert"}});
  }
  return damages;
}

std::vector<Damage> DamagedRows() {
  std::vector<Damage> damages;
  for (const auto& [what, at, path] : {std::tuple{"data file ", &Files::data, "/p=a/"},
                                       std::tuple{"delete file ", &Files::deletes, "-deletes.parquet"}}) {
    const std::string name = what;
    const std::set<std::string> spares = {"insert", "overwrite"};
    damages.push_back({name + "truncated", Truncate(at), ErrorCode::kCorrupt, {path, "bytes"}, spares});
    damages.push_back({name + "empty", Empty(at), ErrorCode::kCorrupt, {path, "bytes"}, spares});
    damages.push_back({name + "without magic", Flip(at, -4, 4), ErrorCode::kCorrupt, {path, "end"}, spares});
    damages.push_back(
        {name + "with a damaged footer", Flip(at, -160, 140), ErrorCode::kCorrupt, {path}, spares});
    damages.push_back({name + "with a damaged page", Flip(at, 4, 40), ErrorCode::kCorrupt, {path}, spares});
    damages.push_back({name + "missing", Remove(at), ErrorCode::kNotFound, {path}, spares});
  }
  return damages;
}

void RunDamages(const std::string& name, const std::vector<Damage>& damages) {
  LakeFolder lake("damage-" + name);
  MakeTable(*lake.Open());
  const Files files = FindFiles(lake);
  const Rows rows = *Ask(*lake.Open(), kSelect);
  const FolderState whole(lake.folder());
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.name);
    damage.apply(files);
    const FolderState damaged(lake.folder());
    for (const auto& [kind, statement] : Statements()) {
      SCOPED_TRACE(statement);
      const auto done = Ask(*lake.Open(), statement);
      if (damage.spares.contains(kind)) {
        EXPECT_TRUE(done) << done.error().ToString();
        damaged.Restore();
        continue;
      }
      ASSERT_FALSE(done) << testing::PrintToString(*done);
      EXPECT_EQ(done.error().code(), damage.code) << done.error().ToString();
      for (const std::string& part : damage.says) EXPECT_THAT(done.error().ToString(), HasSubstr(part));
      EXPECT_EQ(damaged.Touched(), std::set<fs::path>()) << done.error().ToString();
    }
    whole.Restore();
    const auto after = Ask(*lake.Open(), kSelect);
    ASSERT_TRUE(after) << after.error().ToString();
    EXPECT_EQ(*after, rows);
  }
}

TEST(Damage, OfMetadata) { RunDamages("metadata", DamagedMetadata()); }
TEST(Damage, OfManifests) { RunDamages("manifests", DamagedManifests()); }
TEST(Damage, OfRows) { RunDamages("rows", DamagedRows()); }

// As in Spark: a hint that is no number is as good as none.
TEST(Damage, OfTheHintCostsALook) {
  LakeFolder lake("hint");
  MakeTable(*lake.Open());
  const Files files = FindFiles(lake);
  const Rows rows = *Ask(*lake.Open(), kSelect);
  for (const std::string& hint : {std::string("garbage"), std::string(""), std::string("-1"),
                                  std::string("99999999999999999999999"), std::string(1 << 20, '7')}) {
    Write(files.hint, hint);
    const auto read = Ask(*lake.Open(), kSelect);
    ASSERT_TRUE(read) << read.error().ToString();
    EXPECT_EQ(*read, rows);
  }
}

// Tables with transforms of a later version are read, but nothing is written under such a spec.
TEST(Damage, UnknownTransformsAreReadAndNotWritten) {
  LakeFolder lake("transform");
  MakeTable(*lake.Open());
  const Files files = FindFiles(lake);
  const Rows rows = *Ask(*lake.Open(), kSelect);
  Json([](json& m) { m["partition-specs"][0]["fields"][0]["transform"] = "rot13[2]"; })(files);
  const FolderState damaged(lake.folder());
  for (const auto& [kind, statement] : Statements()) {
    SCOPED_TRACE(statement);
    const auto done = Ask(*lake.Open(), statement);
    if (kind == "select" || kind == "ctas") {
      ASSERT_TRUE(done) << done.error().ToString();
      damaged.Restore();
      continue;
    }
    ASSERT_FALSE(done);
    if (kind == "overwrite") {  // p is no identity partition any more.
      EXPECT_EQ(done.error().condition()->name, "NON_PARTITION_COLUMN");
    } else {
      EXPECT_EQ(done.error().code(), ErrorCode::kUnsupported) << done.error().ToString();
      EXPECT_THAT(done.error().ToString(), HasSubstr("rot13[2]"));
    }
    EXPECT_EQ(damaged.Touched(), std::set<fs::path>());
  }
  EXPECT_EQ(*Ask(*lake.Open(), kSelect), rows);
}

TEST(Damage, OfEqualityDeletes) {
  const Contents whole = LoadFixture("eq");
  const std::string path = std::string(kMadeAt) + "/wh/db/eq/data/by-data.parquet";
  const std::string& bytes = whole.at(path);
  struct Case {
    const char* name;
    std::optional<std::string> content;
    ErrorCode code;
  };
  std::string footer = bytes;
  for (size_t i = bytes.size() - 160; i < bytes.size() - 20; ++i) footer[i] = static_cast<char>(~footer[i]);
  for (const Case& damage :
       {Case{"missing", std::nullopt, ErrorCode::kNotFound}, Case{"empty", "", ErrorCode::kCorrupt},
        Case{"truncated", bytes.substr(0, bytes.size() / 2), ErrorCode::kCorrupt},
        Case{"footer", footer, ErrorCode::kCorrupt}}) {
    for (const char* statement : {"SELECT * FROM cat.db.eq", "UPDATE cat.db.eq SET label = 'x' WHERE id = 2",
                                  "DELETE FROM cat.db.eq WHERE id = 1",
                                  "MERGE INTO cat.db.eq t USING (SELECT 1 AS id) s ON t.id = s.id WHEN "
                                  "MATCHED THEN UPDATE SET label = 'y'"}) {
      SCOPED_TRACE(std::string(damage.name) + ": " + statement);
      Contents files = whole;
      files.erase(path);
      if (damage.content) files[path] = *damage.content;
      // Spark made the table for copy-on-write, which is refused before a row is read.
      for (auto& [name, content] : files) {
        if (!name.ends_with("v7.metadata.json")) continue;
        json metadata = json::parse(content);
        for (const char* mode : {"write.delete.mode", "write.update.mode", "write.merge.mode"})
          metadata["properties"][mode] = "merge-on-read";
        content = metadata.dump();
      }
      const auto memory = std::make_shared<FilesInMemory>(files);
      const auto before = memory->Paths();
      LakeFolder lake("equality");
      const auto done = Ask(
          *lake.Open(memory, {{"spark.sql.catalog.cat.warehouse", std::string(kMadeAt) + "/wh"}}), statement);
      ASSERT_FALSE(done) << testing::PrintToString(*done);
      EXPECT_EQ(done.error().code(), damage.code) << done.error().ToString();
      EXPECT_THAT(done.error().ToString(), HasSubstr("by-data.parquet"));
      EXPECT_EQ(memory->Paths(), before);
    }
  }
}

TEST(Damage, PositionsOutOfRangeAreCorrupt) {
  LakeFolder lake("positions");
  MakeTable(*lake.Open());
  const Files files = FindFiles(lake);
  const FolderState whole(lake.folder());
  for (const auto& [position, says] :
       {std::pair{int64_t{-1}, "deletes row -1 of "}, std::pair{int64_t{2}, "which has 2 rows"},
        std::pair{INT64_MAX, "deletes row 9223372036854775807 of "}}) {
    SCOPED_TRACE(position);
    ForeignWriter writer(lake, "t");
    writer.AddPositionDeletes("foreign-deletes.parquet", *writer.FindFile(files.data), {0, position});
    const FolderState damaged(lake.folder());
    for (const auto& [kind, statement] : Statements()) {
      SCOPED_TRACE(statement);
      const auto done = Ask(*lake.Open(), statement);
      if (kind == "insert" || kind == "overwrite") {
        EXPECT_TRUE(done) << done.error().ToString();
        damaged.Restore();
        continue;
      }
      ASSERT_FALSE(done) << testing::PrintToString(*done);
      EXPECT_EQ(done.error().code(), ErrorCode::kCorrupt);
      for (const std::string& part :
           {std::string("foreign-deletes.parquet"), std::string(says), files.data.string()}) {
        EXPECT_THAT(done.error().ToString(), HasSubstr(part));
      }
      EXPECT_EQ(damaged.Touched(), std::set<fs::path>());
    }
    whole.Restore();
  }
}

}  // namespace
}  // namespace weir

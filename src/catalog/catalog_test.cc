#include "catalog/catalog.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "storage/decorator.h"
#include "storage/local/local.h"
#include "storage/memory/memory.h"

namespace weir::catalog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <typename T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().ToString();
    std::abort();
  }
  return *std::move(result);
}
void Must(const Status& status) {
  if (!status) ADD_FAILURE() << status.error().ToString();
}

std::string ConditionOf(const Error& error) {
  return error.condition() != nullptr ? error.condition()->name : "";
}

/// Both kinds of stores: one that keeps empty folders and one that does not.
class HadoopCatalogTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) {
      folder_ = std::filesystem::path(testing::TempDir()) / ("catalog_" + SystemRandom().Uuid());
      std::filesystem::create_directories(folder_);
      warehouse_ = folder_.string() + "/wh";
      stores_->Add("file", std::make_shared<LocalStorage>());
    } else {
      warehouse_ = "mem:/wh";
      stores_->Add("mem", std::make_shared<MemoryStorage>());
    }
    conf_ = {{"spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog"},
             {"spark.sql.catalog.cat.type", "hadoop"},
             {"spark.sql.catalog.cat.warehouse", warehouse_ + "/"},
             {"spark.sql.catalog.cat.cache-enabled", "false"},
             {"spark.sql.catalog.cat.table-default.a", "default"},
             {"spark.sql.catalog.cat.table-default.b", "default"},
             {"spark.sql.catalog.cat.table-override.c", "override"}};
    catalogs_.Configure(conf_);
    catalog_ = Must(catalogs_.Find("cat"));
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  Account account() const { return ledger_->Open("test", Purpose::kMetadata); }
  static TableDefinition Definition() {
    TableDefinition definition;
    definition.schema.fields = {{{}, "id", Type::Long(), false, ""}};
    return definition;
  }
  std::shared_ptr<table::Table> Create(const Identifier& name) {
    return Must(catalog_->CreateTable(name, Definition(), account(), {}));
  }
  /// What is in the warehouse.
  size_t ObjectCount() {
    const Location root = Must(stores_->Find(warehouse_ + "/"));
    const auto objects = Must(Store(root.storage, account(), {}).List(root.path));
    return static_cast<size_t>(std::count_if(
        objects.begin(), objects.end(), [&](const ObjectInfo& object) { return object.path != root.path; }));
  }

  std::filesystem::path folder_;
  std::string warehouse_;
  std::shared_ptr<Stores> stores_ = std::make_shared<Stores>();
  ManualClock clock_{1'700'000'000'000'000};
  SeededRandom random_{1};
  std::shared_ptr<Ledger> ledger_ = Ledger::Make();
  std::map<std::string, std::string, std::less<>> conf_;
  Catalogs catalogs_{stores_, clock_, random_};
  std::shared_ptr<Catalog> catalog_;
};
INSTANTIATE_TEST_SUITE_P(Stores, HadoopCatalogTest, testing::Bool(),
                         [](const auto& store) { return store.param ? "Local" : "Memory"; });

TEST_P(HadoopCatalogTest, NamespacesComeAndGo) {
  EXPECT_THAT(Must(catalog_->ListNamespaces({}, account(), {})), IsEmpty());
  EXPECT_FALSE(Must(catalog_->NamespaceExists({"db"}, account(), {})));
  Must(catalog_->CreateNamespace({"db"}, false, account(), {}));
  Must(catalog_->CreateNamespace({"db", "inner"}, false, account(), {}));
  EXPECT_TRUE(Must(catalog_->NamespaceExists({"db"}, account(), {})));
  EXPECT_THAT(Must(catalog_->ListNamespaces({}, account(), {})), ElementsAre(Identifier{"db"}));
  EXPECT_THAT(Must(catalog_->ListNamespaces({"db"}, account(), {})), ElementsAre(Identifier{"db", "inner"}));
  const Status again = catalog_->CreateNamespace({"db"}, false, account(), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(ConditionOf(again.error()), "SCHEMA_ALREADY_EXISTS");
  Must(catalog_->CreateNamespace({"db"}, true, account(), {}));
  const Status full = catalog_->DropNamespace({"db"}, false, false, account(), {});
  ASSERT_FALSE(full);
  EXPECT_EQ(ConditionOf(full.error()), "SCHEMA_NOT_EMPTY");
  Must(catalog_->DropNamespace({"db", "inner"}, false, false, account(), {}));
  Must(catalog_->DropNamespace({"db"}, false, false, account(), {}));
  EXPECT_FALSE(Must(catalog_->NamespaceExists({"db"}, account(), {})));
  const Status gone = catalog_->DropNamespace({"db"}, false, false, account(), {});
  ASSERT_FALSE(gone);
  EXPECT_EQ(ConditionOf(gone.error()), "SCHEMA_NOT_FOUND");
  Must(catalog_->DropNamespace({"db"}, true, false, account(), {}));
  EXPECT_EQ(catalog_->ListTables({"db"}, account(), {}).error().code(), ErrorCode::kNotFound);
}

TEST_P(HadoopCatalogTest, FoldersMadeByOthersAreNamespaces) {
  const auto put = [&](const std::string& location, std::string_view content) {
    const Location at = Must(stores_->Find(warehouse_ + location));
    Must(Store(at.storage, account(), {}).Put(at.path, AsBytes(content), PutIf::Always()));
  };
  put("/empty/", "");
  put("/outer/inner/", "");
  put("/full/notes.txt", "x");
  put("/table/metadata/00000-abc.metadata.json", "{}");
  EXPECT_THAT(Must(catalog_->ListNamespaces({}, account(), {})),
              ElementsAre(Identifier{"empty"}, Identifier{"full"}, Identifier{"outer"}));
  EXPECT_THAT(Must(catalog_->ListNamespaces({"outer"}, account(), {})),
              ElementsAre(Identifier{"outer", "inner"}));
  for (const char* name : {"outer", "full"}) {
    const Status dropped = catalog_->DropNamespace({name}, false, false, account(), {});
    ASSERT_FALSE(dropped) << name;
    EXPECT_EQ(ConditionOf(dropped.error()), "SCHEMA_NOT_EMPTY");
  }
  Must(catalog_->DropNamespace({"empty"}, false, false, account(), {}));
  EXPECT_FALSE(Must(catalog_->NamespaceExists({"empty"}, account(), {})));
}

TEST_P(HadoopCatalogTest, NamespacesHoldNothing) {
  Must(catalog_->CreateNamespace({"db"}, false, account(), {}));
  const Location folder = Must(stores_->Find(warehouse_ + "/db/"));
  const auto objects = Must(Store(folder.storage, account(), {}).List(folder.path));
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].path, folder.path);
}

TEST_P(HadoopCatalogTest, TablesComeAndGo) {
  EXPECT_EQ(Must(catalog_->FindTable({"db", "t"}, account(), {})), nullptr);
  const auto table = Create({"db", "t"});
  const auto snapshot = Must(table->Load({}, account(), {}));
  EXPECT_EQ(snapshot->location, warehouse_ + "/db/t");
  EXPECT_FALSE(snapshot->id.has_value());
  // A table makes its namespace, and is not one itself.
  EXPECT_THAT(Must(catalog_->ListNamespaces({}, account(), {})), ElementsAre(Identifier{"db"}));
  EXPECT_THAT(Must(catalog_->ListNamespaces({"db"}, account(), {})), IsEmpty());
  Create({"db", "u"});
  EXPECT_THAT(Must(catalog_->ListTables({"db"}, account(), {})),
              ElementsAre(Identifier{"db", "t"}, Identifier{"db", "u"}));
  EXPECT_NE(Must(catalog_->FindTable({"db", "t"}, account(), {})), nullptr);
  const auto again = catalog_->CreateTable({"db", "t"}, Definition(), account(), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(ConditionOf(again.error()), "TABLE_OR_VIEW_ALREADY_EXISTS");
  EXPECT_TRUE(Must(catalog_->DropTable({"db", "t"}, false, account(), {})));
  EXPECT_FALSE(Must(catalog_->DropTable({"db", "t"}, false, account(), {})));
  EXPECT_EQ(Must(catalog_->FindTable({"db", "t"}, account(), {})), nullptr);
  EXPECT_THAT(Must(catalog_->ListTables({"db"}, account(), {})), ElementsAre(Identifier{"db", "u"}));
  EXPECT_FALSE(GetParam() && std::filesystem::exists(warehouse_ + "/db/t"));
  // CASCADE deletes no tables.
  const Status full = catalog_->DropNamespace({"db"}, false, true, account(), {});
  ASSERT_FALSE(full);
  EXPECT_EQ(ConditionOf(full.error()), "SCHEMA_NOT_EMPTY");
  EXPECT_TRUE(Must(catalog_->DropTable({"db", "u"}, true, account(), {})));
  if (GetParam()) Must(catalog_->DropNamespace({"db"}, false, false, account(), {}));
  EXPECT_EQ(ObjectCount(), 0u);
}

TEST_P(HadoopCatalogTest, PropertiesComeFromDefaultsStatementAndOverrides) {
  TableDefinition definition = Definition();
  definition.properties = {{"b", "mine"}, {"c", "mine"}, {"format-version", "2"}};
  definition.comment = "words";
  const auto table = Must(catalog_->CreateTable({"db", "t"}, definition, account(), {}));
  EXPECT_THAT(
      Must(table->Load({}, account(), {}))->properties,
      ElementsAre(std::pair("a", "default"), std::pair("b", "mine"), std::pair("c", "override"),
                  std::pair("comment", "words"), std::pair("write.parquet.compression-codec", "zstd")));
}

TEST_P(HadoopCatalogTest, CustomLocationsAreRefusedAsInTheJavaLibrary) {
  TableDefinition definition = Definition();
  definition.location = "mem:/elsewhere";
  const auto table = catalog_->CreateTable({"db", "t"}, definition, account(), {});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code(), ErrorCode::kInvalid);
  EXPECT_THAT(table.error().message(),
              HasSubstr("expected LOCATION " + warehouse_ + "/db/t, found mem:/elsewhere"));
  definition.location = warehouse_ + "/db/t";
  Must(catalog_->CreateTable({"db", "t"}, definition, account(), {}));
}

TEST_P(HadoopCatalogTest, NamesCannotLeaveTheirFolder) {
  for (const char* name : {"", ".", "..", "a/b"}) {
    EXPECT_EQ(catalog_->CreateTable({"db", name}, Definition(), account(), {}).error().code(),
              ErrorCode::kInvalid);
    EXPECT_FALSE(catalog_->CreateNamespace({name}, true, account(), {}));
    EXPECT_EQ(Must(catalog_->FindTable({"db", name}, account(), {})), nullptr);
  }
}

TEST_P(HadoopCatalogTest, StagedTablesExistOnceTheyAreCommitted) {
  const auto staged = Must(catalog_->StageTable({"db", "t"}, Definition(), account(), {}));
  EXPECT_EQ(Must(catalog_->FindTable({"db", "t"}, account(), {})), nullptr);
  table::Change change;
  change.base = Must(staged->Load({}, account(), {}));
  const auto outcome = Must(staged->Commit(change, account(), {}));
  EXPECT_TRUE(std::holds_alternative<table::Committed>(outcome));
  EXPECT_NE(Must(catalog_->FindTable({"db", "t"}, account(), {})), nullptr);
  EXPECT_EQ(catalog_->StageTable({"db", "t"}, Definition(), account(), {}).error().code(),
            ErrorCode::kExists);
}

TEST_P(HadoopCatalogTest, TablesShareTheirCacheOfManifests) {
  const auto staged = Must(catalog_->StageTable({"db", "t"}, Definition(), account(), {}));
  table::Change change;
  change.base = Must(staged->Load({}, account(), {}));
  change.added.emplace_back().file.path = warehouse_ + "/db/t/data/f.parquet";
  Must(staged->Commit(change, account(), {}));
  const auto hits = [&](table::Table& table) {
    Must(table.Plan(*Must(table.Load({}, account(), {})), {}, account(), {}));
    return ledger_->Total()[AvoidReason::kCache].files;
  };
  EXPECT_EQ(hits(*staged), 0u);
  EXPECT_EQ(hits(*Must(catalog_->FindTable({"db", "t"}, account(), {}))), 1u);
}

TEST_P(HadoopCatalogTest, PurgeDeletesFilesOutsideTheTableToo) {
  const auto put = [&](const std::string& location) {
    const Location at = Must(stores_->Find(location));
    Must(Store(at.storage, account(), {}).Put(at.path, AsBytes("x"), PutIf::Always()));
  };
  const auto exists = [&](const std::string& location) {
    const Location at = Must(stores_->Find(location));
    return Must(Store(at.storage, account(), {}).Exists(at.path));
  };
  const std::string outside = warehouse_ + "/elsewhere/f.parquet";
  const std::string bystander = warehouse_ + "/elsewhere/other.parquet";
  put(outside);
  put(bystander);
  TableDefinition kept = Definition();
  kept.properties["gc.enabled"] = "false";
  Must(catalog_->CreateTable({"db", "kept"}, kept, account(), {}));
  EXPECT_THAT(catalog_->DropTable({"db", "kept"}, true, account(), {}).error().message(),
              HasSubstr("gc.enabled"));
  const auto table = Create({"db", "t"});
  table::Change change;
  change.base = Must(table->Load({}, account(), {}));
  table::NewDataFile file;
  file.file.path = outside;
  file.file.row_count = 1;
  change.added.push_back(file);
  Must(table->Commit(change, account(), {}));
  EXPECT_TRUE(Must(catalog_->DropTable({"db", "t"}, true, account(), {})));
  EXPECT_FALSE(exists(outside));
  EXPECT_TRUE(exists(bystander));
}

TEST_P(HadoopCatalogTest, UnchangedCatalogsStayWhenTheConfigurationChanges) {
  conf_["spark.sql.catalog.other"] = "org.apache.iceberg.spark.SparkSessionCatalog";
  catalogs_.Configure(conf_);
  EXPECT_EQ(Must(catalogs_.Find("cat")), catalog_);
  EXPECT_THAT(catalogs_.Names(), ElementsAre("cat", "other"));
  conf_["spark.sql.catalog.cat.warehouse"] = warehouse_ + "2";
  catalogs_.Configure(conf_);
  EXPECT_NE(Must(catalogs_.Find("cat")), catalog_);
}

/// Deletes path by path, and stops where it is told to; a path may stay, which stops nobody.
class StoppingStorage : public Decorator {
 public:
  using Decorator::Decorator;
  Status Delete(Io& io, std::span<const std::string> paths) override {
    Status stayed;
    for (const std::string& path : paths) {
      if (deletes_left-- <= 0) return Unavailable("stopped before {}", path);
      if (!staying.empty() && path.ends_with(staying)) {
        stayed = Denied("{} stays", path);
        continue;
      }
      WEIR_DO(inner().Delete(io, std::span(&path, 1)));
    }
    return stayed;
  }
  int64_t deletes_left = INT64_MAX;
  std::string staying;
};

class DropTest : public HadoopCatalogTest {
 protected:
  void SetUp() override {
    HadoopCatalogTest::SetUp();
    UseStore(std::make_shared<MemoryStorage>());
  }
  void UseStore(const std::shared_ptr<Storage>& inner) {
    store_ = std::make_shared<StoppingStorage>(inner);
    stores_->Add("mem", store_);
    catalogs_.Configure({});
    catalogs_.Configure(conf_);
    catalog_ = Must(catalogs_.Find("cat"));
  }
  /// A table of 12 versions, so that the order of numbers is not that of names.
  void CreateVersions() {
    Create({"db", "t"});
    for (int version = 2; version <= 12; ++version) {
      const auto table = Must(catalog_->FindTable({"db", "t"}, account(), {}));
      table::Change change;
      change.base = Must(table->Load({}, account(), {}));
      change.metadata.emplace().properties["version"] = std::to_string(version);
      Must(table->Commit(change, account(), {}));
    }
  }
  std::string Version() {
    const auto table = Must(catalog_->FindTable({"db", "t"}, account(), {}));
    if (table == nullptr) return "none";
    return Must(table->Load({}, account(), {}))->properties.at("version");
  }
  std::shared_ptr<StoppingStorage> store_;
};
INSTANTIATE_TEST_SUITE_P(InMemory, DropTest, testing::Values(false));

TEST_P(DropTest, WhereverItStopsTheTableIsWholeOrGone) {
  int whole = 0, gone = 0;
  for (int64_t allowed = 0;; ++allowed) {
    UseStore(std::make_shared<MemoryStorage>());
    CreateVersions();
    store_->deletes_left = allowed;
    const auto dropped = catalog_->DropTable({"db", "t"}, false, account(), {});
    store_->deletes_left = INT64_MAX;
    const std::string version = Version();
    (version == "none" ? gone : whole)++;
    EXPECT_THAT(version, testing::AnyOf("12", "none")) << allowed;
    Must(catalog_->DropTable({"db", "t"}, false, account(), {}));
    Create({"db", "t"});
    if (dropped) break;
  }
  EXPECT_GT(whole, 12);
  EXPECT_GT(gone, 1);
}

TEST_P(DropTest, AnOldVersionThatStaysIsNotTheTable) {
  CreateVersions();
  store_->staying = "/v3.metadata.json";
  EXPECT_EQ(catalog_->DropTable({"db", "t"}, false, account(), {}).error().code(), ErrorCode::kDenied);
  EXPECT_EQ(Version(), "12");
  store_->staying.clear();
  EXPECT_TRUE(Must(catalog_->DropTable({"db", "t"}, false, account(), {})));
}

TEST_P(DropTest, WhatIsLeftOfATableIsDropped) {
  CreateVersions();
  const Location folder = Must(stores_->Find(warehouse_ + "/db/t/metadata/v"));
  const Store store(folder.storage, account(), {});
  for (const ObjectInfo& object : Must(store.List(folder.path))) {
    if (object.path.ends_with(".json")) Must(store.Delete(std::vector<std::string>{object.path}));
  }
  EXPECT_EQ(catalog_->FindTable({"db", "t"}, account(), {}).error().code(), ErrorCode::kCorrupt);
  EXPECT_TRUE(Must(catalog_->DropTable({"db", "t"}, false, account(), {})));
  EXPECT_EQ(ObjectCount(), 0u);
}

TEST_P(DropTest, ATableOfAnotherCatalogIsNotWhatIsLeft) {
  for (const char* name : {"version-hint.text", "00001-5f7c.metadata.json"}) {
    const Location file = Must(stores_->Find(warehouse_ + "/db/t/metadata/" + name));
    Must(Store(file.storage, account(), {}).Put(file.path, AsBytes("2"), PutIf::Always()));
  }
  EXPECT_EQ(catalog_->DropTable({"db", "t"}, false, account(), {}).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(ObjectCount(), 2u);
}

/// Somebody drops the table just before its first hint is written.
class DroppedMeanwhile : public Decorator {
 public:
  using Decorator::Decorator;
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    if (path.ends_with("/version-hint.text")) {
      const std::string metadata = std::string(path.substr(0, path.rfind('/'))) + "/v1.metadata.json";
      WEIR_DO(inner().Delete(io, std::span(&metadata, 1)));
    }
    return inner().Put(io, path, bytes, condition);
  }
};

TEST_P(DropTest, AHintDoesNotOutliveItsTable) {
  UseStore(std::make_shared<DroppedMeanwhile>(std::make_shared<MemoryStorage>()));
  EXPECT_EQ(Must(catalog_->CreateTable({"db", "t"}, Definition(), account(), {})), nullptr);
  EXPECT_EQ(ObjectCount(), 0u);
}

TEST(Catalogs, WhatCannotBeServedIsRefusedByName) {
  struct Case {
    const char* what;
    std::map<std::string, std::string, std::less<>> options;
    ErrorCode code;
    const char* message;
  };
  const std::string spark = "org.apache.iceberg.spark.SparkCatalog";
  const std::vector<Case> cases = {
      {"unknown", {}, ErrorCode::kNotFound, "there is no catalog cat"},
      {"class",
       {{"", "com.example.Catalog"}, {".type", "hadoop"}},
       ErrorCode::kUnsupported,
       "com.example.Catalog"},
      {"type", {{"", spark}, {".type", "rest"}}, ErrorCode::kUnsupported, "type 'rest'"},
      {"default type", {{"", spark}}, ErrorCode::kUnsupported, "type 'hive'"},
      {"implementation", {{"", spark}, {".catalog-impl", "x.Y"}}, ErrorCode::kUnsupported, "x.Y"},
      {"no warehouse",
       {{"", spark}, {".type", "hadoop"}},
       ErrorCode::kInvalid,
       "spark.sql.catalog.cat.warehouse"},
      {"store",
       {{"", spark}, {".type", "hadoop"}, {".warehouse", "s3://b/wh"}},
       ErrorCode::kUnsupported,
       "s3"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    auto stores = std::make_shared<Stores>();
    stores->Add("mem", std::make_shared<MemoryStorage>());
    Catalogs catalogs(stores, SystemClock(), SystemRandom());
    std::map<std::string, std::string, std::less<>> conf;
    for (const auto& [name, value] : test.options) conf["spark.sql.catalog.cat" + name] = value;
    catalogs.Configure(conf);
    const auto catalog = catalogs.Find("cat");
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().code(), test.code);
    EXPECT_THAT(catalog.error().message(), HasSubstr(test.message));
  }
}

}  // namespace
}  // namespace weir::catalog

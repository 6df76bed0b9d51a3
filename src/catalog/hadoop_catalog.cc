#include "catalog/hadoop_catalog.h"

#include <algorithm>
#include <set>

#include "table/iceberg/hadoop_committer.h"
#include "table/iceberg/reachable.h"
#include "type/identifier.h"

namespace weir::catalog {

namespace {

constexpr size_t kMaxKnownTables = 1000;

Error SchemaNotFound(const Identifier& name) {
  return NotFound("there is no namespace {}", QuoteName(name))
      .WithCondition({"SCHEMA_NOT_FOUND", "42704", {{"schemaName", QuoteName(name)}}, {}, {}});
}
Error TableExists(const Identifier& name) {
  return Exists("there is a table {} already", QuoteName(name))
      .WithCondition({"TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", {{"relationName", QuoteName(name)}}, {}, {}});
}

/// Parts become folders of their own.
Status CheckName(const Identifier& name) {
  if (name.empty()) return Invalid("a namespace or table of a Hadoop catalog needs a name, found none");
  for (const std::string& part : name) {
    if (part.empty() || part == "." || part == ".." || part.find('/') != std::string::npos) {
      return Invalid("'{}' cannot be the name of a namespace or table in a Hadoop catalog", part);
    }
  }
  return {};
}

Result<std::pair<Store, std::string>> OpenFolder(const Stores& stores, const std::string& location,
                                                 const Account& account, const Cancellation& cancellation) {
  WEIR_TRY(Location found, stores.Find(location));
  return std::pair(Store(std::move(found.storage), account.For(Purpose::kListing), cancellation),
                   std::move(found.path));
}

/// Of the table whose metadata folder (with a slash behind) is `folder`: what lies deeper belongs to a table
/// that is called "metadata".
bool IsMetadataFile(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  const std::string_view name = path.substr(folder.size());
  return name.find(".metadata.json") != std::string_view::npos && name.find('/') == std::string_view::npos;
}

iceberg::IcebergTable::Services WithSharedCache(iceberg::IcebergTable::Services services) {
  services.manifests = std::make_shared<iceberg::ManifestCache>(iceberg::kManifestCacheBytes);
  return services;
}

/// The first page of a listing.
Result<std::vector<ObjectInfo>> FirstPage(const Stores& stores, const std::string& location,
                                          const Store& store) {
  WEIR_TRY(const Location found, stores.Find(location));
  WEIR_TRY(ListPage page, found.storage->List(store.io(), found.path, std::nullopt));
  return std::move(page.objects);
}

}  // namespace

HadoopCatalog::HadoopCatalog(std::string name, Options options, iceberg::IcebergTable::Services services)
    : name_(std::move(name)), options_(std::move(options)), services_(WithSharedCache(std::move(services))) {}

std::string HadoopCatalog::LocationOf(const Identifier& name) const {
  std::string location = options_.warehouse;
  for (const std::string& part : name) location += "/" + part;
  return location;
}

HadoopCatalog::Known HadoopCatalog::TableAt(const Identifier& name) {
  const std::lock_guard lock(mutex_);
  const auto it = known_.find(name);
  if (it != known_.end()) return it->second;
  auto committer = std::make_shared<iceberg::HadoopCommitter>(services_.stores, LocationOf(name));
  return {committer, std::make_shared<iceberg::IcebergTable>(services_, committer)};
}

void HadoopCatalog::Forget(const Identifier& name) {
  const std::lock_guard lock(mutex_);
  known_.erase(name);
}

Result<bool> HadoopCatalog::IsTable(const Store& store, const std::string& folder) const {
  WEIR_TRY(const Location metadata, services_.stores->Find(folder + "/metadata/"));
  // Names that a Hadoop catalog gives come first: their listing is short.
  for (const char* prefix : {"/metadata/v", "/metadata/"}) {
    WEIR_TRY(const auto objects, FirstPage(*services_.stores, folder + prefix, store));
    if (std::ranges::any_of(
            objects, [&](const ObjectInfo& object) { return IsMetadataFile(object.path, metadata.path); })) {
      return true;
    }
  }
  return false;
}

Result<std::vector<std::string>> HadoopCatalog::Children(const Store& store,
                                                         const std::string& folder) const {
  WEIR_TRY(const Location found, services_.stores->Find(folder + "/"));
  std::vector<std::string> children;
  std::optional<std::string> page;
  while (true) {
    WEIR_TRY(const ListPage listed, found.storage->List(store.io(), found.path, page));
    for (const ObjectInfo& object : listed.objects) {
      const std::string_view rest = std::string_view(object.path).substr(found.path.size());
      const size_t slash = rest.find('/');
      if (slash == std::string_view::npos) continue;
      const std::string_view child = rest.substr(0, slash);
      if (children.empty() || children.back() != child) children.emplace_back(child);
    }
    if (!listed.next_page) return children;
    // Behind everything in the last child: no name begins with this byte.
    const std::string_view last = std::string_view(listed.objects.back().path).substr(found.path.size());
    const size_t slash = last.find('/');
    page = slash == std::string_view::npos
               ? listed.next_page
               : std::optional(fmt::format("{}{}/\xff", found.path, last.substr(0, slash)));
  }
}

Status HadoopCatalog::CreateNamespace(const Identifier& name, bool if_not_exists, Account account,
                                      Cancellation cancellation) {
  WEIR_DO(CheckName(name));
  WEIR_TRY(const bool exists, NamespaceExists(name, account, cancellation));
  if (exists) {
    if (if_not_exists) return {};
    return Exists("there is a namespace {} already", QuoteName(name))
        .WithCondition({"SCHEMA_ALREADY_EXISTS", "42P06", {{"schemaName", QuoteName(name)}}, {}, {}});
  }
  WEIR_TRY(const auto folder, OpenFolder(*services_.stores, LocationOf(name) + "/", account, cancellation));
  WEIR_TRY([[maybe_unused]] const ObjectTag tag,
           folder.first.For(Purpose::kCommit).Put(folder.second, {}, PutIf::Always()));
  return {};
}

Status HadoopCatalog::DropNamespace(const Identifier& name, bool if_exists, bool /*cascade*/, Account account,
                                    Cancellation cancellation) {
  WEIR_DO(CheckName(name));
  WEIR_TRY(const bool exists, NamespaceExists(name, account, cancellation));
  if (!exists) {
    if (if_exists) return {};
    Identifier full = name;
    full.insert(full.begin(), name_);
    return SchemaNotFound(full);
  }
  WEIR_TRY(const auto folder, OpenFolder(*services_.stores, LocationOf(name) + "/", account, cancellation));
  WEIR_TRY(const auto objects, FirstPage(*services_.stores, LocationOf(name) + "/", folder.first));
  const bool empty = std::all_of(objects.begin(), objects.end(),
                                 [&](const ObjectInfo& object) { return object.path == folder.second; });
  if (!empty) {
    return Invalid("namespace {} is not empty; drop what is in it first, also with CASCADE", QuoteName(name))
        .WithCondition({"SCHEMA_NOT_EMPTY", "2BP01", {{"schemaName", QuoteName(name)}}, {}, {}});
  }
  WEIR_DO(folder.first.For(Purpose::kCommit).Delete(std::vector<std::string>{folder.second}));
  // A folder stays if something came into it meanwhile, or is in it that listings leave out.
  WEIR_TRY(const bool remains, folder.first.Exists(folder.second));
  if (remains)
    return Unavailable("namespace {} could not be dropped: {} is not empty", QuoteName(name), folder.second);
  return {};
}

Result<bool> HadoopCatalog::NamespaceExists(const Identifier& name, Account account,
                                            Cancellation cancellation) {
  if (name.empty()) return true;
  WEIR_DO(CheckName(name));
  WEIR_TRY(const auto folder, OpenFolder(*services_.stores, LocationOf(name) + "/", account, cancellation));
  WEIR_TRY(bool exists, folder.first.Exists(folder.second));
  if (!exists) {
    WEIR_TRY(const auto objects, FirstPage(*services_.stores, LocationOf(name) + "/", folder.first));
    exists = !objects.empty();
  }
  if (!exists) return false;
  WEIR_TRY(const bool is_table, IsTable(folder.first, LocationOf(name)));
  return !is_table;
}

Result<std::vector<Identifier>> HadoopCatalog::List(const Identifier& parent, bool tables,
                                                    const Account& account,
                                                    const Cancellation& cancellation) {
  WEIR_TRY(const bool exists, NamespaceExists(parent, account, cancellation));
  if (!exists) return SchemaNotFound(parent);
  WEIR_TRY(const auto folder, OpenFolder(*services_.stores, LocationOf(parent) + "/", account, cancellation));
  WEIR_TRY(const auto children, Children(folder.first, LocationOf(parent)));
  std::vector<Identifier> found;
  for (const std::string& child : children) {
    Identifier name = parent;
    name.push_back(child);
    WEIR_TRY(const bool is_table, IsTable(folder.first, LocationOf(name)));
    if (is_table == tables) found.push_back(std::move(name));
  }
  return found;
}

Result<std::vector<Identifier>> HadoopCatalog::ListNamespaces(const Identifier& parent, Account account,
                                                              Cancellation cancellation) {
  return List(parent, false, account, cancellation);
}

Result<std::vector<Identifier>> HadoopCatalog::ListTables(const Identifier& parent, Account account,
                                                          Cancellation cancellation) {
  return List(parent, true, account, cancellation);
}

Result<std::shared_ptr<table::Table>> HadoopCatalog::FindTable(const Identifier& name, Account account,
                                                               Cancellation cancellation) {
  if (!CheckName(name)) return std::shared_ptr<table::Table>();
  Known known = TableAt(name);
  WEIR_TRY(const auto current, known.committer->Current(account, cancellation));
  const std::lock_guard lock(mutex_);
  if (!current) {
    known_.erase(name);
    return std::shared_ptr<table::Table>();
  }
  if (known_.size() >= kMaxKnownTables) known_.clear();
  return std::shared_ptr<table::Table>(known_.try_emplace(name, std::move(known)).first->second.table);
}

Result<iceberg::TableMetadata> HadoopCatalog::MakeMetadata(const Identifier& name,
                                                           const TableDefinition& definition) const {
  WEIR_DO(CheckName(name));
  iceberg::NewTable table;
  table.location = LocationOf(name);
  if (definition.location && *definition.location != table.location) {
    return Invalid("a table of a Hadoop catalog lies where its name says: expected LOCATION {}, found {}",
                   table.location, *definition.location);
  }
  table.uuid = services_.random.Uuid();
  table.schema = definition.schema;
  for (const auto& field : definition.partitioning) {
    table.partitioning.push_back({field.column, field.transform, field.name});
  }
  table.properties = options_.table_defaults;
  for (const auto& [key, value] : definition.properties) table.properties[key] = value;
  if (!definition.comment.empty()) table.properties["comment"] = definition.comment;
  for (const auto& [key, value] : options_.table_overrides) table.properties[key] = value;
  table.now_ms = services_.clock.NowMicros() / 1000;
  return iceberg::MakeTableMetadata(table);
}

Result<std::shared_ptr<table::Table>> HadoopCatalog::CreateTable(const Identifier& name,
                                                                 const TableDefinition& definition,
                                                                 Account account, Cancellation cancellation) {
  WEIR_TRY(const auto metadata, MakeMetadata(name, definition));
  WEIR_TRY(const auto existing, FindTable(name, account, cancellation));
  if (existing != nullptr) return TableExists(name);
  const Known known = TableAt(name);
  WEIR_TRY(const auto outcome, known.committer->Replace(std::nullopt, metadata, account, cancellation));
  if (std::holds_alternative<iceberg::LostRace>(outcome)) return TableExists(name);
  if (const auto* unknown = std::get_if<iceberg::NotKnown>(&outcome)) {
    return UnknownOutcome(fmt::format("create table {}: {}", QuoteName(name), unknown->reason));
  }
  return FindTable(name, account, cancellation);
}

Result<std::shared_ptr<table::Table>> HadoopCatalog::StageTable(const Identifier& name,
                                                                const TableDefinition& definition,
                                                                Account account, Cancellation cancellation) {
  WEIR_TRY(auto metadata, MakeMetadata(name, definition));
  WEIR_TRY(const auto existing, FindTable(name, account, cancellation));
  if (existing != nullptr) return TableExists(name);
  auto committer = std::make_shared<iceberg::HadoopCommitter>(services_.stores, LocationOf(name));
  return std::shared_ptr<table::Table>(std::make_shared<iceberg::IcebergTable>(
      services_, std::move(committer), std::make_shared<const iceberg::TableMetadata>(std::move(metadata))));
}

Result<bool> HadoopCatalog::DropTable(const Identifier& name, bool purge, Account account,
                                      Cancellation cancellation) {
  WEIR_DO(CheckName(name));
  const Known known = TableAt(name);
  auto found = known.committer->Current(account, cancellation);
  if (!found) {
    if (found.error().code() != ErrorCode::kCorrupt) return std::move(found).error();
    // A hint without any metadata file is what is left of a drop that did not end. A metadata file of any
    // name may be a table of another catalog.
    WEIR_TRY(const auto folder,
             OpenFolder(*services_.stores, LocationOf(name) + "/metadata/", account, cancellation));
    WEIR_TRY(const auto objects, folder.first.List(folder.second));
    const bool has_metadata = std::ranges::any_of(
        objects, [&](const ObjectInfo& object) { return IsMetadataFile(object.path, folder.second); });
    if (has_metadata) return std::move(found).error();
    WEIR_DO(DeleteFolder(LocationOf(name), {}, account, cancellation));
    return true;
  }
  const std::optional<iceberg::VersionedMetadata>& current = *found;
  if (!current) return false;
  std::vector<std::string> reachable;
  const iceberg::TableFiles files(services_.stores, account.For(Purpose::kMetadata), cancellation);
  if (purge) {
    WEIR_TRY(const bool may_delete,
             iceberg::BooleanProperty(current->metadata->properties, "gc.enabled", true));
    if (!may_delete) {
      return Invalid(
          "{} cannot be purged: its property gc.enabled is false, so other tables may share its files",
          QuoteName(name));
    }
    WEIR_TRY(reachable, iceberg::ReachableFiles(*current, files));
  }
  Forget(name);
  // Dropping a path-based table deletes its folder, purged or not.
  WEIR_DO(DeleteFolder(LocationOf(name), reachable, account, cancellation));
  return true;
}

Status HadoopCatalog::DeleteFolder(const std::string& location, const std::vector<std::string>& elsewhere,
                                   const Account& account, const Cancellation& cancellation) const {
  WEIR_TRY(const auto folder, OpenFolder(*services_.stores, location + "/", account, cancellation));
  WEIR_TRY(const auto objects, folder.first.List(folder.second));
  std::vector<std::string> hint, metadata, others;
  std::set<std::string> folders = {folder.second};
  for (const ObjectInfo& object : objects) {
    const bool is_hint = object.path == folder.second + "metadata/version-hint.text";
    const bool is_metadata = IsMetadataFile(object.path, folder.second + "metadata/");
    (is_hint ? hint : is_metadata ? metadata : others).push_back(object.path);
    for (size_t slash = object.path.rfind('/');
         slash != std::string::npos && slash + 1 > folder.second.size();
         slash = object.path.rfind('/', slash - 1)) {
      folders.insert(object.path.substr(0, slash + 1));
    }
  }
  // Up to the last metadata file the table is whole: without a hint readers list, and the newest version goes
  // last, unless an older one stays. After that what is left is garbage. Once begun, it goes on to the end.
  std::ranges::sort(metadata, {}, [](const std::string& path) {
    return iceberg::VersionOf(path.substr(path.rfind('/') + 1)).value_or(0);
  });
  WEIR_TRY(const auto to_the_end, OpenFolder(*services_.stores, location + "/", account, Cancellation()));
  const Store store = to_the_end.first.For(Purpose::kCommit);
  WEIR_DO(store.Delete(hint));
  if (!metadata.empty()) {
    const std::vector<std::string> newest = {std::move(metadata.back())};
    metadata.pop_back();
    WEIR_DO(store.Delete(metadata));
    WEIR_DO(store.Delete(newest));
  }
  const auto rest = [&]() -> Status {
    const iceberg::TableFiles files(services_.stores, account.For(Purpose::kCommit), Cancellation());
    WEIR_DO(files.Delete(elsewhere));
    WEIR_DO(store.Delete(others));
    // Deepest first.
    return store.Delete(std::vector<std::string>(folders.rbegin(), folders.rend()));
  };
  WEIR_DO_CONTEXT("the table is dropped, but files of it remain", rest());
  return {};
}

}  // namespace weir::catalog

#include "session/names.h"

#include "base/ascii.h"
#include "type/identifier.h"

namespace weir::session {
namespace {

/// Spark's own catalog is there even if nothing configures it.
constexpr std::string_view kSparkCatalog = "spark_catalog";

bool IsParquet(std::string_view text) { return EqualsIgnoringAsciiCase(text, "parquet"); }

/// Spark leaves out files and folders whose names start so.
bool IsHidden(std::string_view path_below) {
  bool at_start = true;
  for (char c : path_below) {
    if (at_start && (c == '_' || c == '.')) return true;
    at_start = c == '/';
  }
  return false;
}

}  // namespace

Result<std::optional<plan::ResolvedRelation>> Names::FindRelation(const unresolved::Name& name,
                                                                  const table::At& at) {
  if (name.size() == 2 && IsParquet(name[0]) && name[1].find('/') != std::string::npos)
    return FindPath(name[1]);
  if (name.size() == 1) {
    if (const auto view = views_.find(AsciiLower(name[0])); view != views_.end()) {
      used_views_.insert(*view);
      of_views_.push_back(std::unique_ptr<Names>(new Names(*this, *view->second)));
      return std::optional<plan::ResolvedRelation>(
          plan::ResolvedView{view->second->query, of_views_.back().get(), view->second->name});
    }
  }
  WEIR_TRY(const plan::QualifiedName qualified, QualifyTable(name));
  // An unknown catalog is an unknown table to Spark.
  if (!catalogs_.Has(qualified.catalog)) return std::optional<plan::ResolvedRelation>();
  WEIR_TRY(Loaded loaded, LoadOnce(qualified, at));
  if (loaded.table == nullptr) return FindMetadata(qualified, at);
  return std::optional<plan::ResolvedRelation>(plan::ResolvedTable{
      std::move(loaded.table), std::move(loaded.snapshot), DottedName(qualified.catalog, qualified.name)});
}

bool Names::IsCatalog(const std::string& name) const { return name == kSparkCatalog || catalogs_.Has(name); }

Result<plan::QualifiedName> Names::QualifyTable(const unresolved::Name& name) {
  if (name.size() > 1 && IsCatalog(name[0])) {
    return plan::QualifiedName{name[0], {name.begin() + 1, name.end()}};
  }
  plan::QualifiedName qualified{current_.catalog, {}};
  if (name.size() == 1) qualified.name = current_.name;
  qualified.name.insert(qualified.name.end(), name.begin(), name.end());
  return qualified;
}

Result<plan::QualifiedName> Names::QualifyNamespace(const unresolved::Name& name) {
  if (!name.empty() && IsCatalog(name[0]))
    return plan::QualifiedName{name[0], {name.begin() + 1, name.end()}};
  if (name.empty()) return plan::QualifiedName{current_.catalog, current_.name};
  return plan::QualifiedName{current_.catalog, name};
}

Result<Names::Loaded> Names::LoadOnce(const plan::QualifiedName& name, const table::At& at) {
  const std::string dotted = DottedName(name.catalog, name.name);
  const LoadKey key{name.catalog, name.name, at.kind, at.number, at.ref};
  if (const auto known = loaded_->find(key); known != loaded_->end()) return known->second;
  WEIR_TRY(std::shared_ptr<catalog::Catalog> catalog, catalogs_.Find(name.catalog));
  const Account account = context_.ledger->Open("table " + dotted, Purpose::kMetadata);
  Loaded loaded;
  WEIR_TRY(loaded.table, catalog->FindTable(name.name, account, context_.cancellation));
  if (loaded.table != nullptr) {
    WEIR_TRY(loaded.snapshot, loaded.table->Load(at, account, context_.cancellation));
  }
  loaded_->emplace(key, loaded);
  return loaded;
}

Result<std::optional<plan::ResolvedRelation>> Names::FindMetadata(const plan::QualifiedName& name,
                                                                  const table::At& at) {
  if (name.name.size() < 2) return std::optional<plan::ResolvedRelation>();
  plan::QualifiedName base = name;
  const std::string metadata = base.name.back();
  base.name.pop_back();
  WEIR_TRY(const Loaded loaded, LoadOnce(base, at));
  if (loaded.table == nullptr) return std::optional<plan::ResolvedRelation>();
  const std::string dotted = DottedName(name.catalog, name.name);
  const Account account = context_.ledger->Open("table " + dotted, Purpose::kMetadata);
  auto rows = loaded.table->Metadata(*loaded.snapshot, metadata, account, context_.cancellation);
  if (!rows && rows.error().code() == ErrorCode::kNotFound) {
    for (const std::string_view selector : {"branch_", "tag_", "snapshot_id_", "at_timestamp_"}) {
      if (!metadata.starts_with(selector)) continue;
      return Unsupported(
          "{}: names such as {}.. behind a table are not supported; read it with VERSION AS OF or "
          "TIMESTAMP AS OF",
          dotted, selector);
    }
    return std::optional<plan::ResolvedRelation>();
  }
  if (!rows) return std::move(rows).error();
  return std::optional<plan::ResolvedRelation>(plan::ResolvedRows{*std::move(rows), dotted});
}

Result<std::optional<plan::ResolvedRelation>> Names::FindPath(const std::string& path) {
  if (path.find_first_of("*?[{") != std::string::npos) {
    return Unsupported("parquet.`{}`: path patterns are not supported; name a file or a folder", path);
  }
  const Account account = context_.ledger->Open("scan parquet." + path, Purpose::kListing);
  WEIR_TRY(const Location location, stores_.Find(path));
  const Store store(location.storage, account, context_.cancellation);
  std::vector<std::string> paths;
  if (auto info = store.Head(location.path); info) {
    paths.push_back(location.path);
  } else if (info.error().code() != ErrorCode::kNotFound) {
    return std::move(info).error();
  } else {
    const std::string folder = location.path.ends_with('/') ? location.path : location.path + "/";
    WEIR_TRY(const std::vector<ObjectInfo> objects, store.List(folder));
    for (const ObjectInfo& object : objects) {
      const std::string_view below = std::string_view(object.path).substr(folder.size());
      if (IsHidden(below) || object.size_bytes == 0) continue;
      if (below.find('/') != std::string_view::npos) {
        return Unsupported("parquet.`{}`: folders inside it are not supported; found {}", path, object.path);
      }
      paths.push_back(object.path);
    }
    if (objects.empty()) {
      const std::string uri = path.starts_with('/') ? "file:" + path : path;
      return NotFound("there is nothing at {}", uri)
          .WithCondition({"PATH_NOT_FOUND", "42K03", {{"path", uri}}, std::nullopt, ""});
    }
  }
  WEIR_TRY(std::vector<Field> fields, engine_.DescribeParquet(paths, context_));
  return std::optional<plan::ResolvedRelation>(
      plan::ResolvedPath{std::move(paths), std::move(fields), fmt::format("parquet.`{}`", path)});
}

}  // namespace weir::session

#include "catalog/catalog.h"
#include "catalog/hadoop_catalog.h"

namespace weir::catalog {

namespace {

constexpr std::string_view kPrefix = "spark.sql.catalog.";
constexpr std::string_view kSparkCatalog = "org.apache.iceberg.spark.SparkCatalog";
constexpr std::string_view kHadoopCatalog = "org.apache.iceberg.hadoop.HadoopCatalog";

/// The option that holds the class of the catalog itself.
constexpr std::string_view kClass = "";

std::string Option(const table::Properties& group, std::string_view name) {
  const auto it = group.find(name);
  return it == group.end() ? "" : it->second;
}

table::Properties WithPrefix(const table::Properties& group, std::string_view prefix) {
  table::Properties found;
  for (const auto& [name, value] : group) {
    if (name.starts_with(prefix)) found[name.substr(prefix.size())] = value;
  }
  return found;
}

Status CheckKind(std::string_view name, const table::Properties& group) {
  const std::string class_name = Option(group, kClass);
  if (class_name != kSparkCatalog) {
    return Unsupported("catalog {}: class '{}' is not supported, only {}", name, class_name, kSparkCatalog);
  }
  const std::string implementation = Option(group, "catalog-impl");
  if (!implementation.empty()) {
    if (implementation == kHadoopCatalog) return {};
    return Unsupported("catalog {}: catalog-impl '{}' is not supported", name, implementation);
  }
  const std::string type = Option(group, "type");
  if (type == "hadoop") return {};
  return Unsupported("catalog {}: type '{}' is not supported, only hadoop", name,
                     type.empty() ? "hive" : type);
}

Result<std::shared_ptr<Catalog>> Open(const std::string& name, const table::Properties& group,
                                      const iceberg::IcebergTable::Services& services) {
  WEIR_DO(CheckKind(name, group));
  HadoopCatalog::Options options;
  options.warehouse = Option(group, "warehouse");
  while (options.warehouse.size() > 1 && options.warehouse.ends_with('/')) options.warehouse.pop_back();
  if (options.warehouse.empty()) {
    return Invalid("catalog {} has no warehouse: set {}{}.warehouse to its folder", name, kPrefix, name);
  }
  WEIR_DO_CONTEXT(fmt::format("catalog {}: warehouse", name), [&]() -> Status {
    WEIR_TRY([[maybe_unused]] const Location location, services.stores->Find(options.warehouse));
    return {};
  }());
  options.table_defaults = WithPrefix(group, "table-default.");
  options.table_overrides = WithPrefix(group, "table-override.");
  return std::shared_ptr<Catalog>(std::make_shared<HadoopCatalog>(name, std::move(options), services));
}

}  // namespace

Catalogs::Catalogs(std::shared_ptr<const Stores> stores, Clock& clock, Random& random)
    : stores_(std::move(stores)), clock_(clock), random_(random) {}

void Catalogs::Configure(const std::map<std::string, std::string, std::less<>>& conf) {
  std::map<std::string, table::Properties, std::less<>> groups;
  for (auto it = conf.lower_bound(kPrefix); it != conf.end() && it->first.starts_with(kPrefix); ++it) {
    const std::string_view rest = std::string_view(it->first).substr(kPrefix.size());
    const size_t dot = rest.find('.');
    if (rest.empty() || dot == 0) continue;
    const std::string name(rest.substr(0, dot));
    const std::string option(dot == std::string_view::npos ? kClass : rest.substr(dot + 1));
    groups[name][option] = it->second;
  }
  // Options without a class belong to no catalog.
  std::erase_if(groups, [](const auto& group) { return !group.second.contains(kClass); });
  const std::lock_guard lock(mutex_);
  std::erase_if(open_, [&](const auto& open) {
    const auto before = groups_.find(open.first);
    const auto now = groups.find(open.first);
    return before == groups_.end() || now == groups.end() || before->second != now->second;
  });
  groups_ = std::move(groups);
}

bool Catalogs::Has(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return groups_.contains(name);
}

std::vector<std::string> Catalogs::Names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, group] : groups_) names.push_back(name);
  return names;
}

Result<std::shared_ptr<Catalog>> Catalogs::Find(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (const auto open = open_.find(name); open != open_.end()) return open->second;
  const auto group = groups_.find(name);
  if (group == groups_.end()) {
    return NotFound("there is no catalog {}: set {}{} to its class, and its type and warehouse", name,
                    kPrefix, name)
        .WithCondition(
            {"CATALOG_NOT_FOUND",
             "42P08",
             {{"catalogName", fmt::format("`{}`", name)}, {"config", fmt::format("\"{}{}\"", kPrefix, name)}},
             {},
             {}});
  }
  WEIR_TRY(auto catalog, Open(group->first, group->second, {stores_, clock_, random_}));
  open_.emplace(name, catalog);
  return catalog;
}

}  // namespace weir::catalog

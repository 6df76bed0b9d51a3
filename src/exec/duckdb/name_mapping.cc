#include "exec/duckdb/name_mapping.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace weir::exec {

namespace {

constexpr char kProperty[] = "schema.name-mapping.default";

using Paths = std::map<std::vector<std::string>, FieldId>;

/// Deeper than any schema: a property of a foreign table must not use up the stack.
constexpr size_t kMaxDepth = 128;

/// The parts of lists and maps are called element, key and value in the mapping.
Status Collect(const nlohmann::json& fields, const std::vector<std::string>& parent, Paths& paths) {
  if (parent.size() == kMaxDepth) return Unsupported("{}: more than {} levels", kProperty, kMaxDepth);
  if (!fields.is_array()) return Corrupt("{} is not a list of fields", kProperty);
  for (const nlohmann::json& field : fields) {
    const auto id = field.find("field-id");
    const auto names = field.find("names");
    if (!field.is_object() || names == field.end() || !names->is_array()) {
      return Corrupt("{}: a field without names", kProperty);
    }
    for (const nlohmann::json& name : *names) {
      if (!name.is_string()) return Corrupt("{}: a name that is not text", kProperty);
      std::vector<std::string> path = parent;
      path.push_back(name.get<std::string>());
      if (id != field.end()) {
        if (!id->is_number_unsigned() || !std::in_range<int32_t>(id->get<uint64_t>())) {
          return Corrupt("{}: expected a field id from 0 to {}, found {}", kProperty, INT32_MAX, id->dump());
        }
        paths[path] = FieldId{id->get<int32_t>()};
      }
      if (const auto nested = field.find("fields"); nested != field.end())
        WEIR_DO(Collect(*nested, path, paths));
    }
  }
  return {};
}

Result<std::optional<Paths>> PathsOf(const table::Snapshot& snapshot) {
  const auto property = snapshot.properties.find(std::string_view(kProperty));
  if (property == snapshot.properties.end()) return std::optional<Paths>();
  const nlohmann::json json = nlohmann::json::parse(property->second, nullptr, false);
  if (json.is_discarded()) return Corrupt("{} is not JSON", kProperty);
  Paths paths;
  WEIR_DO(Collect(json, {}, paths));
  return std::optional<Paths>(std::move(paths));
}

}  // namespace

Result<NameMapping> NameMappingOf(const table::Snapshot& snapshot) {
  WEIR_TRY(std::optional<Paths> paths, PathsOf(snapshot));
  if (!paths) return NameMapping();
  return NameMapping(
      [paths = *std::move(paths)](const std::vector<std::string>& path) -> std::optional<FieldId> {
        const auto it = paths.find(path);
        if (it == paths.end()) return std::nullopt;
        return it->second;
      });
}

Result<std::vector<std::string>> MappedNames(const table::Snapshot& snapshot, FieldId id) {
  WEIR_TRY(std::optional<Paths> paths, PathsOf(snapshot));
  std::vector<std::string> names;
  if (!paths) return names;
  for (const auto& [path, field] : *paths) {
    if (path.size() == 1 && field == id) names.push_back(path[0]);
  }
  return names;
}

}  // namespace weir::exec

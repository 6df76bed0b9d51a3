#include "exec/duckdb/name_mapping.h"

#include <map>
#include <nlohmann/json.hpp>

namespace weir::exec {

namespace {

constexpr char kProperty[] = "schema.name-mapping.default";

using Paths = std::map<std::vector<std::string>, FieldId>;

/// Lists, maps and their parts appear in the mapping by the names of the Parquet schema: element, key, value.
Status Collect(const nlohmann::json& fields, const std::vector<std::string>& parent, Paths& paths) {
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
      if (id != field.end() && id->is_number_integer()) paths[path] = FieldId{id->get<int32_t>()};
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
        // DuckDB shows the repeated group of a map as a level of its own.
        std::vector<std::string> plain;
        for (const std::string& name : path) {
          if (name != "key_value") plain.push_back(name == "list" ? "element" : name);
        }
        const auto it = paths.find(plain);
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

#include "session/listing.h"

#include "base/ascii.h"
#include "type/spark_names.h"

namespace weir::session {
namespace {

plan::Column TextColumn(int32_t id, std::string name, bool nullable = false) {
  return {ColumnId{id}, std::move(name), Type::String(), nullable};
}

Scalar Text(std::string text) { return Scalar::String(std::move(text)); }

/// Linear in both: a mismatch only ever goes back to the last star.
bool MatchesOne(std::string_view name, std::string_view pattern) {
  size_t n = 0, p = 0;
  size_t star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && AsciiLower(pattern[p]) == AsciiLower(name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string PartitionStruct(const table::Snapshot& snapshot) {
  const Type type = table::PartitionType(snapshot.specs, [&](FieldId id) { return snapshot.FindField(id); });
  std::vector<std::string> members;
  for (const Field& field : type.fields()) {
    members.push_back(fmt::format("{}:{}", field.name, field.type.ToString()));
  }
  return fmt::format("struct<{}>", fmt::join(members, ","));
}

std::string PropertyText(const table::Snapshot& snapshot) {
  table::Properties properties = snapshot.properties;
  properties["current-snapshot-id"] = snapshot.id ? std::to_string(snapshot.id->value) : "none";
  properties["format"] = fmt::format("{}/{}", snapshot.format_name, table::ToString(snapshot.layout.format));
  properties["format-version"] = std::to_string(snapshot.format_version);
  std::vector<std::string> pairs;
  for (const auto& [key, value] : properties) pairs.push_back(fmt::format("{}={}", key, value));
  return fmt::format("[{}]", fmt::join(pairs, ","));
}

Scalar CommentOf(const Field& field) {
  return field.doc.empty() ? Scalar::Null(Type::String()) : Text(field.doc);
}

void AddLine(Listing& listing, std::string name, std::string type) {
  listing.rows.push_back({Text(std::move(name)), Text(std::move(type)), Text("")});
}

}  // namespace

Batch ToBatch(const Listing& listing) {
  std::vector<Type> types;
  for (const plan::Column& column : listing.columns) types.push_back(column.type);
  return MakeBatch(types, listing.rows);
}

Listing DescribeTable(const table::Snapshot& snapshot, std::string_view name, bool extended) {
  Listing listing{{TextColumn(1, "col_name"), TextColumn(2, "data_type"), TextColumn(3, "comment", true)},
                  {}};
  for (const Field& field : snapshot.schema.fields) {
    listing.rows.push_back({Text(field.name), Text(SparkType(field.type).ToString()), CommentOf(field)});
  }
  const std::vector<table::PartitionField>& fields = snapshot.default_spec().fields;
  const bool all_identity = std::ranges::all_of(fields, [](const table::PartitionField& field) {
    return field.transform.kind == Transform::Kind::kIdentity;
  });
  if (!fields.empty() && all_identity) {
    AddLine(listing, "# Partition Information", "");
    listing.rows.push_back({Text("# col_name"), Text("data_type"), Text("comment")});
    for (const table::PartitionField& field : fields) {
      const Field* source = snapshot.FindField(field.source_id);
      if (source == nullptr) continue;
      listing.rows.push_back({Text(snapshot.schema.PathOf(field.source_id).value_or(source->name)),
                              Text(SparkType(source->type).ToString()), CommentOf(*source)});
    }
  } else if (!fields.empty()) {
    AddLine(listing, "", "");
    AddLine(listing, "# Partitioning", "");
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::string column = snapshot.schema.PathOf(fields[i].source_id).value_or("?");
      AddLine(listing, fmt::format("Part {}", i), TransformSql(fields[i].transform, column));
    }
  }
  if (!extended) return listing;
  AddLine(listing, "", "");
  AddLine(listing, "# Metadata Columns", "");
  AddLine(listing, "_spec_id", "int");
  AddLine(listing, "_partition", PartitionStruct(snapshot));
  AddLine(listing, "_file", "string");
  AddLine(listing, "_pos", "bigint");
  AddLine(listing, "", "");
  AddLine(listing, "# Detailed Table Information", "");
  AddLine(listing, "Name", std::string(name));
  AddLine(listing, "Type", "MANAGED");
  if (const auto comment = snapshot.properties.find("comment"); comment != snapshot.properties.end()) {
    AddLine(listing, "Comment", comment->second);
  }
  AddLine(listing, "Location", snapshot.location);
  AddLine(listing, "Provider", snapshot.format_name);
  AddLine(listing, "Table Properties", PropertyText(snapshot));
  return listing;
}

Listing ListTables(const std::vector<std::vector<std::string>>& tables, std::string_view pattern) {
  Listing listing{{TextColumn(1, "namespace"),
                   TextColumn(2, "tableName"),
                   {ColumnId{3}, "isTemporary", Type::Boolean(), false}},
                  {}};
  for (const std::vector<std::string>& table : tables) {
    if (table.empty() || (!pattern.empty() && !MatchesPattern(table.back(), pattern))) continue;
    const std::vector<std::string> parent(table.begin(), table.end() - 1);
    listing.rows.push_back(
        {Text(fmt::format("{}", fmt::join(parent, "."))), Text(table.back()), Scalar::Boolean(false)});
  }
  return listing;
}

Listing ListNamespaces(const std::vector<std::vector<std::string>>& namespaces, std::string_view pattern) {
  Listing listing{{TextColumn(1, "namespace")}, {}};
  for (const std::vector<std::string>& name : namespaces) {
    const std::string dotted = fmt::format("{}", fmt::join(name, "."));
    if (pattern.empty() || MatchesPattern(dotted, pattern)) listing.rows.push_back({Text(dotted)});
  }
  return listing;
}

Listing ListSettings(const Conf& conf, std::string_view key) {
  Listing listing{{TextColumn(1, "key"), TextColumn(2, "value")}, {}};
  if (!key.empty()) {
    listing.rows.push_back({Text(std::string(key)), Text(conf.Get(key).value_or("<undefined>"))});
    return listing;
  }
  for (const auto& [name, value] : conf.values()) listing.rows.push_back({Text(name), Text(value)});
  return listing;
}

Listing PlanText(std::string text) { return {{TextColumn(1, "plan")}, {{Text(std::move(text))}}, true}; }

bool MatchesPattern(std::string_view name, std::string_view pattern) {
  while (true) {
    const size_t bar = pattern.find('|');
    std::string_view one = pattern.substr(0, bar);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
    if (MatchesOne(name, one)) return true;
    if (bar == std::string_view::npos) return false;
    pattern.remove_prefix(bar + 1);
  }
}

}  // namespace weir::session

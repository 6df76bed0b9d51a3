#include "table/iceberg/partitioning.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/ascii.h"
#include "table/iceberg/single_value.h"

namespace weir::iceberg {

namespace {

bool IsTimeTransform(const Transform& transform) {
  return transform.kind >= Transform::Kind::kYear && transform.kind <= Transform::Kind::kHour;
}

/// A form value as Java's URLEncoder writes it.
void AppendEncoded(std::string& to, std::string_view text) {
  for (const char c : text) {
    const bool plain = IsAsciiLetter(c) || IsAsciiDigit(c) || c == '.' || c == '-' || c == '*' || c == '_';
    if (plain) {
      to += c;
    } else if (c == ' ') {
      to += '+';
    } else {
      to += fmt::format("%{:02X}", static_cast<uint8_t>(c));
    }
  }
}

/// A field reached through structs only; null if absent or inside a list or map.
const Field* FindInStructs(const std::vector<Field>& fields, FieldId id) {
  for (const Field& field : fields) {
    if (field.id == id) return &field;
    if (field.type.kind() != TypeKind::kStruct) continue;
    if (const Field* found = FindInStructs(field.type.fields(), id)) return found;
  }
  return nullptr;
}

Status CheckName(const PartitionField& field, const Schema& schema, bool creating,
                 std::set<std::string>& names) {
  if (field.name.empty()) return Invalid("a partition field has no name");
  if (!names.insert(field.name).second) {
    return Invalid("two partition fields are named {}", field.name);
  }
  const Field* column = schema.FindByName(field.name);
  if (column == nullptr) return {};
  if (field.transform.kind == Transform::Kind::kIdentity || !creating) {
    if (column->id == field.source_id) return {};
    return Invalid("partition field {} has the name of another column than its source", field.name);
  }
  return Invalid("partition field {} has the name of a column", field.name);
}

}  // namespace

Result<std::vector<Type>> PartitionTypes(const PartitionSpec& spec, const FindFieldById& find) {
  std::vector<Type> types;
  for (const PartitionField& field : spec.fields) {
    const Field* source = find(field.source_id);
    switch (field.transform.kind) {
      case Transform::Kind::kBucket:
      case Transform::Kind::kYear:
      case Transform::Kind::kMonth:
      case Transform::Kind::kHour:
        types.push_back(Type::Int());
        continue;
      case Transform::Kind::kDay:
        types.push_back(Type::Date());
        continue;
      case Transform::Kind::kVoid:
        types.push_back(source != nullptr ? source->type : Type::Void());
        continue;
      case Transform::Kind::kUnknown:
        types.push_back(Type::Void());
        continue;
      default:
        break;
    }
    if (source == nullptr) {
      types.push_back(Type::Void());
      continue;
    }
    auto type = field.transform.ResultType(source->type);
    if (!type) {
      return Corrupt("partition field {}: transform {} does not take type {}", field.name,
                     field.transform.ToString(), source->type.ToString());
    }
    types.push_back(*std::move(type));
  }
  return types;
}

std::string PartitionPath(const PartitionSpec& spec, const std::vector<Scalar>& values) {
  std::string path;
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    if (i > 0) path += '/';
    AppendEncoded(path, spec.fields[i].name);
    path += '=';
    AppendEncoded(path, spec.fields[i].transform.PathText(values[i]));
  }
  return path;
}

std::string DefaultPartitionName(const std::string& column_path, const Transform& transform, bool numbered) {
  const std::string number = numbered ? fmt::format("_{}", transform.parameter) : "";
  switch (transform.kind) {
    case Transform::Kind::kIdentity:
      return column_path;
    case Transform::Kind::kBucket:
      return column_path + "_bucket" + number;
    case Transform::Kind::kTruncate:
      return column_path + "_trunc" + number;
    case Transform::Kind::kVoid:
      return column_path + "_null";
    default:
      return fmt::format("{}_{}", column_path, transform.ToString());
  }
}

Status CheckSpec(const PartitionSpec& spec, const Schema& schema, bool creating) {
  std::set<std::string> names;
  std::set<std::pair<int32_t, std::string>> transforms;
  for (const PartitionField& field : spec.fields) {
    if (field.transform.kind == Transform::Kind::kUnknown) {
      return Unsupported("partition transform '{}' is not supported for writing", field.transform.name);
    }
    const Field* source = FindInStructs(schema.fields, field.source_id);
    if (source == nullptr) {
      if (field.transform.kind == Transform::Kind::kVoid) continue;
      if (schema.Find(field.source_id) != nullptr) {
        return Invalid("partition field {}: its source column lies in a list or map", field.name);
      }
      return Invalid("partition field {}: its source column is not in the schema", field.name);
    }
    if (source->type.is_nested()) {
      return Invalid("cannot partition by a column of type {}: only primitive types can be",
                     source->type.ToString());
    }
    if (!field.transform.ResultType(source->type)) {
      return Invalid("a column of type {} cannot be partitioned by {}", source->type.ToString(),
                     field.transform.ToString());
    }
    WEIR_DO(CheckName(field, schema, creating, names));
    const bool one_per_column = creating && IsTimeTransform(field.transform);
    const std::string dedup_name = one_per_column ? "time" : field.transform.ToString();
    if (!transforms.emplace(field.source_id.value, dedup_name).second) {
      return Invalid("partition field {} repeats another one", field.name);
    }
  }
  return {};
}

}  // namespace weir::iceberg

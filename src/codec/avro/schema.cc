#include "codec/avro/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace weir::avro {

struct Schema::Node {
  Kind kind = Kind::kNull;
  LogicalType logical = {};
  std::string name = {};
  uint32_t size_bytes = 0;
  std::vector<std::string> symbols = {};
  std::vector<Field> fields = {};
  bool map_is_array = false;
  int depth = 0;

  /// Seals a nested node.
  static std::shared_ptr<const Node> Nested(Node node) {
    for (const Field& field : node.fields) node.depth = std::max(node.depth, field.schema.depth());
    ++node.depth;
    return std::make_shared<const Node>(std::move(node));
  }

  bool operator==(const Node&) const = default;
};

std::string_view ToString(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return "boolean";
    case Kind::kInt:
      return "int";
    case Kind::kLong:
      return "long";
    case Kind::kFloat:
      return "float";
    case Kind::kDouble:
      return "double";
    case Kind::kBytes:
      return "bytes";
    case Kind::kString:
      return "string";
    case Kind::kFixed:
      return "fixed";
    case Kind::kEnum:
      return "enum";
    case Kind::kRecord:
      return "record";
    case Kind::kArray:
      return "array";
    case Kind::kMap:
      return "map";
    case Kind::kUnion:
      return "union";
    case Kind::kAny:
      return "any";
  }
  return "any";
}

Schema::Schema() : Schema(Null()) {}

// Primitive schemas share one node each: they are made in great numbers.
#define WEIR_AVRO_PRIMITIVE(name)                                                       \
  Schema Schema::name() {                                                               \
    static const auto node = std::make_shared<const Node>(Node{.kind = Kind::k##name}); \
    return Schema(node);                                                                \
  }
WEIR_AVRO_PRIMITIVE(Null)
WEIR_AVRO_PRIMITIVE(Boolean)
WEIR_AVRO_PRIMITIVE(Int)
WEIR_AVRO_PRIMITIVE(Long)
WEIR_AVRO_PRIMITIVE(Float)
WEIR_AVRO_PRIMITIVE(Double)
WEIR_AVRO_PRIMITIVE(Bytes)
WEIR_AVRO_PRIMITIVE(String)
WEIR_AVRO_PRIMITIVE(Any)
#undef WEIR_AVRO_PRIMITIVE

Schema Schema::Fixed(std::string name, uint32_t size_bytes) {
  return Schema(std::make_shared<const Node>(
      Node{.kind = Kind::kFixed, .name = std::move(name), .size_bytes = size_bytes}));
}

Schema Schema::Enum(std::string name, std::vector<std::string> symbols) {
  return Schema(std::make_shared<const Node>(
      Node{.kind = Kind::kEnum, .name = std::move(name), .symbols = std::move(symbols)}));
}

Schema Schema::Record(std::string name, std::vector<Field> fields) {
  return Schema(Node::Nested({.kind = Kind::kRecord, .name = std::move(name), .fields = std::move(fields)}));
}

Schema Schema::Array(Schema element, std::optional<FieldId> element_id) {
  return Schema(
      Node::Nested({.kind = Kind::kArray, .fields = {{"element", element_id, std::move(element), ""}}}));
}

Schema Schema::Map(Schema value, std::optional<FieldId> key_id, std::optional<FieldId> value_id) {
  return Schema(
      Node::Nested({.kind = Kind::kMap,
                    .fields = {{"key", key_id, String(), ""}, {"value", value_id, std::move(value), ""}}}));
}

Schema Schema::ArrayMap(Schema key, std::optional<FieldId> key_id, Schema value,
                        std::optional<FieldId> value_id, std::string entry_name) {
  if (entry_name.empty()) {
    entry_name = fmt::format("k{}_v{}", key_id.value_or(FieldId{}).value, value_id.value_or(FieldId{}).value);
  }
  return Schema(Node::Nested(
      {.kind = Kind::kMap,
       .name = std::move(entry_name),
       .fields = {{"key", key_id, std::move(key), ""}, {"value", value_id, std::move(value), ""}},
       .map_is_array = true}));
}

Schema Schema::Union(std::vector<Schema> branches) {
  std::vector<Field> fields;
  fields.reserve(branches.size());
  for (Schema& branch : branches) fields.push_back({"", {}, std::move(branch), ""});
  return Schema(Node::Nested({.kind = Kind::kUnion, .fields = std::move(fields)}));
}

Schema Schema::Optional(Schema schema) { return Union({Null(), std::move(schema)}); }

Schema Schema::With(LogicalType logical) const {
  auto node = std::make_shared<Node>(*node_);
  node->logical = logical;
  return Schema(std::move(node));
}

Kind Schema::kind() const { return node_->kind; }
const LogicalType& Schema::logical() const { return node_->logical; }
const std::string& Schema::name() const { return node_->name; }
uint32_t Schema::size_bytes() const { return node_->size_bytes; }
const std::vector<std::string>& Schema::symbols() const { return node_->symbols; }
const std::vector<Field>& Schema::fields() const { return node_->fields; }
int Schema::depth() const { return node_->depth; }
bool Schema::map_is_array() const { return node_->map_is_array; }

bool Schema::is_optional() const {
  const std::vector<Field>& branches = fields();
  return kind() == Kind::kUnion && branches.size() == 2 &&
         (branches[0].schema.kind() == Kind::kNull) != (branches[1].schema.kind() == Kind::kNull);
}

const Schema& Schema::required() const {
  if (!is_optional()) return *this;
  return fields()[fields()[0].schema.kind() == Kind::kNull ? 1 : 0].schema;
}

const Field* Schema::FindField(FieldId id) const {
  for (const Field& field : fields()) {
    if (field.id == id) return &field;
  }
  return nullptr;
}

bool Schema::operator==(const Schema& other) const { return node_ == other.node_ || *node_ == *other.node_; }

std::string SanitizedName(std::string_view name) {
  auto letter = [](char c) { return IsAsciiLetter(c) || c == '_'; };
  std::string out;
  for (size_t i = 0; i < name.size();) {
    const char c = name[i];
    if (letter(c) || (IsAsciiDigit(c) && i > 0)) {
      out.push_back(c);
      ++i;
      continue;
    }
    if (IsAsciiDigit(c)) {
      out += {'_', c};
      ++i;
      continue;
    }
    // One UTF-16 unit at a time, as Java counts characters: a pair of surrogates gives two escapes.
    const auto lead = static_cast<uint8_t>(c);
    size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    length = std::min(length, name.size() - i);
    uint32_t code = length == 1 ? lead : lead & (0x7f >> length);
    for (size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<uint8_t>(name[i + k]) & 0x3f);
    if (code < 0x10000) {
      out += fmt::format("_x{:X}", code);
    } else {
      out +=
          fmt::format("_x{:X}_x{:X}", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
    i += length;
  }
  return out;
}

}  // namespace weir::avro

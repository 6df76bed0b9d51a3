#pragma once

/// Avro schemas: a small immutable tree, read from and written to JSON, with the ids that Iceberg adds.
/// The same tree says what a file holds (writer schema) and what a reader wants of it (see container.h).
/// Thread rule: immutable values; nested parts are shared.
/// Spec: Apache Avro 1.12, "Schema Declaration", "Logical Types"; Iceberg, Appendix A, "Avro".

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "type/ids.h"

namespace weir::avro {

enum class Kind : uint8_t {
  kNull,
  kBoolean,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kBytes,
  kString,
  kFixed,
  kEnum,
  kRecord,
  kArray,
  kMap,    ///< String keys, or any keys where Schema::map_is_array().
  kUnion,  ///< Of a schema only: a value has the kind of its branch.
  kAny,    ///< Only in what a reader wants: whatever the file holds.
};
std::string_view ToString(Kind kind);

enum class Logical : uint8_t {
  kNone,
  kDate,
  kTimeMillis,
  kTimeMicros,
  kTimestampMillis,
  kTimestampMicros,
  kTimestampNanos,
  kLocalTimestampMillis,
  kLocalTimestampMicros,
  kLocalTimestampNanos,
  kDecimal,
  kUuid,
};

/// What a value means beyond its bytes. It never changes how a value is encoded.
struct LogicalType {
  Logical kind = Logical::kNone;
  int precision = 0;  ///< kDecimal.
  int scale = 0;      ///< kDecimal.
  /// Iceberg's `adjust-to-utc` of a timestamp: true for timestamptz, false for timestamp, absent elsewhere.
  std::optional<bool> adjust_to_utc;

  bool operator==(const LogicalType&) const = default;
};

struct Field;

class Schema {
 public:
  Schema();  ///< Null().
  static Schema Null();
  static Schema Boolean();
  static Schema Int();
  static Schema Long();
  static Schema Float();
  static Schema Double();
  static Schema Bytes();
  static Schema String();
  static Schema Any();
  /// Names are full names: "a.b.name", or "name" in the null namespace.
  static Schema Fixed(std::string name, uint32_t size_bytes);
  static Schema Enum(std::string name, std::vector<std::string> symbols);
  static Schema Record(std::string name, std::vector<Field> fields);
  static Schema Array(Schema element, std::optional<FieldId> element_id = {});
  /// Keys are strings.
  static Schema Map(Schema value, std::optional<FieldId> key_id = {}, std::optional<FieldId> value_id = {});
  /// Iceberg's form for keys of any type: an array of records {key, value}. An empty name becomes
  /// "k<key id>_v<value id>".
  static Schema ArrayMap(Schema key, std::optional<FieldId> key_id, Schema value,
                         std::optional<FieldId> value_id, std::string entry_name = {});
  static Schema Union(std::vector<Schema> branches);
  /// The union [null, schema].
  static Schema Optional(Schema schema);
  /// The same schema with a meaning.
  Schema With(LogicalType logical) const;

  Kind kind() const;
  const LogicalType& logical() const;
  /// Full name of a record, enum or fixed; of the entry record of an array map; else empty.
  const std::string& name() const;
  uint32_t size_bytes() const;                      ///< kFixed.
  const std::vector<std::string>& symbols() const;  ///< kEnum.
  /// Record: its fields. Array: "element". Map: "key" and "value". Union: its branches, without names. Else
  /// empty.
  const std::vector<Field>& fields() const;
  bool map_is_array() const;  ///< kMap only: encoded as an array of records.
  int depth() const;          ///< Levels of nesting, through named types too; 0 for a primitive.
  /// True for a union of null and one other schema, in either order.
  bool is_optional() const;
  /// The other branch of an optional; else the schema itself.
  const Schema& required() const;

  /// The record's field with this id; null if absent.
  const Field* FindField(FieldId id) const;

  /// Deep; docs count.
  bool operator==(const Schema& other) const;
  /// The same for every copy of one schema: a key for memo tables.
  const void* identity() const { return node_.get(); }

  /// Reads the JSON form. Names may be of any form (foreign writers are lenient). Attributes that this tree
  /// has no place for are dropped; a logical type that is unknown or not valid is ignored, as the spec
  /// demands. Errors: kCorrupt where the spec is broken; kUnsupported for a record that contains itself.
  static Result<Schema> Parse(std::string_view json);

  /// The JSON form. A field name that Avro does not allow is written as Iceberg does: sanitized, with the
  /// true name in `iceberg-field-name` (Parse restores it). A field whose type begins with null gets the
  /// default null. Errors: kInvalid for a bad or doubly used name, a bad union, or kAny.
  Result<std::string> ToJson() const;

 private:
  struct Node;
  explicit Schema(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

/// A record field; also the element, key, value or branch of a nested schema (see Schema::fields).
struct Field {
  std::string name;
  /// `field-id`, `element-id`, `key-id` or `value-id`. 0 is an id like any other.
  std::optional<FieldId> id;
  Schema schema;
  std::string doc;

  bool operator==(const Field&) const = default;
};

/// Iceberg's form of a name that Avro allows: other characters become "_x" and their code in hex; a leading
/// digit gets "_" before it. A valid name is unchanged.
std::string SanitizedName(std::string_view name);

}  // namespace weir::avro

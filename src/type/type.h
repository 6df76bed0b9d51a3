#pragma once

/// Logical types and schemas: the union of what Spark SQL computes with and what Iceberg stores.
/// Thread rule: immutable values; nested parts are shared.
/// Spec: Iceberg, "Schemas and Data Types"; Spark SQL, "Data Types".

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "type/ids.h"

namespace weir {

enum class TypeKind : uint8_t {
  kVoid,  ///< The type of NULL.
  kBoolean,
  kByte,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kDecimal,
  kDate,          ///< Days since 1970-01-01.
  kTime,          ///< Microseconds since midnight. Iceberg only.
  kTimestamp,     ///< An instant, microseconds since the epoch in UTC. Iceberg: timestamptz.
  kTimestampNtz,  ///< A wall clock reading, microseconds. Iceberg: timestamp.
  kString,
  kBinary,
  kFixed,              ///< Bytes of one length. Iceberg only; Spark sees binary.
  kUuid,               ///< 16 bytes, big-endian. Iceberg only; Spark sees string.
  kIntervalYearMonth,  ///< Months.
  kIntervalDayTime,    ///< Microseconds.
  kArray,
  kMap,
  kStruct,
};

struct Field;

class Type {
 public:
  Type() = default;  ///< kVoid.
  static Type Void() { return Type(TypeKind::kVoid); }
  static Type Boolean() { return Type(TypeKind::kBoolean); }
  static Type Byte() { return Type(TypeKind::kByte); }
  static Type Short() { return Type(TypeKind::kShort); }
  static Type Int() { return Type(TypeKind::kInt); }
  static Type Long() { return Type(TypeKind::kLong); }
  static Type Float() { return Type(TypeKind::kFloat); }
  static Type Double() { return Type(TypeKind::kDouble); }
  static Type Date() { return Type(TypeKind::kDate); }
  static Type Time() { return Type(TypeKind::kTime); }
  static Type Timestamp() { return Type(TypeKind::kTimestamp); }
  static Type TimestampNtz() { return Type(TypeKind::kTimestampNtz); }
  static Type String() { return Type(TypeKind::kString); }
  static Type Binary() { return Type(TypeKind::kBinary); }
  static Type Uuid() { return Type(TypeKind::kUuid); }
  static Type IntervalYearMonth() { return Type(TypeKind::kIntervalYearMonth); }
  static Type IntervalDayTime() { return Type(TypeKind::kIntervalDayTime); }
  /// precision in [1, 38], scale in [0, precision]; the caller has checked them.
  static Type Decimal(int precision, int scale);
  static Type Fixed(int length_bytes);
  static Type Array(Field element);         ///< The field is named "element".
  static Type Map(Field key, Field value);  ///< The fields are named "key" and "value"; the key is required.
  static Type Struct(std::vector<Field> fields);

  TypeKind kind() const { return kind_; }
  int precision() const { return precision_; }     ///< kDecimal.
  int scale() const { return scale_; }             ///< kDecimal.
  int length_bytes() const { return precision_; }  ///< kFixed.
  /// Array: element. Map: key, value. Struct: its fields. Else empty.
  const std::vector<Field>& fields() const;

  bool is_nested() const { return kind_ >= TypeKind::kArray; }
  bool is_integral() const { return kind_ >= TypeKind::kByte && kind_ <= TypeKind::kLong; }
  bool is_floating() const { return kind_ == TypeKind::kFloat || kind_ == TypeKind::kDouble; }
  /// Whether values are, or have in them, floating numbers: two that are equal need not be the same then,
  /// since -0.0 equals 0.0.
  bool holds_floating() const;
  bool is_numeric() const { return kind_ >= TypeKind::kByte && kind_ <= TypeKind::kDecimal; }

  /// Equal kind, parameters and, for nested types, field names, ids, types and nullability.
  bool operator==(const Type& other) const;

  /// Spark's DDL text in lower case, such as "decimal(12,2)", "array<int>", "struct<a:int>".
  std::string ToString() const;
  /// Spark's SQL text in upper case, as its error messages show it: "DECIMAL(12,2)", "ARRAY<INT>".
  std::string ToSql() const;

 private:
  explicit Type(TypeKind kind, int precision = 0, int scale = 0)
      : kind_(kind), precision_(precision), scale_(scale) {}

  TypeKind kind_ = TypeKind::kVoid;
  int precision_ = 0;
  int scale_ = 0;
  std::shared_ptr<const std::vector<Field>> fields_;
};

/// A named column, struct member, list element or map entry. Id 0 means "not assigned".
struct Field {
  FieldId id;
  std::string name;
  Type type;
  bool required = false;
  std::string doc;

  bool operator==(const Field&) const = default;
};

/// The field with the id at any depth; null if there is none.
const Field* FindNested(const std::vector<Field>& fields, FieldId id);

/// Types equal but for field ids, docs and nullability at any depth.
bool SameShape(const Type& a, const Type& b);

/// The type Spark computes with: uuid is string, fixed is binary, at any depth; others are unchanged.
Type SparkType(const Type& stored);

/// Top-level columns of a table at one point of its history.
struct Schema {
  int32_t schema_id = 0;
  std::vector<Field> fields;
  std::vector<FieldId> identifier_field_ids;

  /// Finds a field at any depth; null if absent. Lives as long as the schema.
  const Field* Find(FieldId id) const;
  /// Finds a top-level field by exact name; null if absent.
  const Field* FindByName(std::string_view name) const;
  /// Dotted path of a field at any depth, such as "a.element.b"; nullopt if absent.
  std::optional<std::string> PathOf(FieldId id) const;
};

/// Parses Spark's DDL type text in any case: "int", "decimal(10, 2)", "array<struct<a: int>>". Ids are 0.
/// Errors: kInvalid naming the text and the offset.
Result<Type> ParseType(std::string_view text);

}  // namespace weir

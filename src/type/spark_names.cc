#include "type/spark_names.h"

namespace weir {

std::optional<Type> TypeOfWord(std::string_view word) {
  static const std::pair<std::string_view, Type> kTypes[] = {
      {"boolean", Type::Boolean()},
      {"tinyint", Type::Byte()},
      {"byte", Type::Byte()},
      {"smallint", Type::Short()},
      {"short", Type::Short()},
      {"int", Type::Int()},
      {"integer", Type::Int()},
      {"bigint", Type::Long()},
      {"long", Type::Long()},
      {"float", Type::Float()},
      {"real", Type::Float()},
      {"double", Type::Double()},
      {"date", Type::Date()},
      {"timestamp", Type::Timestamp()},
      {"timestamp_ltz", Type::Timestamp()},
      {"timestamp_ntz", Type::TimestampNtz()},
      {"string", Type::String()},
      {"binary", Type::Binary()},
      {"void", Type::Void()},
  };
  for (const auto& [known, type] : kTypes) {
    if (known == word) return type;
  }
  return std::nullopt;
}

std::string TransformSql(const Transform& transform, std::string_view column) {
  switch (transform.kind) {
    case Transform::Kind::kIdentity:
      return std::string(column);
    case Transform::Kind::kBucket:
      return fmt::format("bucket({}, {})", transform.parameter, column);
    case Transform::Kind::kTruncate:
      return fmt::format("truncate({}, {})", transform.parameter, column);
    case Transform::Kind::kYear:
      return fmt::format("years({})", column);
    case Transform::Kind::kMonth:
      return fmt::format("months({})", column);
    case Transform::Kind::kDay:
      return fmt::format("days({})", column);
    case Transform::Kind::kHour:
      return fmt::format("hours({})", column);
    case Transform::Kind::kVoid:
    case Transform::Kind::kUnknown:
      break;
  }
  return fmt::format("{}({})", transform.ToString(), column);
}

}  // namespace weir

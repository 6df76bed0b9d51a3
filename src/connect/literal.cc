#include <charconv>

#include "connect/decode.h"
#include "type/scalar_text.h"

namespace weir::connect {
namespace {

using Literal = proto::Expression::Literal;

Field Element(std::string name, Type type, bool nullable) {
  return {{}, std::move(name), std::move(type), !nullable, {}};
}

/// "-12.340" as unscaled value, digits and scale.
Result<Scalar> DecimalOf(const Literal::Decimal& decimal) {
  const std::string& text = decimal.value();
  std::string digits;
  int scale = 0;
  int64_t exponent = 0;
  bool negative = false, fraction = false;
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      digits += c;
      scale += fraction ? 1 : 0;
    } else {
      break;
    }
  }
  bool whole = !digits.empty();
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const char* begin = text.data() + at + 1;
    if (*begin == '+') ++begin;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), exponent);
    whole = whole && error == std::errc() && end == text.data() + text.size() && exponent > -100 &&
            exponent < 100;
  } else {
    whole = whole && at == text.size();
  }
  if (!whole) return InvalidPlan(fmt::format("'{}' is not a decimal", text));
  int64_t real_scale = scale - exponent;
  for (; real_scale < 0; ++real_scale) digits += '0';
  std::optional<Int128> unscaled = ParseInt128((negative ? "-" : "") + digits);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  int precision =
      std::max<int>(static_cast<int>(std::min<size_t>(digits.size(), 99)), static_cast<int>(real_scale));
  int wanted_scale = static_cast<int>(real_scale);
  if (decimal.has_precision()) precision = std::max(precision, decimal.precision());
  if (decimal.has_scale() && decimal.scale() > wanted_scale && unscaled) {
    const int more = std::min(decimal.scale(), 39) - wanted_scale;
    precision = std::max(precision, static_cast<int>(digits.size()) + more);
    for (int i = 0; i < more && precision <= 38; ++i) *unscaled *= 10;
    wanted_scale += more;
  }
  if (!unscaled || precision > 38) {
    return Invalid("'{}' has more than 38 digits", text)
        .WithCondition({"DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
                        "22003",
                        {{"precision", std::to_string(precision)}, {"maxPrecision", "38"}},
                        std::nullopt,
                        ""});
  }
  return Scalar::Decimal(*unscaled, precision, wanted_scale);
}

Result<Scalar> Decode(const Literal& literal, const proto::DataType* type, int depth);

/// Elements of one type: what the message says, else that of the first.
Result<std::vector<Scalar>> Elements(const google::protobuf::RepeatedPtrField<Literal>& elements,
                                     const proto::DataType* type, int depth) {
  std::vector<Scalar> values;
  for (const Literal& element : elements) {
    WEIR_TRY(Scalar value, Decode(element, type, depth + 1));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Type> TypeOf(const proto::DataType* declared, const std::vector<Scalar>& values) {
  if (declared != nullptr && declared->kind_case() != proto::DataType::KIND_NOT_SET)
    return DecodeType(*declared);
  for (const Scalar& value : values) {
    if (!value.is_null()) return value.type();
  }
  return values.empty() ? Type::Void() : values[0].type();
}

/// The values as the type that all of them have; NULLs take it over.
std::vector<Scalar> Typed(std::vector<Scalar> values, const Type& type) {
  for (Scalar& value : values) value = Scalar(type, value.payload());
  return values;
}

Result<Scalar> DecodeArray(const Literal::Array& array, const proto::DataType* declared, int depth) {
  const proto::DataType* element = declared != nullptr && declared->has_array()
                                       ? &declared->array().element_type()
                                   : array.has_element_type() ? &array.element_type()
                                                              : nullptr;
  WEIR_TRY(std::vector<Scalar> values, Elements(array.elements(), element, depth));
  WEIR_TRY(Type type, TypeOf(element, values));
  bool nullable = false;
  for (const Scalar& value : values) nullable = nullable || value.is_null();
  if (declared != nullptr && declared->has_array()) nullable = declared->array().contains_null();
  Type whole = Type::Array(Element("element", type, nullable));
  return Scalar(std::move(whole), Typed(std::move(values), type));
}

Result<Scalar> DecodeMap(const Literal::Map& map, const proto::DataType* declared, int depth) {
  const proto::DataType *key = nullptr, *value = nullptr;
  if (declared != nullptr && declared->has_map()) {
    key = &declared->map().key_type();
    value = &declared->map().value_type();
  } else if (map.has_key_type()) {
    key = &map.key_type();
    value = &map.value_type();
  }
  if (map.keys_size() != map.values_size())
    return InvalidPlan("a map literal has more keys than values, or fewer");
  WEIR_TRY(std::vector<Scalar> keys, Elements(map.keys(), key, depth));
  WEIR_TRY(std::vector<Scalar> values, Elements(map.values(), value, depth));
  WEIR_TRY(Type key_type, TypeOf(key, keys));
  WEIR_TRY(Type value_type, TypeOf(value, values));
  bool nullable = false;
  std::vector<Scalar> entries;
  for (size_t i = 0; i < keys.size(); ++i) {
    nullable = nullable || values[i].is_null();
    entries.push_back(Scalar(key_type, keys[i].payload()));
    entries.push_back(Scalar(value_type, values[i].payload()));
  }
  if (declared != nullptr && declared->has_map()) nullable = declared->map().value_contains_null();
  return Scalar(Type::Map(Element("key", key_type, false), Element("value", value_type, nullable)),
                std::move(entries));
}

Result<Scalar> DecodeStruct(const Literal::Struct& node, const proto::DataType* declared, int depth) {
  const proto::DataType::Struct* type = nullptr;
  if (declared != nullptr && declared->has_struct_()) {
    type = &declared->struct_();
  } else if (node.has_struct_type() && node.struct_type().has_struct_()) {
    type = &node.struct_type().struct_();
  }
  if (type == nullptr || type->fields_size() != node.elements_size()) {
    return InvalidPlan("a struct literal does not have the members of its type");
  }
  std::vector<Field> fields;
  std::vector<Scalar> members;
  for (int i = 0; i < node.elements_size(); ++i) {
    const proto::DataType& member = type->fields(i).data_type();
    WEIR_TRY(Scalar value, Decode(node.elements(i), &member, depth + 1));
    Type field_type = value.type();
    if (member.kind_case() != proto::DataType::KIND_NOT_SET) {
      WEIR_TRY(field_type, DecodeType(member));
    }
    members.push_back(Scalar(field_type, value.payload()));
    fields.push_back(Element(type->fields(i).name(), std::move(field_type), type->fields(i).nullable()));
  }
  return Scalar(Type::Struct(std::move(fields)), std::move(members));
}

template <typename Values>
Result<Scalar> ArrayOf(const Values& values, const Type& type) {
  std::vector<Scalar> elements;
  for (const auto& value : values.values()) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      elements.push_back(Scalar(type, value));
    } else if constexpr (std::is_integral_v<std::decay_t<decltype(value)>> &&
                         !std::is_same_v<std::decay_t<decltype(value)>, bool>) {
      elements.push_back(Scalar(type, static_cast<int64_t>(value)));
    } else {
      elements.push_back(Scalar(type, value));
    }
  }
  return Scalar(Type::Array(Element("element", type, false)), std::move(elements));
}

Result<Scalar> DecodeSpecialized(const Literal::SpecializedArray& array) {
  using Kind = Literal::SpecializedArray::ValueTypeCase;
  switch (array.value_type_case()) {
    case Kind::kBools:
      return ArrayOf(array.bools(), Type::Boolean());
    case Kind::kInts:
      return ArrayOf(array.ints(), Type::Int());
    case Kind::kLongs:
      return ArrayOf(array.longs(), Type::Long());
    case Kind::kFloats:
      return ArrayOf(array.floats(), Type::Float());
    case Kind::kDoubles:
      return ArrayOf(array.doubles(), Type::Double());
    case Kind::kStrings:
      return ArrayOf(array.strings(), Type::String());
    case Kind::VALUE_TYPE_NOT_SET:
      break;
  }
  return InvalidPlan("an array literal has no values");
}

Result<Scalar> Decode(const Literal& literal, const proto::DataType* type, int depth) {
  using Kind = Literal::LiteralTypeCase;
  constexpr int kMaxNesting = 250;
  if (depth > kMaxNesting)
    return InvalidPlan(fmt::format("a literal is nested deeper than {} levels", kMaxNesting));
  if (literal.has_data_type()) type = &literal.data_type();
  switch (literal.literal_type_case()) {
    case Kind::kNull: {
      const proto::DataType& declared = type != nullptr && !literal.null().has_null() &&
                                                literal.null().kind_case() == proto::DataType::KIND_NOT_SET
                                            ? *type
                                            : literal.null();
      if (declared.kind_case() == proto::DataType::KIND_NOT_SET) return Scalar::Null(Type::Void());
      WEIR_TRY(Type null_type, DecodeType(declared));
      return Scalar::Null(std::move(null_type));
    }
    case Kind::kBinary:
      return Scalar::Binary(literal.binary());
    case Kind::kBoolean:
      return Scalar::Boolean(literal.boolean());
    case Kind::kByte:
      if (literal.byte() < INT8_MIN || literal.byte() > INT8_MAX)
        return InvalidPlan("a byte literal is out of range");
      return Scalar(Type::Byte(), int64_t{literal.byte()});
    case Kind::kShort:
      if (literal.short_() < INT16_MIN || literal.short_() > INT16_MAX) {
        return InvalidPlan("a short literal is out of range");
      }
      return Scalar(Type::Short(), int64_t{literal.short_()});
    case Kind::kInteger:
      return Scalar::Int(literal.integer());
    case Kind::kLong:
      return Scalar::Long(literal.long_());
    case Kind::kFloat:
      return Scalar::Float(literal.float_());
    case Kind::kDouble:
      return Scalar::Double(literal.double_());
    case Kind::kDecimal:
      return DecimalOf(literal.decimal());
    case Kind::kString:
      return Scalar::String(literal.string());
    case Kind::kDate:
      return Scalar::Date(literal.date());
    case Kind::kTimestamp:
      return Scalar::Timestamp(literal.timestamp());
    case Kind::kTimestampNtz:
      return Scalar::TimestampNtz(literal.timestamp_ntz());
    case Kind::kYearMonthInterval:
      return Scalar(Type::IntervalYearMonth(), int64_t{literal.year_month_interval()});
    case Kind::kDayTimeInterval:
      return Scalar(Type::IntervalDayTime(), int64_t{literal.day_time_interval()});
    case Kind::kArray:
      return DecodeArray(literal.array(), type, depth);
    case Kind::kMap:
      return DecodeMap(literal.map(), type, depth);
    case Kind::kStruct:
      return DecodeStruct(literal.struct_(), type, depth);
    case Kind::kSpecializedArray:
      return DecodeSpecialized(literal.specialized_array());
    case Kind::LITERAL_TYPE_NOT_SET:
      return InvalidPlan("a literal has no value");
    default: {
      const auto* field = Literal::descriptor()->FindFieldByNumber(literal.literal_type_case());
      return NotImplemented("literal " + (field != nullptr ? field->name() : "of an unknown kind"));
    }
  }
}

}  // namespace

Result<Scalar> DecodeLiteral(const Literal& literal) { return Decode(literal, nullptr, 0); }

}  // namespace weir::connect

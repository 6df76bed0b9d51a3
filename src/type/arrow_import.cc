#include <charconv>
#include <cstring>

#include "type/arrow.h"
#include "type/calendar.h"

namespace weir {
namespace {

enum class Layout : uint8_t {
  kNull,
  kBits,
  kFixed,    ///< `width` bytes that are the value.
  kDecimal,  ///< A little-endian integer of `width` bytes.
  kMonthDayNano,
  kText,  ///< 32-bit offsets.
  kLargeText,
  kTextView,
  kList,
  kLargeList,
  kStruct,
  kMap,
};

struct Format {
  Layout layout;
  Type type;  ///< Without children for nested layouts.
  int width = 0;
};

/// Comma-separated integers, such as the "12,2" of a decimal.
std::optional<std::vector<int>> ParseNumbers(std::string_view text) {
  std::vector<int> numbers;
  while (true) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(end - text.data());
    if (text.empty()) return numbers;
    if (text[0] != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

std::optional<Format> PlainFormat(std::string_view text) {
  static const std::pair<std::string_view, Format> kFormats[] = {
      {"n", {Layout::kNull, Type::Void()}},
      {"b", {Layout::kBits, Type::Boolean()}},
      {"c", {Layout::kFixed, Type::Byte(), 1}},
      {"s", {Layout::kFixed, Type::Short(), 2}},
      {"i", {Layout::kFixed, Type::Int(), 4}},
      {"l", {Layout::kFixed, Type::Long(), 8}},
      {"f", {Layout::kFixed, Type::Float(), 4}},
      {"g", {Layout::kFixed, Type::Double(), 8}},
      {"u", {Layout::kText, Type::String()}},
      {"U", {Layout::kLargeText, Type::String()}},
      {"vu", {Layout::kTextView, Type::String()}},
      {"z", {Layout::kText, Type::Binary()}},
      {"Z", {Layout::kLargeText, Type::Binary()}},
      {"vz", {Layout::kTextView, Type::Binary()}},
      {"tdD", {Layout::kFixed, Type::Date(), 4}},
      {"ttu", {Layout::kFixed, Type::Time(), 8}},
      {"tsu:", {Layout::kFixed, Type::TimestampNtz(), 8}},
      {"tiM", {Layout::kFixed, Type::IntervalYearMonth(), 4}},
      {"tDu", {Layout::kFixed, Type::IntervalDayTime(), 8}},
      {"tin", {Layout::kMonthDayNano, Type::IntervalDayTime(), 16}},
      {"+l", {Layout::kList, Type()}},
      {"+L", {Layout::kLargeList, Type()}},
      {"+s", {Layout::kStruct, Type()}},
      {"+m", {Layout::kMap, Type()}},
  };
  for (const auto& [known, format] : kFormats) {
    if (known == text) return format;
  }
  return std::nullopt;
}

Result<Format> FormatOf(const ArrowSchema& schema) {
  const std::string_view text = schema.format;
  if (schema.dictionary != nullptr) return Unsupported("Arrow dictionary of format '{}'", text);
  if (std::optional<Format> plain = PlainFormat(text)) return *std::move(plain);
  // Whatever the zone's name, the values are instants in UTC.
  if (text.starts_with("tsu:")) return Format{Layout::kFixed, Type::Timestamp(), 8};
  if (text.starts_with("w:")) {
    const auto numbers = ParseNumbers(text.substr(2));
    if (numbers && numbers->size() == 1)
      return Format{Layout::kFixed, Type::Fixed(numbers->at(0)), numbers->at(0)};
  }
  if (text.starts_with("d:")) {
    const auto numbers = ParseNumbers(text.substr(2));
    if (numbers && (numbers->size() == 2 || numbers->size() == 3)) {
      const int precision = numbers->at(0), scale = numbers->at(1);
      const int bits = numbers->size() == 3 ? numbers->at(2) : 128;
      if (precision >= 1 && precision <= 38 && scale <= precision &&
          (bits == 32 || bits == 64 || bits == 128)) {
        return Format{Layout::kDecimal, Type::Decimal(precision, scale), bits / 8};
      }
    }
  }
  return Unsupported("Arrow format '{}' of column '{}'", text, schema.name == nullptr ? "" : schema.name);
}

Result<Field> FieldFrom(const ArrowSchema& schema) {
  WEIR_TRY(Type type, TypeFromArrow(schema));
  return Field{.id = {},
               .name = schema.name == nullptr ? "" : schema.name,
               .type = std::move(type),
               .required = (schema.flags & ARROW_FLAG_NULLABLE) == 0,
               .doc = {}};
}

Status ExpectChildren(const ArrowSchema& schema, int64_t count) {
  if (schema.n_children == count) return {};
  return Corrupt("Arrow format '{}' with {} children, expected {}", schema.format, schema.n_children, count);
}

/// A run of rows of one array, to become a column of a type that goes with its layout.
class ColumnImporter {
 public:
  ColumnImporter(const ArrowArray& array, const ArrowSchema& schema, int64_t start, int64_t length)
      : array_(array), schema_(schema), start_(array.offset + start), length_(length) {}

  Result<ColumnVector> Run(const Type& type) {
    WEIR_TRY(const Format format, FormatOf(schema_));
    WEIR_DO(CheckType(format, type));
    column_.type = type;
    column_.length = length_;
    if (format.layout != Layout::kNull) CopyValidity();
    WEIR_DO(CopyValues(format));
    return std::move(column_);
  }

 private:
  bool Goes(const Format& format, const Type& type) const {
    switch (format.layout) {
      case Layout::kList:
      case Layout::kLargeList:
        return type.kind() == TypeKind::kArray;
      case Layout::kMap:
        return type.kind() == TypeKind::kMap;
      case Layout::kStruct:
        return type.kind() == TypeKind::kStruct &&
               type.fields().size() == static_cast<size_t>(schema_.n_children);
      case Layout::kDecimal:
        return type.kind() == TypeKind::kDecimal && type.scale() == format.type.scale();
      case Layout::kMonthDayNano:
        return format.type == type || type.kind() == TypeKind::kIntervalYearMonth;
      default:
        return format.type == type || (type.kind() == TypeKind::kUuid && format.type == Type::Fixed(16));
    }
  }

  Status CheckType(const Format& format, const Type& type) const {
    if (Goes(format, type)) return {};
    return Invalid("a column of type {} cannot come from Arrow format '{}'", type.ToString(), schema_.format);
  }

  template <typename T>
  const T* Buffer(int index) const {
    return static_cast<const T*>(array_.buffers[index]);
  }

  void CopyValidity() {
    const auto* bits = Buffer<uint8_t>(0);
    if (array_.null_count == 0 || bits == nullptr) return;
    column_.validity = CopyBits(bits);
  }

  std::vector<uint8_t> CopyBits(const uint8_t* bits) const {
    std::vector<uint8_t> copy((length_ + 7) / 8);
    if (start_ % 8 == 0 && length_ > 0) {
      std::memcpy(copy.data(), bits + start_ / 8, copy.size());
      return copy;
    }
    for (int64_t i = 0; i < length_; ++i) {
      const int64_t at = start_ + i;
      copy[i >> 3] |= static_cast<uint8_t>((bits[at >> 3] >> (at & 7) & 1) << (i & 7));
    }
    return copy;
  }

  Status CopyValues(const Format& format) {
    switch (format.layout) {
      case Layout::kNull:
        return {};
      case Layout::kBits:
        column_.values = CopyBits(Buffer<uint8_t>(1));
        return {};
      case Layout::kFixed:
        CopyFixed(format.width);
        return {};
      case Layout::kDecimal:
        return CopyDecimals(format.width);
      case Layout::kMonthDayNano:
        return CopyIntervals();
      case Layout::kText:
        return CopyText<int32_t>();
      case Layout::kLargeText:
        return CopyText<int64_t>();
      case Layout::kTextView:
        CopyViews();
        return {};
      case Layout::kList:
        return CopyList<int32_t>();
      case Layout::kLargeList:
        return CopyList<int64_t>();
      case Layout::kStruct:
        return CopyMembers(array_, schema_, start_, length_);
      case Layout::kMap:
        return CopyMap();
    }
    return {};
  }

  void CopyFixed(int width) {
    if (length_ == 0) return;
    const uint8_t* from = Buffer<uint8_t>(1) + start_ * width;
    column_.values.assign(from, from + length_ * width);
  }

  Status CopyDecimals(int width) {
    if (width == 16) {
      CopyFixed(width);
      return {};
    }
    column_.values.resize(length_ * sizeof(Int128));
    for (int64_t i = 0; i < length_; ++i) {
      const Int128 value =
          width == 4 ? Int128{Buffer<int32_t>(1)[start_ + i]} : Int128{Buffer<int64_t>(1)[start_ + i]};
      std::memcpy(column_.values.data() + i * sizeof(Int128), &value, sizeof(value));
    }
    return {};
  }

  Status CopyIntervals() {
    struct MonthDayNano {
      int32_t months, days;
      int64_t nanos;
    };
    const bool is_months = column_.type.kind() == TypeKind::kIntervalYearMonth;
    const int width = is_months ? 4 : 8;
    column_.values.resize(length_ * width);
    for (int64_t i = 0; i < length_; ++i) {
      if (column_.IsNull(i)) continue;
      const MonthDayNano from = Buffer<MonthDayNano>(1)[start_ + i];
      int64_t micros = 0;
      const bool fits = is_months ? from.days == 0 && from.nanos == 0
                                  : from.months == 0 && from.nanos % 1000 == 0 &&
                                        !__builtin_mul_overflow(from.days, kMicrosPerDay, &micros) &&
                                        !__builtin_add_overflow(micros, from.nanos / 1000, &micros);
      if (!fits) {
        return Unsupported("an interval of {} months, {} days and {} ns as {}", from.months, from.days,
                           from.nanos, column_.type.ToString());
      }
      const int64_t value = is_months ? from.months : micros;
      std::memcpy(column_.values.data() + i * width, &value, width);  // the low bytes
    }
    return {};
  }

  /// Copies the offsets counted from the first; returns the range of the child that they span.
  template <typename Offset>
  Result<std::pair<int64_t, int64_t>> CopyOffsets() {
    column_.offsets = {0};
    if (length_ == 0) return std::pair<int64_t, int64_t>{0, 0};
    const Offset* offsets = Buffer<Offset>(1) + start_;
    column_.offsets.reserve(length_ + 1);
    for (int64_t i = 1; i <= length_; ++i) {
      if (offsets[i] < offsets[i - 1])
        return Corrupt("Arrow offsets run from {} to {}", offsets[i - 1], offsets[i]);
      column_.offsets.push_back(int64_t{offsets[i]} - offsets[0]);
    }
    return std::pair<int64_t, int64_t>{offsets[0], column_.offsets.back()};
  }

  template <typename Offset>
  Status CopyText() {
    WEIR_TRY(const auto range, CopyOffsets<Offset>());
    if (range.second > 0) column_.bytes.assign(Buffer<char>(2) + range.first, range.second);
    return {};
  }

  void CopyViews() {
    // A view: length, then up to 12 bytes in place, or 4 bytes of prefix, buffer index and offset.
    column_.offsets = {0};
    for (int64_t i = 0; i < length_; ++i) {
      if (!column_.IsNull(i)) {
        const auto* view = Buffer<uint8_t>(1) + (start_ + i) * 16;
        int32_t parts[4];
        std::memcpy(parts, view, sizeof(parts));
        const char* text =
            parts[0] <= 12 ? reinterpret_cast<const char*>(view + 4) : Buffer<char>(2 + parts[2]) + parts[3];
        column_.bytes.append(text, parts[0]);
      }
      column_.offsets.push_back(static_cast<int64_t>(column_.bytes.size()));
    }
  }

  template <typename Offset>
  Status CopyList() {
    WEIR_DO(ExpectChildren(schema_, 1));
    WEIR_TRY(const auto range, CopyOffsets<Offset>());
    return AddChild(*array_.children[0], *schema_.children[0], range.first, range.second);
  }

  Status CopyMap() {
    WEIR_DO(ExpectChildren(schema_, 1));
    WEIR_DO(ExpectChildren(*schema_.children[0], 2));
    WEIR_TRY(const auto range, CopyOffsets<int32_t>());
    const ArrowArray& entries = *array_.children[0];
    return CopyMembers(entries, *schema_.children[0], entries.offset + range.first, range.second);
  }

  /// Imports all children of a struct array.
  Status CopyMembers(const ArrowArray& array, const ArrowSchema& schema, int64_t start, int64_t length) {
    for (int64_t i = 0; i < schema.n_children; ++i) {
      WEIR_DO(AddChild(*array.children[i], *schema.children[i], start, length));
    }
    return {};
  }

  Status AddChild(const ArrowArray& array, const ArrowSchema& schema, int64_t start, int64_t length) {
    const Type& type = column_.type.fields()[column_.children.size()].type;
    WEIR_TRY(ColumnVector child, ColumnImporter(array, schema, start, length).Run(type));
    column_.children.push_back(std::move(child));
    return {};
  }

  const ArrowArray& array_;
  const ArrowSchema& schema_;
  const int64_t start_;
  const int64_t length_;
  ColumnVector column_;
};

}  // namespace

Result<Type> TypeFromArrow(const ArrowSchema& schema) {
  WEIR_TRY(Format format, FormatOf(schema));
  switch (format.layout) {
    case Layout::kList:
    case Layout::kLargeList: {
      WEIR_DO(ExpectChildren(schema, 1));
      WEIR_TRY(Field element, FieldFrom(*schema.children[0]));
      return Type::Array(std::move(element));
    }
    case Layout::kMap: {
      WEIR_DO(ExpectChildren(schema, 1));
      WEIR_DO(ExpectChildren(*schema.children[0], 2));
      WEIR_TRY(Field key, FieldFrom(*schema.children[0]->children[0]));
      WEIR_TRY(Field value, FieldFrom(*schema.children[0]->children[1]));
      return Type::Map(std::move(key), std::move(value));
    }
    case Layout::kStruct: {
      std::vector<Field> fields;
      for (int64_t i = 0; i < schema.n_children; ++i) {
        WEIR_TRY(Field field, FieldFrom(*schema.children[i]));
        fields.push_back(std::move(field));
      }
      return Type::Struct(std::move(fields));
    }
    default:
      return std::move(format.type);
  }
}

Result<Batch> ImportBatch(const ArrowArray& array, const ArrowSchema& schema,
                          std::optional<std::span<const Type>> types) {
  WEIR_TRY(const Type natural, TypeFromArrow(schema));
  if (natural.kind() != TypeKind::kStruct || array.n_children != schema.n_children) {
    return Invalid("expected an Arrow struct of {} columns, found format '{}' with {}", schema.n_children,
                   schema.format, array.n_children);
  }
  const size_t count = natural.fields().size();
  if (types && types->size() != count) return Invalid("{} types for {} Arrow columns", types->size(), count);
  Batch batch;
  batch.row_count = array.length;
  for (size_t i = 0; i < count; ++i) {
    const Type& type = types ? (*types)[i] : natural.fields()[i].type;
    ColumnImporter importer(*array.children[i], *schema.children[i], array.offset, array.length);
    WEIR_TRY_CONTEXT(ColumnVector column, fmt::format("column '{}'", natural.fields()[i].name),
                     importer.Run(type));
    batch.columns.push_back(std::make_shared<const ColumnVector>(std::move(column)));
  }
  return batch;
}

}  // namespace weir

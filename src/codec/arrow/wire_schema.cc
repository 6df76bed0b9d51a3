#include "codec/arrow/wire_schema.h"

#include "codec/arrow/format.h"

namespace weir::arrow_ipc {
namespace {

constexpr int kMaxDepth = 64;
/// A schema of a few bytes can refer to one table over and over.
constexpr int kMaxColumns = 100'000;

std::string_view NameOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSecond:
      return "SECOND";
    case TimeUnit::kMillisecond:
      return "MILLISECOND";
    case TimeUnit::kMicrosecond:
      return "MICROSECOND";
    case TimeUnit::kNanosecond:
      return "NANOSECOND";
  }
  return "UNKNOWN";
}

std::string_view NameOf(IntervalUnit unit) {
  switch (unit) {
    case IntervalUnit::kYearMonth:
      return "YEAR_MONTH";
    case IntervalUnit::kDayTime:
      return "DAY_TIME";
    case IntervalUnit::kMonthDayNano:
      return "MONTH_DAY_NANO";
  }
  return "UNKNOWN";
}

/// The type as Arrow for Java prints it, which Spark's message shows.
Error UnsupportedType(std::string name) {
  Error error = Unsupported("Arrow type {}", name);
  return std::move(error).WithCondition({.name = "UNSUPPORTED_ARROWTYPE",
                                         .sql_state = "0A000",
                                         .parameters = {{"typeName", std::move(name)}},
                                         .span = {},
                                         .fragment = {}});
}

class SchemaReader {
 public:
  explicit SchemaReader(Budget& budget) : budget_(budget) {}

  Status ReadColumn(const FlatTable& table, int depth, WireColumn& column) {
    if (++columns_ > kMaxColumns) return Unsupported("an Arrow schema of more than {} columns", kMaxColumns);
    WEIR_TRY(const std::string_view name, table.Text(field::kName));
    WEIR_DO(budget_.Charge(1, sizeof(WireColumn) + name.size()));
    column.name = name;
    WEIR_DO_CONTEXT(fmt::format("column '{}'", name), ReadUnnamed(table, depth, column));
    return {};
  }

  Status ReadChildren(const FlatTable& table, uint16_t member, int depth, WireColumn& column) {
    if (depth > kMaxDepth) return Unsupported("Arrow columns nested deeper than {} levels", kMaxDepth);
    WEIR_TRY(const FlatTableVector children, table.Tables(member));
    for (size_t i = 0; i < children.size(); ++i) {
      WEIR_TRY(const FlatTable child, children.At(i));
      WEIR_DO(ReadColumn(child, depth, column.children.emplace_back()));
    }
    return {};
  }

 private:
  Status ReadUnnamed(const FlatTable& table, int depth, WireColumn& column) {
    WEIR_TRY(const auto nullable, table.Number<uint8_t>(field::kNullable));
    column.nullable = nullable != 0;
    WEIR_TRY(const std::optional<FlatTable> dictionary, table.Table(field::kDictionary));
    if (dictionary) return Unsupported("an Arrow dictionary");
    WEIR_TRY(const auto kind, table.Number<WireType>(field::kTypeKind));
    WEIR_TRY(const std::optional<FlatTable> type, table.Table(field::kType));
    if (!type) return Corrupt("no type (Schema.fbs, Field)");
    WEIR_DO(ReadType(kind, *type, column));
    WEIR_DO(ReadChildren(table, field::kChildren, depth + 1, column));
    return CheckChildren(kind, column);
  }

  static Status CheckChildren(WireType kind, const WireColumn& column) {
    const size_t count = column.children.size();
    if (column.layout == Layout::kStruct) return {};
    const size_t expected = column.layout == Layout::kList ? 1 : 0;
    if (count != expected) return Corrupt("{} children, expected {}", count, expected);
    if (kind != WireType::kMap) return {};
    const WireColumn& entries = column.children[0];
    if (entries.layout == Layout::kStruct && entries.children.size() == 2) return {};
    return Corrupt("a map whose entries are not structs of two members");
  }

  static void Set(WireColumn& column, Layout layout, int width_bytes, std::string format) {
    column.layout = layout;
    column.width_bytes = width_bytes;
    column.format = std::move(format);
  }

  Status ReadType(WireType kind, const FlatTable& type, WireColumn& column) {
    switch (kind) {
      case WireType::kNull:
        Set(column, Layout::kNull, 0, "n");
        return {};
      case WireType::kBool:
        Set(column, Layout::kBits, 0, "b");
        return {};
      case WireType::kInt:
        return ReadInt(type, column);
      case WireType::kFloatingPoint:
        return ReadFloat(type, column);
      case WireType::kDecimal:
        return ReadDecimal(type, column);
      case WireType::kUtf8:
        Set(column, Layout::kText, 4, "u");
        return {};
      case WireType::kLargeUtf8:
        Set(column, Layout::kText, 8, "U");
        return {};
      case WireType::kBinary:
        Set(column, Layout::kText, 4, "z");
        return {};
      case WireType::kLargeBinary:
        Set(column, Layout::kText, 8, "Z");
        return {};
      case WireType::kDate:
      case WireType::kTime:
      case WireType::kTimestamp:
      case WireType::kInterval:
      case WireType::kDuration:
        return ReadTemporal(kind, type, column);
      case WireType::kList:
        Set(column, Layout::kList, 4, "+l");
        return {};
      case WireType::kLargeList:
        Set(column, Layout::kList, 8, "+L");
        return {};
      case WireType::kMap:
        Set(column, Layout::kList, 4, "+m");
        return {};
      case WireType::kStruct:
        Set(column, Layout::kStruct, 0, "+s");
        return {};
      default:
        return RefuseType(kind, type);
    }
  }

  static Status ReadInt(const FlatTable& type, WireColumn& column) {
    WEIR_TRY(const auto bits, type.Number<int32_t>(0));
    WEIR_TRY(const auto is_signed, type.Number<uint8_t>(1));
    for (const auto& [width_bytes, format] : {std::pair{1, "c"}, {2, "s"}, {4, "i"}, {8, "l"}}) {
      if (is_signed == 0 || bits != width_bytes * 8) continue;
      Set(column, Layout::kFixed, width_bytes, format);
      return {};
    }
    return UnsupportedType(fmt::format("Int({}, {})", bits, is_signed != 0));
  }

  static Status ReadFloat(const FlatTable& type, WireColumn& column) {
    WEIR_TRY(const auto precision, type.Number<FloatPrecision>(0));
    if (precision == FloatPrecision::kSingle) {
      Set(column, Layout::kFixed, 4, "f");
    } else if (precision == FloatPrecision::kDouble) {
      Set(column, Layout::kFixed, 8, "g");
    } else {
      return UnsupportedType("FloatingPoint(HALF)");
    }
    return {};
  }

  static Status ReadDecimal(const FlatTable& type, WireColumn& column) {
    WEIR_TRY(const auto precision, type.Number<int32_t>(0));
    WEIR_TRY(const auto scale, type.Number<int32_t>(1));
    WEIR_TRY(const auto bits, type.Number<int32_t>(2, 128));
    if (bits != 128 || precision < 1 || precision > 38 || scale < 0 || scale > precision) {
      return UnsupportedType(fmt::format("Decimal({}, {}, {})", precision, scale, bits));
    }
    Set(column, Layout::kFixed, 16, fmt::format("d:{},{}", precision, scale));
    return {};
  }

  static Status ReadTemporal(WireType kind, const FlatTable& type, WireColumn& column) {
    if (kind == WireType::kDate) {
      WEIR_TRY(const auto unit, type.Number<DateUnit>(0, DateUnit::kMillisecond));
      if (unit != DateUnit::kDay) return UnsupportedType("Date(MILLISECOND)");
      Set(column, Layout::kFixed, 4, "tdD");
    } else if (kind == WireType::kInterval) {
      WEIR_TRY(const auto unit, type.Number<IntervalUnit>(0));
      if (unit != IntervalUnit::kYearMonth) return UnsupportedType(fmt::format("Interval({})", NameOf(unit)));
      Set(column, Layout::kFixed, 4, "tiM");
    } else if (kind == WireType::kDuration) {
      WEIR_TRY(const auto unit, type.Number<TimeUnit>(0, TimeUnit::kMillisecond));
      if (unit != TimeUnit::kMicrosecond) return UnsupportedType(fmt::format("Duration({})", NameOf(unit)));
      Set(column, Layout::kFixed, 8, "tDu");
    } else if (kind == WireType::kTime) {
      WEIR_TRY(const auto unit, type.Number<TimeUnit>(0, TimeUnit::kMillisecond));
      WEIR_TRY(const auto bits, type.Number<int32_t>(1, 32));
      if (unit != TimeUnit::kNanosecond || bits != 64)
        return UnsupportedType(fmt::format("Time({}, {})", NameOf(unit), bits));
      Set(column, Layout::kNanos, 8, "ttu");
    } else {
      WEIR_TRY(const auto unit, type.Number<TimeUnit>(0));
      WEIR_TRY(const std::string_view zone, type.Text(1));
      if (unit != TimeUnit::kMicrosecond)
        return UnsupportedType(fmt::format("Timestamp({}, {})", NameOf(unit), zone.empty() ? "null" : zone));
      // Values are in UTC whatever the zone is.
      Set(column, Layout::kFixed, 8, zone.empty() ? "tsu:" : "tsu:UTC");
    }
    return {};
  }

  static Error RefuseType(WireType kind, const FlatTable& type) {
    switch (kind) {
      case WireType::kFixedSizeBinary:
      case WireType::kFixedSizeList: {
        const Result<int32_t> size = type.Number<int32_t>(0);
        if (!size) return size.error();
        const bool is_list = kind == WireType::kFixedSizeList;
        return UnsupportedType(fmt::format("FixedSize{}({})", is_list ? "List" : "Binary", *size));
      }
      case WireType::kUnion:
        return UnsupportedType("Union");
      case WireType::kRunEndEncoded:
        return UnsupportedType("RunEndEncoded");
      case WireType::kBinaryView:
        return UnsupportedType("BinaryView");
      case WireType::kUtf8View:
        return UnsupportedType("Utf8View");
      case WireType::kListView:
        return UnsupportedType("ListView");
      case WireType::kLargeListView:
        return UnsupportedType("LargeListView");
      default:
        return Unsupported("an Arrow type of kind {}", static_cast<int>(kind));
    }
  }

  Budget& budget_;
  int columns_ = 0;
};

/// Lets the C structs of a tree that is complete point to their names and children.
void Link(WireColumn& column) {
  for (WireColumn& child : column.children) {
    Link(child);
    column.child_schemas.push_back(&child.schema);
  }
  column.schema.format = column.format.c_str();
  column.schema.name = column.name.c_str();
  column.schema.flags = column.nullable ? ARROW_FLAG_NULLABLE : 0;
  column.schema.n_children = static_cast<int64_t>(column.children.size());
  column.schema.children = column.child_schemas.data();
}

}  // namespace

Result<std::unique_ptr<const WireColumn>> ReadSchema(const FlatTable& table, Budget& budget) {
  WEIR_TRY(const auto endianness, table.Number<int16_t>(schema::kEndianness));
  if (endianness != 0) return Unsupported("an Arrow stream in big-endian order");
  auto root = std::make_unique<WireColumn>();
  root->nullable = false;
  root->layout = Layout::kStruct;
  root->format = "+s";
  SchemaReader reader(budget);
  WEIR_DO(reader.ReadChildren(table, schema::kFields, 0, *root));
  Link(*root);
  return std::unique_ptr<const WireColumn>(std::move(root));
}

}  // namespace weir::arrow_ipc

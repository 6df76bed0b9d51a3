#include "exec/duckdb/functions/cast.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "type/calendar.h"
#include "type/scalar_text.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;
using duckdb::string_t;
using duckdb::Vector;

/// Writes values of one column, at any depth, as Spark's cast to string shows them.
class ColumnText {
 public:
  ColumnText(Vector& vector, idx_t count, const Type& type, const CastRule& rule) : type_(type), rule_(rule) {
    if (type.kind() == TypeKind::kStruct) vector.Flatten(count);
    vector.ToUnifiedFormat(count, format_);
    if (type.kind() == TypeKind::kDecimal) decimals_.emplace(vector, count);
    if (type.kind() == TypeKind::kStruct) {
      AddMembers(vector, count);
    } else if (type.kind() == TypeKind::kArray) {
      children_.emplace_back(duckdb::ListVector::GetEntry(vector), duckdb::ListVector::GetListSize(vector),
                             type.fields()[0].type, rule);
    } else if (type.kind() == TypeKind::kMap) {
      Vector& entries = duckdb::ListVector::GetEntry(vector);
      const idx_t size = duckdb::ListVector::GetListSize(vector);
      entries.Flatten(size);
      AddMembers(entries, size);
    }
  }

  bool IsNull(idx_t row) const { return !format_.validity.RowIsValid(format_.sel->get_index(row)); }

  void Append(idx_t row, std::string& out) const {
    if (IsNull(row)) {
      out += "null";
      return;
    }
    const idx_t at = format_.sel->get_index(row);
    switch (type_.kind()) {
      case TypeKind::kArray:
        return AppendList(Get<duckdb::list_entry_t>(at), out);
      case TypeKind::kMap:
        return AppendMap(Get<duckdb::list_entry_t>(at), out);
      case TypeKind::kStruct:
        return AppendStruct(row, out);
      case TypeKind::kString:
      case TypeKind::kBinary:
        out += View(Get<string_t>(at));
        return;
      default:
        out += PlainText(row, at);
    }
  }

 private:
  template <typename T>
  const T& Get(idx_t at) const {
    return reinterpret_cast<const T*>(format_.data)[at];
  }

  void AddMembers(Vector& vector, idx_t count) {
    auto& members = duckdb::StructVector::GetEntries(vector);
    for (size_t i = 0; i < members.size(); ++i) {
      children_.emplace_back(*members[i], count, type_.fields()[i].type, rule_);
    }
  }

  void AppendList(const duckdb::list_entry_t& entry, std::string& out) const {
    out += '[';
    for (idx_t i = 0; i < entry.length; ++i) {
      if (i > 0) out += ", ";
      children_[0].Append(entry.offset + i, out);
    }
    out += ']';
  }
  void AppendMap(const duckdb::list_entry_t& entry, std::string& out) const {
    out += '{';
    for (idx_t i = 0; i < entry.length; ++i) {
      if (i > 0) out += ", ";
      children_[0].Append(entry.offset + i, out);
      out += " -> ";
      children_[1].Append(entry.offset + i, out);
    }
    out += '}';
  }
  void AppendStruct(idx_t row, std::string& out) const {
    out += '{';
    for (size_t i = 0; i < children_.size(); ++i) {
      if (i > 0) out += ", ";
      children_[i].Append(row, out);
    }
    out += '}';
  }

  std::string PlainText(idx_t row, idx_t at) const {
    switch (type_.kind()) {
      case TypeKind::kVoid:
        return "null";
      case TypeKind::kBoolean:
        return Get<bool>(at) ? "true" : "false";
      case TypeKind::kByte:
        return std::to_string(Get<int8_t>(at));
      case TypeKind::kShort:
        return std::to_string(Get<int16_t>(at));
      case TypeKind::kInt:
        return std::to_string(Get<int32_t>(at));
      case TypeKind::kLong:
        return std::to_string(Get<int64_t>(at));
      case TypeKind::kFloat:
        return FloatText(Get<float>(at));
      case TypeKind::kDouble:
        return DoubleText(Get<double>(at));
      case TypeKind::kDecimal: {
        const Int128 unscaled = (*decimals_)[row].unscaled;
        return rule_.mode == CastRule::Mode::kLegacy ? BigDecimalText(unscaled, type_.scale())
                                                     : DecimalText(unscaled, type_.scale());
      }
      case TypeKind::kDate:
        return DateText(Get<int32_t>(at));
      case TypeKind::kTime:
        return TimeText(Get<int64_t>(at));
      case TypeKind::kTimestamp:
        return TimestampText(rule_.zone->ToWall(Get<int64_t>(at)));
      case TypeKind::kTimestampNtz:
        return TimestampText(Get<int64_t>(at));
      case TypeKind::kIntervalYearMonth:
        return Scalar(type_, int64_t{Get<int32_t>(at)}).ToString();
      case TypeKind::kIntervalDayTime:
        return Scalar(type_, Get<int64_t>(at)).ToString();
      default:
        RefuseCast(rule_);
    }
  }

  Type type_;
  const CastRule& rule_;
  duckdb::UnifiedVectorFormat format_;
  std::optional<DecimalRows> decimals_;
  std::vector<ColumnText> children_;
};

template <typename T>
std::string BigEndian(T value) {
  std::string bytes;
  for (int shift = 8 * (sizeof(T) - 1); shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

}  // namespace

ColumnCast CastToText(const CastRule& rule) {
  return [rule](Vector& input, idx_t count, Vector& result) {
    const ColumnText column(input, count, rule.from, rule);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    std::string text;
    for (idx_t row = 0; row < count; ++row) {
      if (column.IsNull(row)) {
        duckdb::FlatVector::SetNull(result, row, true);
        continue;
      }
      text.clear();
      column.Append(row, text);
      detail::Store<string_t>(result, row, text);
    }
  };
}

ColumnCast CastToBinary(const CastRule& rule) {
  if (rule.from.kind() == TypeKind::kString) {
    return CastRows<string_t, string_t>([](std::string_view text) { return text; });
  }
  if (!rule.from.is_integral()) RefuseCast(rule);
  return ForNumber(rule.from, []<typename T>() {
    return CastRows<string_t, T>([](T value) {
      if constexpr (std::is_integral_v<T>) return BigEndian(value);
      return std::string();
    });
  });
}

}  // namespace weir::exec

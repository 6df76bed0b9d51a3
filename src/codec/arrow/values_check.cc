#include "codec/arrow/values_check.h"

#include <algorithm>

#include "base/int128.h"
#include "base/utf8.h"

namespace weir::arrow_ipc {
namespace {

/// The rows that count; empty if all do.
using Rows = std::vector<bool>;

bool Counts(const Rows& rows, int64_t row) { return rows.empty() || rows[row]; }

Status CheckRequired(const ColumnVector& column, const Rows& rows) {
  if (column.validity.empty() && column.type.kind() != TypeKind::kVoid) return {};
  for (int64_t row = 0; row < column.length; ++row) {
    if (Counts(rows, row) && column.IsNull(row))
      return Invalid("NULL in row {} of a column that is not nullable", row);
  }
  return {};
}

/// Whether all values together, and so each of them, are UTF-8.
bool IsUtf8Throughout(const ColumnVector& column) {
  const auto begins = [&](int64_t offset) {
    return offset == static_cast<int64_t>(column.bytes.size()) || !ContinuesUtf8(column.bytes[offset]);
  };
  return IsUtf8(column.bytes) && std::all_of(column.offsets.begin(), column.offsets.end(), begins);
}

Status CheckText(const ColumnVector& column, const Rows& rows) {
  if (IsUtf8Throughout(column)) return {};
  for (int64_t row = 0; row < column.length; ++row) {
    if (Counts(rows, row) && !column.IsNull(row) && !IsUtf8(column.Text(row)))
      return Corrupt("row {} is not UTF-8 (Schema.fbs, Utf8)", row);
  }
  return {};
}

Status CheckDecimals(const ColumnVector& column, const Rows& rows) {
  const Int128 limit = PowerOfTen(column.type.precision());
  for (int64_t row = 0; row < column.length; ++row) {
    const auto value = column.Value<Int128>(row);
    if ((value < limit && value > -limit) || !Counts(rows, row) || column.IsNull(row)) continue;
    const std::string text = column.At(row).ToString();
    return Invalid("row {}: {} does not fit into {}", row, text, column.type.ToString())
        .WithCondition({.name = "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION",
                        .sql_state = "22003",
                        .parameters = {{"roundedValue", text},
                                       {"originalValue", text},
                                       {"precision", std::to_string(column.type.precision())},
                                       {"scale", std::to_string(column.type.scale())}},
                        .span = {},
                        .fragment = {}});
  }
  return {};
}

/// The rows of the children that belong to rows that count.
Rows ChildRows(const ColumnVector& column, const Rows& rows) {
  if (rows.empty() && column.validity.empty()) return {};
  const bool is_struct = column.type.kind() == TypeKind::kStruct;
  Rows below(is_struct ? column.length : column.offsets.back());
  for (int64_t row = 0; row < column.length; ++row) {
    if (!Counts(rows, row) || column.IsNull(row)) continue;
    const int64_t begin = is_struct ? row : column.offsets[row];
    const int64_t end = is_struct ? row + 1 : column.offsets[row + 1];
    std::fill(below.begin() + begin, below.begin() + end, true);
  }
  return below;
}

Status Check(const Field& field, const ColumnVector& column, const Rows& rows) {
  if (field.required) WEIR_DO(CheckRequired(column, rows));
  switch (column.type.kind()) {
    case TypeKind::kString:
      return CheckText(column, rows);
    case TypeKind::kDecimal:
      return CheckDecimals(column, rows);
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct: {
      const Rows below = ChildRows(column, rows);
      for (size_t i = 0; i < column.children.size(); ++i) {
        const Field& child = column.type.fields()[i];
        WEIR_DO_CONTEXT(fmt::format("'{}'", child.name), Check(child, column.children[i], below));
      }
      return {};
    }
    default:
      return {};
  }
}

}  // namespace

Status CheckValues(const Field& field, const ColumnVector& column) {
  WEIR_DO_CONTEXT(fmt::format("column '{}'", field.name), Check(field, column, {}));
  return {};
}

}  // namespace weir::arrow_ipc

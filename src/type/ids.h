#pragma once

/// Identifiers with a type of their own, so that no naked integer crosses a header. Thread rule: values.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace weir {

/// An integer that only mixes with its own kind.
template <typename Tag, typename Value>
struct StrongId {
  Value value{};
  auto operator<=>(const StrongId&) const = default;
};

/// Identifies a column for the life of a table, through renames. Spec: Iceberg, "Column Projection".
using FieldId = StrongId<struct FieldIdTag, int32_t>;
/// Identifies a column within one query plan.
using ColumnId = StrongId<struct ColumnIdTag, int32_t>;
/// Position of a row in its data file, from 0.
using RowPos = StrongId<struct RowPosTag, int64_t>;

}  // namespace weir

template <typename Tag, typename Value>
struct std::hash<weir::StrongId<Tag, Value>> {
  size_t operator()(const weir::StrongId<Tag, Value>& id) const { return std::hash<Value>{}(id.value); }
};

#include <unordered_set>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/function/create_sort_key.hpp"
#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

using duckdb::DataChunk;
using duckdb::ExpressionType;
using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::list_entry_t;
using duckdb::ListVector;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::SelectionVector;
using duckdb::string_t;
using duckdb::StructVector;
using duckdb::Value;
using duckdb::Vector;

// ---- equality of values of any type -----------------------------------------------------------------------

/// Bytes that are equal where Spark's values are: NaN equals NaN, -0.0 equals 0.0, NULL members are equal.
class Keys {
 public:
  Keys(Vector& vector, idx_t count) : keys_(LogicalType::BLOB, std::max<idx_t>(count, 1)) {
    vector.ToUnifiedFormat(count, source_);
    const duckdb::OrderModifiers order(duckdb::OrderType::ASCENDING, duckdb::OrderByNullType::NULLS_LAST);
    duckdb::CreateSortKeyHelpers::CreateSortKey(vector, count, order, keys_);
    keys_.ToUnifiedFormat(count, format_);
  }
  bool IsNull(idx_t row) const { return !source_.validity.RowIsValid(source_.sel->get_index(row)); }
  std::string_view operator[](idx_t row) const {
    return View(reinterpret_cast<const string_t*>(format_.data)[format_.sel->get_index(row)]);
  }

 private:
  Vector keys_;
  duckdb::UnifiedVectorFormat source_, format_;
};

/// Makes -0.0 0.0 in a flat vector.
void NormalizeZeroes(Vector& vector, idx_t count) {
  if (vector.GetType().id() == LogicalTypeId::FLOAT) {
    for (idx_t i = 0; i < count; ++i) FlatVector::GetData<float>(vector)[i] += 0.0f;
  } else if (vector.GetType().id() == LogicalTypeId::DOUBLE) {
    for (idx_t i = 0; i < count; ++i) FlatVector::GetData<double>(vector)[i] += 0.0;
  }
}

// ---- one element ------------------------------------------------------------------------------------------

enum class Subscript : uint8_t { kFromZero, kFromOne };

/// The place of an element among the children; nullopt where there is none. Errors as Spark's.
std::optional<idx_t> PlaceOf(const list_entry_t& entry, int32_t index, Subscript subscript, bool ansi) {
  const auto length = static_cast<int64_t>(entry.length);
  if (subscript == Subscript::kFromZero) {
    if (index >= 0 && index < length) return entry.offset + static_cast<idx_t>(index);
    if (ansi) Throw(InvalidArrayIndex(index, length));
    return std::nullopt;
  }
  if (index == 0) Throw(InvalidIndexOfZero());
  const int64_t place = index > 0 ? int64_t{index} - 1 : length + index;
  if (place >= 0 && place < length) return entry.offset + static_cast<idx_t>(place);
  if (ansi) Throw(InvalidArrayIndexInElementAt(index, length));
  return std::nullopt;
}

/// weir_element(array, index, from one, ansi, marker). Of the index the low 32 bits count.
Kernel Element(const KernelCall& call) {
  const Subscript subscript = call.Integer(2) != 0 ? Subscript::kFromOne : Subscript::kFromZero;
  const bool ansi = call.Integer(3) != 0;
  return {call.types.back(), [subscript, ansi](DataChunk& arguments, Vector& result) {
            const idx_t count = arguments.size();
            const Rows<list_entry_t> lists(arguments.data[0], count);
            const Rows<int64_t> indexes(arguments.data[1], count);
            SelectionVector places(std::max<idx_t>(count, 1));
            std::vector<bool> missing(count, true);
            bool any = false;
            for (idx_t row = 0; row < count; ++row) {
              places.set_index(row, 0);
              if (lists.IsNull(row) || indexes.IsNull(row)) continue;
              const auto place = PlaceOf(lists[row], static_cast<int32_t>(indexes[row]), subscript, ansi);
              if (!place) continue;
              places.set_index(row, *place);
              missing[row] = false;
              any = true;
            }
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            if (any) {
              duckdb::VectorOperations::Copy(ListVector::GetEntry(arguments.data[0]), result, places, count,
                                             0, 0);
            }
            for (idx_t row = 0; row < count; ++row) {
              if (missing[row]) FlatVector::SetNull(result, row, true);
            }
          }};
}

/// weir_size(array or map, marker).
Kernel Size(const KernelCall&) {
  return Mapping<int32_t, list_entry_t>(LogicalType::INTEGER,
                                        [](const list_entry_t& entry) { return entry.length; });
}

/// weir_array_contains(array, value, marker): NULL if a NULL element leaves it open.
Kernel ArrayContains(const KernelCall&) {
  return {LogicalType::BOOLEAN, [](DataChunk& arguments, Vector& result) {
            const idx_t count = arguments.size();
            const Rows<list_entry_t> lists(arguments.data[0], count);
            const Keys elements(ListVector::GetEntry(arguments.data[0]),
                                ListVector::GetListSize(arguments.data[0]));
            const Keys values(arguments.data[1], count);
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            for (idx_t row = 0; row < count; ++row) {
              if (lists.IsNull(row) || values.IsNull(row)) {
                FlatVector::SetNull(result, row, true);
                continue;
              }
              bool found = false, open = false;
              for (idx_t i = 0; i < lists[row].length && !found; ++i) {
                const idx_t at = lists[row].offset + i;
                open |= elements.IsNull(at);
                found = !elements.IsNull(at) && elements[at] == values[row];
              }
              FlatVector::GetData<bool>(result)[row] = found;
              if (!found && open) FlatVector::SetNull(result, row, true);
            }
          }};
}

/// weir_array_distinct(array, marker): the first of equal elements stays, in order; NULLs are equal.
Kernel ArrayDistinct(const KernelCall& call) {
  return {call.types.back(), [](DataChunk& arguments, Vector& result) {
            const idx_t count = arguments.size();
            Vector& children = ListVector::GetEntry(arguments.data[0]);
            const idx_t child_count = ListVector::GetListSize(arguments.data[0]);
            const Rows<list_entry_t> lists(arguments.data[0], count);
            const Keys keys(children, child_count);
            std::vector<idx_t> kept;
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            auto* entries = FlatVector::GetData<list_entry_t>(result);
            for (idx_t row = 0; row < count; ++row) {
              const idx_t start = kept.size();
              if (lists.IsNull(row)) {
                FlatVector::SetNull(result, row, true);
              } else {
                std::unordered_set<std::string_view> seen;
                for (idx_t i = 0; i < lists[row].length; ++i) {
                  const idx_t at = lists[row].offset + i;
                  if (seen.insert(keys[at]).second) kept.push_back(at);
                }
              }
              entries[row] = {start, kept.size() - start};
            }
            ListVector::Reserve(result, kept.size());
            ListVector::SetListSize(result, kept.size());
            if (kept.empty()) return;
            SelectionVector selection(kept.size());
            for (idx_t i = 0; i < kept.size(); ++i) selection.set_index(i, kept[i]);
            Vector& target = ListVector::GetEntry(result);
            duckdb::VectorOperations::Copy(children, target, selection, kept.size(), 0, 0);
            NormalizeZeroes(target, kept.size());
          }};
}

// ---- maps -------------------------------------------------------------------------------------------------

/// Refuses NULL keys and keys that are equal to an earlier one of their row.
void CheckKeys(Vector& keys, idx_t rows, idx_t pairs) {
  const Keys bytes(keys, rows * pairs);
  for (idx_t row = 0; row < rows; ++row) {
    std::unordered_set<std::string_view> seen;
    for (idx_t at = row * pairs; at < (row + 1) * pairs; ++at) {
      if (bytes.IsNull(at)) Throw(NullMapKey());
      if (!seen.insert(bytes[at]).second) Throw(DuplicatedMapKey(keys.GetValue(at).ToString()));
    }
  }
}

/// weir_map(key, value, key, value, ..., marker).
Kernel MakeMap(const KernelCall& call) {
  return {call.types.back(), [](DataChunk& arguments, Vector& result) {
            const idx_t count = arguments.size(), pairs = (arguments.ColumnCount() - 1) / 2;
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            ListVector::Reserve(result, count * pairs);
            auto& entries = StructVector::GetEntries(ListVector::GetEntry(result));
            SelectionVector row(1);
            for (idx_t i = 0; i < count; ++i) {
              row.set_index(0, i);
              for (idx_t column = 0; column < 2 * pairs; ++column) {
                duckdb::VectorOperations::Copy(arguments.data[column], *entries[column % 2], row, 1, 0,
                                               i * pairs + column / 2);
              }
              FlatVector::GetData<list_entry_t>(result)[i] = {i * pairs, pairs};
            }
            ListVector::SetListSize(result, count * pairs);
            NormalizeZeroes(*entries[0], count * pairs);
            CheckKeys(*entries[0], count, pairs);
          }};
}

// ---- lowering ---------------------------------------------------------------------------------------------

constexpr char kSize[] = "weir_size", kArrayContains[] = "weir_array_contains",
               kArrayDistinct[] = "weir_array_distinct", kMapKeys[] = "map_keys", kMapValues[] = "map_values",
               kGreatest[] = "greatest", kLeast[] = "least", kListMax[] = "list_max", kListMin[] = "list_min";

template <Subscript kSubscript>
Result<ParsedPtr> LowerElement(const CallSite& site, ParsedList arguments) {
  if (site.ArgumentType(0).kind() == TypeKind::kMap) {
    return CallNative(site, "map_extract_value", std::move(arguments));
  }
  arguments[1] = CastTo(LogicalType::BIGINT, std::move(arguments[1]));
  arguments.push_back(Constant(Value::BOOLEAN(kSubscript == Subscript::kFromOne)));
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, "weir_element", std::move(arguments));
}

/// With ANSI off, size (but not array_size) of NULL is -1.
Result<ParsedPtr> LowerSize(const CallSite& site, ParsedList arguments) {
  if (site.ArgumentType(0).kind() == TypeKind::kVoid) {
    return site.ansi() ? TypeMarker(LogicalType::INTEGER) : Constant(Value::INTEGER(-1));
  }
  WEIR_TRY(ParsedPtr size, CallKernel(site, kSize, std::move(arguments)));
  if (site.ansi()) return size;
  return OperatorOf(ExpressionType::OPERATOR_COALESCE, ListOf(std::move(size), Constant(Value::INTEGER(-1))));
}

Result<ParsedPtr> LowerArray(const CallSite& site, ParsedList arguments) {
  WEIR_TRY(LogicalType type, ToDuckType(site.type));
  if (arguments.empty()) {
    return Constant(Value::LIST(duckdb::ListType::GetChildType(type), duckdb::vector<Value>()));
  }
  return CastTo(type, CallOf("list_value", std::move(arguments)));
}

Result<ParsedPtr> LowerMap(const CallSite& site, ParsedList arguments) {
  WEIR_TRY(LogicalType type, ToDuckType(site.type));
  if (arguments.empty()) {
    return Constant(Value::MAP(duckdb::MapType::KeyType(type), duckdb::MapType::ValueType(type), {}, {}));
  }
  return CallKernel(site, "weir_map", std::move(arguments));
}

/// Members by position: DuckDB's names of members ignore case, Spark's need not even differ.
Result<ParsedPtr> LowerNamedStruct(const CallSite& site, ParsedList arguments) {
  ParsedList values;
  for (size_t i = 1; i < arguments.size(); i += 2) values.push_back(std::move(arguments[i]));
  return CallNative(site, "row", std::move(values));
}

/// DuckDB orders NULL members of nested values last, Spark first.
template <const char* kFunction>
Result<ParsedPtr> LowerExtreme(const CallSite& site, ParsedList arguments) {
  if (site.type.is_nested()) {
    return Unsupported("{} of nested values is not implemented", site.call.function->name);
  }
  return CallNative(site, kFunction, std::move(arguments));
}

Result<ParsedPtr> LowerNanvl(const CallSite& site, ParsedList arguments) {
  WEIR_TRY(LogicalType type, ToDuckType(site.type));
  ParsedPtr is_nan = CallOf("isnan", ListOf(arguments[0]->Copy()));
  return IfElse(std::move(is_nan), CastTo(type, std::move(arguments[1])),
                CastTo(type, std::move(arguments[0])));
}

}  // namespace

std::vector<KernelEntry> CollectionKernels() {
  return {
      {"weir_element", Element},
      {kSize, Size, false},
      {kArrayContains, ArrayContains, false},
      {kArrayDistinct, ArrayDistinct, false},
      {"weir_map", MakeMap},
  };
}

std::vector<FunctionLowering> CollectionLowerings() {
  return {
      {"[]", LowerElement<Subscript::kFromZero>},
      {"element_at", LowerElement<Subscript::kFromOne>},
      {"size", LowerSize},
      {"array_size", ToKernel<kSize>},
      {"array", LowerArray},
      {"map", LowerMap},
      {"named_struct", LowerNamedStruct},
      {"array_contains", ToKernel<kArrayContains>},
      {"array_distinct", ToKernel<kArrayDistinct>},
      {"array_max", LowerExtreme<kListMax>},
      {"array_min", LowerExtreme<kListMin>},
      {"map_keys", Native<kMapKeys>},
      {"map_values", Native<kMapValues>},
      {"greatest", LowerExtreme<kGreatest>},
      {"least", LowerExtreme<kLeast>},
      {"nanvl", LowerNanvl},
  };
}

}  // namespace weir::exec

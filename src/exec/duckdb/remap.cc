#include "exec/duckdb/remap.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/execution/expression_executor_state.hpp"
#include "duckdb/planner/expression/bound_function_expression.hpp"
#include "exec/duckdb/file_columns.h"

namespace weir::exec {

namespace {

using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::ListVector;
using duckdb::LogicalTypeId;
using duckdb::StructVector;
using duckdb::Vector;

/// Where a column lies in what the table calls one.
enum class Place : uint8_t { kTop, kStruct, kList };

bool NeedsRemap(const FileColumns& held, const Type& wanted, Place place) {
  const bool is_struct = wanted.kind() == TypeKind::kStruct;
  const Place below = is_struct && place != Place::kList ? Place::kStruct : Place::kList;
  size_t found = 0;
  for (const Field& field : wanted.fields()) {
    const FileColumn* child = FindColumn(held, field.id.value);
    if (child == nullptr) continue;
    ++found;
    if (NeedsRemap(PartsOf(*child), field.type, below)) return true;
  }
  if (!is_struct || found == wanted.fields().size() || place == Place::kTop) return false;
  return place == Place::kList || found == 0;
}

/// How a value of one type becomes one of another.
struct Remap {
  struct Part {
    std::optional<size_t> from;  ///< Index of the part in the file's type; nullopt: the file lacks it.
    std::shared_ptr<const Remap> remap;
  };
  std::vector<Part> parts;  ///< Of a struct, list or map; empty: a cast.
};

std::shared_ptr<const Remap> PlanRemap(const FileColumn& held, const FileColumn& wanted) {
  auto remap = std::make_shared<Remap>();
  const FileColumns& parts = PartsOf(held);
  for (const FileColumn& part : PartsOf(wanted)) {
    const FileColumn* from = FindColumn(parts, part.GetIdentifierFieldId());
    if (from == nullptr) {
      remap->parts.push_back({std::nullopt, nullptr});
    } else {
      remap->parts.push_back({static_cast<size_t>(from - parts.data()), PlanRemap(*from, part)});
    }
  }
  return remap;
}

/// `vector` is flat and has room for `count`.
void SetNull(Vector& vector, idx_t count) {
  FlatVector::Validity(vector).SetAllInvalid(count);
  switch (vector.GetType().InternalType()) {
    case duckdb::PhysicalType::STRUCT:
      for (auto& member : StructVector::GetEntries(vector)) SetNull(*member, count);
      return;
    case duckdb::PhysicalType::LIST:
      std::fill_n(FlatVector::GetData<duckdb::list_entry_t>(vector), count, duckdb::list_entry_t(0, 0));
      ListVector::SetListSize(vector, 0);
      return;
    default:
      return;
  }
}

class Remapper {
 public:
  explicit Remapper(duckdb::ClientContext& context) : context_(context) {}

  /// Both are flat at every level; `to` has room for `count`.
  void Run(const Remap& remap, Vector& from, Vector& to, idx_t count) {
    if (remap.parts.empty()) {
      if (from.GetType() == to.GetType()) return duckdb::VectorOperations::Copy(from, to, count, 0, 0);
      return duckdb::VectorOperations::Cast(context_, from, to, count);
    }
    CopyNulls(from, to, count);
    if (to.GetType().InternalType() == duckdb::PhysicalType::STRUCT) return Members(remap, from, to, count);
    Elements(remap, from, to, count);
  }

 private:
  static void CopyNulls(Vector& from, Vector& to, idx_t count) {
    const duckdb::ValidityMask& valid = FlatVector::Validity(from);
    for (idx_t row = 0; row < count; ++row) {
      if (!valid.RowIsValid(row)) FlatVector::Validity(to).SetInvalid(row);
    }
  }

  void Members(const Remap& remap, Vector& from, Vector& to, idx_t count) {
    auto& sources = StructVector::GetEntries(from);
    auto& targets = StructVector::GetEntries(to);
    for (size_t i = 0; i < remap.parts.size(); ++i) {
      const Remap::Part& part = remap.parts[i];
      if (part.from) {
        Run(*part.remap, *sources[*part.from], *targets[i], count);
      } else {
        SetNull(*targets[i], count);
      }
    }
  }

  void Elements(const Remap& remap, Vector& from, Vector& to, idx_t count) {
    const idx_t size = ListVector::GetListSize(from);
    std::memcpy(FlatVector::GetData<duckdb::list_entry_t>(to),
                FlatVector::GetData<duckdb::list_entry_t>(from), count * sizeof(duckdb::list_entry_t));
    ListVector::Reserve(to, size);
    ListVector::SetListSize(to, size);
    Vector& source = ListVector::GetEntry(from);
    Vector& target = ListVector::GetEntry(to);
    // Keys and values of a map lie in a struct of its elements.
    if (to.GetType().id() == LogicalTypeId::MAP) return Members(remap, source, target, size);
    Run(*remap.parts[0].remap, source, target, size);
  }

  duckdb::ClientContext& context_;
};

struct RemapData : duckdb::FunctionData {
  explicit RemapData(std::shared_ptr<const Remap> in_remap) : remap(std::move(in_remap)) {}
  duckdb::unique_ptr<FunctionData> Copy() const override { return duckdb::make_uniq<RemapData>(remap); }
  bool Equals(const FunctionData& other) const override { return other.Cast<RemapData>().remap == remap; }
  std::shared_ptr<const Remap> remap;
};

void RunRemap(duckdb::DataChunk& arguments, duckdb::ExpressionState& state, Vector& result) {
  const auto& data = state.expr.Cast<duckdb::BoundFunctionExpression>().bind_info->Cast<RemapData>();
  const idx_t count = arguments.size();
  // A copy is flat at every level, whatever the reader gave.
  Vector flat(arguments.data[0].GetType(), std::max<idx_t>(count, STANDARD_VECTOR_SIZE));
  duckdb::VectorOperations::Copy(arguments.data[0], flat, count, 0, 0);
  Remapper(state.GetContext()).Run(*data.remap, flat, result, count);
}

}  // namespace

bool NeedsRemap(const FileColumn& held, const Field& field) {
  return NeedsRemap(PartsOf(held), field.type, Place::kTop);
}

duckdb::unique_ptr<duckdb::Expression> RemapExpression(duckdb::unique_ptr<duckdb::Expression> column,
                                                       const FileColumn& held, const FileColumn& wanted) {
  duckdb::ScalarFunction function("weir_remap", {held.type}, wanted.type, RunRemap);
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> arguments;
  arguments.push_back(std::move(column));
  return duckdb::make_uniq<duckdb::BoundFunctionExpression>(
      wanted.type, std::move(function), std::move(arguments),
      duckdb::make_uniq<RemapData>(PlanRemap(held, wanted)));
}

}  // namespace weir::exec

#include "exec/duckdb/functions/cast.h"

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "exec/duckdb/conditions.h"

namespace weir::exec {

namespace {

using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::ListVector;
using duckdb::SelectionVector;
using duckdb::StructVector;
using duckdb::Vector;

Error Placed(const Scalar& value, const CastRule& rule,
             Error (*make)(std::string, const Type&, const Type&)) {
  const bool bare = value.type().is_floating() && (!value.ToSql().ends_with('D'));
  return make(bare ? value.ToString() : value.ToSql(), rule.from, rule.to);
}

/// All rows NULL, whatever they were.
ColumnCast CastToNull() {
  return [](Vector&, idx_t count, Vector& result) {
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    for (idx_t row = 0; row < count; ++row) FlatVector::SetNull(result, row, true);
  };
}

/// Casts the entries that `rows` of a list refer to; others may be left over from rows that are gone, and
/// must not raise errors.
void CastList(const ColumnCast& child_cast, Vector& input, idx_t count, Vector& result) {
  const Rows<duckdb::list_entry_t> rows(input, count);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  idx_t total = 0;
  for (idx_t row = 0; row < count; ++row) total += rows.IsNull(row) ? 0 : rows[row].length;
  auto* entries = FlatVector::GetData<duckdb::list_entry_t>(result);
  SelectionVector wanted(std::max<idx_t>(total, 1));
  idx_t filled = 0;
  for (idx_t row = 0; row < count; ++row) {
    if (rows.IsNull(row)) {
      FlatVector::SetNull(result, row, true);
      entries[row] = {filled, 0};
      continue;
    }
    entries[row] = {filled, rows[row].length};
    for (idx_t i = 0; i < rows[row].length; ++i) wanted.set_index(filled++, rows[row].offset + i);
  }
  ListVector::Reserve(result, total);
  ListVector::SetListSize(result, total);
  if (total == 0) return;
  Vector children(ListVector::GetEntry(input), wanted, total);
  child_cast(children, total, ListVector::GetEntry(result));
}

/// Casts the members of the rows that are not NULL; what a NULL struct holds means nothing.
void CastStruct(const std::vector<ColumnCast>& member_casts, Vector& input, idx_t count, Vector& result) {
  input.Flatten(count);
  const auto& validity = FlatVector::Validity(input);
  SelectionVector valid(std::max<idx_t>(count, 1)), place(std::max<idx_t>(count, 1));
  idx_t valid_count = 0;
  for (idx_t row = 0; row < count; ++row) {
    place.set_index(row, validity.RowIsValid(row) ? valid_count : 0);
    if (validity.RowIsValid(row)) valid.set_index(valid_count++, row);
  }
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  auto& members = StructVector::GetEntries(input);
  auto& targets = StructVector::GetEntries(result);
  for (size_t i = 0; i < members.size() && valid_count > 0; ++i) {
    if (valid_count == count) {
      member_casts[i](*members[i], count, *targets[i]);
      continue;
    }
    Vector sliced(*members[i], valid, valid_count);
    Vector cast(targets[i]->GetType(), valid_count);
    member_casts[i](sliced, valid_count, cast);
    duckdb::VectorOperations::Copy(cast, *targets[i], place, count, 0, 0);
  }
  for (idx_t row = 0; row < count; ++row) {
    if (!validity.RowIsValid(row)) FlatVector::SetNull(result, row, true);
  }
}

std::vector<ColumnCast> MemberCasts(const CastRule& rule) {
  std::vector<ColumnCast> casts;
  // Parts of arrays and maps are "element", "key" and "value" here as in Spark's errors.
  for (size_t i = 0; i < rule.from.fields().size(); ++i) {
    CastRule member = rule.With(rule.from.fields()[i].type, rule.to.fields()[i].type);
    if (!rule.column.empty()) member.column += fmt::format(".`{}`", rule.to.fields()[i].name);
    casts.push_back(MakeColumnCast(member));
  }
  return casts;
}

ColumnCast CastNested(const CastRule& rule) {
  if (rule.from.kind() != rule.to.kind() || rule.from.fields().size() != rule.to.fields().size())
    RefuseCast(rule);
  std::vector<ColumnCast> members = MemberCasts(rule);
  if (rule.to.kind() == TypeKind::kStruct) {
    return
        [members](Vector& input, idx_t count, Vector& result) { CastStruct(members, input, count, result); };
  }
  ColumnCast child = members[0];
  if (rule.to.kind() == TypeKind::kMap) {
    child = [members](Vector& input, idx_t count, Vector& result) {
      CastStruct(members, input, count, result);
    };
  }
  return [child](Vector& input, idx_t count, Vector& result) { CastList(child, input, count, result); };
}

CastRule::Mode ModeOf(const std::string& text) {
  if (text == "legacy") return CastRule::Mode::kLegacy;
  if (text == "store") return CastRule::Mode::kStore;
  return text == "try" ? CastRule::Mode::kTry : CastRule::Mode::kAnsi;
}

/// weir_cast(input, mode, from, to, zone, column, marker).
Kernel CastKernel(const KernelCall& call) {
  const CastRule rule{SparkType(ValueOrThrow(ParseType(call.Text(2)))),
                      SparkType(ValueOrThrow(ParseType(call.Text(3)))), ModeOf(call.Text(1)),
                      ValueOrThrow(TimeZone::Find(call.Text(4))), call.Text(5)};
  return {call.types.back(), [cast = MakeColumnCast(rule)](duckdb::DataChunk& arguments, Vector& result) {
            Vector& input = arguments.data[0];
            const bool constant = input.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
            cast(input, constant ? 1 : arguments.size(), result);
            if (constant) result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
          }};
}

}  // namespace

std::nullopt_t CastRule::Malformed(const Scalar& value) const {
  if (throws()) Throw(Placed(value, *this, CastInvalidInput));
  return std::nullopt;
}
std::nullopt_t CastRule::Overflow(const Scalar& value) const {
  if (mode == Mode::kStore) Throw(CastOverflowInTableInsert(from, to, column));
  if (throws()) Throw(Placed(value, *this, CastOverflow));
  return std::nullopt;
}
std::nullopt_t CastRule::OutOfRange(std::string value) const {
  if (mode == Mode::kStore) Throw(CastOverflowInTableInsert(from, to, column));
  if (throws()) Throw(NumericValueOutOfRange(std::move(value), to));
  return std::nullopt;
}

void RefuseCast(const CastRule& rule) {
  Throw(Unsupported("a cast from {} to {} is not implemented", rule.from.ToString(), rule.to.ToString()));
}

ColumnCast MakeColumnCast(const CastRule& rule) {
  if (SameShape(rule.from, rule.to)) {
    return [](Vector& input, idx_t count, Vector& result) {
      duckdb::VectorOperations::Copy(input, result, count, 0, 0);
    };
  }
  if (rule.from.kind() == TypeKind::kVoid) return CastToNull();
  switch (rule.to.kind()) {
    case TypeKind::kBoolean:
      return CastToBoolean(rule);
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
    case TypeKind::kLong:
      return CastToIntegral(rule);
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return CastToFloating(rule);
    case TypeKind::kDecimal:
      return CastToDecimal(rule);
    case TypeKind::kString:
      return CastToText(rule);
    case TypeKind::kBinary:
      return CastToBinary(rule);
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return CastToInstant(rule);
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return CastNested(rule);
    default:
      RefuseCast(rule);
  }
}

std::vector<KernelEntry> CastKernels() { return {{"weir_cast", CastKernel}}; }

}  // namespace weir::exec

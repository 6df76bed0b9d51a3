#include "exec/duckdb/file_filters.h"

#include <algorithm>

#include "duckdb/planner/expression/bound_conjunction_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "duckdb/planner/filter/constant_filter.hpp"
#include "duckdb/planner/filter/expression_filter.hpp"
#include "duckdb/planner/filter/optional_filter.hpp"

namespace weir::exec {

namespace {

using duckdb::Expression;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::MultiFileColumnDefinition;
using duckdb::TableFilter;
using duckdb::TableFilterType;
using FilterPtr = duckdb::unique_ptr<TableFilter>;
using ExpressionPtr = duckdb::unique_ptr<Expression>;

/// Place of a signed integer type in the order of widths; 0 for other types.
int IntegerWidth(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::TINYINT:
      return 1;
    case LogicalTypeId::SMALLINT:
      return 2;
    case LogicalTypeId::INTEGER:
      return 4;
    case LogicalTypeId::BIGINT:
      return 8;
    default:
      return 0;
  }
}

/// True if a comparison with a constant of type `wanted` has the same outcome in type `held`: where both hold
/// the constant, they order it alike, and DuckDB casts no filter whose constant `held` cannot hold. A float
/// holds no constant near to a double exactly, a date none of a timestamp.
bool ComparesAlike(const LogicalType& held, const LogicalType& wanted) {
  if (held == wanted) return true;
  if (held.id() == LogicalTypeId::DECIMAL && wanted.id() == LogicalTypeId::DECIMAL) {
    return duckdb::DecimalType::GetScale(held) == duckdb::DecimalType::GetScale(wanted) &&
           duckdb::DecimalType::GetWidth(held) <= duckdb::DecimalType::GetWidth(wanted);
  }
  return IntegerWidth(held) > 0 && IntegerWidth(held) < IntegerWidth(wanted);
}

bool ComparesAlike(const MultiFileColumnDefinition& held, const MultiFileColumnDefinition& wanted) {
  if (held.children.empty() || wanted.children.empty()) return ComparesAlike(held.type, wanted.type);
  if (held.type.id() != wanted.type.id()) return false;
  for (const auto& child : wanted.children) {
    for (const auto& candidate : held.children) {
      if (IsColumn(candidate, child) && !ComparesAlike(candidate, child)) return false;
    }
  }
  return true;
}

/// True if the type's Parquet Bloom filters answer an equality: DuckDB probes for the bytes of a constant,
/// but 0.0 equals -0.0, NaN has many forms, and of a BLOB it takes the escaped text.
bool CanProbe(const LogicalType& type) {
  return type.id() != LogicalTypeId::FLOAT && type.id() != LogicalTypeId::DOUBLE &&
         type.id() != LogicalTypeId::BLOB;
}

/// An equality as a range of one value: the same rows and the same pruning by bounds, but no probe.
FilterPtr WithoutProbe(const duckdb::ConstantFilter& filter) {
  if (filter.comparison_type != duckdb::ExpressionType::COMPARE_EQUAL || CanProbe(filter.constant.type())) {
    return filter.Copy();
  }
  auto range = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
  for (const auto comparison : {duckdb::ExpressionType::COMPARE_GREATERTHANOREQUALTO,
                                duckdb::ExpressionType::COMPARE_LESSTHANOREQUALTO}) {
    range->child_filters.push_back(duckdb::make_uniq<duckdb::ConstantFilter>(comparison, filter.constant));
  }
  return range;
}

/// A filter for a column that compares alike in the file, or nothing if it only spares work that the reader
/// cannot be spared: DuckDB carries no join's bloom filter over a change of type.
FilterPtr Carried(const TableFilter& filter, bool same_type);

template <typename Conjunction>
FilterPtr CarriedJunction(const Conjunction& filter, bool same_type) {
  auto copy = duckdb::make_uniq<Conjunction>();
  for (const auto& child : filter.child_filters) {
    FilterPtr carried = Carried(*child, same_type);
    if (carried) {
      copy->child_filters.push_back(std::move(carried));
    } else if (filter.filter_type == TableFilterType::CONJUNCTION_OR) {
      return nullptr;
    }
  }
  if (copy->child_filters.empty()) return nullptr;
  return copy;
}

FilterPtr Carried(const TableFilter& filter, bool same_type) {
  switch (filter.filter_type) {
    case TableFilterType::CONSTANT_COMPARISON:
      return WithoutProbe(filter.Cast<duckdb::ConstantFilter>());
    case TableFilterType::CONJUNCTION_AND:
      return CarriedJunction(filter.Cast<duckdb::ConjunctionAndFilter>(), same_type);
    case TableFilterType::CONJUNCTION_OR:
      return CarriedJunction(filter.Cast<duckdb::ConjunctionOrFilter>(), same_type);
    case TableFilterType::BLOOM_FILTER:
      return same_type ? filter.Copy() : nullptr;
    case TableFilterType::OPTIONAL_FILTER: {
      const auto& child = filter.Cast<duckdb::OptionalFilter>().child_filter;
      if (!child || same_type) return filter.Copy();
      FilterPtr carried = Carried(*child, same_type);
      if (!carried) return nullptr;
      return duckdb::make_uniq<duckdb::OptionalFilter>(std::move(carried));
    }
    default:
      // DuckDB probes no other filter.
      return filter.Copy();
  }
}

/// Nothing if the filter, or what is joined to it by OR, only spares work.
ExpressionPtr ConditionOf(const TableFilter& filter, const Expression& column);

ExpressionPtr ConditionOf(const duckdb::ConjunctionFilter& filter, const Expression& column) {
  const bool all = filter.filter_type == TableFilterType::CONJUNCTION_AND;
  auto joined = duckdb::make_uniq<duckdb::BoundConjunctionExpression>(
      all ? duckdb::ExpressionType::CONJUNCTION_AND : duckdb::ExpressionType::CONJUNCTION_OR);
  for (const auto& child : filter.child_filters) {
    ExpressionPtr condition = ConditionOf(*child, column);
    if (condition) {
      joined->children.push_back(std::move(condition));
    } else if (!all) {
      return nullptr;
    }
  }
  if (joined->children.size() > 1) return joined;
  if (joined->children.empty()) return nullptr;
  return std::move(joined->children[0]);
}

ExpressionPtr ConditionOf(const TableFilter& filter, const Expression& column) {
  switch (filter.filter_type) {
    case TableFilterType::OPTIONAL_FILTER:
    case TableFilterType::DYNAMIC_FILTER:
    case TableFilterType::BLOOM_FILTER:
      return nullptr;
    case TableFilterType::CONJUNCTION_AND:
      return ConditionOf(filter.Cast<duckdb::ConjunctionAndFilter>(), column);
    case TableFilterType::CONJUNCTION_OR:
      return ConditionOf(filter.Cast<duckdb::ConjunctionOrFilter>(), column);
    default:
      return filter.ToExpression(column);
  }
}

FilterPtr AsCondition(const TableFilter& filter, const LogicalType& type) {
  return FilterOver(filter, duckdb::BoundReferenceExpression(type, duckdb::storage_t(0)));
}

}  // namespace

bool IsColumn(const MultiFileColumnDefinition& held, const MultiFileColumnDefinition& wanted) {
  if (wanted.identifier.type().id() == LogicalTypeId::VARCHAR) {
    return duckdb::StringUtil::CIEquals(held.name, wanted.GetIdentifierName());
  }
  return !held.identifier.IsNull() && held.identifier == wanted.identifier;
}

duckdb::unique_ptr<TableFilter> FilterOver(const TableFilter& filter, const Expression& column) {
  ExpressionPtr condition = ConditionOf(filter, column);
  if (!condition) return nullptr;
  return duckdb::make_uniq<duckdb::ExpressionFilter>(std::move(condition));
}

duckdb::TableFilterSet FiltersForFile(const duckdb::TableFilterSet& filters,
                                      const duckdb::vector<MultiFileColumnDefinition>& columns,
                                      const duckdb::vector<MultiFileColumnDefinition>& global_columns,
                                      const duckdb::vector<duckdb::ColumnIndex>& global_column_ids) {
  duckdb::TableFilterSet result;
  for (const auto& [place, filter] : filters.filters) {
    const duckdb::column_t id = global_column_ids[place].GetPrimaryIndex();
    if (id >= global_columns.size()) {
      result.filters.emplace(place, filter->Copy());
      continue;
    }
    const MultiFileColumnDefinition& wanted = global_columns[id];
    const auto held = std::find_if(columns.begin(), columns.end(),
                                   [&](const auto& column) { return IsColumn(column, wanted); });
    FilterPtr usable;
    if (held == columns.end()) {
      // DuckDB finds the members of a constant by name, but its filters may leave the name out.
      const bool members = wanted.type.id() == LogicalTypeId::STRUCT;
      usable = members ? AsCondition(*filter, wanted.type) : filter->Copy();
    } else if (ComparesAlike(*held, wanted)) {
      usable = Carried(*filter, held->type == wanted.type && !wanted.type.IsNested());
    } else {
      usable = AsCondition(*filter, wanted.type);
    }
    if (usable) result.filters.emplace(place, std::move(usable));
  }
  return result;
}

}  // namespace weir::exec

#include "exec/duckdb/scan_files.h"

#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "duckdb/planner/filter/constant_filter.hpp"
#include "duckdb/planner/filter/dynamic_filter.hpp"
#include "duckdb/planner/filter/in_filter.hpp"
#include "duckdb/planner/filter/optional_filter.hpp"
#include "duckdb/storage/statistics/node_statistics.hpp"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

constexpr char kFileOption[] = "weir_file";

duckdb::vector<duckdb::OpenFileInfo> InfosOf(const ScanSource& source, const std::vector<size_t>& files) {
  duckdb::vector<duckdb::OpenFileInfo> infos;
  for (size_t file : files) infos.push_back(source.files[file].info);
  return infos;
}

/// Whether a value within bounds may satisfy `value OP constant`. NaN lies outside the bounds and above all
/// numbers.
bool MayCompare(const ColumnBounds& bounds, duckdb::ExpressionType op, const Scalar& constant) {
  using duckdb::ExpressionType;
  const bool nan = constant.type().is_floating() && bounds.may_have_nan;
  const bool below_ok = !bounds.lower || Compare(*bounds.lower, constant) < 0;
  const bool above_ok = nan || !bounds.upper || Compare(*bounds.upper, constant) > 0;
  const bool lower_at_most = !bounds.lower || Compare(*bounds.lower, constant) <= 0;
  const bool upper_at_least = nan || !bounds.upper || Compare(*bounds.upper, constant) >= 0;
  switch (op) {
    case ExpressionType::COMPARE_EQUAL:
      return lower_at_most && upper_at_least;
    case ExpressionType::COMPARE_LESSTHAN:
      return below_ok;
    case ExpressionType::COMPARE_LESSTHANOREQUALTO:
      return lower_at_most;
    case ExpressionType::COMPARE_GREATERTHAN:
      return above_ok;
    case ExpressionType::COMPARE_GREATERTHANOREQUALTO:
      return upper_at_least;
    default:
      return true;
  }
}

/// The constant as a value of the bounds' type; null where they cannot be compared.
std::optional<Scalar> Comparable(const ColumnBounds& bounds, const Type& type, const duckdb::Value& value) {
  Result<Scalar> scalar = FromDuckValue(value, type);
  if (!scalar || scalar->is_null()) return std::nullopt;
  const std::optional<Scalar>& bound = bounds.lower ? bounds.lower : bounds.upper;
  if (!bound || bound->type().kind() != type.kind()) return std::nullopt;
  if (type.kind() == TypeKind::kDecimal && bound->type().scale() != type.scale()) return std::nullopt;
  return *std::move(scalar);
}

bool MayPass(const ColumnBounds& bounds, const Type& type, const duckdb::TableFilter& filter) {
  switch (filter.filter_type) {
    case duckdb::TableFilterType::CONSTANT_COMPARISON: {
      const auto& constant = filter.Cast<duckdb::ConstantFilter>();
      const std::optional<Scalar> value = Comparable(bounds, type, constant.constant);
      return !value || MayCompare(bounds, constant.comparison_type, *value);
    }
    case duckdb::TableFilterType::IN_FILTER: {
      for (const duckdb::Value& member : filter.Cast<duckdb::InFilter>().values) {
        const std::optional<Scalar> value = Comparable(bounds, type, member);
        if (!value || MayCompare(bounds, duckdb::ExpressionType::COMPARE_EQUAL, *value)) return true;
      }
      return false;
    }
    case duckdb::TableFilterType::CONJUNCTION_AND:
      for (const auto& child : filter.Cast<duckdb::ConjunctionAndFilter>().child_filters) {
        if (!MayPass(bounds, type, *child)) return false;
      }
      return true;
    case duckdb::TableFilterType::CONJUNCTION_OR:
      for (const auto& child : filter.Cast<duckdb::ConjunctionOrFilter>().child_filters) {
        if (MayPass(bounds, type, *child)) return true;
      }
      return false;
    case duckdb::TableFilterType::OPTIONAL_FILTER: {
      const auto& child = filter.Cast<duckdb::OptionalFilter>().child_filter;
      return !child || MayPass(bounds, type, *child);
    }
    case duckdb::TableFilterType::DYNAMIC_FILTER: {
      const auto& data = filter.Cast<duckdb::DynamicFilter>().filter_data;
      if (!data) return true;
      std::lock_guard lock(data->lock);
      return !data->initialized || !data->filter || MayPass(bounds, type, *data->filter);
    }
    default:
      return true;
  }
}

}  // namespace

void MarkFile(duckdb::OpenFileInfo& info, size_t index) {
  info.extended_info->options[kFileOption] = duckdb::Value::UBIGINT(index);
}

size_t FileIndexOf(const duckdb::OpenFileInfo& info) {
  return info.extended_info->options.at(kFileOption).GetValue<uint64_t>();
}

ScanFileList::ScanFileList(std::shared_ptr<ScanSource> source, std::vector<size_t> files)
    : SimpleMultiFileList(InfosOf(*source, files)), source_(std::move(source)), files_(std::move(files)) {}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::DynamicFilterPushdown(
    duckdb::ClientContext&, const duckdb::MultiFileOptions&, const duckdb::vector<std::string>&,
    const duckdb::vector<duckdb::LogicalType>&, const duckdb::vector<duckdb::column_t>& column_ids,
    duckdb::TableFilterSet& filters) const {
  if (!source_->tasks) return nullptr;
  std::vector<size_t> kept;
  uint64_t skipped_bytes = 0;
  for (size_t index : files_) {
    const ScanFile& file = source_->files[index];
    bool may_match = true;
    for (const auto& [position, filter] : filters.filters) {
      const duckdb::column_t column = column_ids[position];
      if (file.synthesized || column >= source_->outputs.size()) continue;
      const ScanOutput& output = source_->outputs[column];
      const Field* field = std::get_if<Field>(&output.source);
      const table::DataFile& data = *(*source_->tasks)[file.task].file;
      const ColumnBounds* bounds = field ? data.bounds.Find(ColumnOf(field->id)) : nullptr;
      if (bounds && !MayPass(*bounds, output.type, *filter)) may_match = false;
    }
    if (may_match) {
      kept.push_back(index);
    } else {
      skipped_bytes += (*source_->tasks)[file.task].file->size_bytes;
    }
  }
  if (kept.size() == files_.size()) return nullptr;
  if (source_->account)
    source_->account->Avoid(AvoidReason::kBounds, files_.size() - kept.size(), skipped_bytes);
  return duckdb::make_uniq<ScanFileList>(source_, std::move(kept));
}

duckdb::FileExpandResult ScanFileList::GetExpandResult() const {
  if (source_->describe) return SimpleMultiFileList::GetExpandResult();
  return duckdb::FileExpandResult::MULTIPLE_FILES;
}

duckdb::unique_ptr<duckdb::NodeStatistics> ScanFileList::GetCardinality(duckdb::ClientContext&) const {
  uint64_t rows = 0;
  for (size_t index : files_) {
    const ScanFile& file = source_->files[index];
    const bool selected = source_->selection && !file.synthesized;
    rows += selected ? source_->selection->positions[file.task].size() : file.row_count;
  }
  return duckdb::make_uniq<duckdb::NodeStatistics>(rows);
}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::Copy() const {
  return duckdb::make_uniq<ScanFileList>(source_, files_);
}

}  // namespace weir::exec

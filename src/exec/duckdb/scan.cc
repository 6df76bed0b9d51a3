#include "exec/duckdb/scan.h"

#include <algorithm>
#include <cmath>

#include "duckdb/catalog/catalog.hpp"
#include "duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp"
#include "duckdb/common/multi_file/multi_file_states.hpp"
#include "duckdb/function/function_set.hpp"
#include "duckdb/function/partition_stats.hpp"
#include "duckdb/function/table_function.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/database.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/scan_files.h"
#include "exec/duckdb/scan_reader.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;

struct ScanInfo : duckdb::TableFunctionInfo {
  explicit ScanInfo(std::shared_ptr<Scans> in_scans) : scans(std::move(in_scans)) {}
  std::shared_ptr<Scans> scans;
};

/// DuckDB's own scan of Parquet files; the same pointer in every database of the process.
std::atomic<duckdb::table_function_t> parquet_scan{nullptr};

ScanSource& SourceOf(const duckdb::FunctionData& bind_data) {
  const auto& data = bind_data.Cast<duckdb::MultiFileBindData>();
  return *data.file_list->Cast<ScanFileList>().source();
}

/// Where the scan puts the key columns of its filter; nothing without a filter, or if it does not put all.
std::optional<std::vector<idx_t>> KeyColumns(const ScanSource& source,
                                             const duckdb::TableFunctionInput& input) {
  if (!source.key_filter) return std::nullopt;
  const auto& state = input.global_state->Cast<duckdb::MultiFileGlobalState>();
  const idx_t width = state.CanRemoveColumns() ? state.projection_ids.size() : state.column_indexes.size();
  std::vector<idx_t> places;
  for (FieldId id : source.key_filter->fields()) {
    for (idx_t i = 0; i < width; ++i) {
      const idx_t scanned = state.CanRemoveColumns() ? state.projection_ids[i] : i;
      const duckdb::column_t column = state.column_indexes[scanned].GetPrimaryIndex();
      if (column >= source.outputs.size()) continue;
      const Field* field = std::get_if<Field>(&source.outputs[column].source);
      if (!field || field->id != id) continue;
      places.push_back(i);
      break;
    }
  }
  if (places.size() != source.key_filter->fields().size()) return std::nullopt;
  return places;
}

/// Leaves the rows whose key is in the filter; false if there is none.
bool KeepKeys(const KeyFilter& filter, const std::vector<idx_t>& columns, duckdb::DataChunk& output) {
  duckdb::SelectionVector kept(STANDARD_VECTOR_SIZE);
  const idx_t count = filter.Select(output, columns, kept);
  if (count < output.size()) output.Slice(kept, count);
  return count > 0;
}

bool HoldsText(const Type& type) {
  const std::vector<Field>& fields = type.fields();
  return type.kind() == TypeKind::kString ||
         std::any_of(fields.begin(), fields.end(), [](const Field& field) { return HoldsText(field.type); });
}

/// The scan's columns that hold text, for people.
std::string TextColumns(const ScanSource& source) {
  std::string names;
  for (const ScanOutput& output : source.outputs) {
    if (!HoldsText(output.type) || std::holds_alternative<plan::MetadataColumn>(output.source)) continue;
    const Field* field = std::get_if<Field>(&output.source);
    names += (names.empty() ? "" : " or ") + (field ? field->name : std::get<std::string>(output.source));
  }
  return names;
}

/// Reads on. Of bytes that are no text DuckDB names the file, but not the column.
void ReadChunk(duckdb::ClientContext& context, duckdb::TableFunctionInput& input, duckdb::DataChunk& output,
               const ScanSource& source) {
  try {
    parquet_scan.load()(context, input, output);
  } catch (const std::exception& exception) {
    const std::string message = ToError(exception).message();
    if (message.find("is not valid UTF8") == std::string::npos) throw;
    Throw(Corrupt("column {}: {}", TextColumns(source), message));
  }
}

void Scan(duckdb::ClientContext& context, duckdb::TableFunctionInput& input, duckdb::DataChunk& output) {
  ScanSource& source = SourceOf(*input.bind_data);
  CheckOrThrow(source.cancellation.Check());
  const std::optional<std::vector<idx_t>> keys = KeyColumns(source, input);
  while (true) {
    std::string path;
    if (input.local_state) {
      const auto& state = input.local_state->Cast<duckdb::MultiFileLocalState>();
      if (state.reader) {
        path = state.reader->file.path;
        source.Follow(context, state.reader);
      }
    }
    NamingFile(path, [&] { ReadChunk(context, input, output, source); });
    // No row at all is the end of the scan.
    if (output.size() == 0 || !keys || KeepKeys(*source.key_filter, *keys, output)) break;
    CheckOrThrow(source.cancellation.Check());
    output.Reset();
  }
  source.CountReturned(output.size());
}

/// Lets DuckDB answer count(*) from the metadata: only if every row of every file is returned.
duckdb::vector<duckdb::PartitionStatistics> RowCounts(duckdb::ClientContext&,
                                                      duckdb::GetPartitionStatsInput& input) {
  duckdb::vector<duckdb::PartitionStatistics> counts;
  const auto& list = input.bind_data->Cast<duckdb::MultiFileBindData>().file_list->Cast<ScanFileList>();
  const ScanSource& source = *list.source();
  if (source.selection || source.key_filter || !source.tasks) return counts;
  duckdb::idx_t start = 0;
  for (size_t index : list.files()) {
    const ScanFile& file = source.files[index];
    if (file.synthesized || !(*source.tasks)[file.task].deletes.empty()) return {};
    duckdb::PartitionStatistics statistics;
    statistics.row_start = start;
    statistics.count = file.row_count;
    statistics.count_type = duckdb::CountType::COUNT_EXACT;
    start += file.row_count;
    counts.push_back(std::move(statistics));
  }
  return counts;
}

duckdb::TableFunction Adapt(duckdb::TableFunction function, const std::shared_ptr<Scans>& scans) {
  parquet_scan = function.function;
  function.name = kScanFunction;
  function.function = Scan;
  function.function_info = duckdb::make_shared_ptr<ScanInfo>(scans);
  function.get_multi_file_reader =
      [](const duckdb::TableFunction& self) -> duckdb::unique_ptr<duckdb::MultiFileReader> {
    return duckdb::make_uniq<ScanReader>(self.function_info->Cast<ScanInfo>().scans);
  };
  function.get_partition_stats = RowCounts;
  // These would read files while planning, or rows twice.
  function.statistics = nullptr;
  function.statistics_extended = nullptr;
  function.late_materialization = false;
  function.get_row_id_columns = nullptr;
  // Without serialization DuckDB binds again by number when it copies a plan.
  function.serialize = nullptr;
  function.deserialize = nullptr;
  function.verify_serialization = false;
  return function;
}

}  // namespace

std::string ScanSource::Add(ScanOutput output) {
  auto same = [&](const ScanOutput& other) {
    if (other.source.index() != output.source.index()) return false;
    if (const Field* field = std::get_if<Field>(&output.source))
      return field->id == std::get<Field>(other.source).id;
    return output.source == other.source;
  };
  const auto it = std::find_if(outputs.begin(), outputs.end(), same);
  if (it != outputs.end()) return it->name;
  outputs.push_back(std::move(output));
  return outputs.back().name;
}

void ScanSource::Follow(duckdb::ClientContext& context,
                        const duckdb::shared_ptr<duckdb::BaseFileReader>& reader) {
  std::lock_guard lock(mutex_);
  if (!known_.insert(reader.get()).second) return;
  const size_t index = describe ? 0 : FileIndexOf(reader->file);
  const ScanFile& file = files[index];
  const uint64_t rows = file.synthesized ? file.synthesized->rows().row_count() : file.row_count;
  followed_.push_back({reader, rows});
  CountDecoded(context, false);
}

void ScanSource::CountDecoded(duckdb::ClientContext& context, bool all) {
  for (size_t i = 0; i < followed_.size();) {
    Followed& followed = followed_[i];
    // A reader that only we hold is finished; letting it go frees its file.
    if (!all && followed.reader.use_count() > 1) {
      ++i;
      continue;
    }
    const double percent = followed.row_count == 0 ? 0 : followed.reader->GetProgressInFile(context);
    decoded_ +=
        static_cast<uint64_t>(std::llround(percent / 100.0 * static_cast<double>(followed.row_count)));
    known_.erase(followed.reader.get());
    followed = std::move(followed_.back());
    followed_.pop_back();
  }
}

void ScanSource::BookCounts(duckdb::ClientContext& context) {
  std::lock_guard lock(mutex_);
  CountDecoded(context, true);
  // Rows read by position have been through the join.
  const uint64_t returned = returned_.exchange(0);
  if (account) account->Count({.into_join = selection ? 0 : returned, .decoded = decoded_});
  decoded_ = 0;
}

Result<std::shared_ptr<const table::RowDeletes>> LoadDeletes(const ScanSource& source, int32_t task) {
  static const auto none = std::make_shared<const table::RowDeletes>();
  const table::ScanTask& planned = (*source.tasks)[task];
  if (planned.deletes.empty()) return none;
  if (!source.deletes) return Internal("{}: deletes without a loader", planned.file->path);
  return source.deletes->Load(planned, [&](FieldId id) { return source.snapshot->FindField(id); });
}

uint64_t Scans::Register(std::shared_ptr<ScanSource> source) {
  for (size_t i = 0; i < source->files.size(); ++i) MarkFile(source->files[i].info, i);
  std::lock_guard lock(mutex_);
  sources_[next_] = std::move(source);
  return next_++;
}

void Scans::Withdraw(uint64_t number) {
  std::lock_guard lock(mutex_);
  sources_.erase(number);
}

std::shared_ptr<ScanSource> Scans::Find(uint64_t number) const {
  std::lock_guard lock(mutex_);
  const auto it = sources_.find(number);
  return it == sources_.end() ? nullptr : it->second;
}

void RegisterScan(duckdb::Connection& connection, std::shared_ptr<Scans> scans) {
  connection.context->RunFunctionInTransaction([&] {
    auto& catalog = duckdb::Catalog::GetSystemCatalog(*connection.context);
    auto& entry = catalog.GetEntry<duckdb::TableFunctionCatalogEntry>(*connection.context, DEFAULT_SCHEMA,
                                                                      "parquet_scan");
    duckdb::TableFunctionSet set(kScanFunction);
    for (const duckdb::TableFunction& function : entry.functions.functions)
      set.AddFunction(Adapt(function, scans));
    duckdb::ExtensionLoader loader(*connection.context->db, "weir");
    loader.RegisterFunction(std::move(set));
  });
}

}  // namespace weir::exec

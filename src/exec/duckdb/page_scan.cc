#include "exec/duckdb/page_scan.h"
#include "exec/duckdb/query.h"

#include <algorithm>
#include <unordered_map>

#include "duckdb/parser/query_node/set_operation_node.hpp"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/name_mapping.h"
#include "exec/duckdb/types.h"
#include "pages/select.h"

namespace weir::exec {

namespace {

using KeyTuples = std::vector<std::vector<Scalar>>;
using SharedKeys = std::shared_ptr<const pages::Keys>;

/// Keys of a scan, and those of them that a partition can hold.
class KeyRouter {
 public:
  static Result<KeyRouter> Make(const plan::FileScan& scan) {
    KeyRouter router(scan);
    for (FieldId id : scan.keys->fields) {
      const Field* field = scan.snapshot->schema.Find(id);
      if (!field) return Internal("{} has no key field {}", scan.name, id.value);
      WEIR_TRY(std::vector<std::string> names, MappedNames(*scan.snapshot, id));
      router.columns_.push_back(
          {.id = id, .name = field->name, .type = field->type, .mapped_names = std::move(names)});
    }
    WEIR_TRY(router.all_, pages::Keys::Make(router.columns_, *scan.keys->keys));
    return router;
  }

  /// Keys that a file of the partition may hold; null if there is none.
  Result<SharedKeys> KeysOf(const table::PartitionTuple& partition) {
    const table::PartitionSpec* spec = scan_.snapshot->FindSpec(partition.spec_id);
    const std::vector<Routed> routed = spec ? RoutedFields(*spec) : std::vector<Routed>();
    if (routed.empty() || partition.values.size() != spec->fields.size()) return all_;
    const auto cached = by_partition_.find(partition);
    if (cached != by_partition_.end()) return cached->second;
    for (const std::vector<Scalar>& key : *scan_.keys->keys) {
      for (const Routed& field : routed) {
        // The key's partition is not certain.
        if (spec->fields[field.partition_field].transform.MayDifferInOldFiles(key[field.key_column]))
          return all_;
      }
    }
    WEIR_DO(SplitBySpec(*spec, routed));
    // A partition that no key maps to holds none.
    return by_partition_[partition];
  }

 private:
  /// A partition field whose source is a key column.
  struct Routed {
    size_t partition_field;
    size_t key_column;
  };

  explicit KeyRouter(const plan::FileScan& scan) : scan_(scan) {}

  std::vector<Routed> RoutedFields(const table::PartitionSpec& spec) const {
    std::vector<Routed> routed;
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      const Transform::Kind kind = spec.fields[i].transform.kind;
      if (kind == Transform::Kind::kVoid || kind == Transform::Kind::kUnknown) continue;
      for (size_t k = 0; k < scan_.keys->fields.size(); ++k) {
        if (scan_.keys->fields[k] == spec.fields[i].source_id) routed.push_back({i, k});
      }
    }
    return routed;
  }

  /// Files every partition of the scan under the keys whose transformed values equal the partition's.
  Status SplitBySpec(const table::PartitionSpec& spec, const std::vector<Routed>& routed) {
    std::unordered_map<table::PartitionTuple, KeyTuples, table::PartitionTupleHash> groups;
    for (const std::vector<Scalar>& key : *scan_.keys->keys) {
      table::PartitionTuple tuple{.spec_id = spec.spec_id, .values = {}};
      for (const Routed& field : routed) {
        WEIR_TRY(Scalar value, spec.fields[field.partition_field].transform.Apply(key[field.key_column]));
        tuple.values.push_back(std::move(value));
      }
      groups[tuple].push_back(key);
    }
    std::unordered_map<table::PartitionTuple, SharedKeys, table::PartitionTupleHash> made;
    for (const table::ScanTask& task : *scan_.tasks) {
      const table::PartitionTuple& partition = task.file->partition;
      if (partition.spec_id != spec.spec_id || by_partition_.contains(partition)) continue;
      table::PartitionTuple wanted{.spec_id = spec.spec_id, .values = {}};
      for (const Routed& field : routed) wanted.values.push_back(partition.values[field.partition_field]);
      const auto group = groups.find(wanted);
      SharedKeys& keys = made[wanted];
      if (!keys && group != groups.end()) {
        WEIR_TRY(keys, pages::Keys::Make(columns_, group->second));
      }
      by_partition_[partition] = keys;
    }
    return {};
  }

  const plan::FileScan& scan_;
  std::vector<pages::KeyColumn> columns_;
  SharedKeys all_;
  std::unordered_map<table::PartitionTuple, SharedKeys, table::PartitionTupleHash> by_partition_;
};

/// Files of one store, since a page selection speaks to one.
template <typename File>
struct StoreFiles {
  std::shared_ptr<Storage> storage;
  std::vector<File> files;
  std::vector<int32_t> tasks;
};

template <typename File>
StoreFiles<File>& GroupOf(std::vector<StoreFiles<File>>& groups, const std::shared_ptr<Storage>& storage) {
  for (StoreFiles<File>& group : groups) {
    if (group.storage == storage) return group;
  }
  return groups.emplace_back(StoreFiles<File>{.storage = storage, .files = {}, .tasks = {}});
}

/// Sorted positions as ranges.
std::vector<pages::RowRange> RangesOf(const std::vector<int64_t>& positions) {
  std::vector<pages::RowRange> ranges;
  for (int64_t position : positions) {
    if (!ranges.empty() && ranges.back().end_row() == position) {
      ++ranges.back().row_count;
    } else {
      ranges.push_back({.first_row = position, .row_count = 1});
    }
  }
  return ranges;
}

class PageScan {
 public:
  PageScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan)
      : lowering_(lowering), query_(lowering.query()), node_(node), scan_(scan) {}

  Result<QueryPtr> Lower() {
    WEIR_TRY(plain_, SourceOf(lowering_, node_, scan_));
    WEIR_TRY(plain_->key_filter, KeyFilterOf(scan_));
    WEIR_DO(scan_.selection ? ReadSelectedRows() : ReadKeys());
    if (!plain_->files.empty()) {
      WEIR_TRY(QueryPtr part, SelectScan(query_, node_, plain_));
      parts_.push_back(std::move(part));
    }
    if (parts_.empty()) return EmptyRelation(node_);
    if (parts_.size() == 1) return std::move(parts_[0]);
    auto all = duckdb::make_uniq<duckdb::SetOperationNode>();
    all->setop_type = duckdb::SetOperationType::UNION;
    all->setop_all = true;
    for (QueryPtr& part : parts_) all->children.push_back(std::move(part));
    return QueryPtr(std::move(all));
  }

  Result<PageReport> Describe() {
    WEIR_TRY(plain_, SourceOf(lowering_, node_, scan_));
    WEIR_TRY(const auto groups, KeyFiles());
    PageReport report;
    report.skipped_files = scan_.tasks->size();
    for (const auto& group : groups) {
      report.skipped_files -= group.files.size();
      const Store store(group.storage, *plain_->account, query_.context().cancellation);
      WEIR_TRY(pages::KeySelection selection,
               pages::SelectKeyPages(store, *query_.shared().footers, group.files, options_));
      report.row_count += selection.row_count;
      for (const pages::FileChoice& choice : selection.files) AddChoice(choice, report);
    }
    return report;
  }

 private:
  static void AddChoice(const pages::FileChoice& choice, PageReport& report) {
    switch (choice.access) {
      case pages::Access::kSkip:
        ++report.skipped_files;
        return;
      case pages::Access::kPages:
        ++report.page_files;
        report.selected_bytes += choice.selected_bytes;
        return;
      default:
        break;
    }
    const std::string reason = choice.access == pages::Access::kMissingColumn
                                   ? "older than a key column"
                                   : std::string(pages::ToString(choice.reason));
    for (auto& [known, files] : report.plain) {
      if (known == reason) {
        ++files;
        return;
      }
    }
    report.plain.emplace_back(reason, 1);
  }

  /// Files with the keys that they may hold, by store.
  Result<std::vector<StoreFiles<pages::KeyFile>>> KeyFiles() {
    WEIR_TRY(KeyRouter router, KeyRouter::Make(scan_));
    std::vector<StoreFiles<pages::KeyFile>> groups;
    for (size_t task = 0; task < scan_.tasks->size(); ++task) {
      const table::DataFile& data = *(*scan_.tasks)[task].file;
      WEIR_TRY(SharedKeys keys, router.KeysOf(data.partition));
      if (!keys) {
        plain_->account->Avoid(AvoidReason::kPartition, 1, data.size_bytes);
        continue;
      }
      WEIR_TRY(Location location, query_.shared().stores->Find(data.path));
      auto& group = GroupOf(groups, location.storage);
      group.files.push_back({.file = RefOf(location, data), .keys = std::move(keys)});
      group.tasks.push_back(static_cast<int32_t>(task));
    }
    return groups;
  }

  Status ReadKeys() {
    WEIR_TRY(const auto groups, KeyFiles());
    for (const auto& group : groups) {
      const Store store(group.storage, *plain_->account, query_.context().cancellation);
      WEIR_TRY(pages::KeySelection selection,
               pages::SelectKeyPages(store, *query_.shared().footers, group.files, options_));
      WEIR_TRY(pages::Synthesis synthesis, pages::Synthesize(store, group.files, selection, options_));
      WEIR_DO(AddParts(selection, synthesis, group.tasks));
    }
    return {};
  }

  Status ReadSelectedRows() {
    std::vector<StoreFiles<pages::RowFile>> groups;
    for (size_t task = 0; task < scan_.tasks->size(); ++task) {
      const std::vector<int64_t>& positions = scan_.selection->positions[task];
      if (positions.empty()) continue;
      const table::DataFile& data = *(*scan_.tasks)[task].file;
      WEIR_TRY(Location location, query_.shared().stores->Find(data.path));
      auto& group = GroupOf(groups, location.storage);
      group.files.push_back({.file = RefOf(location, data), .rows = RangesOf(positions)});
      group.tasks.push_back(static_cast<int32_t>(task));
    }
    std::vector<pages::KeyColumn> columns;
    for (const plan::ScanColumn& column : scan_.columns) {
      const FieldId* id = std::get_if<FieldId>(&column);
      if (!id) continue;
      const Field* field = scan_.snapshot->schema.Find(*id);
      WEIR_TRY(std::vector<std::string> names, MappedNames(*scan_.snapshot, *id));
      columns.push_back(
          {.id = *id, .name = field->name, .type = field->type, .mapped_names = std::move(names)});
    }
    for (const auto& group : groups) {
      const Store store(group.storage, *plain_->account, query_.context().cancellation);
      WEIR_TRY(pages::KeySelection selection,
               pages::SelectRows(store, *query_.shared().footers, group.files, columns, options_));
      WEIR_TRY(pages::Synthesis synthesis,
               pages::Synthesize(store, group.files, columns, selection, options_));
      WEIR_DO(AddParts(selection, synthesis, group.tasks));
    }
    return {};
  }

  static pages::FileRef RefOf(const Location& location, const table::DataFile& data) {
    return {.path = location.path, .size_bytes = data.size_bytes, .footer_size_bytes = {}};
  }

  Status AddParts(const pages::KeySelection& selection, const pages::Synthesis& synthesis,
                  const std::vector<int32_t>& tasks) {
    for (size_t i = 0; i < selection.files.size(); ++i) {
      const pages::Access access = selection.files[i].access;
      if (access == pages::Access::kPlain || access == pages::Access::kMissingColumn) {
        WEIR_DO(AddTaskFile(query_, *plain_, static_cast<size_t>(tasks[i])));
      }
    }
    for (const pages::Synthesis::PlainFile& file : synthesis.plain) {
      WEIR_DO(AddTaskFile(query_, *plain_, static_cast<size_t>(tasks[file.file])));
    }
    for (const auto& file : synthesis.files) {
      WEIR_TRY(QueryPtr part, SelectSynthesized(file, tasks));
      parts_.push_back(std::move(part));
    }
    return {};
  }

  /// Selects the node's columns from a synthesized file: keys as they are, places through its row map.
  Result<QueryPtr> SelectSynthesized(const std::shared_ptr<const pages::SynthesizedFile>& file,
                                     const std::vector<int32_t>& tasks) {
    WEIR_TRY(std::shared_ptr<ScanSource> source, SourceOf(lowering_, node_, scan_));
    source->outputs.clear();
    source->key_filter = plain_->key_filter;
    for (size_t i = 0; i < scan_.columns.size(); ++i) {
      const FieldId* id = std::get_if<FieldId>(&scan_.columns[i]);
      if (!id) continue;
      source->outputs.push_back({.name = NameOf(node_.output[i].id),
                                 .type = node_.output[i].type,
                                 .source = *scan_.snapshot->schema.Find(*id)});
    }
    source->outputs.push_back({.name = "row", .type = Type::Long(), .source = plan::MetadataColumn::kPos});
    ScanFile entry;
    entry.info = query_.AddFile(file);
    entry.row_count = static_cast<uint64_t>(file->rows().row_count());
    entry.task = tasks.empty() ? -1 : tasks[0];
    entry.synthesized = file;
    entry.tasks_of_synthesized = tasks;
    source->files.push_back(std::move(entry));
    const uint64_t number = query_.AddScan(std::move(source));
    SelectPtr select = SelectFrom(ScanTable(number, "scan"));
    for (size_t i = 0; i < scan_.columns.size(); ++i) {
      const std::string name = NameOf(node_.output[i].id);
      ParsedPtr column = ColumnNamed(name);
      if (const auto* place = std::get_if<plan::MetadataColumn>(&scan_.columns[i])) {
        column = PlaceOf(number, *place);
      }
      select->select_list.push_back(Named(std::move(column), name));
    }
    return QueryPtr(std::move(select));
  }

  static ParsedPtr PlaceOf(uint64_t number, plan::MetadataColumn column) {
    const char* function = "weir_row_task";
    if (column == plan::MetadataColumn::kPos) function = "weir_row_position";
    if (column == plan::MetadataColumn::kFile) function = "weir_row_file";
    if (column == plan::MetadataColumn::kSpecId) function = "weir_row_spec";
    return CallOf(function, ListOf(Constant(duckdb::Value::UBIGINT(number)), ColumnNamed("row")));
  }

  Lowering& lowering_;
  Query& query_;
  const plan::Node& node_;
  const plan::FileScan& scan_;
  const pages::Options options_;
  std::shared_ptr<ScanSource> plain_;
  std::vector<QueryPtr> parts_;
};

}  // namespace

bool CanReadPages(const plan::Node& node, const plan::FileScan& scan) {
  const bool by_key = scan.keys && scan.keys->keys && !scan.keys->keys->empty() && !scan.selection;
  if ((!by_key && !scan.selection) || node.output.empty()) return false;
  std::vector<FieldId> seen;
  for (const plan::ScanColumn& column : scan.columns) {
    if (const FieldId* id = std::get_if<FieldId>(&column)) {
      const Field* field = scan.snapshot->schema.Find(*id);
      if (!field || field->type.is_nested()) return false;
      if (std::find(seen.begin(), seen.end(), *id) != seen.end()) return false;
      seen.push_back(*id);
      if (!by_key) continue;
      const auto& keys = scan.keys->fields;
      if (std::find(keys.begin(), keys.end(), *id) == keys.end()) return false;
    } else if (std::get<plan::MetadataColumn>(column) == plan::MetadataColumn::kPartition) {
      return false;
    }
  }
  return !seen.empty();
}

Result<QueryPtr> LowerPageScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan) {
  return PageScan(lowering, node, scan).Lower();
}

Result<PageReport> DescribePageScan(Query& query, const plan::Node& node, const plan::FileScan& scan) {
  Lowering lowering(query);
  return PageScan(lowering, node, scan).Describe();
}

}  // namespace weir::exec

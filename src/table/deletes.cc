#include "table/deletes.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/executor.h"

namespace weir::table {

namespace {

constexpr size_t kParallelLoads = 8;

/// Deleted positions by data file, each list sorted and distinct.
using PositionsByFile = std::unordered_map<std::string, std::vector<int64_t>>;

struct RowHash {
  size_t operator()(const std::vector<Scalar>& row) const { return HashOf(std::span(row)); }
};
struct SameRow {
  bool operator()(const std::vector<Scalar>& a, const std::vector<Scalar>& b) const {
    return std::ranges::equal(a, b, SameValue);
  }
};

/// A delete file once parsed; the lock makes the tasks that share a file wait for one reader.
template <typename T>
struct Parsed {
  std::mutex mutex;
  std::shared_ptr<const T> content;
};
template <typename T>
using ParsedFiles = std::map<std::string, std::shared_ptr<Parsed<T>>>;

}  // namespace

std::vector<Field> PositionDeleteFields() {
  return {{kDeletePathField, "file_path", Type::String(), true, ""},
          {kDeletePositionField, "pos", Type::Long(), true, ""}};
}

struct DeleteLoader::State {
  const Stores& stores;
  RowFiles& row_files;
  Account account;
  Cancellation cancellation;
  std::mutex mutex;
  ParsedFiles<PositionsByFile> positions;
  ParsedFiles<EqualityDeleteSet> equality;

  template <typename T>
  std::shared_ptr<Parsed<T>> Slot(ParsedFiles<T>& files, const std::string& path) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<Parsed<T>>& slot = files[path];
    if (slot == nullptr) slot = std::make_shared<Parsed<T>>();
    return slot;
  }

  Status Read(const DeleteFile& file, std::span<const Field> fields,
              const std::function<Status(const Batch&)>& sink) {
    WEIR_DO(cancellation.Check());
    WEIR_TRY(const Location location, stores.Find(file.path));
    const Store store(location.storage, account, cancellation);
    return row_files.Read(store, location.path, file.size_bytes, file.format, fields, sink);
  }

  Result<std::shared_ptr<const PositionsByFile>> Positions(const DeleteFile& file);
  Result<std::shared_ptr<const EqualityDeleteSet>> Equality(const DeleteFile& file,
                                                            const std::function<const Field*(FieldId)>& find);
};

Result<std::shared_ptr<const PositionsByFile>> DeleteLoader::State::Positions(const DeleteFile& file) {
  const auto slot = Slot(positions, file.path);
  const std::lock_guard lock(slot->mutex);
  if (slot->content != nullptr) return slot->content;
  PositionsByFile by_file;
  const std::vector<Field> fields = PositionDeleteFields();
  WEIR_DO_CONTEXT(
      fmt::format("delete file {}", file.path), Read(file, fields, [&](const Batch& batch) -> Status {
        for (int64_t row = 0; row < batch.row_count; ++row) {
          if (batch.IsNull(row, 0) || batch.IsNull(row, 1))
            return Corrupt("a position delete without file_path or pos");
          by_file[std::string(batch.columns[0]->Text(row))].push_back(batch.columns[1]->Integer(row));
        }
        return {};
      }));
  for (auto& [path, list] : by_file) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  slot->content = std::make_shared<const PositionsByFile>(std::move(by_file));
  return slot->content;
}

Result<std::shared_ptr<const EqualityDeleteSet>> DeleteLoader::State::Equality(
    const DeleteFile& file, const std::function<const Field*(FieldId)>& find) {
  const auto slot = Slot(equality, file.path);
  const std::lock_guard lock(slot->mutex);
  if (slot->content != nullptr) return slot->content;
  if (file.equality_fields.empty()) return Corrupt("delete file {}: no equality columns", file.path);
  EqualityDeleteSet set;
  for (const FieldId id : file.equality_fields) {
    const Field* field = find(id);
    if (field == nullptr) {
      return Corrupt("delete file {}: equality column {} is in no schema of the table", file.path, id.value);
    }
    set.fields.push_back(*field);
  }
  std::unordered_set<std::vector<Scalar>, RowHash, SameRow> rows;
  WEIR_DO_CONTEXT(fmt::format("delete file {}", file.path),
                  Read(file, set.fields, [&](const Batch& batch) -> Status {
                    for (int64_t row = 0; row < batch.row_count; ++row) {
                      std::vector<Scalar> values;
                      for (size_t column = 0; column < set.fields.size(); ++column)
                        values.push_back(batch.At(row, column));
                      rows.insert(std::move(values));
                    }
                    return {};
                  }));
  while (!rows.empty()) set.rows.push_back(std::move(rows.extract(rows.begin()).value()));
  slot->content = std::make_shared<const EqualityDeleteSet>(std::move(set));
  return slot->content;
}

DeleteLoader::DeleteLoader(const Stores& stores, RowFiles& row_files, Account account,
                           Cancellation cancellation)
    : state_(new State{
          stores, row_files, account.For(Purpose::kDeletes), std::move(cancellation), {}, {}, {}}) {}

DeleteLoader::~DeleteLoader() = default;

Result<std::shared_ptr<const RowDeletes>> DeleteLoader::Load(
    const ScanTask& task, const std::function<const Field*(FieldId)>& fields_by_id) {
  const DataFile& file = *task.file;
  auto deletes = std::make_shared<RowDeletes>();
  std::mutex mutex;
  WEIR_DO(ParallelFor(task.deletes.size(), kParallelLoads, [&](size_t i) -> Status {
    const DeleteFile& from = *task.deletes[i];
    if (from.kind == DeleteFile::Kind::kEquality) {
      WEIR_TRY(auto set, state_->Equality(from, fields_by_id));
      const std::lock_guard lock(mutex);
      if (!set->rows.empty()) deletes->equality.push_back(std::move(set));
      return {};
    }
    WEIR_TRY(const auto positions, state_->Positions(from));
    const auto own = positions->find(file.path);
    if (own == positions->end()) return {};
    const std::vector<int64_t>& list = own->second;
    if (list.front() < 0 || list.back() >= static_cast<int64_t>(file.row_count)) {
      const int64_t bad = list.front() < 0 ? list.front() : list.back();
      return Corrupt("delete file {}: deletes row {} of {}, which has {} rows", from.path, bad, file.path,
                     file.row_count);
    }
    const std::lock_guard lock(mutex);
    deletes->positions.insert(deletes->positions.end(), list.begin(), list.end());
    return {};
  }));
  std::sort(deletes->positions.begin(), deletes->positions.end());
  deletes->positions.erase(std::unique(deletes->positions.begin(), deletes->positions.end()),
                           deletes->positions.end());
  return std::shared_ptr<const RowDeletes>(std::move(deletes));
}

}  // namespace weir::table

/// Reads columns by pages and plainly, with DuckDB, and demands the same rows.
///
///   pages_against_plain DIR SEED      DIR as written by make_files.py
///
/// For random subsets of each table's candidate keys it checks that
///   - every row of a synthesized file has the key values of the real row that RowMap names,
///   - rows asked by position come with the values of a plain read in all columns, and no others are mapped,
///   - the rows that match a key are exactly those of a plain read, by file and position: found through
///     synthesized files, or lying in the row groups that a kPlain choice names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "duckdb.hpp"
#include "duckdb/common/virtual_file_system.hpp"
#include "pages/synthesize.h"
#include "storage/local/local.h"

namespace weir::pages {
namespace {

using Tuple = std::vector<Scalar>;
using Files = std::vector<std::string>;

[[noreturn]] void Die(const std::string& message) {
  fmt::print(stderr, "FAILED: {}\n", message);
  std::exit(1);
}
template <typename T>
T Unwrap(Result<T> result, const std::string& what) {
  if (!result) Die(what + ": " + result.error().ToString());
  return std::move(result).value();
}

/// Serves synthesized files to DuckDB as synthesize.h asks for.
class SynthesizedFiles : public duckdb::FileSystem {
 public:
  struct Handle : duckdb::FileHandle {
    Handle(duckdb::FileSystem& system, const std::string& opened, duckdb::FileOpenFlags how)
        : FileHandle(system, opened, how) {}
    void Close() override {}
    std::shared_ptr<const SynthesizedFile> file;
    uint64_t position = 0;
  };

  void Add(std::shared_ptr<const SynthesizedFile> file) { files_[file->path()] = std::move(file); }

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(const std::string& path, duckdb::FileOpenFlags flags,
                                                  duckdb::optional_ptr<duckdb::FileOpener>) override {
    auto handle = duckdb::make_uniq<Handle>(*this, path, flags);
    handle->file = files_.at(path);
    return handle;
  }
  void Read(duckdb::FileHandle& handle, void* into, int64_t size, idx_t offset) override {
    const auto& file = *handle.Cast<Handle>().file;
    const auto status = file.ReadAt(offset, {static_cast<uint8_t*>(into), static_cast<size_t>(size)});
    if (!status) throw duckdb::IOException(status.error().message());
  }
  int64_t Read(duckdb::FileHandle& handle, void* into, int64_t size) override {
    auto& at = handle.Cast<Handle>();
    size = std::min<int64_t>(size, static_cast<int64_t>(at.file->size_bytes() - at.position));
    Read(handle, into, size, at.position);
    at.position += static_cast<uint64_t>(size);
    return size;
  }
  int64_t GetFileSize(duckdb::FileHandle& handle) override {
    return static_cast<int64_t>(handle.Cast<Handle>().file->size_bytes());
  }
  duckdb::timestamp_t GetLastModifiedTime(duckdb::FileHandle&) override { return duckdb::timestamp_t(0); }
  void Seek(duckdb::FileHandle& handle, idx_t position) override {
    handle.Cast<Handle>().position = position;
  }
  idx_t SeekPosition(duckdb::FileHandle& handle) override { return handle.Cast<Handle>().position; }
  bool CanSeek() override { return true; }
  bool OnDiskFile(duckdb::FileHandle&) override { return false; }
  bool FileExists(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener>) override {
    return files_.contains(path);
  }
  bool CanHandleFile(const std::string& path) override { return path.starts_with("weir-pages:"); }
  duckdb::vector<duckdb::OpenFileInfo> Glob(const std::string& path, duckdb::FileOpener*) override {
    duckdb::vector<duckdb::OpenFileInfo> found;
    found.emplace_back(path);
    return found;
  }
  std::string GetName() const override { return "SynthesizedFiles"; }

 private:
  std::map<std::string, std::shared_ptr<const SynthesizedFile>> files_;
};

std::string DuckType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kTimestamp:
      return "TIMESTAMPTZ";
    case TypeKind::kTimestampNtz:
      return "TIMESTAMP";
    case TypeKind::kBinary:
      return "BLOB";
    default:
      return type.ToSql();
  }
}

Scalar FromDuck(const duckdb::Value& value, const Type& type) {
  if (value.IsNull()) return Scalar::Null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Scalar::Boolean(value.GetValue<bool>());
    case TypeKind::kDouble:
      return Scalar::Double(value.GetValue<double>());
    case TypeKind::kString:
    case TypeKind::kBinary:
      return {type, duckdb::StringValue::Get(value)};
    case TypeKind::kDate:
      return {type, int64_t{value.GetValueUnsafe<duckdb::date_t>().days}};
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return {type, value.GetValueUnsafe<duckdb::timestamp_t>().value};
    case TypeKind::kDecimal: {
      const duckdb::hugeint_t unscaled = duckdb::IntegralValue::Get(value);
      return {type, static_cast<Int128>(static_cast<UInt128>(static_cast<uint64_t>(unscaled.upper)) << 64 |
                                        unscaled.lower)};
    }
    default:
      return {type, value.GetValue<int64_t>()};
  }
}

struct Table {
  std::string name;
  std::vector<KeyColumn> columns;
  Files files;
};

/// Rows of a query whose columns are a row number and the key columns.
std::vector<std::pair<int64_t, Tuple>> Rows(duckdb::Connection& connection,
                                            const std::vector<KeyColumn>& columns, const std::string& file) {
  std::string list = "file_row_number";
  for (const KeyColumn& column : columns) {
    list += fmt::format(", CAST({} AS {})", column.name, DuckType(column.type));
  }
  auto result = connection.Query(
      fmt::format("SELECT {} FROM read_parquet('{}', file_row_number=true) ORDER BY 1", list, file));
  if (result->HasError()) Die(file + ": " + result->GetError());
  std::vector<std::pair<int64_t, Tuple>> rows;
  for (auto& row : *result) {
    Tuple tuple;
    for (size_t c = 0; c < columns.size(); ++c) {
      tuple.push_back(FromDuck(row.GetValue<duckdb::Value>(c + 1), columns[c].type));
    }
    rows.emplace_back(row.GetValue<int64_t>(0), std::move(tuple));
  }
  return rows;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Table> ReadTables(const std::string& directory) {
  std::vector<Table> tables;
  std::ifstream in(directory + "/tables.tsv");
  for (std::string line; std::getline(in, line);) {
    const auto parts = Split(line, '\t');
    Table table{parts[0], {}, Split(parts[2], ';')};
    for (const std::string& key : Split(parts[1], ';')) {
      const auto words = Split(key, ':');
      table.columns.push_back(
          {FieldId{std::stoi(words[1])}, words[0], Unwrap(ParseType(words[2]), "type"), {words[0]}});
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

bool Less(const Tuple& a, const Tuple& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (const auto order = Compare(a[i], b[i]); order != 0) return order < 0;
  }
  return false;
}
using TupleSet = std::set<Tuple, decltype(&Less)>;

struct Totals {
  uint64_t filler_rows = 0;
  uint64_t rows_by_access[4] = {};  // Rows asked by position, by how their file was read.
  uint64_t tries = 0, matches = 0, skipped = 0, by_pages = 0, plain = 0, rows = 0, decoded = 0;
};

class Checker {
 public:
  Checker(const std::string& directory, uint64_t seed)
      : directory_(directory), random_(seed), database_(nullptr), connection_(database_) {
    auto files = duckdb::make_uniq<SynthesizedFiles>();
    files_ = files.get();
    duckdb::FileSystem::GetFileSystem(*database_.instance).RegisterSubSystem(std::move(files));
    connection_.Query("SET TimeZone='UTC'");
  }

  void Check(const Table& table) {
    plain_.clear();
    for (const std::string& file : table.files) plain_.push_back(Rows(connection_, table.columns, file));
    std::vector<Tuple> candidates;
    for (auto& [row, tuple] :
         Rows(connection_, table.columns, directory_ + "/" + table.name + ".keys.parquet")) {
      candidates.push_back(std::move(tuple));
    }
    for (const auto& rows : plain_) {
      for (int i = 0; i < 5; ++i) candidates.push_back(rows[random_() % rows.size()].second);
    }
    FooterCache cache;
    for (const size_t count : {1, 2, 5, 20, 100, 400}) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        CheckOnce(table, cache, Choose(candidates, count, repeat % 2 == 0));
      }
      CheckRows(table, cache, count);
    }
  }

  const Totals& totals() const { return totals_; }

 private:
  /// Reads given rows of all columns, keys and others, by pages.
  void CheckRows(const Table& table, FooterCache& cache, size_t count) {
    std::vector<KeyColumn> columns = table.columns;
    columns.push_back({FieldId{90}, "p", Type::String(), {"p"}});
    columns.push_back({FieldId{91}, "q", Type::Long(), {"q"}});
    std::shuffle(columns.begin(), columns.end(), random_);
    std::vector<RowFile> files;
    for (size_t f = 0; f < table.files.size(); ++f) {
      std::set<int64_t> rows;
      for (size_t i = 0; i < count; ++i) rows.insert(static_cast<int64_t>(random_() % plain_[f].size()));
      RowFile& file =
          files.emplace_back(RowFile{{table.files[f], std::filesystem::file_size(table.files[f]), {}}, {}});
      for (int64_t row : rows) {
        if (random_() % 4 != 0) file.rows.push_back({row, 1});
      }
    }
    Options options;
    options.max_share = random_() % 2 == 0 ? 1.0 : 0.6;
    options.always_select_bytes = 0;
    options.row_group_rows = random_() % 2 == 0 ? 200 : 128 << 10;
    const Store store(std::make_shared<LocalStorage>(), Ledger::Make()->Open("scan", Purpose::kData), {});
    const KeySelection selection = Unwrap(SelectRows(store, cache, files, columns, options), table.name);
    const Synthesis synthesis = Unwrap(Synthesize(store, files, columns, selection, options), table.name);
    if (!synthesis.plain.empty()) Die(synthesis.plain[0].choice.detail);

    std::vector<std::vector<std::pair<int64_t, Tuple>>> plain(files.size());
    std::set<std::pair<size_t, int64_t>> expected, found;
    for (size_t f = 0; f < files.size(); ++f) {
      totals_.rows_by_access[static_cast<size_t>(selection.files[f].access)] += files[f].rows.size();
      if (selection.files[f].access != Access::kPages) continue;
      plain[f] = Rows(connection_, columns, table.files[f]);
      for (const RowRange& rows : files[f].rows) expected.emplace(f, rows.first_row);
    }
    for (const auto& file : synthesis.files) {
      files_->Add(file);
      for (const auto& [row, tuple] : Rows(connection_, columns, file->path())) {
        const auto real = file->rows().Find(row);
        totals_.filler_rows += !real.has_value();
        if (!real) continue;
        const Tuple& wanted = plain[real->file][static_cast<size_t>(real->position.value)].second;
        if (Less(wanted, tuple) || Less(tuple, wanted)) {
          Die(fmt::format("{}: row {} has other values", table.files[real->file], real->position.value));
        }
        if (!found.emplace(real->file, real->position.value).second) Die(table.name + ": a row twice");
      }
    }
    if (found != expected)
      Die(fmt::format("{}: {} rows asked, {} found", table.name, expected.size(), found.size()));
  }

  /// Random keys, or (near) neighbours in order.
  std::vector<Tuple> Choose(std::vector<Tuple> candidates, size_t count, bool near) {
    count = std::min(count, candidates.size());
    if (near) {
      std::sort(candidates.begin(), candidates.end(), Less);
      const size_t first = random_() % (candidates.size() - count + 1);
      return {candidates.begin() + static_cast<int64_t>(first),
              candidates.begin() + static_cast<int64_t>(first + count)};
    }
    std::shuffle(candidates.begin(), candidates.end(), random_);
    candidates.resize(count);
    return candidates;
  }

  void CheckOnce(const Table& table, FooterCache& cache, const std::vector<Tuple>& tuples) {
    const auto keys = Unwrap(Keys::Make(table.columns, tuples), "keys");
    std::vector<KeyFile> files;
    for (const std::string& file : table.files)
      files.push_back({{file, std::filesystem::file_size(file), {}}, keys});
    Options options;
    options.always_select_bytes = random_() % 2 == 0 ? 0 : 1_MiB;
    options.row_group_rows = random_() % 2 == 0 ? 200 : 128 << 10;
    if (random_() % 8 == 0) options.max_selected_bytes = 30'000;
    auto ledger = Ledger::Make();
    const Store store(std::make_shared<LocalStorage>(), ledger->Open("scan", Purpose::kData), {});
    KeySelection selection = Unwrap(SelectKeyPages(store, cache, files, options), table.name);
    const Synthesis synthesis = Unwrap(Synthesize(store, files, selection, options), table.name);
    if (!synthesis.plain.empty())
      Die(files[synthesis.plain[0].file].file.path + ": " + synthesis.plain[0].choice.detail);

    const auto is_key = [&](const Tuple& tuple) { return wanted_.contains(tuple); };
    wanted_ = TupleSet(&Less);
    for (size_t i = 0; i < keys->size(); ++i) {
      Tuple tuple;
      for (size_t c = 0; c < table.columns.size(); ++c) tuple.push_back(keys->At(i, c));
      wanted_.insert(std::move(tuple));
    }
    std::set<std::pair<size_t, int64_t>> expected, found;
    for (size_t f = 0; f < files.size(); ++f) {
      for (const auto& [row, tuple] : plain_[f]) {
        if (is_key(tuple)) expected.emplace(f, row);
      }
      AddPlainMatches(f, selection.files[f], cache, store, files[f], found);
    }
    uint64_t decoded = 0;
    for (const auto& file : synthesis.files) {
      files_->Add(file);
      for (const auto& [row, tuple] : Rows(connection_, table.columns, file->path())) {
        const auto real = file->rows().Find(row);
        if (!real || file->rows().has_gaps()) Die(table.name + ": a virtual row without a real one");
        const Tuple& plain = plain_[real->file][static_cast<size_t>(real->position.value)].second;
        if (Less(plain, tuple) || Less(tuple, plain))
          Die(fmt::format("{}: row {} has another key", files[real->file].file.path, real->position.value));
        if (is_key(tuple) && !found.emplace(real->file, real->position.value).second)
          Die(table.name + ": a row twice");
        ++decoded;
      }
      if (static_cast<int64_t>(file->rows().row_count()) < 1) Die("an empty synthesized file");
    }
    if (decoded != selection.row_count)
      Die(fmt::format("{}: {} rows decoded, {} selected", table.name, decoded, selection.row_count));
    if (found != expected)
      Die(fmt::format("{}: {} rows match plainly, {} by pages", table.name, expected.size(), found.size()));
    Count(selection, expected.size(), decoded);
  }

  /// Matches in the row groups that a plain read of the file would look at.
  void AddPlainMatches(size_t f, const FileChoice& choice, FooterCache& cache, const Store& store,
                       const KeyFile& file, std::set<std::pair<size_t, int64_t>>& found) {
    if (choice.access == Access::kMissingColumn) Die(file.file.path + ": a column is missing");
    if (choice.access != Access::kPlain) return;
    if (choice.reason != PlainReason::kMostPagesMatch && choice.reason != PlainReason::kMemory)
      Die(file.file.path + ": " + choice.detail);
    const auto footer = Unwrap(cache.ReadFooter(store, file.file), "footer");
    int64_t first = 0;
    for (size_t g = 0; g < footer->row_groups.size(); ++g) {
      const int64_t end = first + footer->row_groups[g].row_count;
      const bool wanted =
          std::find(choice.row_groups.begin(), choice.row_groups.end(), g) != choice.row_groups.end();
      for (int64_t row = first; wanted && row < end; ++row) {
        if (wanted_.contains(plain_[f][static_cast<size_t>(row)].second)) found.emplace(f, row);
      }
      first = end;
    }
  }

  void Count(const KeySelection& selection, uint64_t matches, uint64_t decoded) {
    ++totals_.tries;
    totals_.matches += matches;
    totals_.decoded += decoded;
    for (size_t f = 0; f < selection.files.size(); ++f) {
      const FileChoice& choice = selection.files[f];
      totals_.skipped += choice.access == Access::kSkip;
      totals_.plain += choice.access == Access::kPlain;
      totals_.by_pages += choice.access == Access::kPages;
      if (choice.access == Access::kPages) totals_.rows += plain_[f].size();
    }
  }

  std::string directory_;
  std::mt19937_64 random_;
  duckdb::DuckDB database_;
  duckdb::Connection connection_;
  SynthesizedFiles* files_ = nullptr;
  std::vector<std::vector<std::pair<int64_t, Tuple>>> plain_;  // By file: row number and key.
  TupleSet wanted_{&Less};
  Totals totals_;
};

}  // namespace
}  // namespace weir::pages

int main(int argc, char** argv) {
  using namespace weir::pages;
  if (argc != 3) Die("usage: pages_against_plain DIR SEED");
  Checker checker(argv[1], std::stoull(argv[2]));
  for (const Table& table : ReadTables(argv[1])) checker.Check(table);
  const Totals& t = checker.totals();
  fmt::print(
      "{} tries: {} matches; files skipped {}, by pages {}, plain {}; {} of {} rows decoded in files read by "
      "pages\n",
      t.tries, t.matches, t.skipped, t.by_pages, t.plain, t.decoded, t.rows);
  fmt::print("rows by position: {} by pages (and {} of filler), {} plain, {} in files without a column\n",
             t.rows_by_access[1], t.filler_rows, t.rows_by_access[2], t.rows_by_access[3]);
  return t.filler_rows > 0 && t.tries > 0 && t.matches > 0 && t.by_pages > 0 && t.skipped > 0 && t.plain > 0
             ? 0
             : 1;
}

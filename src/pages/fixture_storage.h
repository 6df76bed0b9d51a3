#pragma once

/// A store for the tests of this folder: files of test/fixtures/parquet, and a log of what was read.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "pages/select.h"
#include "storage/storage.h"

namespace weir::pages {

class FixtureStorage final : public Storage {
 public:
  /// Loads a vector; `edit` may change its bytes.
  FileRef Add(const std::string& name, const std::function<void(std::string&)>& edit = {}) {
    std::ifstream file(WEIR_SOURCE_DIR "/test/fixtures/parquet/" + name, std::ios::binary);
    EXPECT_TRUE(file.good()) << name;
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (edit) edit(bytes);
    const uint64_t size = bytes.size();
    files_[name] = std::move(bytes);
    return {name, size, {}};
  }
  const std::string& Content(const std::string& name) const { return files_.at(name); }

  struct ReadCall {
    std::string path;
    Purpose purpose;
    std::vector<ByteRange> ranges;
  };
  std::vector<ReadCall> TakeReads() { return std::move(reads_); }

  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    std::lock_guard lock(mutex_);
    const auto found = files_.find(std::string(path));
    if (found == files_.end()) return NotFound("{}", path);
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (ranges[i].end_bytes() > found->second.size()) return Corrupt("{}: a range behind the end", path);
      std::copy_n(found->second.begin() + static_cast<int64_t>(ranges[i].offset_bytes), ranges[i].size_bytes,
                  buffers[i].begin());
    }
    if (!ranges.empty()) {
      reads_.push_back({std::string(path), io.account.purpose(), {ranges.begin(), ranges.end()}});
    }
    return {};
  }
  Result<ListPage> List(Io&, std::string_view, const std::optional<std::string>&) override {
    return Refuse();
  }
  Result<ObjectInfo> Head(Io&, std::string_view) override { return Refuse(); }
  Result<ObjectTag> Put(Io&, std::string_view, Bytes, const PutIf&) override { return Refuse(); }
  Result<std::unique_ptr<Upload>> StartUpload(Io&, std::string_view, const PutIf&) override {
    return Refuse();
  }
  Status Delete(Io&, std::span<const std::string>) override { return Refuse(); }
  const StoreTraits& traits() const override { return traits_; }

 private:
  static Error Refuse() { return Internal("reads only"); }
  StoreTraits traits_{.name = "fixtures"};
  std::map<std::string, std::string> files_;
  std::mutex mutex_;
  std::vector<ReadCall> reads_;
};

/// A store over fixtures whose ledger can be looked at.
struct FixtureStore {
  std::shared_ptr<FixtureStorage> storage = std::make_shared<FixtureStorage>();
  std::shared_ptr<Ledger> ledger = Ledger::Make();
  Store store{storage, ledger->Open("scan", Purpose::kData), {}};
};

/// Keys of table columns named c<field id>.
inline std::shared_ptr<const Keys> MakeKeys(const std::vector<std::pair<int32_t, Type>>& columns,
                                            const std::vector<std::vector<Scalar>>& tuples) {
  std::vector<KeyColumn> key_columns;
  for (const auto& [id, type] : columns)
    key_columns.push_back({FieldId{id}, fmt::format("c{}", id), type, {}});
  auto keys = Keys::Make(std::move(key_columns), tuples);
  EXPECT_TRUE(keys.has_value()) << (keys ? "" : keys.error().ToString());
  return *keys;
}

inline std::shared_ptr<const Keys> Ids(const std::vector<int64_t>& ids) {
  std::vector<std::vector<Scalar>> tuples;
  for (int64_t id : ids) tuples.push_back({Scalar::Long(id)});
  return MakeKeys({{1, Type::Long()}}, tuples);
}

}  // namespace weir::pages

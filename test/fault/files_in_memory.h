#pragma once

/// Tables whose files are held in memory, so that a test can damage them cheaply. Thread rule: one thread.

#include "lake.h"
#include "storage/decorator.h"
#include "storage/memory/memory.h"

namespace weir {

using Contents = std::map<std::string, std::string>;

/// A store in memory whose paths look like those of files.
class FilesInMemory final : public Decorator {
 public:
  explicit FilesInMemory(const Contents& files) : Decorator(std::make_shared<MemoryStorage>()) {
    Io io{Ledger::Make()->Open("test", Purpose::kData), {}};
    for (const auto& [path, bytes] : files) EXPECT_TRUE(Put(io, path, AsBytes(bytes), PutIf::Always()));
  }

  std::set<std::string> Paths() {
    Io io{Ledger::Make()->Open("test", Purpose::kListing), {}};
    std::set<std::string> paths;
    const auto page = List(io, "/", std::nullopt);
    EXPECT_TRUE(page && !page->next_page);
    if (page) {
      for (const ObjectInfo& object : page->objects) paths.insert(object.path);
    }
    return paths;
  }

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override {
    WEIR_TRY(ListPage found, Decorator::List(io, In(prefix), page));
    for (ObjectInfo& object : found.objects) object.path = object.path.substr(kScheme.size());
    return found;
  }
  Result<ObjectInfo> Head(Io& io, std::string_view path) override {
    WEIR_TRY(ObjectInfo info, Decorator::Head(io, In(path)));
    info.path = path;
    return info;
  }
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    return Decorator::ReadRanges(io, In(path), ranges, buffers);
  }
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    return Decorator::Put(io, In(path), bytes, condition);
  }
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path,
                                              const PutIf& condition) override {
    return Decorator::StartUpload(io, In(path), condition);
  }
  Status Delete(Io& io, std::span<const std::string> paths) override {
    std::vector<std::string> in;
    for (const std::string& path : paths) in.push_back(In(path));
    return Decorator::Delete(io, in);
  }

 private:
  static constexpr std::string_view kScheme = "mem:";
  static std::string In(std::string_view path) { return std::string(kScheme).append(path); }
};

/// Files of a folder, by the path that they have when the folder is `as`.
inline Contents Load(const fs::path& folder, const std::string& as) {
  Contents files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[as + entry.path().string().substr(folder.string().size())] =
        std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

/// Where the tables of test/fixtures/iceberg believe themselves to be.
inline constexpr const char* kMadeAt = "/tmp/weir-fixtures";

/// The files of one of those tables.
inline Contents LoadFixture(const std::string& table) {
  const std::string folder = "/wh/db/" + table;
  return Load(std::string(WEIR_SOURCE_DIR) + "/test/fixtures/iceberg" + folder, kMadeAt + folder);
}

}  // namespace weir

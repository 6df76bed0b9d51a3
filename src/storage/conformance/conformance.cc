#include "storage/conformance/conformance.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <ostream>
#include <thread>

namespace weir {
namespace {

#define WEIR_EXPECT_CODE(result, expected)                                             \
  do {                                                                                 \
    const auto& weir_result = (result);                                                \
    ASSERT_FALSE(weir_result.has_value());                                             \
    EXPECT_EQ(weir_result.error().code(), expected) << weir_result.error().ToString(); \
  } while (false)

#define WEIR_ASSERT_OK(result)                                              \
  do {                                                                      \
    const auto& weir_result = (result);                                     \
    ASSERT_TRUE(weir_result.has_value()) << weir_result.error().ToString(); \
  } while (false)

void MustPut(const Store& store, const std::string& path, std::string_view content) {
  WEIR_ASSERT_OK(store.Put(path, AsBytes(content), PutIf::Always()));
}

std::string Content(const Store& store, const std::string& path) {
  Result<std::string> content = store.ReadAll(path);
  return content ? *content : content.error().ToString();
}

/// Paths under a prefix, without the root; or the error. Folders are left out, since some stores keep those
/// that became empty.
std::vector<std::string> Listed(const Store& store, const std::string& root, const std::string& prefix) {
  Result<std::vector<ObjectInfo>> objects = store.List(root + prefix);
  if (!objects) return {objects.error().ToString()};
  std::vector<std::string> names;
  for (const ObjectInfo& object : *objects) {
    if (!object.path.ends_with('/')) names.push_back(object.path.substr(root.size()));
  }
  return names;
}

using Names = std::vector<std::string>;

void RunThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

void PutsAndReadsWholeObjects(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  std::string content;
  for (int i = 0; i < 300'000; ++i) content.push_back(static_cast<char>(i * 31));
  const std::string path = target.root + "a/b/c/object";
  WEIR_ASSERT_OK(store.Put(path, AsBytes(content), PutIf::Always()));
  EXPECT_EQ(Content(store, path), content);
  Result<std::string> known = store.ReadAll(path, content.size());
  WEIR_ASSERT_OK(known);
  EXPECT_EQ(*known, content);
  Result<ObjectInfo> info = store.Head(path);
  WEIR_ASSERT_OK(info);
  EXPECT_EQ(info->path, path);
  EXPECT_EQ(info->size_bytes, content.size());
}

void ReadsRangesInAnyOrder(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  std::string content;
  for (int i = 0; i < 500'000; ++i) content.push_back(static_cast<char>(i % 251));
  const std::string path = target.root + "object";
  MustPut(store, path, content);
  // Apart, near, overlapping, equal, empty, and the last byte.
  const std::vector<ByteRange> ranges = {
      {400'000, 10}, {0, 1},       {20, 30},     {10, 25},     {10, 25},
      {200'000, 0},  {500'000, 0}, {0, 500'000}, {499'999, 1}, {250'000, 100'000}};
  Result<std::vector<std::string>> parts = store.ReadRanges(path, ranges);
  WEIR_ASSERT_OK(parts);
  ASSERT_EQ(parts->size(), ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ((*parts)[i], content.substr(ranges[i].offset_bytes, ranges[i].size_bytes)) << i;
  }
  Result<std::vector<std::string>> none = store.ReadRanges(path, {});
  WEIR_ASSERT_OK(none);
  EXPECT_TRUE(none->empty());
}

void KeepsEmptyObjects(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "empty";
  MustPut(store, path, "");
  Result<ObjectInfo> info = store.Head(path);
  WEIR_ASSERT_OK(info);
  EXPECT_EQ(info->size_bytes, 0u);
  EXPECT_EQ(Content(store, path), "");
  EXPECT_EQ(Listed(store, target.root, ""), Names{"empty"});
}

void KeepsFolders(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "a/b/";
  const auto is_listed = [&](const std::string& prefix) {
    const Result<std::vector<ObjectInfo>> objects = store.List(target.root + prefix);
    return objects &&
           std::ranges::any_of(*objects, [&](const ObjectInfo& found) { return found.path == path; });
  };
  WEIR_EXPECT_CODE(store.Head(path), ErrorCode::kNotFound);
  WEIR_EXPECT_CODE(store.Put(path, AsBytes("x"), PutIf::Always()), ErrorCode::kInvalid);
  WEIR_ASSERT_OK(store.Put(path, {}, PutIf::Absent()));
  WEIR_EXPECT_CODE(store.Put(path, {}, PutIf::Absent()), ErrorCode::kExists);
  WEIR_ASSERT_OK(store.Put(path, {}, PutIf::Always()));
  Result<ObjectInfo> info = store.Head(path);
  WEIR_ASSERT_OK(info);
  EXPECT_EQ(info->path, path);
  EXPECT_EQ(info->size_bytes, 0u);
  for (const std::string prefix : {"", "a", "a/", "a/b", "a/b/"}) EXPECT_TRUE(is_listed(prefix)) << prefix;
  EXPECT_FALSE(is_listed("a/b/c"));
  MustPut(store, path + "object", "x");
  WEIR_ASSERT_OK(store.Head(path));
  EXPECT_EQ(Listed(store, target.root, ""), Names{"a/b/object"});
  WEIR_ASSERT_OK(store.Delete(Names{path + "object"}));
  WEIR_ASSERT_OK(store.Head(path));
  EXPECT_TRUE(is_listed(""));
  WEIR_ASSERT_OK(store.Delete(Names{path}));
  WEIR_EXPECT_CODE(store.Head(path), ErrorCode::kNotFound);
  EXPECT_FALSE(is_listed(""));
}

void TellsMissingObjects(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  MustPut(store, target.root + "folder/object", "x");
  for (const std::string name : {"missing", "no/such/folder", "folder", "folder/object/below"}) {
    const std::string path = target.root + name;
    WEIR_EXPECT_CODE(store.Head(path), ErrorCode::kNotFound);
    WEIR_EXPECT_CODE(store.ReadAll(path), ErrorCode::kNotFound);
    WEIR_EXPECT_CODE(store.Read(path, {0, 1}), ErrorCode::kNotFound);
    WEIR_EXPECT_CODE(store.Read(path, {0, 0}), ErrorCode::kNotFound);
    Result<bool> exists = store.Exists(path);
    WEIR_ASSERT_OK(exists);
    EXPECT_FALSE(*exists) << name;
  }
  Result<bool> exists = store.Exists(target.root + "folder/object");
  WEIR_ASSERT_OK(exists);
  EXPECT_TRUE(*exists);
}

void RefusesRangesBehindTheEnd(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "ten";
  MustPut(store, path, "0123456789");
  const ByteRange bad[] = {{0, 11},         {10, 1},         {11, 0},
                           {9, 2},          {1'000'000, 1},  {0, 1'000'000'000'000},
                           {UINT64_MAX, 1}, {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
  for (const ByteRange& range : bad) {
    SCOPED_TRACE(range.offset_bytes);
    WEIR_EXPECT_CODE(store.Read(path, range), ErrorCode::kCorrupt);
  }
  // One bad range among good ones.
  const std::vector<ByteRange> mixed = {{0, 1}, {5, 10}};
  WEIR_EXPECT_CODE(store.ReadRanges(path, mixed), ErrorCode::kCorrupt);
}

void ListsInByteOrderByPrefix(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  for (const std::string name : {"d0", "d/c/e", "d-b", "d/b", "d/c-x", "D", "e/f", "\xc3\xa9"}) {
    MustPut(store, target.root + name, name);
  }
  // '-' < '/' < '0' by bytes; a walk by folders alone would put d/b first or last.
  const Names all = {"D", "d-b", "d/b", "d/c-x", "d/c/e", "d0", "e/f", "\xc3\xa9"};
  EXPECT_EQ(Listed(store, target.root, ""), all);
  EXPECT_EQ(Listed(store, target.root, "d"), (Names{"d-b", "d/b", "d/c-x", "d/c/e", "d0"}));
  EXPECT_EQ(Listed(store, target.root, "d/"), (Names{"d/b", "d/c-x", "d/c/e"}));
  EXPECT_EQ(Listed(store, target.root, "d/c"), (Names{"d/c-x", "d/c/e"}));
  EXPECT_EQ(Listed(store, target.root, "d/c/"), Names{"d/c/e"});
  EXPECT_EQ(Listed(store, target.root, "d0"), Names{"d0"});
  EXPECT_EQ(Listed(store, target.root, "d00"), Names{});
  EXPECT_EQ(Listed(store, target.root, "no/such/"), Names{});
  EXPECT_EQ(Listed(store, target.root, "d0/below"), Names{});
  Result<std::vector<ObjectInfo>> objects = store.List(target.root + "d/b");
  WEIR_ASSERT_OK(objects);
  ASSERT_EQ(objects->size(), 1u);
  Result<ObjectInfo> info = store.Head(target.root + "d/b");
  WEIR_ASSERT_OK(info);
  EXPECT_EQ(objects->front().size_bytes, 3u);
  EXPECT_EQ(objects->front().tag, info->tag);
  EXPECT_EQ(objects->front().modified_us, info->modified_us);
}

void ListsByPagesWithoutGapsOrRepeats(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  Names expected;
  for (int i = 0; i < 12; ++i) {
    // Folders and files mixed, so that pages end within folders.
    expected.push_back(fmt::format("{:02}{}", i, i % 3 == 0 ? "" : "/x/y"));
    MustPut(store, target.root + expected.back(), "x");
  }
  Names found;
  std::optional<std::string> page;
  do {
    Result<ListPage> part = target.storage->List(store.io(), target.root, page);
    WEIR_ASSERT_OK(part);
    if (part->next_page) {
      EXPECT_FALSE(part->objects.empty());
    }
    for (const ObjectInfo& object : part->objects) found.push_back(object.path.substr(target.root.size()));
    page = part->next_page;
    ASSERT_LE(found.size(), expected.size());
  } while (page);
  EXPECT_EQ(found, expected);
}

void ListsWhatSortsBehindAPath(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  for (const std::string name : {"a", "b/1", "b/2", "b/3/x", "c"}) MustPut(store, target.root + name, "x");
  const std::pair<std::string, Names> cases[] = {
      {"a", {"b/1", "b/2", "b/3/x"}},
      {"b/", {"b/1", "b/2", "b/3/x"}},
      {"b/1", {"b/2", "b/3/x"}},
      {"b/11", {"b/2", "b/3/x"}},
      {"b/2~", {"b/3/x"}},
      {"b/3/a", {"b/3/x"}},
      {"b/3/x", {}},
      {"c", {}},
  };
  for (const auto& [behind, expected] : cases) {
    Result<ListPage> page = target.storage->List(store.io(), target.root + "b/", target.root + behind);
    WEIR_ASSERT_OK(page);
    Names found;
    for (const ObjectInfo& object : page->objects) found.push_back(object.path.substr(target.root.size()));
    EXPECT_EQ(found, expected) << behind;
  }
}

void KeepsOddNames(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  Names names = {"with space",       "100%",        "a%20b",         "k=v/part-0.parquet",
                 "plus+sign",        "hash#tag",    "question?mark", "semi;colon",
                 "quo\"te'd",        "back\\slash", ".hidden",       "\xc3\xa9t\xc3\xa9",
                 "\xf0\x9d\x84\x9e", "~tilde",      "comma,star*",   "k=2020-01-01 10%3A00/x",
                 "trailing.",        "a:b",         "new\nline"};
  std::ranges::sort(names);
  for (const std::string& name : names) {
    MustPut(store, target.root + name, name);
    EXPECT_EQ(Content(store, target.root + name), name);
  }
  EXPECT_EQ(Listed(store, target.root, ""), names);
  Names paths;
  for (const std::string& name : names) paths.push_back(target.root + name);
  WEIR_ASSERT_OK(store.Delete(paths));
  EXPECT_EQ(Listed(store, target.root, ""), Names{});
}

void PutsOnlyIfAbsent(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "v1";
  WEIR_ASSERT_OK(store.Put(path, AsBytes("first"), PutIf::Absent()));
  WEIR_EXPECT_CODE(store.Put(path, AsBytes("second"), PutIf::Absent()), ErrorCode::kExists);
  EXPECT_EQ(Content(store, path), "first");
  EXPECT_EQ(Listed(store, target.root, ""), Names{"v1"});
  MustPut(store, path, "third");
  EXPECT_EQ(Content(store, path), "third");
}

void LetsOneOfManyCreate(const ConformanceTarget& target) {
  if (!target.storage->traits().conditional_put) GTEST_SKIP() << "the store has no conditional put";
  constexpr int kThreads = 8;
  for (int round = 0; round < 20; ++round) {
    const std::string path = fmt::format("{}round/{}", target.root, round);
    std::atomic<int> waiting{kThreads};
    std::atomic<int> winners{0};
    std::atomic<int> losers{0};
    std::string winner;
    RunThreads(kThreads, [&](int thread) {
      const Store store = TestStore(target.storage);
      const std::string mine = fmt::format("content of {}", thread);
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      Result<ObjectTag> tag = store.Put(path, AsBytes(mine), PutIf::Absent());
      if (tag) {
        if (++winners == 1) winner = mine;
      } else if (tag.error().code() == ErrorCode::kExists) {
        ++losers;
      }
    });
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(losers, kThreads - 1);
    EXPECT_EQ(Content(TestStore(target.storage), path), winner);
  }
}

void PutsOnlyIfTheTagMatches(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "pointer";
  WEIR_EXPECT_CODE(store.Put(path, AsBytes("x"), PutIf::Matches({"no such tag"})), ErrorCode::kExists);
  EXPECT_EQ(Listed(store, target.root, ""), Names{});
  Result<ObjectTag> one = store.Put(path, AsBytes("1"), PutIf::Always());
  WEIR_ASSERT_OK(one);
  Result<ObjectInfo> info = store.Head(path);
  WEIR_ASSERT_OK(info);
  EXPECT_EQ(info->tag, *one);
  Result<ObjectTag> two = store.Put(path, AsBytes("2"), PutIf::Matches(*one));
  WEIR_ASSERT_OK(two);
  EXPECT_NE(two->value, one->value);
  WEIR_EXPECT_CODE(store.Put(path, AsBytes("3"), PutIf::Matches(*one)), ErrorCode::kExists);
  EXPECT_EQ(Content(store, path), "2");
}

void LosesNoUpdateUnderMatches(const ConformanceTarget& target) {
  constexpr int kThreads = 4;
  constexpr int kUpdates = 15;
  const std::string path = target.root + "counter";
  MustPut(TestStore(target.storage), path, "0");
  RunThreads(kThreads, [&](int) {
    const Store store = TestStore(target.storage);
    for (int done = 0; done < kUpdates;) {
      Result<ObjectInfo> info = store.Head(path);
      WEIR_ASSERT_OK(info);
      // The content may be newer than the tag: then the write has to fail.
      const std::string next = fmt::format("{}", std::stoi(Content(store, path)) + 1);
      Result<ObjectTag> tag = store.Put(path, AsBytes(next), PutIf::Matches(info->tag));
      if (tag) {
        ++done;
      } else {
        WEIR_EXPECT_CODE(tag, ErrorCode::kExists);
      }
    }
  });
  EXPECT_EQ(Content(TestStore(target.storage), path), fmt::format("{}", kThreads * kUpdates));
}

void OverwritesAtOnce(const ConformanceTarget& target) {
  const std::string path = target.root + "object";
  const std::string contents[] = {std::string(200'000, 'a'), std::string(200'000, 'b')};
  MustPut(TestStore(target.storage), path, contents[0]);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    const Store store = TestStore(target.storage);
    for (int i = 0; i < 60; ++i) MustPut(store, path, contents[i % 2]);
    stop = true;
  });
  const Store store = TestStore(target.storage);
  while (!stop) {
    const std::string found = Content(store, path);
    const bool whole = found == contents[0] || found == contents[1];
    EXPECT_TRUE(whole) << found.substr(0, 200);
    if (!whole) break;
  }
  writer.join();
  EXPECT_EQ(Listed(store, target.root, ""), Names{"object"});
}

void ShowsAnUploadOnlyWhenFinished(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "a/upload";
  Result<std::unique_ptr<Upload>> upload = store.StartUpload(path, PutIf::Always());
  WEIR_ASSERT_OK(upload);
  std::string content;
  for (int i = 0; i < 3; ++i) {
    const std::string part(100'000, static_cast<char>('a' + i));
    content += part;
    WEIR_ASSERT_OK((*upload)->Write(store.io(), AsBytes(part)));
    WEIR_EXPECT_CODE(store.Head(path), ErrorCode::kNotFound);
    EXPECT_EQ(Listed(store, target.root, ""), Names{});
  }
  WEIR_ASSERT_OK((*upload)->Write(store.io(), {}));
  Result<ObjectTag> tag = (*upload)->Finish(store.io());
  WEIR_ASSERT_OK(tag);
  EXPECT_EQ(Content(store, path), content);
  EXPECT_EQ(Listed(store, target.root, ""), Names{"a/upload"});
  Result<ObjectInfo> info = store.Head(path);
  WEIR_ASSERT_OK(info);
  EXPECT_EQ(info->tag, *tag);
  // Dropping a finished upload must not undo it.
  upload->reset();
  EXPECT_EQ(Content(store, path), content);
}

void LeavesNothingOfAnAbortedUpload(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  MustPut(store, target.root + "kept", "old");
  for (const bool abort : {true, false}) {
    for (const std::string name : {"new", "kept"}) {
      Result<std::unique_ptr<Upload>> upload = store.StartUpload(target.root + name, PutIf::Always());
      WEIR_ASSERT_OK(upload);
      WEIR_ASSERT_OK((*upload)->Write(store.io(), AsBytes("never seen")));
      if (abort) WEIR_ASSERT_OK((*upload)->Abort(store.io()));
      upload->reset();
      EXPECT_EQ(Listed(store, target.root, ""), Names{"kept"});
      EXPECT_EQ(Content(store, target.root + "kept"), "old");
    }
  }
}

void FinishesAnUploadOnlyIfAbsent(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "object";
  Result<std::unique_ptr<Upload>> upload = store.StartUpload(path, PutIf::Absent());
  WEIR_ASSERT_OK(upload);
  WEIR_ASSERT_OK((*upload)->Write(store.io(), AsBytes("late")));
  WEIR_ASSERT_OK(store.Put(path, AsBytes("early"), PutIf::Absent()));
  WEIR_EXPECT_CODE((*upload)->Finish(store.io()), ErrorCode::kExists);
  upload->reset();
  EXPECT_EQ(Content(store, path), "early");
  EXPECT_EQ(Listed(store, target.root, ""), Names{"object"});
}

void DeletesWhatIsThere(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  MustPut(store, target.root + "a", "x");
  MustPut(store, target.root + "b/c", "x");
  MustPut(store, target.root + "b/d", "x");
  const Names gone = {target.root + "a", target.root + "missing", target.root + "no/such/x",
                      target.root + "b/c", target.root + "b"};
  WEIR_ASSERT_OK(store.Delete(gone));
  EXPECT_EQ(Listed(store, target.root, ""), Names{"b/d"});
  WEIR_ASSERT_OK(store.Delete(gone));
  WEIR_ASSERT_OK(store.Delete({}));
  // A deleted name is free again.
  WEIR_ASSERT_OK(store.Put(target.root + "a", AsBytes("new"), PutIf::Absent()));
}

void DeletesTheRestOfWhatCannotBeDeleted(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  MustPut(store, target.root + "a", "x");
  MustPut(store, target.root + "b", "x");
  const Names paths = {target.root + "a", "", target.root + "b"};
  WEIR_EXPECT_CODE(store.Delete(paths), ErrorCode::kInvalid);
  EXPECT_EQ(Listed(store, target.root, ""), Names{});
}

void TellsVersionsApartByTag(const ConformanceTarget& target) {
  const Store store = TestStore(target.storage);
  const std::string path = target.root + "object";
  std::vector<std::string> tags;
  for (int i = 0; i < 50; ++i) {
    // Equal in size, and faster than a file system's clock ticks.
    Result<ObjectTag> tag = store.Put(path, AsBytes(i % 2 == 0 ? "even" : "odd!"), PutIf::Always());
    WEIR_ASSERT_OK(tag);
    tags.push_back(tag->value);
  }
  std::ranges::sort(tags);
  EXPECT_EQ(std::ranges::adjacent_find(tags), tags.end());
}

void StopsWhenCancelled(const ConformanceTarget& target) {
  const Store ready = TestStore(target.storage);
  const std::string path = target.root + "object";
  MustPut(ready, path, "x");
  Result<std::unique_ptr<Upload>> upload = ready.StartUpload(target.root + "upload", PutIf::Always());
  WEIR_ASSERT_OK(upload);
  Cancellation cancellation;
  const Store store(target.storage, ready.account(), cancellation);
  cancellation.Request();
  WEIR_EXPECT_CODE(store.List(target.root), ErrorCode::kCancelled);
  WEIR_EXPECT_CODE(store.Head(path), ErrorCode::kCancelled);
  WEIR_EXPECT_CODE(store.Read(path, {0, 1}), ErrorCode::kCancelled);
  WEIR_EXPECT_CODE(store.Put(path, AsBytes("y"), PutIf::Always()), ErrorCode::kCancelled);
  WEIR_EXPECT_CODE(store.StartUpload(path, PutIf::Always()), ErrorCode::kCancelled);
  WEIR_EXPECT_CODE((*upload)->Finish(store.io()), ErrorCode::kCancelled);
  const Names paths = {path};
  WEIR_EXPECT_CODE(store.Delete(paths), ErrorCode::kCancelled);
  upload->reset();
  EXPECT_EQ(Listed(ready, target.root, ""), Names{"object"});
  EXPECT_EQ(Content(ready, path), "x");
}

}  // namespace

std::span<const ConformanceCase> ConformanceCases() {
#define WEIR_CASE(name) \
  { #name, name }
  static const ConformanceCase cases[] = {
      WEIR_CASE(PutsAndReadsWholeObjects),
      WEIR_CASE(ReadsRangesInAnyOrder),
      WEIR_CASE(KeepsEmptyObjects),
      WEIR_CASE(KeepsFolders),
      WEIR_CASE(TellsMissingObjects),
      WEIR_CASE(RefusesRangesBehindTheEnd),
      WEIR_CASE(ListsInByteOrderByPrefix),
      WEIR_CASE(ListsByPagesWithoutGapsOrRepeats),
      WEIR_CASE(ListsWhatSortsBehindAPath),
      WEIR_CASE(KeepsOddNames),
      WEIR_CASE(PutsOnlyIfAbsent),
      WEIR_CASE(LetsOneOfManyCreate),
      WEIR_CASE(PutsOnlyIfTheTagMatches),
      WEIR_CASE(LosesNoUpdateUnderMatches),
      WEIR_CASE(OverwritesAtOnce),
      WEIR_CASE(ShowsAnUploadOnlyWhenFinished),
      WEIR_CASE(LeavesNothingOfAnAbortedUpload),
      WEIR_CASE(FinishesAnUploadOnlyIfAbsent),
      WEIR_CASE(DeletesWhatIsThere),
      WEIR_CASE(DeletesTheRestOfWhatCannotBeDeleted),
      WEIR_CASE(TellsVersionsApartByTag),
      WEIR_CASE(StopsWhenCancelled),
  };
#undef WEIR_CASE
  return cases;
}

std::string ConformanceCaseName(const testing::TestParamInfo<ConformanceCase>& info) {
  return info.param.name;
}

void PrintTo(const ConformanceCase& conformance_case, std::ostream* out) { *out << conformance_case.name; }

Store TestStore(std::shared_ptr<Storage> storage) {
  return {std::move(storage), Ledger::Make()->Open("test", Purpose::kData), Cancellation()};
}

}  // namespace weir

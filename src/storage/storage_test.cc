#include "storage/storage.h"

#include "storage/conformance/conformance.h"
#include "storage/memory/memory.h"
#include "storage/stores.h"

namespace weir {
namespace {

TEST(Stores, FindsTheStoreAndItsPath) {
  const auto local = std::make_shared<MemoryStorage>();
  const auto memory = std::make_shared<MemoryStorage>();
  Stores stores;
  stores.Add("file", local);
  stores.Add("mem", memory);
  const std::tuple<std::string, Storage*, std::string> good[] = {
      {"/a/b", local.get(), "/a/b"},           {"file:/a/b", local.get(), "/a/b"},
      {"file:///a/b", local.get(), "/a/b"},    {"FILE:///a b%20", local.get(), "/a b%20"},
      {"mem:/k", memory.get(), "mem:/k"},      {"mem:k", memory.get(), "mem:k"},
      {"/odd:name", local.get(), "/odd:name"},
  };
  for (const auto& [uri, storage, path] : good) {
    Result<Location> location = stores.Find(uri);
    ASSERT_TRUE(location) << uri;
    EXPECT_EQ(location->storage.get(), storage) << uri;
    EXPECT_EQ(location->path, path);
  }
  const std::tuple<std::string, ErrorCode, std::string> bad[] = {
      {"a/b", ErrorCode::kInvalid, "\"a/b\" is neither an absolute path nor a URI"},
      {"", ErrorCode::kInvalid, "neither"},
      {"1x:/a", ErrorCode::kInvalid, "neither"},
      {"file://host/a", ErrorCode::kInvalid, "with a host"},
      {"file:a", ErrorCode::kInvalid, "expected an absolute path"},
      {"file:", ErrorCode::kInvalid, "expected an absolute path"},
      {"s3://bucket/key", ErrorCode::kUnsupported, "s3://bucket/key: no store for scheme \"s3\""},
  };
  for (const auto& [uri, code, message] : bad) {
    Result<Location> location = stores.Find(uri);
    ASSERT_FALSE(location) << uri;
    EXPECT_EQ(location.error().code(), code);
    EXPECT_NE(location.error().message().find(message), std::string::npos) << location.error().message();
  }
}

TEST(Store, TellsAnUnknownOutcomeFromOtherErrors) {
  EXPECT_TRUE(OutcomeUnknown(UnknownOutcome("put /a")));
  EXPECT_EQ(UnknownOutcome("put /a").code(), ErrorCode::kUnavailable);
  EXPECT_FALSE(OutcomeUnknown(Unavailable("put /a")));
  EXPECT_TRUE(OutcomeUnknown(UnknownOutcome("put /a").WithContext("commit")));
}

TEST(Store, ListsOverPages) {
  const Store store = TestStore(std::make_shared<MemoryStorage>(MemoryOptions{.list_page_size = 2}));
  for (const char* name : {"mem:/a", "mem:/b", "mem:/c", "mem:/d", "mem:/e"}) {
    ASSERT_TRUE(store.Put(name, {}, PutIf::Always()));
  }
  Result<std::vector<ObjectInfo>> objects = store.List("mem:/");
  ASSERT_TRUE(objects);
  ASSERT_EQ(objects->size(), 5u);
  EXPECT_EQ(objects->back().path, "mem:/e");
}

TEST(Store, DoesNotAllocateOnAFalseSize) {
  const Store store = TestStore(std::make_shared<MemoryStorage>());
  ASSERT_TRUE(store.Put("mem:/a", AsBytes("abc"), PutIf::Always()));
  Result<std::string> content = store.ReadAll("mem:/a", uint64_t{1} << 50);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code(), ErrorCode::kCorrupt);
}

TEST(Store, ReadsIntoABufferOfTheRightSize) {
  const Store store = TestStore(std::make_shared<MemoryStorage>());
  ASSERT_TRUE(store.Put("mem:/a", AsBytes("abc"), PutIf::Always()));
  uint8_t buffer[2];
  ASSERT_TRUE(store.ReadInto("mem:/a", {1, 2}, buffer));
  EXPECT_EQ(AsText(buffer), "bc");
  EXPECT_EQ(store.ReadInto("mem:/a", {0, 3}, buffer).error().code(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace weir

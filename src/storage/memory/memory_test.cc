#include "storage/memory/memory.h"

#include "storage/conformance/conformance.h"

namespace weir {
namespace {

class MemoryConformance : public testing::TestWithParam<ConformanceCase> {};
TEST_P(MemoryConformance, Holds) {
  GetParam().check({std::make_shared<MemoryStorage>(MemoryOptions{.list_page_size = 3}), "mem:/root/"});
}
INSTANTIATE_TEST_SUITE_P(Store, MemoryConformance, testing::ValuesIn(ConformanceCases()),
                         ConformanceCaseName);

TEST(MemoryStorage, RefusesPathsOfOtherStores) {
  const Store store = TestStore(std::make_shared<MemoryStorage>());
  for (const std::string path : {"/a", "", "mem", "mem:"}) {
    EXPECT_EQ(store.Head(path).error().code(), ErrorCode::kInvalid) << path;
    EXPECT_EQ(store.Put(path, {}, PutIf::Always()).error().code(), ErrorCode::kInvalid) << path;
  }
  EXPECT_EQ(store.List("/").error().code(), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace weir

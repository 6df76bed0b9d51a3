#include "base/lru_cache.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// The memory of one entry with a key of one character and no value of its own.
uint64_t EntryBytes() {
  LruCache<int> cache(1000);
  cache.Insert("a", 1, 0);
  return cache.used_bytes();
}

TEST(LruCache, TheLeastRecentlyUsedGoesFirst) {
  LruCache<int> cache(2 * EntryBytes());
  cache.Insert("a", 1, 0);
  cache.Insert("b", 2, 0);
  EXPECT_EQ(cache.Find("a"), 1);
  cache.Insert("c", 3, 0);
  EXPECT_EQ(cache.Find("a"), 1);
  EXPECT_EQ(cache.Find("b"), std::nullopt);
  EXPECT_EQ(cache.Find("c"), 3);
  EXPECT_EQ(cache.used_bytes(), 2 * EntryBytes());
}

TEST(LruCache, ANewValueTakesThePlaceOfTheOlder) {
  LruCache<int> cache(10 * EntryBytes());
  cache.Insert("a", 1, 100);
  cache.Insert("a", 2, 10);
  EXPECT_EQ(cache.Find("a"), 2);
  EXPECT_EQ(cache.used_bytes(), EntryBytes() + 10);
}

TEST(LruCache, AValueLargerThanTheBudgetIsNotKept) {
  LruCache<int> cache(2 * EntryBytes());
  cache.Insert("a", 1, 0);
  cache.Insert("b", 2, 2 * EntryBytes());
  EXPECT_EQ(cache.Find("b"), std::nullopt);
  EXPECT_EQ(cache.Find("a"), 1);
  cache.Insert("a", 3, 2 * EntryBytes());
  EXPECT_EQ(cache.Find("a"), std::nullopt);
  EXPECT_EQ(cache.used_bytes(), 0u);
}

}  // namespace
}  // namespace weir

#include "codec/parquet/unordered_statistics.h"

#include "codec/parquet/fixture.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {
namespace {

/// The footer of a fixture, with what was done to it.
struct Hidden {
  std::string before, after;
  Footer footer;
};

Hidden Hide(const std::string& name) {
  const std::string file = ReadFixture(name);
  const uint64_t tail_bytes = *FooterTailSize(AsBytes(file), file.size());
  const uint64_t start = file.size() - tail_bytes;
  Hidden result;
  result.before = file.substr(start, tail_bytes - kTrailerSizeBytes);
  result.after = result.before;
  const Status status =
      HideUnorderedStatistics({reinterpret_cast<uint8_t*>(result.after.data()), result.after.size()}, start);
  EXPECT_TRUE(status) << (status ? "" : status.error().ToString());
  auto footer = ParseFooter(AsBytes(result.after), start, file.size());
  EXPECT_TRUE(footer) << (footer ? "" : footer.error().ToString());
  if (footer) result.footer = *std::move(footer);
  return result;
}

bool HasBounds(const Statistics& statistics) {
  return statistics.min_value || statistics.max_value || statistics.deprecated_min ||
         statistics.deprecated_max;
}

TEST(UnorderedStatistics, DeprecatedBoundsOfBytesAndUnsignedAreHidden) {
  const Hidden old = Hide("old_statistics.parquet");
  EXPECT_EQ(old.before.size(), old.after.size());
  ASSERT_EQ(old.footer.row_groups.size(), 1u);
  // string, binary, unsigned, decimal in bytes; the order of longs has always been theirs.
  const std::vector<bool> kept = {false, false, false, false, true};
  ASSERT_EQ(old.footer.row_groups[0].columns.size(), kept.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(HasBounds(old.footer.row_groups[0].columns[i].statistics), kept[i]) << i;
  }
}

TEST(UnorderedStatistics, FootersWithColumnOrdersStayAsTheyAre) {
  for (const char* name : {"spark_iceberg.parquet", "pyarrow_index.parquet", "pyarrow_v2.parquet",
                           "pyarrow_types.parquet", "duckdb.parquet"}) {
    const Hidden file = Hide(name);
    EXPECT_EQ(file.before, file.after) << name;
  }
}

TEST(UnorderedStatistics, WhatIsNotAFooterIsCorrupt) {
  std::string bytes = "\x15\x02\x19\xff";
  const Status status = HideUnorderedStatistics({reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}, 4);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::kCorrupt);
}

/// A footer of one byte array column with the given statistics.
template <typename Statistics>
std::string FooterWith(Statistics&& statistics) {
  ThriftWriter out;
  out.BeginStruct();
  out.BeginList(2, WireType::kStruct, 1);
  out.BeginStruct();
  out.I32(1, 6);
  out.EndStruct();
  out.BeginList(4, WireType::kStruct, 1);
  out.BeginStruct();
  out.BeginList(1, WireType::kStruct, 1);
  out.BeginStruct();
  out.BeginStructField(3);
  out.BeginStructField(12);
  statistics(out);
  for (int i = 0; i < 5; ++i) out.EndStruct();
  return out.Take();
}

TEST(UnorderedStatistics, IdsOutOfOrderAreRefused) {
  std::string bytes = FooterWith([](ThriftWriter& out) {
    out.Binary(2, "a");
    out.Binary(1, "b");
  });
  const Status status = HideUnorderedStatistics({reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}, 0);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::kUnsupported) << status.error().ToString();
}

}  // namespace
}  // namespace weir::parquet

#include "exec/duckdb/key_filter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "exec/duckdb/errors.h"
#include "exec/duckdb/types.h"

namespace weir::exec {
namespace {

using Row = std::vector<Scalar>;

/// Numbers of the rows that a filter of `keys` keeps, as text.
std::string Kept(const std::vector<Type>& types, const std::vector<Row>& keys, const std::vector<Row>& rows) {
  table::KeySet set;
  for (size_t i = 0; i < types.size(); ++i) set.fields.push_back(FieldId{static_cast<int32_t>(i) + 1});
  set.keys = keys;
  const auto filter = *KeyFilter::Make(set, types);
  duckdb::vector<duckdb::LogicalType> duck_types;
  std::vector<duckdb::idx_t> columns;
  for (const Type& type : types) {
    columns.push_back(duck_types.size());
    duck_types.push_back(*ToDuckType(type));
  }
  duckdb::DataChunk chunk;
  chunk.Initialize(duckdb::Allocator::DefaultAllocator(), duck_types);
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t column = 0; column < types.size(); ++column)
      chunk.SetValue(column, row, *ToDuckValue(rows[row][column]));
  }
  chunk.SetCardinality(rows.size());
  duckdb::SelectionVector kept(STANDARD_VECTOR_SIZE);
  const duckdb::idx_t count = filter->Select(chunk, columns, kept);
  std::string text;
  for (duckdb::idx_t i = 0; i < count; ++i) text += std::to_string(kept.get_index(i)) + " ";
  return text;
}

TEST(KeyFilter, KeepsRowsThatEqualAKey) {
  EXPECT_EQ(Kept({Type::Long()}, {{Scalar::Long(0)}, {Scalar::Long(-5)}},
                 {{Scalar::Long(0)}, {Scalar::Long(5)}, {Scalar::Long(-5)}, {Scalar::Null(Type::Long())}}),
            "0 2 ");
  EXPECT_EQ(Kept({Type::String()}, {{Scalar::String("a longer text than twelve")}, {Scalar::String("")}},
                 {{Scalar::String("a longer text than twelvE")},
                  {Scalar::String("a longer text than twelve")},
                  {Scalar::String("")}}),
            "1 2 ");
  EXPECT_EQ(Kept({Type::Decimal(10, 2)}, {{Scalar::Decimal(150, 10, 2)}},
                 {{Scalar::Decimal(150, 10, 2)}, {Scalar::Decimal(15, 10, 2)}}),
            "0 ");
}

TEST(KeyFilter, ZeroesAndNansAreOneKeyEach) {
  const Row nan = {Scalar::Double(NAN)}, other_nan = {Scalar::Double(-std::nan("7"))};
  EXPECT_EQ(Kept({Type::Double()}, {{Scalar::Double(0.0)}, nan},
                 {{Scalar::Double(-0.0)}, {Scalar::Double(1)}, other_nan, {Scalar::Double(0.0)}}),
            "0 2 3 ");
  EXPECT_EQ(Kept({Type::Float()}, {{Scalar::Float(-0.0F)}, {Scalar::Float(NAN)}},
                 {{Scalar::Float(0.0F)}, {Scalar::Float(-std::nanf("3"))}, {Scalar::Float(1)}}),
            "0 1 ");
}

TEST(KeyFilter, ComparesWholeTuples) {
  auto row = [](int64_t a, const char* b) { return Row{Scalar::Long(a), Scalar::String(b)}; };
  EXPECT_EQ(Kept({Type::Long(), Type::String()}, {row(1, "x"), row(2, "y")},
                 {row(1, "y"), row(1, "x"), row(2, "x"), row(2, "y")}),
            "1 3 ");
}

TEST(KeyFilter, HoldsManyKeys) {
  std::vector<Row> keys, rows;
  for (int64_t i = 0; i < 5000; ++i) keys.push_back({Scalar::Long(i * 3)});
  for (int64_t i = 0; i < 12; ++i) rows.push_back({Scalar::Long(9000 + i)});
  EXPECT_EQ(Kept({Type::Long()}, keys, rows), "0 3 6 9 ");
}

TEST(KeyFilter, NeedsKeysOneByOne) {
  table::KeySet set;
  set.fields = {FieldId{1}};
  EXPECT_EQ(*KeyFilter::Make(set, {Type::Long()}), nullptr);
}

}  // namespace
}  // namespace weir::exec

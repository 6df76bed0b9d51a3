#include "type/batch.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

Type Ints() {
  return Type::Array(Field{.id = {}, .name = "element", .type = Type::Int(), .required = false, .doc = {}});
}

TEST(ColumnBuilderTest, GivesBackEveryValueOfEveryKind) {
  const Type pair =
      Type::Struct({Field{.id = {}, .name = "a", .type = Type::Int(), .required = false, .doc = {}},
                    Field{.id = {}, .name = "b", .type = Type::String(), .required = false, .doc = {}}});
  const Type map =
      Type::Map(Field{.id = {}, .name = "key", .type = Type::String(), .required = true, .doc = {}},
                Field{.id = {}, .name = "value", .type = Type::Long(), .required = false, .doc = {}});
  const std::vector<Scalar> values = {
      Scalar::Boolean(true),
      Scalar(Type::Byte(), int64_t{-3}),
      Scalar(Type::Short(), int64_t{-300}),
      Scalar::Int(-70000),
      Scalar::Long(INT64_MIN),
      Scalar::Float(1.5f),
      Scalar::Double(-0.25),
      Scalar::Decimal(-(static_cast<Int128>(1) << 100), 38, 2),
      Scalar::Date(-1),
      Scalar::Timestamp(123456789),
      Scalar::String("na\xc3\xafve"),
      Scalar::Binary(std::string("\0\xff", 2)),
      Scalar(Type::Uuid(), std::string("0123456789abcdef")),
      Scalar(Type::Fixed(3), std::string("abc")),
      Scalar(Ints(), std::vector<Scalar>{Scalar::Int(1), Scalar::Null(Type::Int()), Scalar::Int(3)}),
      Scalar(pair, std::vector<Scalar>{Scalar::Int(1), Scalar::Null(Type::String())}),
      Scalar(map, std::vector<Scalar>{Scalar::String("k"), Scalar::Long(7)}),
  };
  for (const Scalar& value : values) {
    SCOPED_TRACE(value.type().ToString());
    const Scalar null = Scalar::Null(value.type());
    // Enough rows to cross byte borders of the bitmaps, with NULLs at several places.
    std::vector<std::vector<Scalar>> rows;
    for (int i = 0; i < 21; ++i) rows.push_back({i % 5 == 3 ? null : value});
    const Batch batch = MakeBatch({value.type()}, rows);
    ASSERT_EQ(batch.row_count, 21);
    for (int i = 0; i < 21; ++i) EXPECT_EQ(batch.At(i, 0), rows[i][0]) << i;
  }
}

TEST(ColumnBuilderTest, KeepsNoBitmapWithoutNulls) {
  const Batch batch = MakeBatch({Type::Int()}, {{Scalar::Int(1)}, {Scalar::Int(2)}});
  EXPECT_TRUE(batch.columns[0]->validity.empty());
  EXPECT_FALSE(batch.columns[0]->IsNull(1));
}

TEST(ColumnBuilderTest, TypedAppendsEqualScalars) {
  for (const Type& type : {Type::Byte(), Type::Short(), Type::Int(), Type::Long(), Type::Date(),
                           Type::Timestamp(), Type::IntervalYearMonth(), Type::IntervalDayTime()}) {
    ColumnBuilder builder(type);
    builder.AppendInteger(-5);
    builder.AppendNull();
    const ColumnVector column = std::move(builder).Finish();
    EXPECT_EQ(column.Integer(0), -5);
    EXPECT_EQ(column.At(0), Scalar(type, int64_t{-5})) << type.ToString();
    EXPECT_TRUE(column.IsNull(1));
  }
  ColumnBuilder builder(Type::String());
  builder.AppendText("ab");
  builder.AppendNull();
  builder.AppendText("c");
  const ColumnVector column = std::move(builder).Finish();
  EXPECT_EQ(column.Text(0), "ab");
  EXPECT_EQ(column.Text(2), "c");
}

TEST(ColumnBuilderTest, VoidIsAlwaysNull) {
  const Batch batch = MakeBatch({Type::Void()}, {{Scalar()}, {Scalar()}});
  EXPECT_TRUE(batch.At(1, 0).is_null());
}

}  // namespace
}  // namespace weir

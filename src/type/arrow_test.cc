#include "type/arrow.h"

#include <gtest/gtest.h>

#include <cstring>

namespace weir {
namespace {

Field Named(std::string name, Type type, bool required = false) {
  return {.id = {}, .name = std::move(name), .type = std::move(type), .required = required, .doc = {}};
}
Type ArrayOf(Type element) { return Type::Array(Named("element", std::move(element))); }

/// One value of every type.
std::vector<Scalar> Samples() {
  const Type pair = Type::Struct({Named("a", Type::Int(), true), Named("b", Type::String())});
  const Type map = Type::Map(Named("key", Type::String(), true), Named("value", ArrayOf(Type::Long())));
  return {
      Scalar(),
      Scalar::Boolean(true),
      Scalar(Type::Byte(), int64_t{-3}),
      Scalar(Type::Short(), int64_t{-300}),
      Scalar::Int(-70000),
      Scalar::Long(INT64_MIN),
      Scalar::Float(1.5F),
      Scalar::Double(-0.25),
      Scalar::Decimal(-(Int128{1} << 100), 38, 2),
      Scalar::Date(-1),
      Scalar(Type::Time(), int64_t{36000000001}),
      Scalar::Timestamp(123456789),
      Scalar::TimestampNtz(-123456789),
      Scalar::String("na\u00efve, and longer than twelve bytes"),
      Scalar::Binary(std::string("\0\xff", 2)),
      Scalar(Type::Uuid(), std::string("0123456789abcdef")),
      Scalar(Type::Fixed(3), std::string("abc")),
      Scalar(Type::IntervalYearMonth(), int64_t{-14}),
      Scalar(Type::IntervalDayTime(), int64_t{93784500000}),
      Scalar(ArrayOf(Type::Int()), std::vector{Scalar::Int(1), Scalar::Null(Type::Int()), Scalar::Int(3)}),
      Scalar(pair, std::vector{Scalar::Int(1), Scalar::Null(Type::String())}),
      Scalar(map,
             std::vector{Scalar::String("k"), Scalar(ArrayOf(Type::Long()), std::vector{Scalar::Long(7)}),
                         Scalar::String("l"), Scalar::Null(ArrayOf(Type::Long()))}),
  };
}

TEST(Arrow, EveryTypeGoesOutAndComesBack) {
  std::vector<Field> fields;
  std::vector<Type> types;
  for (const Scalar& sample : Samples()) {
    fields.push_back(Named("c" + std::to_string(fields.size()), sample.type()));
    types.push_back(sample.type());
  }
  std::vector<std::vector<Scalar>> rows(21, Samples());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t c = 0; c < types.size(); ++c) {
      if ((i + c) % 5 == 3) rows[i][c] = Scalar::Null(types[c]);
    }
  }
  std::optional<Batch> batch = MakeBatch(types, rows);
  const OwnedArrowSchema schema = ArrowSchemaFrom(fields);
  Result<OwnedArrowArray> exported = ExportBatch(*batch);
  ASSERT_TRUE(exported);
  batch.reset();  // The array keeps the buffers alive.

  Result<Type> natural = TypeFromArrow(*schema);
  ASSERT_TRUE(natural) << natural.error().ToString();
  for (size_t c = 0; c < types.size(); ++c) {
    const Type expected = types[c] == Type::Uuid() ? Type::Fixed(16) : types[c];
    EXPECT_EQ(natural->fields()[c].type, expected) << expected.ToString();
    EXPECT_EQ(natural->fields()[c].name, fields[c].name);
  }

  // Slices at odd places, through the parent's offset.
  for (int64_t offset : {0, 3, 8, 20}) {
    ArrowArray slice = **exported;
    slice.offset = offset;
    slice.length -= offset;
    const Result<Batch> back = ImportBatch(slice, *schema, types);
    ASSERT_TRUE(back) << back.error().ToString();
    ASSERT_EQ(back->row_count, 21 - offset);
    for (int64_t row = 0; row < back->row_count; ++row) {
      for (size_t c = 0; c < types.size(); ++c) {
        EXPECT_EQ(back->At(row, c), rows[row + offset][c]) << types[c].ToString() << " row " << row;
      }
    }
  }
}

TEST(Arrow, ChildrenCanBeMovedOut) {
  Result<OwnedArrowArray> exported = ExportBatch(
      MakeBatch({Type::Int(), ArrayOf(Type::String())},
                {{Scalar::Int(1), Scalar(ArrayOf(Type::String()), std::vector{Scalar::String("x")})}}));
  ASSERT_TRUE(exported);
  ArrowArray child = *exported->get()->children[1];
  exported->get()->children[1]->release = nullptr;
  *exported = OwnedArrowArray();
  ASSERT_NE(child.release, nullptr);
  EXPECT_EQ(static_cast<const char*>(child.children[0]->buffers[2])[0], 'x');
  child.release(&child);
}

/// A hand-made array of one column; the buffers belong to the test.
struct Raw {
  std::string format;
  std::vector<const void*> buffers;
  int64_t length = 0;
  int64_t offset = 0;
  int64_t null_count = 0;

  Result<Batch> Import(std::optional<Type> type = std::nullopt) {
    ArrowSchema column_schema{}, schema{};
    column_schema.format = format.c_str();
    column_schema.name = "c";
    ArrowSchema* schemas[] = {&column_schema};
    schema.format = "+s";
    schema.n_children = 1;
    schema.children = schemas;
    ArrowArray column{}, array{};
    column.length = length;
    column.offset = offset;
    column.null_count = null_count;
    column.n_buffers = static_cast<int64_t>(buffers.size());
    column.buffers = buffers.data();
    ArrowArray* arrays[] = {&column};
    array.length = length;
    array.n_children = 1;
    array.children = arrays;
    if (!type) return ImportBatch(array, schema);
    return ImportBatch(array, schema, std::span<const Type>(&*type, 1));
  }
};

std::string Column(const Result<Batch>& batch) {
  if (!batch) return std::string(ToString(batch.error().code()));
  std::string text;
  for (int64_t row = 0; row < batch->row_count; ++row)
    text += (row > 0 ? "|" : "") + batch->At(row, 0).ToString();
  return text;
}

TEST(Arrow, ReadsLayoutsThatItDoesNotWrite) {
  const int64_t large[] = {2, 2, 5, 6};
  const char text[] = "..abcd";
  EXPECT_EQ(Column(Raw{"U", {nullptr, large, text}, 3}.Import()), "|abc|d");
  EXPECT_EQ(Column(Raw{"Z", {nullptr, large, text}, 2, 1}.Import()), "abc|d");

  struct View {
    int32_t size;
    char text[12];
  };
  View views[3] = {{3, "abc"}, {0, ""}, {14, "the "}};
  const int32_t place[] = {1, 2};  // buffer 1, offset 2
  std::memcpy(views[2].text + 4, place, sizeof(place));
  const char other[] = "unused", heap[] = "__the longer one";
  const int64_t sizes[] = {6, 16};
  EXPECT_EQ(Column(Raw{"vu", {nullptr, views, other, heap, sizes}, 3}.Import()), "abc||the longer one");

  const int64_t narrow[] = {-150, 7};
  EXPECT_EQ(Column(Raw{"d:5,2,64", {nullptr, narrow}, 2}.Import()), "-1.50|0.07");
  const int32_t narrower[] = {-150, 7};
  EXPECT_EQ(Column(Raw{"d:5,2,32", {nullptr, narrower}, 2}.Import(Type::Decimal(9, 2))), "-1.50|0.07");

  struct MonthDayNano {
    int32_t months, days;
    int64_t nanos;
  };
  const MonthDayNano spans[] = {{0, 1, 7384500000000}, {14, 0, 0}};
  const uint8_t first_only[] = {1};
  const Type day_time = Type::IntervalDayTime(), year_month = Type::IntervalYearMonth();
  EXPECT_EQ(Column(Raw{"tin", {nullptr, spans}, 1}.Import()), "INTERVAL '1 02:03:04.5' DAY TO SECOND");
  EXPECT_EQ(Column(Raw{"tin", {nullptr, spans}, 1, 1}.Import(year_month)), "INTERVAL '1-2' YEAR TO MONTH");
  EXPECT_EQ(Column(Raw{"tin", {first_only, spans}, 2, 0, 1}.Import(day_time)),
            "INTERVAL '1 02:03:04.5' DAY TO SECOND|NULL");
  EXPECT_EQ(Column(Raw{"tin", {nullptr, spans}, 2}.Import(day_time)), "unsupported");
  EXPECT_EQ(Column(Raw{"tin", {nullptr, spans}, 2}.Import(year_month)), "unsupported");
  const MonthDayNano huge[] = {{0, INT32_MAX, 0}};
  EXPECT_EQ(Column(Raw{"tin", {nullptr, huge}, 1}.Import()), "unsupported");

  const int64_t instant[] = {0};
  EXPECT_EQ(Raw({"tsu:Europe/Berlin", {nullptr, instant}, 1}).Import()->columns[0]->type, Type::Timestamp());
  EXPECT_EQ(Column(Raw{"u", {nullptr, nullptr, nullptr}, 0}.Import()), "");
}

TEST(Arrow, RefusesWhatItCannotRepresent) {
  const int64_t zeros[4] = {};
  for (const char* format :
       {"C",          "S",      "I",   "L",  "e",   "tss:", "tsn:UTC", "tdm", "ttn", "tDn", "tiD",
        "d:50,2,256", "d:39,2", "d:x", "w:", "w:x", "+w:3", "+vl",     "+r",  "?",   ""}) {
    EXPECT_EQ(Column(Raw{format, {nullptr, zeros}, 1}.Import()), "unsupported") << format;
  }
  EXPECT_EQ(Column(Raw{"l", {nullptr, zeros}, 1}.Import(Type::Int())), "invalid");
  EXPECT_EQ(Column(Raw{"l", {nullptr, zeros}, 1}.Import(ArrayOf(Type::Int()))), "invalid");
  EXPECT_EQ(Column(Raw{"d:5,2", {nullptr, zeros}, 1}.Import(Type::Decimal(5, 1))), "invalid");
  const int32_t backwards[] = {3, 1};
  EXPECT_EQ(Column(Raw{"u", {nullptr, backwards, "abc"}, 1}.Import()), "corrupt");
  EXPECT_EQ(Column(Raw{"+l", {nullptr, backwards}, 1}.Import()), "corrupt");  // no child
}

}  // namespace
}  // namespace weir

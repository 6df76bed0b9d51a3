#include "codec/arrow/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/bytes.h"

namespace weir::arrow_ipc {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr size_t kPlenty = 1 << 20;

Field Named(std::string name, Type type, bool required = false) {
  return {.id = {}, .name = std::move(name), .type = std::move(type), .required = required, .doc = {}};
}
Type ArrayOf(Type element) { return Type::Array(Named("element", std::move(element))); }

std::string Fixture(const std::string& name) {
  std::ifstream in(std::string(WEIR_SOURCE_DIR) + "/test/fixtures/arrow/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Encoded(const std::vector<Field>& fields, const std::vector<Batch>& batches) {
  Result<std::string> stream = StreamEncoder(fields, {}).Encode(batches);
  EXPECT_TRUE(stream) << stream.error().ToString();
  return stream ? *std::move(stream) : "";
}

/// A stream of one column.
std::string EncodedColumn(const Field& field, const std::vector<Scalar>& values) {
  std::vector<std::vector<Scalar>> rows;
  for (const Scalar& value : values) rows.push_back({value});
  return Encoded({field}, {MakeBatch({field.type}, rows)});
}

/// The error of a stream, or its rows, '|' between columns and a line each.
std::string Read(std::string_view stream, size_t max_bytes = kPlenty) {
  const Result<DecodedStream> decoded = DecodeStream(stream, max_bytes);
  if (!decoded) return decoded.error().ToString();
  std::string text;
  for (const Batch& batch : decoded->batches) {
    for (int64_t row = 0; row < batch.row_count; ++row) {
      for (size_t c = 0; c < batch.column_count(); ++c)
        text += (c > 0 ? "|" : "") + batch.At(row, c).ToString();
      text += '\n';
    }
  }
  return text;
}

/// Names, types and nullability of all columns.
std::string SchemaOf(std::string_view stream) {
  const Result<DecodedStream> decoded = DecodeStream(stream, kPlenty);
  if (!decoded) return decoded.error().ToString();
  std::string text;
  for (const Field& field : decoded->fields)
    text += fmt::format("{} {}{}\n", field.name, field.type.ToString(), field.required ? " not null" : "");
  return text;
}

/// One value of every type that comes back as it went out.
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
      Scalar(Type::IntervalYearMonth(), int64_t{-14}),
      Scalar(Type::IntervalDayTime(), int64_t{93784500000}),
      Scalar(ArrayOf(Type::Int()), std::vector{Scalar::Int(1), Scalar::Null(Type::Int()), Scalar::Int(3)}),
      Scalar(pair, std::vector{Scalar::Int(1), Scalar::Null(Type::String())}),
      Scalar(map,
             std::vector{Scalar::String("k"), Scalar(ArrayOf(Type::Long()), std::vector{Scalar::Long(7)}),
                         Scalar::String("l"), Scalar::Null(ArrayOf(Type::Long()))}),
  };
}

TEST(ArrowStream, EveryTypeGoesOutAndComesBack) {
  std::vector<Field> fields;
  std::vector<Type> types;
  for (const Scalar& sample : Samples()) {
    fields.push_back(Named("c" + std::to_string(fields.size()), sample.type()));
    types.push_back(sample.type());
  }
  std::vector<std::vector<Scalar>> rows(150, Samples());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t c = 0; c < types.size(); ++c) {
      if ((i + c) % 5 == 3) rows[i][c] = Scalar::Null(types[c]);
    }
  }
  const std::vector<Batch> batches = {MakeBatch(types, rows), MakeBatch(types, {}),
                                      MakeBatch(types, {Samples()})};
  const Result<DecodedStream> decoded = DecodeStream(Encoded(fields, batches), kPlenty);
  ASSERT_TRUE(decoded) << decoded.error().ToString();
  EXPECT_EQ(decoded->fields, fields);
  ASSERT_EQ(decoded->batches.size(), batches.size());
  for (size_t b = 0; b < batches.size(); ++b) {
    ASSERT_EQ(decoded->batches[b].row_count, batches[b].row_count);
    for (int64_t row = 0; row < batches[b].row_count; ++row) {
      for (size_t c = 0; c < types.size(); ++c)
        EXPECT_EQ(decoded->batches[b].At(row, c), batches[b].At(row, c)) << types[c].ToString() << row;
    }
  }
}

TEST(ArrowStream, TypesThatSparkHasNotGoOutAsItShowsThem) {
  const Scalar uuid(Type::Uuid(), std::string("\x01\x23\x45\x67\x89\xab\xcd\xef 0123456", 16));
  const std::string uuids = EncodedColumn(Named("u", Type::Uuid()), {Scalar::Null(Type::Uuid()), uuid});
  EXPECT_EQ(SchemaOf(uuids), "u string\n");
  EXPECT_EQ(Read(uuids), "NULL\n01234567-89ab-cdef-2030-313233343536\n");
  const Type fixed = Type::Fixed(3);
  const std::string fixeds =
      EncodedColumn(Named("f", fixed), {Scalar(fixed, std::string("abc")), Scalar::Null(fixed)});
  EXPECT_EQ(SchemaOf(fixeds), "f binary\n");
  EXPECT_EQ(Read(fixeds), "abc\nNULL\n");
  const Type list = ArrayOf(Type::Uuid());
  EXPECT_EQ(Read(EncodedColumn(Named("l", list), {Scalar(list, std::vector{uuid, uuid})})),
            "[01234567-89ab-cdef-2030-313233343536, 01234567-89ab-cdef-2030-313233343536]\n");
}

TEST(ArrowStream, RowsWithoutColumnsAreCounted) {
  Batch batch;
  batch.row_count = 5;
  const Result<DecodedStream> decoded = DecodeStream(Encoded({}, {batch}), kPlenty);
  ASSERT_TRUE(decoded) << decoded.error().ToString();
  EXPECT_TRUE(decoded->fields.empty());
  EXPECT_EQ(decoded->batches.at(0).row_count, 5);
}

TEST(ArrowStream, OnlyMembersOfStructsAreNumberedIfTheyShareAName) {
  const Type inner = Type::Struct({Named("x", Type::Int()), Named("x", Type::Int())});
  const Type outer = Type::Struct({Named("a", Type::Int()), Named("b", ArrayOf(inner)), Named("a", inner)});
  const std::vector<Field> fields = {Named("c", outer), Named("c", Type::Int())};
  EXPECT_EQ(SchemaOf(Encoded(fields, {})),
            "c struct<a_0:int,b:array<struct<x_0:int,x_1:int>>,a_1:struct<x_0:int,x_1:int>>\nc int\n");
}

TEST(ArrowStream, BatchesThatAreNotOfTheSchemaAreRefused) {
  const StreamEncoder encoder(std::vector{Named("c", Type::Int())}, {});
  for (const Batch& batch : {MakeBatch({}, {}), MakeBatch({Type::Long()}, {})}) {
    const Result<std::string> stream = encoder.Encode(std::vector{batch});
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().code(), ErrorCode::kInvalid);
  }
}

TEST(ArrowStream, ReadsWhatPyarrowWrote) {
  const std::string stream = Fixture("pyarrow_types.arrows");
  EXPECT_EQ(SchemaOf(stream),
            "b boolean\ni8 tinyint\ni64 bigint\nf float\ndec decimal(38,2)\ndt date\nts timestamp\ns string\n"
            "bin binary\nst struct<a:int,b:string>\narr array<smallint>\nm map<string,bigint>\n"
            "deep array<map<string,array<struct<x:double>>>>\nvoid void\nid bigint not null\n");
  using namespace std::string_literals;
  const std::string rows =
      "true|1|4611686018427387904|1.5|12345678901234567890.12|1969-12-31|2024-02-29 12:00:00|\u00e9|\0\xFF|"
      "{1, null}|[1, null]|{k -> 1, n -> null}|[{k -> [{1.0}]}]|NULL|1\n"
      "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|2\n"
      "false|-1|-1|Infinity|-0.01|2024-02-29|0001-01-01 00:00:00|||{null, x}|[]|{}|[null, {}]|NULL|3\n"s;
  EXPECT_EQ(Read(stream), rows);
  EXPECT_EQ(Read(Fixture("pyarrow_v4.arrows")), rows);
}

TEST(ArrowStream, ReadsLargeOffsetsAndZstandard) {
  const std::string stream = Fixture("pyarrow_large_zstd.arrows");
  EXPECT_EQ(SchemaOf(stream), "s string\nbin binary\narr array<bigint>\ni bigint\n");
  std::string rows;
  for (int i = 0; i < 50; ++i) rows += fmt::format("{}|b|[1, 2]|{}\n", std::string(100, 'a'), i);
  EXPECT_EQ(Read(stream), rows);
  EXPECT_EQ(Read(Fixture("java_zstd.arrows")), Read(Fixture("spark_types.arrows")));
}

TEST(ArrowStream, WritesTheSchemaThatSparkWrote) {
  const std::string spark = Fixture("spark_types.arrows");
  EXPECT_EQ(SchemaOf(spark),
            "v void\nb boolean\ni8 tinyint\ni16 smallint\ni32 int\ni64 bigint\nf float\nd double\n"
            "dec decimal(3,2)\ndt date\nts timestamp\ntn timestamp_ntz\ns string\nbin binary\n"
            "ym interval year to month\ndts interval day to second\ntm time(6)\narr array<int>\n"
            "m map<string,int>\nst struct<a_0:int,a_1:string,b:array<array<int>>>\n");
  EXPECT_THAT(Read(spark), HasSubstr("|12:00:00.123456|[1, null]|{k -> 1, n -> null}|{1, x, [[1], null]}\n"));
  const Result<DecodedStream> decoded = DecodeStream(spark, kPlenty);
  ASSERT_TRUE(decoded) << decoded.error().ToString();
  const std::string ours = Encoded(decoded->fields, decoded->batches);
  EXPECT_EQ(SchemaOf(ours), SchemaOf(spark));
  EXPECT_EQ(Read(ours), Read(spark));
}

TEST(ArrowStream, TheEndMayBeMissingAndEndsTheStream) {
  const std::string stream = EncodedColumn(Named("c", Type::Int()), {Scalar::Int(7)});
  EXPECT_EQ(Read(stream), "7\n");
  EXPECT_EQ(Read(std::string_view(stream).substr(0, stream.size() - 8)), "7\n");
  EXPECT_EQ(Read(stream + "what is behind the end"), "7\n");
  EXPECT_EQ(Read(stream.substr(0, stream.size() - 8) + std::string(4, '\0')), "7\n");
}

TEST(ArrowStream, ReadsFromAnyPlaceInMemory) {
  const Type list = ArrayOf(Type::String());
  const std::string stream =
      EncodedColumn(Named("c", list), {Scalar(list, std::vector{Scalar::String("a"), Scalar::String("bc")})});
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string moved = std::string(shift, ' ') + stream;
    EXPECT_EQ(Read(std::string_view(moved).substr(shift)), "[a, bc]\n");
  }
}

TEST(ArrowStream, MoreThanTheLimitIsRefused) {
  const std::string longs(400, 'x');
  const std::string stream = EncodedColumn(Named("c", Type::String()), {Scalar::String(longs)});
  EXPECT_EQ(Read(stream), longs + "\n");
  EXPECT_EQ(DecodeStream(stream, 400).error().code(), ErrorCode::kInvalid);
  // Rows that take no bytes take time.
  Batch batch;
  batch.row_count = INT64_MAX;
  EXPECT_EQ(DecodeStream(Encoded({}, {batch}), kPlenty).error().code(), ErrorCode::kInvalid);
  EXPECT_EQ(DecodeStream(Fixture("pyarrow_large_zstd.arrows"), 4000).error().code(), ErrorCode::kInvalid);
}

/// The stream with one run of numbers replaced by another.
template <typename T>
std::string Replaced(std::string stream, const std::vector<T>& from, const std::vector<T>& to) {
  const auto bytes = [](const std::vector<T>& numbers) {
    return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
  };
  const size_t at = stream.find(bytes(from));
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(stream.find(bytes(from), at + 1), std::string::npos);
  return at == std::string::npos ? "" : stream.replace(at, bytes(to).size(), bytes(to));
}

TEST(ArrowStream, OffsetsThatLeadOutOfTheirBufferAreCorrupt) {
  const std::string texts = EncodedColumn(Named("c", Type::String()),
                                          {Scalar::String("abc"), Scalar::String("de"), Scalar::String("f")});
  const auto with = [&](const std::vector<int32_t>& offsets) {
    return Read(Replaced<int32_t>(texts, {0, 3, 5, 6}, offsets));
  };
  EXPECT_EQ(with({1, 3, 5, 5}), "bc\nde\n\n");
  EXPECT_THAT(with({0, 5, 3, 6}), HasSubstr("column 'c': offsets run from 5 to 3"));
  EXPECT_THAT(with({-1, 3, 5, 6}), HasSubstr("column 'c': offset -1"));
  EXPECT_THAT(with({0, 3, 5, 7}), HasSubstr("column 'c': a buffer of 6 bytes for 7 times 1"));

  const Type list = ArrayOf(Type::String());
  const std::vector<Scalar> elements = {Scalar::String("abc"), Scalar::String("de"), Scalar::String("f")};
  const std::string lists = EncodedColumn(Named("c", list), {Scalar(list, elements), Scalar(list, elements)});
  EXPECT_THAT(Read(Replaced<int32_t>(lists, {0, 3, 6}, {0, 3, 7})), HasSubstr("6 rows, expected 7"));
  // Elements that no list has are not read, but count.
  const std::string part = Replaced<int32_t>(lists, {0, 3, 6}, {1, 1, 2});
  EXPECT_EQ(Read(part), "[]\n[de]\n");
  EXPECT_THAT(Read(Replaced<int32_t>(part, {0, 3, 5, 6, 9, 11, 12}, {0, 3000, 3002, 6, 9, 11, 12})),
              HasSubstr("offsets run from 3002 to 6"));
}

TEST(ArrowStream, LengthsThatDoNotGoTogetherAreCorrupt) {
  const std::string stream =
      EncodedColumn(Named("c", Type::Int()), {Scalar::Int(1), Scalar::Int(2), Scalar::Null(Type::Int())});
  const auto with = [&](int64_t rows, int64_t nulls) {
    return Read(Replaced<int64_t>(stream, {3, 1}, {rows, nulls}));
  };
  EXPECT_EQ(with(3, 1), "1\n2\nNULL\n");
  EXPECT_THAT(with(2, 1), HasSubstr("column 'c': 2 rows, expected 3"));
  EXPECT_THAT(with(4, 1), HasSubstr("column 'c': a buffer of 12 bytes for 4 times 4"));
  EXPECT_THAT(with(9, 1), HasSubstr("column 'c': a buffer of 1 bytes for 2 times 1"));
  for (const int64_t nulls : {-1, 4}) EXPECT_THAT(with(3, nulls), HasSubstr("NULLs in 3 rows"));
}

TEST(ArrowStream, ValuesKeepWhatTheirColumnPromises) {
  const auto read = [](const Field& field, const std::vector<Scalar>& values) {
    return Read(EncodedColumn(field, values));
  };
  EXPECT_THAT(read(Named("c", Type::Int(), true), {Scalar::Int(1), Scalar::Null(Type::Int())}),
              HasSubstr("column 'c': NULL in row 1 of a column that is not nullable"));
  EXPECT_THAT(read(Named("c", Type::String()), {Scalar::String("\u00e9"), Scalar::String("\u00e9\xC3")}),
              AllOf(HasSubstr("corrupt"), HasSubstr("column 'c': row 1 is not UTF-8")));
  // Together they are, apart they are not.
  EXPECT_THAT(read(Named("c", Type::String()), {Scalar::String("\xC3"), Scalar::String("\xA9")}),
              HasSubstr("row 0 is not UTF-8"));
  EXPECT_THAT(read(Named("c", Type::Decimal(3, 1)), {Scalar::Decimal(-1000, 3, 1)}),
              HasSubstr("NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION"));
}

TEST(ArrowStream, ValuesBelowNullDoNotCount) {
  const Type pair = Type::Struct({Named("a", Type::Int(), true)});
  EXPECT_EQ(Read(EncodedColumn(Named("c", pair),
                               {Scalar::Null(pair), Scalar(pair, {std::vector{Scalar::Int(1)}})})),
            "NULL\n{1}\n");
  const Type list = Type::Array(Named("element", pair, true));
  EXPECT_EQ(Read(EncodedColumn(Named("c", list), {Scalar::Null(list)})), "NULL\n");
  EXPECT_THAT(Read(EncodedColumn(Named("c", list), {Scalar(list, std::vector{Scalar::Null(pair)})})),
              HasSubstr("column 'c': 'element': NULL in row 0"));
}

TEST(ArrowStream, DamageIsAnErrorOrOtherRows) {
  constexpr size_t kStep = 7;  // fuzzing looks at all
  for (const char* name : {"pyarrow_types.arrows", "pyarrow_large_zstd.arrows"}) {
    std::string stream = Fixture(name);
    ASSERT_FALSE(stream.empty());
    for (size_t size = 0; size < stream.size(); size += kStep) {
      const Result<DecodedStream> decoded = DecodeStream(std::string_view(stream).substr(0, size), kPlenty);
      if (!decoded) {
        EXPECT_EQ(decoded.error().code(), ErrorCode::kCorrupt) << name << size;
      }
    }
    for (size_t at = 0; at < stream.size(); at += kStep) {
      stream[at] ^= '\xFF';
      (void)DecodeStream(stream, kPlenty);
      stream[at] ^= '\xFF';
    }
  }
}

}  // namespace
}  // namespace weir::arrow_ipc

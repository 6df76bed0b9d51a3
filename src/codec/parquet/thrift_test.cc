#include "codec/parquet/thrift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace weir::parquet {
namespace {

using ::testing::HasSubstr;
using Field = ThriftReader::Field;

/// Bytes by hand, from the protocol's description.
TEST(ThriftReader, ReadsEveryKindOfField) {
  const std::string fields(
      "\x11"          // 1: true
      "\x15\x05"      // 2: i32 = -3 (zigzag 5)
      "\x08\x28\x02"  // 20 by long form (zigzag 40): binary of 2
      "ab"
      "\x19\x31\x01\x02\x00"  // 21: list of 3 booleans
      "\x00",
      14);
  ThriftReader in(AsBytes(fields), 0);
  bool first = false;
  int32_t second = 0;
  std::string text;
  std::vector<bool> flags;
  in.ReadStruct([&](Field field) {
    switch (field.id) {
      case 1:
        first = in.Bool(field);
        break;
      case 2:
        second = in.I32(field);
        break;
      case 20:
        text = in.String(field);
        break;
      case 21:
        in.ReadList(field, [&](Field) { flags.push_back(in.ListBool()); });
        break;
      default:
        FAIL() << field.id;
    }
  });
  EXPECT_TRUE(in.status().has_value());
  EXPECT_TRUE(first);
  EXPECT_EQ(second, -3);
  EXPECT_EQ(text, "ab");
  EXPECT_EQ(flags, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(in.position(), fields.size());
}

TEST(ThriftReader, SkipsWhatItDoesNotKnow) {
  const std::string fields(
      "\x17\x01\x02\x03\x04\x05\x06\x07\x08"  // 1: double
      "\x1b\x02\x58\x02\x01x\x04\x01y"        // 2: map<i32, binary> of 2
      "\x1a\x2c\x15\x02\x00\x00"              // 3: set of 2 structs
      "\x1d"
      "0123456789abcdef"  // 4: uuid
      "\x13\x07"          // 5: byte
      "\x16\x0a"          // 6: i64 = 5
      "\x00",
      9 + 9 + 6 + 17 + 2 + 2 + 1);
  ThriftReader in(AsBytes(fields), 0);
  int64_t last = 0;
  in.ReadStruct([&](Field field) {
    if (field.id == 6) {
      last = in.I64(field);
    } else {
      in.Skip(field);
    }
  });
  EXPECT_TRUE(in.status().has_value()) << in.status().error().ToString();
  EXPECT_EQ(last, 5);
  EXPECT_EQ(in.position(), fields.size());
}

TEST(ThriftReader, FailsOnceAndStays) {
  struct Case {
    std::string bytes;
    std::string error;
  };
  const Case cases[] = {
      {std::string("\x15", 1), "expected one more byte, found the end"},
      {std::string("\x15\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12), "a varint of 64 bits"},
      {std::string("\x15\xff\xff\xff\xff\xff\x01\x00", 8), "a 32-bit integer"},
      {std::string("\x18\x00\x00", 3), "an integer, found wire type 8"},
      {std::string("\x1e\x00", 2), "an integer, found wire type 14"},
  };
  for (const Case& c : cases) {
    ThriftReader in(AsBytes(c.bytes), 1000);
    in.ReadStruct([&](Field field) { in.I32(field); });
    ASSERT_FALSE(in.status().has_value()) << c.error;
    EXPECT_THAT(in.status().error().ToString(), HasSubstr(c.error));
    EXPECT_THAT(in.status().error().ToString(), HasSubstr("at file offset 10"));
    EXPECT_EQ(in.I64({1, WireType::kI64}), 0);
  }
}

TEST(ThriftWriter, RoundTripsExtremes) {
  const int64_t values[] = {
      0, -1, 1, 63, -64, 64, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  ThriftWriter out;
  out.BeginStruct();
  int32_t id = 1;
  for (int64_t value : values) out.I64(id += 17, value);
  out.Bool(id + 1, true);
  out.I8(id + 2, -7);
  out.BeginList(id + 3, WireType::kI32, 20);
  for (int i = 0; i < 20; ++i) out.ElementI32(i);
  out.EndStruct();
  const std::string bytes = out.Take();
  ThriftReader in(AsBytes(bytes), 0);
  std::vector<int64_t> read;
  int sum = 0;
  in.ReadStruct([&](Field field) {
    if (field.type == WireType::kI64) {
      read.push_back(in.I64(field));
    } else if (field.type == WireType::kByte) {
      EXPECT_EQ(in.I32(field), -7);
    } else if (field.type == WireType::kList) {
      in.ReadList(field, [&](Field element) { sum += in.I32(element); });
    } else {
      EXPECT_TRUE(in.Bool(field));
    }
  });
  EXPECT_TRUE(in.status().has_value());
  EXPECT_THAT(read, ::testing::ElementsAreArray(values));
  EXPECT_EQ(sum, 190);
}

}  // namespace
}  // namespace weir::parquet

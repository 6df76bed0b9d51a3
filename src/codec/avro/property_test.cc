/// Random schemas and values: what is written is what is read, under every codec and every projection.

#include <gtest/gtest.h>

#include <cmath>

#include "codec/avro/container.h"

namespace weir::avro {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t bound) { return random_.Next() % bound; }

  Schema Record(int depth) {
    std::vector<Field> fields;
    const uint64_t count = Below(6);
    for (uint64_t i = 0; i < count; ++i) {
      fields.push_back({fmt::format("f {}", i), FieldId{++ids_}, Any(depth), Below(3) == 0 ? "doc" : ""});
    }
    return Schema::Record(Name(), std::move(fields));
  }

  Schema Any(int depth) {
    switch (Below(depth > 0 ? 15 : 10)) {
      case 0:
        return Schema::Boolean();
      case 1:
        return Schema::Int();
      case 2:
        return Schema::Long();
      case 3:
        return Schema::Float();
      case 4:
        return Schema::Double();
      case 5:
        return Schema::Bytes();
      case 6:
        return Schema::String();
      case 7:
        return Schema::Fixed(Name(), static_cast<uint32_t>(Below(5)));
      case 8:
        return Schema::Enum(Name(), {"A", "B", "C"});
      case 9:
        return Schema::Null();
      case 10:
        return Record(depth - 1);
      case 11:
        return Schema::Array(Any(depth - 1), FieldId{++ids_});
      case 12:
        return Schema::Map(Any(depth - 1), FieldId{++ids_}, FieldId{++ids_});
      case 13:
        return Schema::ArrayMap(Any(depth - 1), FieldId{++ids_}, Any(depth - 1), FieldId{++ids_});
      default:
        return Union(depth);
    }
  }

  Value Make(const Schema& schema) {
    switch (schema.kind()) {
      case Kind::kBoolean:
        return Value::Boolean(Below(2) == 1);
      case Kind::kInt:
        return Value::Int(static_cast<int32_t>(Number()));
      case Kind::kLong:
        return Value::Long(Number());
      case Kind::kFloat:
        return Value::Float(Below(8) == 0 ? std::nanf("") : static_cast<float>(Number()) / 3);
      case Kind::kDouble:
        return Value::Double(static_cast<double>(Number()) / 7);
      case Kind::kBytes:
        return Value::Bytes(Text(Below(20)));
      case Kind::kString:
        return Value::String(Text(Below(200)));
      case Kind::kFixed:
        return Value::Fixed(Text(schema.size_bytes()));
      case Kind::kEnum:
        return Value::Enum(static_cast<int32_t>(Below(schema.symbols().size())));
      case Kind::kRecord: {
        const std::span<Value> fields = arena_.New(schema.fields().size());
        for (size_t i = 0; i < fields.size(); ++i) fields[i] = Make(schema.fields()[i].schema);
        return Value::Record(fields);
      }
      case Kind::kArray: {
        const std::span<Value> items = arena_.New(Below(5));
        for (Value& item : items) item = Make(schema.fields()[0].schema);
        return Value::Array(items);
      }
      case Kind::kMap: {
        const std::span<Value> entries = arena_.New(2 * Below(4));
        for (size_t i = 0; i < entries.size(); ++i) entries[i] = Make(schema.fields()[i % 2].schema);
        return Value::Map(entries);
      }
      case Kind::kUnion: {
        const auto branch = static_cast<uint16_t>(Below(schema.fields().size()));
        return Make(schema.fields()[branch].schema).InBranch(branch);
      }
      default:
        return Value::Null();
    }
  }

  /// Some of the schema's fields, shuffled, and one that no file has.
  Schema Projection(const Schema& schema, std::vector<size_t>& kept) {
    std::vector<Field> fields;
    for (size_t i = 0; i < schema.fields().size(); ++i) {
      if (Below(2) == 0) continue;
      const size_t at = Below(fields.size() + 1);
      fields.insert(fields.begin() + static_cast<ptrdiff_t>(at), schema.fields()[i]);
      kept.insert(kept.begin() + static_cast<ptrdiff_t>(at), i);
    }
    fields.push_back({"absent", FieldId{1'000'000}, Schema::Optional(Schema::Long()), ""});
    return Schema::Record("wanted", std::move(fields));
  }

 private:
  std::string Name() { return fmt::format("n.t{}", ++names_); }

  Schema Union(int depth) {
    switch (Below(4)) {
      case 0:
        return Schema::Union({Schema::Int(), Schema::Null(), Schema::Record(Name(), {})});
      case 1:
        return Schema::Union({Schema::String(), Schema::Null()});
      default:
        break;
    }
    Schema inner = Any(depth - 1);
    return inner.kind() == Kind::kUnion || inner.kind() == Kind::kNull ? inner : Schema::Optional(inner);
  }

  int64_t Number() {
    const auto bits = static_cast<int64_t>(random_.Next());
    return bits >> Below(64);
  }
  std::string_view Text(uint64_t size) {
    std::string text;
    for (uint64_t i = 0; i < size; ++i) text.push_back(static_cast<char>(Below(256)));
    return arena_.Keep(text);
  }

  SeededRandom random_;
  ValueArena arena_;
  int32_t ids_ = 0;
  int names_ = 0;
};

void Check(uint64_t seed) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Generator generator(seed);
  const Schema schema = generator.Record(4);
  const auto codec = static_cast<Codec>(generator.Below(4));
  SeededRandom random(seed);
  Result<Writer> writer =
      Writer::Make(schema, {.codec = codec, .block_bytes = 1 + generator.Below(4000)}, random);
  ASSERT_TRUE(writer) << writer.error().ToString();
  std::vector<Value> values(generator.Below(30));
  for (Value& value : values) {
    value = generator.Make(schema);
    Status appended = writer->Append(value);
    ASSERT_TRUE(appended) << appended.error().ToString();
  }
  Result<std::string> file = writer->Finish();
  ASSERT_TRUE(file);
  Result<Reader> reader = Reader::Open(AsBytes(*file), "f.avro");
  ASSERT_TRUE(reader) << reader.error().ToString();
  EXPECT_EQ(reader->schema(), schema);
  EXPECT_EQ(*reader->CountRecords(), values.size());

  size_t next = 0;
  Status read = reader->ForEach(schema, [&](const Value& record) -> Status {
    EXPECT_EQ(record, values[next]) << record.ToString() << "\n" << values[next].ToString();
    ++next;
    return {};
  });
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(next, values.size());

  std::vector<size_t> kept;
  const Schema wanted = generator.Projection(schema, kept);
  next = 0;
  read = reader->ForEach(wanted, [&](const Value& record) -> Status {
    for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(record[i], values[next][kept[i]]);
    EXPECT_TRUE(record[kept.size()].is_null());
    ++next;
    return {};
  });
  ASSERT_TRUE(read) << read.error().ToString();
}

TEST(AvroProperty, ReadsWhatWasWritten) {
  for (uint64_t seed = 1; seed <= 500 && !testing::Test::HasFailure(); ++seed) Check(seed);
}

}  // namespace
}  // namespace weir::avro

/// Any bytes as an Avro file: decode everything, decode a manifest's fields, and what was read must be
/// writable and read back equal.

#include <cstdlib>

#include "codec/avro/container.h"

namespace {

using namespace weir;
using namespace weir::avro;

const Limits kLimits = {.block_bytes = 1_MiB, .values_per_record = 1 << 16};
/// Blocks of empty records make much out of nothing; a fuzzer has no time for them.
constexpr int kMostRecords = 2000;

Schema Manifest() {
  const Schema counts =
      Schema::Optional(Schema::ArrayMap(Schema::Int(), FieldId{117}, Schema::Long(), FieldId{118}));
  const Schema bounds =
      Schema::Optional(Schema::ArrayMap(Schema::Int(), FieldId{126}, Schema::Bytes(), FieldId{127}));
  return Schema::Record(
      "entry", {{"status", FieldId{0}, Schema::Optional(Schema::Int()), ""},
                {"data_file", FieldId{2},
                 Schema::Optional(Schema::Record(
                     "r2", {{"partition", FieldId{102}, Schema::Any(), ""},
                            {"sizes", FieldId{108}, counts, ""},
                            {"bounds", FieldId{125}, bounds, ""},
                            {"offsets", FieldId{132}, Schema::Optional(Schema::Array(Schema::Long())), ""}})),
                 ""}});
}

void Require(bool condition) {
  if (!condition) std::abort();
}

/// Writes the records again and reads them back.
void RoundTrip(const Reader& reader) {
  SeededRandom random(1);
  Result<Writer> writer = Writer::Make(reader.schema(), {.codec = Codec::kNull}, random);
  if (!writer) return;  // A schema that readers must forgive and writers must not make.
  ValueArena arena;
  std::vector<Value> records;
  Status read = reader.ForEach(reader.schema(), [&](const Value& record) -> Status {
    if (records.size() == kMostRecords) return Cancelled();
    Require(writer->Append(record).has_value());
    records.push_back(arena.DeepCopy(record));
    return {};
  });
  Result<std::string> file = writer->Finish();
  Require(file.has_value());
  Result<Reader> again = Reader::Open(AsBytes(*file), "again");
  Require(again.has_value());
  size_t next = 0;
  Status reread = again->ForEach(again->schema(), [&](const Value& record) -> Status {
    Require(record == records[next++]);
    return {};
  });
  Require(reread.has_value() && next == records.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<Reader> reader = Reader::Open({data, size}, "fuzz", kLimits);
  if (!reader) return 0;
  static const Schema manifest = Manifest();
  int records = 0;
  (void)reader->ForEach(manifest, [&](const Value& record) -> Status {
    (void)record.ToString();
    if (++records == kMostRecords) return Cancelled();
    return {};
  });
  (void)reader->CountRecords();
  RoundTrip(*reader);
  return 0;
}

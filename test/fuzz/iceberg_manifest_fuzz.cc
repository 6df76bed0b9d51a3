/// Manifests and manifest lists of unknown origin, with all that a scan makes of their entries.

#include <cstddef>
#include <cstdint>

#include "table/iceberg/manifest_avro.h"
#include "table/iceberg/metrics.h"
#include "table/iceberg/partitioning.h"

namespace {

using namespace weir;  // A fuzz target is one page.

const Schema& TheSchema() {
  static const Schema schema = {0,
                                {{FieldId{1}, "id", Type::Long(), true, ""},
                                 {FieldId{2}, "name", Type::String(), false, ""},
                                 {FieldId{3}, "price", Type::Decimal(10, 2), false, ""},
                                 {FieldId{4}, "ts", Type::Timestamp(), false, ""},
                                 {FieldId{5}, "d", Type::Double(), false, ""}},
                                {}};
  return schema;
}

iceberg::PartitionSpec TheSpec() {
  iceberg::PartitionSpec spec;
  const char* transforms[] = {"bucket[4]", "truncate[2]", "identity", "day", "identity"};
  for (int i = 0; i < 5; ++i) {
    spec.fields.push_back({FieldId{i + 1}, FieldId{1000 + i}, "p", *Transform::Parse(transforms[i])});
  }
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const iceberg::PartitionSpec spec = TheSpec();
  const auto find = [](FieldId id) { return TheSchema().Find(id); };
  const auto types = iceberg::PartitionTypes(spec, find);
  if (const auto list = iceberg::ParseManifestList(bytes, "fuzz")) {
    for (const auto& manifest : *list) {
      if (manifest.partitions) iceberg::BoundsOfSummaries(spec, *manifest.partitions, *types, find);
    }
  }
  iceberg::ManifestFile listed;
  listed.sequence_number = iceberg::SequenceNumber{1};
  static_cast<void>(
      iceberg::ParseManifest(bytes, listed, spec, find, [&](iceberg::ManifestEntry&& entry) -> Status {
        iceberg::BoundsOf(entry.file, find);
        iceberg::BoundsOfTuple(spec, entry.file.partition.values, 1, find);
        iceberg::PartitionPath(spec, entry.file.partition.values);
        return {};
      }));
  return 0;
}

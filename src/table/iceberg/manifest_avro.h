#pragma once

/// Manifests and manifest lists as Avro files. Thread rule: pure functions.
/// Spec: Iceberg v2, "Manifests", "Manifest Lists", "Sequence Number Inheritance", Appendix A.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "table/iceberg/manifest.h"
#include "table/iceberg/partitioning.h"

namespace weir::iceberg {

/// Manifests in file order. Errors: kCorrupt naming `file`; kUnsupported for an encrypted manifest.
Result<std::vector<ManifestFile>> ParseManifestList(std::string_view bytes, std::string_view file);

struct ManifestListHeader {
  SnapshotId snapshot_id;
  std::optional<SnapshotId> parent;
  SequenceNumber sequence_number;
};
/// Sequence numbers that are absent become the header's.
Result<std::string> WriteManifestList(const std::vector<ManifestFile>& manifests,
                                      const ManifestListHeader& header, Random& random);

/// Calls `sink` once per entry, DELETED ones included, in file order, with ids and sequence numbers inherited
/// from `listed` where they are absent. Partition values have the types of the source columns that `find`
/// gives, else those of the manifest's own schema. Errors: kCorrupt naming the manifest; kUnsupported for
/// deletion vectors and encrypted files; what `sink` returns.
Status ParseManifest(std::string_view bytes, const ManifestFile& listed, const PartitionSpec& spec,
                     const FindFieldById& find, const std::function<Status(ManifestEntry&&)>& sink);

/// Builds one manifest of one partition spec. Thread rule: one thread.
class ManifestWriter {
 public:
  struct Options {
    Content content = Content::kData;
    SnapshotId snapshot_id;  ///< Of the commit that writes the manifest.
    std::string compression =
        "gzip";  ///< write.manifest.compression-codec in any case; gzip is Avro's deflate.
    int compression_level = 9;
  };
  /// `types` as PartitionTypes gives them. Errors: kInvalid for a compression that is not known; kUnsupported
  /// for a partition field whose type is not known.
  static Result<ManifestWriter> Make(const Schema& schema, const PartitionSpec& spec, std::vector<Type> types,
                                     Options options, Random& random);
  ManifestWriter(ManifestWriter&&) noexcept;
  ManifestWriter& operator=(ManifestWriter&&) noexcept;
  ~ManifestWriter();

  /// Errors: kInternal for an EXISTING or DELETED entry without sequence numbers; kCorrupt for more rows than
  /// a manifest can count.
  Status Add(const ManifestEntry& entry);
  uint64_t size_bytes() const;

  struct Written {
    std::string bytes;
    ManifestFile file;  ///< Without path.
  };
  Result<Written> Finish() &&;

 private:
  struct State;
  explicit ManifestWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::iceberg

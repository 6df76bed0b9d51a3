#pragma once

/// Avro schemas of manifests and their lists, one tree for reading and writing. Private to the Avro codec.
/// Thread rule: pure functions. Spec: Iceberg v2, "Manifest List Files", "Manifest Schema", Appendix A.

#include <vector>

#include "codec/avro/schema.h"
#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// Positions of the fields in ManifestListSchema.
enum ListField : size_t {
  kListPath,
  kListLength,
  kListSpecId,
  kListContent,
  kListSequence,
  kListMinSequence,
  kListSnapshot,
  kListAddedFiles,
  kListExistingFiles,
  kListDeletedFiles,
  kListAddedRows,
  kListExistingRows,
  kListDeletedRows,
  kListPartitions,
  kListKeyMetadata,
};
/// `reading` makes optional what version 1 left out.
avro::Schema ManifestListSchema(bool reading);

enum EntryField : size_t { kEntryStatus, kEntrySnapshot, kEntrySequence, kEntryFileSequence, kEntryFile };
enum FileField : size_t {
  kFileContent,
  kFilePath,
  kFileFormat,
  kFilePartition,
  kFileRows,
  kFileSize,
  kFileColumnSizes,
  kFileValueCounts,
  kFileNullCounts,
  kFileNanCounts,
  kFileLower,
  kFileUpper,
  kFileKeyMetadata,
  kFileSplits,
  kFileEqualityIds,
  kFileSortOrder,
  kFileReferenced,
  kFileContentOffset,  ///< Reading only: a deletion vector, which version 2 does not have.
};
avro::Schema ManifestEntrySchema(const PartitionSpec& spec, const std::vector<Type>& types, bool reading);

}  // namespace weir::iceberg

#pragma once

/// Which statistics of a new file are kept, and in what form. Thread rule: immutable values.
/// Spec: Iceberg v2, "Manifests" (bounds); table properties write.metadata.metrics.*.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "table/iceberg/manifest.h"
#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

struct MetricsMode {
  enum class Kind : uint8_t { kNone, kCounts, kTruncate, kFull };
  Kind kind = Kind::kTruncate;
  int32_t length = 16;  ///< kTruncate: characters or bytes.
  bool operator==(const MetricsMode&) const = default;
};

/// The mode of every column of a table's current schema.
class MetricsConfig {
 public:
  static MetricsConfig For(const TableMetadata& metadata);
  MetricsMode ModeOf(FieldId id) const;

 private:
  MetricsMode default_;
  std::map<FieldId, MetricsMode> by_id_;
};

/// Fills the statistics of a data file from what its writer saw. Columns within lists and maps keep only
/// their size.
void SetDataMetrics(const std::vector<table::NewDataFile::LeafMetrics>& metrics, const MetricsConfig& config,
                    const Schema& schema, ContentFile& file);
/// The same for a position delete file: whole paths, no counts.
void SetDeleteMetrics(const std::vector<table::NewDataFile::LeafMetrics>& metrics, ContentFile& file);

/// Statistics as bounds over Spark's types. A bound that does not fit its column's type says nothing.
Bounds BoundsOf(const ContentFile& file, const std::function<const Field*(FieldId)>& find);

}  // namespace weir::iceberg

#pragma once

/// Which manifests and files may hold rows that a scan wants. Every answer "no" is certain; "yes" may be
/// wrong. Thread rule: immutable once built. Spec: Iceberg, "Scan Planning".

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/outcomes.h"
#include "table/iceberg/manifest.h"
#include "table/iceberg/partitioning.h"
#include "table/key_set.h"
#include "table/table.h"

namespace weir::iceberg {

class Pruner {
 public:
  /// `predicate` may be null and `keys` absent: then everything may match. `keys` and `specs` are
  /// viewed and must outlive the pruner.
  Pruner(const ExprPtr& predicate, const std::optional<table::KeySet>& keys,
         const std::vector<PartitionSpec>& specs, FindFieldById find);

  /// Rows described by bounds.
  bool MayMatch(const Bounds& bounds) const;
  /// Rows of a partition, by what bounds cannot say: buckets and whole key tuples.
  bool MayMatchPartition(const PartitionSpec& spec, const std::vector<Scalar>& values) const;
  /// All files of a manifest, by its summaries.
  bool MayMatchManifest(const PartitionSpec& spec, const ManifestFile& manifest) const;
  bool wants_everything() const { return predicate_ == nullptr && !keys_; }

 private:
  /// Partition values that literals of the predicate allow, by position of the spec's field.
  using AllowedBuckets = std::map<size_t, std::set<int64_t>>;
  void FindBuckets(const std::vector<PartitionSpec>& specs);
  bool KeysMayMatch(const Bounds& bounds) const;

  const ExprPtr predicate_;
  const table::KeySet* keys_;
  FindFieldById find_;
  std::map<int32_t, AllowedBuckets> buckets_;  ///< By spec id.
  std::map<int32_t, const table::KeySet::SpecTuples*> key_tuples_;
};

}  // namespace weir::iceberg

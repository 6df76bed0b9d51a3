#pragma once

/// What is known of the rows that one side of a join can match: the planner's way to prune the other side.
/// Thread rule: a set is immutable; a builder belongs to one thread.

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "table/data_file.h"
#include "type/scalar.h"

namespace weir::table {

/// A target row can only match if, for the columns `fields`, it equals one of the keys under SQL `=`
/// (NULL matches nothing; NaN matches NaN; -0.0 matches 0.0).
struct KeySet {
  std::vector<FieldId> fields;
  /// Distinct keys, one Scalar per field, typed as the target's columns, without NULLs, sorted by Compare in
  /// field order. Absent when there were too many; then only `lower` and `upper` bound each field.
  std::optional<std::vector<std::vector<Scalar>>> keys;
  /// Per field, the smallest and largest key by Compare; empty when there is no key at all (nothing matches).
  std::vector<Scalar> lower;
  std::vector<Scalar> upper;
  /// Per partition spec id: the distinct values of each spec field whose source is a key field, over all
  /// keys, as tuples with a NULL-typed placeholder (kVoid) where the source is not a key. Absent spec: too
  /// many, or none.
  struct SpecTuples {
    int32_t spec_id = 0;
    std::unordered_set<PartitionTuple, PartitionTupleHash> tuples;
  };
  std::vector<SpecTuples> partitions;

  bool empty() const { return lower.empty(); }
};

/// Collects keys row by row within fixed memory: the limits, and a few keys for the bounds.
class KeySetBuilder {
 public:
  struct Limits {
    size_t max_keys = 100'000;        ///< Distinct keys kept; beyond it only bounds and partitions.
    size_t max_key_bytes = 64 << 20;  ///< The same for the bytes of their texts.
    size_t max_partitions = 20'000;   ///< Distinct partition tuples kept per spec.
  };
  KeySetBuilder(std::vector<FieldId> fields, std::vector<PartitionSpec> specs, Limits limits);

  /// A key with a NULL in it is dropped: it matches nothing.
  Status Add(std::vector<Scalar> key);
  KeySet Finish() &&;

 private:
  struct KeyHash {
    size_t operator()(const std::vector<Scalar>& key) const;
  };
  void WidenBounds(const std::vector<Scalar>& key);
  Status AddPartitions(const std::vector<Scalar>& key);

  std::vector<FieldId> fields_;
  std::vector<PartitionSpec> specs_;
  Limits limits_;
  KeySet set_;
  std::unordered_set<std::vector<Scalar>, KeyHash> distinct_;
  size_t key_bytes_ = 0;  // Of the texts in `distinct_`.
  bool overflowed_ = false;
};

}  // namespace weir::table

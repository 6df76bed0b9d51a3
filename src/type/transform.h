#pragma once

/// Partition transforms. Thread rule: immutable values. Spec: Iceberg, "Partition Transforms", Appendix B.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "type/scalar.h"

namespace weir {

struct Transform {
  enum class Kind : uint8_t {
    kIdentity,
    kBucket,    ///< parameter: number of buckets.
    kTruncate,  ///< parameter: width.
    kYear,
    kMonth,
    kDay,
    kHour,
    kVoid,     ///< Always null.
    kUnknown,  ///< Read, never used to prune, never written; `name` keeps the text.
  };
  Kind kind = Kind::kIdentity;
  int32_t parameter = 0;
  std::string name;  ///< kUnknown only.

  bool operator==(const Transform&) const = default;

  /// The spec's text: "identity", "bucket[16]", "truncate[4]", "year", ...
  std::string ToString() const;
  /// Reads the spec's text. A name it does not know gives kUnknown. Errors: kCorrupt for a bad parameter.
  static Result<Transform> Parse(std::string_view text);

  /// Type of the partition value. Errors: kInvalid if the transform does not take the type.
  Result<Type> ResultType(const Type& source) const;
  /// The partition value; NULL for NULL. Errors: kInvalid as ResultType; kUnsupported for kUnknown.
  Result<Scalar> Apply(const Scalar& value) const;
  /// True if a <= b implies Apply(a) <= Apply(b): all but bucket, void and unknown. Truncated integers within
  /// one width of their type's lowest value wrap around, as the spec's formula does.
  bool preserves_order() const;
  /// True if old files may state another partition value for `value`. Before the column's type was widened an
  /// int near the lowest was truncated to one at the top, a long is not; early writers rounded points in time
  /// before 1970 towards it, not down.
  bool MayDifferInOldFiles(const Scalar& value) const;
  /// Human text of a partition value for paths, before URL encoding: "2020-01-01" for a day, "2020-01" for a
  /// month, "2020-01-01-10" for an hour, base64 for binary, "null" for NULL.
  std::string PathText(const Scalar& partition_value) const;
};

/// murmur3 x86 32-bit, seed 0, as bucket uses it: ints and dates as 8-byte longs, decimals as minimal
/// big-endian two's complement, strings as UTF-8, uuid as 16 big-endian bytes. Precondition: not null.
/// Errors: kInvalid for types that bucket does not take.
Result<int32_t> BucketHash(const Scalar& value);

}  // namespace weir

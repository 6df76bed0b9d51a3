#include "exec/duckdb/functions/kernel.h"
#include "type/calendar.h"
#include "type/murmur3.h"
#include "type/transform.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

int32_t BucketOf(uint32_t hash, int32_t buckets) { return static_cast<int32_t>(hash & 0x7fffffff) % buckets; }

Scalar ScalarOf(const duckdb::Value& value, const Type& source) {
  if (source.kind() != TypeKind::kUuid) return ValueOrThrow(FromDuckValue(value, source));
  if (value.IsNull()) return Scalar::Null(source);
  return Scalar(source, UuidBytes(value.GetValueUnsafe<duckdb::hugeint_t>()));
}

/// A decimal truncated away from zero may need a digit more than its type has; Iceberg's Java library then
/// cannot write the manifest again.
void CheckFits(const Scalar& partition, const Scalar& value, const Transform& transform) {
  const Type& type = partition.type();
  if (partition.is_null() || type.kind() != TypeKind::kDecimal) return;
  const Int128 limit = PowerOfTen(type.precision());
  if (partition.unscaled() > -limit && partition.unscaled() < limit) return;
  Throw(Invalid("{} of {} is the partition {}, which does not fit into {}", transform.ToString(),
                value.ToString(), partition.ToString(), type.ToSql()));
}

/// One row at a time, by the transform's own definition.
Kernel AnyTransform(const Transform& transform, const Type& source, const LogicalType& result) {
  return {result, [=](duckdb::DataChunk& arguments, duckdb::Vector& out) {
            for (duckdb::idx_t row = 0; row < arguments.size(); ++row) {
              const Scalar value = ScalarOf(arguments.data[0].GetValue(row), source);
              const Scalar partition = ValueOrThrow(transform.Apply(value));
              CheckFits(partition, value, transform);
              out.SetValue(row, ValueOrThrow(ToDuckValue(partition)));
            }
          }};
}

template <typename T>
Kernel LongBucket(int32_t buckets) {
  return Mapping<int32_t, T>(LogicalType::INTEGER, [buckets](const T& value) {
    int64_t number = 0;
    if constexpr (std::is_same_v<T, duckdb::date_t>) {
      number = value.days;
    } else if constexpr (std::is_same_v<T, duckdb::timestamp_t>) {
      number = value.value;
    } else {
      number = value;
    }
    return BucketOf(static_cast<uint32_t>(Murmur3({reinterpret_cast<const char*>(&number), sizeof(number)})),
                    buckets);
  });
}

/// Kernels for what is written in bulk.
std::optional<Kernel> FastTransform(const Transform& transform, const LogicalType& source) {
  const int32_t n = transform.parameter;
  if (transform.kind == Transform::Kind::kBucket) {
    switch (source.id()) {
      case LogicalTypeId::INTEGER:
        return LongBucket<int32_t>(n);
      case LogicalTypeId::BIGINT:
        return LongBucket<int64_t>(n);
      case LogicalTypeId::DATE:
        return LongBucket<duckdb::date_t>(n);
      case LogicalTypeId::TIMESTAMP:
      case LogicalTypeId::TIMESTAMP_TZ:
        return LongBucket<duckdb::timestamp_t>(n);
      default:
        return std::nullopt;
    }
  }
  if (transform.kind == Transform::Kind::kDay) {
    if (source.id() == LogicalTypeId::TIMESTAMP || source.id() == LogicalTypeId::TIMESTAMP_TZ) {
      return Mapping<duckdb::date_t, duckdb::timestamp_t>(LogicalType::DATE, [](duckdb::timestamp_t value) {
        const int64_t days = value.value / kMicrosPerDay - (value.value % kMicrosPerDay < 0 ? 1 : 0);
        return duckdb::date_t(static_cast<int32_t>(days));
      });
    }
  }
  return std::nullopt;
}

/// weir_partition(value, transform, type).
Kernel Partition(const KernelCall& call) {
  const Transform transform = ValueOrThrow(Transform::Parse(call.Text(1)));
  const Type source = ValueOrThrow(ParseType(call.Text(2)));
  const LogicalType result = ValueOrThrow(ToDuckType(ValueOrThrow(transform.ResultType(source))));
  if (std::optional<Kernel> fast = FastTransform(transform, call.types[0]); fast && fast->result == result)
    return *fast;
  return AnyTransform(transform, source, result);
}

}  // namespace

std::vector<KernelEntry> PartitionKernels() { return {{"weir_partition", Partition}}; }

}  // namespace weir::exec

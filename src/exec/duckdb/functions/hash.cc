#include <xxhash.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::string_t;
using duckdb::Value;
using std::string;
using std::string_view;

// ---- Spark's hash and xxhash64 --------------------------------------------------------------------------

/// Spark's murmur3 mixes the bytes behind the last whole word one by one, unlike the published algorithm.
struct Murmur {
  using State = int32_t;
  static constexpr State kSeed = 42;

  static uint32_t MixKey(uint32_t k) { return std::rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u; }
  static uint32_t Mix(uint32_t h, uint32_t k) { return std::rotl(h ^ MixKey(k), 13) * 5 + 0xe6546b64u; }
  static State Finish(uint32_t h, uint32_t length) {
    h ^= length;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return static_cast<State>(h ^ (h >> 16));
  }
  static State Int(int32_t value, State seed) {
    return Finish(Mix(static_cast<uint32_t>(seed), static_cast<uint32_t>(value)), 4);
  }
  static State Long(int64_t value, State seed) {
    const auto bits = static_cast<uint64_t>(value);
    const uint32_t h = Mix(static_cast<uint32_t>(seed), static_cast<uint32_t>(bits));
    return Finish(Mix(h, static_cast<uint32_t>(bits >> 32)), 8);
  }
  static State Bytes(string_view bytes, State seed) {
    auto h = static_cast<uint32_t>(seed);
    size_t at = 0;
    for (; at + 4 <= bytes.size(); at += 4) {
      uint32_t word;
      std::memcpy(&word, bytes.data() + at, 4);
      h = Mix(h, word);
    }
    for (; at < bytes.size(); ++at)
      h = Mix(h, static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(bytes[at]))));
    return Finish(h, static_cast<uint32_t>(bytes.size()));
  }
};

struct XxHash {
  using State = int64_t;
  static constexpr State kSeed = 42;

  static State Hash(const void* data, size_t size, State seed) {
    return static_cast<State>(XXH64(data, size, static_cast<uint64_t>(seed)));
  }
  static State Int(int32_t value, State seed) { return Hash(&value, 4, seed); }
  static State Long(int64_t value, State seed) { return Hash(&value, 8, seed); }
  static State Bytes(string_view bytes, State seed) { return Hash(bytes.data(), bytes.size(), seed); }
};

/// The fewest big-endian bytes that hold the number in two's complement, as Java's BigInteger gives them.
string BigEndian(Int128 value) {
  string bytes;
  for (int shift = 120; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  size_t start = 0;
  while (start + 1 < bytes.size()) {
    const bool negative = (static_cast<uint8_t>(bytes[start + 1]) & 0x80) != 0;
    if (bytes[start] != (negative ? '\xff' : '\0')) break;
    ++start;
  }
  return bytes.substr(start);
}

/// Hashes of one column, row by row, each starting from the hash of the columns before it. A NULL leaves it
/// as it is.
template <typename H>
class ColumnHash {
 public:
  using State = typename H::State;

  ColumnHash(duckdb::Vector& vector, duckdb::idx_t count) : type_(vector.GetType()) {
    vector.ToUnifiedFormat(count, format_);
    if (type_.id() == LogicalTypeId::LIST) {
      children_.emplace_back(duckdb::ListVector::GetEntry(vector), duckdb::ListVector::GetListSize(vector));
    } else if (type_.id() == LogicalTypeId::STRUCT) {
      // Members are read by the row's own place, which a flat vector keeps.
      vector.Flatten(count);
      vector.ToUnifiedFormat(count, format_);
      for (auto& entry : duckdb::StructVector::GetEntries(vector)) children_.emplace_back(*entry, count);
    } else if (type_.id() == LogicalTypeId::DECIMAL) {
      decimals_.emplace(vector, count);
    }
  }

  State operator()(duckdb::idx_t row, State seed) const {
    const duckdb::idx_t at = format_.sel->get_index(row);
    if (!format_.validity.RowIsValid(at)) return seed;
    switch (type_.id()) {
      case LogicalTypeId::BOOLEAN:
        return H::Int(Get<bool>(at) ? 1 : 0, seed);
      case LogicalTypeId::TINYINT:
        return H::Int(Get<int8_t>(at), seed);
      case LogicalTypeId::SMALLINT:
        return H::Int(Get<int16_t>(at), seed);
      case LogicalTypeId::INTEGER:
      case LogicalTypeId::DATE:
        return H::Int(Get<int32_t>(at), seed);
      case LogicalTypeId::BIGINT:
      case LogicalTypeId::TIMESTAMP:
      case LogicalTypeId::TIMESTAMP_TZ:
      case LogicalTypeId::TIME:
        return H::Long(Get<int64_t>(at), seed);
      case LogicalTypeId::FLOAT:
        return H::Int(FloatBits(Get<float>(at)), seed);
      case LogicalTypeId::DOUBLE:
        return H::Long(DoubleBits(Get<double>(at)), seed);
      case LogicalTypeId::DECIMAL:
        return OfDecimal((*decimals_)[row].unscaled, seed);
      case LogicalTypeId::VARCHAR:
      case LogicalTypeId::BLOB:
        return H::Bytes(View(reinterpret_cast<const string_t*>(format_.data)[at]), seed);
      case LogicalTypeId::LIST: {
        const auto& entry = reinterpret_cast<const duckdb::list_entry_t*>(format_.data)[at];
        for (duckdb::idx_t i = 0; i < entry.length; ++i) seed = children_[0](entry.offset + i, seed);
        return seed;
      }
      case LogicalTypeId::STRUCT:
        for (const ColumnHash& child : children_) seed = child(row, seed);
        return seed;
      default:
        Throw(Unsupported("hash of {} is not implemented", type_.ToString()));
    }
  }

 private:
  template <typename T>
  T Get(duckdb::idx_t at) const {
    return reinterpret_cast<const T*>(format_.data)[at];
  }
  // As Java's floatToIntBits and doubleToLongBits: one NaN; Spark takes -0.0 for 0.0.
  static int32_t FloatBits(float x) {
    if (x == 0) return 0;
    return std::isnan(x) ? 0x7fc00000 : std::bit_cast<int32_t>(x);
  }
  static int64_t DoubleBits(double x) {
    if (x == 0) return 0;
    return std::isnan(x) ? 0x7ff8000000000000 : std::bit_cast<int64_t>(x);
  }
  State OfDecimal(Int128 unscaled, State seed) const {
    if (duckdb::DecimalType::GetWidth(type_) <= 18) return H::Long(static_cast<int64_t>(unscaled), seed);
    return H::Bytes(BigEndian(unscaled), seed);
  }

  LogicalType type_;
  duckdb::UnifiedVectorFormat format_;
  std::vector<ColumnHash> children_;
  std::optional<DecimalRows> decimals_;
};

/// weir_hash(values..., marker), weir_xxhash64(values..., marker).
template <typename H>
Kernel HashAll(const KernelCall& call) {
  return {call.types.back(), [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
            const duckdb::idx_t count = arguments.size();
            std::vector<ColumnHash<H>> columns;
            for (duckdb::idx_t i = 0; i + 1 < arguments.ColumnCount(); ++i)
              columns.emplace_back(arguments.data[i], count);
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            auto* out = duckdb::FlatVector::GetData<typename H::State>(result);
            for (duckdb::idx_t row = 0; row < count; ++row) {
              out[row] = H::kSeed;
              for (const auto& column : columns) out[row] = column(row, out[row]);
            }
          }};
}

// ---- lowering -------------------------------------------------------------------------------------------

constexpr char kHash[] = "weir_hash", kXxHash[] = "weir_xxhash64";

Result<ParsedPtr> TypeOf(const CallSite& site, ParsedList) {
  return Constant(Value(site.ArgumentType(0).ToString()));
}
Result<ParsedPtr> Uuid(const CallSite& site, ParsedList) { return CallNative(site, "uuid", {}); }

}  // namespace

std::vector<KernelEntry> HashKernels() {
  return {{kHash, HashAll<Murmur>, false}, {kXxHash, HashAll<XxHash>, false}};
}

std::vector<FunctionLowering> HashLowerings() {
  return {
      {"hash", ToKernel<kHash>},
      {"xxhash64", ToKernel<kXxHash>},
      {"typeof", TypeOf},
      {"uuid", Uuid},
  };
}

}  // namespace weir::exec

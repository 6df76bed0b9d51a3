#include "codec/parquet/unordered_statistics.h"

#include <optional>
#include <vector>

#include "codec/parquet/format.h"
#include "codec/parquet/logical.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {

namespace {

using Field = ThriftReader::Field;

// Field ids of Statistics.
constexpr int32_t kDeprecatedMax = 1;
constexpr int32_t kDeprecatedMin = 2;
constexpr int32_t kMaxValue = 5;
constexpr int32_t kMinValue = 6;

/// Which of the fields above a struct has.
class Bounds {
 public:
  void See(int32_t id) {
    if (id == kDeprecatedMax || id == kDeprecatedMin || id == kMaxValue || id == kMinValue) seen_ |= 1U << id;
  }
  bool any() const { return seen_ != 0; }
  /// Some reader would take a deprecated bound for want of another.
  bool deprecated() const {
    return (Has(kDeprecatedMax) && !Has(kMaxValue)) || (Has(kDeprecatedMin) && !Has(kMinValue));
  }

 private:
  bool Has(int32_t id) const { return (seen_ & (1U << id)) != 0; }
  uint32_t seen_ = 0;
};

/// Where a column's statistics lie, and what they hold.
struct Place {
  size_t leaf = 0;
  uint64_t position = 0;
  Bounds bounds;
};

struct LeafOrder {
  PhysicalType physical = PhysicalType::kBoolean;
  bool is_unsigned = false;
  bool known = false;  ///< The file states the order.

  bool Trusts(const Bounds& bounds) const {
    if (physical == PhysicalType::kInt96) return false;
    const bool bytes = physical == PhysicalType::kByteArray || physical == PhysicalType::kFixedLenByteArray;
    return (!bytes && !is_unsigned) || (known && !bounds.deprecated());
  }
};

Bounds ReadBounds(ThriftReader& in) {
  Bounds bounds;
  in.ReadStruct([&](Field field) {
    bounds.See(field.id);
    in.Skip(field);
  });
  return bounds;
}

class FooterWalk {
 public:
  FooterWalk(Bytes footer, uint64_t file_offset) : in_(footer, file_offset) {}

  Status Run() {
    size_t ordered = 0;
    in_.ReadStruct([&](Field field) {
      switch (field.id) {
        case 2:
          return in_.ReadList(field, [&](Field element) { ReadSchemaElement(element); });
        case 4:
          return in_.ReadList(field, [&](Field element) { ReadRowGroup(element); });
        case 7:
          return in_.ReadList(field, [&](Field element) { ReadOrder(element, ordered++); });
        default:
          return in_.Skip(field);
      }
    });
    return in_.status();
  }

  std::vector<Place> Unordered() const {
    std::vector<Place> unordered;
    for (const Place& place : places_) {
      if (!place.bounds.any()) continue;
      if (place.leaf >= leaves_.size() || !leaves_[place.leaf].Trusts(place.bounds)) {
        unordered.push_back(place);
      }
    }
    return unordered;
  }

 private:
  void ReadSchemaElement(Field element) {
    std::optional<int32_t> physical;
    ConvertedType converted;
    std::optional<LogicalType> logical;
    in_.ReadStruct(element, [&](Field field) {
      switch (field.id) {
        case 1:
          physical = in_.I32(field);
          break;
        case 6:
          converted.type = in_.I32(field);
          break;
        case 10:
          logical = ReadLogicalType(in_, field);
          break;
        default:
          in_.Skip(field);
      }
    });
    if (!physical) return;
    const LogicalType type = logical ? *logical : FromConverted(converted);
    LeafOrder leaf;
    leaf.physical = static_cast<PhysicalType>(*physical & 7);
    leaf.is_unsigned = type.kind == LogicalType::Kind::kInteger && !type.is_signed;
    leaves_.push_back(leaf);
  }

  void ReadRowGroup(Field element) {
    in_.ReadStruct(element, [&](Field field) {
      if (field.id != 1) return in_.Skip(field);
      in_.ReadList(field, [&](Field chunk) { ReadChunk(chunk); });
    });
  }

  void ReadChunk(Field chunk) {
    const auto leaf = static_cast<size_t>(chunk.id);
    in_.ReadStruct(chunk, [&](Field field) {
      if (field.id != 3) return in_.Skip(field);
      in_.ReadStruct(field, [&](Field inner) {
        if (inner.id != 12 || inner.type != WireType::kStruct) return in_.Skip(inner);
        const uint64_t position = in_.position();
        places_.push_back({leaf, position, ReadBounds(in_)});
      });
    });
  }

  void ReadOrder(Field element, size_t leaf) {
    in_.ReadStruct(element, [&](Field field) {
      if (field.id == 1 && leaf < leaves_.size()) leaves_[leaf].known = true;
      in_.Skip(field);
    });
  }

  ThriftReader in_;
  std::vector<LeafOrder> leaves_;
  std::vector<Place> places_;
};

}  // namespace

Status HideUnorderedStatistics(MutableBytes footer, uint64_t file_offset) {
  FooterWalk walk(footer, file_offset);
  WEIR_DO_CONTEXT("Parquet footer", walk.Run());
  for (const Place& place : walk.Unordered()) {
    // Field ids are differences: a larger first one moves all behind it to ids that no reader knows.
    footer[place.position] |= 0xf0;
    ThriftReader again(Bytes(footer).subspan(place.position), file_offset + place.position);
    if (ReadBounds(again).any()) {
      return Unsupported("at file offset {}: column statistics whose field ids are not in order",
                         file_offset + place.position);
    }
  }
  return {};
}

}  // namespace weir::parquet

#pragma once

/// How to decode a file's values into what a reader wants: the file's schema and the wanted one, resolved
/// once. Thread rule: immutable once made. Spec: Apache Avro 1.12, "Schema Resolution"; Iceberg, "Column
/// Projection".

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "codec/avro/schema.h"

namespace weir::avro {

/// One node of a plan: what is encoded, and what comes out.
struct Plan {
  enum class Op : uint8_t {
    kNull,
    kBoolean,
    kInteger,
    kFloat,
    kDouble,
    kText,
    kFixed,
    kEnum,
    kRecord,
    kArray,
    kMap,
    kUnion
  };
  /// One field in file order.
  struct Step {
    static constexpr size_t kSkip = SIZE_MAX;
    const Plan* plan = nullptr;
    size_t slot = kSkip;  ///< Index of the wanted field.
  };

  Op op = Op::kNull;
  Kind out = Kind::kNull;             ///< The kind of the value that comes out.
  bool is_int = false;                ///< kInteger: the encoded value has to fit 32 bits.
  uint32_t size = 0;                  ///< kFixed: bytes. kEnum: symbols.
  size_t slots = 0;                   ///< kRecord: fields that come out; those without a step are null.
  std::vector<Step> steps;            ///< kRecord.
  const Plan* item = nullptr;         ///< kArray: element. kMap: a record of key and value.
  std::vector<const Plan*> branches;  ///< kUnion: null where the reader allows no such value.
  uint64_t min_bytes = 0;      ///< Least size of an encoded value; 0 only if every value takes 0 bytes.
  bool constant_size = false;  ///< Every value takes min_bytes.
  std::string path;            ///< Where in the record, for messages.
};

/// Plans and their owner; `root` is one of `nodes`.
struct PlanSet {
  std::vector<std::unique_ptr<Plan>> nodes;
  const Plan* root = nullptr;
};

/// Errors: as Reader::ForEach.
Result<PlanSet> Resolve(const Schema& wanted, const Schema& file);

}  // namespace weir::avro

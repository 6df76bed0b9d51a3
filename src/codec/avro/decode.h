#pragma once

/// Decodes single values as a plan says. Thread rule: one thread.

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/avro/cursor.h"
#include "codec/avro/plan.h"
#include "codec/avro/value.h"

namespace weir::avro {

class Decoder {
 public:
  explicit Decoder(uint64_t values_per_record) : values_per_record_(values_per_record) {}

  /// Decodes one value. It is valid until the next call, and views the cursor's bytes.
  /// Errors: kCorrupt with the plan's path and the offset in the cursor's bytes.
  Result<Value> Decode(const Plan& plan, Cursor& cursor);

 private:
  // These return false after they have set error_: a Result per value would cost more than the value.
  bool Read(const Plan& plan, Value& out);
  bool ReadRecord(const Plan& plan, Value& out);
  bool ReadFields(const Plan& plan, std::span<Value> slots);
  bool ReadItems(const Plan& plan, Value& out);
  bool Skip(const Plan& plan);
  bool SkipItems(const Plan& plan);
  /// The item count of the next block, 0 at the end. `size_bytes` is set where the file tells it.
  bool ReadCount(const Plan& plan, uint64_t& count, std::optional<uint64_t>& size_bytes);
  bool Spend(const Plan& plan, uint64_t items, uint64_t width);
  bool Fail(const Plan& plan, std::string_view what);

  const uint64_t values_per_record_;
  uint64_t values_left_ = 0;
  Cursor* cursor_ = nullptr;
  ValueArena arena_;
  std::vector<Value> stack_;  ///< Items of the arrays and maps that are being read.
  std::optional<Error> error_;
};

}  // namespace weir::avro

#pragma once

/// Spark's datetime patterns ("yyyy-MM-dd HH:mm:ss"), for writing and for reading. Thread rule: immutable.
/// Spec: Spark SQL, "Datetime Patterns for Formatting and Parsing"; java.time.format.DateTimeFormatter.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "type/time_zone.h"

namespace weir::exec {

class DatePattern {
 public:
  enum class Use : uint8_t { kFormat, kParse };
  /// Some letters may only be written: E, F, Q, q. Errors: kInvalid with INVALID_DATETIME_PATTERN.* or
  /// INCONSISTENT_BEHAVIOR_CROSS_VERSION.* for a pattern that Spark refuses.
  static Result<DatePattern> Compile(std::string_view pattern, Use use);

  /// Errors: kUnsupported for names of regions' zones (z) that only Java knows.
  Result<std::string> Format(int64_t instant_micros, const TimeZone& zone, std::string_view zone_name) const;

  /// The instant that the text means; what it leaves out is that of 1970-01-01 00:00 in `zone`. Nullopt if
  /// the text does not match or is no time.
  std::optional<int64_t> Parse(std::string_view text, const TimeZone& zone) const;

 private:
  struct Piece {
    char letter = 0;  ///< 0: literal text; '[' and ']' around what may be missing when reading.
    int count = 0;
    std::string literal;
    int reserved = 0;  ///< Digits of the numbers of fixed width that follow without anything between.
  };
  class Compiler;
  class Writer;
  class Reader;

  std::vector<Piece> pieces_;
  bool has_era_ = false;
};

}  // namespace weir::exec

#pragma once

/// What the tables of the MERGE demonstration must hold, computed without any of the engine. Thread rule:
/// pure functions.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace weir::cli {

/// Rows of one (channel, product_type, status), summed.
struct DemoFigures {
  int64_t rows = 0;
  int64_t order_ids = 0;
  int64_t customer_ids = 0;
  int64_t cents = 0;
  int64_t first_ts_us = INT64_MAX;  ///< Smallest order_ts, microseconds UTC.
  int64_t last_ts_us = INT64_MIN;
  bool operator==(const DemoFigures&) const = default;
};
using DemoGroup = std::tuple<std::string, std::string, std::string>;
using DemoResult = std::map<DemoGroup, DemoFigures>;

inline constexpr int64_t kDemoUpdates = 1000;
inline constexpr int64_t kDemoInserts = 1000;

/// The target after the MERGE, for `rows` rows before it. Cost: one loop over the rows.
DemoResult ExpectedAfterMerge(int64_t rows);

}  // namespace weir::cli

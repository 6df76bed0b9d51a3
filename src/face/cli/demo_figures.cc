#include "face/cli/demo_figures.h"

#include <algorithm>

namespace weir::cli {
namespace {

constexpr int64_t kHourMicros = 3'600'000'000;
/// 2025-01-01 00:00 UTC, in microseconds.
constexpr int64_t kNewYear2025 = 1'735'689'600'000'000;

int64_t TimeOn(int day, int hour) {
  return kNewYear2025 + (static_cast<int64_t>(day - 1) * 24 + hour) * kHourMicros;
}

void Add(DemoFigures& figures, int64_t id, int64_t cents, int64_t ts_us) {
  ++figures.rows;
  figures.order_ids += id;
  figures.customer_ids += id % 5000 + 100000;
  figures.cents += cents;
  figures.first_ts_us = std::min(figures.first_ts_us, ts_us);
  figures.last_ts_us = std::max(figures.last_ts_us, ts_us);
}

}  // namespace

DemoResult ExpectedAfterMerge(int64_t rows) {
  constexpr const char* kChannels[] = {"WEB", "APP", "STORE"};
  constexpr const char* kProducts[] = {"BOOK", "FOOD", "TOY", "OTHER"};
  DemoFigures untouched[3][4];
  for (int64_t id = 1; id <= rows - kDemoUpdates; ++id) {
    const int64_t ts = id <= 10'000 ? TimeOn(1, 10) : id <= 20'000 ? TimeOn(2, 10) : TimeOn(3, 10);
    Add(untouched[id % 3][id % 4], id, id * 115, ts);
  }
  DemoResult result;
  for (int channel = 0; channel < 3; ++channel) {
    for (int product = 0; product < 4; ++product) {
      if (untouched[channel][product].rows == 0) continue;
      result[{kChannels[channel], kProducts[product], "ACTIVE"}] = untouched[channel][product];
    }
  }
  for (int64_t id = rows - kDemoUpdates + 1; id <= rows + kDemoInserts; ++id) {
    const char* channel = id % 2 == 0 ? "WEB" : "STORE";
    if (id <= rows) {
      Add(result[{channel, "UPDATED_ITEM", "UPDATED"}], id, id * 200, TimeOn(3, 12));
    } else {
      Add(result[{channel, "NEW_ITEM", "NEW"}], id, id * 300, TimeOn(4, 9));
    }
  }
  return result;
}

}  // namespace weir::cli

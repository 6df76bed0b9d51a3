#include "face/cli/movement.h"

#include <fmt/format.h>

#include "ledger/amounts.h"

namespace weir::cli {
namespace {

void AddRow(std::string_view label, uint64_t count, std::string& text) {
  if (count > 0) text += fmt::format("  {:<24}{:>15}\n", label, CountText(count));
}

std::string TotalsText(const MovementTotals& totals) {
  std::string text;
  AddRow("rows into join", totals.rows.into_join, text);
  AddRow("rows decoded", totals.rows.decoded, text);
  AddRow("rows written", totals.rows.written, text);
  AddRow("rows deleted", totals.rows.deleted, text);
  AddRow("rows returned", totals.rows.returned, text);
  for (int i = 0; i < kPurposeCount; ++i) {
    const Traffic& traffic = totals.by_purpose[i];
    if (traffic == Traffic{}) continue;
    text += fmt::format("  {:<24}{:>15}{:>12} read{:>12} written\n", ToString(static_cast<Purpose>(i)),
                        fmt::format("{} requests", CountText(traffic.requests)),
                        BytesText(traffic.bytes_read), BytesText(traffic.bytes_written));
  }
  for (int i = 0; i < kAvoidReasonCount; ++i) {
    const Avoided& avoided = totals.by_reason[i];
    if (avoided == Avoided{}) continue;
    text += fmt::format("  avoided by {:<13}{:>15}{:>12}\n", ToString(static_cast<AvoidReason>(i)),
                        avoided.files > 0 ? fmt::format("{} files", CountText(avoided.files)) : std::string(),
                        BytesText(avoided.bytes));
  }
  return text;
}

}  // namespace

std::string MovementText(const Ledger& ledger) {
  std::string text;
  for (const Ledger::Entry& entry : ledger.Entries()) {
    const std::string totals = TotalsText(entry.totals);
    if (!totals.empty()) text += entry.operator_name + "\n" + totals;
  }
  return text + "in all\n" + TotalsText(ledger.Total());
}

std::string MovementJson(const Ledger& ledger, double seconds, double cpu_seconds) {
  return fmt::format("{{\"seconds\":{:.6f},\"cpu_seconds\":{:.6f},{}", seconds, cpu_seconds,
                     std::string_view(ledger.ToJson()).substr(1));
}

}  // namespace weir::cli

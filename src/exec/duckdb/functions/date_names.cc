#include "exec/duckdb/functions/date_names.h"

#include <cstddef>

#include "base/ascii.h"

namespace weir::exec {

namespace {

constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                      "Friday", "Saturday", "Sunday"};
constexpr std::string_view kQuarters[] = {"1st quarter", "2nd quarter", "3rd quarter", "4th quarter"};
constexpr std::string_view kShortQuarters[] = {"Q1", "Q2", "Q3", "Q4"};

std::string_view Cut(std::string_view name, bool full) { return full ? name : name.substr(0, 3); }

}  // namespace

std::string_view MonthName(int month, bool full) { return Cut(kMonths[month - 1], full); }
std::string_view DayName(int day, bool full) { return Cut(kDays[day], full); }
std::string_view QuarterName(int quarter, bool full) {
  return full ? kQuarters[quarter - 1] : kShortQuarters[quarter - 1];
}
std::string_view EraName(bool common, bool full) {
  if (full) return common ? "Anno Domini" : "Before Christ";
  return common ? "AD" : "BC";
}

bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  return EqualsIgnoringAsciiCase(text.substr(0, prefix.size()), prefix);
}

}  // namespace weir::exec

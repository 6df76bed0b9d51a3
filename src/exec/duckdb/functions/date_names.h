#pragma once

/// English names of parts of dates. Thread rule: pure functions.

#include <string_view>

namespace weir::exec {

/// From 1; "May" or, cut, its first three letters.
std::string_view MonthName(int month, bool full);
/// Monday is 0.
std::string_view DayName(int day, bool full);
/// "Q2" or "2nd quarter".
std::string_view QuarterName(int quarter, bool full);
/// "AD" or "Anno Domini".
std::string_view EraName(bool common, bool full);

/// Letters of ASCII without case.
bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix);

}  // namespace weir::exec

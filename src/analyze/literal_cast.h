#pragma once

/// Casts of literals to points in time, computed before the query runs, so that partitions and bounds can be
/// compared with plain values. Thread rule: pure functions.

#include <optional>

#include "analyze/analyzer.h"

namespace weir::analyze {

/// Text, dates and timestamps as date, timestamp or timestamp_ntz in the session's zone. Nullopt for other
/// casts, and for text that is no such value: whether that is an error is decided when the cast runs.
std::optional<Scalar> CastLiteral(const Scalar& value, const Type& type, const Settings& settings);

}  // namespace weir::analyze

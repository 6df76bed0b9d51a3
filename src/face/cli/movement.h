#pragma once

/// The movement ledger as text. Thread rule: pure functions.

#include <string>

#include "ledger/ledger.h"

namespace weir::cli {

/// Rows, traffic by purpose and avoided bytes by reason, per operator and in all; several lines.
std::string MovementText(const Ledger& ledger);
/// One line: the ledger's JSON with "seconds" and "cpu_seconds" of the statement.
std::string MovementJson(const Ledger& ledger, double seconds, double cpu_seconds);
/// "1.3 MB", "980 B".
std::string BytesText(uint64_t bytes);
/// 10,000,000.
std::string CountText(uint64_t count);

}  // namespace weir::cli

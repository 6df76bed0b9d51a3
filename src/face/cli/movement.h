#pragma once

/// The movement ledger as text. Thread rule: pure functions.

#include <string>

#include "ledger/ledger.h"

namespace weir::cli {

/// Rows, traffic by purpose and avoided bytes by reason, per operator and in all; several lines.
std::string MovementText(const Ledger& ledger);
/// One line: the ledger's JSON with "seconds" and "cpu_seconds" of the statement.
std::string MovementJson(const Ledger& ledger, double seconds, double cpu_seconds);

}  // namespace weir::cli

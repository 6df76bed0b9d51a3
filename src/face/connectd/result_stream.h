#pragma once

/// The rows of a result as responses: schema, Arrow batches, metrics. Thread rule: one thread.

#include <memory>
#include <string>
#include <vector>

#include "face/connectd/operation.h"
#include "session/session.h"

namespace weir::connectd {

/// Columns as fields without ids.
std::vector<Field> FieldsOf(const std::vector<plan::Column>& columns);

/// Sends the schema, then every batch as it is made, at least one. Small batches are joined.
/// Errors: those of the run; kCancelled when the client has gone.
Status SendRows(session::Run& run, const std::string& time_zone, Operation& operation);
/// As above for rows that are there.
Status SendRows(const std::vector<plan::Column>& columns, const std::vector<Batch>& batches,
                const std::string& time_zone, Operation& operation);
/// What moved, as metrics of the operators.
Status SendMovement(const Ledger& ledger, Operation& operation);

}  // namespace weir::connectd

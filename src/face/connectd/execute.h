#pragma once

/// Runs the plan of an ExecutePlan request into its operation's responses. Thread rule: one thread per
/// operation.

#include "face/connectd/client_session.h"

namespace weir::connectd {

/// Carries out the plan. Errors: those of decoding, analysis and execution; kCancelled.
Status Execute(const proto::Plan& plan, ClientSession& session, Operation& operation);

}  // namespace weir::connectd

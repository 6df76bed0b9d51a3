#pragma once

/// AnalyzePlan requests: what can be known of a plan without running it. Thread rule: any thread.

#include "face/connectd/client_session.h"

namespace weir::connectd {

/// The version of Spark whose behaviour is meant: clients ask for it and adapt to it.
inline constexpr const char* kSparkVersion = "4.1.4";

/// Fills in the part of the response that the request asks for. Errors: those of decoding and analysis;
/// kUnsupported by request.
Status Analyze(const proto::AnalyzePlanRequest& request, ClientSession& session,
               proto::AnalyzePlanResponse& response);

}  // namespace weir::connectd

#pragma once

/// Config requests. Thread rule: any thread.

#include "face/connectd/client_session.h"

namespace weir::connectd {

/// Fills in the pairs and warnings that the request asks for. A silent Set never fails: what cannot be set is
/// said in a warning. `client_type` is how the client names itself: clients of Spark 4.2 take sizes without a
/// unit. Errors: kInvalid (SQL_CONF_NOT_FOUND, CANNOT_MODIFY_*, INVALID_CONF_VALUE.*).
Status Configure(const proto::ConfigRequest::Operation& operation, const std::string& client_type,
                 ClientSession& session, proto::ConfigResponse& response);

}  // namespace weir::connectd

#pragma once

/// Config requests. Thread rule: any thread.

#include "face/connectd/client_session.h"

namespace weir::connectd {

/// Fills in the pairs and warnings that the request asks for. A silent Set never fails: what cannot be set is
/// said in a warning. Errors: kInvalid (SQL_CONF_NOT_FOUND, CANNOT_MODIFY_*, INVALID_CONF_VALUE.*).
Status Configure(const proto::ConfigRequest::Operation& operation, ClientSession& session,
                 proto::ConfigResponse& response);

}  // namespace weir::connectd

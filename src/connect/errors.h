#pragma once

/// Errors as Spark Connect carries them: the class that the client raises, Spark's condition, where in the
/// text. Thread rule: pure functions. Spec: google.rpc.ErrorInfo with domain org.apache.spark; base.proto,
/// FetchErrorDetails.

#include <string>
#include <vector>

#include <google/rpc/status.pb.h>
#include <spark/connect/base.pb.h>
#include "base/result.h"

namespace weir::connect {

/// The JVM class that Spark throws for the error, then its bases that a client knows.
std::vector<std::string> ClassesOf(const Error& error);

/// The status with its details. `error_id` is what the client asks FetchErrorDetails for; empty: it cannot.
/// A long message is cut: it travels in a header.
google::rpc::Status ToRpcStatus(const Error& error, const std::string& error_id);

/// The whole of the error.
spark::connect::FetchErrorDetailsResponse DetailsOf(const Error& error);

}  // namespace weir::connect

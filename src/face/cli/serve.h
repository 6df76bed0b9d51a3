#pragma once

/// `weir server`: the Spark Connect server until a signal ends it.

#include <string>

#include "face/cli/exit_code.h"
#include "session/conf.h"

namespace weir::cli {

struct ServeOptions {
  std::string host = "localhost";
  int port = 15002;
  std::string
      token_file;  ///< Empty: the token is in WEIR_TOKEN or SPARK_CONNECT_AUTHENTICATE_TOKEN, if anywhere.
  session::ConfMap conf;  ///< What every session starts with.
};

/// Says where it listens, then waits for SIGINT, SIGTERM or SIGHUP.
ExitCode RunServe(const ServeOptions& options);

}  // namespace weir::cli

#include "face/cli/serve.h"

#include <csignal>
#include <cstdlib>

#include "face/cli/read_file.h"
#include "face/cli/tell.h"
#include "face/connectd/server.h"

namespace weir::cli {
namespace {

/// Never from the command line, which anybody on the machine can read.
Result<std::string> TokenOf(const ServeOptions& options) {
  if (!options.token_file.empty()) {
    WEIR_TRY(std::string token, ReadFile(options.token_file));
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
    if (token.empty()) return Invalid("--token-file {} is empty", options.token_file);
    return token;
  }
  for (const char* name : {"WEIR_TOKEN", "SPARK_CONNECT_AUTHENTICATE_TOKEN"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return std::string(value);
  }
  return std::string();
}

ExitCode Failed(const Error& error) {
  Tell("weir: {}\n", error.ToString());
  return error.code() == ErrorCode::kInvalid ? kBadUsage : kStatementFailed;
}

}  // namespace

ExitCode RunServe(const ServeOptions& options) {
  // Every thread that comes inherits the mask, so that the signals wait for the one below.
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  Result<std::string> token = TokenOf(options);
  if (!token) return Failed(token.error());
  connectd::ServerOptions server_options{options.host, options.port, *token, {}};
  server_options.shared.conf = options.conf;
  auto server = connectd::Server::Start(server_options);
  if (!server) return Failed(server.error());
  const std::string suffix = token->empty() ? "" : "/;token=<the token>";
  if (const Status said = Say(fmt::format("Spark Connect at {}{}\n", (*server)->address(), suffix)); !said) {
    return Failed(said.error());
  }
  int signal = 0;
  sigwait(&ending, &signal);
  Tell("weir: ending on signal {}\n", signal);
  return kSuccess;
}

}  // namespace weir::cli

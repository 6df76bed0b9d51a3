#pragma once

/// The Spark Connect server of the program.

#include <cstdint>
#include <memory>
#include <string>

#include "face/connectd/sessions.h"

namespace weir::connectd {

struct ServerOptions {
  std::string host = "localhost";
  int port = 15002;   ///< 0: any that is free.
  std::string token;  ///< What clients must show; empty: nothing.
  session::HostOptions shared;
};

/// A server that runs until it is destroyed. Thread rule: any thread.
class Server {
 public:
  /// Errors: kInvalid for another address than the machine's own without a token; kUnavailable if the port is
  /// taken; those of session::Host::Open.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options);
  ~Server();

  int port() const;
  /// What a client on this machine connects to, without the token: "sc://localhost:15002".
  std::string address() const;

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::connectd

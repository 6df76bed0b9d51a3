#include "face/connectd/server.h"

#include <google/protobuf/stubs/logging.h>
#include <grpcpp/grpcpp.h>

#include <chrono>

#include "face/connectd/service.h"

namespace weir::connectd {
namespace {

/// As Spark: results and uploads come in pieces, but a plan may hold rows.
constexpr int kMostMessageBytes = 128 << 20;

bool IsLoopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || host.starts_with("127.");
}

}  // namespace

struct Server::State {
  State(std::shared_ptr<const session::Host> host, std::string token)
      : sessions(std::move(host)), service(sessions, std::move(token)) {}
  ~State() {
    if (server == nullptr) return;
    // Streams end as cancelled; no new request comes in.
    server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(2));
    server->Wait();
  }

  Sessions sessions;
  Service service;
  int port = 0;
  std::unique_ptr<grpc::Server> server;
};

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  if (!IsLoopback(options.host) && options.token.empty()) {
    return Invalid("--host {} can be reached from elsewhere: give a token with --token-file or WEIR_TOKEN",
                   options.host);
  }
  WEIR_TRY(std::shared_ptr<const session::Host> host, session::Host::Open(options.shared));
  // What is wrong with a message is the client's to know, not the terminal's.
  google::protobuf::SetLogHandler(nullptr);
  auto state = std::make_unique<State>(std::move(host), options.token);
  grpc::ServerBuilder builder;
  const std::string address = fmt::format("{}:{}", options.host, options.port);
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &state->port);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.SetMaxReceiveMessageSize(kMostMessageBytes);
  builder.SetMaxSendMessageSize(kMostMessageBytes);
  builder.RegisterService(&state->service);
  state->server = builder.BuildAndStart();
  if (state->server == nullptr || state->port == 0) {
    return Unavailable("cannot listen at {}: is the port taken, the address this machine's?", address);
  }
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

int Server::port() const { return state_->port; }
std::string Server::address() const { return fmt::format("sc://localhost:{}", state_->port); }

}  // namespace weir::connectd

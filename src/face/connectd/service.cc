#include "face/connectd/service.h"

#include "connect/errors.h"
#include "face/connectd/analyze.h"
#include "face/connectd/artifacts.h"
#include "face/connectd/config.h"
#include "face/connectd/execute.h"

namespace weir::connectd {
namespace {

/// An error as the client gets it; with a session it can ask for the details.
grpc::Status StatusOf(const Error& error, ClientSession* session) {
  const google::rpc::Status status =
      connect::ToRpcStatus(error, session == nullptr ? "" : session->Keep(error));
  return {grpc::StatusCode::INTERNAL, status.message(), status.SerializeAsString()};
}

Error Canceled(const std::string& operation_id) {
  return Error(ErrorCode::kCancelled, fmt::format("operation {} was cancelled", operation_id))
      .WithCondition({"OPERATION_CANCELED", "HY008", {{"operationId", operation_id}}, std::nullopt, ""});
}

/// Takes as long as the texts are, whatever they hold.
bool SameText(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && !b.empty(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i % b.size()]);
  }
  return difference == 0;
}

/// Writes responses until the end of the operation, or until the client has gone.
grpc::Status Stream(Operation& operation, const std::optional<std::string>& last_response_id,
                    grpc::ServerContext& context, grpc::ServerWriter<proto::ExecutePlanResponse>& writer,
                    ClientSession& session) {
  auto reader = operation.Read(last_response_id);
  if (!reader) return StatusOf(reader.error(), &session);
  const std::string id = operation.info().operation_id;
  while (true) {
    Operation::Taken taken = reader->Next([&] { return !context.IsCancelled(); });
    if (taken.response) {
      if (writer.Write(*taken.response)) continue;
      taken.superseded = true;
    }
    operation.Detach(*reader);
    if (taken.superseded) {
      if (!operation.info().reattachable) session.RemoveOperation(id);
      return {grpc::StatusCode::CANCELLED, "the client has gone, or reads on in another stream"};
    }
    if (!operation.info().reattachable) session.RemoveOperation(id);
    if (taken.end) return grpc::Status::OK;
    const bool cancelled = taken.end.error().code() == ErrorCode::kCancelled;
    return StatusOf(cancelled ? Canceled(id) : taken.end.error(), &session);
  }
}

bool IsReattachable(const proto::ExecutePlanRequest& request) {
  for (const auto& option : request.request_options()) {
    if (option.has_reattach_options()) return option.reattach_options().reattachable();
  }
  return false;
}

}  // namespace

Status Service::CheckToken(const grpc::ServerContext& context) const {
  if (token_.empty()) return {};
  const auto& metadata = context.client_metadata();
  for (const char* name : {"authorization", "authentication"}) {
    const auto found = metadata.find(name);
    if (found == metadata.end()) continue;
    if (SameText({found->second.data(), found->second.size()}, "Bearer " + token_)) return {};
  }
  return Denied("this server needs a token: connect with sc://host:port/;token=...");
}

template <typename Request>
Result<std::shared_ptr<ClientSession>> Service::SessionOf(const grpc::ServerContext& context,
                                                          const Request& request) {
  WEIR_DO(CheckToken(context));
  return sessions_.Find(request.user_context().user_id(), request.session_id(),
                        request.client_observed_server_side_session_id());
}

template <typename Request, typename Body>
grpc::Status Service::With(grpc::ServerContext* context, const Request& request, Body body) {
  auto session = SessionOf(*context, request);
  if (!session && session.error().code() == ErrorCode::kDenied) {
    return {grpc::StatusCode::UNAUTHENTICATED, session.error().message()};
  }
  if (!session) return StatusOf(session.error(), nullptr);
  try {
    return body(**session);
  } catch (const std::exception& error) {
    return StatusOf(Internal("{}", error.what()), session->get());
  }
}

grpc::Status Service::ExecutePlan(grpc::ServerContext* context, const proto::ExecutePlanRequest* request,
                                  grpc::ServerWriter<proto::ExecutePlanResponse>* writer) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    const std::vector<std::string> tags(request->tags().begin(), request->tags().end());
    const size_t digest = std::hash<std::string>()(request->plan().SerializeAsString());
    auto operation = session.AddOperation(request->operation_id(), tags, IsReattachable(*request), digest);
    if (!operation) {
      // The network may deliver a request twice: the second reads what the first has begun.
      auto running = session.FindOperation(request->operation_id());
      const bool again = running && !(*running)->ended() && (*running)->info().plan_digest == digest;
      if (!again) return StatusOf(operation.error(), &session);
      return Stream(**running, std::nullopt, *context, *writer, session);
    }
    (*operation)->Start([&session, plan = request->plan()](Operation& running) -> Status {
      try {
        return Execute(plan, session, running);
      } catch (const std::exception& error) {
        return Internal("{}", error.what());
      }
    });
    return Stream(**operation, std::nullopt, *context, *writer, session);
  });
}

grpc::Status Service::ReattachExecute(grpc::ServerContext* context,
                                      const proto::ReattachExecuteRequest* request,
                                      grpc::ServerWriter<proto::ExecutePlanResponse>* writer) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    auto operation = session.FindOperation(request->operation_id());
    if (!operation) return StatusOf(operation.error(), &session);
    if (!(*operation)->info().reattachable) {
      return StatusOf(Invalid("operation {} cannot be reattached to", request->operation_id())
                          .WithCondition({"INVALID_CURSOR.NOT_REATTACHABLE", "HY109", {}, std::nullopt, ""}),
                      &session);
    }
    std::optional<std::string> last;
    if (request->has_last_response_id()) last = request->last_response_id();
    return Stream(**operation, last, *context, *writer, session);
  });
}

grpc::Status Service::ReleaseExecute(grpc::ServerContext* context,
                                     const proto::ReleaseExecuteRequest* request,
                                     proto::ReleaseExecuteResponse* response) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    const auto operation = session.FindOperation(request->operation_id());
    // Gone already, which is what was wanted.
    if (!operation) return grpc::Status::OK;
    response->set_operation_id(request->operation_id());
    if (request->has_release_until()) {
      const Status released = (*operation)->ReleaseUntil(request->release_until().response_id());
      return released ? grpc::Status::OK : StatusOf(released.error(), &session);
    }
    session.RemoveOperation(request->operation_id());
    return grpc::Status::OK;
  });
}

grpc::Status Service::AnalyzePlan(grpc::ServerContext* context, const proto::AnalyzePlanRequest* request,
                                  proto::AnalyzePlanResponse* response) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    const Status analyzed = Analyze(*request, session, *response);
    return analyzed ? grpc::Status::OK : StatusOf(analyzed.error(), &session);
  });
}

grpc::Status Service::Config(grpc::ServerContext* context, const proto::ConfigRequest* request,
                             proto::ConfigResponse* response) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    const Status configured = Configure(request->operation(), request->client_type(), session, *response);
    return configured ? grpc::Status::OK : StatusOf(configured.error(), &session);
  });
}

grpc::Status Service::AddArtifacts(grpc::ServerContext* context,
                                   grpc::ServerReader<proto::AddArtifactsRequest>* reader,
                                   proto::AddArtifactsResponse* response) {
  proto::AddArtifactsRequest request;
  if (!reader->Read(&request)) return {grpc::StatusCode::INVALID_ARGUMENT, "no artifact was sent"};
  return With(context, proto::AddArtifactsRequest(request), [&](ClientSession& session) -> grpc::Status {
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    ArtifactReceiver receiver(session);
    do {
      if (const Status taken = receiver.Take(request); !taken) return StatusOf(taken.error(), &session);
    } while (reader->Read(&request));
    const Status ended = receiver.Finish(*response);
    return ended ? grpc::Status::OK : StatusOf(ended.error(), &session);
  });
}

grpc::Status Service::ArtifactStatus(grpc::ServerContext* context,
                                     const proto::ArtifactStatusesRequest* request,
                                     proto::ArtifactStatusesResponse* response) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    for (const std::string& name : request->names()) {
      constexpr std::string_view kCache = "cache/";
      const bool there = name.starts_with(kCache) && session.HasUpload(name.substr(kCache.size()));
      (*response->mutable_statuses())[name].set_exists(there);
    }
    return grpc::Status::OK;
  });
}

grpc::Status Service::Interrupt(grpc::ServerContext* context, const proto::InterruptRequest* request,
                                proto::InterruptResponse* response) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    std::vector<std::string> stopped;
    switch (request->interrupt_type()) {
      case proto::InterruptRequest::INTERRUPT_TYPE_ALL:
        stopped = session.InterruptAll();
        break;
      case proto::InterruptRequest::INTERRUPT_TYPE_TAG:
        stopped = session.InterruptTag(request->operation_tag());
        break;
      case proto::InterruptRequest::INTERRUPT_TYPE_OPERATION_ID:
        stopped = session.InterruptOperation(request->operation_id());
        break;
      default:
        return StatusOf(connect::InvalidPlan("an interrupt names nothing"), &session);
    }
    for (std::string& id : stopped) response->add_interrupted_ids(std::move(id));
    return grpc::Status::OK;
  });
}

grpc::Status Service::ReleaseSession(grpc::ServerContext* context,
                                     const proto::ReleaseSessionRequest* request,
                                     proto::ReleaseSessionResponse* response) {
  if (const Status allowed = CheckToken(*context); !allowed) {
    return {grpc::StatusCode::UNAUTHENTICATED, allowed.error().message()};
  }
  response->set_session_id(request->session_id());
  sessions_.Close(request->user_context().user_id(), request->session_id(), request->allow_reconnect());
  return grpc::Status::OK;
}

grpc::Status Service::FetchErrorDetails(grpc::ServerContext* context,
                                        const proto::FetchErrorDetailsRequest* request,
                                        proto::FetchErrorDetailsResponse* response) {
  return With(context, *request, [&](ClientSession& session) -> grpc::Status {
    if (const std::optional<Error> error = session.FindError(request->error_id())) {
      *response = connect::DetailsOf(*error);
    }
    response->set_session_id(session.session_id());
    response->set_server_side_session_id(session.server_side_session_id());
    return grpc::Status::OK;
  });
}

}  // namespace weir::connectd

#pragma once

/// The service of Spark Connect over gRPC: requests to sessions and operations, errors to statuses. The one
/// place that meets gRPC and its exceptions. Thread rule: any thread.
/// Spec: spark/connect/base.proto.

#include <memory>
#include <string>

#include <spark/connect/base.grpc.pb.h>
#include "face/connectd/deep_messages.h"
#include "face/connectd/sessions.h"

namespace weir::connectd {

class Service final : public proto::SparkConnectService::Service {
 public:
  /// `token`: what every request must carry as a bearer; empty: none is needed.
  Service(Sessions& sessions, std::string token) : sessions_(sessions), token_(std::move(token)) {}

  grpc::Status ExecutePlan(grpc::ServerContext* context, const proto::ExecutePlanRequest* request,
                           grpc::ServerWriter<proto::ExecutePlanResponse>* writer) override;
  grpc::Status ReattachExecute(grpc::ServerContext* context, const proto::ReattachExecuteRequest* request,
                               grpc::ServerWriter<proto::ExecutePlanResponse>* writer) override;
  grpc::Status ReleaseExecute(grpc::ServerContext* context, const proto::ReleaseExecuteRequest* request,
                              proto::ReleaseExecuteResponse* response) override;
  grpc::Status AnalyzePlan(grpc::ServerContext* context, const proto::AnalyzePlanRequest* request,
                           proto::AnalyzePlanResponse* response) override;
  grpc::Status Config(grpc::ServerContext* context, const proto::ConfigRequest* request,
                      proto::ConfigResponse* response) override;
  grpc::Status AddArtifacts(grpc::ServerContext* context,
                            grpc::ServerReader<proto::AddArtifactsRequest>* reader,
                            proto::AddArtifactsResponse* response) override;
  grpc::Status ArtifactStatus(grpc::ServerContext* context, const proto::ArtifactStatusesRequest* request,
                              proto::ArtifactStatusesResponse* response) override;
  grpc::Status Interrupt(grpc::ServerContext* context, const proto::InterruptRequest* request,
                         proto::InterruptResponse* response) override;
  grpc::Status ReleaseSession(grpc::ServerContext* context, const proto::ReleaseSessionRequest* request,
                              proto::ReleaseSessionResponse* response) override;
  grpc::Status FetchErrorDetails(grpc::ServerContext* context, const proto::FetchErrorDetailsRequest* request,
                                 proto::FetchErrorDetailsResponse* response) override;

 private:
  /// The session of a request, once the token was checked.
  template <typename Request>
  Result<std::shared_ptr<ClientSession>> SessionOf(const grpc::ServerContext& context,
                                                   const Request& request);
  Status CheckToken(const grpc::ServerContext& context) const;
  /// Runs `body` with the request's session; errors become statuses.
  template <typename Request, typename Body>
  grpc::Status With(grpc::ServerContext* context, const Request& request, Body body);

  Sessions& sessions_;
  const std::string token_;
};

}  // namespace weir::connectd

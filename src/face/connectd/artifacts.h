#pragma once

/// AddArtifacts: what a client uploads. Thread rule: one thread.

#include <optional>
#include <string>
#include <vector>

#include "face/connectd/client_session.h"

namespace weir::connectd {

/// Takes the messages of one AddArtifacts stream. Rows of local relations (cache/<hash>) are kept for the
/// session; everything else needs a Python or Java worker and is refused by name.
class ArtifactReceiver {
 public:
  explicit ArtifactReceiver(ClientSession& session) : session_(session) {}

  /// Errors: kInvalid for a name with "..", an absolute one, or chunks out of place; kUnsupported.
  Status Take(const proto::AddArtifactsRequest& request);
  /// Says for each artifact whether its checksums were right; others were not kept. Errors: kInvalid if the
  /// last artifact is not whole.
  Status Finish(proto::AddArtifactsResponse& response);

 private:
  Status Begin(const std::string& name);
  void AddChunk(const proto::AddArtifactsRequest::ArtifactChunk& chunk);
  void End();

  struct Summary {
    std::string name;
    bool right = true;
  };
  ClientSession& session_;
  std::vector<Summary> summaries_;
  std::string bytes_;
  int64_t chunks_left_ = 0;
};

}  // namespace weir::connectd

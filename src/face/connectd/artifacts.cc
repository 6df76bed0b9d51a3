#include "face/connectd/artifacts.h"

#include <zlib.h>

namespace weir::connectd {
namespace {

constexpr std::string_view kCache = "cache/";
constexpr size_t kMostBytes = size_t{3} << 30;

bool LeavesItsFolder(std::string_view name) {
  if (name.starts_with('/') || name.find('\\') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos) {
    return true;
  }
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    if (name.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

Status ArtifactReceiver::Take(const proto::AddArtifactsRequest& request) {
  if (request.has_batch()) {
    if (chunks_left_ > 0) return Invalid("a new artifact begins within another");
    for (const auto& artifact : request.batch().artifacts()) {
      WEIR_DO(Begin(artifact.name()));
      chunks_left_ = 1;
      AddChunk(artifact.data());
    }
    return {};
  }
  if (request.has_begin_chunk()) {
    if (chunks_left_ > 0) return Invalid("a new artifact begins within another");
    WEIR_DO(Begin(request.begin_chunk().name()));
    if (request.begin_chunk().num_chunks() < 1)
      return Invalid("artifact {} has no chunks", request.begin_chunk().name());
    chunks_left_ = request.begin_chunk().num_chunks();
    AddChunk(request.begin_chunk().initial_chunk());
    return {};
  }
  if (!request.has_chunk() || chunks_left_ == 0) return Invalid("a chunk belongs to no artifact");
  if (bytes_.size() + request.chunk().data().size() > kMostBytes) {
    return Invalid("artifact {} is larger than {} bytes", summaries_.back().name, kMostBytes);
  }
  AddChunk(request.chunk());
  return {};
}

Status ArtifactReceiver::Begin(const std::string& name) {
  if (LeavesItsFolder(name))
    return Invalid("artifact '{}': a name is relative and stays in its folder", name);
  if (!name.starts_with(kCache)) {
    return connect::NotImplemented(fmt::format("artifact {} (only rows of local relations are taken)", name));
  }
  summaries_.push_back({name, true});
  bytes_.clear();
  return {};
}

void ArtifactReceiver::AddChunk(const proto::AddArtifactsRequest::ArtifactChunk& chunk) {
  const std::string& data = chunk.data();
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size());
  summaries_.back().right = summaries_.back().right && static_cast<int64_t>(crc) == chunk.crc();
  bytes_ += data;
  if (--chunks_left_ == 0) End();
}

void ArtifactReceiver::End() {
  const Summary& summary = summaries_.back();
  if (summary.right) session_.Upload(summary.name.substr(kCache.size()), std::move(bytes_));
  bytes_.clear();
}

Status ArtifactReceiver::Finish(proto::AddArtifactsResponse& response) {
  if (chunks_left_ > 0) {
    return Invalid("artifact {} lacks {} chunks", summaries_.back().name, chunks_left_);
  }
  for (const Summary& summary : summaries_) {
    auto& artifact = *response.add_artifacts();
    artifact.set_name(summary.name);
    artifact.set_is_crc_successful(summary.right);
  }
  return {};
}

}  // namespace weir::connectd

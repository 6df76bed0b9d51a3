#include "face/connectd/client_session.h"

#include <algorithm>

#include "base/clock.h"

namespace weir::connectd {
namespace {

constexpr size_t kKeptErrors = 100;
constexpr size_t kKeptAbandoned = 1000;

}  // namespace

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0) return false;
  }
  return true;
}

Error InvalidHandle(ErrorCode code, std::string_view kind, const std::string& handle, std::string message) {
  return Error(code, std::move(message))
      .WithCondition(
          {fmt::format("INVALID_HANDLE.{}", kind), "HY000", {{"handle", handle}}, std::nullopt, ""});
}

ClientSession::ClientSession(std::string session_id, std::string user_id,
                             std::unique_ptr<session::Session> session)
    : session_id_(std::move(session_id)),
      user_id_(std::move(user_id)),
      server_side_session_id_(SystemRandom().Uuid()),
      session_(std::move(session)) {
  Touch();
}

ClientSession::~ClientSession() {
  InterruptAll();
  // Producers use the rest of the session until they have ended.
  operations_.clear();
}

Result<std::shared_ptr<Operation>> ClientSession::AddOperation(const std::string& operation_id,
                                                               std::vector<std::string> tags,
                                                               bool reattachable, size_t plan_digest) {
  const std::string id = operation_id.empty() ? SystemRandom().Uuid() : operation_id;
  if (!IsUuid(id)) {
    return InvalidHandle(ErrorCode::kInvalid, "FORMAT", id, fmt::format("operation id '{}' is no UUID", id));
  }
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Operation>& place = operations_[id];
  if (place != nullptr || std::ranges::find(abandoned_, id) != abandoned_.end()) {
    if (place == nullptr) operations_.erase(id);
    return InvalidHandle(
        ErrorCode::kExists, "OPERATION_ALREADY_EXISTS", id,
        fmt::format("operation {} has been started already; read on with ReattachExecute", id));
  }
  place = std::make_shared<Operation>(
      OperationInfo{session_id_, server_side_session_id_, id, std::move(tags), reattachable, plan_digest});
  return place;
}

Result<std::shared_ptr<Operation>> ClientSession::FindOperation(const std::string& operation_id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = operations_.find(operation_id); found != operations_.end()) return found->second;
  if (std::ranges::find(abandoned_, operation_id) != abandoned_.end()) {
    return InvalidHandle(
        ErrorCode::kNotFound, "OPERATION_ABANDONED", operation_id,
        fmt::format("operation {} was given up, since nobody read it for long", operation_id));
  }
  return InvalidHandle(ErrorCode::kNotFound, "OPERATION_NOT_FOUND", operation_id,
                       fmt::format("there is no operation {}", operation_id));
}

bool ClientSession::RemoveOperation(const std::string& operation_id) {
  std::shared_ptr<Operation> removed;
  {
    const std::lock_guard lock(mutex_);
    const auto found = operations_.find(operation_id);
    if (found == operations_.end()) return false;
    removed = std::move(found->second);
    operations_.erase(found);
    // Ids are never used twice.
    abandoned_.push_back(operation_id);
    if (abandoned_.size() > kKeptAbandoned) abandoned_.pop_front();
  }
  removed->Interrupt();
  return true;
}

std::vector<std::string> ClientSession::Interrupt(const std::function<bool(const Operation&)>& wanted) {
  std::vector<std::shared_ptr<Operation>> found;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, operation] : operations_) {
      if (!operation->ended() && wanted(*operation)) found.push_back(operation);
    }
  }
  std::vector<std::string> ids;
  for (const auto& operation : found) {
    operation->Interrupt();
    ids.push_back(operation->info().operation_id);
  }
  return ids;
}

std::vector<std::string> ClientSession::InterruptAll() {
  return Interrupt([](const Operation&) { return true; });
}

std::vector<std::string> ClientSession::InterruptTag(const std::string& tag) {
  return Interrupt(
      [&](const Operation& one) { return std::ranges::find(one.info().tags, tag) != one.info().tags.end(); });
}

std::vector<std::string> ClientSession::InterruptOperation(const std::string& operation_id) {
  return Interrupt([&](const Operation& one) { return one.info().operation_id == operation_id; });
}

bool ClientSession::Abandon(int64_t longest_detached_us) {
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, operation] : operations_) {
      if (operation->DetachedMicros() > longest_detached_us) ids.push_back(id);
    }
  }
  for (const std::string& id : ids) RemoveOperation(id);
  const std::lock_guard lock(mutex_);
  return !operations_.empty();
}

std::string ClientSession::Keep(const Error& error) {
  std::string id = SystemRandom().Uuid();
  const std::lock_guard lock(mutex_);
  errors_.emplace_back(id, error);
  if (errors_.size() > kKeptErrors) errors_.pop_front();
  return id;
}

std::optional<Error> ClientSession::FindError(const std::string& error_id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, error] : errors_) {
    if (id == error_id) return error;
  }
  return std::nullopt;
}

void ClientSession::Upload(const std::string& hash, std::string bytes) {
  const std::lock_guard lock(mutex_);
  uploads_[hash] = std::move(bytes);
}

bool ClientSession::HasUpload(const std::string& hash) const {
  const std::lock_guard lock(mutex_);
  return uploads_.contains(hash);
}

connect::DecodeContext ClientSession::Decoding() {
  connect::DecodeContext context;
  context.time_zone = session_->conf().semantics().time_zone;
  context.uploaded = [this](const std::string& hash) -> Result<std::string> {
    const std::lock_guard lock(mutex_);
    const auto found = uploads_.find(hash);
    if (found == uploads_.end()) return NotFound("rows were not uploaded: cache/{}", hash);
    return found->second;
  };
  return context;
}

void ClientSession::Touch() {
  const std::lock_guard lock(mutex_);
  used_us_ = SystemClock().NowMicros();
}

int64_t ClientSession::IdleMicros() const {
  const std::lock_guard lock(mutex_);
  return SystemClock().NowMicros() - used_us_;
}

}  // namespace weir::connectd

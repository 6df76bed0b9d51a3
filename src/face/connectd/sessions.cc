#include "face/connectd/sessions.h"

#include <algorithm>
#include <chrono>

namespace weir::connectd {
namespace {

constexpr size_t kKeptClosed = 1000;
constexpr std::chrono::seconds kSweepEvery{10};

}  // namespace

Sessions::Sessions(std::shared_ptr<const session::Host> host, SessionLimits limits)
    : host_(std::move(host)), limits_(limits), sweeper_([this] { Sweep(); }) {}

Sessions::~Sessions() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  sweeper_.join();
}

Result<std::shared_ptr<ClientSession>> Sessions::Find(const std::string& user_id,
                                                      const std::string& session_id,
                                                      const std::string& observed) {
  if (!IsUuid(session_id)) {
    return InvalidHandle(ErrorCode::kInvalid, "FORMAT", session_id,
                         fmt::format("session id '{}' is no UUID", session_id));
  }
  const Key key(user_id, session_id);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<ClientSession> session;
  if (const auto found = sessions_.find(key); found != sessions_.end()) {
    session = found->second;
  } else if (std::ranges::find(closed_, key) != closed_.end()) {
    return InvalidHandle(ErrorCode::kNotFound, "SESSION_CLOSED", session_id,
                         fmt::format("session {} was closed", session_id));
  }
  const bool changed =
      !observed.empty() && (session == nullptr || session->server_side_session_id() != observed);
  if (changed) {
    return InvalidHandle(
        ErrorCode::kNotFound, "SESSION_CHANGED", session_id,
        fmt::format("the server does not have session {} any more; connect again", session_id));
  }
  if (session == nullptr) {
    WEIR_TRY(std::unique_ptr<session::Session> opened, session::Session::Open(host_));
    session = std::make_shared<ClientSession>(session_id, user_id, std::move(opened));
    sessions_.emplace(key, session);
  }
  session->Touch();
  return session;
}

void Sessions::Close(const std::string& user_id, const std::string& session_id, bool allow_reconnect) {
  std::shared_ptr<ClientSession> closed;
  const Key key(user_id, session_id);
  const std::lock_guard lock(mutex_);
  if (const auto found = sessions_.find(key); found != sessions_.end()) {
    closed = std::move(found->second);
    sessions_.erase(found);
    closed->InterruptAll();
  }
  if (allow_reconnect) return;
  closed_.push_back(key);
  if (closed_.size() > kKeptClosed) closed_.pop_front();
}

void Sessions::Sweep() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kSweepEvery, [&] { return stop_; })) {
    const auto sessions = sessions_;
    lock.unlock();
    std::vector<Key> idle;
    for (const auto& [key, session] : sessions) {
      const bool busy = session->Abandon(limits_.longest_detached_us);
      if (!busy && session->IdleMicros() > limits_.longest_idle_us) idle.push_back(key);
    }
    for (const Key& key : idle) Close(key.first, key.second, false);
    lock.lock();
  }
}

}  // namespace weir::connectd

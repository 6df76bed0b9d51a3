#pragma once

/// The sessions of a server by user and id.

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "face/connectd/client_session.h"
#include "session/host.h"

namespace weir::connectd {

struct SessionLimits {
  int64_t longest_idle_us = 60LL * 60 * 1'000'000;
  /// An operation that nobody has read for so long is given up.
  int64_t longest_detached_us = 5LL * 60 * 1'000'000;
};

/// Thread rule: any thread.
class Sessions {
 public:
  Sessions(std::shared_ptr<const session::Host> host, SessionLimits limits = {});
  ~Sessions();

  /// The session of a user by its id, made on first use. `observed` is the server's id that the client has
  /// seen, or empty. Errors: INVALID_HANDLE.FORMAT, SESSION_CLOSED, SESSION_CHANGED; what opening a session
  /// gives.
  Result<std::shared_ptr<ClientSession>> Find(const std::string& user_id, const std::string& session_id,
                                              const std::string& observed);
  /// Closes the session. With `allow_reconnect` its id may be used again.
  void Close(const std::string& user_id, const std::string& session_id, bool allow_reconnect);

 private:
  using Key = std::pair<std::string, std::string>;
  void Sweep();

  const std::shared_ptr<const session::Host> host_;
  const SessionLimits limits_;
  std::mutex mutex_;  ///< Over what follows.
  std::condition_variable stopped_;
  bool stop_ = false;
  std::map<Key, std::shared_ptr<ClientSession>> sessions_;
  std::deque<Key> closed_;  ///< The last ones.
  std::thread sweeper_;
};

}  // namespace weir::connectd

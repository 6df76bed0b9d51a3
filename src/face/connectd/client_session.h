#pragma once

/// One client's session: its settings and views, what it has uploaded, its operations and last errors.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "connect/decode.h"
#include "face/connectd/operation.h"
#include "session/session.h"

namespace weir::connectd {

/// Thread rule: any thread.
class ClientSession {
 public:
  ClientSession(std::string session_id, std::string user_id, std::unique_ptr<session::Session> session);
  /// Stops every operation.
  ~ClientSession();

  const std::string& session_id() const { return session_id_; }
  const std::string& user_id() const { return user_id_; }
  /// Says whether the server still has the session that the client knows.
  const std::string& server_side_session_id() const { return server_side_session_id_; }
  session::Session& session() { return *session_; }

  /// Errors: kExists with INVALID_HANDLE.OPERATION_ALREADY_EXISTS; kInvalid with INVALID_HANDLE.FORMAT.
  Result<std::shared_ptr<Operation>> AddOperation(const std::string& operation_id,
                                                  std::vector<std::string> tags, bool reattachable,
                                                  size_t plan_digest);
  /// Errors: kNotFound with INVALID_HANDLE.OPERATION_NOT_FOUND, or OPERATION_ABANDONED for one that was given
  /// up.
  Result<std::shared_ptr<Operation>> FindOperation(const std::string& operation_id);
  /// Forgets it, stopped. False if it is not there.
  bool RemoveOperation(const std::string& operation_id);
  /// Ids of the operations that were stopped: all, those with the tag, or the one.
  std::vector<std::string> InterruptAll();
  std::vector<std::string> InterruptTag(const std::string& tag);
  std::vector<std::string> InterruptOperation(const std::string& operation_id);
  /// Gives up operations that nobody has read for so long. Returns whether any is left.
  bool Abandon(int64_t longest_detached_us);

  /// Keeps an error for FetchErrorDetails; returns its id.
  std::string Keep(const Error& error);
  /// Nullopt for an error that is not there any more.
  std::optional<Error> FindError(const std::string& error_id) const;

  void Upload(const std::string& hash, std::string bytes);
  bool HasUpload(const std::string& hash) const;
  /// What the decoder of plans looks up here.
  connect::DecodeContext Decoding();

  void Touch();
  int64_t IdleMicros() const;

 private:
  std::vector<std::string> Interrupt(const std::function<bool(const Operation&)>& wanted);

  const std::string session_id_;
  const std::string user_id_;
  const std::string server_side_session_id_;
  const std::unique_ptr<session::Session> session_;
  mutable std::mutex mutex_;  ///< Over what follows.
  std::map<std::string, std::shared_ptr<Operation>> operations_;
  std::deque<std::string> abandoned_;  ///< The last ones.
  std::map<std::string, std::string> uploads_;
  std::deque<std::pair<std::string, Error>> errors_;  ///< The last ones.
  int64_t used_us_ = 0;
};

bool IsUuid(std::string_view text);
/// INVALID_HANDLE.<kind>.
Error InvalidHandle(ErrorCode code, std::string_view kind, const std::string& handle, std::string message);

}  // namespace weir::connectd

#pragma once

/// One execution of a plan: its responses, kept until the client has taken them, so that a broken stream goes
/// on where it broke and nothing runs twice. Spec: spark/connect/base.proto, ReattachExecute and
/// ReleaseExecute.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <spark/connect/base.pb.h>
#include "base/cancellation.h"
#include "base/result.h"

namespace weir::connectd {

namespace proto = spark::connect;

struct OperationLimits {
  /// What the producer may be ahead of the client; it waits then.
  size_t unsent_bytes = 32u << 20;
  /// What is kept of sent responses for a client that comes back.
  size_t sent_bytes = 16u << 20;
};

struct OperationInfo {
  std::string session_id;
  std::string server_side_session_id;
  std::string operation_id;
  std::vector<std::string> tags;
  bool reattachable = false;
  size_t plan_digest = 0;  ///< Of the plan's bytes: the same request sent again is known by it.
};

/// Thread rule: any thread. One thread produces, at most one client reads at a time.
class Operation {
 public:
  explicit Operation(OperationInfo info, OperationLimits limits = {});
  /// Requests the cancellation and waits for the producer.
  ~Operation();
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  const OperationInfo& info() const { return info_; }
  const Cancellation& cancellation() const { return cancellation_; }

  /// Runs `produce` on a thread of its own; what it returns ends the stream. Call once.
  void Start(std::function<Status(Operation&)> produce);
  /// For the producer: adds a response and fills in its ids. Waits while the client is too far behind.
  /// Errors: kCancelled.
  Status Add(proto::ExecutePlanResponse response);
  /// As Add without waiting, for what is of no use later: dropped if the client is behind.
  void Offer(proto::ExecutePlanResponse response);

  /// Stops the producer; the stream ends with kCancelled.
  void Interrupt();

  struct Taken {
    std::optional<proto::ExecutePlanResponse> response;  ///< Nullopt: the end, or another reader came.
    Status end = {};                                     ///< How the stream ended.
    bool superseded = false;
  };
  /// A reader's place in the stream. A new one takes over from the one before.
  class Reader {
   public:
    /// Waits for the next response. With `patience`, gives up when it returns false: it is asked now and
    /// then.
    Taken Next(const std::function<bool()>& patience);

   private:
    friend class Operation;
    Reader(Operation& operation, int64_t next, int64_t number)
        : operation_(operation), next_(next), number_(number) {}
    Operation& operation_;
    int64_t next_;
    int64_t number_;
  };
  /// From the first response, or behind the one with the id.
  /// Errors: kInvalid with INVALID_CURSOR.POSITION_NOT_FOUND or POSITION_NOT_AVAILABLE.
  Result<Reader> Read(const std::optional<std::string>& last_response_id);
  /// The reader has gone: from now on nobody reads.
  void Detach(const Reader& reader);

  /// Forgets responses up to the one with the id. Errors: as Read.
  Status ReleaseUntil(const std::string& response_id);

  bool ended() const;
  /// Microseconds for which nobody has read; 0 while somebody does.
  int64_t DetachedMicros() const;

 private:
  struct Entry {
    proto::ExecutePlanResponse response;
    size_t bytes = 0;
  };
  std::string IdOf(int64_t index) const;
  Result<int64_t> IndexOf(const std::string& response_id) const;
  void DropSent();

  const OperationInfo info_;
  const OperationLimits limits_;
  const std::string id_prefix_;
  Cancellation cancellation_;
  mutable std::mutex mutex_;  ///< Over what follows.
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  int64_t first_ = 0;     ///< Index of entries_[0].
  int64_t released_ = 0;  ///< All before were released by the client.
  int64_t sent_ = 0;      ///< All before were handed to a reader.
  size_t unsent_bytes_ = 0;
  size_t kept_bytes_ = 0;  ///< Of sent ones.
  std::optional<Status> end_;
  int64_t reader_ = 0;
  bool attached_ = false;
  int64_t detached_since_us_ = 0;
  std::thread producer_;
};

}  // namespace weir::connectd

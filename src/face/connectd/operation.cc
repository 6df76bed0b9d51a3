#include "face/connectd/operation.h"

#include <charconv>
#include <chrono>

#include "base/clock.h"

namespace weir::connectd {
namespace {

constexpr std::chrono::milliseconds kAskForPatience{50};

Error Cursor(std::string_view kind, const std::string& operation_id, const std::string& response_id) {
  return Invalid("operation {} has no response {} to go on from", operation_id, response_id)
      .WithCondition({fmt::format("INVALID_CURSOR.{}", kind),
                      "HY109",
                      {{"operationId", operation_id}, {"responseId", response_id}},
                      std::nullopt,
                      ""});
}

}  // namespace

Operation::Operation(OperationInfo info, OperationLimits limits)
    : info_(std::move(info)),
      limits_(limits),
      id_prefix_(SystemRandom().Uuid().substr(0, 24)),
      detached_since_us_(SystemClock().NowMicros()) {}

Operation::~Operation() {
  Interrupt();
  if (producer_.joinable()) producer_.join();
}

/// The last part of the UUID counts the responses.
std::string Operation::IdOf(int64_t index) const { return fmt::format("{}{:012x}", id_prefix_, index); }

Result<int64_t> Operation::IndexOf(const std::string& response_id) const {
  int64_t index = -1;
  if (response_id.size() == 36 && response_id.starts_with(id_prefix_)) {
    std::from_chars(response_id.data() + 24, response_id.data() + 36, index, 16);
  }
  const int64_t behind = first_ + static_cast<int64_t>(entries_.size());
  if (index < 0 || index >= behind) return Cursor("POSITION_NOT_FOUND", info_.operation_id, response_id);
  return index;
}

void Operation::Start(std::function<Status(Operation&)> produce) {
  producer_ = std::thread([this, produce = std::move(produce)] {
    Status end = produce(*this);
    const std::lock_guard lock(mutex_);
    if (cancellation_.requested() && end) end = Cancelled();
    end_ = std::move(end);
    changed_.notify_all();
  });
}

Status Operation::Add(proto::ExecutePlanResponse response) {
  response.set_session_id(info_.session_id);
  response.set_server_side_session_id(info_.server_side_session_id);
  response.set_operation_id(info_.operation_id);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return cancellation_.requested() || unsent_bytes_ < limits_.unsent_bytes; });
  WEIR_DO(cancellation_.Check());
  response.set_response_id(IdOf(first_ + static_cast<int64_t>(entries_.size())));
  const size_t bytes = response.ByteSizeLong();
  unsent_bytes_ += bytes;
  entries_.push_back({std::move(response), bytes});
  changed_.notify_all();
  return {};
}

void Operation::Offer(proto::ExecutePlanResponse response) {
  {
    const std::lock_guard lock(mutex_);
    if (!attached_ || end_ || sent_ < first_ + static_cast<int64_t>(entries_.size())) return;
  }
  // Another response may have come in between, which does no harm.
  [[maybe_unused]] const Status added = Add(std::move(response));
}

void Operation::Interrupt() {
  cancellation_.Request();
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

Result<Operation::Reader> Operation::Read(const std::optional<std::string>& last_response_id) {
  const std::lock_guard lock(mutex_);
  int64_t next = 0;
  if (last_response_id && !last_response_id->empty()) {
    WEIR_TRY(const int64_t last, IndexOf(*last_response_id));
    next = last + 1;
  }
  if (next < first_) {
    return Cursor("POSITION_NOT_AVAILABLE", info_.operation_id, last_response_id.value_or(""));
  }
  attached_ = true;
  Reader reader(*this, next, ++reader_);
  changed_.notify_all();
  return reader;
}

Operation::Taken Operation::Reader::Next(const std::function<bool()>& patience) {
  Operation& operation = operation_;
  std::unique_lock lock(operation.mutex_);
  auto there = [&] { return next_ < operation.first_ + static_cast<int64_t>(operation.entries_.size()); };
  while (operation.reader_ == number_ && !there() && !operation.end_) {
    operation.changed_.wait_for(lock, kAskForPatience);
    if (patience && !patience()) return {std::nullopt, {}, true};
  }
  if (operation.reader_ != number_ || next_ < operation.first_) return {std::nullopt, {}, true};
  if (!there()) return {std::nullopt, *operation.end_, false};
  const Entry& entry = operation.entries_[static_cast<size_t>(next_ - operation.first_)];
  Taken taken{entry.response, {}, false};
  if (next_ >= operation.sent_) {
    operation.sent_ = next_ + 1;
    operation.unsent_bytes_ -= entry.bytes;
    operation.kept_bytes_ += entry.bytes;
    operation.DropSent();
    operation.changed_.notify_all();
  }
  ++next_;
  return taken;
}

void Operation::Detach(const Reader& reader) {
  const std::lock_guard lock(mutex_);
  if (reader.number_ != reader_) return;
  attached_ = false;
  detached_since_us_ = SystemClock().NowMicros();
}

/// The client may come back for the last response that it was sent, so that one always stays.
void Operation::DropSent() {
  while (first_ + 1 < sent_ &&
         (first_ < released_ || !info_.reattachable || kept_bytes_ > limits_.sent_bytes)) {
    kept_bytes_ -= entries_.front().bytes;
    entries_.pop_front();
    ++first_;
  }
}

Status Operation::ReleaseUntil(const std::string& response_id) {
  const std::lock_guard lock(mutex_);
  WEIR_TRY(const int64_t index, IndexOf(response_id));
  released_ = std::max(released_, index + 1);
  DropSent();
  return {};
}

bool Operation::ended() const {
  const std::lock_guard lock(mutex_);
  return end_.has_value();
}

int64_t Operation::DetachedMicros() const {
  const std::lock_guard lock(mutex_);
  return attached_ ? 0 : SystemClock().NowMicros() - detached_since_us_;
}

}  // namespace weir::connectd

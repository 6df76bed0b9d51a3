#include "base/result.h"

namespace weir {

std::string_view ToString(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kExists:
      return "exists";
    case ErrorCode::kDenied:
      return "denied";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

Error Error::WithContext(std::string_view frame) && {
  message_ = fmt::format("{}: {}", frame, message_);
  return std::move(*this);
}

Error Error::WithCondition(ErrorCondition condition) && {
  condition_ = std::make_shared<const ErrorCondition>(std::move(condition));
  return std::move(*this);
}

Error Error::WithSpan(const SourceSpan& span, std::string_view statement) && {
  // What was not written as text, not even an empty one, has no place in it.
  if (condition_ && !condition_->span && statement.data() != nullptr) {
    ErrorCondition placed = *condition_;
    placed.span = span;
    if (span.start >= 0 && span.stop <= static_cast<int32_t>(statement.size()) && span.start <= span.stop) {
      placed.fragment = statement.substr(span.start, span.stop - span.start);
    }
    condition_ = std::make_shared<const ErrorCondition>(std::move(placed));
  }
  return std::move(*this);
}

std::string Error::ToString() const {
  if (!condition_) return fmt::format("{}: {}", weir::ToString(code_), message_);
  std::string text = fmt::format("[{}] {}", condition_->name, message_);
  if (!condition_->sql_state.empty()) text += fmt::format(" SQLSTATE: {}", condition_->sql_state);
  if (condition_->span) {
    text += fmt::format("; line {} pos {}", condition_->span->line, condition_->span->position);
  }
  return text;
}

}  // namespace weir

#pragma once

/// The pattern of LIKE. Thread rule: immutable values.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weir {

/// A parsed pattern: runs of plain text with wildcards between them.
class LikePattern {
 public:
  /// `escape` makes the next wildcard, or itself, plain. Errors: kInvalid (INVALID_FORMAT.ESC_AT_THE_END,
  /// INVALID_FORMAT.ESC_IN_THE_MIDDLE) for an escape before anything else, as Spark.
  static Result<LikePattern> Parse(std::string_view pattern, char escape = '\\');

  /// The text that every match starts with.
  const std::string& prefix() const { return prefix_; }
  /// No wildcard: only `prefix` itself matches.
  bool is_exact() const { return parts_.empty(); }
  /// `prefix` and one trailing %: everything that starts with it matches.
  bool is_prefix() const { return parts_.size() == 1 && parts_[0].any_length && parts_[0].text.empty(); }

  /// Characters are UTF-8 code points.
  bool Matches(std::string_view text) const;

 private:
  /// One wildcard and the plain text behind it.
  struct Part {
    bool any_length;
    std::string text;
  };
  std::string prefix_;
  std::vector<Part> parts_;
};

}  // namespace weir

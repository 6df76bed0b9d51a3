#include "storage/stores.h"

#include <algorithm>

#include "base/ascii.h"

namespace weir {
namespace {

bool IsScheme(std::string_view text) {
  return !text.empty() && IsAsciiLetter(text[0]) && std::ranges::all_of(text, [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '+' || c == '-' || c == '.';
  });
}

/// The path of a "file:" URI. Its text is taken as it is: engines write such locations without escapes.
Result<std::string> LocalPath(std::string_view uri, std::string_view rest) {
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    if (!rest.starts_with('/')) return Invalid("{}: a file URI with a host, expected file:///path", uri);
  }
  if (!rest.starts_with('/')) return Invalid("{}: expected an absolute path", uri);
  return std::string(rest);
}

}  // namespace

void Stores::Add(std::string scheme, std::shared_ptr<Storage> storage) {
  by_scheme_.insert_or_assign(std::move(scheme), std::move(storage));
}

Result<Location> Stores::Find(std::string_view uri) const {
  std::string scheme = "file";
  std::string path(uri);
  if (!uri.starts_with('/')) {
    const size_t colon = uri.find(':');
    if (colon == std::string_view::npos || !IsScheme(uri.substr(0, colon))) {
      return Invalid("\"{}\" is neither an absolute path nor a URI", uri);
    }
    scheme = AsciiLower(uri.substr(0, colon));
    if (scheme == "file") {
      WEIR_TRY(path, LocalPath(uri, uri.substr(colon + 1)));
    }
  }
  const auto found = by_scheme_.find(scheme);
  if (found == by_scheme_.end()) return Unsupported("{}: no store for scheme \"{}\"", uri, scheme);
  return Location{found->second, std::move(path)};
}

Result<Store> Stores::Open(std::string_view uri, Account account, Cancellation cancellation) const {
  WEIR_TRY(Location location, Find(uri));
  return Store(std::move(location.storage), std::move(account), std::move(cancellation));
}

}  // namespace weir

#pragma once

/// Picks the store for a location, so that tables may name any URI. Thread rule: any thread once built.

#include <map>
#include <memory>
#include <string>

#include "storage/storage.h"

namespace weir {

/// A location split into its store and the path that the store knows.
struct Location {
  std::shared_ptr<Storage> storage;
  std::string path;
};

class Stores {
 public:
  /// Serves URIs of `scheme`; "file" also serves plain absolute paths.
  void Add(std::string scheme, std::shared_ptr<Storage> storage);
  /// "/a/b", "file:/a/b", "file:///a/b" -> local "/a/b"; "mem:/k" -> memory "mem:/k".
  /// Errors: kUnsupported naming a scheme that no store serves; kInvalid for a relative path.
  Result<Location> Find(std::string_view uri) const;
  /// A handle for the store of `uri`. The paths given to it still have to be in the store's form: see Find.
  Result<Store> Open(std::string_view uri, Account account, Cancellation cancellation) const;

 private:
  std::map<std::string, std::shared_ptr<Storage>, std::less<>> by_scheme_;
};

}  // namespace weir

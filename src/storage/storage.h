#pragma once

/// What a store must do, and the handle through which everybody else uses it.
/// Paths are absolute keys in the store's own form: "/dir/file" for local files, "mem:/key" for memory. A URI
/// scheme "file:" is removed by Stores (storage/stores.h), which picks the store for a location.
///
/// Folders. A path that ends in "/" names a folder, an object of no bytes: Put makes it, Head and List tell
/// it, Delete removes it unless something is below. Object stores keep it as an object of that name, as
/// Hadoop's connectors do, until it is deleted. Stores with real folders may have more of them than were put,
/// and list only those with nothing below.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/cancellation.h"
#include "base/result.h"
#include "ledger/ledger.h"

namespace weir {

/// Whom to charge and when to stop: required by every call.
struct Io {
  Account account;
  Cancellation cancellation;
};

/// Names one version of an object's content. Opaque; compare only with tags of the same path.
struct ObjectTag {
  std::string value;
  bool operator==(const ObjectTag&) const = default;
};

struct ObjectInfo {
  std::string path;
  uint64_t size_bytes = 0;
  int64_t modified_us = 0;
  ObjectTag tag;
};

struct ListPage {
  std::vector<ObjectInfo> objects;       ///< Sorted by path bytes, over all pages.
  std::optional<std::string> next_page;  ///< Pass it to get what follows; absent on the last page.
};

/// When a write may happen.
struct PutIf {
  enum class Kind { kAlways, kAbsent, kMatches };
  Kind kind = Kind::kAlways;
  ObjectTag tag;  ///< kMatches only.
  static PutIf Always() { return {}; }
  static PutIf Absent() { return {Kind::kAbsent, {}}; }
  static PutIf Matches(ObjectTag tag) { return {Kind::kMatches, std::move(tag)}; }
};

/// Facts about a store that planners need.
struct StoreTraits {
  std::string name;                     ///< Such as "local".
  bool conditional_put = true;          ///< PutIf::Absent is atomic against other writers.
  uint64_t merge_gap_bytes = 64 << 10;  ///< Two ranges closer than this are one request.
  size_t parallel_requests = 8;
};

/// An object under construction. Thread rule: one thread. Dropping it without Finish aborts and leaves
/// nothing.
class Upload {
 public:
  virtual ~Upload() = default;
  /// Appends bytes; they are copied or sent before the call returns.
  virtual Status Write(Io& io, Bytes bytes) = 0;
  /// Makes the object visible, whole. Errors: kExists if a condition fails.
  virtual Result<ObjectTag> Finish(Io& io) = 0;
  virtual Status Abort(Io& io) = 0;
};

/// Implemented whole by each store and by decorators; no default bodies. Thread rule: any thread; calls
/// block. Common errors: kNotFound, kDenied, kUnavailable (may succeed later; for writes: nothing happened),
/// kCancelled. A write whose outcome is not known fails with kUnavailable and a condition named
/// "WRITE_OUTCOME_UNKNOWN".
class Storage {
 public:
  virtual ~Storage() = default;
  /// Objects whose path starts with `prefix`, at any depth. `page` is a ListPage's next_page, or any path:
  /// what sorts behind it is listed.
  virtual Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) = 0;
  /// Errors: kNotFound.
  virtual Result<ObjectInfo> Head(Io& io, std::string_view path) = 0;
  /// Fills buffers[i] from ranges[i]; sizes are equal pairwise. A store makes one request per range;
  /// Coalescing (storage/coalesce.h) merges near ranges before. Errors: kNotFound; kCorrupt if a range ends
  /// behind the object.
  virtual Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                            std::span<const MutableBytes> buffers) = 0;
  /// Writes a whole object atomically: readers see the old content or the new. Parent folders appear as
  /// needed. Errors: kExists if PutIf::Absent or Matches fails; kInvalid for bytes in a folder.
  virtual Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) = 0;
  virtual Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path,
                                                      const PutIf& condition) = 0;
  /// An absent object counts as deleted. Every path is tried until cancelled; the first error is returned.
  virtual Status Delete(Io& io, std::span<const std::string> paths) = 0;
  virtual const StoreTraits& traits() const = 0;
};

/// True if the error says that a write may or may not have happened.
bool OutcomeUnknown(const Error& error);
/// The error for such a write.
Error UnknownOutcome(std::string message);

/// What everybody holds: a store, whom to charge, when to stop. A cheap value. Thread rule: any thread.
class Store {
 public:
  Store(std::shared_ptr<Storage> storage, Account account, Cancellation cancellation)
      : storage_(std::move(storage)), io_{std::move(account), std::move(cancellation)} {}

  /// The same store, charged elsewhere.
  Store ChargeTo(Account account) const { return {storage_, std::move(account), io_.cancellation}; }
  Store For(Purpose purpose) const { return ChargeTo(io_.account.For(purpose)); }

  /// All objects under a prefix, sorted by path.
  Result<std::vector<ObjectInfo>> List(std::string_view prefix) const;
  Result<ObjectInfo> Head(std::string_view path) const;
  Result<bool> Exists(std::string_view path) const;
  Result<std::string> Read(std::string_view path, const ByteRange& range) const;
  /// The whole object. `known_size_bytes` saves the Head request.
  Result<std::string> ReadAll(std::string_view path, std::optional<uint64_t> known_size_bytes = {}) const;
  /// One string per range, in order. Cost: beyond 256 MiB in all, a Head more, so that no size is taken on
  /// trust.
  Result<std::vector<std::string>> ReadRanges(std::string_view path, std::span<const ByteRange> ranges) const;
  Status ReadInto(std::string_view path, const ByteRange& range, MutableBytes into) const;
  Result<ObjectTag> Put(std::string_view path, Bytes bytes, const PutIf& condition) const;
  Result<std::unique_ptr<Upload>> StartUpload(std::string_view path, const PutIf& condition) const;
  Status Delete(std::span<const std::string> paths) const;

  Io& io() const { return io_; }
  const Account& account() const { return io_.account; }
  const Cancellation& cancellation() const { return io_.cancellation; }
  const StoreTraits& traits() const { return storage_->traits(); }

 private:
  /// Errors: kCorrupt if a range ends behind the object.
  Status CheckEnds(std::string_view path, std::span<const ByteRange> ranges) const;

  std::shared_ptr<Storage> storage_;
  mutable Io io_;
};

}  // namespace weir

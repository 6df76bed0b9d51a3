#pragma once

/// The movement ledger: what a query read, wrote and avoided, by operator and purpose.
/// Storage can only be called with an Account, so that no byte escapes. Thread rule: any thread.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Why bytes moved.
enum class Purpose : uint8_t { kListing, kMetadata, kFooter, kData, kDeletes, kSpill, kCommit };
inline constexpr int kPurposeCount = 7;
std::string_view ToString(Purpose purpose);

/// Why bytes did not move.
enum class AvoidReason : uint8_t {
  kManifest,    ///< A whole manifest was skipped by its partition summary.
  kPartition,   ///< The file's partition cannot match.
  kBounds,      ///< The file's column bounds cannot match.
  kRowGroup,    ///< Row groups without a match.
  kPage,        ///< Pages without a match.
  kColumn,      ///< Columns nobody asked for.
  kDeleteOnly,  ///< Answered by deletes or metadata alone.
  kCache,       ///< Served from memory.
};
inline constexpr int kAvoidReasonCount = 8;
std::string_view ToString(AvoidReason reason);

/// Traffic of one purpose. `asked` is what callers wanted, `read` what was transferred (merged gaps
/// included).
struct Traffic {
  uint64_t requests = 0;
  uint64_t bytes_asked = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  Traffic& operator+=(const Traffic& other);
  bool operator==(const Traffic&) const = default;
};

struct Avoided {
  uint64_t files = 0;
  uint64_t bytes = 0;
  bool operator==(const Avoided&) const = default;
};

/// Row counts of one operator.
struct RowCounts {
  uint64_t into_join = 0;  ///< Target rows that left the scan towards the join, after exact key filters.
  uint64_t decoded = 0;    ///< Rows whose key (else any column) was decoded; filler is not counted.
  uint64_t written = 0;
  uint64_t returned = 0;
  uint64_t deleted = 0;
  RowCounts& operator+=(const RowCounts& other);
  bool operator==(const RowCounts&) const = default;
};

/// Totals of one operator of a plan, or of all.
struct MovementTotals {
  Traffic by_purpose[kPurposeCount];
  Avoided by_reason[kAvoidReasonCount];
  RowCounts rows;

  const Traffic& operator[](Purpose purpose) const { return by_purpose[static_cast<int>(purpose)]; }
  const Avoided& operator[](AvoidReason reason) const { return by_reason[static_cast<int>(reason)]; }
  /// Sum over purposes, spill apart.
  Traffic Traffics() const;
  MovementTotals& operator+=(const MovementTotals& other);
};

class Account;

/// One query's ledger. Accounts keep it alive.
class Ledger : public std::enable_shared_from_this<Ledger> {  // accounts outlive the query's own handle
 public:
  static std::shared_ptr<Ledger> Make();

  /// A handle that charges to `operator_name` (such as "scan cat.db.t"). The same name gives the same totals.
  Account Open(std::string operator_name, Purpose purpose);

  struct Entry {
    std::string operator_name;
    MovementTotals totals;
  };
  /// Entries in order of their first opening; a consistent copy.
  std::vector<Entry> Entries() const;
  MovementTotals Total() const;

  /// {"operators":[{"name":..,"traffic":{"data":{"requests":..,"bytes_read":..},..},"avoided":{"page":{..}},
  /// "rows":{..}}],"total":{..}}; zero parts are left out.
  std::string ToJson() const;

 private:
  friend class Account;
  Ledger() = default;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

/// A cheap copyable handle: whom to charge. Never empty.
class Account {
 public:
  /// The same operator, another purpose.
  Account For(Purpose purpose) const;
  Purpose purpose() const { return purpose_; }

  void Charge(const Traffic& traffic) const;
  void Avoid(AvoidReason reason, uint64_t files, uint64_t bytes) const;
  void Count(const RowCounts& rows) const;

 private:
  friend class Ledger;
  Account(std::shared_ptr<Ledger> ledger, size_t entry, Purpose purpose)
      : ledger_(std::move(ledger)), entry_(entry), purpose_(purpose) {}
  std::shared_ptr<Ledger> ledger_;
  size_t entry_;
  Purpose purpose_;
};

}  // namespace weir

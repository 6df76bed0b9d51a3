#include "ledger/ledger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"

namespace weir {
namespace {

/// A JSON object whose zero numbers and empty objects are left out.
class JsonObject {
 public:
  void Number(std::string_view name, uint64_t value) {
    if (value != 0) Member(name, std::to_string(value));
  }
  void Text(std::string_view name, std::string_view value) { Member(name, QuotedJson(value)); }
  void Object(std::string_view name, const JsonObject& object) {
    if (!object.members_.empty()) Member(name, object.ToString());
  }
  std::string ToString() const { return '{' + members_ + '}'; }

 private:
  void Member(std::string_view name, std::string_view value) {
    if (!members_.empty()) members_ += ',';
    members_ += fmt::format("{}:{}", QuotedJson(name), value);
  }
  std::string members_;
};

JsonObject ToJson(const Traffic& traffic) {
  JsonObject json;
  json.Number("requests", traffic.requests);
  json.Number("bytes_asked", traffic.bytes_asked);
  json.Number("bytes_read", traffic.bytes_read);
  json.Number("bytes_written", traffic.bytes_written);
  return json;
}

JsonObject ToJson(const Avoided& avoided) {
  JsonObject json;
  json.Number("files", avoided.files);
  json.Number("bytes", avoided.bytes);
  return json;
}

JsonObject ToJson(const RowCounts& rows) {
  JsonObject json;
  json.Number("into_join", rows.into_join);
  json.Number("decoded", rows.decoded);
  json.Number("written", rows.written);
  json.Number("returned", rows.returned);
  json.Number("deleted", rows.deleted);
  return json;
}

void AddTotals(JsonObject& json, const MovementTotals& totals) {
  JsonObject traffic;
  for (int i = 0; i < kPurposeCount; ++i) {
    traffic.Object(ToString(static_cast<Purpose>(i)), ToJson(totals.by_purpose[i]));
  }
  json.Object("traffic", traffic);
  JsonObject avoided;
  for (int i = 0; i < kAvoidReasonCount; ++i) {
    avoided.Object(ToString(static_cast<AvoidReason>(i)), ToJson(totals.by_reason[i]));
  }
  json.Object("avoided", avoided);
  json.Object("rows", ToJson(totals.rows));
}

}  // namespace

std::string_view ToString(Purpose purpose) {
  switch (purpose) {
    case Purpose::kListing:
      return "listing";
    case Purpose::kMetadata:
      return "metadata";
    case Purpose::kFooter:
      return "footer";
    case Purpose::kData:
      return "data";
    case Purpose::kDeletes:
      return "deletes";
    case Purpose::kSpill:
      return "spill";
    case Purpose::kCommit:
      return "commit";
  }
  return "";
}

std::string_view ToString(AvoidReason reason) {
  switch (reason) {
    case AvoidReason::kManifest:
      return "manifest";
    case AvoidReason::kPartition:
      return "partition";
    case AvoidReason::kBounds:
      return "bounds";
    case AvoidReason::kRowGroup:
      return "row_group";
    case AvoidReason::kPage:
      return "page";
    case AvoidReason::kColumn:
      return "column";
    case AvoidReason::kDeleteOnly:
      return "delete_only";
    case AvoidReason::kCache:
      return "cache";
  }
  return "";
}

Traffic& Traffic::operator+=(const Traffic& other) {
  requests += other.requests;
  bytes_asked += other.bytes_asked;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  return *this;
}

RowCounts& RowCounts::operator+=(const RowCounts& other) {
  into_join += other.into_join;
  decoded += other.decoded;
  written += other.written;
  returned += other.returned;
  deleted += other.deleted;
  return *this;
}

Traffic MovementTotals::Traffics() const {
  Traffic sum;
  for (int i = 0; i < kPurposeCount; ++i) {
    if (static_cast<Purpose>(i) != Purpose::kSpill) sum += by_purpose[i];
  }
  return sum;
}

MovementTotals& MovementTotals::operator+=(const MovementTotals& other) {
  for (int i = 0; i < kPurposeCount; ++i) by_purpose[i] += other.by_purpose[i];
  for (int i = 0; i < kAvoidReasonCount; ++i) {
    by_reason[i].files += other.by_reason[i].files;
    by_reason[i].bytes += other.by_reason[i].bytes;
  }
  rows += other.rows;
  return *this;
}

std::shared_ptr<Ledger> Ledger::Make() { return std::shared_ptr<Ledger>(new Ledger); }

Account Ledger::Open(std::string operator_name, Purpose purpose) {
  const std::lock_guard lock(mutex_);
  auto it = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& entry) { return entry.operator_name == operator_name; });
  if (it == entries_.end())
    it = entries_.insert(it, {.operator_name = std::move(operator_name), .totals = {}});
  return {shared_from_this(), static_cast<size_t>(it - entries_.begin()), purpose};
}

std::vector<Ledger::Entry> Ledger::Entries() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

MovementTotals Ledger::Total() const {
  MovementTotals total;
  for (const Entry& entry : Entries()) total += entry.totals;
  return total;
}

std::string Ledger::ToJson() const {
  std::string operators;
  MovementTotals all;
  for (const Entry& entry : Entries()) {
    JsonObject json;
    json.Text("name", entry.operator_name);
    AddTotals(json, entry.totals);
    if (!operators.empty()) operators += ',';
    operators += json.ToString();
    all += entry.totals;
  }
  JsonObject total;
  AddTotals(total, all);
  return fmt::format("{{\"operators\":[{}],\"total\":{}}}", operators, total.ToString());
}

Account Account::For(Purpose purpose) const { return {ledger_, entry_, purpose}; }

void Account::Charge(const Traffic& traffic) const {
  const std::lock_guard lock(ledger_->mutex_);
  ledger_->entries_[entry_].totals.by_purpose[static_cast<int>(purpose_)] += traffic;
}

void Account::Avoid(AvoidReason reason, uint64_t files, uint64_t bytes) const {
  const std::lock_guard lock(ledger_->mutex_);
  Avoided& avoided = ledger_->entries_[entry_].totals.by_reason[static_cast<int>(reason)];
  avoided.files += files;
  avoided.bytes += bytes;
}

void Account::Count(const RowCounts& rows) const {
  const std::lock_guard lock(ledger_->mutex_);
  ledger_->entries_[entry_].totals.rows += rows;
}

}  // namespace weir

#include "table/iceberg/hadoop_committer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "codec/gzip/gzip.h"
#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {

namespace {

constexpr std::string_view kHint = "version-hint.text";
constexpr uint64_t kLongestHintBytes = 64;
/// What local Hadoop file systems keep beside a file; stale, it would make them refuse the file.
constexpr std::string_view kHintChecksum = ".version-hint.text.crc";
constexpr std::array<std::string_view, 3> kSuffixes = {".metadata.json", ".gz.metadata.json",
                                                       ".metadata.json.gz"};

/// As in the Java library; what is beyond is no version.
constexpr int64_t kLastVersion = INT32_MAX;
constexpr int64_t kMostStatusChecks = 20;

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || number < 0 ||
      number > kLastVersion) {
    return std::nullopt;
  }
  return number;
}

Result<bool> WantsGzip(const Properties& properties) {
  const std::string codec = AsciiLower(TextProperty(properties, "write.metadata.compression-codec", "none"));
  if (codec == "none") return false;
  if (codec == "gzip") return true;
  return Unsupported("table property write.metadata.compression-codec: codec '{}' is not supported", codec);
}

/// Whether metadata files are deleted by writers that know `base` or `next`.
Result<bool> FilesGoAway(const std::optional<VersionedMetadata>& base, const TableMetadata& next) {
  WEIR_TRY(const bool from_now_on, DeletesOldMetadata(next.properties));
  if (from_now_on || !base) return from_now_on;
  return DeletesOldMetadata(base->metadata->properties);
}

enum class Contained : uint8_t { kYes, kNo, kUnknown };

/// Whether `newest` came to be on top of `written`, whose name may have been somebody else's before.
Contained Contains(const TableMetadata& newest, const std::optional<VersionedMetadata>& base,
                   const VersionedMetadata& written) {
  const TableMetadata& ours = *written.metadata;
  if (newest.table_uuid != ours.table_uuid) return Contained::kNo;
  const auto before = base ? base->metadata->current_snapshot_id : std::nullopt;
  if (ours.current_snapshot_id && ours.current_snapshot_id != before) {
    if (newest.FindSnapshot(*ours.current_snapshot_id) != nullptr) return Contained::kYes;
    // Snapshots expire oldest first.
    if (before && newest.FindSnapshot(*before) != nullptr) return Contained::kNo;
  }
  for (const MetadataLogEntry& entry : newest.metadata_log) {
    if (entry.file != written.file) continue;
    return entry.timestamp_ms == ours.last_updated_ms ? Contained::kYes : Contained::kNo;
  }
  return Contained::kUnknown;
}

}  // namespace

std::optional<int64_t> VersionOf(std::string_view name) {
  if (!name.starts_with('v')) return std::nullopt;
  name.remove_prefix(1);
  for (const std::string_view suffix : kSuffixes) {
    if (!name.ends_with(suffix)) continue;
    if (const auto version = ParseNumber(name.substr(0, name.size() - suffix.size()))) return version;
  }
  return std::nullopt;
}

HadoopCommitter::HadoopCommitter(std::shared_ptr<const Stores> stores, std::string location)
    : stores_(std::move(stores)), metadata_location_(std::move(location) + "/metadata") {}

Result<Store> HadoopCommitter::Open(const Account& account, const Cancellation& cancellation,
                                    Purpose purpose) const {
  WEIR_TRY(Location found, stores_->Find(metadata_location_));
  return Store(std::move(found.storage), account.For(purpose), cancellation);
}

Result<std::string> HadoopCommitter::PathOf(const std::string& name) const {
  WEIR_TRY(Location found, stores_->Find(metadata_location_ + "/" + name));
  return std::move(found.path);
}

Result<std::optional<HadoopCommitter::Found>> HadoopCommitter::Probe(const Store& store,
                                                                     int64_t version) const {
  for (const std::string_view suffix : kSuffixes) {
    const std::string name = fmt::format("v{}{}", version, suffix);
    WEIR_TRY(const std::string path, PathOf(name));
    auto info = store.Head(path);
    if (info) return std::optional(Found{version, metadata_location_ + "/" + name, *std::move(info)});
    if (info.error().code() != ErrorCode::kNotFound) return std::move(info).error();
  }
  return std::optional<Found>();
}

/// 0 if there is no hint that can be read.
Result<int64_t> HadoopCommitter::ReadHint(const Store& store) const {
  WEIR_TRY(const std::string path, PathOf(std::string(kHint)));
  const auto info = store.Head(path);
  if (!info && info.error().code() != ErrorCode::kNotFound) return info.error();
  if (!info || info->size_bytes > kLongestHintBytes) return int64_t{0};
  auto text = store.ReadAll(path, info->size_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::kNotFound) return int64_t{0};
    return std::move(text).error();
  }
  const std::string_view line = std::string_view(*text).substr(0, text->find_first_of("\r\n"));
  return ParseNumber(line).value_or(0);
}

Result<int64_t> HadoopCommitter::HighestListed(const Store& store) const {
  WEIR_TRY(const std::string prefix, PathOf("v"));
  WEIR_TRY(const auto objects, store.For(Purpose::kListing).List(prefix));
  int64_t highest = 0;
  for (const ObjectInfo& object : objects) {
    const std::string_view path = object.path;
    const auto version = VersionOf(path.substr(path.rfind('/') + 1));
    if (version) highest = std::max(highest, *version);
  }
  return highest;
}

Result<std::optional<HadoopCommitter::Found>> HadoopCommitter::Newest(const Store& store) const {
  WEIR_TRY(int64_t version, ReadHint(store));
  std::optional<Found> newest;
  if (version > 0) {
    WEIR_TRY(newest, Probe(store, version));
  }
  if (!newest) {
    const int64_t hint = version;
    WEIR_TRY(version, HighestListed(store));
    // The hint is written behind its metadata, so that a lost file must not turn an older state into the
    // table. A hint that went away meanwhile belonged to a table that was dropped.
    if (version < hint) {
      WEIR_TRY(const int64_t now, ReadHint(store));
      if (version < now) {
        return Corrupt("{}/{}: names version {}, but {}", metadata_location_, kHint, now,
                       version == 0 ? "there is no metadata file; DROP TABLE removes what is left"
                                    : fmt::format("the newest metadata file has version {}", version));
      }
    }
    if (version == 0) return std::optional<Found>();
    WEIR_TRY(newest, Probe(store, version));
    if (!newest) return Unavailable("{}: metadata file of version {} went away", metadata_location_, version);
  }
  while (newest->version < kLastVersion) {
    WEIR_TRY(auto next, Probe(store, newest->version + 1));
    if (!next) break;
    newest = std::move(next);
  }
  return newest;
}

Result<TableMetadataPtr> HadoopCommitter::ReadVersion(const Store& store, int64_t version) const {
  WEIR_TRY(const auto found, Probe(store, version));
  if (!found) return Unavailable("{}: metadata file of version {} went away", metadata_location_, version);
  WEIR_TRY(const std::string bytes, store.ReadAll(found->info.path, found->info.size_bytes));
  WEIR_TRY(TableMetadata metadata, ParseTableMetadata(bytes, found->file));
  return std::make_shared<const TableMetadata>(std::move(metadata));
}

Result<HadoopCommitter::Kept> HadoopCommitter::ReadOnce(const Store& store, const Found& found) {
  {
    const std::lock_guard lock(mutex_);
    if (kept_ && kept_->metadata.file == found.file && kept_->tag == found.info.tag) return *kept_;
  }
  WEIR_TRY(const std::string bytes, store.ReadAll(found.info.path, found.info.size_bytes));
  WEIR_TRY(TableMetadata metadata, ParseTableMetadata(bytes, found.file));
  WEIR_TRY(const bool files_go_away, DeletesOldMetadata(metadata.properties));
  return Kept{found.info.tag,
              files_go_away,
              {std::make_shared<const TableMetadata>(std::move(metadata)), found.file, found.version}};
}

Result<std::optional<VersionedMetadata>> HadoopCommitter::Current(const Account& account,
                                                                  const Cancellation& cancellation) {
  WEIR_TRY(const Store store, Open(account, cancellation, Purpose::kMetadata));
  WEIR_TRY(std::optional<Found> newest, Newest(store));
  while (newest) {
    WEIR_TRY(Kept kept, ReadOnce(store, *newest));
    if (kept.files_go_away) {
      // The next version may have come and gone, so that only a listing tells which is the newest.
      WEIR_TRY(const int64_t highest, HighestListed(store));
      if (highest > newest->version) {
        WEIR_TRY(newest, Probe(store, highest));
        if (!newest)
          return Unavailable("{}: metadata file of version {} went away", metadata_location_, highest);
        continue;
      }
    }
    const std::lock_guard lock(mutex_);
    kept_ = kept;
    return std::optional(std::move(kept.metadata));
  }
  return std::optional<VersionedMetadata>();
}

Result<ReplaceOutcome> HadoopCommitter::Replace(const std::optional<VersionedMetadata>& base,
                                                const TableMetadata& next, const Account& account,
                                                const Cancellation& cancellation) {
  if (next.properties.contains("write.metadata.path")) {
    return Invalid(
        "the metadata of a table in a Hadoop catalog lies in its own folder: write.metadata.path cannot be "
        "set");
  }
  WEIR_TRY(const Store store, Open(account, cancellation, Purpose::kCommit));
  // All who replace the same version must want the same name, also while the codec is being changed.
  WEIR_TRY(const bool gzip, WantsGzip(base ? base->metadata->properties : next.properties));
  WEIR_TRY(const bool files_go_away, FilesGoAway(base, next));
  WEIR_TRY(const int64_t checks, IntegerProperty(next.properties, "commit.status-check.num-retries", 3));
  const int64_t version = (base ? base->version : 0) + 1;
  if (version > kLastVersion) return Corrupt("{}: no version is left behind {}", base->file, base->version);
  const std::string name = fmt::format("v{}{}", version, gzip ? kSuffixes[1] : kSuffixes[0]);
  std::string bytes = TableMetadataToJson(next);
  if (gzip) {
    WEIR_TRY(bytes, Gzip(bytes));
  }
  WEIR_TRY(const Store checker, Open(account, Cancellation(), Purpose::kCommit));
  WEIR_TRY(ReplaceOutcome outcome, Put(store, checker, name, bytes, checks));
  if (!std::holds_alternative<Replaced>(outcome)) return outcome;
  VersionedMetadata written{std::make_shared<const TableMetadata>(next), metadata_location_ + "/" + name,
                            version};
  if (files_go_away) {
    outcome = Settle(checker, base, written);
    if (!std::holds_alternative<Replaced>(outcome)) return outcome;
  }
  WriteHint(checker, name, version, files_go_away);
  return ReplaceOutcome(Replaced{std::move(written)});
}

ReplaceOutcome HadoopCommitter::Settle(const Store& checker, const std::optional<VersionedMetadata>& base,
                                       const VersionedMetadata& written) const {
  const auto unknown = [&](const Error& error) {
    return ReplaceOutcome(NotKnown{fmt::format("{}: {}", written.file, error.ToString())});
  };
  auto highest = HighestListed(checker);
  if (!highest) return unknown(highest.error());
  if (*highest <= written.version) return Replaced();
  auto newest = ReadVersion(checker, *highest);
  if (!newest) return unknown(newest.error());
  switch (Contains(**newest, base, written)) {
    case Contained::kYes:
      return Replaced();
    case Contained::kUnknown:
      return unknown(Unavailable("version {} does not tell whether it has it", *highest));
    case Contained::kNo:
      break;
  }
  const auto path = PathOf(written.file.substr(written.file.rfind('/') + 1));
  if (!path) return unknown(path.error());
  const Status removed = checker.Delete(std::vector<std::string>{*path});
  if (!removed) return unknown(removed.error());
  return LostRace();
}

Result<ReplaceOutcome> HadoopCommitter::Put(const Store& store, const Store& checker, const std::string& name,
                                            const std::string& bytes, int64_t checks) const {
  WEIR_TRY(const std::string path, PathOf(name));
  std::string reason;
  bool in_doubt = false;  // Whether an attempt may have arrived, or may arrive yet.
  for (int64_t attempt = 0; attempt <= std::clamp<int64_t>(checks, 0, kMostStatusChecks); ++attempt) {
    auto put = store.Put(path, AsBytes(bytes), PutIf::Absent());
    if (put) return ReplaceOutcome(Replaced());
    const ErrorCode code = put.error().code();
    const bool exists = code == ErrorCode::kExists;
    // A request that was cut short may have arrived.
    const bool cancelled = code == ErrorCode::kCancelled && !in_doubt;
    in_doubt = in_doubt || OutcomeUnknown(put.error()) || cancelled;
    if (!exists && !in_doubt) return std::move(put).error();
    reason = put.error().ToString();
    // Even "exists" may be our own work: an attempt below us may have succeeded and lost its answer.
    auto found = checker.ReadAll(path);
    if (found) return *found == bytes ? ReplaceOutcome(Replaced()) : ReplaceOutcome(LostRace());
    const bool absent = found.error().code() == ErrorCode::kNotFound;
    if (absent && cancelled) return std::move(put).error();
    if (!absent) reason = found.error().ToString();
    // What was in doubt before stays so: an attempt that is still on its way may arrive.
    if (store.cancellation().requested()) break;
  }
  return ReplaceOutcome(NotKnown{fmt::format("{}: {}", path, reason)});
}

void HadoopCommitter::WriteHint(const Store& store, const std::string& name, int64_t version,
                                bool files_go_away) const {
  // From a hint that lags behind, readers look upwards; not across versions that are gone.
  if (files_go_away) {
    const auto hint = ReadHint(store);
    if (!hint || *hint >= version) return;
  }
  // The commit is done; without the hint readers look a little longer.
  const auto checksum = PathOf(std::string(kHintChecksum));
  const auto hint = PathOf(std::string(kHint));
  const auto metadata = PathOf(name);
  if (!checksum || !hint || !metadata) return;
  if (!store.Delete(std::vector<std::string>{*checksum})) return;
  if (!store.Put(*hint, AsBytes(fmt::to_string(version)), PutIf::Always())) return;
  // A table that was dropped meanwhile must not be left with a hint that leads nowhere.
  const auto written = store.Exists(*metadata);
  if (written && !*written) static_cast<void>(store.Delete(std::vector<std::string>{*hint}));
}

}  // namespace weir::iceberg

#include "session/conf.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "base/ascii.h"
#include "type/time_zone.h"

namespace weir::session {
namespace {

constexpr std::string_view kTimeZoneKey = "spark.sql.session.timeZone";

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

const KnownKey* FindKnown(std::string_view key) {
  for (const KnownKey& known : KnownKeys()) {
    if (known.key == key) return &known;
  }
  return nullptr;
}

Error BadValue(std::string_view kind, std::string_view key, std::string_view value, std::string_view why) {
  return Invalid("'{}' is not a value of {}: {}", value, key, why)
      .WithCondition({fmt::format("INVALID_CONF_VALUE.{}", kind),
                      "22022",
                      {{"confValue", std::string(value)}, {"confName", std::string(key)}},
                      std::nullopt,
                      ""});
}

bool IsTimeZone(std::string_view zone) { return TimeZone::Find(zone).has_value(); }

Status CheckValue(std::string_view key, std::string_view value) {
  const KnownKey* known = FindKnown(key);
  if (known == nullptr) return {};
  switch (known->kind) {
    case KnownKey::Kind::kText:
      return {};
    case KnownKey::Kind::kBoolean:
      if (const std::string lower = AsciiLower(Trimmed(value)); lower == "true" || lower == "false")
        return {};
      return BadValue("TYPE_MISMATCH", key, value, "expected true or false");
    case KnownKey::Kind::kInteger: {
      const std::string_view digits = Trimmed(value);
      int64_t number = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (error == std::errc() && end == digits.data() + digits.size()) return {};
      return BadValue("TYPE_MISMATCH", key, value, "expected a whole number");
    }
    case KnownKey::Kind::kOverwriteMode:
      if (const std::string lower = AsciiLower(value); lower == "static" || lower == "dynamic") return {};
      return BadValue("OUT_OF_RANGE_OF_OPTIONS", key, value, "expected STATIC or DYNAMIC");
    case KnownKey::Kind::kOnlyDefault:
      if (AsciiLower(Trimmed(value)) == AsciiLower(known->default_value)) return {};
      return Unsupported("{} = {} is not implemented, only {}", key, value, known->default_value);
    case KnownKey::Kind::kTimeZone:
      if (IsTimeZone(value)) return {};
      return BadValue("TIME_ZONE", key, value, "there is no such time zone");
  }
  return {};
}

bool IsStatic(std::string_view key) {
  constexpr std::array kStatic = {"spark.sql.warehouse.dir", "spark.sql.extensions",
                                  "spark.sql.catalogImplementation", "spark.sql.globalTempDatabase",
                                  "spark.sql.queryExecutionListeners"};
  return std::find(kStatic.begin(), kStatic.end(), key) != kStatic.end();
}

bool IsOfTheCluster(std::string_view key) {
  constexpr std::array kPrefixes = {"spark.executor.", "spark.driver.", "spark.memory.", "spark.master",
                                    "spark.jars"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return key.starts_with(prefix); });
}

Error CannotModify(std::string_view condition, std::string_view key, std::string message) {
  return Error(ErrorCode::kInvalid, std::move(message))
      .WithCondition(
          {std::string(condition), "46110", {{"key", fmt::format("\"{}\"", key)}}, std::nullopt, ""});
}

/// As Spark reads a size: whole numbers of MiB, or with a unit of 1024s.
std::optional<uint64_t> SizeBytes(std::string_view text) {
  const std::string lower = AsciiLower(Trimmed(text));
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(lower.data(), lower.data() + lower.size(), number);
  if (error != std::errc()) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, int>, 11> kUnits = {{{"", 20},
                                                                        {"b", 0},
                                                                        {"k", 10},
                                                                        {"kb", 10},
                                                                        {"m", 20},
                                                                        {"mb", 20},
                                                                        {"g", 30},
                                                                        {"gb", 30},
                                                                        {"t", 40},
                                                                        {"tb", 40},
                                                                        {"p", 50}}};
  const std::string_view unit(end, static_cast<size_t>(lower.data() + lower.size() - end));
  for (const auto& [name, shift] : kUnits) {
    if (unit != name) continue;
    if (number > (uint64_t{1} << 62) >> shift) return std::nullopt;
    return number << shift;
  }
  return std::nullopt;
}

std::string LocalTimeZone() {
  const char* zone = std::getenv("TZ");
  return zone != nullptr && IsTimeZone(zone) ? zone : "UTC";
}

}  // namespace

const std::vector<KnownKey>& KnownKeys() {
  using Kind = KnownKey::Kind;
  static const auto& keys = *new std::vector<KnownKey>{
      {"spark.sql.ansi.doubleQuotedIdentifiers", "false", Kind::kOnlyDefault},
      {"spark.sql.ansi.enabled", "true", Kind::kBoolean},
      {"spark.sql.ansi.enforceReservedKeywords", "false", Kind::kOnlyDefault},
      {"spark.sql.ansi.relationPrecedence", "false", Kind::kOnlyDefault},
      {"spark.sql.caseSensitive", "false", Kind::kOnlyDefault},
      {"spark.sql.charAsVarchar", "false", Kind::kOnlyDefault},
      {"spark.sql.decimalOperations.allowPrecisionLoss", "true", Kind::kOnlyDefault},
      {"spark.sql.defaultCatalog", "spark_catalog", Kind::kText},
      {"spark.sql.execution.arrow.maxRecordsPerBatch", "10000", Kind::kInteger},
      {"spark.sql.execution.arrow.pyspark.selfDestruct.enabled", "false", Kind::kBoolean},
      {"spark.sql.execution.arrow.useLargeVarTypes", "false", Kind::kOnlyDefault},
      {"spark.sql.execution.pandas.convertToArrowArraySafely", "true", Kind::kBoolean},
      {"spark.sql.execution.pandas.inferPandasDictAsMap", "false", Kind::kBoolean},
      {"spark.sql.execution.pandas.structHandlingMode", "legacy", Kind::kText},
      {"spark.sql.groupByAliases", "true", Kind::kOnlyDefault},
      {"spark.sql.groupByOrdinal", "true", Kind::kOnlyDefault},
      {"spark.sql.lateralColumnAlias.enableImplicitResolution", "true", Kind::kOnlyDefault},
      {"spark.sql.legacy.allowHashOnMapType", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.bangEqualsNot", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.castComplexTypesToString.enabled", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.charVarcharAsString", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.codingErrorAction", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.consecutiveStringLiterals.enabled", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.ctePrecedencePolicy", "CORRECTED", Kind::kOnlyDefault},
      {"spark.sql.legacy.disableMapKeyNormalization", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.doLooseUpcast", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.duplicateBetweenInput", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.exponentLiteralAsDecimal.enabled", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.followThreeValuedLogicInArrayExists", "true", Kind::kOnlyDefault},
      {"spark.sql.legacy.fromDayTimeString.enabled", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.inSubqueryNullability", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.integerGroupingId", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.interval.enabled", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.javaCharsets", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.literal.pickMinimumPrecision", "true", Kind::kOnlyDefault},
      {"spark.sql.legacy.negativeIndexInArrayInsert", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.parser.havingWithoutGroupByAsWhere", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.percentileDiscCalculation", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.scalarSubqueryCountBugBehavior", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.setopsPrecedence.enabled", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.sizeOfNull", "true", Kind::kOnlyDefault},
      {"spark.sql.legacy.statisticalAggregate", "false", Kind::kOnlyDefault},
      {"spark.sql.legacy.timeParserPolicy", "CORRECTED", Kind::kOnlyDefault},
      {"spark.sql.mapKeyDedupPolicy", "EXCEPTION", Kind::kOnlyDefault},
      {"spark.sql.orderByOrdinal", "true", Kind::kOnlyDefault},
      {"spark.sql.parser.escapedStringLiterals", "false", Kind::kOnlyDefault},
      {"spark.sql.parser.quotedRegexColumnNames", "false", Kind::kOnlyDefault},
      {"spark.sql.pyspark.inferNestedDictAsStruct.enabled", "false", Kind::kBoolean},
      {"spark.sql.pyspark.legacy.inferArrayTypeFromFirstElement.enabled", "false", Kind::kBoolean},
      {"spark.sql.pyspark.legacy.inferMapTypeFromFirstPair.enabled", "false", Kind::kBoolean},
      {"spark.sql.repl.eagerEval.enabled", "false", Kind::kBoolean},
      {"spark.sql.repl.eagerEval.maxNumRows", "20", Kind::kInteger},
      {"spark.sql.repl.eagerEval.truncate", "20", Kind::kInteger},
      {"spark.sql.session.localRelationBatchOfChunksSizeBytes", "1073741824", Kind::kInteger},
      {"spark.sql.session.localRelationCacheThreshold", "1048576", Kind::kInteger},
      {"spark.sql.session.localRelationChunkSizeBytes", "16777216", Kind::kInteger},
      {"spark.sql.session.localRelationChunkSizeRows", "10000", Kind::kInteger},
      {"spark.sql.session.localRelationSizeLimit", "3221225472b", Kind::kText},
      {kTimeZoneKey, "", Kind::kTimeZone},
      {"spark.sql.shuffle.partitions", "200", Kind::kInteger},
      {"spark.sql.sources.partitionOverwriteMode", "STATIC", Kind::kOverwriteMode},
      {"spark.sql.storeAssignmentPolicy", "ANSI", Kind::kOnlyDefault},
      {"spark.sql.timestampType", "TIMESTAMP_LTZ", Kind::kOnlyDefault},
      {"spark.weir.pruning.files", "true", Kind::kBoolean},
      {"spark.weir.pruning.keys", "true", Kind::kBoolean},
      {"spark.weir.pruning.pages", "true", Kind::kBoolean},
      {"spark.weir.pruning.rowGroups", "true", Kind::kBoolean},
  };
  return keys;
}

Result<Conf> Conf::Make(const ConfMap& initial) {
  for (const auto& [key, value] : initial) WEIR_DO(CheckValue(key, value));
  Conf conf;
  conf.initial_ = initial;
  conf.values_ = initial;
  return conf;
}

Status Conf::Set(std::string_view key, std::string_view value) {
  if (IsStatic(key)) {
    return CannotModify("CANNOT_MODIFY_STATIC_CONFIG", key,
                        fmt::format("{} can only be set before the session starts", key));
  }
  if (IsOfTheCluster(key)) {
    return CannotModify("CANNOT_MODIFY_CONFIG", key,
                        fmt::format("{} belongs to the program's start, not to the session", key));
  }
  WEIR_DO(CheckValue(key, value));
  values_[std::string(key)] = value;
  return {};
}

bool Conf::IsModifiable(std::string_view key) { return !IsStatic(key) && !IsOfTheCluster(key); }

void Conf::Reset(std::string_view key) {
  if (const auto it = initial_.find(key); it != initial_.end()) {
    values_[it->first] = it->second;
  } else if (const auto set = values_.find(key); set != values_.end()) {
    values_.erase(set);
  }
}

void Conf::ResetAll() { values_ = initial_; }

std::optional<std::string> Conf::Get(std::string_view key) const {
  if (const auto it = values_.find(key); it != values_.end()) return it->second;
  if (key == kTimeZoneKey) return LocalTimeZone();
  if (const KnownKey* known = FindKnown(key)) return std::string(known->default_value);
  return std::nullopt;
}

bool Conf::Flag(std::string_view key) const {
  return AsciiLower(Trimmed(Get(key).value_or("false"))) == "true";
}

Semantics Conf::semantics() const {
  Semantics semantics;
  semantics.ansi = Flag("spark.sql.ansi.enabled");
  semantics.time_zone = *Get(kTimeZoneKey);
  return semantics;
}

Result<exec::EngineOptions> Conf::EngineFrom(exec::EngineOptions base) const {
  constexpr uint64_t kLeastMemoryBytes = 64ull << 20;
  if (const std::optional<std::string> memory = Get(exec::kMemoryKey)) {
    const std::optional<uint64_t> bytes = SizeBytes(*memory);
    if (!bytes) {
      return BadValue("TYPE_MISMATCH", exec::kMemoryKey, *memory, "expected a size such as 512m or 2g");
    }
    if (*bytes < kLeastMemoryBytes) {
      return BadValue("REQUIREMENT", exec::kMemoryKey, *memory, "expected 64m or more");
    }
    base.memory_limit_bytes = *bytes;
  }
  if (const std::optional<std::string> folders = Get(exec::kSpillKey)) {
    base.spill_directory = Trimmed(folders->substr(0, folders->find(',')));
  }
  return base;
}

ops::PruningSwitches Conf::pruning() const {
  ops::PruningSwitches pruning;
  pruning.files = Flag("spark.weir.pruning.files");
  pruning.keys = Flag("spark.weir.pruning.keys");
  pruning.pages = Flag("spark.weir.pruning.pages");
  pruning.row_groups = Flag("spark.weir.pruning.rowGroups");
  return pruning;
}

bool Conf::DynamicPartitionOverwrite() const {
  return AsciiLower(*Get("spark.sql.sources.partitionOverwriteMode")) == "dynamic";
}

}  // namespace weir::session

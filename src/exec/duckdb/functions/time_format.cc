#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/date_pattern.h"
#include "exec/duckdb/functions/kernel.h"

namespace weir::exec {

namespace {

using duckdb::DataChunk;
using duckdb::LogicalType;
using duckdb::string_t;
using duckdb::Vector;
using Use = DatePattern::Use;

/// The pattern of each row, compiled when it changes: nearly always once a chunk.
class Patterns {
 public:
  explicit Patterns(Use use) : use_(use) {}
  const DatePattern& Get(std::string_view text) {
    if (!current_ || text != text_) {
      current_ = ValueOrThrow(DatePattern::Compile(text, use_));
      text_ = text;
    }
    return *current_;
  }

 private:
  Use use_;
  std::string text_;
  std::optional<DatePattern> current_;
};

/// weir_format_time(timestamp, pattern, zone, marker).
Kernel Format(const KernelCall& call) {
  const std::string name = call.Text(2);
  const auto zone = ValueOrThrow(TimeZone::Find(name));
  return {LogicalType::VARCHAR, [zone, name](DataChunk& arguments, Vector& result) {
            Patterns patterns(Use::kFormat);
            MapRows<string_t, int64_t, string_t>(
                arguments, result, [&](int64_t micros, std::string_view pattern) {
                  return ValueOrThrow(patterns.Get(pattern).Format(micros, *zone, name));
                });
          }};
}

/// weir_parse_time(text, pattern, ansi, zone, marker).
Kernel Parse(const KernelCall& call) {
  const bool ansi = call.Integer(2) != 0;
  const auto zone = ValueOrThrow(TimeZone::Find(call.Text(3)));
  return {LogicalType::TIMESTAMP_TZ, [zone, ansi](DataChunk& arguments, Vector& result) {
            Patterns patterns(Use::kParse);
            MapRows<int64_t, string_t, string_t>(
                arguments, result,
                [&](std::string_view text, std::string_view pattern) -> std::optional<int64_t> {
                  const auto micros = patterns.Get(pattern).Parse(text, *zone);
                  if (!micros && ansi) {
                    Throw(CannotParseTimestamp(fmt::format("'{}' does not match '{}'", text, pattern)));
                  }
                  return micros;
                });
          }};
}

}  // namespace

std::vector<KernelEntry> TimeFormatKernels() {
  return {{"weir_format_time", Format}, {"weir_parse_time", Parse}};
}

}  // namespace weir::exec

#include <re2/re2.h>

#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/code_points.h"
#include "exec/duckdb/functions/java_regex.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::string_t;
using std::string;
using std::string_view;

/// The pattern of each row, compiled when it changes: nearly always once a chunk.
class Patterns {
 public:
  explicit Patterns(string_view function) : function_(function) {}
  /// Throws for a text that RE2 would read otherwise than Java.
  const re2::RE2& For(string_view text, string_view pattern) {
    if (!current_ || pattern != pattern_) {
      current_ = ValueOrThrow(CompileJavaRegex(pattern, function_));
      pattern_ = pattern;
    }
    CheckOrThrow(current_->Check(text));
    return current_->re2();
  }

 private:
  string_view function_;
  string pattern_;
  std::optional<JavaRegex> current_;
};

re2::StringPiece Piece(string_view text) { return {text.data(), text.size()}; }

/// The next match at or behind `from`.
bool FindFrom(const re2::RE2& regex, string_view text, size_t from, std::vector<re2::StringPiece>& groups) {
  return regex.Match(Piece(text), from, text.size(), re2::RE2::UNANCHORED, groups.data(),
                     static_cast<int>(groups.size()));
}

std::vector<re2::StringPiece> GroupsOf(const re2::RE2& regex) {
  return std::vector<re2::StringPiece>(static_cast<size_t>(regex.NumberOfCapturingGroups()) + 1);
}

/// Behind an empty match the search goes on one code point later.
size_t After(string_view text, const re2::StringPiece& match) {
  const size_t end = static_cast<size_t>(match.data() - text.data()) + match.size();
  if (match.size() > 0) return end;
  return end < text.size() ? end + CodePointBytes(text, end) : end + 1;
}

Kernel Rlike(const KernelCall&) {
  return {LogicalType::BOOLEAN, [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
            Patterns patterns("rlike");
            MapRows<bool, string_t, string_t>(arguments, result, [&](string_view text, string_view pattern) {
              return re2::RE2::PartialMatch(Piece(text), patterns.For(text, pattern));
            });
          }};
}

/// The replacement is read when there is something to replace: until then it may be broken.
string ReplaceAll(const re2::RE2& regex, string_view text, string_view replacement) {
  string out;
  auto groups = GroupsOf(regex);
  std::vector<ReplacementPiece> pieces;
  size_t copied = 0;
  for (size_t from = 0; from <= text.size() && FindFrom(regex, text, from, groups);) {
    if (pieces.empty()) pieces = ValueOrThrow(ParseReplacement(replacement, regex));
    const auto at = static_cast<size_t>(groups[0].data() - text.data());
    out.append(text.substr(copied, at - copied));
    for (const ReplacementPiece& piece : pieces) {
      out += piece.group < 0 ? string_view(piece.text)
                             : string_view(groups[piece.group].data(), groups[piece.group].size());
    }
    copied = at + groups[0].size();
    from = After(text, groups[0]);
  }
  return out.append(text.substr(copied));
}

/// weir_regexp_replace(text, pattern, replacement, position, marker).
Kernel Replace(const KernelCall&) {
  return {
      LogicalType::VARCHAR, [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        Patterns patterns("regexp_replace");
        MapRows<string_t, string_t, string_t, string_t, int32_t>(
            arguments, result,
            [&](string_view text, string_view pattern, string_view replacement, int32_t position) {
              const re2::RE2& regex = patterns.For(text, pattern);
              if (position < 1) {
                Throw(InvalidParameterValue("regexp_replace", "position", "a positive number", "POSITION"));
              }
              const size_t start = OffsetOf(text, position - 1);
              if (position > 1 && start >= text.size()) return string(text);
              // For the pattern the text begins at the position.
              return string(text.substr(0, start)) + ReplaceAll(regex, text.substr(start), replacement);
            });
      }};
}

/// weir_regexp_extract(text, pattern, group, marker).
Kernel Extract(const KernelCall&) {
  return {LogicalType::VARCHAR, [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
            Patterns patterns("regexp_extract");
            MapRows<string_t, string_t, string_t, int32_t>(
                arguments, result, [&](string_view text, string_view pattern, int32_t group) {
                  const re2::RE2& regex = patterns.For(text, pattern);
                  auto groups = GroupsOf(regex);
                  if (group < 0 || group >= static_cast<int32_t>(groups.size())) {
                    Throw(InvalidParameterValue(
                        "regexp_extract", "idx",
                        fmt::format("a group from 0 to {}, not {}", groups.size() - 1, group),
                        "REGEX_GROUP_INDEX"));
                  }
                  if (!FindFrom(regex, text, 0, groups)) return string();
                  return string(groups[group].data(), groups[group].size());
                });
          }};
}

/// Spark splits an empty pattern into characters; Java's rules decide the rest: no empty piece in front of an
/// empty match at the start, and the last of `limit` pieces keeps what is left.
std::vector<string_view> Split(const re2::RE2& regex, string_view text, string_view pattern, int32_t limit) {
  std::vector<string_view> pieces;
  if (pattern.empty() && !text.empty()) {
    for (size_t at = 0; at < text.size();) {
      const bool last = limit > 0 && static_cast<int32_t>(pieces.size()) + 1 == limit;
      const size_t bytes = last ? text.size() - at : CodePointBytes(text, at);
      pieces.push_back(text.substr(at, bytes));
      at += bytes;
    }
    return pieces;
  }
  auto groups = GroupsOf(regex);
  size_t copied = 0;
  for (size_t from = 0; from <= text.size() && FindFrom(regex, text, from, groups);) {
    if (limit > 0 && static_cast<int32_t>(pieces.size()) + 1 == limit) break;
    const auto at = static_cast<size_t>(groups[0].data() - text.data());
    from = After(text, groups[0]);
    if (at == 0 && groups[0].size() == 0) continue;
    pieces.push_back(text.substr(copied, at - copied));
    copied = at + groups[0].size();
  }
  pieces.push_back(text.substr(copied));
  return pieces;
}

/// weir_split(text, pattern, limit, marker).
Kernel Splitting(const KernelCall&) {
  return {LogicalType::LIST(LogicalType::VARCHAR), [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
            const duckdb::idx_t count = arguments.size();
            Patterns patterns("split");
            Rows<string_t> texts(arguments.data[0], count), regexes(arguments.data[1], count);
            Rows<int32_t> limits(arguments.data[2], count);
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            auto* entries = duckdb::FlatVector::GetData<duckdb::list_entry_t>(result);
            for (duckdb::idx_t row = 0; row < count; ++row) {
              if (texts.IsNull(row) || regexes.IsNull(row) || limits.IsNull(row)) {
                duckdb::FlatVector::SetNull(result, row, true);
                continue;
              }
              const string_view pattern = View(regexes[row]);
              const duckdb::idx_t start = duckdb::ListVector::GetListSize(result);
              for (string_view piece :
                   Split(patterns.For(View(texts[row]), pattern), View(texts[row]), pattern, limits[row])) {
                duckdb::ListVector::PushBack(result, duckdb::Value(string(piece)));
              }
              entries[row] = {start, duckdb::ListVector::GetListSize(result) - start};
            }
          }};
}

template <const char* kKernel>
Result<ParsedPtr> WithPattern(const CallSite& site, ParsedList arguments) {
  // A pattern that cannot work is refused before a row is read.
  if (const Scalar* pattern = site.call.args[1]->As<Scalar>(); pattern != nullptr && !pattern->is_null()) {
    WEIR_DO([&]() -> Status {
      Result<JavaRegex> compiled = CompileJavaRegex(pattern->text(), site.call.function->name);
      if (!compiled && compiled.error().code() == ErrorCode::kUnsupported) return std::move(compiled).error();
      return {};
    }());
  }
  return CallKernel(site, kKernel, std::move(arguments));
}
constexpr char kRlike[] = "weir_rlike", kReplace[] = "weir_regexp_replace",
               kExtract[] = "weir_regexp_extract", kSplit[] = "weir_split";

}  // namespace

std::vector<KernelEntry> RegexKernels() {
  return {{kRlike, Rlike}, {kReplace, Replace}, {kExtract, Extract}, {kSplit, Splitting}};
}

std::vector<FunctionLowering> RegexLowerings() {
  return {{"rlike", WithPattern<kRlike>},
          {"regexp_replace", WithPattern<kReplace>},
          {"regexp_extract", WithPattern<kExtract>},
          {"split", WithPattern<kSplit>}};
}

}  // namespace weir::exec

#include <algorithm>
#include <limits>
#include <string>

#include "base/utf8.h"
#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/code_points.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/types.h"
#include "expr/like_pattern.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::string_t;
using duckdb::Value;
using std::string;
using std::string_view;

bool IsBlob(const KernelCall& call) { return call.types[0].id() == LogicalTypeId::BLOB; }

// ---- length, case, trimming -----------------------------------------------------------------------------

Kernel Length(const KernelCall& call) {
  if (IsBlob(call)) {
    return Mapping<int32_t, string_t>(LogicalType::INTEGER, [](string_view text) { return text.size(); });
  }
  return Mapping<int32_t, string_t>(LogicalType::INTEGER,
                                    [](string_view text) { return CodePointCount(text); });
}

template <int kFactor>
Kernel Bytes(const KernelCall&) {
  return Mapping<int32_t, string_t>(LogicalType::INTEGER,
                                    [](string_view text) { return text.size() * kFactor; });
}

template <string (*kFunction)(string_view)>
Kernel TextToText(const KernelCall&) {
  return Mapping<string_t, string_t>(LogicalType::VARCHAR, kFunction);
}

bool Holds(string_view characters, string_view one) {
  for (size_t at = 0; at < characters.size(); at += CodePointBytes(characters, at)) {
    if (characters.substr(at, CodePointBytes(characters, at)) == one) return true;
  }
  return false;
}

string_view Trim(string_view text, string_view characters, bool left, bool right) {
  while (left && !text.empty()) {
    const string_view first = text.substr(0, CodePointBytes(text, 0));
    if (!Holds(characters, first)) break;
    text.remove_prefix(first.size());
  }
  while (right && !text.empty()) {
    size_t start = text.size() - 1;
    while (start > 0 && ContinuesUtf8(text[start])) --start;
    if (!Holds(characters, text.substr(start))) break;
    text = text.substr(0, start);
  }
  return text;
}

/// weir_trim(text, characters, sides, marker); sides: 1 left, 2 right, 3 both.
Kernel Trimming(const KernelCall& call) {
  const int64_t sides = call.Integer(2);
  return Mapping<string_t, string_t, string_t>(
      LogicalType::VARCHAR, [sides](string_view text, string_view characters) {
        return Trim(text, characters, (sides & 1) != 0, (sides & 2) != 0);
      });
}

// ---- parts ----------------------------------------------------------------------------------------------

struct Part {
  int64_t start;
  int64_t end;
};

/// The half-open range that SQL's position (from 1, or from the end when negative) and length mean.
Part PartOf(int64_t position, int64_t length, int64_t count) {
  int64_t start = 0;
  if (position > 0) start = position - 1;
  if (position < 0) start = count + position;
  const int64_t end = std::clamp<int64_t>(start + length, std::numeric_limits<int32_t>::min(),
                                          std::numeric_limits<int32_t>::max());
  return {start, end};
}

string_view SubBytes(string_view bytes, int64_t start, int64_t end) {
  const auto size = static_cast<int64_t>(bytes.size());
  start = std::clamp<int64_t>(start, 0, size);
  end = std::clamp<int64_t>(end, 0, size);
  return end <= start ? string_view() : bytes.substr(start, end - start);
}

Kernel Substring(const KernelCall& call) {
  if (IsBlob(call)) {
    return Mapping<string_t, string_t, int32_t, int32_t>(
        LogicalType::BLOB, [](string_view bytes, int32_t position, int32_t length) {
          const Part part = PartOf(position, length, static_cast<int64_t>(bytes.size()));
          return SubBytes(bytes, part.start, part.end);
        });
  }
  return Mapping<string_t, string_t, int32_t, int32_t>(
      LogicalType::VARCHAR, [](string_view text, int32_t position, int32_t length) {
        const Part part = PartOf(position, length, position < 0 ? CodePointCount(text) : 0);
        return SubText(text, part.start, part.end);
      });
}

Kernel Left(const KernelCall& call) {
  if (IsBlob(call)) {
    return Mapping<string_t, string_t, int32_t>(
        LogicalType::BLOB, [](string_view bytes, int32_t length) { return SubBytes(bytes, 0, length); });
  }
  return Mapping<string_t, string_t, int32_t>(
      LogicalType::VARCHAR, [](string_view text, int32_t length) { return SubText(text, 0, length); });
}

Kernel Right(const KernelCall&) {
  return Mapping<string_t, string_t, int32_t>(LogicalType::VARCHAR, [](string_view text, int32_t length) {
    if (length <= 0) return string_view();
    const int64_t count = CodePointCount(text);
    return SubText(text, count - length, count);
  });
}

/// Everything in front of the `count`-th delimiter, or behind the `-count`-th from the end.
string_view SubstringIndex(string_view text, string_view delimiter, int32_t count) {
  if (delimiter.empty() || count == 0) return {};
  if (count > 0) {
    size_t at = string_view::npos;
    for (; count > 0; --count) {
      at = text.find(delimiter, at == string_view::npos ? 0 : at + 1);
      if (at == string_view::npos) return text;
    }
    return text.substr(0, at);
  }
  size_t at = text.size() + 1;
  for (int64_t left = -static_cast<int64_t>(count); left > 0; --left) {
    if (at == 0) return text;
    at = text.rfind(delimiter, at - 1);
    if (at == string_view::npos) return text;
  }
  return text.substr(at + delimiter.size());
}

Kernel SubstringBefore(const KernelCall&) {
  return Mapping<string_t, string_t, string_t, int32_t>(LogicalType::VARCHAR, SubstringIndex);
}

// ---- building -------------------------------------------------------------------------------------------

constexpr size_t kMaxTextBytes = std::numeric_limits<int32_t>::max() - 15;

string Repeat(string_view text, int32_t times) {
  if (times <= 0 || text.empty()) return {};
  if (text.size() > kMaxTextBytes / static_cast<size_t>(times)) {
    Throw(Invalid("repeat: a text of {} bytes {} times is longer than {} bytes", text.size(), times,
                  kMaxTextBytes));
  }
  string out;
  out.reserve(text.size() * static_cast<size_t>(times));
  for (int32_t i = 0; i < times; ++i) out += text;
  return out;
}
Kernel Repeating(const KernelCall&) {
  return Mapping<string_t, string_t, int32_t>(LogicalType::VARCHAR, Repeat);
}

string Padding(string_view pad, int64_t count) {
  string out;
  if (pad.empty()) return out;
  const int64_t each = CodePointCount(pad);
  if (static_cast<size_t>(count / each + 1) > kMaxTextBytes / pad.size()) {
    Throw(Invalid("lpad, rpad: {} characters are more than a text holds", count));
  }
  for (; count >= each; count -= each) out += pad;
  return out.append(SubText(pad, 0, count));
}

template <bool kLeft>
Kernel Pad(const KernelCall&) {
  return Mapping<string_t, string_t, int32_t, string_t>(
      LogicalType::VARCHAR, [](string_view text, int32_t length, string_view pad) {
        const int64_t missing = length - CodePointCount(text);
        if (missing <= 0) return string(SubText(text, 0, length));
        const string filler = Padding(pad, missing);
        return kLeft ? filler + string(text) : string(text) + filler;
      });
}

string ReverseText(string_view text) {
  string out(text.size(), '\0');
  size_t to = text.size();
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = CodePointBytes(text, at);
    to -= bytes;
    text.copy(out.data() + to, bytes, at);
    at += bytes;
  }
  return out;
}

string Replace(string_view text, string_view search, string_view replacement) {
  if (search.empty()) return string(text);
  string out;
  size_t from = 0;
  for (size_t at; (at = text.find(search, from)) != string_view::npos; from = at + search.size()) {
    out.append(text.substr(from, at - from)).append(replacement);
  }
  return out.append(text.substr(from));
}
Kernel Replacing(const KernelCall&) {
  return Mapping<string_t, string_t, string_t, string_t>(LogicalType::VARCHAR, Replace);
}

string Translate(string_view text, string_view from, string_view to) {
  string out;
  for (size_t at = 0; at < text.size();) {
    const string_view one = text.substr(at, CodePointBytes(text, at));
    at += one.size();
    int64_t index = 0;
    size_t place = 0;
    while (place < from.size() && from.substr(place, CodePointBytes(from, place)) != one) {
      place += CodePointBytes(from, place);
      ++index;
    }
    if (place >= from.size()) {
      out += one;
    } else {
      out += SubText(to, index, index + 1);  // Nothing when `to` is shorter: the character goes.
    }
  }
  return out;
}
Kernel Translating(const KernelCall&) {
  return Mapping<string_t, string_t, string_t, string_t>(LogicalType::VARCHAR, Translate);
}

/// Appends the texts of one argument of concat_ws: a text, or an array of texts; NULLs are skipped.
class Joiner {
 public:
  Joiner(duckdb::Vector& vector, duckdb::idx_t count)
      : is_list_(vector.GetType().id() == LogicalTypeId::LIST) {
    vector.ToUnifiedFormat(count, format_);
    if (!is_list_) return;
    duckdb::Vector& child = duckdb::ListVector::GetEntry(vector);
    child.ToUnifiedFormat(duckdb::ListVector::GetListSize(vector), child_);
  }
  void Append(duckdb::idx_t row, string_view separator, bool& first, string& out) const {
    const duckdb::idx_t at = format_.sel->get_index(row);
    if (!format_.validity.RowIsValid(at)) return;
    if (!is_list_)
      return One(View(reinterpret_cast<const string_t*>(format_.data)[at]), separator, first, out);
    const auto& entry = reinterpret_cast<const duckdb::list_entry_t*>(format_.data)[at];
    for (duckdb::idx_t i = entry.offset; i < entry.offset + entry.length; ++i) {
      const duckdb::idx_t element = child_.sel->get_index(i);
      if (!child_.validity.RowIsValid(element)) continue;
      One(View(reinterpret_cast<const string_t*>(child_.data)[element]), separator, first, out);
    }
  }

 private:
  static void One(string_view text, string_view separator, bool& first, string& out) {
    if (!first) out += separator;
    first = false;
    out += text;
  }
  bool is_list_;
  duckdb::UnifiedVectorFormat format_, child_;
};

/// weir_concat_ws(separator, parts..., marker).
Kernel ConcatWithSeparator(const KernelCall&) {
  return {LogicalType::VARCHAR, [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
            const duckdb::idx_t count = arguments.size();
            Rows<string_t> separators(arguments.data[0], count);
            std::vector<Joiner> parts;
            for (duckdb::idx_t i = 1; i + 1 < arguments.ColumnCount(); ++i)
              parts.emplace_back(arguments.data[i], count);
            result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
            for (duckdb::idx_t row = 0; row < count; ++row) {
              if (separators.IsNull(row)) {
                duckdb::FlatVector::SetNull(result, row, true);
                continue;
              }
              string out;
              bool first = true;
              for (const Joiner& part : parts) part.Append(row, View(separators[row]), first, out);
              detail::Store<string_t>(result, row, out);
            }
          }};
}

// ---- searching ------------------------------------------------------------------------------------------

/// The place of `part` from code point `start` (from 0), counted from 1; 0 if it is not there. An empty part
/// is at 1.
int32_t PlaceOf(string_view text, string_view part, int64_t start) {
  if (part.empty()) return 1;
  const size_t from = OffsetOf(text, start);
  const size_t at = text.find(part, from);
  if (at == string_view::npos) return 0;
  return static_cast<int32_t>(CodePointCount(text.substr(0, at)) + 1);
}

Kernel Instr(const KernelCall&) {
  return Mapping<int32_t, string_t, string_t>(
      LogicalType::INTEGER, [](string_view text, string_view part) { return PlaceOf(text, part, 0); });
}
Kernel Locate(const KernelCall&) {
  return Mapping<int32_t, string_t, string_t, int32_t>(
      LogicalType::INTEGER, [](string_view part, string_view text, int32_t start) {
        return start < 1 ? 0 : PlaceOf(text, part, start - 1);
      });
}

Kernel Ascii(const KernelCall&) {
  return Mapping<int32_t, string_t>(LogicalType::INTEGER,
                                    [](string_view text) { return text.empty() ? 0 : DecodeAt(text, 0); });
}
Kernel Chr(const KernelCall&) {
  return Mapping<string_t, int64_t>(LogicalType::VARCHAR, [](int64_t code) {
    string out;
    if (code >= 0) AppendUtf8(static_cast<char32_t>(code & 0xFF), out);
    return out;
  });
}

// ---- LIKE -----------------------------------------------------------------------------------------------

/// The escape of LIKE is one ASCII character in Spark's grammar.
char EscapeOf(string_view escape) { return escape.empty() ? '\\' : escape[0]; }

/// weir_like(text, pattern, escape, ignore case, marker). The pattern is parsed when it changes: nearly
/// always once a chunk.
Kernel Like(const KernelCall& call) {
  const bool fold = call.Integer(3) != 0;
  return {LogicalType::BOOLEAN, [fold](duckdb::DataChunk& arguments, duckdb::Vector& result) {
            std::optional<LikePattern> parsed;
            string pattern_text;
            char escape_text = 0;
            MapRows<bool, string_t, string_t, string_t>(
                arguments, result, [&](string_view text, string_view pattern, string_view escape) {
                  if (!parsed || pattern != pattern_text || EscapeOf(escape) != escape_text) {
                    pattern_text = pattern;
                    escape_text = EscapeOf(escape);
                    parsed = ValueOrThrow(
                        LikePattern::Parse(fold ? LowerText(pattern) : pattern_text, escape_text));
                  }
                  return fold ? parsed->Matches(LowerText(text)) : parsed->Matches(text);
                });
          }};
}

// ---- lowering -------------------------------------------------------------------------------------------

/// A kernel without further constants.
constexpr char kLength[] = "weir_length", kOctetLength[] = "weir_octet_length",
               kBitLength[] = "weir_bit_length", kUpper[] = "weir_upper", kLower[] = "weir_lower",
               kInitcap[] = "weir_initcap", kSubstring[] = "weir_substring", kLeft[] = "weir_left",
               kRight[] = "weir_right", kSubstringIndex[] = "weir_substring_index", kRepeat[] = "weir_repeat",
               kLpad[] = "weir_lpad", kRpad[] = "weir_rpad", kReplace[] = "weir_replace",
               kTranslate[] = "weir_translate", kInstr[] = "weir_instr", kAscii[] = "weir_ascii",
               kChr[] = "weir_chr", kStartsWith[] = "starts_with", kEndsWith[] = "suffix",
               kContains[] = "contains", kConcatWs[] = "weir_concat_ws";

/// trim, ltrim, rtrim take the characters first, btrim takes the text first.
template <int kSides, bool kTextFirst>
Result<ParsedPtr> LowerTrim(const CallSite& site, ParsedList arguments) {
  if (arguments.size() == 1) {
    arguments.push_back(Constant(Value(" ")));
  } else if (!kTextFirst) {
    std::swap(arguments[0], arguments[1]);
  }
  arguments.push_back(Constant(Value::INTEGER(kSides)));
  return CallKernel(site, "weir_trim", std::move(arguments));
}

/// NULL for a NULL start only after the texts; Spark gives 0 for it.
Result<ParsedPtr> LowerLocate(const CallSite& site, ParsedList arguments) {
  ParsedPtr start = arguments[2]->Copy();
  WEIR_TRY(ParsedPtr place, CallKernel(site, "weir_locate", std::move(arguments)));
  return IfElse(OperatorOf(duckdb::ExpressionType::OPERATOR_IS_NULL, ListOf(std::move(start))),
                Constant(Value::INTEGER(0)), std::move(place));
}

Result<ParsedPtr> LowerConcat(const CallSite& site, ParsedList arguments) {
  if (arguments.empty()) return Constant(Value(""));
  WEIR_TRY(const LogicalType type, ToDuckType(site.type));
  if (type.id() == LogicalTypeId::LIST) {
    // list_concat skips a NULL list; Spark's concat of it is NULL.
    ParsedList nulls;
    for (const ParsedPtr& argument : arguments) {
      nulls.push_back(OperatorOf(duckdb::ExpressionType::OPERATOR_IS_NULL, ListOf(argument->Copy())));
    }
    return IfElse(AnyOf(std::move(nulls)), TypeMarker(type),
                  CastTo(type, CallOf("list_concat", std::move(arguments))));
  }
  ParsedPtr text = std::move(arguments[0]);
  for (size_t i = 1; i < arguments.size(); ++i) {
    text = CallOf("||", ListOf(std::move(text), std::move(arguments[i])));
  }
  return CastTo(type, std::move(text));
}

Result<ParsedPtr> LowerReverse(const CallSite& site, ParsedList arguments) {
  if (site.type.kind() == TypeKind::kArray) return CallNative(site, "list_reverse", std::move(arguments));
  return CallKernel(site, "weir_reverse", std::move(arguments));
}

template <bool kIgnoreCase>
Result<ParsedPtr> LowerLike(const CallSite& site, ParsedList arguments) {
  const Scalar* pattern = site.call.args[1]->As<Scalar>();
  const Scalar* escape = arguments.size() > 2 ? site.call.args[2]->As<Scalar>() : nullptr;
  const bool constant =
      pattern != nullptr && !pattern->is_null() && (arguments.size() == 2 || escape != nullptr);
  if (arguments.size() == 2) arguments.push_back(Constant(Value("\\")));
  if (constant && !kIgnoreCase) {
    const char escape_text = escape != nullptr ? EscapeOf(escape->text()) : '\\';
    WEIR_TRY([[maybe_unused]] const LikePattern checked, LikePattern::Parse(pattern->text(), escape_text));
    // Without an escape DuckDB knows shortcuts for the plain form.
    if (pattern->text().find(escape_text) == string::npos) {
      arguments.pop_back();
      return CallOf("~~", std::move(arguments));
    }
  }
  arguments.push_back(Constant(Value::BOOLEAN(kIgnoreCase)));
  return CallKernel(site, "weir_like", std::move(arguments));
}

}  // namespace

std::vector<KernelEntry> TextKernels() {
  return {
      {kLength, Length, false},
      {kOctetLength, Bytes<1>, false},
      {kBitLength, Bytes<8>, false},
      {kUpper, TextToText<UpperText>, false},
      {kLower, TextToText<LowerText>, false},
      {kInitcap, TextToText<InitialCapitals>, false},
      {"weir_trim", Trimming, false},
      {kSubstring, Substring, false},
      {kLeft, Left, false},
      {kRight, Right, false},
      {kSubstringIndex, SubstringBefore, false},
      {kRepeat, Repeating},
      {kLpad, Pad<true>},
      {kRpad, Pad<false>},
      {"weir_reverse", TextToText<ReverseText>, false},
      {kReplace, Replacing, false},
      {kTranslate, Translating, false},
      {kConcatWs, ConcatWithSeparator, false},
      {kInstr, Instr, false},
      {"weir_locate", Locate, false},
      {kAscii, Ascii, false},
      {kChr, Chr, false},
      {"weir_like", Like},
  };
}

std::vector<FunctionLowering> TextLowerings() {
  std::vector<FunctionLowering> lowerings = {
      {"length", ToKernel<kLength>},
      {"octet_length", ToKernel<kOctetLength>},
      {"bit_length", ToKernel<kBitLength>},
      {"upper", ToKernel<kUpper>},
      {"lower", ToKernel<kLower>},
      {"initcap", ToKernel<kInitcap>},
      {"trim", LowerTrim<3, false>},
      {"ltrim", LowerTrim<1, false>},
      {"rtrim", LowerTrim<2, false>},
      {"btrim", LowerTrim<3, true>},
      {"substring", ToKernel<kSubstring>},
      {"left", ToKernel<kLeft>},
      {"right", ToKernel<kRight>},
      {"substring_index", ToKernel<kSubstringIndex>},
      {"repeat", ToKernel<kRepeat>},
      {"lpad", ToKernel<kLpad>},
      {"rpad", ToKernel<kRpad>},
      {"reverse", LowerReverse},
      {"replace", ToKernel<kReplace>},
      {"translate", ToKernel<kTranslate>},
      {"concat", LowerConcat},
      {"concat_ws", ToKernel<kConcatWs>},
      {"instr", ToKernel<kInstr>},
      {"locate", LowerLocate},
      {"ascii", ToKernel<kAscii>},
      {"chr", ToKernel<kChr>},
      {"startswith", Native<kStartsWith>},
      {"endswith", Native<kEndsWith>},
      {"contains", Native<kContains>},
      {"like", LowerLike<false>},
      {"ilike", LowerLike<true>},
  };
  for (const FunctionLowering& lowering : RegexLowerings()) lowerings.push_back(lowering);
  return lowerings;
}

}  // namespace weir::exec

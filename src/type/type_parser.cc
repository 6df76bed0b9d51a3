#include <optional>

#include "base/ascii.h"
#include "type/spark_names.h"
#include "type/type.h"

namespace weir {
namespace {

constexpr int kMaxDepth = 100;  // Bounds the recursion on hostile text.

bool IsWordCharacter(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_'; }

class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : text_(text) {}

  Result<Type> ParseAll() {
    WEIR_TRY(Type type, ParseOne(0));
    SkipBlanks();
    if (at_ != text_.size()) return SyntaxError();
    return type;
  }

 private:
  Result<Type> ParseOne(int depth) {
    if (depth > kMaxDepth) return Invalid("type text is nested more than {} levels deep", kMaxDepth);
    SkipBlanks();
    const size_t start = at_;
    const std::string name = AsciiLower(TakeWord());
    if (name.empty()) return SyntaxError();
    if (name == "array") return ParseArray(start, depth);
    if (name == "map") return ParseMap(start, depth);
    if (name == "struct") return ParseStruct(start, depth);
    if (name == "interval") return ParseInterval();
    WEIR_TRY(std::vector<int> parameters, ParseParameters());
    return Primitive(name, parameters, start);
  }

  Result<Type> ParseArray(size_t start, int depth) {
    if (!Take('<')) return Incomplete(start, "ARRAY", "its element type is missing");
    WEIR_TRY(Type element, ParseOne(depth + 1));
    if (!Take('>')) return SyntaxError();
    return Type::Array(
        {.id = {}, .name = "element", .type = std::move(element), .required = false, .doc = {}});
  }

  Result<Type> ParseMap(size_t start, int depth) {
    if (!Take('<')) return Incomplete(start, "MAP", "its key and value types are missing");
    WEIR_TRY(Type key, ParseOne(depth + 1));
    if (!Take(',')) return SyntaxError();
    WEIR_TRY(Type value, ParseOne(depth + 1));
    if (!Take('>')) return SyntaxError();
    return Type::Map({.id = {}, .name = "key", .type = std::move(key), .required = true, .doc = {}},
                     {.id = {}, .name = "value", .type = std::move(value), .required = false, .doc = {}});
  }

  Result<Type> ParseStruct(size_t start, int depth) {
    if (!Take('<')) return Incomplete(start, "STRUCT", "its fields are missing");
    std::vector<Field> fields;
    if (Take('>')) return Type::Struct({});
    do {
      WEIR_TRY(Field field, ParseMember(depth));
      fields.push_back(std::move(field));
    } while (Take(','));
    if (!Take('>')) return SyntaxError();
    return Type::Struct(std::move(fields));
  }

  Result<Field> ParseMember(int depth) {
    Field field;
    WEIR_TRY(field.name, ParseName());
    Take(':');
    WEIR_TRY(field.type, ParseOne(depth + 1));
    if (TakeKeyword("not")) {
      if (!TakeKeyword("null")) return SyntaxError();
      field.required = true;
    }
    if (TakeKeyword("comment")) {
      WEIR_TRY(field.doc, ParseText());
    }
    return field;
  }

  Result<std::string> ParseName() {
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == '`') {
      std::string name;
      for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '`') {
          if (at_ + 1 >= text_.size() || text_[at_ + 1] != '`') {
            ++at_;
            return name;
          }
          ++at_;
        }
        name += text_[at_];
      }
      return SyntaxError();
    }
    const std::string_view word = TakeWord();
    if (word.find_first_not_of("0123456789") == std::string_view::npos) return SyntaxError();
    return std::string(word);
  }

  /// A string literal in either quote; the quote may be escaped by a backslash or by doubling it.
  Result<std::string> ParseText() {
    SkipBlanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return SyntaxError();
    const char quote = text_[at_++];
    std::string value;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        value += text_[++at_];
      } else if (text_[at_] == quote) {
        ++at_;
        if (at_ >= text_.size() || text_[at_] != quote) return value;
        value += quote;
      } else {
        value += text_[at_];
      }
    }
    return SyntaxError();
  }

  /// INTERVAL with the units of one of the two ANSI families, first unit before the last.
  Result<Type> ParseInterval() {
    static constexpr std::string_view kUnits[] = {"year", "month", "day", "hour", "minute", "second"};
    const auto take_unit = [&]() -> int {
      for (int i = 0; i < 6; ++i) {
        if (TakeKeyword(kUnits[i])) return i;
      }
      return -1;
    };
    const int first = take_unit();
    if (first < 0) {
      SkipBlanks();
      if (at_ < text_.size() && IsWordCharacter(text_[at_])) return SyntaxError();
      return Unsupported("type INTERVAL without units (calendar interval)");
    }
    const size_t before_to = at_;
    if (TakeKeyword("to")) {
      const int last = take_unit();
      if (last <= first || (first < 2) != (last < 2)) {
        at_ = before_to;
        return SyntaxError();
      }
    }
    return first < 2 ? Type::IntervalYearMonth() : Type::IntervalDayTime();
  }

  Result<std::vector<int>> ParseParameters() {
    std::vector<int> parameters;
    if (!Take('(')) return parameters;
    do {
      SkipBlanks();
      const std::string_view word = TakeWord();
      if (word.empty() || word.size() > 9 || word.find_first_not_of("0123456789") != std::string_view::npos) {
        at_ -= word.size();
        return SyntaxError();
      }
      parameters.push_back(std::stoi(std::string(word)));
    } while (Take(','));
    if (!Take(')')) return SyntaxError();
    return parameters;
  }

  Result<Type> Primitive(const std::string& name, const std::vector<int>& parameters, size_t start) {
    if (name == "decimal" || name == "dec" || name == "numeric") {
      if (parameters.size() <= 2) return Decimal(parameters);
    } else if (name == "char" || name == "character" || name == "varchar") {
      if (parameters.size() == 1) return Type::String();
      if (parameters.empty()) return MissingSize(name == "varchar" ? "VARCHAR" : "CHAR", start);
    } else if (name == "time") {
      if (parameters.empty() || parameters == std::vector{6}) return Type::Time();
      if (parameters.size() == 1) return Unsupported("type TIME({}): only TIME(6)", parameters[0]);
    } else if (name == "variant" || name == "geometry" || name == "geography") {
      return Unsupported("type {}", AsciiUpper(name));
    } else if (parameters.empty()) {
      if (std::optional<Type> type = TypeOfWord(name)) return CheckedSuffix(*std::move(type));
    }
    return UnknownType(start);
  }

  /// Consumes what may follow a plain type name: a time zone rule or a collation.
  Result<Type> CheckedSuffix(Type type) {
    if (type.kind() == TypeKind::kTimestamp && TakeKeyword("without")) {
      if (!TakeKeyword("time") || !TakeKeyword("zone")) return SyntaxError();
      return Type::TimestampNtz();
    }
    if (type.kind() == TypeKind::kString && TakeKeyword("collate")) {
      WEIR_TRY(std::string collation, ParseName());
      if (AsciiLower(collation) != "utf8_binary") return Unsupported("collation {}", collation);
    }
    return type;
  }

  Result<Type> Decimal(const std::vector<int>& parameters) const {
    const int precision = parameters.empty() ? 10 : parameters[0];
    const int scale = parameters.size() < 2 ? 0 : parameters[1];
    if (precision > 38) {
      return Invalid("a decimal has at most 38 digits, not {}", precision)
          .WithCondition({"DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
                          "22003",
                          {{"precision", std::to_string(precision)}, {"maxPrecision", "38"}},
                          {},
                          ""});
    }
    if (scale > precision) {
      return Invalid("scale {} is more than the {} digits of the decimal in \"{}\"", scale, precision, text_);
    }
    if (precision == 0) return Unsupported("type DECIMAL(0,0)");
    return Type::Decimal(precision, scale);
  }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (text_.substr(at_, 2) == "--") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return;  // The caller meets the slash and reports it.
        at_ = end + 2;
      } else if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view TakeWord() {
    const size_t start = at_;
    while (at_ < text_.size() && IsWordCharacter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  bool Take(char c) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool TakeKeyword(std::string_view keyword) {
    SkipBlanks();
    const size_t start = at_;
    if (AsciiLower(TakeWord()) == keyword) return true;
    at_ = start;
    return false;
  }

  Error SyntaxError() {
    SkipBlanks();
    const size_t start = at_;
    std::string_view word = TakeWord();
    at_ = start;
    if (word.empty()) word = text_.substr(start, 1);
    const std::string near = word.empty() ? "end of input" : fmt::format("'{}'", word);
    return Invalid("cannot read the type: {} at offset {} of \"{}\" was not expected there", near, start,
                   text_)
        .WithCondition({"PARSE_SYNTAX_ERROR", "42601", {{"error", near}, {"hint", ""}}, {}, ""});
  }

  Error UnknownType(size_t start) const {
    const std::string name = fmt::format("\"{}\"", AsciiUpper(text_.substr(start, at_ - start)));
    return Invalid("there is no type {}, at offset {} of \"{}\"", name, start, text_)
        .WithCondition({"UNSUPPORTED_DATATYPE", "0A000", {{"typeName", name}}, {}, ""});
  }

  Error MissingSize(std::string_view name, size_t start) const {
    return Invalid("type {} needs its length, at offset {} of \"{}\"", name, start, text_)
        .WithCondition({"DATATYPE_MISSING_SIZE", "42K01", {{"type", fmt::format("\"{}\"", name)}}, {}, ""});
  }

  Error Incomplete(size_t start, std::string_view name, std::string_view demand) const {
    return Invalid("type {} at offset {} of \"{}\" is not complete: {}", name, start, text_, demand)
        .WithCondition({fmt::format("INCOMPLETE_TYPE_DEFINITION.{}", name), "42K01", {}, {}, ""});
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<Type> ParseType(std::string_view text) { return TypeParser(text).ParseAll(); }

}  // namespace weir

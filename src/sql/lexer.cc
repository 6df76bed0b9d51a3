#include "sql/lexer.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "sql/characters.h"

namespace weir::sql {
namespace {

constexpr std::string_view kSymbols[] = {">>>", "<=>", "/*+", "==", "<>", "!=", "<=", ">=", "!>", "!<",
                                         "<<",  ">>",  "||",  "|>", "::", "->", "=>", "*/", "=",  "<",
                                         ">",   "+",   "-",   "*",  "/",  "%",  "~",  "&",  "|",  "^",
                                         ":",   "?",   ";",   "(",  ")",  ",",  ".",  "[",  "]",  "!"};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Tokens Run() {
    Tokens tokens;
    while (true) {
      SkipBlanksAndComments(tokens);
      if (at_ >= text_.size()) break;
      const size_t size = TokenSize();
      tokens.list.push_back(Take(size));
    }
    tokens.list.push_back(
        {TokenKind::kEnd, text_.substr(text_.size()), static_cast<int32_t>(at_), line_, position_});
    return tokens;
  }

 private:
  char At(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  /// Moves over `size` bytes and keeps line and position.
  Token Take(size_t size) {
    Token token{kind_, text_.substr(at_, size), static_cast<int32_t>(at_), line_, position_};
    Advance(size);
    if (token.kind == TokenKind::kSymbol) CountTypeBrackets(token.text);
    if (token.kind == TokenKind::kWord && (token.Is("ARRAY") || token.Is("MAP") || token.Is("STRUCT"))) {
      ++open_types_;
    }
    return token;
  }

  void Advance(size_t size) {
    for (const size_t end = at_ + size; at_ < end; ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        position_ = 0;
      } else if (!ContinuesUtf8(text_[at_])) {
        ++position_;
      }
    }
  }

  /// After ARRAY, MAP or STRUCT a '>' may close a type, so that ">>" is two tokens there.
  void CountTypeBrackets(std::string_view symbol) {
    if (symbol == ">" && open_types_ > 0) --open_types_;
  }

  void SkipBlanksAndComments(Tokens& tokens) {
    while (at_ < text_.size()) {
      if (const size_t blank = BlankSize(text_, at_); blank > 0) {
        Advance(blank);
      } else if (text_.substr(at_, 2) == "--") {
        Advance(LineCommentEnd(text_, at_) - at_);
      } else if (text_.substr(at_, 2) == "/*" && At(at_ + 2) != '+') {
        const size_t end = BracketedCommentEnd(text_, at_);
        if (end == std::string_view::npos) tokens.unclosed_comment = static_cast<int32_t>(at_);
        Advance(std::min(end, text_.size()) - at_);
      } else {
        return;
      }
    }
  }

  /// Sets kind_ and returns the size of the longest token at at_.
  size_t TokenSize() {
    const char c = text_[at_];
    if (c == '\'' || c == '"' || ((c == 'r' || c == 'R') && (At(at_ + 1) == '\'' || At(at_ + 1) == '"'))) {
      if (const size_t end = StringEnd(text_, at_); end != std::string_view::npos) {
        kind_ = TokenKind::kString;
        return end - at_;
      }
    }
    if (c == '`') {
      if (const size_t end = QuotedNameEnd(text_, at_); end != std::string_view::npos) {
        kind_ = TokenKind::kQuotedName;
        return end - at_;
      }
    }
    const size_t number = NumberSize();
    TokenKind number_kind = kind_;
    const size_t word = WordSize();
    if (number > 0 && number >= word) {
      kind_ = number_kind;
      return number;
    }
    if (word > 0) {
      kind_ = TokenKind::kWord;
      return word;
    }
    return SymbolSize();
  }

  size_t Digits(size_t at) const {
    size_t end = at;
    while (At(end) >= '0' && At(end) <= '9') ++end;
    return end - at;
  }

  /// Digits, point and exponent; then the suffix that decides the kind. 0 if no number begins here.
  size_t NumberSize() {
    const size_t whole = Digits(at_);
    size_t mantissa = whole;
    const bool has_point = At(at_ + whole) == '.' && (whole > 0 || Digits(at_ + whole + 1) > 0);
    if (has_point) mantissa += 1 + Digits(at_ + whole + 1);
    if (mantissa > 0) {
      if (const size_t size = NumberWithMantissa(mantissa, has_point); size > 0) return size;
    }
    // "1.2abc" is 1, a point and the name 2abc.
    return has_point && whole > 0 ? NumberWithMantissa(whole, false) : 0;
  }

  size_t NumberWithMantissa(size_t mantissa, bool has_point) {
    size_t exponent = 0;
    if (const char e = At(at_ + mantissa); e == 'e' || e == 'E') {
      const char sign = At(at_ + mantissa + 1);
      const size_t sign_size = sign == '+' || sign == '-' ? 1 : 0;
      const size_t digits = Digits(at_ + mantissa + 1 + sign_size);
      if (digits > 0) exponent = 1 + sign_size + digits;
    }
    // The longest form that is valid; a shorter one ends before the exponent.
    for (const size_t body : {mantissa + exponent, mantissa}) {
      const bool is_plain = !has_point && body == mantissa;
      const auto [suffix, kind] = Suffix(at_ + body, is_plain);
      for (const bool with_suffix : {true, false}) {
        if (with_suffix && suffix == 0) continue;
        const size_t size = body + (with_suffix ? suffix : 0);
        if (has_point && IsNameCharacter(At(at_ + size))) continue;
        kind_ = with_suffix       ? kind
                : body > mantissa ? TokenKind::kExponent
                : has_point       ? TokenKind::kDecimal
                                  : TokenKind::kInteger;
        return size;
      }
      if (exponent == 0) break;
    }
    return 0;
  }

  std::pair<size_t, TokenKind> Suffix(size_t at, bool is_plain) const {
    switch (At(at)) {
      case 'b':
      case 'B':
        return {At(at + 1) == 'd' || At(at + 1) == 'D' ? 2 : 0, TokenKind::kBigDecimal};
      case 'd':
      case 'D':
        return {1, TokenKind::kDouble};
      case 'f':
      case 'F':
        return {1, TokenKind::kFloat};
      case 'l':
      case 'L':
        return {is_plain ? 1 : 0, TokenKind::kBigint};
      case 's':
      case 'S':
        return {is_plain ? 1 : 0, TokenKind::kSmallint};
      case 'y':
      case 'Y':
        return {is_plain ? 1 : 0, TokenKind::kTinyint};
      default:
        return {0, TokenKind::kInteger};
    }
  }

  /// A name, or a path such as s3://bucket/key (which the grammar then refuses as a name).
  size_t WordSize() const {
    size_t end = at_;
    bool only_letters = true;
    while (true) {
      const size_t letter = LetterSize(text_, end);
      if (letter > 0) {
        end += letter;
      } else if (IsNameCharacter(At(end))) {
        only_letters = false;
        ++end;
      } else {
        break;
      }
    }
    if (end == at_ || !only_letters || text_.substr(end, 3) != "://") return end - at_;
    const size_t path = end + 3;
    size_t path_end = path;
    while (path_end < text_.size()) {
      const size_t letter = LetterSize(text_, path_end);
      const char c = text_[path_end];
      if (letter == 0 && !IsNameCharacter(c) &&
          std::string_view("/-.?=&#%").find(c) == std::string_view::npos)
        break;
      path_end += std::max<size_t>(letter, 1);
    }
    return (path_end > path ? path_end : end) - at_;
  }

  size_t SymbolSize() {
    for (std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      if (open_types_ > 0 && (symbol == ">>" || symbol == ">>>")) continue;
      kind_ = TokenKind::kSymbol;
      return symbol.size();
    }
    kind_ = TokenKind::kUnrecognized;
    size_t end = at_ + 1;
    while (end < text_.size() && ContinuesUtf8(text_[end])) ++end;
    return end - at_;
  }

  std::string_view text_;
  size_t at_ = 0;
  int32_t line_ = 1;
  int32_t position_ = 0;
  int open_types_ = 0;
  TokenKind kind_ = TokenKind::kEnd;  ///< Of the token that TokenSize found.
};

}  // namespace

bool Token::Is(std::string_view wanted) const {
  if (kind == TokenKind::kSymbol) return text == wanted;
  return kind == TokenKind::kWord && EqualsIgnoringAsciiCase(text, wanted);
}

Tokens Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace weir::sql

#pragma once

/// Walks over the tokens of one statement and decides which error it has. Thread rule: one thread.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/token.h"

namespace weir::sql {

/// What Mismatch expects behind a whole statement.
inline constexpr std::string_view kEndExpected = "end of input";

/// Rules of the grammar that fail return an Error of one of three kinds:
/// - a mismatch (code kInvalid, no message): the cursor remembers the place; another rule may be tried;
/// - a refusal (kUnsupported) or a fatal error (with a condition): returned to the caller of the parser at
/// once;
/// - none: errors about the values of literals are deferred until the whole text has parsed.
class Cursor {
 public:
  /// `tokens` are those of `text`, which must outlive the cursor.
  Cursor(Tokens tokens, std::string_view text);

  // ---- looking and taking ----

  /// The token `ahead` of the next one; kEnd behind the last.
  const Token& Peek(size_t ahead = 0) const;
  bool At(std::string_view word_or_symbol, size_t ahead = 0) const { return Peek(ahead).Is(word_or_symbol); }
  bool AtAny(std::span<const std::string_view> any, size_t ahead = 0) const;
  bool AtAny(std::initializer_list<std::string_view> any, size_t ahead = 0) const {
    return AtAny(std::span(any.begin(), any.size()), ahead);
  }
  /// The next tokens are these.
  bool AtAll(std::initializer_list<std::string_view> all, size_t ahead = 0) const;
  /// The next tokens are the words of `phrase`, which are separated by one blank.
  bool AtPhrase(std::string_view phrase) const;
  bool AtKind(TokenKind kind, size_t ahead = 0) const { return Peek(ahead).kind == kind; }
  const Token& Take();
  bool Accept(std::string_view word_or_symbol);
  /// Takes all or none.
  bool AcceptAll(std::initializer_list<std::string_view> all);
  Status Expect(std::string_view word_or_symbol);
  Status ExpectAll(std::initializer_list<std::string_view> all);
  /// Takes every token that is left. An open comment among them is not an error then: they are not SQL.
  void TakeAll();

  // ---- trying ----

  struct Mark {
    size_t token = 0;
    size_t deferred = 0;
  };
  Mark Here() const { return {at_, deferred_.size()}; }
  void Rewind(Mark mark);

  /// What a rule took and left behind, so that it can be taken again without running the rule.
  struct Taken {
    size_t end = 0;
    std::vector<Error> deferred;
    int height = 0;
  };
  Taken TakenSince(const Mark& mark) const;
  void TakeAgain(const Taken& taken);

  /// The furthest mismatch so far.
  struct Furthest {
    bool is_set = false;
    size_t token = 0;
    std::string sole_expected;  ///< The one token that was expected there, else empty.
  };
  const Furthest& furthest() const { return furthest_; }
  void RestoreFurthest(Furthest furthest) { furthest_ = std::move(furthest); }

  // ---- places ----

  size_t index() const { return at_; }
  std::string_view text() const { return text_; }
  /// From token `first` to the last one taken.
  SourceSpan SpanFrom(size_t first) const;
  SourceSpan SpanOf(const Token& token) const;
  /// From the first token to the last.
  SourceSpan WholeSpan() const;
  /// The text behind the last token taken.
  std::string_view TextBehind() const;
  /// The text of a span.
  std::string_view TextOf(const SourceSpan& span) const;

  // ---- errors ----

  /// Something other than the next token was expected: `expected` if it can only be this one token, else
  /// empty.
  Error Mismatch(std::string_view expected = {});
  /// True if the error lets another rule be tried.
  static bool IsMismatch(const Error& error) {
    return error.code() == ErrorCode::kInvalid && !error.condition();
  }
  /// Names a construct of Spark that Weir does not have.
  Error Refuse(std::string_view feature, const SourceSpan& span) const;
  /// Remembers an error that counts only if nothing else is wrong with the text; the first one counts.
  void Defer(Error error) { deferred_.push_back(std::move(error)); }
  /// An error with Spark's condition at a place.
  Error ErrorAt(const SourceSpan& span, std::string condition, std::string sql_state,
                std::vector<std::pair<std::string, std::string>> parameters, std::string message) const;

  /// What the caller of the parser sees: turns a mismatch into PARSE_SYNTAX_ERROR at the furthest token, with
  /// Spark's hint, such as ": missing ')'".
  Error Finish(Error error, std::string_view hint) const;
  /// The first deferred error, if any.
  Status FinishDeferred() const;

  // ---- bounds on depth ----

  /// One level of nesting, for as long as it lives.
  class Level {
   public:
    explicit Level(Cursor& cursor);
    ~Level();
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Cursor& cursor_;
    int outer_height_;
  };
  /// Error if the levels are too many.
  Status CheckDepth() const;
  /// A tree that grows to the left, operator by operator, for as long as it lives.
  class Chain {
   public:
    explicit Chain(Cursor& cursor);
    ~Chain();
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

   private:
    Cursor& cursor_;
    int outer_height_;
  };
  /// Another operator on top of the current level or chain. Error if that is too high.
  Status AddLink();

 private:
  Error SyntaxError(std::string_view hint) const;
  Error UnclosedComment() const;
  Error TooComplex() const;

  std::string_view text_;
  Tokens tokens_;
  size_t at_ = 0;
  Furthest furthest_;
  std::vector<Error> deferred_;
  int depth_ = 0;
  int height_ = 0;  ///< Bound on the height of what the current level or chain has built.
};

}  // namespace weir::sql

#include "sql/cursor.h"

#include <algorithm>

#include "base/utf8.h"
#include "sql/characters.h"
#include "sql/lexer.h"
#include "sql/parser.h"

namespace weir::sql {

Cursor::Cursor(Tokens tokens, std::string_view text) : text_(text), tokens_(std::move(tokens)) {}

const Token& Cursor::Peek(size_t ahead) const {
  return tokens_.list[std::min(at_ + ahead, tokens_.list.size() - 1)];
}

bool Cursor::AtAny(std::span<const std::string_view> any, size_t ahead) const {
  return std::any_of(any.begin(), any.end(), [&](std::string_view one) { return At(one, ahead); });
}

bool Cursor::AtAll(std::initializer_list<std::string_view> all, size_t ahead) const {
  return std::all_of(all.begin(), all.end(), [&](std::string_view one) { return At(one, ahead++); });
}

bool Cursor::AtPhrase(std::string_view phrase) const {
  for (size_t ahead = 0;; ++ahead) {
    const size_t blank = phrase.find(' ');
    if (!At(phrase.substr(0, blank), ahead)) return false;
    if (blank == std::string_view::npos) return true;
    phrase.remove_prefix(blank + 1);
  }
}

const Token& Cursor::Take() {
  const Token& token = Peek();
  if (token.kind != TokenKind::kEnd) ++at_;
  return token;
}

bool Cursor::Accept(std::string_view word_or_symbol) {
  if (!At(word_or_symbol)) return false;
  Take();
  return true;
}

bool Cursor::AcceptAll(std::initializer_list<std::string_view> all) {
  if (!AtAll(all)) return false;
  at_ += all.size();
  return true;
}

Status Cursor::Expect(std::string_view word_or_symbol) {
  if (!Accept(word_or_symbol)) return Mismatch(word_or_symbol);
  return {};
}

Status Cursor::ExpectAll(std::initializer_list<std::string_view> all) {
  for (std::string_view one : all) WEIR_DO(Expect(one));
  return {};
}

void Cursor::TakeAll() {
  at_ = tokens_.list.size() - 1;
  tokens_.unclosed_comment = -1;
}

void Cursor::Rewind(Mark mark) {
  at_ = mark.token;
  deferred_.erase(deferred_.begin() + static_cast<std::ptrdiff_t>(mark.deferred), deferred_.end());
}

Cursor::Taken Cursor::TakenSince(const Mark& mark) const {
  return {at_, {deferred_.begin() + static_cast<std::ptrdiff_t>(mark.deferred), deferred_.end()}, height_};
}

void Cursor::TakeAgain(const Taken& taken) {
  at_ = taken.end;
  deferred_.insert(deferred_.end(), taken.deferred.begin(), taken.deferred.end());
  height_ = std::max(height_, taken.height);
}

SourceSpan Cursor::SpanFrom(size_t first) const {
  const Token& begin = tokens_.list[first];
  const Token& end = tokens_.list[at_ > first ? at_ - 1 : first];
  return {begin.start, end.stop(), begin.line, begin.position};
}

SourceSpan Cursor::SpanOf(const Token& token) const {
  return {token.start, token.stop(), token.line, token.position};
}

SourceSpan Cursor::WholeSpan() const {
  const Token& begin = tokens_.list.front();
  const Token& end = tokens_.list[tokens_.list.size() > 1 ? tokens_.list.size() - 2 : 0];
  return {begin.start, end.stop(), begin.line, begin.position};
}

std::string_view Cursor::TextBehind() const {
  return at_ == 0 ? text_ : text_.substr(static_cast<size_t>(tokens_.list[at_ - 1].stop()));
}

std::string_view Cursor::TextOf(const SourceSpan& span) const {
  return text_.substr(static_cast<size_t>(span.start), static_cast<size_t>(span.stop - span.start));
}

Error Cursor::Mismatch(std::string_view expected) {
  if (!furthest_.is_set || at_ > furthest_.token) {
    furthest_ = {true, at_, std::string(expected)};
  } else if (at_ == furthest_.token && furthest_.sole_expected != expected) {
    furthest_.sole_expected.clear();
  }
  return Error(ErrorCode::kInvalid, "");
}

Error Cursor::Refuse(std::string_view feature, const SourceSpan& span) const {
  return Unsupported("Weir does not support {} (line {}, position {}).", feature, span.line, span.position)
      .WithCondition({"UNSUPPORTED_FEATURE", "0A000", {{"feature", std::string(feature)}}, {}, ""})
      .WithSpan(span, text_);
}

Error Cursor::ErrorAt(const SourceSpan& span, std::string condition, std::string sql_state,
                      std::vector<std::pair<std::string, std::string>> parameters,
                      std::string message) const {
  return Error(ErrorCode::kInvalid, std::move(message))
      .WithCondition({std::move(condition), std::move(sql_state), std::move(parameters), {}, ""})
      .WithSpan(span, text_);
}

Error Cursor::Finish(Error error, std::string_view hint) const {
  return IsMismatch(error) ? SyntaxError(hint) : error;
}

Status Cursor::FinishDeferred() const {
  if (tokens_.unclosed_comment >= 0) return UnclosedComment();
  if (!deferred_.empty()) return deferred_.front();
  return {};
}

Error Cursor::UnclosedComment() const {
  const auto start = static_cast<size_t>(tokens_.unclosed_comment);
  const std::string_view before = text_.substr(0, start);
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const SourceSpan span{
      tokens_.unclosed_comment, static_cast<int32_t>(text_.size()),
      static_cast<int32_t>(std::count(before.begin(), before.end(), '\n')) + 1,
      static_cast<int32_t>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start),
                                         before.end(), [](char c) { return !ContinuesUtf8(c); }))};
  return ErrorAt(span, "UNCLOSED_BRACKETED_COMMENT", "42601", {}, "A bracketed comment is not closed by */.");
}

Error Cursor::SyntaxError(std::string_view hint) const {
  const Token& bad = tokens_.list[std::min(furthest_.token, tokens_.list.size() - 1)];
  if (bad.kind == TokenKind::kEnd && tokens_.unclosed_comment >= 0) return UnclosedComment();
  if (Trim(text_).empty())
    return ErrorAt(SpanOf(bad), "PARSE_EMPTY_STATEMENT", "42617", {}, "The statement is empty.");
  const std::string near = bad.kind == TokenKind::kEnd ? "end of input" : fmt::format("'{}'", bad.text);
  return ErrorAt(SpanOf(bad), "PARSE_SYNTAX_ERROR", "42601", {{"error", near}, {"hint", std::string(hint)}},
                 fmt::format("The statement cannot be read from {} on{}.", near, hint));
}

Error Cursor::TooComplex() const {
  return ErrorAt(
      SpanOf(Peek()), "FAILED_TO_PARSE_TOO_COMPLEX", "54001", {},
      fmt::format(
          "The statement is nested too deeply: more than {} levels, or {} operators on top of each other.",
          kMaxNesting, kMaxHeight));
}

Cursor::Level::Level(Cursor& cursor) : cursor_(cursor), outer_height_(cursor.height_) {
  ++cursor_.depth_;
  cursor_.height_ = 0;
}

Cursor::Level::~Level() {
  --cursor_.depth_;
  cursor_.height_ = std::max(outer_height_, cursor_.height_ + 1);
}

Cursor::Chain::Chain(Cursor& cursor) : cursor_(cursor), outer_height_(cursor.height_) { cursor_.height_ = 0; }

Cursor::Chain::~Chain() { cursor_.height_ = std::max(outer_height_, cursor_.height_); }

Status Cursor::CheckDepth() const {
  if (depth_ > kMaxNesting) return TooComplex();
  return {};
}

Status Cursor::AddLink() {
  if (++height_ + depth_ > kMaxHeight) return TooComplex();
  return {};
}

}  // namespace weir::sql

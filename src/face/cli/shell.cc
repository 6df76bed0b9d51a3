#include "face/cli/shell.h"

#include <fmt/format.h>
#include <histedit.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "face/cli/interrupts.h"
#include "sql/parser.h"

namespace weir::cli {
namespace {

bool continuing = false;  // libedit's prompt callback has no argument for it.

const char* Prompt(EditLine*) { return continuing ? "    > " : "weir> "; }

/// Lines from the terminal with editing and history.
class LineReader {
 public:
  LineReader() : edit_(el_init("weir", stdin, stdout, stderr)), history_(history_init()) {
    HistEvent event;
    history(history_, &event, H_SETSIZE, 1000);
    history(history_, &event, H_SETUNIQUE, 1);
    if (const char* home = std::getenv("HOME")) file_ = std::string(home) + "/.weir_history";
    if (!file_.empty()) history(history_, &event, H_LOAD, file_.c_str());
    el_set(edit_, EL_PROMPT, &Prompt);
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_SIGNAL, 0);
  }
  ~LineReader() {
    HistEvent event;
    if (!file_.empty()) history(history_, &event, H_SAVE, file_.c_str());
    history_end(history_);
    el_end(edit_);
  }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// Nullopt at the end of input, or after an interrupt.
  std::optional<std::string> Next() {
    int count = 0;
    const char* line = el_gets(edit_, &count);
    if (line == nullptr || count <= 0) return std::nullopt;
    return std::string(line, static_cast<size_t>(count));
  }

  void Remember(const std::string& statement) {
    HistEvent event;
    history(history_, &event, H_ENTER, statement.c_str());
  }
  void Reset() { el_reset(edit_); }

 private:
  EditLine* edit_;
  History* history_;
  std::string file_;
};

/// With or without a semicolon.
bool IsQuit(std::string_view line) {
  while (!line.empty() && std::string_view("; \t\r\n").find(line.back()) != std::string_view::npos) {
    line.remove_suffix(1);
  }
  return line == "quit" || line == "exit";
}

}  // namespace

ExitCode RunShell(session::Session& session, const StatementOptions& options) {
  // Without a locale of UTF-8 the editor drops whatever is not ASCII. The user's own locale could change what
  // tolower does elsewhere.
  std::setlocale(LC_CTYPE, "C.UTF-8");
  InterruptReadsFromNowOn();
  LineReader reader;
  std::string typed;
  while (true) {
    continuing = !typed.empty();
    const std::optional<std::string> line = reader.Next();
    if (AskedToEnd() != kSuccess) {
      fmt::print("\n");
      return AskedToEnd();
    }
    if (TookInterrupt()) {
      typed.clear();
      reader.Reset();
      fmt::print("\n");
      continue;
    }
    if (!line) fmt::print("\n");
    if (!line || (typed.empty() && IsQuit(*line))) break;
    typed += *line;
    const std::vector<sql::StatementText> statements = sql::SplitStatements(typed);
    if (statements.empty()) {
      typed.clear();
      continue;
    }
    if (!statements.back().is_complete) continue;
    for (const sql::StatementText& statement : statements) {
      if (IsQuit(statement.text)) return kSuccess;
      reader.Remember(statement.text + ";");
      const ExitCode code = RunStatement(session, statement.text, statement.line, options);
      if (AskedToEnd() != kSuccess) return AskedToEnd();
      if (code != kSuccess) break;  // What stands behind it may count on it.
    }
    typed.clear();
  }
  return kSuccess;
}

}  // namespace weir::cli

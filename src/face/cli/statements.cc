#include "face/cli/statements.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <iostream>

#include "base/utf8.h"
#include "face/cli/interrupts.h"
#include "face/cli/movement.h"
#include "face/cli/progress.h"
#include "face/cli/tell.h"
#include "sql/parser.h"
#include "type/display_text.h"

namespace weir::cli {
namespace {

/// Wall and processor time since it was made.
class StopWatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double cpu_seconds() const { return CpuNow() - cpu_start_; }

 private:
  static double CpuNow() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double cpu_start_ = CpuNow();
};

struct Printed {
  uint64_t rows = 0;
};

/// Errors: OutputError. Precondition: errno was 0 before the writes.
Status CheckOutput() {
  if (std::cout.flush()) return {};
  return OutputError(errno);
}

/// Runs to the end; rows are printed as they come.
Result<Printed> RunAndPrint(session::Session& session, std::string_view statement,
                            const StatementOptions& options, const Cancellation& cancellation) {
  const StopWatch watch;
  session::RunOptions run_options;
  run_options.cancellation = cancellation;
  ProgressBar bar;
  run_options.progress = [&bar](double share) { bar.Update(share); };
  const bool shows_rows_on_terminal = isatty(STDOUT_FILENO) != 0;
  run_options.times_as_text = true;
  WEIR_TRY(const std::unique_ptr<session::Run> run, session.Execute(statement, run_options));
  Printed printed;
  std::unique_ptr<RowPrinter> printer;
  while (true) {
    WEIR_TRY(const std::optional<Batch> batch, run->Next());
    if (printer == nullptr && !run->columns().empty()) {
      if (shows_rows_on_terminal) bar.Stop();
      printer = RowPrinter::Make(options.format, run->is_report(), std::cout);
      printer->Begin(run->columns());
    }
    if (!batch) break;
    printed.rows += static_cast<uint64_t>(batch->row_count);
    errno = 0;
    if (printer != nullptr) printer->Add(*batch);
    WEIR_DO(CheckOutput());
  }
  errno = 0;
  if (printer != nullptr) printer->End();
  WEIR_DO(CheckOutput());
  switch (options.movement) {
    case MovementFormat::kNone:
      break;
    case MovementFormat::kText:
      Tell("{}", MovementText(run->ledger()));
      break;
    case MovementFormat::kJson:
      Tell("{}\n", MovementJson(run->ledger(), watch.seconds(), watch.cpu_seconds()));
      break;
  }
  return printed;
}

/// Bytes of the first `characters` of the line.
size_t BytesOf(std::string_view line, size_t characters) {
  size_t at = 0;
  for (; at < line.size(); ++at) {
    if (!ContinuesUtf8(line[at]) && characters-- == 0) break;
  }
  return at;
}

/// Blanks as wide as the text; tabs stay, as their width is the terminal's affair.
std::string BlankAs(std::string_view text) {
  std::string blank;
  while (!text.empty()) {
    const size_t tab = text.find('\t');
    blank.append(DisplayWidth(text.substr(0, tab)), ' ');
    if (tab == std::string_view::npos) break;
    blank += '\t';
    text.remove_prefix(tab + 1);
  }
  return blank;
}

std::string_view LineAt(std::string_view text, int32_t line) {
  for (; line > 1; --line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

ExitCode RunStatement(session::Session& session, std::string_view statement, int32_t first_line,
                      const StatementOptions& options) {
  const StopWatch watch;
  const Cancellation cancellation;
  Result<Printed> printed = [&] {
    const InterruptScope interrupts(cancellation);
    return RunAndPrint(session, statement, options, cancellation);
  }();
  if (!printed) {
    std::cout.flush();
    if (cancellation.requested()) {
      Tell("cancelled\n");
      return AskedToEnd() != kSuccess ? AskedToEnd() : kInterrupted;
    }
    if (!std::cout && printed.error().code() == ErrorCode::kDenied) return kOutputClosed;
    Tell("{}\n", ErrorText(printed.error(), statement, first_line));
    return kStatementFailed;
  }
  if (options.show_time) {
    Tell("Time taken: {:.3f} seconds, {} row(s)\n", watch.seconds(), printed->rows);
  }
  return AskedToEnd();
}

ExitCode RunScript(session::Session& session, const Script& script, const StatementOptions& options) {
  const std::vector<sql::StatementText> statements = sql::SplitStatements(script.text);
  for (size_t i = 0; i < statements.size(); ++i) {
    const ExitCode code = RunStatement(session, statements[i].text, statements[i].line, options);
    if (code == kStatementFailed && statements.size() > 1) {
      Tell("{}: statement {} of {} failed, which begins at line {}{}\n", script.name, i + 1,
           statements.size(), statements[i].line,
           i + 1 == statements.size() ? "" : "; those behind it were not run");
    }
    if (code != kSuccess) return code;
  }
  return kSuccess;
}

std::string ErrorText(const Error& error, std::string_view statement, int32_t first_line) {
  const ErrorCondition* condition = error.condition();
  if (condition == nullptr || !condition->span) return error.ToString();
  Error placed = error;
  ErrorCondition in_script = *condition;
  in_script.span->line += first_line - 1;
  placed = std::move(placed).WithCondition(std::move(in_script));
  const SourceSpan& span = *condition->span;
  const std::string_view line = LineAt(statement, span.line);
  if (line.empty()) return placed.ToString();
  const size_t begin = BytesOf(line, static_cast<size_t>(span.position));
  const auto length = static_cast<size_t>(std::max(span.stop - span.start, 1));
  const size_t width = std::max<size_t>(1, DisplayWidth(line.substr(begin, length)));
  return fmt::format("{}\n{}\n{}{}", placed.ToString(), line, BlankAs(line.substr(0, begin)),
                     std::string(width, '^'));
}

}  // namespace weir::cli

#include "face/cli/row_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/base64.h"
#include "base/json_text.h"
#include "type/display_text.h"

namespace weir::cli {
namespace {

/// Rows that decide the widths of a table before the first line is printed.
constexpr size_t kRowsForWidths = 10'000;

/// For programs: bytes in base64, anything else as CAST(.. AS STRING) prints it.
std::string PlainText(const Scalar& value) {
  return value.type().kind() == TypeKind::kBinary ? Base64(value.text()) : value.ToString();
}

class TablePrinter final : public RowPrinter {
 public:
  explicit TablePrinter(std::ostream& out) : out_(out) {}

  void Begin(const std::vector<plan::Column>& columns) override {
    for (const plan::Column& column : columns) {
      names_.push_back(column.name);
      widths_.push_back(std::max<size_t>(3, DisplayWidth(column.name)));
    }
  }

  void Add(const Batch& batch) override {
    for (int64_t row = 0; row < batch.row_count; ++row) {
      std::vector<std::string> cells;
      for (size_t column = 0; column < names_.size(); ++column) {
        cells.push_back(CellText(batch.At(row, column)));
        if (!started_) widths_[column] = std::max(widths_[column], DisplayWidth(cells.back()));
      }
      waiting_.push_back(std::move(cells));
    }
    if (started_ || waiting_.size() >= kRowsForWidths) Flush();
  }

  void End() override {
    Flush();
    Rule();
  }

 private:
  void Flush() {
    if (!started_) {
      started_ = true;
      Rule();
      Line(names_);
      Rule();
    }
    for (const auto& cells : waiting_) Line(cells);
    waiting_.clear();
  }

  void Rule() {
    out_ << '+';
    for (size_t width : widths_) out_ << std::string(width, '-') << '+';
    out_ << '\n';
  }

  void Line(const std::vector<std::string>& cells) {
    out_ << '|';
    for (size_t i = 0; i < cells.size(); ++i) {
      const size_t width = DisplayWidth(cells[i]);
      out_ << cells[i] << std::string(widths_[i] - std::min(widths_[i], width), ' ') << '|';
    }
    out_ << '\n';
  }

  std::ostream& out_;
  std::vector<std::string> names_;
  std::vector<size_t> widths_;
  std::vector<std::vector<std::string>> waiting_;
  bool started_ = false;
};

class CsvPrinter final : public RowPrinter {
 public:
  explicit CsvPrinter(std::ostream& out) : out_(out) {}
  void Begin(const std::vector<plan::Column>& columns) override {
    for (size_t i = 0; i < columns.size(); ++i) out_ << (i == 0 ? "" : ",") << CsvText(columns[i].name);
    out_ << '\n';
  }
  void Add(const Batch& batch) override {
    for (int64_t row = 0; row < batch.row_count; ++row) {
      for (size_t i = 0; i < batch.columns.size(); ++i) {
        const Scalar value = batch.At(row, i);
        out_ << (i == 0 ? "" : ",") << (value.is_null() ? std::string() : CsvText(PlainText(value)));
      }
      out_ << '\n';
    }
  }
  void End() override {}

 private:
  std::ostream& out_;
};

class JsonPrinter final : public RowPrinter {
 public:
  explicit JsonPrinter(std::ostream& out) : out_(out) {}
  void Begin(const std::vector<plan::Column>& columns) override {
    for (const plan::Column& column : columns) keys_.push_back(QuotedJson(column.name));
  }
  void Add(const Batch& batch) override {
    for (int64_t row = 0; row < batch.row_count; ++row) {
      out_ << '{';
      for (size_t i = 0; i < keys_.size(); ++i) {
        const Scalar value = batch.At(row, i);
        out_ << (i == 0 ? "" : ",") << keys_[i] << ':'
             << (value.is_null() ? "null" : QuotedJson(PlainText(value)));
      }
      out_ << "}\n";
    }
  }
  void End() override {}

 private:
  std::ostream& out_;
  std::vector<std::string> keys_;
};

/// A report does not fit a cell.
class ReportPrinter final : public RowPrinter {
 public:
  explicit ReportPrinter(std::ostream& out) : out_(out) {}
  void Begin(const std::vector<plan::Column>&) override {}
  void Add(const Batch& batch) override {
    for (int64_t row = 0; row < batch.row_count; ++row) out_ << batch.At(row, 0).ToString();
  }
  void End() override {}

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<RowPrinter> RowPrinter::Make(RowFormat format, bool is_report, std::ostream& out) {
  switch (format) {
    case RowFormat::kTable:
      if (is_report) return std::make_unique<ReportPrinter>(out);
      return std::make_unique<TablePrinter>(out);
    case RowFormat::kCsv:
      return std::make_unique<CsvPrinter>(out);
    case RowFormat::kJson:
      break;
  }
  return std::make_unique<JsonPrinter>(out);
}

std::string CsvText(std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string csv = "\"";
  for (const char c : text) {
    if (c == '"') csv += '"';
    csv += c;
  }
  return csv + '"';
}

}  // namespace weir::cli

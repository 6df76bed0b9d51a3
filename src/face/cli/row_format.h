#pragma once

/// Result rows as text. Thread rule: one thread.

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "plan/logical.h"

namespace weir::cli {

enum class RowFormat : uint8_t {
  kTable,  ///< As Spark's show(truncate = false) draws it.
  /// A header, then RFC 4180 lines; NULL is empty, an empty text is "", bytes are base64.
  kCsv,
  /// One object a line; NULL is null, bytes are base64, other values are texts as CAST(.. AS STRING) prints
  /// them, so that no digit is lost.
  kJson,
};

/// Prints the rows of one result.
class RowPrinter {
 public:
  /// `is_report`: as session::Run::is_report; only tables are for reading.
  static std::unique_ptr<RowPrinter> Make(RowFormat format, bool is_report, std::ostream& out);
  virtual ~RowPrinter() = default;
  virtual void Begin(const std::vector<plan::Column>& columns) = 0;
  virtual void Add(const Batch& batch) = 0;
  virtual void End() = 0;
};

std::string CsvText(std::string_view text);  ///< Quoted where it must be.

}  // namespace weir::cli

#pragma once

/// The schema of a stream, as it is laid out on the wire. Thread rule: pure functions; values belong to one
/// thread. Spec: Apache Arrow, Schema.fbs.

#include <memory>
#include <string>
#include <vector>

#include "codec/arrow/budget.h"
#include "codec/arrow/flat_table.h"
#include "type/arrow_c.h"

namespace weir::arrow_ipc {

enum class Layout : uint8_t {
  kNull,   ///< No buffers.
  kBits,   ///< Validity, values of one bit.
  kFixed,  ///< Validity, values of one width.
  kNanos,  ///< As kFixed; times of a day in nanoseconds, where ArrowSchema says microseconds.
  kText,   ///< Validity, offsets, bytes.
  kList,   ///< Validity, offsets; one child. A map has a struct of two members for a child.
  kStruct  ///< Validity; any number of children.
};

/// One column at any depth. It stays where it is: its ArrowSchema points into it.
struct WireColumn {
  std::string name;
  bool nullable = true;
  Layout layout = Layout::kNull;
  int width_bytes = 0;  ///< kFixed, kNanos: of a value. kText, kList: of an offset, 4 or 8.
  std::vector<WireColumn> children;

  std::string format;  ///< Of the C data interface.
  /// For TypeFromArrow and ImportBatch; lent, not to be released.
  ArrowSchema schema{};
  std::vector<ArrowSchema*> child_schemas;
};

/// Reads a Schema table as one struct column without a name. Errors: kUnsupported naming types that Spark
/// does not take in (UNSUPPORTED_ARROWTYPE), dictionaries, big-endian values, and more columns or levels than
/// are sensible; kCorrupt if the table breaks the specification.
Result<std::unique_ptr<const WireColumn>> ReadSchema(const FlatTable& table, Budget& budget);

}  // namespace weir::arrow_ipc

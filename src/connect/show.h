#pragma once

/// What show() and printSchema() print. Thread rule: pure functions. Spec: Dataset.showString,
/// StructType.treeString.

#include <cstdint>
#include <string>
#include <vector>

#include "type/type.h"

namespace weir::connect {

struct ShowOptions {
  int64_t rows = 20;     ///< Said when there are more.
  int64_t truncate = 0;  ///< Longest cell in characters; 0: any.
  bool vertical = false;
};

/// A table of cells under their names, or one block of lines per row.
std::string ShowText(std::vector<std::string> names, std::vector<std::vector<std::string>> cells,
                     bool has_more, const ShowOptions& options);
/// The table as HTML, as notebooks show it.
std::string HtmlText(std::vector<std::string> names, std::vector<std::vector<std::string>> cells,
                     bool has_more, const ShowOptions& options);
/// One line per column and nested part down to `levels`; 0: all.
std::string TreeText(const std::vector<Field>& columns, int levels);

}  // namespace weir::connect

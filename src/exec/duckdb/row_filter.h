#pragma once

/// Which rows of a file leave the reader: the selected ones, without the deleted ones. Thread rule: one
/// reader's filter is called from several threads.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "exec/duckdb/scan.h"

namespace weir::exec {

/// Null if every row stays. `deletes` by position only; both lists are sorted. A synthesized file names its
/// rows by their place in the data files, so it takes the deletes of each of them (by file number of its
/// RowMap).
duckdb::unique_ptr<duckdb::DeleteFilter> MakeRowFilter(std::shared_ptr<const table::RowDeletes> deletes,
                                                       std::span<const int64_t> selected, bool has_selection);
duckdb::unique_ptr<duckdb::DeleteFilter> MakeSynthesizedRowFilter(
    std::shared_ptr<const pages::SynthesizedFile> file,
    std::vector<std::shared_ptr<const table::RowDeletes>> deletes_by_file, bool has_filler);

}  // namespace weir::exec

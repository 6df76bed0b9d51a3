#pragma once

/// The files of a scan as DuckDB's multi-file machinery sees them. Thread rule: immutable.

#include <memory>
#include <vector>

#include "duckdb/common/multi_file/multi_file_list.hpp"
#include "exec/duckdb/scan.h"

namespace weir::exec {

/// Remembers in a file's info which of the source's files it is.
void MarkFile(duckdb::OpenFileInfo& info, size_t index);
size_t FileIndexOf(const duckdb::OpenFileInfo& info);

/// A subset of a source's files, in order.
class ScanFileList : public duckdb::SimpleMultiFileList {
 public:
  ScanFileList(std::shared_ptr<ScanSource> source, std::vector<size_t> files);

  const std::shared_ptr<ScanSource>& source() const { return source_; }
  const std::vector<size_t>& files() const { return files_; }

  duckdb::unique_ptr<duckdb::MultiFileList> DynamicFilterPushdown(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& options,
      const duckdb::vector<std::string>& names, const duckdb::vector<duckdb::LogicalType>& types,
      const duckdb::vector<duckdb::column_t>& column_ids, duckdb::TableFilterSet& filters) const override;
  // Always "many": for one file DuckDB would use what it learnt while binding, and here binding opens none.
  duckdb::FileExpandResult GetExpandResult() const override;
  duckdb::unique_ptr<duckdb::NodeStatistics> GetCardinality(duckdb::ClientContext& context) const override;
  duckdb::unique_ptr<duckdb::MultiFileList> Copy() const override;

 private:
  std::shared_ptr<ScanSource> source_;
  std::vector<size_t> files_;
};

}  // namespace weir::exec

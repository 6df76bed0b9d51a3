#pragma once

/// How one file of a scan maps to the scan's columns: by field id, with constants for what the file does not
/// hold. Thread rule: as DuckDB calls it.

#include <memory>

#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "exec/duckdb/scan.h"
#include "exec/duckdb/scan_files.h"

namespace weir::exec {

class ScanReader : public duckdb::MultiFileReader {
 public:
  explicit ScanReader(std::shared_ptr<Scans> scans) : scans_(std::move(scans)) {}

  duckdb::shared_ptr<duckdb::MultiFileList> CreateFileList(duckdb::ClientContext& context,
                                                           const duckdb::vector<std::string>& paths,
                                                           const duckdb::FileGlobInput& glob) override;
  bool Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
            duckdb::vector<duckdb::LogicalType>& types, duckdb::vector<std::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override;
  void FinalizeBind(duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileOptions& file_options,
                    const duckdb::MultiFileReaderBindData& options,
                    const duckdb::vector<duckdb::MultiFileColumnDefinition>& global_columns,
                    const duckdb::vector<duckdb::ColumnIndex>& global_column_ids,
                    duckdb::ClientContext& context,
                    duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> global_state) override;
  duckdb::ReaderInitializeType InitializeReader(
      duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& global_columns,
      const duckdb::vector<duckdb::ColumnIndex>& global_column_ids,
      duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
      duckdb::MultiFileGlobalState& state) override;
  using duckdb::MultiFileReader::CreateReader;
  /// Opens a file; an error names it.
  duckdb::shared_ptr<duckdb::BaseFileReader> CreateReader(
      duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& state,
      const duckdb::OpenFileInfo& file, duckdb::idx_t index,
      const duckdb::MultiFileBindData& bind_data) override;
  duckdb::unique_ptr<duckdb::MultiFileReader> Copy() const override;

 private:
  std::shared_ptr<Scans> scans_;
  std::shared_ptr<ScanSource> source_;
};

}  // namespace weir::exec

#pragma once

/// Deletes of one data file, loaded and ready to apply. Thread rule: immutable, shared.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "storage/storage.h"
#include "table/data_file.h"
#include "table/row_files.h"

namespace weir::table {

/// Columns of a position delete file, as every table format stores them. Spec: Iceberg, "Position Delete
/// Files".
inline constexpr FieldId kDeletePathField{2147483546};
inline constexpr FieldId kDeletePositionField{2147483545};
/// file_path and pos, both required.
std::vector<Field> PositionDeleteFields();

/// Rows to drop by value: a row goes if its `fields` equal one of `rows`, NULL equal to NULL.
struct EqualityDeleteSet {
  std::vector<Field> fields;
  std::vector<std::vector<Scalar>> rows;  ///< Distinct.
};

struct RowDeletes {
  std::vector<int64_t> positions;  ///< Sorted, distinct, within the file.
  std::vector<std::shared_ptr<const EqualityDeleteSet>> equality;
  bool empty() const { return positions.empty() && equality.empty(); }
};

/// Reads delete files and keeps parsed ones (immutable files) for the tasks that share them.
/// Thread rule: any thread.
class DeleteLoader {
 public:
  /// `stores` and `row_files` must outlive the loader. Charges Purpose::kDeletes of `account`.
  DeleteLoader(const Stores& stores, RowFiles& row_files, Account account, Cancellation cancellation);
  ~DeleteLoader();
  /// All deletes that apply to the task's file. `fields_by_id` finds a field in any schema the table ever
  /// had, since an equality delete may name a dropped column. Errors: kCorrupt naming the delete file for a
  /// position out of [0, row_count) or a missing column.
  Result<std::shared_ptr<const RowDeletes>> Load(const ScanTask& task,
                                                 const std::function<const Field*(FieldId)>& fields_by_id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir::table

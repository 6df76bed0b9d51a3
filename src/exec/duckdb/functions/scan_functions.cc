#include "exec/duckdb/functions/scan_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "duckdb/execution/expression_executor_state.hpp"
#include "duckdb/function/scalar_function.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "exec/duckdb/functions/decimal_rows.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/scan.h"

namespace weir::exec {

namespace {

using duckdb::DataChunk;
using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::PhysicalType;
using duckdb::Vector;
using Arguments = duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>;

struct ScansInfo : duckdb::ScalarFunctionInfo {
  explicit ScansInfo(std::shared_ptr<Scans> in_scans) : scans(std::move(in_scans)) {}
  std::shared_ptr<Scans> scans;
};

std::shared_ptr<ScanSource> SourceOf(const duckdb::ScalarFunction& function, const Arguments& arguments) {
  const auto& scans = function.GetExtraFunctionInfo().Cast<ScansInfo>().scans;
  if (arguments[0]->GetExpressionClass() == duckdb::ExpressionClass::BOUND_CONSTANT) {
    const auto& number = arguments[0]->Cast<duckdb::BoundConstantExpression>().value;
    if (auto source = scans->Find(number.GetValue<uint64_t>())) return source;
  }
  Throw(Internal("{}: its scan is not registered", function.name));
}

// ---- places of rows of synthesized files ----------------------------------------------------------------

/// The place of a virtual row; a row that the map does not know is a defect.
pages::RealRow PlaceOf(const ScanFile& file, int64_t row) {
  const std::optional<pages::RealRow> place = file.synthesized->rows().Find(row);
  if (!place) Throw(Internal("{} has no row {}", file.synthesized->path(), row));
  return *place;
}

template <typename R, typename F>
duckdb::unique_ptr<duckdb::FunctionData> BindPlace(duckdb::ScalarFunction& function, Arguments& arguments,
                                                   F map) {
  std::shared_ptr<ScanSource> source = SourceOf(function, arguments);
  function.SetFunctionCallback([source, map](DataChunk& input, duckdb::ExpressionState&, Vector& result) {
    const ScanFile& file = source->files[0];
    const Rows<int64_t> rows(input.data[1], input.size());
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    for (idx_t i = 0; i < input.size(); ++i) {
      const pages::RealRow place = PlaceOf(file, rows[i]);
      detail::Store<R>(result, i, map(*source, file, place));
    }
  });
  return nullptr;
}

const table::DataFile& DataFileOf(const ScanSource& source, const ScanFile& file,
                                  const pages::RealRow& place) {
  return *(*source.tasks)[file.tasks_of_synthesized[place.file]].file;
}

duckdb::unique_ptr<duckdb::FunctionData> BindTask(duckdb::ClientContext&, duckdb::ScalarFunction& function,
                                                  Arguments& arguments) {
  return BindPlace<int32_t>(function, arguments,
                            [](const ScanSource&, const ScanFile& file, const pages::RealRow& place) {
                              return file.tasks_of_synthesized[place.file];
                            });
}
duckdb::unique_ptr<duckdb::FunctionData> BindPosition(duckdb::ClientContext&,
                                                      duckdb::ScalarFunction& function,
                                                      Arguments& arguments) {
  return BindPlace<int64_t>(
      function, arguments,
      [](const ScanSource&, const ScanFile&, const pages::RealRow& place) { return place.position.value; });
}
duckdb::unique_ptr<duckdb::FunctionData> BindFile(duckdb::ClientContext&, duckdb::ScalarFunction& function,
                                                  Arguments& arguments) {
  return BindPlace<duckdb::string_t>(
      function, arguments, [](const ScanSource& source, const ScanFile& file, const pages::RealRow& place) {
        return std::string_view(DataFileOf(source, file, place).path);
      });
}
duckdb::unique_ptr<duckdb::FunctionData> BindSpec(duckdb::ClientContext&, duckdb::ScalarFunction& function,
                                                  Arguments& arguments) {
  return BindPlace<int32_t>(function, arguments,
                            [](const ScanSource& source, const ScanFile& file, const pages::RealRow& place) {
                              return DataFileOf(source, file, place).partition.spec_id;
                            });
}

// ---- equality deletes -------------------------------------------------------------------------------------

void AppendNumber(std::string& key, const void* from, size_t size) {
  key.append(static_cast<const char*>(from), size);
}
void AppendInteger(std::string& key, int64_t value) { AppendNumber(key, &value, sizeof(value)); }
void AppendWide(std::string& key, Int128 value) { AppendNumber(key, &value, sizeof(value)); }
void AppendFloating(std::string& key, double value) {
  // All NaNs are equal, and -0.0 is not 0.0, as for Iceberg's Java library.
  const uint64_t bits = std::isnan(value) ? ~uint64_t{0} : std::bit_cast<uint64_t>(value);
  AppendNumber(key, &bits, sizeof(bits));
}
void AppendText(std::string& key, std::string_view text) {
  AppendInteger(key, static_cast<int64_t>(text.size()));
  key.append(text);
}

/// One value in a form in which equal values have equal bytes.
void Encode(std::string& key, const Scalar& value) {
  key.push_back(value.is_null() ? 0 : 1);
  if (value.is_null()) return;
  switch (value.type().kind()) {
    case TypeKind::kBoolean:
      return AppendInteger(key, value.boolean());
    case TypeKind::kFloat:
      return AppendFloating(key, value.float32());
    case TypeKind::kDouble:
      return AppendFloating(key, value.float64());
    case TypeKind::kDecimal:
      return AppendWide(key, value.unscaled());
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return AppendText(key, value.text());
    case TypeKind::kUuid:
      return AppendText(key, value.ToString());
    default:
      return AppendInteger(key, value.integer());
  }
}

/// The same for a row of a DuckDB vector.
class Encoder {
 public:
  Encoder(Vector& vector, idx_t count) : type_(vector.GetType()) { vector.ToUnifiedFormat(count, format_); }

  void Append(std::string& key, idx_t row) const {
    const idx_t at = format_.sel->get_index(row);
    const bool valid = format_.validity.RowIsValid(at);
    key.push_back(valid ? 1 : 0);
    if (!valid) return;
    const bool decimal = type_.id() == duckdb::LogicalTypeId::DECIMAL;
    switch (type_.InternalType()) {
      case PhysicalType::BOOL:
        return AppendInteger(key, Get<bool>(at));
      case PhysicalType::INT8:
        return AppendInteger(key, Get<int8_t>(at));
      case PhysicalType::INT16:
        return Number(key, decimal, Get<int16_t>(at));
      case PhysicalType::INT32:
        return Number(key, decimal, Get<int32_t>(at));
      case PhysicalType::INT64:
        return Number(key, decimal, Get<int64_t>(at));
      case PhysicalType::INT128:
        return AppendWide(key, FromHugeint(Get<duckdb::hugeint_t>(at)));
      case PhysicalType::FLOAT:
        return AppendFloating(key, Get<float>(at));
      case PhysicalType::DOUBLE:
        return AppendFloating(key, Get<double>(at));
      case PhysicalType::VARCHAR:
        return AppendText(key, View(Get<duckdb::string_t>(at)));
      default:
        Throw(Unsupported("equality deletes by a column of type {}", type_.ToString()));
    }
  }

 private:
  template <typename T>
  const T& Get(idx_t at) const {
    return reinterpret_cast<const T*>(format_.data)[at];
  }
  static void Number(std::string& key, bool decimal, int64_t value) {
    return decimal ? AppendWide(key, value) : AppendInteger(key, value);
  }
  LogicalType type_;
  duckdb::UnifiedVectorFormat format_;
};

/// A set of deleted keys, ready to be probed.
struct DeletedKeys {
  std::vector<size_t> columns;  ///< Positions among the compared columns.
  std::unordered_set<std::string> keys;
};

/// The deletes of each task of a scan, prepared when its first row arrives. Thread rule: any thread.
class EqualityDeletes {
 public:
  explicit EqualityDeletes(std::shared_ptr<ScanSource> source) : source_(std::move(source)) {}

  using Sets = std::vector<std::shared_ptr<const DeletedKeys>>;
  std::shared_ptr<const Sets> For(int32_t task) {
    std::lock_guard lock(mutex_);
    std::shared_ptr<const Sets>& sets = by_task_[task];
    if (!sets) sets = Prepare(task);
    return sets;
  }

 private:
  std::shared_ptr<const Sets> Prepare(int32_t task) {
    auto sets = std::make_shared<Sets>();
    const auto deletes = ValueOrThrow(LoadDeletes(*source_, task));
    for (const auto& set : deletes->equality) {
      std::shared_ptr<const DeletedKeys>& prepared = by_set_[set];
      if (!prepared) prepared = Prepare(*set);
      sets->push_back(prepared);
    }
    return sets;
  }

  std::shared_ptr<const DeletedKeys> Prepare(const table::EqualityDeleteSet& set) const {
    auto deleted = std::make_shared<DeletedKeys>();
    const std::vector<FieldId>& known = source_->equality_fields;
    for (const Field& field : set.fields) {
      const auto at = std::find(known.begin(), known.end(), field.id);
      if (at == known.end())
        Throw(Internal("{}: field {} of a delete was not read", source_->name, field.id.value));
      deleted->columns.push_back(static_cast<size_t>(at - known.begin()));
    }
    for (const std::vector<Scalar>& row : set.rows) {
      std::string key;
      for (const Scalar& value : row) Encode(key, value);
      deleted->keys.insert(std::move(key));
    }
    return deleted;
  }

  std::shared_ptr<ScanSource> source_;
  std::mutex mutex_;
  std::unordered_map<int32_t, std::shared_ptr<const Sets>> by_task_;
  std::unordered_map<std::shared_ptr<const table::EqualityDeleteSet>, std::shared_ptr<const DeletedKeys>>
      by_set_;
};

/// weir_not_deleted(scan, task, values...): whether no equality delete of the task's file names the row.
duckdb::unique_ptr<duckdb::FunctionData> BindNotDeleted(duckdb::ClientContext&,
                                                        duckdb::ScalarFunction& function,
                                                        Arguments& arguments) {
  auto deletes = std::make_shared<EqualityDeletes>(SourceOf(function, arguments));
  function.SetFunctionCallback([deletes](DataChunk& input, duckdb::ExpressionState&, Vector& result) {
    const Rows<int32_t> tasks(input.data[1], input.size());
    std::vector<Encoder> columns;
    for (size_t i = 2; i < input.ColumnCount(); ++i) columns.emplace_back(input.data[i], input.size());
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    auto* kept = duckdb::FlatVector::GetData<bool>(result);
    std::shared_ptr<const EqualityDeletes::Sets> sets;
    int32_t current = -1;
    std::string key;
    for (idx_t row = 0; row < input.size(); ++row) {
      if (!sets || tasks[row] != current) sets = deletes->For(current = tasks[row]);
      kept[row] = true;
      for (const auto& set : *sets) {
        key.clear();
        for (size_t column : set->columns) columns[column].Append(key, row);
        if (set->keys.contains(key)) kept[row] = false;
      }
    }
  });
  return nullptr;
}

}  // namespace

void RegisterScanFunctions(duckdb::ExtensionLoader& loader, std::shared_ptr<Scans> scans) {
  const auto info = duckdb::make_shared_ptr<ScansInfo>(std::move(scans));
  struct Entry {
    const char* name;
    LogicalType result;
    duckdb::bind_scalar_function_t bind;
  };
  const Entry entries[] = {{"weir_row_task", LogicalType::INTEGER, BindTask},
                           {"weir_row_position", LogicalType::BIGINT, BindPosition},
                           {"weir_row_file", LogicalType::VARCHAR, BindFile},
                           {"weir_row_spec", LogicalType::INTEGER, BindSpec}};
  for (const Entry& entry : entries) {
    duckdb::ScalarFunction function(entry.name, {LogicalType::UBIGINT, LogicalType::BIGINT}, entry.result,
                                    nullptr, entry.bind);
    function.SetExtraFunctionInfo(info);
    function.SetFallible();
    loader.RegisterFunction(function);
  }
  duckdb::ScalarFunction not_deleted("weir_not_deleted", {LogicalType::UBIGINT, LogicalType::INTEGER},
                                     LogicalType::BOOLEAN, nullptr, BindNotDeleted);
  not_deleted.varargs = LogicalType::ANY;
  not_deleted.SetNullHandling(duckdb::FunctionNullHandling::SPECIAL_HANDLING);
  not_deleted.SetExtraFunctionInfo(info);
  loader.RegisterFunction(not_deleted);
}

}  // namespace weir::exec

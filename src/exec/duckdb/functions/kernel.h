#pragma once

/// How Weir's own functions are written: a binder picks a kernel for the argument types, and the kernel maps
/// rows. A function that cannot know its result from its arguments gets a type marker (a NULL of that type)
/// as its last argument. Arguments stay in the expression, so that DuckDB never takes two different calls for
/// the same. Thread rule: kernels are called from any thread and hold no state.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "duckdb/common/types/value.hpp"
#include "duckdb/common/types/vector.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

using KernelRun = std::function<void(duckdb::DataChunk& arguments, duckdb::Vector& result)>;

struct Kernel {
  duckdb::LogicalType result;
  KernelRun run;
};

/// What a binder knows of a call.
struct KernelCall {
  std::string name;
  std::vector<duckdb::LogicalType> types;
  std::vector<std::optional<duckdb::Value>> constants;  ///< Where the argument is a constant.

  /// The constant text of an argument. Throws kInternal if it is none.
  std::string Text(size_t argument) const;
  int64_t Integer(size_t argument) const;
};

/// Throws through ValueOrThrow for types that the kernel does not take.
using KernelBinder = Kernel (*)(const KernelCall& call);

struct KernelEntry {
  const char* name;
  KernelBinder bind;
  bool can_fail = true;
  bool deterministic = true;
};

/// All kernels, by file.
std::vector<KernelEntry> CastKernels();
std::vector<KernelEntry> ArithmeticKernels();
std::vector<KernelEntry> TextKernels();
std::vector<KernelEntry> RegexKernels();
std::vector<KernelEntry> MathKernels();
std::vector<KernelEntry> TimeKernels();
std::vector<KernelEntry> TimeFormatKernels();
std::vector<KernelEntry> CollectionKernels();
std::vector<KernelEntry> HashKernels();
std::vector<KernelEntry> DigestKernels();
std::vector<KernelEntry> PartitionKernels();

/// Typed access to the rows of one argument.
template <typename T>
class Rows {
 public:
  Rows(duckdb::Vector& vector, duckdb::idx_t count) { vector.ToUnifiedFormat(count, format_); }
  bool IsNull(duckdb::idx_t row) const { return !format_.validity.RowIsValid(format_.sel->get_index(row)); }
  const T& operator[](duckdb::idx_t row) const {
    return reinterpret_cast<const T*>(format_.data)[format_.sel->get_index(row)];
  }

 private:
  duckdb::UnifiedVectorFormat format_;
};

inline std::string_view View(const duckdb::string_t& text) { return {text.GetData(), text.GetSize()}; }

namespace detail {

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename R, typename V>
void Store(duckdb::Vector& result, duckdb::idx_t row, V&& value) {
  auto* data = duckdb::FlatVector::GetData<R>(result);
  if constexpr (std::is_same_v<R, duckdb::string_t>) {
    const std::string_view text(value);
    data[row] = duckdb::StringVector::AddStringOrBlob(result, duckdb::string_t(text.data(), text.size()));
  } else {
    data[row] = static_cast<R>(value);
  }
}

template <typename T>
auto Argument(const Rows<T>& rows, duckdb::idx_t row) {
  if constexpr (std::is_same_v<T, duckdb::string_t>) {
    return View(rows[row]);
  } else {
    return rows[row];
  }
}

}  // namespace detail

/// Calls `map(arguments...)` for every row without a NULL among the first arguments (as many as there are
/// types); NULL gives NULL. Text arrives as string_view. `map` returns a value (text: anything that a
/// string_view can be made of) or an optional of it, where nullopt is NULL.
template <typename R, typename... Types, typename F>
void MapRows(duckdb::DataChunk& arguments, duckdb::Vector& result, F&& map) {
  bool constant = true;
  for (size_t i = 0; i < sizeof...(Types); ++i) {
    constant &= arguments.data[i].GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
  }
  const duckdb::idx_t count = constant ? 1 : arguments.size();
  [&]<size_t... I>(std::index_sequence<I...>) {
    std::tuple<Rows<Types>...> rows{Rows<Types>(arguments.data[I], arguments.size())...};
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    auto& validity = duckdb::FlatVector::Validity(result);
    for (duckdb::idx_t row = 0; row < count; ++row) {
      if ((std::get<I>(rows).IsNull(row) || ...)) {
        validity.SetInvalid(row);
        continue;
      }
      auto value = map(detail::Argument(std::get<I>(rows), row)...);
      if constexpr (detail::IsOptional<decltype(value)>::value) {
        if (value) {
          detail::Store<R>(result, row, *value);
        } else {
          validity.SetInvalid(row);
        }
      } else {
        detail::Store<R>(result, row, value);
      }
    }
  }
  (std::index_sequence_for<Types...>{});
  if (constant) result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
}

/// A kernel that is MapRows.
template <typename R, typename... Types, typename F>
Kernel Mapping(duckdb::LogicalType result, F map) {
  return {std::move(result), [map](duckdb::DataChunk& arguments, duckdb::Vector& out) {
            MapRows<R, Types...>(arguments, out, map);
          }};
}

}  // namespace weir::exec

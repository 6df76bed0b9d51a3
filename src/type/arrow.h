#pragma once

/// Batches and types in and out of Arrow's C data interface. Thread rule: pure functions; owners belong to
/// one thread.

#include <optional>
#include <span>
#include <utility>

#include "type/arrow_c.h"
#include "type/batch.h"

namespace weir {

/// Owns an Arrow C struct: releases it unless it was moved out.
template <typename T>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  explicit ArrowOwner(T value) : value_(value) {}
  ArrowOwner(ArrowOwner&& other) noexcept : value_(other.MoveOut()) {}
  ArrowOwner& operator=(ArrowOwner&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~ArrowOwner() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  /// For producers that fill the struct, and consumers that take it over by copying it and clearing
  /// `release`.
  T* get() { return &value_; }
  /// Hands the struct over: the caller releases it.
  T MoveOut() {
    T moved = value_;
    value_ = T{};
    return moved;
  }

 private:
  T value_{};
};
using OwnedArrowSchema = ArrowOwner<ArrowSchema>;
using OwnedArrowArray = ArrowOwner<ArrowArray>;

/// The type that an Arrow schema describes; a struct's members keep names and nullability, ids are 0. A
/// month-day-nano interval is a day-time interval. Errors: kUnsupported naming the format, such as unsigned
/// integers, dictionaries, and units other than microseconds.
Result<Type> TypeFromArrow(const ArrowSchema& schema);

/// A struct schema with one child per field: utf8, binary, list and map with 32-bit offsets, decimal128,
/// timestamps in microseconds (UTC or without zone), year-month intervals as months, day-time intervals as
/// durations in microseconds, uuid as 16 bytes.
OwnedArrowSchema ArrowSchemaFrom(std::span<const Field> fields);

/// Copies the rows of a struct array into columns. Accepts what TypeFromArrow accepts, offsets and slices
/// included. `types`, one per child, say which type a column is to have where the layout leaves a choice:
/// both interval types for a month-day-nano interval, uuid for 16 bytes. The caller keeps and releases both
/// structs. Errors: kUnsupported as TypeFromArrow, and for an interval that the type cannot hold; kInvalid if
/// a type does not go with its column; kCorrupt if offsets run backwards.
Result<Batch> ImportBatch(const ArrowArray& array, const ArrowSchema& schema,
                          std::optional<std::span<const Type>> types = std::nullopt);

/// The batch as a struct array with the layout of ArrowSchemaFrom. Shares the columns' buffers; only offsets
/// are copied. Errors: kInvalid if a column has text or elements beyond 32-bit offsets.
Result<OwnedArrowArray> ExportBatch(const Batch& batch);

}  // namespace weir

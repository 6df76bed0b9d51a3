#pragma once

/// Rows as columns in one layout, close to Arrow's, so that readers never meet another. Foreign layouts are
/// converted where they come in and go out (arrow.h). Thread rule: immutable once built; a builder belongs to
/// one thread.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "type/scalar.h"
#include "type/type.h"

namespace weir {

/// The values of one column. Buffers by type kind:
///   boolean: `values`, one bit per row. Fixed width: `values`, little-endian: byte 1; short 2; int, date,
///   year-month interval 4; long, time, timestamps, day-time interval 8; float 4; double 8; decimal 16; uuid
///   16; fixed(n) n bytes. string, binary: `offsets` into `bytes`. array: `offsets` into children[0]. map:
///   `offsets` into children[0] (keys) and children[1] (values). struct: one child per member, each as long
///   as the column. void: nothing.
struct ColumnVector {
  Type type;
  int64_t length = 0;
  std::vector<uint8_t> validity;  ///< Bit i set: row i is not NULL. Empty: no NULLs.
  std::vector<uint8_t> values;
  std::vector<int64_t> offsets;  ///< length + 1 entries.
  std::string bytes;
  std::vector<ColumnVector> children;

  bool IsNull(int64_t row) const {
    if (type.kind() == TypeKind::kVoid) return true;
    return !validity.empty() && (validity[row >> 3] >> (row & 7) & 1) == 0;
  }
  /// Fixed-width value; T has the width of the kind. Precondition: row in [0, length).
  template <typename T>
  T Value(int64_t row) const {
    T value;
    __builtin_memcpy(&value, values.data() + row * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
  bool Boolean(int64_t row) const { return values[row >> 3] >> (row & 7) & 1; }
  /// Kinds whose payload is an integer: byte to long, date, time, timestamps, intervals. Precondition: not
  /// NULL.
  int64_t Integer(int64_t row) const;
  /// string, binary.
  std::string_view Text(int64_t row) const {
    return std::string_view(bytes).substr(offsets[row], offsets[row + 1] - offsets[row]);
  }
  Scalar At(int64_t row) const;
};

/// Appends bit number `row` to a bitmap of `row` bits.
void AppendBit(std::vector<uint8_t>& bits, int64_t row, bool value);
/// Says whether row number `row` is valid, after as many others.
void AppendValidity(ColumnVector& column, int64_t row, bool valid);

/// Bytes per value of a fixed-width kind; 0 for boolean, string, binary, nested and void.
int FixedWidthBytes(const Type& type);

/// Builds a column row by row. Appends check nothing: the caller has coerced the values.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(Type type);
  /// `value` is NULL or has the builder's type kind (payload as Scalar documents).
  void Append(const Scalar& value);
  void AppendNull();
  /// As Append, for kinds whose payload is an integer, and for string and binary.
  void AppendInteger(int64_t value);
  void AppendText(std::string_view value);
  int64_t length() const { return column_.length; }
  ColumnVector Finish() &&;

 private:
  void MarkValid(bool valid);
  ColumnVector column_;
  std::vector<ColumnBuilder> children_;
};

/// Columns of one length. Copies share the columns.
struct Batch {
  int64_t row_count = 0;
  std::vector<std::shared_ptr<const ColumnVector>> columns;

  size_t column_count() const { return columns.size(); }
  bool IsNull(int64_t row, size_t column) const { return columns[column]->IsNull(row); }

  Scalar At(int64_t row, size_t column) const { return columns[column]->At(row); }
};

/// A batch from rows of scalars, one per type. For small results and tests.
Batch MakeBatch(const std::vector<Type>& types, const std::vector<std::vector<Scalar>>& rows);

}  // namespace weir

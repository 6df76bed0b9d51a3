#pragma once

/// Reads flatbuffers that nobody has verified: every access is checked against the buffer. Views own nothing.
/// Thread rule: values. Spec: FlatBuffers, "Internals".

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace weir::arrow_ipc {

class FlatTableVector;

/// A table, whose members are found by position. A member that is absent has the value that its schema gives
/// for that. Nothing bounds what a table refers to: tables may share members, or form a cycle, and the caller
/// bounds depth and counts. Errors: kCorrupt for what lies outside of the buffer.
class FlatTable {
 public:
  /// The table at the root of a buffer.
  static Result<FlatTable> Root(Bytes buffer);

  template <typename T>
  Result<T> Number(uint16_t member, T absent = {}) const {
    WEIR_TRY(const size_t at, Find(member, sizeof(T)));
    return at == 0 ? absent : LoadLittleEndian<T>(buffer_.data() + at);
  }
  Result<std::optional<FlatTable>> Table(uint16_t member) const;
  /// Empty if absent.
  Result<std::string_view> Text(uint16_t member) const;
  /// Empty if absent.
  Result<FlatTableVector> Tables(uint16_t member) const;
  /// The bytes of a vector of structs, a multiple of their size; empty if absent.
  Result<Bytes> Structs(uint16_t member, size_t struct_bytes) const;

 private:
  friend class FlatTableVector;
  FlatTable(Bytes buffer, size_t at, Bytes members) : buffer_(buffer), at_(at), members_(members) {}

  static Result<FlatTable> At(Bytes buffer, size_t at);
  /// Where the offset at `at` leads to.
  static Result<size_t> Follow(Bytes buffer, size_t at);
  /// Where a member of some bytes lies; 0 if it is absent.
  Result<size_t> Find(uint16_t member, size_t size_bytes) const;
  /// The elements of the vector that an offset at `at` leads to.
  Result<Bytes> Vector(size_t at, size_t element_bytes) const;

  Bytes buffer_;
  size_t at_ = 0;
  Bytes members_;  ///< A 16-bit offset from `at_` each.
};

class FlatTableVector {
 public:
  size_t size() const { return offsets_.size() / sizeof(uint32_t); }
  /// Precondition: i < size().
  Result<FlatTable> At(size_t i) const;

 private:
  friend class FlatTable;
  FlatTableVector(Bytes buffer, Bytes offsets) : buffer_(buffer), offsets_(offsets) {}
  Bytes buffer_;
  Bytes offsets_;
};

}  // namespace weir::arrow_ipc

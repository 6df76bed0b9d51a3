#pragma once

/// One Avro value as a 16-byte view, used both to read and to write.
/// Spec: Apache Avro 1.12, "Binary Encoding".

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/avro/schema.h"

namespace weir::avro {

/// A value of any kind but union and any. It owns nothing: text and children live in the reader's block, a
/// ValueArena or with the caller. Every accessor is total: of another kind (or of null) it gives 0, false,
/// empty. Thread rule: immutable values.
class Value {
 public:
  Value() = default;  ///< Null.
  static Value Null() { return {}; }
  static Value Boolean(bool value) { return Value(Kind::kBoolean, int64_t{value}); }
  static Value Int(int32_t value) { return Value(Kind::kInt, int64_t{value}); }
  static Value Long(int64_t value) { return Value(Kind::kLong, value); }
  static Value Float(float value) { return Value(Kind::kFloat, double{value}); }
  static Value Double(double value) { return Value(Kind::kDouble, value); }
  /// Text, children: more than 2^32 - 1 give a value that Writer::Append refuses.
  static Value Bytes(std::string_view bytes) { return Value(Kind::kBytes, bytes); }
  static Value String(std::string_view utf8) { return Value(Kind::kString, utf8); }
  static Value Fixed(std::string_view bytes) { return Value(Kind::kFixed, bytes); }
  /// By position of the symbol.
  static Value Enum(int32_t symbol) { return Value(Kind::kEnum, int64_t{symbol}); }
  /// In the order of the schema's fields.
  static Value Record(std::span<const Value> fields) { return Value(Kind::kRecord, fields); }
  static Value Array(std::span<const Value> elements) { return Value(Kind::kArray, elements); }
  /// Key, value, key, value, ...
  static Value Map(std::span<const Value> entries) { return Value(Kind::kMap, entries); }
  /// The same value as the n-th branch of a union. Only needed to write a union other than an optional.
  Value InBranch(uint16_t branch) const {
    Value value = *this;
    value.branch_ = branch;
    return value;
  }

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool boolean() const { return kind_ == Kind::kBoolean && integer_ != 0; }
  /// kInt, kLong, and the symbol's position of kEnum.
  int64_t integer() const {
    return kind_ == Kind::kInt || kind_ == Kind::kLong || kind_ == Kind::kEnum ? integer_ : 0;
  }
  /// kFloat (exactly) and kDouble.
  double number() const { return kind_ == Kind::kFloat || kind_ == Kind::kDouble ? number_ : 0; }
  /// kBytes, kString, kFixed.
  std::string_view text() const { return has_text() ? std::string_view(text_, size_) : std::string_view(); }
  /// Record: one per wanted field, in wanted order. Array: elements. Map: key, value, key, value, ...
  std::span<const Value> children() const {
    return has_children() ? std::span<const Value>(children_, size_) : std::span<const Value>();
  }
  /// children()[index]; null behind the end.
  const Value& operator[](size_t index) const;
  /// The branch of the file's union; 0 where there is none.
  uint16_t branch() const { return branch_; }

  /// Deep, by kind and content; NaN equals NaN; branches do not count.
  bool operator==(const Value& other) const;
  /// For messages and tests: null, 1, 1.5, "text", 0x00ff, [..], {..}.
  std::string ToString() const;

 private:
  Value(Kind kind, int64_t integer) : integer_(integer), kind_(kind) {}
  Value(Kind kind, double number) : number_(number), kind_(kind) {}
  Value(Kind kind, std::string_view text)
      : text_(text.data()),
        size_(static_cast<uint32_t>(text.size())),
        kind_(Fits(text.size()) ? kind : Kind::kAny) {}
  Value(Kind kind, std::span<const Value> children)
      : children_(children.data()),
        size_(static_cast<uint32_t>(children.size())),
        kind_(Fits(children.size()) ? kind : Kind::kAny) {}
  static bool Fits(size_t size) { return size <= UINT32_MAX; }
  bool has_text() const { return kind_ >= Kind::kBytes && kind_ <= Kind::kFixed; }
  bool has_children() const { return kind_ >= Kind::kRecord && kind_ <= Kind::kMap; }

  union {
    int64_t integer_ = 0;
    double number_;
    const char* text_;
    const Value* children_;
  };
  uint32_t size_ = 0;
  Kind kind_ = Kind::kNull;
  uint16_t branch_ = 0;
};

/// Memory for children and text of values that are being built or decoded. What it gave stays valid until
/// Reset or destruction. Thread rule: one thread.
class ValueArena {
 public:
  ValueArena() = default;
  ValueArena(const ValueArena&) = delete;
  ValueArena& operator=(const ValueArena&) = delete;

  /// `count` nulls to be filled in.
  std::span<Value> New(size_t count);
  /// A copy of the text.
  std::string_view Keep(std::string_view text);
  Value Record(std::initializer_list<Value> fields) { return Value::Record(Copy(Span(fields))); }
  Value Array(std::initializer_list<Value> elements) { return Value::Array(Copy(Span(elements))); }
  Value Map(std::initializer_list<Value> entries) { return Value::Map(Copy(Span(entries))); }
  /// A copy of a value that shares nothing with it.
  Value DeepCopy(const Value& value);

  /// Forgets everything, keeps the memory.
  void Reset();

 private:
  static std::span<const Value> Span(std::initializer_list<Value> values) {
    return {values.begin(), values.size()};
  }
  std::span<const Value> Copy(std::span<const Value> values);
  void* Allocate(size_t values);
  struct Slab {
    std::unique_ptr<std::byte[]> memory;
    size_t capacity = 0;  ///< In values.
  };
  std::vector<Slab> slabs_;
  size_t slab_ = 0;  ///< Index of the slab in use.
  size_t used_ = 0;  ///< Values used in it.
};

}  // namespace weir::avro

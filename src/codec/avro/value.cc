#include "codec/avro/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

namespace weir::avro {

const Value& Value::operator[](size_t index) const {
  static const Value null{};
  const std::span<const Value> all = children();
  return index < all.size() ? all[index] : null;
}

bool Value::operator==(const Value& other) const {
  if (kind_ != other.kind_) return false;
  if (has_text()) return text() == other.text();
  if (has_children()) return std::ranges::equal(children(), other.children());
  if (kind_ == Kind::kFloat || kind_ == Kind::kDouble) {
    return number_ == other.number_ || (std::isnan(number_) && std::isnan(other.number_));
  }
  return kind_ == Kind::kNull || integer_ == other.integer_;
}

std::string Value::ToString() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return boolean() ? "true" : "false";
    case Kind::kInt:
    case Kind::kLong:
    case Kind::kEnum:
      return fmt::format("{}", integer_);
    case Kind::kFloat:
      return fmt::format("{}", static_cast<float>(number_));
    case Kind::kDouble:
      return fmt::format("{}", number_);
    case Kind::kString:
      return fmt::format("\"{}\"", text());
    case Kind::kBytes:
    case Kind::kFixed: {
      std::string hex = "0x";
      for (char c : text()) hex += fmt::format("{:02x}", static_cast<uint8_t>(c));
      return hex;
    }
    case Kind::kRecord:
    case Kind::kArray:
    case Kind::kMap: {
      std::string list;
      for (const Value& child : children()) list += (list.empty() ? "" : ", ") + child.ToString();
      return kind_ == Kind::kArray ? "[" + list + "]" : "{" + list + "}";
    }
    case Kind::kUnion:
    case Kind::kAny:
      break;
  }
  return "?";
}

void* ValueArena::Allocate(size_t values) {
  constexpr size_t kFirstSlab = 1024;
  while (slab_ < slabs_.size() && slabs_[slab_].capacity - used_ < values) {
    ++slab_;
    used_ = 0;
  }
  if (slab_ == slabs_.size()) {
    const size_t grown = slabs_.empty() ? kFirstSlab : std::min<size_t>(slabs_.back().capacity * 2, 1 << 20);
    const size_t capacity = std::max(grown, values);
    slabs_.push_back({std::make_unique_for_overwrite<std::byte[]>(capacity * sizeof(Value)), capacity});
    used_ = 0;
  }
  std::byte* memory = slabs_[slab_].memory.get() + used_ * sizeof(Value);
  used_ += values;
  return memory;
}

std::span<Value> ValueArena::New(size_t count) {
  if (count == 0) return {};
  auto* values = static_cast<Value*>(Allocate(count));
  for (size_t i = 0; i < count; ++i) new (values + i) Value();
  return {values, count};
}

std::string_view ValueArena::Keep(std::string_view text) {
  if (text.empty()) return {};
  auto* memory = static_cast<char*>(Allocate((text.size() + sizeof(Value) - 1) / sizeof(Value)));
  std::memcpy(memory, text.data(), text.size());
  return {memory, text.size()};
}

std::span<const Value> ValueArena::Copy(std::span<const Value> values) {
  const std::span<Value> copy = New(values.size());
  std::ranges::copy(values, copy.begin());
  return copy;
}

Value ValueArena::DeepCopy(const Value& value) {
  switch (value.kind()) {
    case Kind::kBytes:
      return Value::Bytes(Keep(value.text())).InBranch(value.branch());
    case Kind::kString:
      return Value::String(Keep(value.text())).InBranch(value.branch());
    case Kind::kFixed:
      return Value::Fixed(Keep(value.text())).InBranch(value.branch());
    case Kind::kRecord:
    case Kind::kArray:
    case Kind::kMap:
      break;
    default:
      return value;
  }
  const std::span<Value> children = New(value.children().size());
  for (size_t i = 0; i < children.size(); ++i) children[i] = DeepCopy(value.children()[i]);
  Value copy = value.kind() == Kind::kRecord  ? Value::Record(children)
               : value.kind() == Kind::kArray ? Value::Array(children)
                                              : Value::Map(children);
  return copy.InBranch(value.branch());
}

void ValueArena::Reset() {
  slab_ = 0;
  used_ = 0;
}

}  // namespace weir::avro

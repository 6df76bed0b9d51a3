#include "codec/avro/decode.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::avro {

Result<Value> Decoder::Decode(const Plan& plan, Cursor& cursor) {
  cursor_ = &cursor;
  values_left_ = values_per_record_;
  arena_.Reset();
  stack_.clear();
  error_.reset();
  Value value;
  if (!Read(plan, value)) return *std::move(error_);
  return value;
}

bool Decoder::Read(const Plan& plan, Value& out) {
  switch (plan.op) {
    case Plan::Op::kNull:
      out = Value::Null();
      return true;
    case Plan::Op::kBoolean: {
      uint8_t byte = 0;
      if (!cursor_->ReadRaw(byte)) return Fail(plan, "ends within a boolean");
      if (byte > 1) return Fail(plan, "has a boolean that is neither 0 nor 1");
      out = Value::Boolean(byte == 1);
      return true;
    }
    case Plan::Op::kInteger: {
      int64_t value = 0;
      if (!cursor_->ReadLong(value)) return Fail(plan, "has a damaged integer");
      if (plan.is_int && value != static_cast<int32_t>(value)) return Fail(plan, "has an int beyond 32 bits");
      out = plan.out == Kind::kInt ? Value::Int(static_cast<int32_t>(value)) : Value::Long(value);
      return true;
    }
    case Plan::Op::kFloat: {
      float value = 0;
      if (!cursor_->ReadRaw(value)) return Fail(plan, "ends within a float");
      out = plan.out == Kind::kFloat ? Value::Float(value) : Value::Double(value);
      return true;
    }
    case Plan::Op::kDouble: {
      double value = 0;
      if (!cursor_->ReadRaw(value)) return Fail(plan, "ends within a double");
      out = Value::Double(value);
      return true;
    }
    case Plan::Op::kText:
    case Plan::Op::kFixed: {
      std::string_view text;
      const bool read =
          plan.op == Plan::Op::kText ? cursor_->ReadText(text) : cursor_->ReadBytes(plan.size, text);
      if (!read) return Fail(plan, "has text of a length that the block does not hold");
      out = plan.out == Kind::kString  ? Value::String(text)
            : plan.out == Kind::kBytes ? Value::Bytes(text)
                                       : Value::Fixed(text);
      return true;
    }
    case Plan::Op::kEnum: {
      int64_t symbol = 0;
      if (!cursor_->ReadLong(symbol)) return Fail(plan, "has a damaged enum");
      if (symbol < 0 || symbol >= plan.size) return Fail(plan, "has an enum symbol out of range");
      out = Value::Enum(static_cast<int32_t>(symbol));
      return true;
    }
    case Plan::Op::kRecord:
      return ReadRecord(plan, out);
    case Plan::Op::kArray:
    case Plan::Op::kMap:
      return ReadItems(plan, out);
    case Plan::Op::kUnion: {
      int64_t branch = 0;
      if (!cursor_->ReadLong(branch)) return Fail(plan, "has a damaged union");
      if (branch < 0 || branch >= static_cast<int64_t>(plan.branches.size())) {
        return Fail(plan, "has a union branch out of range");
      }
      if (plan.branches[branch] == nullptr) return Fail(plan, "is null but required");
      if (!Read(*plan.branches[branch], out)) return false;
      out = out.InBranch(static_cast<uint16_t>(branch));
      return true;
    }
  }
  return Fail(plan, "has an unknown operation");
}

bool Decoder::ReadRecord(const Plan& plan, Value& out) {
  if (!Spend(plan, plan.slots, 1)) return false;
  const std::span<Value> slots = arena_.New(plan.slots);
  if (!ReadFields(plan, slots)) return false;
  out = Value::Record(slots);
  return true;
}

bool Decoder::ReadFields(const Plan& plan, std::span<Value> slots) {
  for (const Plan::Step& step : plan.steps) {
    const bool done = step.slot == Plan::Step::kSkip ? Skip(*step.plan) : Read(*step.plan, slots[step.slot]);
    if (!done) return false;
  }
  return true;
}

bool Decoder::ReadItems(const Plan& plan, Value& out) {
  const size_t base = stack_.size();
  while (true) {
    uint64_t count = 0;
    std::optional<uint64_t> size_bytes;
    if (!ReadCount(plan, count, size_bytes)) return false;
    if (count == 0) break;
    const size_t width = plan.op == Plan::Op::kMap ? 2 : 1;
    if (!Spend(plan, count, width)) return false;
    const uint64_t start = cursor_->offset();
    for (uint64_t i = 0; i < count; ++i) {
      Value item[2];  // Not in the stack yet: reading it may move the stack.
      const bool read = width == 2 ? ReadFields(*plan.item, item) : Read(*plan.item, item[0]);
      if (!read) return false;
      stack_.insert(stack_.end(), item, item + width);
    }
    if (size_bytes && cursor_->offset() - start != *size_bytes) {
      return Fail(plan, "has items that do not fill their block");
    }
  }
  const std::span<Value> items = arena_.New(stack_.size() - base);
  std::copy(stack_.begin() + static_cast<ptrdiff_t>(base), stack_.end(), items.begin());
  stack_.resize(base);
  out = plan.op == Plan::Op::kMap ? Value::Map(items) : Value::Array(items);
  return true;
}

bool Decoder::Skip(const Plan& plan) {
  if (plan.constant_size) return cursor_->Skip(plan.min_bytes) || Fail(plan, "ends early");
  switch (plan.op) {
    case Plan::Op::kInteger:
    case Plan::Op::kEnum: {
      int64_t ignored = 0;
      return cursor_->ReadLong(ignored) || Fail(plan, "has a damaged integer");
    }
    case Plan::Op::kText: {
      std::string_view ignored;
      return cursor_->ReadText(ignored) || Fail(plan, "has text of a length that the block does not hold");
    }
    case Plan::Op::kRecord:
      for (const Plan::Step& step : plan.steps) {
        if (!Skip(*step.plan)) return false;
      }
      return true;
    case Plan::Op::kArray:
    case Plan::Op::kMap:
      return SkipItems(plan);
    case Plan::Op::kUnion: {
      int64_t branch = 0;
      if (!cursor_->ReadLong(branch)) return Fail(plan, "has a damaged union");
      if (branch < 0 || branch >= static_cast<int64_t>(plan.branches.size())) {
        return Fail(plan, "has a union branch out of range");
      }
      return plan.branches[branch] == nullptr || Skip(*plan.branches[branch]);
    }
    default:
      return Fail(plan, "has an unknown operation");
  }
}

bool Decoder::SkipItems(const Plan& plan) {
  while (true) {
    uint64_t count = 0;
    std::optional<uint64_t> size_bytes;
    if (!ReadCount(plan, count, size_bytes)) return false;
    if (count == 0) return true;
    if (plan.item->constant_size && !size_bytes) size_bytes = count * plan.item->min_bytes;
    if (size_bytes) {
      if (!cursor_->Skip(*size_bytes)) return Fail(plan, "has more items than its block holds");
      continue;
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (!Skip(*plan.item)) return false;
    }
  }
}

bool Decoder::ReadCount(const Plan& plan, uint64_t& count, std::optional<uint64_t>& size_bytes) {
  int64_t signed_count = 0;
  if (!cursor_->ReadLong(signed_count)) return Fail(plan, "has a damaged item count");
  count = static_cast<uint64_t>(signed_count);
  if (signed_count < 0) {
    count = 0 - count;
    int64_t size = 0;
    if (!cursor_->ReadLong(size) || size < 0 || static_cast<uint64_t>(size) > cursor_->remaining()) {
      return Fail(plan, "has a damaged item size");
    }
    size_bytes = static_cast<uint64_t>(size);
  }
  if (plan.item->min_bytes > 0 && count > cursor_->remaining() / plan.item->min_bytes) {
    return Fail(plan, "has more items than its block holds");
  }
  return true;
}

bool Decoder::Spend(const Plan& plan, uint64_t items, uint64_t width) {
  if (items > values_left_ / width) {
    return Fail(plan, fmt::format("makes the record have more than {} values", values_per_record_));
  }
  values_left_ -= items * width;
  return true;
}

bool Decoder::Fail(const Plan& plan, std::string_view what) {
  error_ = Corrupt("at byte {} of the block: {} {}", cursor_->offset(),
                   plan.path.empty() ? "the record" : plan.path, what);
  return false;
}

}  // namespace weir::avro

#include "type/batch.h"

#include <cstring>

namespace weir {

namespace {

void AppendBytes(std::vector<uint8_t>& to, const void* from, size_t size) {
  const size_t at = to.size();
  to.resize(at + size);
  std::memcpy(to.data() + at, from, size);
}

void AppendLowBytes(ColumnVector& column, int64_t number, int width) {
  // Little-endian: the low bytes come first.
  AppendBytes(column.values, &number, width);
}

void AppendFixed(ColumnVector& column, const Scalar& value, int width) {
  switch (column.type.kind()) {
    case TypeKind::kFloat: {
      const float number = value.float32();
      return AppendBytes(column.values, &number, sizeof(number));
    }
    case TypeKind::kDouble: {
      const double number = value.float64();
      return AppendBytes(column.values, &number, sizeof(number));
    }
    case TypeKind::kDecimal: {
      const Int128 number = value.unscaled();
      return AppendBytes(column.values, &number, sizeof(number));
    }
    case TypeKind::kUuid:
    case TypeKind::kFixed: {
      std::string bytes = value.text();
      bytes.resize(width);
      return AppendBytes(column.values, bytes.data(), bytes.size());
    }
    default:
      return AppendLowBytes(column, value.integer(), width);
  }
}

}  // namespace

void AppendBit(std::vector<uint8_t>& bits, int64_t row, bool value) {
  if ((row & 7) == 0) bits.push_back(0);
  bits[row >> 3] |= static_cast<uint8_t>(value << (row & 7));
}

void AppendValidity(ColumnVector& column, int64_t row, bool valid) {
  if (valid && column.validity.empty()) return;
  if (column.validity.empty()) {
    // The first NULL: all rows before it are valid.
    column.validity.assign(static_cast<size_t>(row / 8), 0xff);
    for (int64_t i = row / 8 * 8; i < row; ++i) AppendBit(column.validity, i, true);
  }
  AppendBit(column.validity, row, valid);
}

int FixedWidthBytes(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kByte:
      return 1;
    case TypeKind::kShort:
      return 2;
    case TypeKind::kInt:
    case TypeKind::kDate:
    case TypeKind::kFloat:
    case TypeKind::kIntervalYearMonth:
      return 4;
    case TypeKind::kLong:
    case TypeKind::kDouble:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
    case TypeKind::kIntervalDayTime:
      return 8;
    case TypeKind::kDecimal:
    case TypeKind::kUuid:
      return 16;
    case TypeKind::kFixed:
      return type.length_bytes();
    default:
      return 0;
  }
}

int64_t ColumnVector::Integer(int64_t row) const {
  switch (FixedWidthBytes(type)) {
    case 1:
      return Value<int8_t>(row);
    case 2:
      return Value<int16_t>(row);
    case 4:
      return Value<int32_t>(row);
    default:
      return Value<int64_t>(row);
  }
}

Scalar ColumnVector::At(int64_t row) const {
  if (IsNull(row)) return Scalar::Null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Scalar(type, Boolean(row));
    case TypeKind::kFloat:
      return Scalar(type, Value<float>(row));
    case TypeKind::kDouble:
      return Scalar(type, Value<double>(row));
    case TypeKind::kDecimal:
      return Scalar(type, Value<Int128>(row));
    case TypeKind::kUuid:
    case TypeKind::kFixed: {
      const int width = FixedWidthBytes(type);
      return Scalar(type, std::string(reinterpret_cast<const char*>(values.data()) + row * width, width));
    }
    case TypeKind::kString:
    case TypeKind::kBinary:
      return Scalar(type, std::string(Text(row)));
    case TypeKind::kArray:
    case TypeKind::kMap: {
      std::vector<Scalar> parts;
      for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        for (const ColumnVector& child : children) parts.push_back(child.At(i));
      }
      return Scalar(type, std::move(parts));
    }
    case TypeKind::kStruct: {
      std::vector<Scalar> members;
      for (const ColumnVector& child : children) members.push_back(child.At(row));
      return Scalar(type, std::move(members));
    }
    default:
      return Scalar(type, Integer(row));
  }
}

ColumnBuilder::ColumnBuilder(Type type) {
  column_.type = std::move(type);
  for (const Field& field : column_.type.fields()) children_.emplace_back(field.type);
  const TypeKind kind = column_.type.kind();
  if (kind == TypeKind::kString || kind == TypeKind::kBinary || kind == TypeKind::kArray ||
      kind == TypeKind::kMap) {
    column_.offsets.push_back(0);
  }
}

void ColumnBuilder::MarkValid(bool valid) { AppendValidity(column_, column_.length++, valid); }

void ColumnBuilder::AppendNull() {
  const TypeKind kind = column_.type.kind();
  if (kind == TypeKind::kBoolean) AppendBit(column_.values, column_.length, false);
  column_.values.resize(column_.values.size() + FixedWidthBytes(column_.type));
  if (!column_.offsets.empty()) column_.offsets.push_back(column_.offsets.back());
  if (kind == TypeKind::kStruct) {
    for (ColumnBuilder& child : children_) child.AppendNull();
  }
  MarkValid(false);
}

void ColumnBuilder::Append(const Scalar& value) {
  if (value.is_null() || column_.type.kind() == TypeKind::kVoid) return AppendNull();
  switch (column_.type.kind()) {
    case TypeKind::kBoolean:
      AppendBit(column_.values, column_.length, value.boolean());
      break;
    case TypeKind::kString:
    case TypeKind::kBinary:
      return AppendText(value.text());
    case TypeKind::kArray:
    case TypeKind::kMap: {
      const std::vector<Scalar>& parts = value.children();
      for (size_t i = 0; i < parts.size(); ++i) children_[i % children_.size()].Append(parts[i]);
      column_.offsets.push_back(children_[0].length());
      break;
    }
    case TypeKind::kStruct:
      for (size_t i = 0; i < children_.size(); ++i) children_[i].Append(value.children()[i]);
      break;
    default:
      AppendFixed(column_, value, FixedWidthBytes(column_.type));
      break;
  }
  MarkValid(true);
}

void ColumnBuilder::AppendInteger(int64_t value) {
  AppendLowBytes(column_, value, FixedWidthBytes(column_.type));
  MarkValid(true);
}

void ColumnBuilder::AppendText(std::string_view value) {
  column_.bytes += value;
  column_.offsets.push_back(static_cast<int64_t>(column_.bytes.size()));
  MarkValid(true);
}

ColumnVector ColumnBuilder::Finish() && {
  for (ColumnBuilder& child : children_) column_.children.push_back(std::move(child).Finish());
  return std::move(column_);
}

Batch MakeBatch(const std::vector<Type>& types, const std::vector<std::vector<Scalar>>& rows) {
  Batch batch;
  batch.row_count = static_cast<int64_t>(rows.size());
  for (size_t i = 0; i < types.size(); ++i) {
    ColumnBuilder builder(types[i]);
    for (const std::vector<Scalar>& row : rows) builder.Append(row[i]);
    batch.columns.push_back(std::make_shared<const ColumnVector>(std::move(builder).Finish()));
  }
  return batch;
}

}  // namespace weir

#include <limits>

#include "type/arrow.h"

namespace weir {
namespace {

std::string FormatText(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kVoid:
      return "n";
    case TypeKind::kBoolean:
      return "b";
    case TypeKind::kByte:
      return "c";
    case TypeKind::kShort:
      return "s";
    case TypeKind::kInt:
      return "i";
    case TypeKind::kLong:
      return "l";
    case TypeKind::kFloat:
      return "f";
    case TypeKind::kDouble:
      return "g";
    case TypeKind::kDecimal:
      return fmt::format("d:{},{}", type.precision(), type.scale());
    case TypeKind::kDate:
      return "tdD";
    case TypeKind::kTime:
      return "ttu";
    case TypeKind::kTimestamp:
      return "tsu:UTC";
    case TypeKind::kTimestampNtz:
      return "tsu:";
    case TypeKind::kString:
      return "u";
    case TypeKind::kBinary:
      return "z";
    case TypeKind::kFixed:
      return fmt::format("w:{}", type.length_bytes());
    case TypeKind::kUuid:
      return "w:16";
    case TypeKind::kIntervalYearMonth:
      return "tiM";
    case TypeKind::kIntervalDayTime:
      return "tDu";
    case TypeKind::kArray:
      return "+l";
    case TypeKind::kMap:
      return "+m";
    case TypeKind::kStruct:
      return "+s";
  }
  return "n";
}

/// What one ArrowSchema or ArrowArray points to, its children included. Each child can be released on its
/// own.
template <typename T>
struct Node {
  std::vector<T> children;
  std::vector<T*> child_pointers;

  void SetChildren(T& self, std::vector<T> values) {
    children = std::move(values);
    for (T& child : children) child_pointers.push_back(&child);
    self.n_children = static_cast<int64_t>(children.size());
    self.children = child_pointers.data();
  }
};

template <typename NodeType, typename T>
void Release(T* self) {
  for (int64_t i = 0; i < self->n_children; ++i) {
    T* child = self->children[i];
    if (child->release != nullptr) child->release(child);
  }
  self->release = nullptr;
  delete static_cast<NodeType*>(self->private_data);
}

struct SchemaNode : Node<ArrowSchema> {
  std::string format;
  std::string name;
};

ArrowSchema MakeSchema(std::string name, std::string format, bool nullable,
                       std::vector<ArrowSchema> children) {
  auto* node = new SchemaNode;
  node->format = std::move(format);
  node->name = std::move(name);
  ArrowSchema schema{};
  schema.format = node->format.c_str();
  schema.name = node->name.c_str();
  schema.flags = nullable ? ARROW_FLAG_NULLABLE : 0;
  node->SetChildren(schema, std::move(children));
  schema.release = Release<SchemaNode, ArrowSchema>;
  schema.private_data = node;
  return schema;
}

ArrowSchema SchemaOf(const Field& field) {
  std::vector<ArrowSchema> children;
  for (const Field& child : field.type.fields()) children.push_back(SchemaOf(child));
  if (field.type.kind() == TypeKind::kMap)
    children = {MakeSchema("entries", "+s", false, std::move(children))};
  return MakeSchema(field.name, FormatText(field.type), !field.required, std::move(children));
}

using ColumnPtr = std::shared_ptr<const ColumnVector>;

struct ArrayNode : Node<ArrowArray> {
  ColumnPtr column;  ///< Owns the shared buffers.
  std::vector<int32_t> offsets;
  std::vector<const void*> buffers;

  /// Buffers are never null, even if empty.
  void AddBuffer(const void* data) {
    static constexpr int64_t kEmpty = 0;
    buffers.push_back(data != nullptr ? data : &kEmpty);
  }
};

ArrowArray Finish(std::unique_ptr<ArrayNode> node, int64_t length, int64_t null_count,
                  std::vector<ArrowArray> children) {
  ArrowArray array{};
  array.length = length;
  array.null_count = null_count;
  array.n_buffers = static_cast<int64_t>(node->buffers.size());
  array.buffers = node->buffers.data();
  node->SetChildren(array, std::move(children));
  array.release = Release<ArrayNode, ArrowArray>;
  array.private_data = node.release();
  return array;
}

std::vector<ArrowArray> MoveOutAll(std::vector<OwnedArrowArray> owners) {
  std::vector<ArrowArray> arrays;
  arrays.reserve(owners.size());
  for (OwnedArrowArray& owner : owners) arrays.push_back(owner.MoveOut());
  return arrays;
}

Status NarrowOffsets(const ColumnVector& column, std::vector<int32_t>& to) {
  if (column.offsets.back() > std::numeric_limits<int32_t>::max()) {
    return Invalid("a column of type {} has {} bytes or elements in one Arrow batch, the limit is 2147483647",
                   column.type.ToString(), column.offsets.back());
  }
  to.assign(column.offsets.begin(), column.offsets.end());
  return {};
}

Result<OwnedArrowArray> ExportColumn(const ColumnPtr& column) {
  auto node = std::make_unique<ArrayNode>();
  node->column = column;
  const TypeKind kind = column->type.kind();
  const bool is_text = kind == TypeKind::kString || kind == TypeKind::kBinary;
  if (kind != TypeKind::kVoid)
    node->buffers.push_back(column->validity.empty() ? nullptr : column->validity.data());
  if (is_text || kind == TypeKind::kArray || kind == TypeKind::kMap) {
    WEIR_DO(NarrowOffsets(*column, node->offsets));
    node->AddBuffer(node->offsets.data());
    if (is_text) node->AddBuffer(column->bytes.data());
  } else if (kind != TypeKind::kStruct && kind != TypeKind::kVoid) {
    node->AddBuffer(column->values.data());
  }
  std::vector<OwnedArrowArray> children;
  for (const ColumnVector& child : column->children) {
    // Shares the ownership of the whole column.
    WEIR_TRY(OwnedArrowArray exported, ExportColumn(ColumnPtr(column, &child)));
    children.push_back(std::move(exported));
  }
  if (kind == TypeKind::kMap) {
    auto entries = std::make_unique<ArrayNode>();
    entries->buffers.push_back(nullptr);
    const int64_t length = column->offsets.back();
    std::vector<ArrowArray> members = MoveOutAll(std::move(children));
    children.clear();
    children.emplace_back(Finish(std::move(entries), length, 0, std::move(members)));
  }
  const int64_t null_count = kind == TypeKind::kVoid ? column->length : column->validity.empty() ? 0 : -1;
  return OwnedArrowArray(
      Finish(std::move(node), column->length, null_count, MoveOutAll(std::move(children))));
}

}  // namespace

OwnedArrowSchema ArrowSchemaFrom(std::span<const Field> fields) {
  std::vector<ArrowSchema> children;
  for (const Field& field : fields) children.push_back(SchemaOf(field));
  return OwnedArrowSchema(MakeSchema("", "+s", false, std::move(children)));
}

Result<OwnedArrowArray> ExportBatch(const Batch& batch) {
  std::vector<OwnedArrowArray> columns;
  for (const ColumnPtr& column : batch.columns) {
    WEIR_TRY(OwnedArrowArray exported, ExportColumn(column));
    columns.push_back(std::move(exported));
  }
  auto node = std::make_unique<ArrayNode>();
  node->buffers.push_back(nullptr);
  return OwnedArrowArray(Finish(std::move(node), batch.row_count, 0, MoveOutAll(std::move(columns))));
}

}  // namespace weir

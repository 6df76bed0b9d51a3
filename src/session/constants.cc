#include "session/constants.h"

#include <algorithm>

#include "base/utf8.h"

namespace weir::session {
namespace {

Result<Scalar> OnlyValue(exec::BatchStream& stream) {
  WEIR_TRY(const std::optional<Batch> batch, stream.Next());
  if (!batch || batch->row_count != 1) return Internal("a constant gave no row");
  return batch->At(0, 0);
}

/// Bytes that are no UTF-8 can be the value of an expression, but not a literal in a plan.
bool IsText(const Scalar& value) {
  if (value.is_null()) return true;
  switch (value.type().kind()) {
    case TypeKind::kString: {
      const std::string& text = value.text();
      for (size_t at = 0, size = 0; at < text.size(); at += size) {
        size = DecodeUtf8(text, at).size_bytes;
        if (size == 0) return false;
      }
      return true;
    }
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return std::ranges::all_of(value.children(), IsText);
    default:
      return true;
  }
}

}  // namespace

plan::EvaluateConstant ConstantsBy(exec::Engine& engine, const exec::RunContext& statement) {
  return [&engine, &statement](const ExprPtr& expr) -> Result<Scalar> {
    exec::RunContext context = statement;
    context.progress = nullptr;
    plan::ColumnIds ids;
    std::vector<plan::Column> output = {{ids.Next(), "constant", expr->type(), expr->nullable()}};
    WEIR_TRY(auto stream, engine.Run(plan::MakeNode(plan::Values{{{expr}}}, {}, std::move(output)), context));
    WEIR_TRY(Scalar value, OnlyValue(*stream));
    if (value.type() != expr->type()) {
      return Internal("a constant of type {} gave {}", expr->type().ToString(), value.type().ToString());
    }
    if (!IsText(value)) return Unsupported("a constant of text that is not UTF-8");
    return value;
  };
}

}  // namespace weir::session

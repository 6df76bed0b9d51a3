#include "base/ascii.h"
#include "connect/decode.h"
#include "sql/parser.h"

namespace weir::connect {
namespace {

using unresolved::ExprPtr;

constexpr int kMaxNesting = 1000;

ExprPtr Make(auto node) {
  return std::make_shared<const unresolved::Expr>(unresolved::Expr{std::move(node), {}});
}

/// The parts of a column's name: apart by dots, each as it is or in backquotes. Spec: Spark's
/// UnresolvedAttribute.parseAttributeName.
Result<unresolved::Name> ParseAttribute(const std::string& text) {
  const Error bad =
      Invalid("'{}' is no name of a column: backquotes or dots are out of place", text)
          .WithCondition({"INVALID_ATTRIBUTE_NAME_SYNTAX", "42601", {{"name", text}}, std::nullopt, ""});
  unresolved::Name parts;
  std::string part;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '`') {
      if (!part.empty()) return bad;
      for (++at;; ++at) {
        if (at >= text.size()) return bad;
        if (text[at] != '`') {
          part += text[at];
        } else if (at + 1 < text.size() && text[at + 1] == '`') {
          part += text[++at];
        } else {
          break;
        }
      }
      if (at + 1 < text.size() && text[at + 1] != '.') return bad;
    } else if (text[at] == '.') {
      if ((at > 0 && text[at - 1] == '.') || at + 1 == text.size()) return bad;
      parts.push_back(std::move(part));
      part.clear();
    } else {
      part += text[at];
    }
  }
  parts.push_back(std::move(part));
  return parts;
}

/// Operators are called by their signs; the printer and the names of columns tell them from functions.
bool IsOperator(std::string_view name) { return !name.empty() && !IsAsciiLetter(name[0]) && name[0] != '_'; }

class Decoder {
 public:
  explicit Decoder(const DecodeContext& context) : context_(context) {}

  Result<ExprPtr> Decode(const proto::Expression& expression) {
    if (++depth_ > kMaxNesting) {
      return InvalidPlan(fmt::format("an expression is nested deeper than {} levels", kMaxNesting));
    }
    auto decoded = Dispatch(expression);
    --depth_;
    return decoded;
  }

 private:
  Result<ExprPtr> Dispatch(const proto::Expression& expression) {
    using Kind = proto::Expression::ExprTypeCase;
    switch (expression.expr_type_case()) {
      case Kind::kLiteral: {
        WEIR_TRY(Scalar value, DecodeLiteral(expression.literal()));
        return Make(unresolved::Literal{std::move(value), {}});
      }
      case Kind::kUnresolvedAttribute:
        return Attribute(expression.unresolved_attribute());
      case Kind::kUnresolvedFunction:
        return Function(expression.unresolved_function());
      case Kind::kCallFunction:
        return CallFunction(expression.call_function());
      case Kind::kExpressionString: {
        auto text = std::make_shared<const std::string>(expression.expression_string().expression());
        WEIR_TRY(ExprPtr input, sql::ParseExpression(*text, {context_.time_zone}));
        // A star or an alias is seen from outside.
        const bool seen = std::holds_alternative<unresolved::Star>(input->node);
        if (seen) return input;
        if (const auto* alias = std::get_if<unresolved::Alias>(&input->node)) {
          return Make(
              unresolved::Alias{Make(unresolved::Written{alias->input, std::move(text)}), alias->name});
        }
        return Make(unresolved::Written{std::move(input), std::move(text)});
      }
      case Kind::kUnresolvedStar:
        return Star(expression.unresolved_star());
      case Kind::kAlias:
        return Alias(expression.alias());
      case Kind::kCast:
        return Cast(expression.cast());
      case Kind::kUnresolvedExtractValue: {
        const auto& extract = expression.unresolved_extract_value();
        WEIR_TRY(ExprPtr child, Decode(extract.child()));
        WEIR_TRY(ExprPtr key, Decode(extract.extraction()));
        return Make(unresolved::Call{
            .name = {"[]"}, .args = {std::move(child), std::move(key)}, .is_operator = true});
      }
      case Kind::kWindow:
        return Window(expression.window());
      case Kind::EXPR_TYPE_NOT_SET:
        return InvalidPlan("an expression has no kind");
      default: {
        const auto* field = proto::Expression::descriptor()->FindFieldByNumber(expression.expr_type_case());
        return NotImplemented("expression " + (field != nullptr ? field->name() : "of an unknown kind"));
      }
    }
  }

  static Result<ExprPtr> Attribute(const proto::Expression::UnresolvedAttribute& attribute) {
    WEIR_TRY(unresolved::Name parts, ParseAttribute(attribute.unparsed_identifier()));
    const unresolved::PlanId plan = attribute.has_plan_id() ? attribute.plan_id() : unresolved::kNoPlan;
    return Make(unresolved::Attribute{std::move(parts), plan});
  }

  static Result<ExprPtr> Star(const proto::Expression::UnresolvedStar& star) {
    unresolved::Star node;
    if (star.has_unparsed_target()) {
      std::string target = star.unparsed_target();
      if (!target.ends_with(".*")) return InvalidPlan(fmt::format("'{}' is no star", target));
      target.resize(target.size() - 2);
      WEIR_TRY(node.qualifier, ParseAttribute(target));
    }
    if (star.has_plan_id()) node.plan = star.plan_id();
    return Make(std::move(node));
  }

  Result<std::vector<ExprPtr>> All(const google::protobuf::RepeatedPtrField<proto::Expression>& expressions) {
    std::vector<ExprPtr> decoded;
    for (const proto::Expression& expression : expressions) {
      WEIR_TRY(ExprPtr one, Decode(expression));
      decoded.push_back(std::move(one));
    }
    return decoded;
  }

  Result<ExprPtr> Function(const proto::Expression::UnresolvedFunction& function) {
    WEIR_TRY(std::vector<ExprPtr> args, All(function.arguments()));
    const std::string& name = function.function_name();
    if (name == "when") return When(std::move(args));
    unresolved::Call call;
    if (function.is_user_defined_function()) {
      WEIR_TRY(call.name, sql::ParseName(name));
    } else {
      call.name = {name == "==" ? "=" : name};
    }
    call.is_operator = IsOperator(name);
    call.distinct = function.is_distinct();
    call.args = std::move(args);
    return Make(std::move(call));
  }

  /// when(condition, value, condition, value, .. [, otherwise]).
  static Result<ExprPtr> When(std::vector<ExprPtr> args) {
    if (args.size() < 2) return InvalidPlan("when() needs a condition and a value");
    unresolved::Case node;
    for (size_t i = 0; i + 1 < args.size(); i += 2) node.branches.emplace_back(args[i], args[i + 1]);
    if (args.size() % 2 == 1) node.otherwise = args.back();
    return Make(std::move(node));
  }

  Result<ExprPtr> CallFunction(const proto::CallFunction& function) {
    unresolved::Call call;
    WEIR_TRY(call.name, sql::ParseName(function.function_name()));
    WEIR_TRY(call.args, All(function.arguments()));
    return Make(std::move(call));
  }

  Result<ExprPtr> Alias(const proto::Expression::Alias& alias) {
    WEIR_TRY(ExprPtr input, Decode(alias.expr()));
    if (alias.name_size() != 1) {
      return Make(unresolved::MultiAlias{std::move(input), {alias.name().begin(), alias.name().end()}});
    }
    return Make(unresolved::Alias{std::move(input), alias.name(0), alias.metadata()});
  }

  Result<ExprPtr> Cast(const proto::Expression::Cast& cast) {
    WEIR_TRY(ExprPtr input, Decode(cast.expr()));
    Type type;
    if (cast.has_type()) {
      WEIR_TRY(type, DecodeType(cast.type()));
    } else if (cast.has_type_str()) {
      WEIR_TRY(type, ParseType(cast.type_str()));
    } else {
      return InvalidPlan("a cast names no type");
    }
    if (cast.eval_mode() == proto::Expression_Cast_EvalMode_EVAL_MODE_LEGACY) {
      return NotImplemented("a cast in legacy mode");
    }
    const bool is_try = cast.eval_mode() == proto::Expression_Cast_EvalMode_EVAL_MODE_TRY;
    return Make(unresolved::Cast{std::move(input), std::move(type), is_try});
  }

  using Frame = proto::Expression::Window::WindowFrame;

  Result<unresolved::FrameBound> Bound(const Frame::FrameBoundary& boundary, bool is_lower) {
    using BoundKind = unresolved::FrameBound::Kind;
    unresolved::FrameBound bound;
    switch (boundary.boundary_case()) {
      case Frame::FrameBoundary::kCurrentRow:
        bound.kind = BoundKind::kCurrentRow;
        return bound;
      case Frame::FrameBoundary::kUnbounded:
        bound.kind = is_lower ? BoundKind::kUnboundedPreceding : BoundKind::kUnboundedFollowing;
        return bound;
      case Frame::FrameBoundary::kValue: {
        bound.kind = BoundKind::kOffset;
        WEIR_TRY(bound.offset, Decode(boundary.value()));
        return bound;
      }
      default:
        return InvalidPlan("a bound of a window's frame has no kind");
    }
  }

  Result<ExprPtr> Window(const proto::Expression::Window& window) {
    unresolved::Window node;
    WEIR_TRY(node.function, Decode(window.window_function()));
    WEIR_TRY(node.spec.partition_by, All(window.partition_spec()));
    for (const proto::Expression::SortOrder& order : window.order_spec()) {
      WEIR_TRY(unresolved::SortKey key, SortKey(order));
      node.spec.order_by.push_back(std::move(key));
    }
    if (window.has_frame_spec()) {
      const Frame& spec = window.frame_spec();
      if (spec.frame_type() == Frame::FRAME_TYPE_UNDEFINED)
        return InvalidPlan("a window's frame has no kind");
      unresolved::WindowFrame frame;
      frame.is_rows = spec.frame_type() == Frame::FRAME_TYPE_ROW;
      WEIR_TRY(frame.lower, Bound(spec.lower(), true));
      WEIR_TRY(frame.upper, Bound(spec.upper(), false));
      node.spec.frame = std::move(frame);
    }
    return Make(std::move(node));
  }

 public:
  Result<unresolved::SortKey> SortKey(const proto::Expression::SortOrder& order) {
    using Order = proto::Expression::SortOrder;
    unresolved::SortKey key;
    WEIR_TRY(key.expr, Decode(order.child()));
    key.ascending = order.direction() != Order::SORT_DIRECTION_DESCENDING;
    key.nulls_first = order.null_ordering() == Order::SORT_NULLS_UNSPECIFIED
                          ? key.ascending
                          : order.null_ordering() == Order::SORT_NULLS_FIRST;
    return key;
  }

 private:
  const DecodeContext& context_;
  int depth_ = 0;
};

}  // namespace

Result<ExprPtr> DecodeExpression(const proto::Expression& expression, const DecodeContext& context) {
  return Decoder(context).Decode(expression);
}

Result<std::vector<ExprPtr>> DecodeExpressions(
    const google::protobuf::RepeatedPtrField<proto::Expression>& expressions, const DecodeContext& context) {
  std::vector<ExprPtr> decoded;
  for (const proto::Expression& expression : expressions) {
    WEIR_TRY(ExprPtr one, DecodeExpression(expression, context));
    decoded.push_back(std::move(one));
  }
  return decoded;
}

Result<unresolved::SortKey> DecodeSortKey(const proto::Expression& expression, const DecodeContext& context) {
  if (expression.has_sort_order()) return Decoder(context).SortKey(expression.sort_order());
  unresolved::SortKey key;
  WEIR_TRY(key.expr, DecodeExpression(expression, context));
  return key;
}

Error InvalidPlan(std::string message) {
  return Error(ErrorCode::kInvalid, std::move(message))
      .WithCondition({"INTERNAL_ERROR", "XX000", {}, std::nullopt, ""});
}

Error NotImplemented(std::string what) {
  return Unsupported("{} of Spark Connect is not implemented", what)
      .WithCondition({"UNSUPPORTED_FEATURE", "0A000", {{"feature", std::move(what)}}, std::nullopt, ""});
}

}  // namespace weir::connect

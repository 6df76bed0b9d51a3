#include <algorithm>
#include <iterator>

#include "sql/grammar.h"

namespace weir::sql {

using unresolved::ExprPtr;
using unresolved::RelationPtr;
using Bound = unresolved::FrameBound;

namespace {

/// Literals and operators over them.
bool IsConstant(const unresolved::Expr& expr) {
  if (std::holds_alternative<unresolved::Literal>(expr.node)) return true;
  if (const auto* cast = std::get_if<unresolved::Cast>(&expr.node)) return IsConstant(*cast->input);
  const auto* call = std::get_if<unresolved::Call>(&expr.node);
  return call != nullptr && call->is_operator &&
         std::ranges::all_of(call->args, [](const ExprPtr& arg) { return IsConstant(*arg); });
}

}  // namespace

/// The call, with OVER behind it if there is one.
Result<ExprPtr> Grammar::Windowed(ExprPtr function, size_t first) {
  if (!in_.At("OVER") || (!AtName(1) && !in_.At("(", 1))) return function;
  in_.Take();
  unresolved::Window window{.function = std::move(function), .name = {}, .spec = {}};
  WEIR_DO(WindowSpecOrName(window.spec, window.name));
  return Make(std::move(window), first);
}

/// "w", "(w)" or "(PARTITION BY .. ORDER BY .. ROWS ..)".
Status Grammar::WindowSpecOrName(unresolved::WindowSpec& spec, std::string& name) {
  const bool in_parentheses = in_.At("(") && AtName(1) && in_.At(")", 2);
  if (!in_.At("(") || in_parentheses) {
    if (in_parentheses) in_.Take();
    WEIR_TRY(name, CheckedName());
    if (in_parentheses) in_.Take();
    return {};
  }
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  if (!StartsWindowSpec(1)) return in_.Mismatch();
  in_.Take();
  WEIR_TRY(spec, WindowSpec());
  if (spec.frame) return in_.Expect(")");
  if (!in_.Accept(")")) return in_.Mismatch();
  return {};
}

bool Grammar::StartsWindowSpec(size_t ahead) const {
  if (in_.AtAny({"PARTITION", "DISTRIBUTE", "CLUSTER", "ORDER", "SORT"}, ahead))
    return in_.At("BY", ahead + 1);
  return in_.AtAny({"ROWS", "RANGE", ")"}, ahead);
}

Result<unresolved::WindowSpec> Grammar::WindowSpec() {
  unresolved::WindowSpec spec;
  const bool is_cluster = in_.AtAll({"CLUSTER", "BY"});
  if (is_cluster || in_.AtAll({"PARTITION", "BY"}) || in_.AtAll({"DISTRIBUTE", "BY"})) {
    in_.Take();
    in_.Take();
    WEIR_TRY(spec.partition_by, Expressions());
  }
  if (!is_cluster && (in_.AtAll({"ORDER", "BY"}) || in_.AtAll({"SORT", "BY"}))) {
    in_.Take();
    in_.Take();
    WEIR_TRY(spec.order_by, SortKeys());
  }
  if (in_.AtAny({"ROWS", "RANGE"})) {
    WEIR_TRY(spec.frame, WindowFrame());
  }
  return spec;
}

/// A frame with one bound ends at the current row.
Result<unresolved::WindowFrame> Grammar::WindowFrame() {
  unresolved::WindowFrame frame;
  frame.is_rows = in_.Take().Is("ROWS");
  frame.upper.kind = Bound::Kind::kCurrentRow;
  const bool is_between = in_.Accept("BETWEEN");
  WEIR_TRY(frame.lower, FrameBound());
  if (!is_between) return frame;
  WEIR_DO(in_.Expect("AND"));
  WEIR_TRY(frame.upper, FrameBound());
  return frame;
}

Result<unresolved::FrameBound> Grammar::FrameBound() {
  const size_t first = in_.index();
  Bound bound;
  const bool is_unbounded = in_.At("UNBOUNDED") && in_.AtAny({"PRECEDING", "FOLLOWING"}, 1);
  if (is_unbounded) {
    in_.Take();
    bound.kind =
        in_.Take().Is("PRECEDING") ? Bound::Kind::kUnboundedPreceding : Bound::Kind::kUnboundedFollowing;
    return bound;
  }
  if (in_.AcceptAll({"CURRENT", "ROW"})) {
    bound.kind = Bound::Kind::kCurrentRow;
    return bound;
  }
  bound.kind = Bound::Kind::kOffset;
  WEIR_TRY(bound.offset, Expression());
  if (!in_.AtAny({"PRECEDING", "FOLLOWING"})) return in_.Mismatch();
  if (!IsConstant(*bound.offset)) {
    in_.Defer(in_.ErrorAt(bound.offset->span, "_LEGACY_ERROR_TEMP_0064", "",
                          {{"msg", "Frame bound value must be a literal."}},
                          "The bound of a window's frame is a constant number of rows or distance."));
  }
  if (in_.Take().Is("PRECEDING")) bound.offset = Operator("negative", {std::move(bound.offset)}, first);
  return bound;
}

bool Grammar::AtWindowClause() const { return in_.At("WINDOW") && AtName(1) && in_.At("AS", 2); }

/// WINDOW w AS (..), v AS w. A name stands for a window that is spelled out, before or behind it.
Status Grammar::WindowClause(std::vector<unresolved::NamedWindow>& windows) {
  if (!AtWindowClause()) return {};
  const size_t first = in_.index();
  in_.Take();
  std::vector<unresolved::NamedWindow> defined;
  std::vector<std::string> references;
  do {
    unresolved::NamedWindow window;
    WEIR_TRY(window.name, CheckedName());
    WEIR_DO(in_.Expect("AS"));
    std::string reference;
    WEIR_DO(WindowSpecOrName(window.spec, reference));
    defined.push_back(std::move(window));
    references.push_back(std::move(reference));
  } while (in_.Accept(","));
  const auto find = [&](const std::string& name) {
    return std::ranges::find(defined, name, &unresolved::NamedWindow::name) - defined.begin();
  };
  const auto mistake = [&](std::string_view kind, const std::string& name, std::string_view message) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), fmt::format("INVALID_SQL_SYNTAX.{}", kind), "42000",
                          {{"windowName", fmt::format("`{}`", name)}},
                          fmt::format(fmt::runtime(message), name)));
  };
  for (size_t i = 0; i < defined.size(); ++i) {
    if (find(defined[i].name) < static_cast<ptrdiff_t>(i))
      mistake("REPETITIVE_WINDOW_DEFINITION", defined[i].name, "The window {} is defined twice.");
  }
  for (size_t i = 0; i < defined.size(); ++i) {
    if (references[i].empty()) continue;
    const auto target = static_cast<size_t>(find(references[i]));
    if (target == defined.size()) {
      mistake("UNRESOLVED_WINDOW_REFERENCE", references[i], "There is no window {} in the WINDOW clause.");
    } else if (!references[target].empty()) {
      mistake("INVALID_WINDOW_REFERENCE", references[i], "The window {} is itself only another name.");
    } else {
      defined[i].spec = defined[target].spec;
    }
  }
  // An inner clause comes first: its names hide those further out.
  windows.insert(windows.end(), std::move_iterator(defined.begin()), std::move_iterator(defined.end()));
  return {};
}

/// WINDOW behind a query belongs to its SELECT.
Result<RelationPtr> Grammar::WithWindowClause(RelationPtr input, size_t first) {
  if (!AtWindowClause()) return input;
  const auto* sort = std::get_if<unresolved::Sort>(&input->node);
  const RelationPtr& inner = sort == nullptr ? input : sort->input;
  const auto* select = std::get_if<unresolved::Select>(&inner->node);
  if (select == nullptr)
    return in_.Refuse("a WINDOW clause of anything but one SELECT", in_.SpanOf(in_.Peek()));
  unresolved::Select named = *select;
  WEIR_DO(WindowClause(named.windows));
  RelationPtr result = MakeRelation(std::move(named), first);
  if (sort == nullptr) return result;
  unresolved::Sort sorted = *sort;
  sorted.input = std::move(result);
  return MakeRelation(std::move(sorted), first);
}

}  // namespace weir::sql

#include "analyze/store.h"

#include <algorithm>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "base/ascii.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"

namespace weir::analyze {
namespace {

StoreTarget Below(const StoreTarget& target, const std::string& member) {
  StoreTarget below = target;
  below.path.push_back(member);
  return below;
}

ExprPtr StoreCast(const ExprPtr& value, const Type& type, const StoreTarget& target) {
  Cast cast{value, CastMode::kStore, true, QuoteName(target.path)};
  bool nullable = value->nullable() || CastForcesNullable(value->type(), type);
  return std::make_shared<const Expr>(std::move(cast), type, nullable);
}

Status CheckNulls(const Field& from, const Field& to, const StoreTarget& target) {
  if (!to.required || from.required) return {};
  return IncompatibleData("NULLABLE_COLUMN", target, {},
                          fmt::format("{} may be NULL and the table forbids it", QuoteName(target.path)));
}

/// The member of a struct value, NULL where the struct is.
ExprPtr MemberAt(const ExprPtr& value, size_t index) {
  const Field& field = value->type().fields()[index];
  return std::make_shared<const Expr>(GetField{value, static_cast<int32_t>(index), field.name}, field.type,
                                      value->nullable() || !field.required);
}

std::string NamesOf(const std::vector<Field>& fields, size_t first) {
  std::vector<std::string> names;
  for (size_t i = first; i < fields.size(); ++i) names.push_back(fields[i].name);
  return QuoteNames(names);
}

/// For each member of the column the position of the value's member.
Result<std::vector<size_t>> MatchMembers(const Type& from, const Type& to, const StoreTarget& target) {
  const std::vector<Field>& given = from.fields();
  const std::vector<Field>& wanted = to.fields();
  std::vector<size_t> positions;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!target.by_name) {
      positions.push_back(i);
      continue;
    }
    auto found = std::ranges::find_if(
        given, [&](const Field& field) { return EqualsIgnoringAsciiCase(field.name, wanted[i].name); });
    if (found == given.end()) {
      StoreTarget member = Below(target, wanted[i].name);
      return IncompatibleData("CANNOT_FIND_DATA", member, {},
                              fmt::format("there is no value for {}", QuoteName(member.path)));
    }
    positions.push_back(static_cast<size_t>(found - given.begin()));
  }
  if (given.size() < wanted.size()) {
    std::string missing = NamesOf(wanted, given.size());
    return IncompatibleData("STRUCT_MISSING_FIELDS", target, {{"missingFields", missing}},
                            fmt::format("{} lacks the members {}", QuoteName(target.path), missing));
  }
  if (given.size() > wanted.size()) {
    std::vector<std::string> extra;
    for (size_t i = 0; i < given.size(); ++i) {
      if (std::ranges::find(positions, i) == positions.end()) extra.push_back(given[i].name);
    }
    return IncompatibleData("EXTRA_STRUCT_FIELDS", target, {{"extraFields", QuoteNames(extra)}},
                            fmt::format("{} has no members {}", QuoteName(target.path), QuoteNames(extra)));
  }
  return positions;
}

Result<ExprPtr> StoreStruct(const ExprPtr& value, const Type& type, const StoreTarget& target,
                            Context& context) {
  WEIR_TRY(std::vector<size_t> positions, MatchMembers(value->type(), type, target));
  std::vector<ExprPtr> pairs;
  for (size_t i = 0; i < positions.size(); ++i) {
    const Field& wanted = type.fields()[i];
    StoreTarget member = Below(target, wanted.name);
    WEIR_DO(CheckNulls(value->type().fields()[positions[i]], wanted, member));
    WEIR_TRY(ExprPtr stored, StoreAs(MemberAt(value, positions[i]), wanted.type, member, context));
    pairs.push_back(MakeLiteral(Scalar::String(wanted.name)));
    pairs.push_back(std::move(stored));
  }
  Call make{.function = FindFunction("named_struct"), .args = std::move(pairs)};
  ExprPtr made = std::make_shared<const Expr>(std::move(make), type, false);
  if (!value->nullable()) return made;
  Case when_present;
  when_present.branches.push_back({MakePredicate("isnull", {value}), MakeLiteral(Scalar::Null(type))});
  when_present.otherwise = std::move(made);
  return std::make_shared<const Expr>(std::move(when_present), type, true);
}

/// Elements keep their order and their struct members' order, so a cast is enough once every part may be
/// stored.
Status CheckParts(const Type& from, const Type& to, const StoreTarget& target) {
  if (SameShape(from, to) && !to.is_nested()) return {};
  if (from.kind() == to.kind() && to.is_nested()) {
    if (to.kind() == TypeKind::kStruct) {
      WEIR_TRY(std::vector<size_t> positions, MatchMembers(from, to, target));
      for (size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] != i) {
          return Unsupported(
              "struct members inside an array or map in another order ({}) are not implemented",
              QuoteName(target.path));
        }
      }
    }
    for (size_t i = 0; i < to.fields().size(); ++i) {
      StoreTarget part = Below(target, to.fields()[i].name);
      WEIR_DO(CheckNulls(from.fields()[i], to.fields()[i], part));
      WEIR_DO(CheckParts(from.fields()[i].type, to.fields()[i].type, part));
    }
    return {};
  }
  if (CanStoreAssign(from, to)) return {};
  return IncompatibleData("CANNOT_SAFELY_CAST", target,
                          {{"srcType", Quoted(from)}, {"targetType", Quoted(to)}},
                          fmt::format("{} of type {} cannot hold values of type {}", QuoteName(target.path),
                                      Quoted(to), Quoted(from)));
}

}  // namespace

Error IncompatibleData(std::string_view kind, const StoreTarget& target,
                       std::vector<std::pair<std::string, std::string>> more, std::string message) {
  Parameters parameters = {{"tableName", target.table}};
  if (!target.path.empty()) parameters.emplace_back("colName", QuoteName(target.path));
  std::ranges::move(more, std::back_inserter(parameters));
  return Condition(fmt::format("INCOMPATIBLE_DATA_FOR_TABLE.{}", kind), "KD000", std::move(parameters),
                   fmt::format("cannot write to {}: {}", target.table, message));
}

Result<ExprPtr> StoreAs(const ExprPtr& value, const Type& type, const StoreTarget& target, Context& context) {
  const Type& from = value->type();
  if (from == type) return value;
  if (from.kind() == TypeKind::kVoid) return MakeLiteral(Scalar::Null(type));
  if (from.kind() == TypeKind::kStruct && type.kind() == TypeKind::kStruct) {
    return StoreStruct(value, type, target, context);
  }
  WEIR_DO(CheckParts(from, type, target));
  if (SameShape(from, type)) return value;
  return StoreCast(value, type, target);
}

}  // namespace weir::analyze

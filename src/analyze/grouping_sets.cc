#include "analyze/grouping_sets.h"

#include <algorithm>

#include "analyze/conditions.h"
#include "analyze/grouping.h"

namespace weir::analyze {
namespace {

/// A cube of twelve keys; each set is an aggregation of its own.
constexpr size_t kMaxSets = 4096;
constexpr size_t kMaxKeys = 64;

using Set = std::vector<int32_t>;
using Sets = std::vector<Set>;

class Expander {
 public:
  explicit Expander(const ResolveKey& resolve) : resolve_(resolve) {}

  Result<Sets> Expand(const unresolved::Expr& item) {
    const auto* sets = std::get_if<unresolved::GroupingSets>(&item.node);
    if (sets != nullptr) return Expand(*sets);
    WEIR_TRY(const int32_t key, KeyOf(item));
    return Sets{{key}};
  }

  std::vector<ExprPtr> TakeKeys() { return std::move(keys_); }

 private:
  using Kind = unresolved::GroupingSets::Kind;

  Result<Sets> Expand(const unresolved::GroupingSets& node) {
    for (const unresolved::ExprPtr& key : node.keys) WEIR_DO(KeyOf(*key));
    const size_t listed_keys = keys_.size();
    Sets members;
    for (const std::vector<unresolved::ExprPtr>& written : node.sets) {
      const bool is_nested =
          written.size() == 1 && std::holds_alternative<unresolved::GroupingSets>(written[0]->node);
      if (is_nested) {
        WEIR_TRY(Sets nested, Expand(*written[0]));
        members.insert(members.end(), nested.begin(), nested.end());
        continue;
      }
      Set set;
      for (const unresolved::ExprPtr& key : written) {
        WEIR_TRY(const int32_t position, KeyOf(*key));
        set.push_back(position);
      }
      members.push_back(std::move(set));
    }
    if (!node.keys.empty() && keys_.size() > listed_keys) {
      return Unsupported("GROUPING SETS over keys that GROUP BY does not list are not implemented");
    }
    switch (node.kind) {
      case Kind::kGroupingSets:
        return members;
      case Kind::kRollup:
        return Rollup(members);
      case Kind::kCube:
        break;
    }
    return Cube(members);
  }

  /// All members, all but the last, and so on to none.
  static Sets Rollup(const Sets& members) {
    Sets sets;
    for (size_t count = members.size() + 1; count-- > 0;) {
      Set set;
      for (size_t i = 0; i < count; ++i) set.insert(set.end(), members[i].begin(), members[i].end());
      sets.push_back(std::move(set));
    }
    return sets;
  }

  static Result<Sets> Cube(const Sets& members) {
    if (members.size() > 12) return TooMany();
    Sets sets;
    for (size_t mask = size_t{1} << members.size(); mask-- > 0;) {
      Set set;
      for (size_t i = 0; i < members.size(); ++i) {
        const bool in = (mask >> (members.size() - 1 - i)) % 2 == 1;
        if (in) set.insert(set.end(), members[i].begin(), members[i].end());
      }
      sets.push_back(std::move(set));
    }
    return sets;
  }

  static Error TooMany() { return Unsupported("more than {} grouping sets are not implemented", kMaxSets); }

  Result<int32_t> KeyOf(const unresolved::Expr& written) {
    WEIR_TRY(ExprPtr key, resolve_(written));
    auto known = std::ranges::find_if(keys_, [&](const ExprPtr& one) { return SameExpr(*one, *key); });
    if (known == keys_.end()) known = keys_.insert(keys_.end(), std::move(key));
    return static_cast<int32_t>(known - keys_.begin());
  }

  const ResolveKey& resolve_;
  std::vector<ExprPtr> keys_;
};

/// Every set of one side with every set of the other.
Result<Sets> Product(const Sets& left, const Sets& right) {
  if (left.size() * right.size() > kMaxSets)
    return Unsupported("more than {} grouping sets are not implemented", kMaxSets);
  Sets product;
  for (const Set& a : left) {
    for (const Set& b : right) {
      product.push_back(a);
      product.back().insert(product.back().end(), b.begin(), b.end());
    }
  }
  return product;
}

}  // namespace

Result<GroupBy> ResolveGroupBy(const std::vector<unresolved::ExprPtr>& items, const ResolveKey& resolve) {
  Expander expander(resolve);
  Sets sets = {{}};
  bool has_sets = false;
  for (const unresolved::ExprPtr& item : items) {
    has_sets = has_sets || std::holds_alternative<unresolved::GroupingSets>(item->node);
    WEIR_TRY(const Sets more, expander.Expand(*item));
    WEIR_TRY(sets, Product(sets, more));
  }
  GroupBy result;
  result.keys = expander.TakeKeys();
  if (!has_sets) return result;
  if (result.keys.size() > kMaxKeys) {
    return Condition("GROUPING_SIZE_LIMIT_EXCEEDED", "54000", {{"maxSize", std::to_string(kMaxKeys)}},
                     fmt::format("grouping sets have at most {} keys", kMaxKeys));
  }
  for (Set& set : sets) {
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  result.sets = std::move(sets);
  return result;
}

}  // namespace weir::analyze

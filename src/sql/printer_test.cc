// Random plans survive printing and parsing.

#include "sql/printer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sql/parser.h"

namespace weir::sql {
namespace {

using namespace unresolved;  // NOLINT: the test builds every node of the plan

/// Draws plans of the shapes that the parser can give.
class Draw {
 public:
  explicit Draw(uint32_t seed) : random_(seed) {}

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool Coin() { return Below(2) == 0; }
  template <typename T>
  T Pick(std::initializer_list<T> list) {
    return *(list.begin() + Below(static_cast<int>(list.size())));
  }

  std::string Word() {
    return Pick<std::string>({"a", "b", "Select", "from", "order", "two words", "tick`s", "1st", "null",
                              "true", "date", "\u00e9", "interval", "on", "x.y"});
  }
  Name Path(int max_parts) {
    Name name;
    for (int i = Below(max_parts); i >= 0; --i) name.push_back(Word());
    return name;
  }
  std::vector<std::string> Words() {
    std::vector<std::string> words;
    for (int i = Below(3); i >= 0; --i) words.push_back(Word() + std::to_string(i));
    return words;
  }

  static ExprPtr Wrap(decltype(Expr::node) node) {
    return std::make_shared<const Expr>(Expr{std::move(node), {}});
  }
  static RelationPtr Wrap(decltype(Relation::node) node) {
    return std::make_shared<const Relation>(Relation{std::move(node), {}});
  }

  Type DrawType(int depth) {
    if (depth > 0 && Below(3) == 0) {
      const auto field = [&](std::string name) {
        return Field{{}, std::move(name), DrawType(depth - 1), false, {}};
      };
      switch (Below(3)) {
        case 0:
          return Type::Array(field("element"));
        case 1:
          return Type::Map(field("key"), field("value"));
        default: {
          Field b = field("b c");
          b.required = true;
          b.doc = "it's";
          return Type::Struct({field("a"), b});
        }
      }
    }
    return Pick<Type>({Type::Int(), Type::Long(), Type::String(), Type::Decimal(12, 2), Type::Date(),
                       Type::Timestamp(), Type::TimestampNtz(), Type::Binary(), Type::IntervalDayTime(),
                       Type::IntervalYearMonth()});
  }

  Scalar DrawScalar() {
    switch (Below(14)) {
      case 0:
        return Scalar();
      case 1:
        return Scalar::Boolean(Coin());
      case 2:
        return Scalar::Int(static_cast<int32_t>(random_()));
      case 3:
        return Scalar::Long(static_cast<int64_t>(random_()) << 31 ^ static_cast<int64_t>(random_()));
      case 4:
        return Scalar(Type::Short(), int64_t{Below(65536) - 32768});
      case 5:
        return Scalar(Type::Byte(), int64_t{Below(256) - 128});
      case 6:
        return Scalar::Decimal(static_cast<int32_t>(random_()), 20, Below(21));
      case 7:
        return Scalar::Double(std::ldexp(static_cast<double>(random_()), Below(400) - 200));
      case 8:
        return Scalar::Float(static_cast<float>(Below(1000)) / 8);
      case 9:
        return Scalar::Date(Below(4'000'000) - 2'000'000);
      case 10:
        return Scalar::Timestamp((static_cast<int64_t>(random_()) << 24) - (int64_t{1} << 55));
      case 11:
        return Scalar::TimestampNtz((static_cast<int64_t>(random_()) << 24) - (int64_t{1} << 55));
      case 12:
        return Scalar::Binary(std::string("\0\xff'", static_cast<size_t>(Below(4))));
      default:
        return Scalar::String(
            Pick<std::string>({"", "it's", "a\\b", "\"", "%\\%_", "\n\t", "\u00e9", "--", "/*"}));
    }
  }

  ExprPtr DrawLiteral() {
    if (Below(12) == 0)
      return Wrap(Literal{Scalar(Type::IntervalDayTime(), int64_t{Below(1 << 30)} * 12'345), {}});
    if (Below(12) == 0)
      return Wrap(Literal{Scalar(Type::IntervalYearMonth(), int64_t{Below(1000)} - 500), {}});
    return Wrap(Literal{DrawScalar(), {}});
  }

  ExprPtr Operator(int depth) {
    const auto call = [](std::string name, std::vector<ExprPtr> args) {
      return Wrap(
          Call{.name = {std::move(name)}, .args = std::move(args), .is_operator = true, .filter = {}});
    };
    const auto arg = [&] { return DrawExpr(depth - 1); };
    switch (Below(7)) {
      case 0:
        return call(Pick<std::string>({"not", "negative", "positive", "~", "isnull", "isnotnull"}),
                    {Column(depth)});
      case 1:
        return call("between", {arg(), arg(), arg()});
      case 2:
        return call("in", {arg(), arg(), arg()});
      case 3:
        return call("[]", {arg(), arg()});
      case 4:
        return call(Pick<std::string>({"like", "ilike"}),
                    {arg(), arg(), Wrap(Literal{Scalar::String("!"), {}})});
      default:
        return call(
            Pick<std::string>({"+",   "-", "*",   "/", "%",  "div", "||", "&",   "|",  "^",    "<<",   ">>",
                               ">>>", "=", "<=>", "<", "<=", ">",   ">=", "and", "or", "like", "rlike"}),
            {arg(), arg()});
    }
  }

  /// An operand that is no literal, so that a minus in front of it stays an operator.
  ExprPtr Column(int) { return Wrap(Attribute{Path(3)}); }

  ExprPtr DrawCase(int depth) {
    unresolved::Case node;
    if (Coin()) node.operand = DrawExpr(depth - 1);
    for (int i = Below(2); i >= 0; --i) node.branches.emplace_back(DrawExpr(depth - 1), DrawExpr(depth - 1));
    if (Coin()) node.otherwise = DrawExpr(depth - 1);
    return Wrap(std::move(node));
  }

  FrameBound DrawBound() {
    FrameBound bound{static_cast<FrameBound::Kind>(Below(4)), {}};
    if (bound.kind != FrameBound::Kind::kOffset) return bound;
    bound.offset = Wrap(Literal{Scalar::Int(Below(9)), {}});
    if (Coin()) {
      bound.offset =
          Wrap(Call{.name = {"negative"}, .args = {bound.offset}, .is_operator = true, .filter = {}});
    }
    return bound;
  }

  WindowSpec DrawSpec(int depth) {
    WindowSpec spec;
    for (int i = Below(3); i > 0; --i) spec.partition_by.push_back(DrawExpr(depth - 1));
    for (int i = Below(3); i > 0; --i) spec.order_by.push_back({DrawExpr(depth - 1), Coin(), Coin()});
    if (Coin()) spec.frame = WindowFrame{Coin(), DrawBound(), DrawBound()};
    return spec;
  }

  ExprPtr DrawWindow(int depth) {
    Call call{.name = Path(2), .args = {DrawExpr(depth - 1)}, .filter = {}, .ignore_nulls = Coin()};
    Window window{.function = Wrap(std::move(call)), .name = {}, .spec = {}};
    if (Coin()) {
      window.name = Word();
    } else {
      window.spec = DrawSpec(depth);
    }
    return Wrap(std::move(window));
  }

  ExprPtr DrawGroupingSets(int depth) {
    GroupingSets sets{.kind = static_cast<GroupingSets::Kind>(Below(3)), .sets = {}, .keys = {}};
    for (int i = Below(3); i >= 0; --i) {
      const bool plain = sets.kind != GroupingSets::Kind::kGroupingSets;
      if (!plain && depth > 0 && Below(4) == 0) {
        sets.sets.push_back({DrawGroupingSets(depth - 1)});
        continue;
      }
      sets.sets.emplace_back();
      for (int j = plain ? 1 + Below(2) : Below(3); j > 0; --j)
        sets.sets.back().push_back(DrawExpr(depth - 1));
    }
    return Wrap(std::move(sets));
  }

  ExprPtr DrawExpr(int depth) {
    if (depth <= 0) return Coin() ? Column(0) : DrawLiteral();
    switch (Below(10)) {
      case 9:
        return DrawWindow(depth);
      case 0:
        return DrawLiteral();
      case 1:
        return Column(depth);
      case 2:
        return Wrap(Cast{DrawExpr(depth - 1), DrawType(2), Coin()});
      case 3:
        return DrawCase(depth);
      case 4: {
        Call call{.name = Path(2), .args = {}, .distinct = false, .filter = {}};
        for (int i = Below(3); i > 0; --i) call.args.push_back(DrawExpr(depth - 1));
        call.distinct = !call.args.empty() && Coin();
        if (Coin()) call.filter = DrawExpr(depth - 1);
        return Wrap(std::move(call));
      }
      case 5:
        return Wrap(FieldAccess{Wrap(Cast{Column(0), Type::Int(), false}), Word()});
      case 6: {
        if (Coin()) return Wrap(Subquery{SubqueryKind::kScalar, {}, DrawQuery(depth - 1)});
        if (Coin()) return Wrap(Subquery{SubqueryKind::kExists, {}, DrawQuery(depth - 1)});
        std::vector<ExprPtr> values = {Column(0)};
        if (Coin()) values.push_back(Column(0));
        return Wrap(Subquery{SubqueryKind::kIn, std::move(values), DrawQuery(depth - 1)});
      }
      default:
        return Operator(depth);
    }
  }

  ExprPtr DrawItem(int depth) {
    switch (Below(6)) {
      case 0:
        return Wrap(
            Star{Coin() ? Name{} : Path(2), Coin() ? std::vector<Name>{} : std::vector<Name>{Path(2)}});
      case 1:
      case 2:
        return Wrap(Alias{DrawExpr(depth), Word()});
      case 3:
        return Wrap(MultiAlias{DrawExpr(depth), {Word(), Word()}});
      default:
        return DrawExpr(depth);
    }
  }

  RelationPtr DrawTable(int depth) {
    NamedTable table{.name = Path(3), .time_travel = {}, .options = {}};
    if (Below(4) == 0) table.time_travel = TimeTravel{true, Wrap(Literal{Scalar::Int(Below(100)), {}})};
    if (Below(4) == 0) table.time_travel = TimeTravel{false, DrawExpr(depth - 1)};
    if (Below(4) == 0) table.options = {{"k'", "v"}, {"b", ""}};
    return Wrap(std::move(table));
  }

  RelationPtr DrawItemRelation(int depth) {
    if (depth <= 0) return DrawTable(0);
    switch (Below(6)) {
      case 0:
        return DrawTable(depth);
      case 1:
        return Wrap(
            Aliased{DrawItemRelation(depth - 1), Word(), Coin() ? std::vector<std::string>{} : Words()});
      case 2: {
        Join join{.left = DrawItemRelation(depth - 1),
                  .right = DrawItemRelation(depth - 1),
                  .using_columns = {},
                  .condition = {}};
        join.type = static_cast<JoinType>(Below(7));
        join.natural = join.type != JoinType::kCross && Below(4) == 0;
        if (!join.natural && Coin()) {
          join.condition = DrawExpr(depth - 1);
        } else if (!join.natural && Coin()) {
          join.using_columns = Words();
        }
        return Wrap(std::move(join));
      }
      case 3:
        return Wrap(TableFunction{Path(2), {DrawExpr(depth - 1), DrawExpr(depth - 1)}});
      default:
        return DrawQuery(depth - 1);
    }
  }

  RelationPtr DrawSelect(int depth) {
    Select select;
    select.distinct = Coin();
    for (int i = Below(3); i >= 0; --i) select.items.push_back(DrawItem(depth - 1));
    select.from = Coin() ? Wrap(OneRow{}) : DrawItemRelation(depth - 1);
    if (Below(4) == 0 && !std::holds_alternative<OneRow>(select.from->node)) {
      const ExprPtr call = Wrap(Call{.name = {Word()}, .args = {DrawExpr(depth - 1)}, .filter = {}});
      select.from =
          Wrap(LateralView{select.from, call, Coin(), Word(), Coin() ? std::vector<std::string>{} : Words()});
    }
    if (Coin()) select.from = Wrap(Filter{select.from, DrawExpr(depth - 1)});
    if (Coin()) {
      select.group_by = {Column(0), DrawExpr(depth - 1)};
      if (Coin()) select.group_by.push_back(DrawGroupingSets(depth - 1));
    } else {
      select.group_by_all = Coin();
    }
    if (Coin()) select.having = DrawExpr(depth - 1);
    if (Below(4) == 0) select.windows = {{"w1", DrawSpec(depth - 1)}, {"w 2", DrawSpec(depth - 1)}};
    return Wrap(std::move(select));
  }

  RelationPtr DrawQuery(int depth) {
    if (depth <= 0) {
      Select select;
      select.items = {Column(0)};
      select.from = DrawTable(0);
      return Wrap(std::move(select));
    }
    switch (Below(8)) {
      case 0: {
        Values values;
        for (int i = Below(3); i >= 0; --i) {
          values.rows.push_back({Column(0), Coin() ? Wrap(DefaultValue{}) : DrawExpr(depth - 1)});
        }
        return Wrap(std::move(values));
      }
      case 1:
        return Wrap(SetOperation{.kind = static_cast<SetOpKind>(Below(3)),
                                 .all = Coin(),
                                 .left = DrawQuery(depth - 1),
                                 .right = DrawQuery(depth - 1)});
      case 2: {
        Sort sort{.input = DrawQuery(depth - 1), .keys = {}};
        if (Below(4) == 0) {
          sort.all = true;
          sort.all_ascending = Coin();
          sort.all_nulls_first = Coin();
        } else {
          for (int i = Below(2); i >= 0; --i) sort.keys.push_back({DrawExpr(depth - 1), Coin(), Coin()});
        }
        return Wrap(std::move(sort));
      }
      case 3: {
        Limit limit{DrawQuery(depth - 1), DrawExpr(depth - 1), {}};
        if (Coin()) limit.offset = Wrap(Literal{Scalar::Int(Below(9)), {}});
        return Wrap(std::move(limit));
      }
      case 4: {
        With with{{}, DrawQuery(depth - 1)};
        for (const std::string& name : Words()) {
          with.tables.push_back({name, Coin() ? std::vector<std::string>{} : Words(), DrawQuery(depth - 1)});
        }
        return Wrap(std::move(with));
      }
      default:
        return DrawSelect(depth);
    }
  }

 private:
  std::mt19937 random_;
};

TEST(ToSql, RandomExpressionsParseToThemselves) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Draw draw(seed);
    const std::string printed = ToSql(*draw.DrawExpr(3));
    const auto parsed = ParseExpression(printed);
    ASSERT_TRUE(parsed) << "seed " << seed << ": " << printed << "\n" << parsed.error().ToString();
    ASSERT_EQ(ToSql(**parsed), printed) << "seed " << seed;
  }
}

TEST(ToSql, RandomQueriesParseToThemselves) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Draw draw(seed);
    const std::string printed = ToSql(*draw.DrawQuery(4));
    const auto parsed = ParseStatement(printed);
    ASSERT_TRUE(parsed) << "seed " << seed << ": " << printed << "\n" << parsed.error().ToString();
    ASSERT_EQ(ToSql(*parsed), printed) << "seed " << seed;
  }
}

TEST(ToSql, LiteralsKeepTheirValue) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Draw draw(seed);
    const Scalar value = draw.DrawScalar();
    const std::string printed = ToSql(*Draw::Wrap(decltype(Expr::node)(Literal{value, {}})));
    const auto parsed = ParseExpression(printed);
    ASSERT_TRUE(parsed) << printed << "\n" << parsed.error().ToString();
    const auto* literal = std::get_if<Literal>(&(*parsed)->node);
    ASSERT_NE(literal, nullptr) << printed;
    EXPECT_EQ(literal->value.is_null(), value.is_null()) << printed;
    if (value.type().kind() == TypeKind::kDecimal) {
      EXPECT_TRUE(literal->value.unscaled() == value.unscaled()) << printed;
      EXPECT_EQ(literal->value.type().scale(), value.type().scale()) << printed;
    } else {
      EXPECT_TRUE(literal->value == value) << printed << " is " << literal->value.ToString();
    }
  }
}

}  // namespace
}  // namespace weir::sql

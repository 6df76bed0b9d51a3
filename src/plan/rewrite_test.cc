#include "plan/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "expr/evaluate.h"

namespace weir::plan {
namespace {

using Row = std::vector<Scalar>;
using Rows = std::vector<Row>;

/// A table with given rows, which takes the pushed predicate as the hint that it is: it drops what fails it.
class RowsTable : public table::Table {
 public:
  explicit RowsTable(Rows rows) : rows_(std::move(rows)) {}
  const Rows& rows() const { return rows_; }

  Result<table::SnapshotPtr> Load(const table::At&, Account, Cancellation) override {
    return Unsupported("test");
  }
  Result<table::ScanPlan> Plan(const table::Snapshot&, const table::ScanRequest& request, Account,
                               Cancellation) override {
    requests.push_back(request);
    return table::ScanPlan{};
  }
  std::string NewFilePath(const table::Snapshot&, const table::PartitionTuple&, std::string_view) override {
    return {};
  }
  Result<table::CommitOutcome> Commit(const table::Change&, Account, Cancellation) override {
    return Unsupported("test");
  }
  Result<MetadataRows> Metadata(const table::Snapshot&, std::string_view, Account, Cancellation) override {
    return Unsupported("test");
  }
  std::vector<table::ScanRequest> requests;

 private:
  Rows rows_;
};

// ---- a slow and plain executor
// ---------------------------------------------------------------------------------------

Scalar Evaluate(const ExprPtr& expr, const std::vector<Column>& columns, const Row& row) {
  auto lookup = [&](const ColumnRef& column) -> Result<Scalar> {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].id == column.id) return row[i];
    }
    return Internal("column {} is not in reach", column.name);
  };
  auto value = EvaluateRow(*expr, lookup);
  EXPECT_TRUE(value) << ToString(*expr) << ": " << value.error().message();
  return value ? *value : Scalar();
}

bool Holds(const ExprPtr& condition, const std::vector<Column>& columns, const Row& row) {
  if (condition == nullptr) return true;
  Scalar value = Evaluate(condition, columns, row);
  return !value.is_null() && value.boolean();
}

std::string Text(const Row& row) {
  std::string text;
  for (const Scalar& value : row) text += value.ToString() + ",";
  return text;
}

Rows RowsOf(const NodePtr& node);

Rows RunScan(const Node& node) {
  const TableScan& scan = *node.As<TableScan>();
  const Rows& all = static_cast<const RowsTable&>(*scan.table).rows();
  std::vector<Column> fields;
  for (const Field& field : scan.snapshot->schema.fields)
    fields.push_back({ColumnOf(field.id), field.name, field.type, true});
  Rows rows;
  for (const Row& row : all) {
    if (!Holds(scan.predicate, fields, row)) continue;
    Row out;
    for (const ScanColumn& column : scan.columns) {
      FieldId id = std::get<FieldId>(column);
      out.push_back(row[static_cast<size_t>(id.value - 1)]);
    }
    rows.push_back(std::move(out));
  }
  return rows;
}

Rows RunJoin(const Node& node) {
  const Join& join = *node.As<Join>();
  Rows left = RowsOf(node.inputs[0]), right = RowsOf(node.inputs[1]), out;
  std::vector<Column> columns = node.inputs[0]->output;
  columns.insert(columns.end(), node.inputs[1]->output.begin(), node.inputs[1]->output.end());
  std::vector<bool> right_matched(right.size());
  Row no_left(node.inputs[0]->output.size(), Scalar::Null(Type::Int()));
  Row no_right(node.inputs[1]->output.size(), Scalar::Null(Type::Int()));
  auto both = [](Row a, const Row& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  for (const Row& l : left) {
    bool matched = false;
    for (size_t i = 0; i < right.size(); ++i) {
      if (!Holds(join.condition, columns, both(l, right[i]))) continue;
      matched = true;
      right_matched[i] = true;
      if (join.type != JoinType::kLeftSemi && join.type != JoinType::kLeftAnti)
        out.push_back(both(l, right[i]));
    }
    if (join.type == JoinType::kLeftSemi && matched) out.push_back(l);
    if (join.type == JoinType::kLeftAnti && !matched) out.push_back(l);
    if ((join.type == JoinType::kLeft || join.type == JoinType::kFull) && !matched)
      out.push_back(both(l, no_right));
  }
  for (size_t i = 0; i < right.size(); ++i) {
    bool outer = join.type == JoinType::kRight || join.type == JoinType::kFull;
    if (outer && !right_matched[i]) out.push_back(both(no_left, right[i]));
  }
  return out;
}

Rows RunAggregate(const Node& node);

Rows RunGroupingSets(const Node& node) {
  const Aggregate& aggregate = *node.As<Aggregate>();
  Rows rows;
  if (RowsOf(node.inputs[0]).empty()) return rows;
  for (const std::vector<int32_t>& set : aggregate.sets) {
    Aggregate one{{}, aggregate.aggregates, {}};
    for (int32_t key : set) one.keys.push_back(aggregate.keys[static_cast<size_t>(key)]);
    for (const Row& grouped : RunAggregate(Node{std::move(one), node.inputs, node.output})) {
      Row row(aggregate.keys.size(), Scalar::Null(Type::Int()));
      int32_t number = (1 << aggregate.keys.size()) - 1;
      for (size_t i = 0; i < set.size(); ++i) {
        row[static_cast<size_t>(set[i])] = grouped[i];
        number -= 1 << (aggregate.keys.size() - 1 - static_cast<size_t>(set[i]));
      }
      row.insert(row.end(), grouped.begin() + static_cast<ptrdiff_t>(set.size()), grouped.end());
      row.push_back(Scalar::Int(number));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// Windows are count(x) OVER (PARTITION BY ..).
Rows RunWindow(const Node& node) {
  const Rows input = RowsOf(node.inputs[0]);
  const std::vector<Column>& columns = node.inputs[0]->output;
  Rows rows = input;
  for (const ExprPtr& expr : node.As<Window>()->calls) {
    const WindowCall& window = *expr->As<WindowCall>();
    std::map<std::string, int32_t> counts;
    std::vector<std::string> partitions;
    for (const Row& row : input) {
      Row key;
      for (const ExprPtr& part : window.partition_by) key.push_back(Evaluate(part, columns, row));
      partitions.push_back(Text(key));
      counts[partitions.back()] += Evaluate(window.call.args[0], columns, row).is_null() ? 0 : 1;
    }
    for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(Scalar::Int(counts[partitions[i]]));
  }
  return rows;
}

/// Generators are stack(n, values).
Rows RunGenerate(const Node& node) {
  const Call& call = *node.As<Generate>()->generator->As<Call>();
  Rows rows;
  for (const Row& input : RowsOf(node.inputs[0])) {
    for (size_t i = 1; i < call.args.size(); ++i) {
      rows.push_back(input);
      rows.back().push_back(Evaluate(call.args[i], node.inputs[0]->output, input));
    }
  }
  return rows;
}

/// Aggregates are count(x). With sets: the rows of each set, one after another.
Rows RunAggregate(const Node& node) {
  const Aggregate& aggregate = *node.As<Aggregate>();
  if (!aggregate.sets.empty()) return RunGroupingSets(node);
  std::map<std::string, std::pair<Row, std::vector<int64_t>>> groups;
  if (aggregate.keys.empty()) groups[""] = {{}, std::vector<int64_t>(aggregate.aggregates.size())};
  for (const Row& row : RowsOf(node.inputs[0])) {
    Row key;
    for (const ExprPtr& expr : aggregate.keys) key.push_back(Evaluate(expr, node.inputs[0]->output, row));
    auto& [values, counts] = groups[Text(key)];
    values = key;
    counts.resize(aggregate.aggregates.size());
    for (size_t i = 0; i < counts.size(); ++i) {
      const Call& call = *aggregate.aggregates[i]->As<Call>();
      counts[i] += Evaluate(call.args[0], node.inputs[0]->output, row).is_null() ? 0 : 1;
    }
  }
  Rows rows;
  for (auto& [text, group] : groups) {
    Row row = group.first;
    for (int64_t count : group.second) row.push_back(Scalar::Int(static_cast<int32_t>(count)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Rows RowsOf(const NodePtr& node) {
  if (node->As<TableScan>()) return RunScan(*node);
  if (node->As<Join>()) return RunJoin(*node);
  if (node->As<Aggregate>()) return RunAggregate(*node);
  if (node->As<Window>()) return RunWindow(*node);
  if (node->As<Generate>()) return RunGenerate(*node);
  Rows rows, input = RowsOf(node->inputs[0]);
  const std::vector<Column>& columns = node->inputs[0]->output;
  if (const Filter* filter = node->As<Filter>()) {
    for (Row& row : input) {
      if (Holds(filter->condition, columns, row)) rows.push_back(row);
    }
  } else if (const Project* project = node->As<Project>()) {
    for (const Row& row : input) {
      Row out;
      for (const ExprPtr& expr : project->exprs) out.push_back(Evaluate(expr, columns, row));
      rows.push_back(std::move(out));
    }
  } else if (node->As<Distinct>()) {
    std::map<std::string, Row> distinct;
    for (const Row& row : input) distinct.emplace(Text(row), row);
    for (auto& [text, row] : distinct) rows.push_back(row);
  } else if (node->As<SetOperation>()) {
    rows = input;
    for (const Row& row : RowsOf(node->inputs[1])) rows.push_back(row);
  } else {
    rows = input;  // Sort: the order is not compared. Limit: never cuts here.
  }
  return rows;
}

std::vector<std::string> Sorted(const Rows& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(Text(row));
  std::ranges::sort(texts);
  return texts;
}

// ---- random plans
// ----------------------------------------------------------------------------------------------------

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  NodePtr Plan(int depth) {
    if (depth == 0) return Scan();
    switch (Below(11)) {
      case 9:
        return WindowOf(Plan(depth - 1));
      case 10:
        return GenerateOf(Plan(depth - 1));
      case 0:
        return Scan();
      case 1:
      case 2:
        return FilterOf(Plan(depth - 1));
      case 3:
        return ProjectOf(Plan(depth - 1));
      case 4:
        return JoinOf(Plan(depth - 1), Plan(depth - 1));
      case 5:
        return AggregateOf(Plan(depth - 1));
      case 6: {
        NodePtr input = Plan(depth - 1);
        return MakeNode(Distinct{}, {input}, input->output);
      }
      case 7: {
        NodePtr left = Plan(depth - 1), right = Plan(depth - 1);
        if (left->output.size() != right->output.size()) return JoinOf(left, right);
        return MakeUnionAll({left, right}, ids_);
      }
      default: {
        NodePtr input = Plan(depth - 1);
        if (Below(2) == 0) return MakeLimit(input, std::nullopt);
        return MakeSort(input, {{Value(input->output)}});
      }
    }
  }

 private:
  uint32_t Below(uint32_t limit) { return std::uniform_int_distribution<uint32_t>(0, limit - 1)(random_); }

  Scalar SmallInt() {
    uint32_t value = Below(4);
    return value == 3 ? Scalar::Null(Type::Int()) : Scalar::Int(static_cast<int32_t>(value));
  }

  NodePtr Scan() {
    auto snapshot = std::make_shared<table::Snapshot>();
    TableScan scan;
    std::vector<Column> output;
    uint32_t width = 1 + Below(3);
    Rows rows(Below(6));
    for (Row& row : rows) {
      for (uint32_t i = 0; i < width; ++i) row.push_back(SmallInt());
    }
    for (uint32_t i = 0; i < width; ++i) {
      FieldId id{static_cast<int32_t>(i) + 1};
      snapshot->schema.fields.push_back({id, "c", Type::Int(), false, {}});
      scan.columns.emplace_back(id);
      output.push_back({ids_.Next(), "c", Type::Int(), true});
    }
    scan.table = std::make_shared<RowsTable>(std::move(rows));
    scan.snapshot = std::move(snapshot);
    return MakeNode(std::move(scan), {}, std::move(output));
  }

  ExprPtr Value(const std::vector<Column>& columns) {
    if (columns.empty() || Below(4) == 0) return MakeLiteral(SmallInt());
    return ColumnExpr(columns[Below(static_cast<uint32_t>(columns.size()))]);
  }

  ExprPtr Condition(const std::vector<Column>& columns, int depth) {
    if (depth > 0 && Below(2) == 0) {
      std::string_view name = Below(3) == 0 ? "or" : "and";
      return MakePredicate(name, {Condition(columns, depth - 1), Condition(columns, depth - 1)});
    }
    switch (Below(5)) {
      case 0:
        return MakePredicate("isnull", {Value(columns)});
      case 1:
        return MakePredicate("not", {MakePredicate("=", {Value(columns), Value(columns)})});
      case 2:
        return MakePredicate("<=>", {Value(columns), Value(columns)});
      case 3:
        return MakePredicate("<", {Value(columns), Value(columns)});
      default:
        return MakePredicate("=", {Value(columns), Value(columns)});
    }
  }

  NodePtr FilterOf(const NodePtr& input) { return MakeFilter(input, Condition(input->output, 2)); }

  NodePtr ProjectOf(const NodePtr& input) {
    std::vector<ExprPtr> exprs;
    std::vector<std::string> names;
    for (uint32_t i = 0, width = 1 + Below(3); i < width; ++i) {
      exprs.push_back(Value(input->output));
      names.push_back("p");
    }
    return MakeProject(input, std::move(exprs), std::move(names), ids_);
  }

  NodePtr JoinOf(const NodePtr& left, const NodePtr& right) {
    auto type = static_cast<JoinType>(Below(6));
    std::vector<Column> columns = left->output;
    columns.insert(columns.end(), right->output.begin(), right->output.end());
    return MakeJoin(left, right, type, Below(5) == 0 ? nullptr : Condition(columns, 2));
  }

  NodePtr AggregateOf(const NodePtr& input) {
    Aggregate aggregate;
    std::vector<Column> output;
    for (uint32_t i = 0, count = Below(3); i < count; ++i) {
      aggregate.keys.push_back(Value(input->output));
      output.push_back({ids_.Next(), "k", Type::Int(), true});
    }
    for (uint32_t i = 0, count = 1 + Below(2); i < count; ++i) {
      Call call{.function = FindFunction("count"), .args = {Value(input->output)}};
      aggregate.aggregates.push_back(std::make_shared<const Expr>(std::move(call), Type::Int(), false));
      output.push_back({ids_.Next(), "n", Type::Int(), false});
    }
    if (Below(3) == 0) {
      for (uint32_t i = 0, count = 1 + Below(3); i < count; ++i) {
        aggregate.sets.emplace_back();
        for (size_t key = 0; key < aggregate.keys.size(); ++key) {
          if (Below(3) > 0) aggregate.sets.back().push_back(static_cast<int32_t>(key));
        }
      }
      output.push_back({ids_.Next(), "set", Type::Int(), false});
    }
    return MakeNode(std::move(aggregate), {input}, std::move(output));
  }

  NodePtr WindowOf(const NodePtr& input) {
    Window window;
    std::vector<Column> output = input->output;
    for (uint32_t i = 0, count = 1 + Below(2); i < count; ++i) {
      WindowCall call;
      call.call = {.function = FindFunction("count"), .args = {Value(input->output)}};
      for (uint32_t key = 0, keys = Below(3); key < keys; ++key)
        call.partition_by.push_back(Value(input->output));
      window.calls.push_back(std::make_shared<const Expr>(std::move(call), Type::Int(), false));
      output.push_back({ids_.Next(), "w", Type::Int(), false});
    }
    return MakeNode(std::move(window), {input}, std::move(output));
  }

  NodePtr GenerateOf(const NodePtr& input) {
    Call call{.function = FindFunction("stack"), .args = {MakeLiteral(Scalar::Int(2))}};
    for (int i = 0; i < 2; ++i) call.args.push_back(Value(input->output));
    std::vector<Column> output = input->output;
    output.push_back({ids_.Next(), "col0", Type::Int(), true});
    Generate generate{std::make_shared<const Expr>(std::move(call), Type::Void(), false)};
    return MakeNode(std::move(generate), {input}, std::move(output));
  }

  std::mt19937 random_;
  ColumnIds ids_;
};

TEST(Optimize, RandomPlansKeepTheirRows) {
  for (uint32_t seed = 0; seed < 3'000; ++seed) {
    Maker maker(seed);
    NodePtr plan = maker.Plan(4);
    auto optimized = Optimize(plan);
    ASSERT_TRUE(optimized) << seed << ": " << optimized.error().message();
    ASSERT_EQ(Sorted(RowsOf(plan)), Sorted(RowsOf(*optimized))) << "seed " << seed << "\n"
                                                                << ToString(plan) << "\nbecame\n"
                                                                << ToString(*optimized);
    ASSERT_EQ(plan->output.size(), (*optimized)->output.size()) << seed;
    for (size_t i = 0; i < plan->output.size(); ++i)
      ASSERT_EQ(plan->output[i].id, (*optimized)->output[i].id) << seed;
  }
}

// ---- single rules
// ----------------------------------------------------------------------------------------------------

struct Fixture {
  ColumnIds ids;
  std::shared_ptr<RowsTable> table = std::make_shared<RowsTable>(Rows{});
  NodePtr scan;
  Column a, b;

  Fixture() {
    auto snapshot = std::make_shared<table::Snapshot>();
    snapshot->schema.fields = {{FieldId{1}, "a", Type::Int(), false, {}},
                               {FieldId{2}, "b", Type::String(), false, {}}};
    TableScan node{table, snapshot, "cat.db.t", {FieldId{1}, FieldId{2}}, nullptr};
    a = {ids.Next(), "a", Type::Int(), true};
    b = {ids.Next(), "b", Type::String(), true};
    scan = MakeNode(std::move(node), {}, {a, b});
  }
  ExprPtr AIs(int32_t value) const {
    return MakePredicate("=", {ColumnExpr(a), MakeLiteral(Scalar::Int(value))});
  }
};

const TableScan* FindScan(const NodePtr& node) {
  if (const TableScan* scan = node->As<TableScan>()) return scan;
  for (const NodePtr& input : node->inputs) {
    if (const TableScan* scan = FindScan(input)) return scan;
  }
  return nullptr;
}

TEST(PushPredicates, ReachesTheScanAsFieldsAndKeepsTheFilter) {
  Fixture f;
  NodePtr project = MakeProject(f.scan, {ColumnExpr(f.a)}, {"x"}, f.ids);
  NodePtr plan =
      MakeFilter(project, MakePredicate("=", {ColumnExpr(project->output[0]), MakeLiteral(Scalar::Int(7))}));
  auto pushed = PushPredicates(plan);
  ASSERT_TRUE(pushed);
  ASSERT_NE(FindScan(*pushed)->predicate, nullptr);
  EXPECT_EQ(ColumnsOf(*FindScan(*pushed)->predicate), std::unordered_set<ColumnId>{ColumnId{1}});
  ASSERT_NE((*pushed)->As<Project>(), nullptr);
  EXPECT_NE((*pushed)->inputs[0]->As<Filter>(), nullptr);
}

NodePtr CountPerA(Fixture& f) {
  WindowCall count;
  count.call = {.function = FindFunction("count"), .args = {ColumnExpr(f.b)}};
  count.partition_by = {ColumnExpr(f.a)};
  count.frame = {true, {FrameBound::Kind::kUnboundedPreceding}, {FrameBound::Kind::kUnboundedFollowing}};
  Window window{{std::make_shared<const Expr>(std::move(count), Type::Long(), false)}};
  return MakeNode(std::move(window), {f.scan}, {f.a, f.b, {f.ids.Next(), "n", Type::Long(), false}});
}

TEST(PushPredicates, OnlyWholePartitionsLeaveBeforeTheirWindows) {
  Fixture f;
  NodePtr window = CountPerA(f);
  auto whole = PushPredicates(MakeFilter(window, f.AIs(7)));
  ASSERT_TRUE(whole);
  EXPECT_NE(FindScan(*whole)->predicate, nullptr);
  auto part = PushPredicates(
      MakeFilter(window, MakePredicate("=", {ColumnExpr(f.b), MakeLiteral(Scalar::String("x"))})));
  ASSERT_TRUE(part);
  EXPECT_EQ(FindScan(*part)->predicate, nullptr);
}

TEST(PruneColumns, WindowsThatNobodyReadsAreNotComputed) {
  Fixture f;
  auto pruned = PruneColumns(MakeProject(CountPerA(f), {ColumnExpr(f.a)}, {"x"}, f.ids));
  ASSERT_TRUE(pruned);
  EXPECT_NE((*pruned)->inputs[0]->As<TableScan>(), nullptr);
}

TEST(Printer, ShowsWindows) {
  Fixture f;
  EXPECT_EQ(ToString(CountPerA(f)),
            "Window [count(b) OVER (PARTITION BY a ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED "
            "FOLLOWING) AS n#3]\n"
            "  Scan cat.db.t [a#1, b#2]\n");
}

TEST(PushPredicates, StopsAtLimits) {
  Fixture f;
  auto pushed = PushPredicates(MakeFilter(MakeLimit(f.scan, 10), f.AIs(7)));
  ASSERT_TRUE(pushed);
  EXPECT_EQ(FindScan(*pushed)->predicate, nullptr);
}

TEST(PushPredicates, KeepsWhatIsNotDeterministicAbove) {
  Fixture f;
  Call rand{.function = FindFunction("rand"), .args = {}};
  ExprPtr random = std::make_shared<const Expr>(std::move(rand), Type::Double(), false);
  ExprPtr condition = MakePredicate("<", {random, MakeLiteral(Scalar::Double(0.5))});
  auto pushed = PushPredicates(MakeFilter(f.scan, Conjunction({condition, f.AIs(1)})));
  ASSERT_TRUE(pushed);
  EXPECT_EQ(Conjuncts(FindScan(*pushed)->predicate).size(), 1u);
}

TEST(PushPredicates, DoesNotMoveWhatMayFailPastAJoin) {
  Fixture left, right;
  right.ids = ColumnIds(100);
  NodePtr other = MakeProject(right.scan, {ColumnExpr(right.a)}, {"z"}, right.ids);
  ExprPtr cast = MakeCast(ColumnExpr(left.b), Type::Int(), CastMode::kAnsi);
  NodePtr join = MakeJoin(left.scan, other, JoinType::kInner, nullptr);
  NodePtr plan = MakeFilter(join, MakePredicate("=", {cast, MakeLiteral(Scalar::Int(1))}));
  auto pushed = PushPredicates(plan);
  ASSERT_TRUE(pushed);
  EXPECT_NE((*pushed)->As<Filter>(), nullptr);
  EXPECT_EQ(FindScan(*pushed)->predicate, nullptr);
}

TEST(PruneColumns, ScansReadOnlyWhatIsAskedFor) {
  Fixture f;
  auto pruned = PruneColumns(MakeProject(MakeFilter(f.scan, f.AIs(1)), {ColumnExpr(f.a)}, {"x"}, f.ids));
  ASSERT_TRUE(pruned);
  EXPECT_EQ(FindScan(*pruned)->columns.size(), 1u);
}

TEST(PruneColumns, CountingRowsReadsTheCheapestColumn) {
  Fixture f;
  Call count{.function = FindFunction("count"), .args = {MakeLiteral(Scalar::Int(1))}};
  Aggregate aggregate{{}, {std::make_shared<const Expr>(std::move(count), Type::Long(), false)}};
  auto pruned =
      PruneColumns(MakeNode(std::move(aggregate), {f.scan}, {{f.ids.Next(), "n", Type::Long(), false}}));
  ASSERT_TRUE(pruned);
  ASSERT_EQ(FindScan(*pruned)->columns.size(), 1u);
  EXPECT_EQ(std::get<FieldId>(FindScan(*pruned)->columns[0]), FieldId{1});
}

TEST(FoldConstants, WidensLiteralsAndLeavesWhatDoesNotFit) {
  auto widened = FoldConstants(MakeCast(MakeLiteral(Scalar::Int(5)), Type::Long(), CastMode::kAnsi));
  ASSERT_TRUE(widened);
  ASSERT_NE((*widened)->As<Scalar>(), nullptr);
  EXPECT_EQ(*(*widened)->As<Scalar>(), Scalar::Long(5));
  auto kept = FoldConstants(MakeCast(MakeLiteral(Scalar::String("x")), Type::Int(), CastMode::kAnsi));
  ASSERT_TRUE(kept);
  EXPECT_NE((*kept)->As<Cast>(), nullptr);
}

TEST(FoldConstants, AsksTheExecutorAndKeepsPartsThatFail) {
  ExprPtr cast = MakeCast(MakeLiteral(Scalar::String("5")), Type::Int(), CastMode::kAnsi);
  auto computed = FoldConstants(cast, [](const ExprPtr&) -> Result<Scalar> { return Scalar::Int(5); });
  ASSERT_TRUE(computed);
  EXPECT_EQ(*(*computed)->As<Scalar>(), Scalar::Int(5));
  auto failed = FoldConstants(cast, [](const ExprPtr&) -> Result<Scalar> { return Invalid("no number"); });
  ASSERT_TRUE(failed);
  EXPECT_NE((*failed)->As<Cast>(), nullptr);
}

TEST(PlanScans, AsksTheTableWithThePredicate) {
  Fixture f;
  auto pushed = PushPredicates(MakeFilter(f.scan, f.AIs(7)));
  ASSERT_TRUE(pushed);
  auto ledger = Ledger::Make();
  auto planned = PlanScans(*pushed, *ledger, Cancellation());
  ASSERT_TRUE(planned) << planned.error().message();
  EXPECT_NE((*planned)->inputs[0]->As<FileScan>(), nullptr);
  ASSERT_EQ(f.table->requests.size(), 1u);
  EXPECT_NE(f.table->requests[0].predicate, nullptr);
  EXPECT_EQ(ledger->Entries()[0].operator_name, "scan cat.db.t");
}

TEST(Printer, ShowsOneLinePerNode) {
  Fixture f;
  NodePtr plan = MakeLimit(MakeFilter(f.scan, f.AIs(7)), 3);
  EXPECT_EQ(ToString(plan),
            "Limit 3\n"
            "  Filter (a = 7)\n"
            "    Scan cat.db.t [a#1, b#2]\n");
}

}  // namespace
}  // namespace weir::plan

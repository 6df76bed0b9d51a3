#pragma once

/// Plans and engines for the tests of this folder.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exec/engine.h"

namespace weir::exec::testing {

using Row = std::vector<Scalar>;

/// Runs plans on an engine of its own.
class EngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    EngineOptions options;
    options.threads = 2;
    auto engine = Engine::Open(options, stores_);
    ASSERT_TRUE(engine) << engine.error().ToString();
    engine_ = *std::move(engine);
  }

  RunContext Context() {
    RunContext context;
    context.ledger = ledger_;
    return context;
  }

  /// All rows, or the error.
  Result<std::vector<Row>> Rows(const plan::NodePtr& plan) { return Rows(plan, Context()); }
  Result<std::vector<Row>> Rows(const plan::NodePtr& plan, const RunContext& context) {
    WEIR_TRY(auto stream, engine_->Run(plan, context));
    std::vector<Row> rows;
    while (true) {
      WEIR_TRY(std::optional<Batch> batch, stream->Next());
      if (!batch) return rows;
      for (int64_t i = 0; i < batch->row_count; ++i) {
        Row row;
        for (size_t c = 0; c < plan->output.size(); ++c) row.push_back(batch->At(i, c));
        rows.push_back(std::move(row));
      }
    }
  }
  /// Rows as text: "1,a;2,NULL", or "[CONDITION]", or "code: message".
  std::string Text(const plan::NodePtr& plan) { return TextOf(Rows(plan)); }
  static std::string TextOf(const Result<std::vector<Row>>& rows) {
    if (!rows) {
      if (const ErrorCondition* condition = rows.error().condition()) return "[" + condition->name + "]";
      return rows.error().ToString();
    }
    std::string text;
    for (const Row& row : *rows) {
      if (!text.empty()) text += ";";
      for (size_t i = 0; i < row.size(); ++i) text += (i ? "," : "") + row[i].ToString();
    }
    return text;
  }
  /// The value of one expression without columns.
  std::string Value(const ExprPtr& expr) { return Text(plan::MakeProject(OneRow(), {expr}, {"x"}, ids_)); }

  plan::NodePtr OneRow() { return plan::MakeNode(plan::Values{.rows = {{}}}, {}, {}); }
  plan::NodePtr Values(const std::vector<Type>& types, const std::vector<Row>& rows) {
    plan::Values values;
    for (const Row& row : rows) {
      std::vector<ExprPtr> exprs;
      for (const Scalar& value : row) exprs.push_back(MakeLiteral(value));
      values.rows.push_back(std::move(exprs));
    }
    std::vector<plan::Column> output;
    for (size_t i = 0; i < types.size(); ++i) {
      output.push_back(
          {.id = ids_.Next(), .name = "v" + std::to_string(i), .type = types[i], .nullable = true});
    }
    return plan::MakeNode(std::move(values), {}, std::move(output));
  }
  plan::NodePtr Longs(const std::vector<int64_t>& numbers) {
    std::vector<Row> rows;
    for (int64_t number : numbers) rows.push_back({Scalar::Long(number)});
    return Values({Type::Long()}, rows);
  }
  plan::NodePtr RangeOf(int64_t start, int64_t stop, int64_t step = 1) {
    return plan::MakeNode(plan::Range{start, stop, step}, {},
                          {{.id = ids_.Next(), .name = "id", .type = Type::Long(), .nullable = false}});
  }

  /// A call of the function table with its own coercions left out: arguments have the right types.
  static ExprPtr Call(std::string_view function, std::vector<ExprPtr> args, Type type) {
    weir::Call call;
    call.function = FindFunction(function);
    EXPECT_NE(call.function, nullptr) << function;
    call.args = std::move(args);
    return std::make_shared<const Expr>(std::move(call), std::move(type), true);
  }
  static ExprPtr Int(int32_t value) { return MakeLiteral(Scalar::Int(value)); }
  static ExprPtr Long(int64_t value) { return MakeLiteral(Scalar::Long(value)); }
  static ExprPtr Str(std::string value) { return MakeLiteral(Scalar::String(std::move(value))); }
  static ExprPtr Dbl(double value) { return MakeLiteral(Scalar::Double(value)); }

  Stores stores_;
  std::shared_ptr<Ledger> ledger_ = Ledger::Make();
  plan::ColumnIds ids_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace weir::exec::testing

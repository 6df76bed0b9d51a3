#include "analyze/analyzer.h"

#include "analyze/conditions.h"
#include "analyze/query.h"
#include "analyze/statement.h"
#include "analyze/target.h"

namespace weir::analyze {
namespace {

struct StatementResolver {
  Context& context;

  template <typename T>
  static Result<plan::Command> Wrap(Result<T> command) {
    if (!command) return std::move(command).error();
    return plan::Command{*std::move(command)};
  }

  Result<plan::Command> operator()(const unresolved::Query& node) const {
    WEIR_TRY(Query query, ResolveQuery(*node.relation, {}, context));
    return plan::Command{plan::QueryCommand{std::move(query.plan)}};
  }
  Result<plan::Command> operator()(const unresolved::CreateNamespace& node) const {
    if (!node.comment.empty() || !node.properties.empty()) {
      return Unsupported("comments and properties of a namespace are not implemented");
    }
    WEIR_TRY(plan::QualifiedName name, context.tables.QualifyNamespace(node.name));
    return plan::Command{plan::NamespaceCommand{plan::NamespaceCommand::Kind::kCreate,
                                                std::move(name.catalog), std::move(name.name),
                                                node.if_not_exists, false, false}};
  }
  Result<plan::Command> operator()(const unresolved::DropNamespace& node) const {
    WEIR_TRY(plan::QualifiedName name, context.tables.QualifyNamespace(node.name));
    return plan::Command{plan::NamespaceCommand{plan::NamespaceCommand::Kind::kDrop, std::move(name.catalog),
                                                std::move(name.name), false, node.if_exists, node.cascade}};
  }
  Result<plan::Command> operator()(const unresolved::UseNamespace& node) const {
    WEIR_TRY(plan::QualifiedName name, context.tables.QualifyNamespace(node.name));
    return plan::Command{plan::NamespaceCommand{plan::NamespaceCommand::Kind::kUse, std::move(name.catalog),
                                                std::move(name.name), false, false, false}};
  }
  Result<plan::Command> operator()(const unresolved::CreateTable& node) const {
    return Wrap(ResolveCreateTable(node, context));
  }
  Result<plan::Command> operator()(const unresolved::DropTable& node) const {
    WEIR_TRY(plan::QualifiedName name, context.tables.QualifyTable(node.name));
    return plan::Command{
        plan::DropTableCommand{std::move(name.catalog), std::move(name.name), node.if_exists, node.purge}};
  }
  Result<plan::Command> operator()(const unresolved::AlterTable& node) const {
    return Wrap(ResolveAlterTable(node, context));
  }
  Result<plan::Command> operator()(const unresolved::Insert& node) const {
    return Wrap(ResolveInsert(node, context));
  }
  Result<plan::Command> operator()(const unresolved::Update& node) const {
    return Wrap(ResolveUpdate(node, context));
  }
  Result<plan::Command> operator()(const unresolved::Delete& node) const {
    return Wrap(ResolveDelete(node, context));
  }
  Result<plan::Command> operator()(const unresolved::Merge& node) const {
    return Wrap(ResolveMerge(node, context));
  }
  Result<plan::Command> operator()(const unresolved::Explain& node) const {
    WEIR_TRY(plan::Command inner, ResolveStatement(*node.statement, context));
    return plan::Command{
        plan::ExplainCommand{node.mode, std::make_shared<const plan::Command>(std::move(inner))}};
  }
  Result<plan::Command> operator()(const unresolved::Describe& node) const {
    WEIR_TRY(Target target, ResolveTarget(node.table, "", context));
    return plan::Command{plan::DescribeCommand{std::move(target.write), node.extended}};
  }
  Result<plan::Command> operator()(const unresolved::ShowTables& node) const {
    return Show(plan::ShowCommand::Kind::kTables, node.in_namespace, node.pattern);
  }
  Result<plan::Command> operator()(const unresolved::ShowNamespaces& node) const {
    return Show(plan::ShowCommand::Kind::kNamespaces, node.in_namespace, node.pattern);
  }
  Result<plan::Command> operator()(const unresolved::SetConfiguration& node) const {
    return plan::Command{plan::SetCommand{node}};
  }

  Result<plan::Command> Show(plan::ShowCommand::Kind kind, const unresolved::Name& in,
                             const std::string& pattern) const {
    WEIR_TRY(plan::QualifiedName name, context.tables.QualifyNamespace(in));
    // SHOW NAMESPACES without IN starts at the catalog, not at the current namespace.
    if (kind == plan::ShowCommand::Kind::kNamespaces && in.empty()) name.name.clear();
    return plan::Command{plan::ShowCommand{kind, std::move(name.catalog), std::move(name.name), pattern}};
  }
};

}  // namespace

Result<plan::Command> ResolveStatement(const unresolved::Statement& statement, Context& context) {
  auto command = std::visit(StatementResolver{context}, statement.node);
  if (!command) return std::move(command).error().WithSpan(statement.span, context.text);
  return command;
}

Result<plan::Command> Analyze(const unresolved::Statement& statement, plan::NameResolver& tables,
                              const Settings& settings, plan::ColumnIds& ids,
                              std::string_view statement_text) {
  Context context{tables, settings, ids, statement_text};
  return ResolveStatement(statement, context);
}

}  // namespace weir::analyze

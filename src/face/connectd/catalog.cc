#include "face/connectd/catalog.h"

#include "expr/function.h"
#include "sql/parser.h"

namespace weir::connectd {
namespace {

using Row = std::vector<Scalar>;

plan::Column Text(std::string name, bool nullable = true) {
  return {ColumnId{0}, std::move(name), Type::String(), nullable};
}
plan::Column Flag(std::string name) { return {ColumnId{0}, std::move(name), Type::Boolean(), false}; }

CatalogAnswer AnswerOf(std::vector<plan::Column> columns, const std::vector<Row>& rows) {
  std::vector<Type> types;
  for (const plan::Column& column : columns) types.push_back(column.type);
  return {std::move(columns), MakeBatch(types, rows)};
}
CatalogAnswer TextAnswer(std::string text) {
  return AnswerOf({Text("value")}, {{Scalar::String(std::move(text))}});
}
CatalogAnswer FlagAnswer(bool flag) { return AnswerOf({Flag("value")}, {{Scalar::Boolean(flag)}}); }
/// Of an operation that has nothing to say.
CatalogAnswer NoAnswer() { return AnswerOf({}, {}); }

unresolved::RelationPtr TableOf(unresolved::Name name) {
  return std::make_shared<const unresolved::Relation>(
      unresolved::Relation{unresolved::NamedTable{std::move(name), {}, {}}, {}});
}

/// A table's name, behind its database if that came apart.
template <typename Message>
Result<unresolved::Name> TableName(const Message& message) {
  WEIR_TRY(unresolved::Name name, sql::ParseName(message.table_name()));
  if (!message.has_db_name()) return name;
  WEIR_TRY(unresolved::Name whole, sql::ParseName(message.db_name()));
  whole.insert(whole.end(), name.begin(), name.end());
  return whole;
}

Result<std::vector<Row>> RowsOf(session::Session& session, const unresolved::Statement& statement) {
  WEIR_TRY(const std::unique_ptr<session::Run> run, session.Execute(statement, {}));
  std::vector<Row> rows;
  while (true) {
    WEIR_TRY(const std::optional<Batch> batch, run->Next());
    if (!batch) return rows;
    for (int64_t row = 0; row < batch->row_count; ++row) {
      Row values;
      for (size_t i = 0; i < batch->column_count(); ++i) values.push_back(batch->At(row, i));
      rows.push_back(std::move(values));
    }
  }
}

Status Use(session::Session& session, unresolved::Name name, bool within_catalog) {
  const unresolved::Statement use{unresolved::UseNamespace{std::move(name), within_catalog}, {}};
  WEIR_TRY([[maybe_unused]] const auto run, session.Execute(use, {}));
  return {};
}

Result<bool> Exists(session::Session& session, unresolved::Name name) {
  const auto found = session.Describe(TableOf(std::move(name)), {});
  if (found) return true;
  if (found.error().code() == ErrorCode::kNotFound) return false;
  return found.error();
}

Result<CatalogAnswer> ListColumns(const proto::ListColumns& list, session::Session& session) {
  WEIR_TRY(unresolved::Name name, TableName(list));
  WEIR_TRY(const std::vector<plan::Column> columns, session.Describe(TableOf(std::move(name)), {}));
  std::vector<Row> rows;
  for (const plan::Column& column : columns) {
    rows.push_back({Scalar::String(column.name), Scalar::Null(Type::String()),
                    Scalar::String(column.type.ToString()), Scalar::Boolean(column.nullable),
                    Scalar::Boolean(false), Scalar::Boolean(false), Scalar::Boolean(false)});
  }
  return AnswerOf({Text("name"), Text("description"), Text("dataType"), Flag("nullable"), Flag("isPartition"),
                   Flag("isBucket"), Flag("isCluster")},
                  rows);
}

}  // namespace

Result<CatalogAnswer> AnswerCatalog(const proto::Catalog& operation, ClientSession& client) {
  using Case = proto::Catalog;
  session::Session& session = client.session();
  switch (operation.cat_type_case()) {
    case Case::kCurrentCatalog:
      return TextAnswer(session.current().catalog);
    case Case::kCurrentDatabase: {
      const session::CurrentNamespace current = session.current();
      return TextAnswer(fmt::format("{}", fmt::join(current.name, ".")));
    }
    case Case::kSetCurrentCatalog:
      WEIR_DO(Use(session, {operation.set_current_catalog().catalog_name()}, false));
      return NoAnswer();
    case Case::kSetCurrentDatabase: {
      WEIR_TRY(unresolved::Name name, sql::ParseName(operation.set_current_database().db_name()));
      WEIR_DO(Use(session, std::move(name), true));
      return NoAnswer();
    }
    case Case::kTableExists: {
      WEIR_TRY(unresolved::Name name, TableName(operation.table_exists()));
      WEIR_TRY(const bool exists, Exists(session, std::move(name)));
      return FlagAnswer(exists);
    }
    case Case::kDatabaseExists: {
      WEIR_TRY(unresolved::Name name, sql::ParseName(operation.database_exists().db_name()));
      const auto rows = RowsOf(session, {unresolved::ShowTables{std::move(name), ""}, {}});
      if (!rows && rows.error().code() != ErrorCode::kNotFound) return rows.error();
      return FlagAnswer(rows.has_value());
    }
    case Case::kFunctionExists:
      return FlagAnswer(FindFunction(operation.function_exists().function_name()) != nullptr);
    case Case::kListColumns:
      return ListColumns(operation.list_columns(), session);
    case Case::kDropTempView:
      return FlagAnswer(session.DropView(operation.drop_temp_view().view_name()));
    case Case::kDropGlobalTempView:
      return FlagAnswer(false);
    case Case::kRefreshTable:
    case Case::kRefreshByPath:
      // A statement reads what is there when it begins.
      return NoAnswer();
    case Case::CAT_TYPE_NOT_SET:
      return connect::InvalidPlan("a catalog operation has no kind");
    default: {
      const auto* field = Case::descriptor()->FindFieldByNumber(operation.cat_type_case());
      return connect::NotImplemented("catalog operation " +
                                     (field != nullptr ? field->name() : "of an unknown kind"));
    }
  }
}

}  // namespace weir::connectd

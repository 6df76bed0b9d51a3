#include "codec/arrow/stream.h"
#include "connect/decode.h"
#include "sql/parser.h"
#include "type/batch.h"

namespace weir::connect {
namespace {

using unresolved::ExprPtr;
using unresolved::RelationPtr;

constexpr int kMaxNesting = 1000;
/// What one uploaded or embedded stream of rows may take in memory.
constexpr size_t kMaxLocalBytes = size_t{3} << 30;

RelationPtr Make(auto node) {
  return std::make_shared<const unresolved::Relation>(unresolved::Relation{std::move(node), {}});
}
ExprPtr MakeExpr(auto node) {
  return std::make_shared<const unresolved::Expr>(unresolved::Expr{std::move(node), {}});
}
ExprPtr LongLiteral(int64_t value) { return MakeExpr(unresolved::Literal{Scalar::Long(value), {}}); }
ExprPtr IntLiteral(int32_t value) { return MakeExpr(unresolved::Literal{Scalar::Int(value), {}}); }

template <typename Strings>
std::vector<std::string> ListOf(const Strings& strings) {
  return {strings.begin(), strings.end()};
}

class Decoder {
 public:
  explicit Decoder(const DecodeContext& context) : context_(context) {}

  Result<RelationPtr> Decode(const proto::Relation& relation) {
    if (++depth_ > kMaxNesting)
      return InvalidPlan(fmt::format("a plan is deeper than {} relations", kMaxNesting));
    auto decoded = Dispatch(relation);
    --depth_;
    if (!decoded || !relation.common().has_plan_id()) return decoded;
    unresolved::Relation numbered = **decoded;
    numbered.plan = relation.common().plan_id();
    return RelationPtr(std::make_shared<const unresolved::Relation>(std::move(numbered)));
  }

 private:
  Result<RelationPtr> Dispatch(const proto::Relation& relation) {
    using Kind = proto::Relation::RelTypeCase;
    switch (relation.rel_type_case()) {
      case Kind::kRead:
        return Read(relation.read());
      case Kind::kProject:
        return Project(relation.project());
      case Kind::kFilter:
        return Filter(relation.filter());
      case Kind::kJoin:
        return Join(relation.join());
      case Kind::kSetOp:
        return SetOperation(relation.set_op());
      case Kind::kSort:
        return Sort(relation.sort());
      case Kind::kLimit:
        return Limit(relation.limit().input(), IntLiteral(relation.limit().limit()), nullptr);
      case Kind::kOffset:
        return Limit(relation.offset().input(), nullptr, IntLiteral(relation.offset().offset()));
      case Kind::kAggregate:
        return Aggregate(relation.aggregate());
      case Kind::kSql:
        return Sql(relation.sql());
      case Kind::kLocalRelation:
        return Local(relation.local_relation());
      case Kind::kCachedLocalRelation:
        return Cached(relation.cached_local_relation().hash());
      case Kind::kChunkedCachedLocalRelation:
        return Chunked(relation.chunked_cached_local_relation());
      case Kind::kDeduplicate:
        return Deduplicate(relation.deduplicate());
      case Kind::kRange:
        return Range(relation.range());
      case Kind::kSubqueryAlias:
        return SubqueryAlias(relation.subquery_alias());
      case Kind::kRepartition:
        return Repartition(relation.repartition().num_partitions(), relation.repartition().input());
      case Kind::kRepartitionByExpression:
        // Where rows lie is not seen in what they are.
        return Decode(relation.repartition_by_expression().input());
      case Kind::kToDf: {
        WEIR_TRY(RelationPtr input, Decode(relation.to_df().input()));
        return Make(unresolved::NameColumns{std::move(input), ListOf(relation.to_df().column_names())});
      }
      case Kind::kWithColumns:
        return WithColumns(relation.with_columns());
      case Kind::kWithColumnsRenamed:
        return Rename(relation.with_columns_renamed());
      case Kind::kDrop:
        return Drop(relation.drop());
      case Kind::kHint:
        // Hints say how to run a query, not what it means.
        return Decode(relation.hint().input());
      case Kind::kToSchema:
        return ToSchema(relation.to_schema());
      case Kind::kFillNa:
        return FillNa(relation.fill_na());
      case Kind::kDropNa:
        return DropNa(relation.drop_na());
      case Kind::kReplace:
        return Replace(relation.replace());
      case Kind::kWithRelations:
        return WithRelations(relation.with_relations());
      case Kind::REL_TYPE_NOT_SET:
        return InvalidPlan("a relation has no kind");
      default: {
        const auto* field = proto::Relation::descriptor()->FindFieldByNumber(relation.rel_type_case());
        return NotImplemented("relation " + (field != nullptr ? field->name() : "of an unknown kind"));
      }
    }
  }

  Result<RelationPtr> Read(const proto::Read& read) {
    if (read.is_streaming()) return NotImplemented("reading as a stream");
    if (read.has_named_table()) {
      unresolved::NamedTable table;
      WEIR_TRY(table.name, sql::ParseName(read.named_table().unparsed_identifier()));
      for (const auto& [key, value] : read.named_table().options()) table.options.emplace_back(key, value);
      return Make(std::move(table));
    }
    if (!read.has_data_source()) return InvalidPlan("read names neither a table nor a source");
    const proto::Read::DataSource& source = read.data_source();
    const std::string format = source.has_format() && !source.format().empty() ? source.format() : "parquet";
    if (!source.predicates().empty()) return NotImplemented("predicates of a data source");
    if (source.has_schema() && !source.schema().empty())
      return NotImplemented("a schema for the format " + format);
    if (!source.options().empty())
      return NotImplemented("option " + source.options().begin()->first + " of a data source");
    if (source.paths_size() != 1) return NotImplemented(fmt::format("reading {} paths", source.paths_size()));
    unresolved::NamedTable table;
    if (format == "iceberg") {
      WEIR_TRY(table.name, sql::ParseName(source.paths(0)));
    } else if (format == "parquet") {
      table.name = {format, source.paths(0)};
    } else {
      return NotImplemented("the data source " + format);
    }
    return Make(std::move(table));
  }

  /// The relation that others stand on; none means one row without columns.
  Result<RelationPtr> InputOf(bool has_input, const proto::Relation& input) {
    if (!has_input) return Make(unresolved::OneRow{});
    return Decode(input);
  }

  Result<RelationPtr> Project(const proto::Project& project) {
    unresolved::Select select;
    WEIR_TRY(select.from, InputOf(project.has_input(), project.input()));
    WEIR_TRY(select.items, DecodeExpressions(project.expressions(), context_));
    return Make(std::move(select));
  }

  Result<RelationPtr> Filter(const proto::Filter& filter) {
    WEIR_TRY(RelationPtr input, Decode(filter.input()));
    WEIR_TRY(ExprPtr condition, DecodeExpression(filter.condition(), context_));
    return Make(unresolved::Filter{std::move(input), std::move(condition)});
  }

  Result<RelationPtr> Join(const proto::Join& join) {
    using Type = proto::Join;
    unresolved::Join node;
    if (join.has_join_data_type()) return NotImplemented("joinWith");
    WEIR_TRY(node.left, Decode(join.left()));
    WEIR_TRY(node.right, Decode(join.right()));
    switch (join.join_type()) {
      case Type::JOIN_TYPE_UNSPECIFIED:
      case Type::JOIN_TYPE_INNER:
        node.type = unresolved::JoinType::kInner;
        break;
      case Type::JOIN_TYPE_FULL_OUTER:
        node.type = unresolved::JoinType::kFull;
        break;
      case Type::JOIN_TYPE_LEFT_OUTER:
        node.type = unresolved::JoinType::kLeft;
        break;
      case Type::JOIN_TYPE_RIGHT_OUTER:
        node.type = unresolved::JoinType::kRight;
        break;
      case Type::JOIN_TYPE_LEFT_ANTI:
        node.type = unresolved::JoinType::kLeftAnti;
        break;
      case Type::JOIN_TYPE_LEFT_SEMI:
        node.type = unresolved::JoinType::kLeftSemi;
        break;
      case Type::JOIN_TYPE_CROSS:
        node.type = unresolved::JoinType::kCross;
        break;
      default:
        return InvalidPlan(fmt::format("join type {}", static_cast<int>(join.join_type())));
    }
    node.using_columns = ListOf(join.using_columns());
    if (join.has_join_condition()) {
      if (!node.using_columns.empty()) return InvalidPlan("a join has both a condition and columns of USING");
      WEIR_TRY(node.condition, DecodeExpression(join.join_condition(), context_));
    }
    return Make(std::move(node));
  }

  Result<RelationPtr> SetOperation(const proto::SetOperation& operation) {
    using Type = proto::SetOperation;
    unresolved::SetOperation node;
    switch (operation.set_op_type()) {
      case Type::SET_OP_TYPE_UNION:
        node.kind = unresolved::SetOpKind::kUnion;
        break;
      case Type::SET_OP_TYPE_INTERSECT:
        node.kind = unresolved::SetOpKind::kIntersect;
        break;
      case Type::SET_OP_TYPE_EXCEPT:
        node.kind = unresolved::SetOpKind::kExcept;
        break;
      default:
        return InvalidPlan("a set operation has no kind");
    }
    node.all = operation.is_all();
    node.by_name = operation.by_name();
    node.allow_missing = operation.allow_missing_columns();
    if (node.by_name && node.kind != unresolved::SetOpKind::kUnion) {
      return InvalidPlan("only UNION goes by name");
    }
    WEIR_TRY(node.left, Decode(operation.left_input()));
    WEIR_TRY(node.right, Decode(operation.right_input()));
    return Make(std::move(node));
  }

  Result<RelationPtr> Sort(const proto::Sort& sort) {
    unresolved::Sort node;
    WEIR_TRY(node.input, Decode(sort.input()));
    for (const proto::Expression::SortOrder& order : sort.order()) {
      proto::Expression expression;
      *expression.mutable_sort_order() = order;
      WEIR_TRY(unresolved::SortKey key, DecodeSortKey(expression, context_));
      node.keys.push_back(std::move(key));
    }
    return Make(std::move(node));
  }

  Result<RelationPtr> Limit(const proto::Relation& input, ExprPtr limit, ExprPtr offset) {
    WEIR_TRY(RelationPtr decoded, Decode(input));
    return Make(unresolved::Limit{std::move(decoded), std::move(limit), std::move(offset)});
  }

  Result<RelationPtr> Aggregate(const proto::Aggregate& aggregate) {
    unresolved::Select select;
    WEIR_TRY(select.from, Decode(aggregate.input()));
    WEIR_TRY(select.items, DecodeExpressions(aggregate.grouping_expressions(), context_));
    for (const ExprPtr& key : select.items) {
      const auto* alias = std::get_if<unresolved::Alias>(&key->node);
      select.group_by.push_back(alias != nullptr ? alias->input : key);
    }
    WEIR_DO(SetGroups(aggregate, select));
    WEIR_TRY(std::vector<ExprPtr> aggregates, DecodeExpressions(aggregate.aggregate_expressions(), context_));
    std::ranges::move(aggregates, std::back_inserter(select.items));
    return Make(std::move(select));
  }

  /// `select.group_by` holds the plain keys so far.
  Status SetGroups(const proto::Aggregate& aggregate, unresolved::Select& select) {
    using Group = proto::Aggregate;
    using Kind = unresolved::GroupingSets::Kind;
    unresolved::GroupingSets groups;
    switch (aggregate.group_type()) {
      case Group::GROUP_TYPE_GROUPBY:
        return {};
      case Group::GROUP_TYPE_ROLLUP:
      case Group::GROUP_TYPE_CUBE:
        groups.kind = aggregate.group_type() == Group::GROUP_TYPE_CUBE ? Kind::kCube : Kind::kRollup;
        for (const ExprPtr& key : select.group_by) groups.sets.push_back({key});
        break;
      case Group::GROUP_TYPE_GROUPING_SETS:
        groups.keys = select.group_by;
        for (const Group::GroupingSets& set : aggregate.grouping_sets()) {
          WEIR_TRY(std::vector<ExprPtr> keys, DecodeExpressions(set.grouping_set(), context_));
          groups.sets.push_back(std::move(keys));
        }
        break;
      default:
        return NotImplemented("aggregate " + Group::GroupType_Name(aggregate.group_type()));
    }
    select.group_by = {MakeExpr(std::move(groups))};
    return {};
  }

  Result<RelationPtr> Sql(const proto::SQL& sql) {
    const bool parameters = sql.args_size() > 0 || sql.pos_args_size() > 0 ||
                            sql.named_arguments_size() > 0 || sql.pos_arguments_size() > 0;
    if (parameters) return NotImplemented("parameters of a SQL text");
    auto text = std::make_shared<const std::string>(sql.query());
    WEIR_TRY(unresolved::Statement statement, sql::ParseStatement(*text, {context_.time_zone}));
    auto* query = std::get_if<unresolved::Query>(&statement.node);
    if (query == nullptr) return NotImplemented("a command as a relation");
    return Make(unresolved::WrittenQuery{std::move(query->relation), std::move(text)});
  }

  Result<RelationPtr> Local(const proto::LocalRelation& local) {
    return Rows(local.has_data() ? &local.data() : nullptr, local.schema());
  }

  /// `data` is one Arrow stream; null: no rows.
  Result<RelationPtr> Rows(const std::string* data, const std::string& schema) {
    std::vector<Field> wanted;
    if (!schema.empty()) {
      WEIR_TRY(wanted, ParseSchema(schema));
    }
    auto batches = std::make_shared<std::vector<Batch>>();
    if (data == nullptr) {
      if (schema.empty()) return InvalidPlan("a local relation has neither rows nor a schema");
      return Make(unresolved::LocalRows{std::move(wanted), std::move(batches)});
    }
    WEIR_TRY(arrow_ipc::DecodedStream stream, arrow_ipc::DecodeStream(*data, kMaxLocalBytes));
    *batches = std::move(stream.batches);
    return Shaped(std::move(stream.fields), std::move(batches), schema, std::move(wanted));
  }

  static Result<RelationPtr> Shaped(std::vector<Field> fields, std::shared_ptr<std::vector<Batch>> batches,
                                    const std::string& schema, std::vector<Field> wanted) {
    RelationPtr rows = Make(unresolved::LocalRows{std::move(fields), std::move(batches)});
    if (schema.empty()) return rows;
    return Make(unresolved::ToSchema{std::move(rows), std::move(wanted), true});
  }

  Result<RelationPtr> Cached(const std::string& hash) {
    WEIR_TRY(std::string bytes, context_.uploaded(hash));
    proto::LocalRelation local;
    if (!local.ParseFromString(bytes))
      return InvalidPlan("uploaded rows are no local relation: cache/" + hash);
    return Local(local);
  }

  Result<RelationPtr> Chunked(const proto::ChunkedCachedLocalRelation& chunked) {
    std::string schema;
    if (chunked.has_schemahash()) {
      WEIR_TRY(schema, context_.uploaded(chunked.schemahash()));
    }
    std::vector<Field> fields, wanted;
    auto batches = std::make_shared<std::vector<Batch>>();
    for (const std::string& hash : chunked.datahashes()) {
      WEIR_TRY(const std::string bytes, context_.uploaded(hash));
      WEIR_TRY(arrow_ipc::DecodedStream stream, arrow_ipc::DecodeStream(bytes, kMaxLocalBytes));
      if (!fields.empty() && fields != stream.fields)
        return InvalidPlan("chunks of rows differ in their columns");
      fields = std::move(stream.fields);
      std::ranges::move(stream.batches, std::back_inserter(*batches));
    }
    if (!schema.empty()) {
      WEIR_TRY(wanted, ParseSchema(schema));
    }
    if (chunked.datahashes().empty()) return Rows(nullptr, schema);
    return Shaped(std::move(fields), std::move(batches), schema, std::move(wanted));
  }

  Result<RelationPtr> Deduplicate(const proto::Deduplicate& deduplicate) {
    if (deduplicate.within_watermark()) return NotImplemented("dropDuplicatesWithinWatermark");
    if (deduplicate.all_columns_as_keys() && deduplicate.column_names_size() > 0) {
      return InvalidPlan("deduplicate names columns and all columns");
    }
    if (!deduplicate.all_columns_as_keys() && deduplicate.column_names().empty()) {
      return InvalidPlan("deduplicate names no columns");
    }
    WEIR_TRY(RelationPtr input, Decode(deduplicate.input()));
    return Make(unresolved::Deduplicate{std::move(input), ListOf(deduplicate.column_names())});
  }

  static Result<RelationPtr> Range(const proto::Range& range) {
    if (range.step() == 0) return InvalidPlan("range has step 0");
    return Make(unresolved::TableFunction{
        {"range"}, {LongLiteral(range.start()), LongLiteral(range.end()), LongLiteral(range.step())}});
  }

  Result<RelationPtr> SubqueryAlias(const proto::SubqueryAlias& alias) {
    if (!alias.qualifier().empty()) return NotImplemented("a qualifier of an alias");
    WEIR_TRY(RelationPtr input, Decode(alias.input()));
    return Make(unresolved::Aliased{std::move(input), alias.alias(), {}});
  }

  Result<RelationPtr> Repartition(int partitions, const proto::Relation& input) {
    if (partitions <= 0) {
      return Invalid("requirement failed: Number of partitions ({}) must be positive.", partitions);
    }
    return Decode(input);
  }

  Result<RelationPtr> WithColumns(const proto::WithColumns& with) {
    unresolved::WithColumns node;
    WEIR_TRY(node.input, Decode(with.input()));
    for (const proto::Expression::Alias& alias : with.aliases()) {
      if (alias.name_size() != 1) return InvalidPlan("a new column needs one name");
      WEIR_TRY(ExprPtr expr, DecodeExpression(alias.expr(), context_));
      node.columns.emplace_back(alias.name(0), std::move(expr));
    }
    return Make(std::move(node));
  }

  Result<RelationPtr> Rename(const proto::WithColumnsRenamed& renamed) {
    unresolved::RenameColumns node;
    WEIR_TRY(node.input, Decode(renamed.input()));
    for (const auto& rename : renamed.renames())
      node.renames.emplace_back(rename.col_name(), rename.new_col_name());
    for (const auto& [from, to] : renamed.rename_columns_map()) node.renames.emplace_back(from, to);
    return Make(std::move(node));
  }

  Result<RelationPtr> Drop(const proto::Drop& drop) {
    unresolved::DropColumns node;
    WEIR_TRY(node.input, Decode(drop.input()));
    WEIR_TRY(node.columns, DecodeExpressions(drop.columns(), context_));
    node.names = ListOf(drop.column_names());
    return Make(std::move(node));
  }

  Result<RelationPtr> ToSchema(const proto::ToSchema& to) {
    WEIR_TRY(RelationPtr input, Decode(to.input()));
    WEIR_TRY(Type type, DecodeType(to.schema()));
    if (type.kind() != TypeKind::kStruct) return InvalidPlan("a schema is no struct");
    return Make(unresolved::ToSchema{std::move(input), type.fields()});
  }

  static Result<std::vector<Scalar>> Values(
      const google::protobuf::RepeatedPtrField<proto::Expression::Literal>& literals) {
    std::vector<Scalar> values;
    for (const proto::Expression::Literal& literal : literals) {
      WEIR_TRY(Scalar value, DecodeLiteral(literal));
      values.push_back(std::move(value));
    }
    return values;
  }

  Result<RelationPtr> FillNa(const proto::NAFill& fill) {
    unresolved::FillNulls node;
    WEIR_TRY(node.input, Decode(fill.input()));
    WEIR_TRY(node.values, Values(fill.values()));
    node.columns = ListOf(fill.cols());
    if (node.values.empty()) return InvalidPlan("fill has no value");
    if (node.values.size() > 1 && node.values.size() != node.columns.size()) {
      return InvalidPlan("fill has other numbers of values and columns");
    }
    return Make(std::move(node));
  }

  Result<RelationPtr> DropNa(const proto::NADrop& drop) {
    unresolved::DropNulls node;
    WEIR_TRY(node.input, Decode(drop.input()));
    node.columns = ListOf(drop.cols());
    if (drop.has_min_non_nulls()) node.least = drop.min_non_nulls();
    return Make(std::move(node));
  }

  Result<RelationPtr> Replace(const proto::NAReplace& replace) {
    unresolved::ReplaceValues node;
    WEIR_TRY(node.input, Decode(replace.input()));
    node.columns = ListOf(replace.cols());
    for (const auto& replacement : replace.replacements()) {
      WEIR_TRY(Scalar from, DecodeLiteral(replacement.old_value()));
      WEIR_TRY(Scalar to, DecodeLiteral(replacement.new_value()));
      node.replacements.emplace_back(std::move(from), std::move(to));
    }
    return Make(std::move(node));
  }

  /// References that have a name are what WITH has; the root sees them by it.
  Result<RelationPtr> WithRelations(const proto::WithRelations& with) {
    unresolved::With node;
    for (const proto::Relation& reference : with.references()) {
      if (!reference.has_subquery_alias()) return NotImplemented("a relation that an expression refers to");
      WEIR_TRY(RelationPtr query, Decode(reference.subquery_alias().input()));
      node.tables.push_back({reference.subquery_alias().alias(), {}, std::move(query)});
    }
    WEIR_TRY(node.input, Decode(with.root()));
    return Make(std::move(node));
  }

  const DecodeContext& context_;
  int depth_ = 0;
};

}  // namespace

Result<RelationPtr> DecodeRelation(const proto::Relation& relation, const DecodeContext& context) {
  return Decoder(context).Decode(relation);
}

}  // namespace weir::connect

#pragma once

/// Plans of Spark Connect as unresolved plans. Nothing is looked up. Thread rule: pure functions.
/// Spec: spark/connect/relations.proto, expressions.proto and types.proto of Spark 4.2, whose 4.1 plans are a
/// part.

#include <functional>
#include <string>
#include <vector>

#include <spark/connect/base.pb.h>
#include "base/result.h"
#include "plan/logical.h"
#include "plan/unresolved.h"

namespace weir::connect {

namespace proto = spark::connect;

/// What a plan refers to outside of itself.
struct DecodeContext {
  /// Zone in which TIMESTAMP literals without a zone are read.
  std::string time_zone = "UTC";
  /// The bytes that a client uploaded under cache/<hash>. Errors: kNotFound.
  std::function<Result<std::string>(const std::string& hash)> uploaded;
};

/// Errors: kInvalid for a plan that breaks its format (INVALID_PLAN_INPUT) or for SQL text in it, as
/// sql::ParseStatement; kUnsupported naming the relation or expression.
Result<unresolved::RelationPtr> DecodeRelation(const proto::Relation& relation, const DecodeContext& context);
Result<unresolved::ExprPtr> DecodeExpression(const proto::Expression& expression,
                                             const DecodeContext& context);
Result<std::vector<unresolved::ExprPtr>> DecodeExpressions(
    const google::protobuf::RepeatedPtrField<proto::Expression>& expressions, const DecodeContext& context);
/// Errors: kInvalid unless the expression is a sort order or can stand for one.
Result<unresolved::SortKey> DecodeSortKey(const proto::Expression& expression, const DecodeContext& context);

/// The value of a literal. Errors: kUnsupported by kind, kInvalid for a value that its type does not have.
Result<Scalar> DecodeLiteral(const proto::Expression::Literal& literal);

Result<Type> DecodeType(const proto::DataType& type);
proto::DataType EncodeType(const Type& type);
/// The schema of a result as a struct type.
proto::DataType EncodeSchema(const std::vector<plan::Column>& columns);
proto::DataType EncodeSchema(const std::vector<Field>& fields);
/// Columns from a schema as users write it: DDL ("a int, b string"), a type, or Spark's JSON form.
Result<std::vector<Field>> ParseSchema(const std::string& text);

/// A name that a message cannot do without. Errors: INVALID_PLAN_INPUT.
Error InvalidPlan(std::string message);
/// Errors that name what is missing: "relation sample".
Error NotImplemented(std::string what);

}  // namespace weir::connect

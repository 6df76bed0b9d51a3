#include "connect/errors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <google/rpc/error_details.pb.h>

namespace weir::connect {
namespace {

constexpr std::string_view kAnalysis = "org.apache.spark.sql.AnalysisException";
constexpr std::string_view kParse = "org.apache.spark.sql.catalyst.parser.ParseException";
constexpr std::string_view kArithmetic = "java.lang.ArithmeticException";
constexpr std::string_view kNumberFormat = "java.lang.NumberFormatException";
constexpr std::string_view kIllegalArgument = "java.lang.IllegalArgumentException";
constexpr std::string_view kDateTime = "java.time.DateTimeException";
constexpr std::string_view kArrayIndex = "java.lang.ArrayIndexOutOfBoundsException";
constexpr std::string_view kUnsupportedOperation = "java.lang.UnsupportedOperationException";
constexpr std::string_view kRuntime = "org.apache.spark.SparkRuntimeException";
constexpr std::string_view kUpgrade = "org.apache.spark.SparkUpgradeException";
constexpr std::string_view kNoSuchElement = "org.apache.spark.SparkNoSuchElementException";
constexpr std::string_view kSpark = "org.apache.spark.SparkException";
constexpr std::string_view kInvalidPlan = "org.apache.spark.sql.connect.common.InvalidPlanInput";

/// Conditions by prefix and the class that Spark throws for them. The first that fits counts.
struct ClassOfCondition {
  std::string_view prefix;
  std::string_view class_name;
};
constexpr ClassOfCondition kByCondition[] = {
    {"DIVIDE_BY_ZERO", kArithmetic},
    {"REMAINDER_BY_ZERO", kArithmetic},
    {"INTERVAL_DIVIDED_BY_ZERO", kArithmetic},
    {"ARITHMETIC_OVERFLOW", kArithmetic},
    {"BINARY_ARITHMETIC_OVERFLOW", kArithmetic},
    {"INTERVAL_ARITHMETIC_OVERFLOW", kArithmetic},
    {"CAST_OVERFLOW", kArithmetic},
    {"NUMERIC_VALUE_OUT_OF_RANGE", kArithmetic},
    {"DATETIME_OVERFLOW", kArithmetic},
    {"DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", kArithmetic},
    {"CAST_INVALID_INPUT", kNumberFormat},
    {"CANNOT_PARSE_TIMESTAMP", kDateTime},
    {"CANNOT_PARSE_DECIMAL", kDateTime},
    {"DATETIME_FIELD_OUT_OF_BOUNDS", kDateTime},
    {"INVALID_FRACTION_OF_SECOND", kDateTime},
    {"INVALID_TIMEZONE", kDateTime},
    {"INVALID_ARRAY_INDEX", kArrayIndex},
    {"CANNOT_PARSE_INTERVAL", kRuntime},
    {"DUPLICATED_MAP_KEY", kRuntime},
    {"NULL_MAP_KEY", kRuntime},
    {"USER_RAISED_EXCEPTION", kRuntime},
    {"MERGE_CARDINALITY_VIOLATION", kRuntime},
    {"NOT_NULL_ASSERT_VIOLATION", kRuntime},
    {"INVALID_PARAMETER_VALUE", kRuntime},
    {"MALFORMED_RECORD_IN_PARSING", kRuntime},
    {"SCALAR_SUBQUERY_TOO_MANY_ROWS", kSpark},
    {"INCONSISTENT_BEHAVIOR_CROSS_VERSION", kUpgrade},
    {"SQL_CONF_NOT_FOUND", kNoSuchElement},
    {"INVALID_CONF_VALUE", kIllegalArgument},
    {"INVALID_EXTRACT", kAnalysis},
    {"INVALID_ATTRIBUTE_NAME_SYNTAX", kAnalysis},
    {"INVALID_TYPED_LITERAL", kParse},
    {"INVALID_NUMERIC_LITERAL_RANGE", kParse},
    {"PARSE_", kParse},
    {"INVALID_SQL_SYNTAX", kParse},
    {"UNSUPPORTED_DATATYPE", kParse},
    {"OPERATION_CANCELED", kSpark},
    {"INVALID_HANDLE", kSpark},
    {"INVALID_CURSOR", kSpark},
};

std::string ParameterOf(const ErrorCondition& condition, std::string_view name) {
  for (const auto& [key, value] : condition.parameters) {
    if (key == name) return value;
  }
  return {};
}

std::string_view ClassOf(const Error& error) {
  const ErrorCondition* condition = error.condition();
  if (condition != nullptr) {
    if (condition->name == "CAST_INVALID_INPUT") {
      const std::string target = ParameterOf(*condition, "targetType");
      if (target.find("DATE") != std::string::npos || target.find("TIMESTAMP") != std::string::npos)
        return kDateTime;
      if (target.find("BOOLEAN") != std::string::npos) return kRuntime;
    }
    // Spark's word for a plan that a client should not have sent.
    if (condition->name == "INTERNAL_ERROR" && error.code() == ErrorCode::kInvalid) return kInvalidPlan;
    for (const ClassOfCondition& known : kByCondition) {
      if (condition->name.starts_with(known.prefix)) return known.class_name;
    }
    if (condition->sql_state == "42601") return kParse;
  }
  switch (error.code()) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
    case ErrorCode::kExists:
      return kAnalysis;
    case ErrorCode::kUnsupported:
      return kUnsupportedOperation;
    case ErrorCode::kDenied:
    case ErrorCode::kCorrupt:
    case ErrorCode::kUnavailable:
    case ErrorCode::kCancelled:
    case ErrorCode::kInternal:
      return kSpark;
  }
  return kSpark;
}

constexpr size_t kMostMessageBytes = 2048;

/// Cut where no character is torn.
std::string Shortened(const std::string& text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::vector<std::string> ClassesOf(const Error& error) {
  const std::string_view own = ClassOf(error);
  std::vector<std::string> classes = {std::string(own)};
  if (own == kParse) classes.emplace_back(kAnalysis);
  if (own == kNumberFormat) classes.emplace_back(kIllegalArgument);
  if (own != kAnalysis && own != kParse && !own.starts_with("org."))
    classes.emplace_back("java.lang.RuntimeException");
  classes.emplace_back("java.lang.Exception");
  classes.emplace_back("java.lang.Throwable");
  return classes;
}

google::rpc::Status ToRpcStatus(const Error& error, const std::string& error_id) {
  constexpr int kGrpcInternal = 13;
  google::rpc::Status status;
  status.set_code(kGrpcInternal);
  status.set_message(Shortened(error.ToString(), kMostMessageBytes));
  google::rpc::ErrorInfo info;
  const std::vector<std::string> classes = ClassesOf(error);
  info.set_reason(classes[0]);
  info.set_domain("org.apache.spark");
  auto& metadata = *info.mutable_metadata();
  metadata["classes"] = nlohmann::json(classes).dump();
  if (!error_id.empty()) metadata["errorId"] = error_id;
  if (const ErrorCondition* condition = error.condition()) {
    metadata["errorClass"] = condition->name;
    if (!condition->sql_state.empty()) metadata["sqlState"] = condition->sql_state;
    nlohmann::json parameters = nlohmann::json::object();
    for (const auto& [key, value] : condition->parameters)
      parameters[key] = Shortened(value, kMostMessageBytes / 4);
    const std::string text = parameters.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() <= kMostMessageBytes) metadata["messageParameters"] = text;
  }
  status.add_details()->PackFrom(info);
  return status;
}

spark::connect::FetchErrorDetailsResponse DetailsOf(const Error& error) {
  spark::connect::FetchErrorDetailsResponse response;
  response.set_root_error_idx(0);
  auto& details = *response.add_errors();
  for (const std::string& name : ClassesOf(error)) details.add_error_type_hierarchy(name);
  details.set_message(error.ToString());
  const ErrorCondition* condition = error.condition();
  if (condition == nullptr) return response;
  auto& throwable = *details.mutable_spark_throwable();
  throwable.set_error_class(condition->name);
  if (!condition->sql_state.empty()) throwable.set_sql_state(condition->sql_state);
  for (const auto& [key, value] : condition->parameters)
    (*throwable.mutable_message_parameters())[key] = value;
  if (condition->span) {
    auto& context = *throwable.add_query_contexts();
    context.set_context_type(spark::connect::FetchErrorDetailsResponse::QueryContext::SQL);
    context.set_object_type("");
    context.set_object_name("");
    context.set_start_index(condition->span->start);
    context.set_stop_index(condition->span->stop - 1);
    context.set_fragment(condition->fragment);
  }
  return response;
}

}  // namespace weir::connect

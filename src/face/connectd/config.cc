#include "face/connectd/config.h"

namespace weir::connectd {
namespace {

Error NotFoundKey(const std::string& key) {
  return Error(ErrorCode::kInvalid,
               fmt::format("the setting \"{}\" has no value; set it, or give a default", key))
      .WithCondition(
          {"SQL_CONF_NOT_FOUND", "42K0I", {{"sqlConf", fmt::format("\"{}\"", key)}}, std::nullopt, ""});
}

void AddPair(proto::ConfigResponse& response, const std::string& key,
             const std::optional<std::string>& value) {
  proto::KeyValue& pair = *response.add_pairs();
  pair.set_key(key);
  if (value) pair.set_value(*value);
}

/// Spark 4.1 answers this key with a unit, which its client does not read and the next one's cannot.
std::optional<std::string> ValueFor(const std::string& client_type, const session::Conf& conf,
                                    const std::string& key) {
  std::optional<std::string> value = conf.Get(key);
  const bool old = client_type.find("spark/4.0") != std::string::npos ||
                   client_type.find("spark/4.1") != std::string::npos;
  if (value && !old && key == "spark.sql.session.localRelationSizeLimit" && value->ends_with('b')) {
    value->pop_back();
  }
  return value;
}

}  // namespace

Status Configure(const proto::ConfigRequest::Operation& operation, const std::string& client_type,
                 ClientSession& client, proto::ConfigResponse& response) {
  using Case = proto::ConfigRequest::Operation;
  session::Session& session = client.session();
  switch (operation.op_type_case()) {
    case Case::kSet:
      for (const proto::KeyValue& pair : operation.set().pairs()) {
        Status set = session.Set(pair.key(), pair.value());
        if (!set && !operation.set().silent()) return set;
        if (!set)
          response.add_warnings(fmt::format("{} has no effect here: {}", pair.key(), set.error().message()));
      }
      return {};
    case Case::kGet: {
      const session::Conf conf = session.conf();
      for (const std::string& key : operation.get().keys()) {
        const std::optional<std::string> value = ValueFor(client_type, conf, key);
        if (!value) return NotFoundKey(key);
        AddPair(response, key, value);
      }
      return {};
    }
    case Case::kGetWithDefault: {
      const session::Conf conf = session.conf();
      for (const proto::KeyValue& pair : operation.get_with_default().pairs()) {
        std::optional<std::string> value = ValueFor(client_type, conf, pair.key());
        if (!value && pair.has_value()) value = pair.value();
        AddPair(response, pair.key(), value);
      }
      return {};
    }
    case Case::kGetOption: {
      const session::Conf conf = session.conf();
      for (const std::string& key : operation.get_option().keys())
        AddPair(response, key, ValueFor(client_type, conf, key));
      return {};
    }
    case Case::kGetAll: {
      const session::Conf conf = session.conf();
      const std::string prefix = operation.get_all().has_prefix() ? operation.get_all().prefix() : "";
      for (const auto& [key, value] : conf.values()) {
        if (key.starts_with(prefix)) AddPair(response, key.substr(prefix.size()), value);
      }
      return {};
    }
    case Case::kUnset:
      for (const std::string& key : operation.unset().keys()) session.Reset(key);
      return {};
    case Case::kIsModifiable:
      for (const std::string& key : operation.is_modifiable().keys()) {
        AddPair(response, key, session::Conf::IsModifiable(key) ? "true" : "false");
      }
      return {};
    case Case::OP_TYPE_NOT_SET:
      break;
  }
  return connect::InvalidPlan("a configuration request asks for nothing");
}

}  // namespace weir::connectd

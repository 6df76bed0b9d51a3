/// Any bytes as a plan of Spark Connect: decoded, and analysed where there are no tables.

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <cstdint>

#include "analyze/analyzer.h"
#include "connect/write.h"

namespace {

using namespace weir;

class NoTables : public plan::NameResolver {
 public:
  Result<std::optional<plan::ResolvedRelation>> FindRelation(const unresolved::Name&,
                                                             const table::At&) override {
    return std::optional<plan::ResolvedRelation>();
  }
  Result<plan::QualifiedName> QualifyTable(const unresolved::Name& name) override {
    return plan::QualifiedName{"cat", name};
  }
  Result<plan::QualifiedName> QualifyNamespace(const unresolved::Name& name) override {
    return plan::QualifiedName{"cat", name};
  }
};

void Analysed(const unresolved::Statement& statement) {
  NoTables tables;
  plan::ColumnIds ids;
  [[maybe_unused]] const auto command = analyze::Analyze(statement, tables, {}, ids, {});
}

void Decode(const spark::connect::Plan& plan) {
  connect::DecodeContext context;
  context.uploaded = [](const std::string& hash) -> Result<std::string> {
    return NotFound("cache/{}", hash);
  };
  if (plan.has_root()) {
    if (auto relation = connect::DecodeRelation(plan.root(), context))
      Analysed({unresolved::Query{*relation}, {}});
    return;
  }
  const spark::connect::Command& command = plan.command();
  if (command.has_write_operation()) {
    const auto write =
        connect::DecodeWrite(command.write_operation(), connect::TableState::kPresent, context);
    if (write && *write) Analysed(**write);
  } else if (command.has_write_operation_v2()) {
    if (auto write = connect::DecodeWriteV2(command.write_operation_v2(), context)) Analysed(*write);
  } else if (command.has_merge_into_table_command()) {
    if (auto merge = connect::DecodeMerge(command.merge_into_table_command(), context)) Analysed(*merge);
  } else if (command.has_create_dataframe_view()) {
    [[maybe_unused]] const auto view =
        connect::DecodeRelation(command.create_dataframe_view().input(), context);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  google::protobuf::SetLogHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  spark::connect::Plan plan;
  google::protobuf::io::CodedInputStream stream(data, static_cast<int>(size));
  stream.SetRecursionLimit(1024);
  // What could be read of a broken message is decoded as well.
  plan.MergeFromCodedStream(&stream);
  Decode(plan);
  return 0;
}

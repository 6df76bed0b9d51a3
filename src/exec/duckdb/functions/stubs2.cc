#include "exec/duckdb/describe.h"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/row_files.h"
#include "exec/duckdb/write.h"
namespace weir::exec {
Result<std::vector<Field>> DescribeFiles(Query&, const std::vector<std::string>&) {
  return Unsupported("describe");
}
std::shared_ptr<table::RowFiles> MakeRowFiles(std::function<Result<std::shared_ptr<Instance>>()>) {
  return nullptr;
}
Result<std::vector<table::NewDataFile>> WriteFiles(Query&, const plan::NodePtr&, const WriteRequest&) {
  return Unsupported("write");
}
Result<QueryPtr> LowerFileScan(Lowering&, const plan::Node&, const plan::FileScan&) {
  return Unsupported("x");
}
Result<QueryPtr> LowerPathScan(Lowering&, const plan::Node&, const plan::PathScan&) {
  return Unsupported("x");
}
}  // namespace weir::exec

#include "face/connectd/result_stream.h"

#include "codec/arrow/stream.h"
#include "connect/decode.h"

namespace weir::connectd {
namespace {

class Sender {
 public:
  Sender(const std::vector<plan::Column>& columns, const std::string& time_zone, Operation& operation)
      : columns_(columns), encoder_(FieldsOf(columns), {time_zone}), operation_(operation) {}

  Status Schema() {
    proto::ExecutePlanResponse response;
    *response.mutable_schema() = connect::EncodeSchema(columns_);
    return operation_.Add(std::move(response));
  }

  Status Rows(const Batch& batch) {
    const std::span<const Batch> one(&batch, 1);
    WEIR_TRY(std::string bytes, encoder_.Encode(one));
    proto::ExecutePlanResponse response;
    auto& arrow = *response.mutable_arrow_batch();
    arrow.set_row_count(batch.row_count);
    arrow.set_start_offset(offset_);
    arrow.set_data(std::move(bytes));
    offset_ += batch.row_count;
    sent_ = true;
    return operation_.Add(std::move(response));
  }

  /// A result without rows has one empty batch.
  Status End() {
    if (sent_) return {};
    std::vector<Type> types;
    for (const plan::Column& column : columns_) types.push_back(column.type);
    return Rows(MakeBatch(types, {}));
  }

 private:
  const std::vector<plan::Column>& columns_;
  arrow_ipc::StreamEncoder encoder_;
  Operation& operation_;
  int64_t offset_ = 0;
  bool sent_ = false;
};

void AddMetric(proto::ExecutePlanResponse::Metrics::MetricObject& node, const std::string& name,
               uint64_t value, const std::string& kind) {
  if (value == 0) return;
  auto& metric = (*node.mutable_execution_metrics())[name];
  metric.set_name(name);
  metric.set_value(static_cast<int64_t>(value));
  metric.set_metric_type(kind);
}

}  // namespace

std::vector<Field> FieldsOf(const std::vector<plan::Column>& columns) {
  std::vector<Field> fields;
  for (const plan::Column& column : columns) {
    fields.push_back({{}, column.name, column.type, !column.nullable, {}});
  }
  return fields;
}

Status SendRows(session::Run& run, const std::string& time_zone, Operation& operation) {
  Sender sender(run.columns(), time_zone, operation);
  WEIR_DO(sender.Schema());
  while (true) {
    WEIR_TRY(std::optional<Batch> batch, run.Next());
    if (!batch) break;
    WEIR_DO(sender.Rows(*batch));
  }
  return sender.End();
}

Status SendRows(const std::vector<plan::Column>& columns, const std::vector<Batch>& batches,
                const std::string& time_zone, Operation& operation) {
  Sender sender(columns, time_zone, operation);
  WEIR_DO(sender.Schema());
  for (const Batch& batch : batches) WEIR_DO(sender.Rows(batch));
  return sender.End();
}

Status SendMovement(const Ledger& ledger, Operation& operation) {
  proto::ExecutePlanResponse response;
  auto& metrics = *response.mutable_metrics();
  int64_t id = 0;
  for (const Ledger::Entry& entry : ledger.Entries()) {
    auto& node = *metrics.add_metrics();
    node.set_name(entry.operator_name);
    node.set_plan_id(++id);
    const Traffic traffic = entry.totals.Traffics();
    AddMetric(node, "requests", traffic.requests, "sum");
    AddMetric(node, "bytesRead", traffic.bytes_read, "size");
    AddMetric(node, "bytesWritten", traffic.bytes_written, "size");
    AddMetric(node, "spillSize", entry.totals[Purpose::kSpill].bytes_written, "size");
    AddMetric(node, "numOutputRows", entry.totals.rows.returned, "sum");
    AddMetric(node, "rowsDecoded", entry.totals.rows.decoded, "sum");
    AddMetric(node, "rowsIntoJoin", entry.totals.rows.into_join, "sum");
    AddMetric(node, "rowsWritten", entry.totals.rows.written, "sum");
    AddMetric(node, "rowsDeleted", entry.totals.rows.deleted, "sum");
    for (int reason = 0; reason < kAvoidReasonCount; ++reason) {
      const auto why = static_cast<AvoidReason>(reason);
      AddMetric(node, fmt::format("bytesAvoided.{}", ToString(why)), entry.totals[why].bytes, "size");
    }
  }
  return operation.Add(std::move(response));
}

}  // namespace weir::connectd

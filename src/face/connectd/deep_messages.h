#pragma once

/// Lets requests hold plans as deep as Spark takes them: protobuf's own limit is 100 messages, which 50
/// DataFrame operations reach. The generated service is compiled with this header in front
/// (cmake/WeirSparkConnect.cmake), since it is there that requests are read. Thread rule: pure functions.

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <spark/connect/base.pb.h>

namespace weir::connectd {

/// Spec: spark.connect.grpc.marshallerRecursionLimit.
inline constexpr int kDeepestMessage = 1024;

template <typename Message>
struct DeepMessage {
  static grpc::Status Serialize(const Message& message, grpc::ByteBuffer* buffer, bool* own_buffer) {
    return grpc::GenericSerialize<grpc::ProtoBufferWriter, Message>(message, buffer, own_buffer);
  }
  static grpc::Status Deserialize(grpc::ByteBuffer* buffer, Message* message) {
    bool whole = false;
    {
      grpc::ProtoBufferReader reader(buffer);
      if (!reader.status().ok()) return reader.status();
      google::protobuf::io::CodedInputStream stream(&reader);
      stream.SetRecursionLimit(kDeepestMessage);
      whole = message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
    }
    buffer->Clear();
    if (whole) return grpc::Status::OK;
    return {grpc::StatusCode::INTERNAL,
            "the request is no message of Spark Connect, or deeper than 1024 levels"};
  }
};

}  // namespace weir::connectd

template <>
class grpc::SerializationTraits<spark::connect::ExecutePlanRequest, void>
    : public weir::connectd::DeepMessage<spark::connect::ExecutePlanRequest> {};
template <>
class grpc::SerializationTraits<spark::connect::AnalyzePlanRequest, void>
    : public weir::connectd::DeepMessage<spark::connect::AnalyzePlanRequest> {};

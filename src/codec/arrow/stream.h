#pragma once

/// Arrow's stream format: a schema and batches of rows as one run of bytes, as Spark Connect carries them.
/// Thread rule: pure functions; an encoder is immutable. Spec: Apache Arrow, "Serialization and Interprocess
/// Communication (IPC)", metadata version V5.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "type/batch.h"

namespace weir::arrow_ipc {

struct StreamOptions {
  /// The zone that columns of instants name: the session's. Values are in UTC whatever it is.
  std::string time_zone = "UTC";
};

/// Writes streams of one schema, which is laid out once.
class StreamEncoder {
 public:
  /// The schema is Spark's for these columns: uuid is text, fixed is binary, time is in nanoseconds, members
  /// of one struct that share a name are numbered ("a_0", "a_1"). Columns may share a name.
  StreamEncoder(std::span<const Field> fields, const StreamOptions& options);

  /// A whole stream: the schema, each batch, the end. A batch has one column per field, of the field's type
  /// but for nullability. Errors: kInvalid if it has not, and for text or elements beyond 32-bit offsets.
  /// Cost: one copy of the buffers.
  Result<std::string> Encode(std::span<const Batch> batches) const;

 private:
  Status AppendBatch(const Batch& batch, std::string& stream) const;

  std::vector<Field> fields_;
  std::string schema_message_;
};

struct DecodedStream {
  std::vector<Field> fields;  ///< Ids are 0.
  std::vector<Batch> batches;
};

/// Reads a stream that anybody may have written. Types are those that Spark takes in, and lists with 64-bit
/// offsets; bodies may be compressed with zstandard. What comes behind the end of the stream is not looked
/// at, and the end may be missing.
/// Errors: kUnsupported naming other types (Spark's UNSUPPORTED_ARROWTYPE), dictionaries, LZ4, old
/// versions, and times finer than microseconds. kCorrupt for bytes that break the specification, and for text
/// that is not UTF-8, which Spark lets pass. kInvalid for more than `max_decoded_bytes`, counted as the
/// batches hold it and with decompressed bodies, for NULL in a column that is not nullable, and for decimals
/// of too many digits.
Result<DecodedStream> DecodeStream(std::string_view bytes, size_t max_decoded_bytes);

}  // namespace weir::arrow_ipc

#pragma once

/// Avro object container files: a reader that decodes only what is wanted, found by field id, and a writer.
/// Spec: Apache Avro 1.12, "Object Container Files", "Schema Resolution"; Iceberg, "Column Projection".

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "codec/avro/value.h"

namespace weir::avro {

enum class Codec : uint8_t { kNull, kDeflate, kSnappy, kZstandard };
/// The spec's name, such as "zstandard".
std::string_view ToString(Codec codec);

/// What a file may make us allocate. More is kCorrupt.
struct Limits {
  uint64_t block_bytes = 256_MiB;         ///< One block, uncompressed.
  uint64_t values_per_record = 16 << 20;  ///< Values of all depths in one record.
};

/// Reads one file. Thread rule: immutable once open; any thread may call any const member.
class Reader {
 public:
  /// Parses the header. `file` is viewed and must outlive the reader; `file_name` is for messages.
  /// Errors: kCorrupt; kUnsupported for a codec other than null, deflate, snappy and zstandard, and as
  /// Schema::Parse.
  static Result<Reader> Open(Bytes file, std::string file_name, Limits limits = {});

  /// The header's properties, such as "partition-spec-id"; also "avro.schema" and "avro.codec" as written.
  const std::map<std::string, std::string, std::less<>>& metadata() const { return metadata_; }
  const Schema& schema() const { return schema_; }
  Codec codec() const { return codec_; }

  /// Calls `sink` once per record, in file order, with the record in the shape of `wanted`; stops at its
  /// first error and returns it. The value, its text and its children are valid during the call only.
  ///
  /// How `wanted` is met by the file's schema:
  /// - A record field is found by id; where the wanted field has no id, by name. A field that the file
  ///   lacks is null, if the wanted type allows null; fields that nobody wants are skipped undecoded.
  /// - Any takes whatever the file has; so does nothing else. ForEach(reader.schema(), ..) decodes all.
  /// - Int widens to long, float to double; fixed, bytes and string stand for each other (a fixed keeps
  ///   its size).
  /// - A map is met by a map of the same key kind in either form, and by a plain array of records
  ///   {key, value}.
  /// - Unions dissolve: an optional is its value or null. A wanted union other than an optional equals
  ///   the file's.
  /// - Logical types do not take part, except that decimals must agree in scale.
  /// Errors: kCorrupt naming the block's offset where bytes break the spec, null where `wanted` allows none,
  /// or a required field is absent; kUnsupported where kinds do not fit together.
  Status ForEach(const Schema& wanted, const std::function<Status(const Value& record)>& sink) const;

  /// Records in the file, by the block headers. Errors: kCorrupt.
  Result<uint64_t> CountRecords() const;

 private:
  Reader() = default;
  Bytes file_;
  std::string file_name_;
  Limits limits_;
  std::map<std::string, std::string, std::less<>> metadata_;
  Schema schema_;
  Codec codec_ = Codec::kNull;
  Bytes sync_;
  uint64_t blocks_offset_ = 0;
};

struct WriterOptions {
  Codec codec = Codec::kDeflate;
  int level = 6;  ///< Of deflate (1 to 9) and zstandard (1 to 19); else ignored.
  /// Written into the header in this order; names that begin with "avro." are reserved.
  std::vector<std::pair<std::string, std::string>> metadata = {};
  uint64_t block_bytes = 64_KiB;  ///< A block is closed when it holds this much, uncompressed.
};

/// Builds one file in memory. Thread rule: one thread.
class Writer {
 public:
  /// Errors: kInvalid for a schema that cannot be written or that is not a record, and for reserved metadata
  /// names.
  static Result<Writer> Make(Schema schema, WriterOptions options, Random& random);
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// Encodes a record in the shape of the schema, nothing missing. The value is not kept. An int may stand
  /// for a long, a float for a double. In an optional the branch is found; in other unions Value::branch
  /// counts. Errors: kInvalid naming the field that does not fit; the record is then not in the file, and the
  /// next may be.
  Status Append(const Value& record);

  uint64_t record_count() const;
  /// Size of the file if it were finished now, up to the compression of the last block.
  uint64_t size_bytes() const;
  /// The whole file. The writer is used up.
  Result<std::string> Finish();

 private:
  struct State;
  explicit Writer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::avro

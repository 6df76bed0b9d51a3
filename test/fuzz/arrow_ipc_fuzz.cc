/// Any bytes as an Arrow stream: never more than allowed; what was read can be written and read again, to the
/// same rows.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "codec/arrow/stream.h"

namespace {

using namespace weir;
using namespace weir::arrow_ipc;

constexpr size_t kMaxBytes = 1 << 20;
/// Printing the rows of a column that was decoded within the limit may take long.
constexpr int64_t kMostRows = 1000;

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<DecodedStream> decoded = DecodeStream({reinterpret_cast<const char*>(data), size}, kMaxBytes);
  if (!decoded) return 0;
  const Result<std::string> stream = StreamEncoder(decoded->fields, {}).Encode(decoded->batches);
  Require(stream.has_value());
  // Offsets of 32 bits become 64, so that more than the limit may be right.
  const Result<DecodedStream> again = DecodeStream(*stream, 4 * kMaxBytes);
  Require(again.has_value() && again->batches.size() == decoded->batches.size());
  for (size_t b = 0; b < again->batches.size(); ++b) {
    const Batch& batch = decoded->batches[b];
    Require(again->batches[b].row_count == batch.row_count);
    for (int64_t row = 0; row < std::min(batch.row_count, kMostRows); ++row) {
      for (size_t c = 0; c < batch.column_count(); ++c)
        Require(batch.At(row, c).ToString() == again->batches[b].At(row, c).ToString());
    }
  }
  return 0;
}

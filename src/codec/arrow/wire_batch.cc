#include "codec/arrow/wire_batch.h"

#include <zstd.h>

#include <deque>

#include "codec/arrow/format.h"
#include "type/arrow.h"
#include "type/calendar.h"

namespace weir::arrow_ipc {
namespace {

constexpr int64_t kNanosPerMicro = 1000;

/// One array at any depth. It stays where it is once linked: its ArrowArray points into it.
struct WireArray {
  std::vector<const void*> buffers;
  std::vector<WireArray> children;
  ArrowArray array{};
  std::vector<ArrowArray*> child_arrays;
};

void Link(WireArray& array) {
  for (WireArray& child : array.children) {
    Link(child);
    array.child_arrays.push_back(&child.array);
  }
  array.array.n_buffers = static_cast<int64_t>(array.buffers.size());
  array.array.buffers = array.buffers.data();
  array.array.n_children = static_cast<int64_t>(array.children.size());
  array.array.children = array.child_arrays.data();
}

class BatchReader {
 public:
  BatchReader(Bytes body, Budget& budget) : body_(body), budget_(budget) {}

  Result<Batch> Read(const FlatTable& table, const WireColumn& root) {
    WEIR_DO(ReadCompression(table));
    WEIR_TRY(nodes_, table.Structs(record_batch::kNodes, sizeof(FieldNode)));
    WEIR_TRY(places_, table.Structs(record_batch::kBuffers, sizeof(BufferPlace)));
    WEIR_TRY(const auto row_count, table.Number<int64_t>(record_batch::kLength));
    if (row_count < 0) return Corrupt("{} rows", row_count);
    // Rows without columns take no bytes, but time.
    WEIR_DO(budget_.Charge(row_count, 1));
    WireArray array;
    array.array.length = row_count;
    array.buffers.push_back(nullptr);
    WEIR_DO(ReadChildren(root, row_count, array));
    if (!nodes_.empty() || !places_.empty()) {
      return Corrupt("{} nodes and {} buffers more than the schema has", nodes_.size() / sizeof(FieldNode),
                     places_.size() / sizeof(BufferPlace));
    }
    Link(array);
    return ImportBatch(array.array, root.schema);
  }

 private:
  Status ReadCompression(const FlatTable& table) {
    WEIR_TRY(const std::optional<FlatTable> compression, table.Table(record_batch::kCompression));
    if (!compression) return {};
    WEIR_TRY(const auto codec, compression->Number<CompressionCodec>(body_compression::kCodec));
    WEIR_TRY(const auto method, compression->Number<int8_t>(body_compression::kMethod));
    if (method != 0) return Unsupported("Arrow body compression by method {}", method);
    if (codec == CompressionCodec::kLz4Frame) return Unsupported("Arrow body compression LZ4_FRAME");
    if (codec != CompressionCodec::kZstd)
      return Unsupported("Arrow body compression {}", static_cast<int>(codec));
    is_compressed_ = true;
    return {};
  }

  /// Reads the children of a struct of at least that many rows.
  Status ReadChildren(const WireColumn& column, int64_t rows, WireArray& array) {
    array.children.reserve(column.children.size());
    for (const WireColumn& child : column.children) {
      WEIR_DO_CONTEXT(fmt::format("column '{}'", child.name),
                      ReadArray(child, rows, array.children.emplace_back()));
    }
    return {};
  }

  /// Nodes and buffers come in the order of the schema, a parent before its children.
  Status ReadArray(const WireColumn& column, int64_t rows_needed, WireArray& array) {
    WEIR_TRY(const FieldNode node, NextNode());
    if (node.length < rows_needed) return Corrupt("{} rows, expected {}", node.length, rows_needed);
    if (node.null_count < 0 || node.null_count > node.length)
      return Corrupt("{} NULLs in {} rows", node.null_count, node.length);
    array.array.length = node.length;
    array.array.null_count = node.null_count;
    if (column.layout == Layout::kNull) return budget_.Charge(node.length, 1);
    WEIR_DO(ReadValidity(node, array));
    switch (column.layout) {
      case Layout::kNull:
      case Layout::kStruct:
        WEIR_DO(budget_.Charge(node.length, 1));
        return ReadChildren(column, node.length, array);
      case Layout::kBits: {
        WEIR_DO(budget_.Charge(node.length, 1));
        WEIR_TRY(const Bytes bits, NextBuffer());
        array.buffers.push_back(bits.data());
        return Holds(bits, BitmapBytes(node.length), 1);
      }
      case Layout::kFixed: {
        WEIR_DO(budget_.Charge(node.length, column.width_bytes));
        WEIR_TRY(const Bytes values, NextBuffer());
        array.buffers.push_back(values.data());
        return Holds(values, node.length, column.width_bytes);
      }
      case Layout::kNanos:
        return ReadNanos(node, array);
      case Layout::kText: {
        WEIR_TRY(const auto range, ReadOffsets(column, node, array));
        WEIR_TRY(const Bytes bytes, NextBuffer());
        array.buffers.push_back(bytes.data());
        WEIR_DO(Holds(bytes, range.second, 1));
        return budget_.Charge(range.second - range.first, 1);
      }
      case Layout::kList: {
        WEIR_TRY(const auto range, ReadOffsets(column, node, array));
        return ReadChildren(column, range.second, array);
      }
    }
    return {};
  }

  static int64_t BitmapBytes(int64_t rows) { return rows / 8 + (rows % 8 != 0 ? 1 : 0); }

  static Status Holds(Bytes buffer, int64_t count, uint64_t bytes_each) {
    if (static_cast<uint64_t>(count) <= buffer.size() / bytes_each) return {};
    return Corrupt("a buffer of {} bytes for {} times {}", buffer.size(), count, bytes_each);
  }

  Status ReadValidity(const FieldNode& node, WireArray& array) {
    WEIR_TRY(const Bytes bits, NextBuffer());
    // Without NULLs a bitmap may be there or not.
    array.buffers.push_back(node.null_count == 0 ? nullptr : bits.data());
    if (node.null_count == 0) return {};
    WEIR_DO(Holds(bits, BitmapBytes(node.length), 1));
    return budget_.Charge(bits.size(), 1);
  }

  Status ReadNanos(const FieldNode& node, WireArray& array) {
    WEIR_DO(budget_.Charge(node.length, 2 * sizeof(int64_t)));
    WEIR_TRY(const Bytes nanos, NextBuffer());
    WEIR_DO(Holds(nanos, node.length, sizeof(int64_t)));
    const auto* valid = static_cast<const uint8_t*>(array.buffers[0]);
    auto& micros = owned_.emplace_back(node.length);
    for (int64_t i = 0; i < node.length; ++i) {
      if (valid != nullptr && (valid[i >> 3] >> (i & 7) & 1) == 0) continue;
      const auto value = LoadLittleEndian<int64_t>(nanos.data() + i * sizeof(int64_t));
      if (value < 0 || value >= kMicrosPerDay * kNanosPerMicro) return Corrupt("a time of {} ns", value);
      if (value % kNanosPerMicro != 0) return Unsupported("a time of {} ns, finer than microseconds", value);
      micros[i] = static_cast<uint64_t>(value / kNanosPerMicro);
    }
    array.buffers.push_back(micros.data());
    return {};
  }

  /// Reads offsets that never run backwards; returns the first and the last.
  Result<std::pair<int64_t, int64_t>> ReadOffsets(const WireColumn& column, const FieldNode& node,
                                                  WireArray& array) {
    WEIR_DO(budget_.Charge(node.length, sizeof(int64_t)));
    WEIR_TRY(Bytes offsets, NextBuffer());
    // ImportBatch reads them as numbers, whose place must be a multiple of their width.
    if (reinterpret_cast<uintptr_t>(offsets.data()) % column.width_bytes != 0) {
      WEIR_TRY(offsets, Copy(offsets));
    }
    array.buffers.push_back(offsets.data());
    // Some writers leave out the one offset of no rows.
    if (node.length == 0) return std::pair<int64_t, int64_t>{0, 0};
    WEIR_DO(Holds(offsets, node.length, column.width_bytes));
    WEIR_DO(Holds(offsets.subspan(column.width_bytes), node.length, column.width_bytes));
    return column.width_bytes == sizeof(int32_t) ? CheckOffsets<int32_t>(offsets, node.length)
                                                 : CheckOffsets<int64_t>(offsets, node.length);
  }

  template <typename T>
  static Result<std::pair<int64_t, int64_t>> CheckOffsets(Bytes offsets, int64_t length) {
    const T* values = reinterpret_cast<const T*>(offsets.data());
    if (values[0] < 0) return Corrupt("offset {}", values[0]);
    for (int64_t i = 0; i < length; ++i) {
      if (values[i + 1] < values[i]) return Corrupt("offsets run from {} to {}", values[i], values[i + 1]);
    }
    return std::pair<int64_t, int64_t>{values[0], values[length]};
  }

  Result<FieldNode> NextNode() {
    if (nodes_.empty()) return Corrupt("fewer nodes than the schema has");
    const auto node = LoadLittleEndian<FieldNode>(nodes_.data());
    nodes_ = nodes_.subspan(sizeof(FieldNode));
    return node;
  }

  Result<Bytes> NextBuffer() {
    if (places_.empty()) return Corrupt("fewer buffers than the schema has");
    const auto place = LoadLittleEndian<BufferPlace>(places_.data());
    places_ = places_.subspan(sizeof(BufferPlace));
    if (place.offset_bytes < 0 || place.size_bytes < 0 ||
        static_cast<uint64_t>(place.offset_bytes) > body_.size() ||
        static_cast<uint64_t>(place.size_bytes) > body_.size() - place.offset_bytes) {
      return Corrupt("a buffer of {} bytes at {} in a body of {}", place.size_bytes, place.offset_bytes,
                     body_.size());
    }
    const Bytes bytes = body_.subspan(place.offset_bytes, place.size_bytes);
    return is_compressed_ && !bytes.empty() ? Decompress(bytes) : bytes;
  }

  /// A compressed buffer begins with its size, or with -1 if it is not compressed after all.
  Result<Bytes> Decompress(Bytes buffer) {
    if (buffer.size() < sizeof(int64_t)) return Corrupt("a compressed buffer of {} bytes", buffer.size());
    const auto size_bytes = LoadLittleEndian<int64_t>(buffer.data());
    const Bytes frame = buffer.subspan(sizeof(int64_t));
    if (size_bytes == -1) return frame;
    if (size_bytes < 0) return Corrupt("a compressed buffer of {} bytes when decompressed", size_bytes);
    WEIR_TRY(const MutableBytes to, Allocate(size_bytes));
    if (!zstd_) zstd_.reset(ZSTD_createDCtx());
    if (!zstd_) return Internal("zstandard does not start");
    const size_t done = ZSTD_decompressDCtx(zstd_.get(), to.data(), to.size(), frame.data(), frame.size());
    if (ZSTD_isError(done)) return Corrupt("a damaged zstandard buffer: {}", ZSTD_getErrorName(done));
    if (done != to.size())
      return Corrupt("a zstandard buffer of {} bytes that says it has {}", done, size_bytes);
    return Bytes(to);
  }

  Result<Bytes> Copy(Bytes bytes) {
    WEIR_TRY(const MutableBytes to, Allocate(bytes.size()));
    std::memcpy(to.data(), bytes.data(), bytes.size());
    return Bytes(to);
  }

  /// Bytes for as long as the reader lives, at a place for numbers of any width.
  Result<MutableBytes> Allocate(uint64_t size_bytes) {
    WEIR_DO(budget_.Charge(size_bytes, 1));
    // One more, so that it is never null.
    auto& words = owned_.emplace_back(size_bytes / sizeof(uint64_t) + 1);
    return MutableBytes(reinterpret_cast<uint8_t*>(words.data()), size_bytes);
  }

  Bytes body_;
  Budget& budget_;
  Bytes nodes_;   ///< What is not read yet.
  Bytes places_;  ///< What is not read yet.
  bool is_compressed_ = false;
  std::deque<std::vector<uint64_t>> owned_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd_{nullptr, ZSTD_freeDCtx};
};

}  // namespace

Result<Batch> ReadBatch(const FlatTable& table, Bytes body, const WireColumn& root, Budget& budget) {
  return BatchReader(body, budget).Read(table, root);
}

}  // namespace weir::arrow_ipc

#pragma once

/// The numbers of Arrow's metadata tables: members of a table by their position, kinds of a union, units.
/// Spec: Apache Arrow, Message.fbs and Schema.fbs, metadata version V5.

#include <cstdint>

namespace weir::arrow_ipc {

/// The first four bytes of a message since Arrow 0.15; before, a message began with its length.
inline constexpr uint32_t kContinuation = 0xFFFFFFFF;
inline constexpr int16_t kVersion4 = 3;
inline constexpr int16_t kVersion5 = 4;

enum class HeaderKind : uint8_t { kNone, kSchema, kDictionaryBatch, kRecordBatch, kTensor, kSparseTensor };

/// Members by table. A union takes two: its kind and, behind it, its table.
namespace message {
enum Member : uint16_t { kVersion, kHeaderKind, kHeader, kBodyLength };
}
namespace schema {
enum Member : uint16_t { kEndianness, kFields };
}
namespace field {
enum Member : uint16_t { kName, kNullable, kTypeKind, kType, kDictionary, kChildren };
}
namespace record_batch {
enum Member : uint16_t { kLength, kNodes, kBuffers, kCompression, kVariadicCounts };
}
namespace body_compression {
enum Member : uint16_t { kCodec, kMethod };
}

enum class WireType : uint8_t {
  kNone,
  kNull,
  kInt,            ///< bits, is signed
  kFloatingPoint,  ///< precision
  kBinary,
  kUtf8,
  kBool,
  kDecimal,    ///< precision, scale, bits
  kDate,       ///< unit
  kTime,       ///< unit, bits
  kTimestamp,  ///< unit, zone
  kInterval,   ///< unit
  kList,
  kStruct,
  kUnion,
  kFixedSizeBinary,  ///< bytes
  kFixedSizeList,    ///< elements
  kMap,              ///< whether keys are sorted
  kDuration,         ///< unit
  kLargeBinary,
  kLargeUtf8,
  kLargeList,
  kRunEndEncoded,
  kBinaryView,
  kUtf8View,
  kListView,
  kLargeListView,
};

enum class FloatPrecision : int16_t { kHalf, kSingle, kDouble };
enum class DateUnit : int16_t { kDay, kMillisecond };
enum class TimeUnit : int16_t { kSecond, kMillisecond, kMicrosecond, kNanosecond };
enum class IntervalUnit : int16_t { kYearMonth, kDayTime, kMonthDayNano };
enum class CompressionCodec : int8_t { kLz4Frame, kZstd };

/// One per column at any depth, parents first.
struct FieldNode {
  int64_t length = 0;
  int64_t null_count = 0;
};

/// Where a buffer lies in the body of its message.
struct BufferPlace {
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
};

}  // namespace weir::arrow_ipc

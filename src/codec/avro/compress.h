#pragma once

/// The block codecs of container files. Thread rule: any thread.
/// Spec: Apache Avro 1.12, "Object Container Files", "Required Codecs", "Optional Codecs".

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "codec/avro/container.h"

namespace weir::avro {

/// Compresses one block into `out`, replacing it. Level: see WriterOptions. Errors: kInvalid for a bad level.
Status Compress(Codec codec, int level, std::string_view block, std::string& out);

/// Decompresses one block into `out`, replacing it. Errors: kCorrupt if it is damaged or larger than
/// `limit_bytes`.
Status Decompress(Codec codec, Bytes block, uint64_t limit_bytes, std::string& out);

}  // namespace weir::avro

#pragma once

/// Footer bytes to Footer and back. Pure functions; no I/O. Thread rule: any thread.
/// Spec: Apache Parquet, "File Format" and parquet.thrift.

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "codec/parquet/format.h"

namespace weir::parquet {

/// Bytes behind the serialized footer: its 4-byte length and the magic "PAR1".
inline constexpr uint64_t kTrailerSizeBytes = 8;
/// The smallest file: magic, trailer.
inline constexpr uint64_t kMinFileSizeBytes = 12;

/// Reads the trailer. `last_bytes` are the last 8 bytes of a file of `file_size_bytes`.
/// Returns how many bytes at the end of the file hold footer and trailer.
/// Errors: kCorrupt for a wrong magic or a length that the file cannot hold; kUnsupported for an encrypted
/// footer ("PARE"). Messages name the file offset; the caller adds the path.
Result<uint64_t> FooterTailSize(Bytes last_bytes, uint64_t file_size_bytes);

/// Parses a serialized footer that lies at `file_offset`. Every count and offset that is not possible in a
/// file of `file_size_bytes` is kCorrupt: negative counts, chunks outside the file, more or fewer columns
/// than leaves. Unknown fields, encodings and codecs pass. Memory: within a constant factor of `bytes`.
Result<Footer> ParseFooter(Bytes bytes, uint64_t file_offset, uint64_t file_size_bytes);

/// Finds and parses the footer in the last bytes of a file. Precondition: `tail` holds at least
/// FooterTailSize bytes.
Result<Footer> ParseFooterTail(Bytes tail, uint64_t file_size_bytes);

/// Fills `footer.leaves` from `footer.schema`. Errors: kCorrupt if the elements do not form one tree.
Status DeriveLeaves(Footer& footer);

/// Serializes a footer with its trailer: what goes at the end of a file. Writes no statistics and no page
/// index. Precondition: `footer.leaves` is derived.
std::string SerializeFooterTail(const Footer& footer);

}  // namespace weir::parquet

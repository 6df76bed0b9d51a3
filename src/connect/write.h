#pragma once

/// Commands of Spark Connect that write, as unresolved statements. Nothing is looked up. Thread rule: pure
/// functions. Spec: spark/connect/commands.proto.

#include "connect/decode.h"

namespace weir::connect {

/// What the session knows of the table that a command writes to.
enum class TableState : uint8_t { kAbsent, kPresent };

/// The name of the table that the command writes to. Errors: kUnsupported for a path or another source.
Result<unresolved::Name> TargetOf(const proto::WriteOperation& write);

/// df.write: save modes are decided by whether the table is there. Nullopt: nothing is to be done.
/// Errors: kExists (TABLE_OR_VIEW_ALREADY_EXISTS), kUnsupported.
Result<std::optional<unresolved::Statement>> DecodeWrite(const proto::WriteOperation& write, TableState table,
                                                         const DecodeContext& context);
/// df.writeTo.
Result<unresolved::Statement> DecodeWriteV2(const proto::WriteOperationV2& write,
                                            const DecodeContext& context);
/// df.mergeInto.
Result<unresolved::Statement> DecodeMerge(const proto::MergeIntoTableCommand& merge,
                                          const DecodeContext& context);

}  // namespace weir::connect

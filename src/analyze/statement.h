#pragma once

/// One function per kind of statement. Thread rule: one thread.

#include "analyze/scope.h"
#include "plan/command.h"

namespace weir::analyze {

Result<plan::Command> ResolveStatement(const unresolved::Statement& statement, Context& context);

Result<plan::InsertCommand> ResolveInsert(const unresolved::Insert& insert, Context& context);
Result<plan::DeleteCommand> ResolveDelete(const unresolved::Delete& statement, Context& context);
Result<plan::UpdateCommand> ResolveUpdate(const unresolved::Update& update, Context& context);
Result<plan::MergeCommand> ResolveMerge(const unresolved::Merge& merge, Context& context);
Result<plan::CreateTableCommand> ResolveCreateTable(const unresolved::CreateTable& create, Context& context);
Result<plan::AlterTableCommand> ResolveAlterTable(const unresolved::AlterTable& alter, Context& context);

}  // namespace weir::analyze

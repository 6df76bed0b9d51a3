#pragma once

/// CREATE TABLE (AS SELECT), DROP TABLE, ALTER TABLE.

#include "ops/operation.h"

namespace weir::ops {

/// Creates the table; with a query, the table and its rows appear in one commit or not at all.
/// Errors: kExists (TABLE_OR_VIEW_ALREADY_EXISTS) unless `if_not_exists`; kNotFound (SCHEMA_NOT_FOUND).
Status CreateTable(const plan::CreateTableCommand& command, const OperationContext& context);

/// Errors: kNotFound (TABLE_OR_VIEW_NOT_FOUND) unless `if_exists`.
Status DropTable(const plan::DropTableCommand& command, const OperationContext& context);

/// Sets or removes properties, or changes the partition spec for rows written from now on.
/// Errors: kInvalid naming a partition field that does not exist or exists already.
Status AlterTable(const plan::AlterTableCommand& command, const OperationContext& context);

}  // namespace weir::ops

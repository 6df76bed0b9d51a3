#pragma once

/// Catalog operations: spark.catalog of the DataFrame API. Thread rule: any thread.

#include "face/connectd/client_session.h"

namespace weir::connectd {

/// The rows of a catalog operation, under Spark's column names.
struct CatalogAnswer {
  std::vector<plan::Column> columns;
  Batch rows;
};

/// Carries the operation out. Errors: those of the catalogs; kUnsupported naming the operation.
Result<CatalogAnswer> AnswerCatalog(const proto::Catalog& operation, ClientSession& session);

}  // namespace weir::connectd

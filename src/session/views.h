#pragma once

/// Temporary views of a session. Thread rule: values; a map is immutable once shared.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/unresolved.h"

namespace weir::session {

/// Where names without a catalog or namespace start.
struct CurrentNamespace {
  std::string catalog = "spark_catalog";
  std::vector<std::string> name = {"default"};
};

struct View;
/// By name in lower case.
using Views = std::map<std::string, std::shared_ptr<const View>, std::less<>>;

/// A query under a name. It means what it meant when it was made: names in it start where the session stood,
/// and views in it are those of then, so that a view may replace one that it reads.
struct View {
  std::string name;  ///< As written.
  unresolved::RelationPtr query;
  CurrentNamespace current;
  Views used;  ///< The views that the query reads.
};

}  // namespace weir::session

#include "exec/duckdb/relation.h"

#include "duckdb/main/connection.hpp"
#include "duckdb/main/query_result.hpp"

namespace weir::exec {

KeptRelation::~KeptRelation() {
  // A database that has failed cannot drop anything; its memory goes with it.
  if (instance_->invalidated()) return;
  if (auto connection = instance_->Connect()) {
    (*connection)->Query("DROP TABLE IF EXISTS " + TableName(id_));
  }
}

int64_t Relations::NextId() {
  std::lock_guard lock(mutex_);
  return next_++;
}

void Relations::Add(const std::shared_ptr<const KeptRelation>& relation) {
  std::lock_guard lock(mutex_);
  std::erase_if(relations_, [](const auto& entry) { return entry.second.expired(); });
  relations_[relation->id()] = relation;
}

std::shared_ptr<const KeptRelation> Relations::Find(int64_t id) const {
  std::lock_guard lock(mutex_);
  const auto it = relations_.find(id);
  return it == relations_.end() ? nullptr : it->second.lock();
}

}  // namespace weir::exec

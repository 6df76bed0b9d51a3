#pragma once

/// Rows that the engine keeps in a DuckDB table, in memory or spilled. Thread rule: any thread.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exec/duckdb/instance.h"
#include "exec/engine.h"

namespace weir::exec {

/// The table goes with the last copy.
class KeptRelation : public Relation {
 public:
  KeptRelation(std::shared_ptr<Instance> instance, int64_t id, std::vector<plan::Column> columns,
               int64_t row_count)
      : instance_(std::move(instance)), id_(id), columns_(std::move(columns)), row_count_(row_count) {}
  ~KeptRelation() override;
  int64_t id() const override { return id_; }
  const std::vector<plan::Column>& columns() const override { return columns_; }
  int64_t row_count() const override { return row_count_; }
  const std::shared_ptr<Instance>& instance() const { return instance_; }
  static std::string TableName(int64_t id) { return "r" + std::to_string(id); }

 private:
  std::shared_ptr<Instance> instance_;
  int64_t id_;
  std::vector<plan::Column> columns_;
  int64_t row_count_;
};

/// The relations of an engine by id.
class Relations {
 public:
  int64_t NextId();
  void Add(const std::shared_ptr<const KeptRelation>& relation);
  /// Null if it has been dropped.
  std::shared_ptr<const KeptRelation> Find(int64_t id) const;

 private:
  mutable std::mutex mutex_;
  int64_t next_ = 1;
  std::map<int64_t, std::weak_ptr<const KeptRelation>> relations_;
};

}  // namespace weir::exec

#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace weir {

/// Values by key within a budget of bytes; the least recently used go first. Thread rule: any thread.
template <class Value>
class LruCache {
 public:
  explicit LruCache(uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  std::optional<Value> Find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return std::nullopt;
    recent_.splice(recent_.begin(), recent_, found->second);
    return found->second->value;
  }

  /// Takes the place of an older value of the key. A value that alone exceeds the budget is not kept.
  /// `value_bytes`: memory of the value; that of key and bookkeeping is added.
  void Insert(std::string key, Value value, uint64_t value_bytes) {
    const uint64_t memory_bytes = value_bytes + sizeof(Entry) + 2 * key.size();
    const std::lock_guard lock(mutex_);
    if (const auto older = by_key_.find(key); older != by_key_.end()) Drop(older->second);
    if (memory_bytes > budget_bytes_) return;
    recent_.push_front({std::move(key), std::move(value), memory_bytes});
    by_key_[recent_.front().key] = recent_.begin();
    used_bytes_ += memory_bytes;
    while (used_bytes_ > budget_bytes_) Drop(std::prev(recent_.end()));
  }

  /// Estimated memory of all entries.
  uint64_t used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_bytes_;
  }

 private:
  struct Entry {
    std::string key;
    Value value;
    uint64_t memory_bytes = 0;
  };
  using Place = typename std::list<Entry>::iterator;

  void Drop(Place place) {
    used_bytes_ -= place->memory_bytes;
    by_key_.erase(place->key);
    recent_.erase(place);
  }

  const uint64_t budget_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> recent_;  // Most recently used first.
  std::unordered_map<std::string, Place> by_key_;
  uint64_t used_bytes_ = 0;
};

}  // namespace weir

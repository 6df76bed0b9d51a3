#pragma once

/// The conformance suite of stores: for tests only (links GoogleTest).
///
///   class LocalConformance : public testing::TestWithParam<ConformanceCase> {};
///   TEST_P(LocalConformance, Holds) { GetParam().check({storage, root}); }
///   INSTANTIATE_TEST_SUITE_P(Store, LocalConformance, testing::ValuesIn(ConformanceCases()),
///                            ConformanceCaseName);

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>

#include "storage/storage.h"

namespace weir {

struct ConformanceTarget {
  std::shared_ptr<Storage> storage;
  /// Ends in "/"; nothing begins with it when a check starts. Each check needs a root of its own.
  std::string root;
};

struct ConformanceCase {
  std::string name;
  void (*check)(const ConformanceTarget& target);
};

std::span<const ConformanceCase> ConformanceCases();
std::string ConformanceCaseName(const testing::TestParamInfo<ConformanceCase>& info);
void PrintTo(const ConformanceCase& conformance_case, std::ostream* out);

/// A handle on the store with a ledger of its own.
Store TestStore(std::shared_ptr<Storage> storage);

}  // namespace weir

#include "face/cli/movement.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {

TEST(MovementText, NamesOperatorsAndLeavesOutZeros) {
  const auto ledger = Ledger::Make();
  const Account scan = ledger->Open("scan cat.db.t", Purpose::kData);
  scan.Charge({.requests = 3, .bytes_asked = 5, .bytes_read = 1500, .bytes_written = 0});
  scan.Avoid(AvoidReason::kBounds, 29, 2'000'000);
  scan.Count({.into_join = 1000});
  const std::string text = MovementText(*ledger);
  EXPECT_TRUE(text.starts_with("scan cat.db.t\n")) << text;
  for (const char* part :
       {"rows into join", "1,000", "3 requests", "1.5 kB read", "avoided by bounds", "29 files", "2.0 MB"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_EQ(text.find("spill"), std::string::npos) << text;
  EXPECT_NE(text.find("\nin all\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace weir::cli

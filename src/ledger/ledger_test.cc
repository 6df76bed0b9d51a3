#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace weir {
namespace {

Traffic Read(uint64_t requests, uint64_t bytes) {
  return {.requests = requests, .bytes_asked = bytes, .bytes_read = bytes, .bytes_written = 0};
}

TEST(Ledger, AddsUpByOperatorAndPurpose) {
  const auto ledger = Ledger::Make();
  const Account scan = ledger->Open("scan t", Purpose::kData);
  scan.Charge(Read(1, 100));
  scan.For(Purpose::kFooter).Charge(Read(2, 8));
  ledger->Open("scan t", Purpose::kData).Charge(Read(1, 50));
  ledger->Open("commit", Purpose::kCommit)
      .Charge({.requests = 1, .bytes_asked = 0, .bytes_read = 0, .bytes_written = 7});

  const std::vector<Ledger::Entry> entries = ledger->Entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].operator_name, "scan t");
  EXPECT_EQ(entries[0].totals[Purpose::kData], Read(2, 150));
  EXPECT_EQ(entries[0].totals[Purpose::kFooter], Read(2, 8));
  EXPECT_EQ(entries[1].totals[Purpose::kCommit].bytes_written, 7u);
  EXPECT_EQ(ledger->Total().Traffics(),
            (Traffic{.requests = 5, .bytes_asked = 158, .bytes_read = 158, .bytes_written = 7}));
}

TEST(Ledger, SpillIsNoTraffic) {
  const auto ledger = Ledger::Make();
  ledger->Open("sort", Purpose::kSpill).Charge(Read(1, 1000));
  EXPECT_EQ(ledger->Total().Traffics(), Traffic{});
  EXPECT_EQ(ledger->Total()[Purpose::kSpill], Read(1, 1000));
}

TEST(Ledger, CountsAvoidedBytesByReasonAndRows) {
  const auto ledger = Ledger::Make();
  const Account scan = ledger->Open("scan", Purpose::kData);
  scan.Avoid(AvoidReason::kPage, 0, 10);
  scan.Avoid(AvoidReason::kPage, 0, 5);
  scan.Avoid(AvoidReason::kBounds, 3, 900);
  scan.Count({.into_join = 1, .decoded = 2, .written = 3, .returned = 4, .deleted = 5});
  scan.Count({.into_join = 10, .decoded = 20, .written = 30, .returned = 40, .deleted = 50});
  const MovementTotals total = ledger->Total();
  EXPECT_EQ(total[AvoidReason::kPage], (Avoided{0, 15}));
  EXPECT_EQ(total[AvoidReason::kBounds], (Avoided{3, 900}));
  EXPECT_EQ(total.rows,
            (RowCounts{.into_join = 11, .decoded = 22, .written = 33, .returned = 44, .deleted = 55}));
}

TEST(Ledger, AccountsKeepItAlive) {
  std::optional<Account> account;
  std::weak_ptr<Ledger> kept;
  {
    const auto ledger = Ledger::Make();
    kept = ledger;
    account = ledger->Open("late", Purpose::kData);
  }
  account->Charge(Read(1, 1));
  ASSERT_FALSE(kept.expired());
  EXPECT_EQ(kept.lock()->Total()[Purpose::kData], Read(1, 1));
  account.reset();
  EXPECT_TRUE(kept.expired());
}

TEST(Ledger, LosesNothingUnderThreads) {
  const auto ledger = Ledger::Make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i)
        ledger->Open("op " + std::to_string(i % (t + 3)), Purpose::kData).Charge(Read(1, 3));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ledger->Total().Traffics(), Read(8000, 24000));
}

TEST(Ledger, JsonLeavesZerosOutAndEscapesNames) {
  const auto ledger = Ledger::Make();
  EXPECT_EQ(ledger->ToJson(), R"({"operators":[],"total":{}})");
  const Account scan = ledger->Open("scan \"a\\b\"\n", Purpose::kData);
  scan.Charge({.requests = 2, .bytes_asked = 10, .bytes_read = 12, .bytes_written = 0});
  scan.Avoid(AvoidReason::kRowGroup, 0, 99);
  scan.Count({.into_join = 0, .decoded = 0, .written = 0, .returned = 3, .deleted = 0});
  const std::string parts =
      R"("traffic":{"data":{"requests":2,"bytes_asked":10,"bytes_read":12}},"avoided":{"row_group":{"bytes":99}},)"
      R"("rows":{"returned":3})";
  EXPECT_EQ(ledger->ToJson(),
            R"({"operators":[{"name":"scan \"a\\b\"\n",)" + parts + R"(}],"total":{)" + parts + "}}");
}

TEST(Ledger, EveryPurposeAndReasonHasAName) {
  for (int i = 0; i < kPurposeCount; ++i) EXPECT_NE(ToString(static_cast<Purpose>(i)), "");
  for (int i = 0; i < kAvoidReasonCount; ++i) EXPECT_NE(ToString(static_cast<AvoidReason>(i)), "");
}

}  // namespace
}  // namespace weir

/// Decorators one by one and stacked, over the memory store.

#include <gtest/gtest.h>

#include <mutex>

#include "storage/coalesce.h"
#include "storage/conformance/conformance.h"
#include "storage/decorator.h"
#include "storage/faulty.h"
#include "storage/memory/memory.h"
#include "storage/metered.h"
#include "storage/stack.h"

namespace weir {
namespace {

std::shared_ptr<Storage> Memory() {
  return std::make_shared<MemoryStorage>(MemoryOptions{.list_page_size = 3});
}

FaultRule NoFault() {
  return [](const FaultyCall&) { return Fault::kNone; };
}

class DecoratorConformance : public testing::TestWithParam<ConformanceCase> {};
TEST_P(DecoratorConformance, HoldsForEachAlone) {
  ManualClock clock(0);
  SeededRandom random(1);
  GetParam().check({Coalescing(Memory()), "mem:/root/"});
  GetParam().check({Metered(Memory()), "mem:/root/"});
  GetParam().check({Retrying(Memory(), clock, random), "mem:/root/"});
  GetParam().check({std::make_shared<FaultyStorage>(Memory(), NoFault()), "mem:/root/"});
}
TEST_P(DecoratorConformance, HoldsForTheStack) {
  ManualClock clock(0);
  SeededRandom random(1);
  const auto faulty = std::make_shared<FaultyStorage>(Memory(), NoFault());
  GetParam().check({Stacked(faulty, clock, random), "mem:/root/"});
}
INSTANTIATE_TEST_SUITE_P(Store, DecoratorConformance, testing::ValuesIn(ConformanceCases()),
                         ConformanceCaseName);

TEST(MergeRanges, JoinsWhatIsNear) {
  struct Case {
    std::vector<ByteRange> ranges;
    uint64_t gap_bytes;
    std::vector<MergedRead> expected;
  };
  const Case cases[] = {
      {{}, 10, {}},
      {{{5, 5}}, 10, {{{5, 5}, {0}}}},
      {{{0, 10}, {20, 10}}, 10, {{{0, 30}, {0, 1}}}},
      {{{0, 10}, {20, 10}}, 9, {{{0, 10}, {0}}, {{20, 10}, {1}}}},
      {{{20, 10}, {0, 10}}, 10, {{{0, 30}, {1, 0}}}},
      {{{0, 100}, {10, 10}, {50, 60}}, 0, {{{0, 110}, {0, 1, 2}}}},
      {{{0, 10}, {10, 5}}, 0, {{{0, 15}, {0, 1}}}},
      {{{7, 0}, {7, 0}}, 0, {{{7, 0}, {0, 1}}}},
      // No request of more than 32 MiB comes from merging.
      {{{0, 20 << 20}, {20 << 20, 20 << 20}}, 10, {{{0, 20 << 20}, {0}}, {{20 << 20, 20 << 20}, {1}}}},
      {{{0, 40 << 20}}, 10, {{{0, 40 << 20}, {0}}}},
  };
  for (const Case& c : cases) EXPECT_EQ(MergeRanges(c.ranges, c.gap_bytes), c.expected);
}

/// Notes the ranges that reach the store.
class Recording final : public Decorator {
 public:
  using Decorator::Decorator;
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    {
      std::lock_guard lock(mutex_);
      seen.insert(seen.end(), ranges.begin(), ranges.end());
    }
    return Decorator::ReadRanges(io, path, ranges, buffers);
  }
  std::vector<ByteRange> seen;

 private:
  std::mutex mutex_;
};

TEST(Coalescing, MeterSeesTheMergedRequests) {
  const auto memory = std::make_shared<MemoryStorage>(
      MemoryOptions{.traits = {.name = "m", .merge_gap_bytes = 100, .parallel_requests = 4}});
  const auto recording = std::make_shared<Recording>(memory);
  const std::shared_ptr<Ledger> ledger = Ledger::Make();
  const Store store(Coalescing(Metered(recording)), ledger->Open("op", Purpose::kFooter), {});
  ASSERT_TRUE(store.Put("mem:/a", AsBytes(std::string(10'000, 'x')), PutIf::Always()));
  const Traffic before = ledger->Total()[Purpose::kFooter];
  const std::vector<ByteRange> ranges = {{5000, 10}, {0, 10}, {110, 10}, {221, 10}};
  ASSERT_TRUE(store.ReadRanges("mem:/a", ranges));
  std::sort(recording->seen.begin(), recording->seen.end());
  EXPECT_EQ(recording->seen, (std::vector<ByteRange>{{0, 120}, {221, 10}, {5000, 10}}));
  const Traffic after = ledger->Total()[Purpose::kFooter];
  EXPECT_EQ(after.requests - before.requests, 3u);
  EXPECT_EQ(after.bytes_asked, 40u);
  EXPECT_EQ(after.bytes_read, 140u);
}

TEST(Metered, ChargesEachRequestToTheAccountOfTheCall) {
  const std::shared_ptr<Ledger> ledger = Ledger::Make();
  const Store store(Metered(Memory()), ledger->Open("op", Purpose::kData), {});
  const Store commit = store.For(Purpose::kCommit);
  ASSERT_TRUE(commit.Put("mem:/a", AsBytes("12345"), PutIf::Absent()));
  ASSERT_FALSE(commit.Put("mem:/a", AsBytes("12345"), PutIf::Absent()));
  ASSERT_TRUE(store.Read("mem:/a", {1, 3}));
  ASSERT_FALSE(store.Read("mem:/a", {1, 30}));
  ASSERT_TRUE(store.Head("mem:/a"));
  const Store listing = store.For(Purpose::kListing);
  for (const char* name : {"mem:/b", "mem:/c", "mem:/d"}) ASSERT_TRUE(store.Put(name, {}, PutIf::Always()));
  ASSERT_TRUE(listing.List("mem:/"));  // 4 objects in pages of 3.
  Result<std::unique_ptr<Upload>> upload = store.StartUpload("mem:/u", PutIf::Always());
  ASSERT_TRUE((*upload)->Write(store.io(), AsBytes("ab")));
  ASSERT_TRUE((*upload)->Write(store.io(), AsBytes("cd")));
  ASSERT_TRUE((*upload)->Finish(store.io()));
  const std::vector<std::string> gone = {"mem:/b", "mem:/c"};
  ASSERT_TRUE(store.Delete(gone));

  const MovementTotals total = ledger->Total();
  EXPECT_EQ(total[Purpose::kCommit], (Traffic{.requests = 2, .bytes_written = 5}));
  EXPECT_EQ(total[Purpose::kListing], (Traffic{.requests = 2}));
  // 2 reads, 1 head, 3 puts, 4 of the upload, 2 deletes.
  EXPECT_EQ(total[Purpose::kData], (Traffic{.requests = 12, .bytes_read = 3, .bytes_written = 4}));
}

/// A stack with a fault, and what it counted.
struct Rig {
  explicit Rig(FaultRule rule) : faulty(std::make_shared<FaultyStorage>(memory, std::move(rule), &clock)) {}
  Store Stack() {
    return {Stacked(faulty, clock, random,
                    {.attempts = 3, .first_delay_us = 1000, .longest_delay_us = 1'000'000}),
            ledger->Open("op", Purpose::kData), cancellation};
  }

  ManualClock clock{0};
  SeededRandom random{1};
  Cancellation cancellation;
  std::shared_ptr<Ledger> ledger = Ledger::Make();
  std::shared_ptr<Storage> memory = Memory();
  std::shared_ptr<FaultyStorage> faulty;
};

TEST(Retrying, RepeatsReadsListingsAndDeletes) {
  for (const Fault fault : {Fault::kRefused, Fault::kReplyLost}) {
    // Every second call fails.
    Rig rig([=](const FaultyCall& call) { return call.number % 2 == 1 ? fault : Fault::kNone; });
    ASSERT_TRUE(TestStore(rig.memory).Put("mem:/a", AsBytes("abc"), PutIf::Always()));
    const Store store = rig.Stack();
    EXPECT_EQ(store.Head("mem:/a")->size_bytes, 3u);
    EXPECT_EQ(*store.Read("mem:/a", {0, 2}), "ab");
    EXPECT_EQ(store.List("mem:/")->size(), 1u);
    const std::vector<std::string> gone = {"mem:/a"};
    EXPECT_TRUE(store.Delete(gone));
    EXPECT_EQ(rig.faulty->call_count(), 8u);
    EXPECT_TRUE(TestStore(rig.memory).List("mem:/")->empty());
    // Each attempt is a request. Whether bytes moved before a reply was lost cannot be known; they are not
    // charged.
    EXPECT_EQ(rig.ledger->Total()[Purpose::kData],
              (Traffic{.requests = 8, .bytes_asked = 2, .bytes_read = 2}));
    // Four delays of 1 ms at most, and half of it at least.
    EXPECT_GE(rig.clock.NowMicros(), 4 * 500);
    EXPECT_LE(rig.clock.NowMicros(), 4 * 1000);
  }
}

TEST(Retrying, RepeatsAWriteThatDidNotHappen) {
  Rig rig(FailNth(1, Fault::kRefused));
  ASSERT_TRUE(rig.Stack().Put("mem:/a", AsBytes("x"), PutIf::Absent()));
  EXPECT_EQ(rig.faulty->call_count(), 2u);
  EXPECT_EQ(rig.ledger->Total()[Purpose::kData], (Traffic{.requests = 2, .bytes_written = 1}));
}

TEST(Retrying, ReportsAnUnknownOutcomeAtOnce) {
  for (const PutIf& condition : {PutIf::Absent(), PutIf::Always()}) {
    Rig rig(FailNth(1, Fault::kReplyLost));
    Result<ObjectTag> put = rig.Stack().Put("mem:/a", AsBytes("x"), condition);
    ASSERT_FALSE(put);
    EXPECT_TRUE(OutcomeUnknown(put.error()));
    EXPECT_EQ(rig.faulty->call_count(), 1u);
    // It did happen: repeated, the conditional write would have lost against itself.
    EXPECT_EQ(*TestStore(rig.memory).ReadAll("mem:/a"), "x");
  }
}

TEST(Retrying, DoesNotRepeatCallsOfAnUpload) {
  for (const uint64_t number : {2, 3}) {
    Rig rig(FailNth(number, Fault::kRefused));
    const Store store = rig.Stack();
    Result<std::unique_ptr<Upload>> upload = store.StartUpload("mem:/a", PutIf::Always());
    ASSERT_TRUE(upload);
    Status written = (*upload)->Write(store.io(), AsBytes("x"));
    EXPECT_EQ(written.has_value(), number != 2);
    if (number == 3) {
      EXPECT_FALSE((*upload)->Finish(store.io()));
    }
    EXPECT_EQ(rig.faulty->call_count(), number);
  }
}

TEST(Retrying, GivesUpAndSaysSo) {
  Rig rig([](const FaultyCall&) { return Fault::kRefused; });
  Result<ObjectInfo> info = rig.Stack().Head("mem:/a");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(info.error().message(), "after 3 attempts: call 3 on mem:/a: refused by a fault");
  // 1 ms, then 2 ms, each at least half.
  EXPECT_GE(rig.clock.NowMicros(), 1500);
  EXPECT_LE(rig.clock.NowMicros(), 3000);
}

TEST(Retrying, DoesNotRepeatOtherErrors) {
  Rig rig([](const FaultyCall&) { return Fault::kDenied; });
  EXPECT_EQ(rig.Stack().Head("mem:/a").error().code(), ErrorCode::kDenied);
  EXPECT_EQ(rig.faulty->call_count(), 1u);
  EXPECT_EQ(rig.clock.NowMicros(), 0);
}

/// A clock on which a sleep of more than a second brings a cancellation.
class CancellingClock final : public Clock {
 public:
  explicit CancellingClock(Cancellation cancellation) : cancellation_(std::move(cancellation)) {}
  int64_t NowMicros() override { return now_us_; }
  void SleepMicros(int64_t micros) override {
    now_us_ += micros;
    if (now_us_ > 1'000'000) cancellation_.Request();
  }

 private:
  Cancellation cancellation_;
  int64_t now_us_ = 0;
};

TEST(Retrying, StopsWaitingWhenCancelled) {
  Cancellation cancellation;
  CancellingClock clock(cancellation);
  SeededRandom random(1);
  const auto faulty =
      std::make_shared<FaultyStorage>(Memory(), [](const FaultyCall&) { return Fault::kRefused; });
  const Store store(Retrying(faulty, clock, random,
                             {.attempts = 9, .first_delay_us = 60'000'000, .longest_delay_us = 60'000'000}),
                    Ledger::Make()->Open("op", Purpose::kData), cancellation);
  EXPECT_EQ(store.Head("mem:/a").error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(faulty->call_count(), 1u);
  EXPECT_LE(clock.NowMicros(), 1'200'000);
}

TEST(Faulty, FailsTheNthCallInEachWay) {
  struct Case {
    Fault fault;
    ErrorCode code;
    bool unknown;
    bool happened;
  };
  const Case cases[] = {
      {Fault::kRefused, ErrorCode::kUnavailable, false, false},
      {Fault::kReplyLost, ErrorCode::kUnavailable, true, true},
      {Fault::kDiskFull, ErrorCode::kUnavailable, false, false},
      {Fault::kDenied, ErrorCode::kDenied, false, false},
  };
  for (const Case& c : cases) {
    Rig rig(FailNth(2, c.fault));
    const Store store = TestStore(rig.faulty);
    ASSERT_TRUE(store.Put("mem:/one", AsBytes("x"), PutIf::Always()));
    Result<ObjectTag> two = store.Put("mem:/two", AsBytes("x"), PutIf::Always());
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().code(), c.code);
    EXPECT_EQ(OutcomeUnknown(two.error()), c.unknown);
    EXPECT_EQ(*TestStore(rig.memory).Exists("mem:/two"), c.happened);
    ASSERT_TRUE(store.Put("mem:/three", AsBytes("x"), PutIf::Always()));
  }
}

TEST(Faulty, LosesTheReplyOfAFinishedUpload) {
  Rig rig([](const FaultyCall& call) {
    return call.call == StoreCall::kFinish ? Fault::kReplyLost : Fault::kNone;
  });
  const Store store = rig.Stack();
  Result<std::unique_ptr<Upload>> upload = store.StartUpload("mem:/a", PutIf::Absent());
  ASSERT_TRUE(upload);
  ASSERT_TRUE((*upload)->Write(store.io(), AsBytes("x")));
  Result<ObjectTag> tag = (*upload)->Finish(store.io());
  ASSERT_FALSE(tag);
  EXPECT_TRUE(OutcomeUnknown(tag.error()));
  upload->reset();
  EXPECT_EQ(*TestStore(rig.memory).ReadAll("mem:/a"), "x");
}

TEST(Faulty, ALostReplyDoesNotHideAPlainFailure) {
  Rig rig(FailNth(2, Fault::kReplyLost));
  const Store store = TestStore(rig.faulty);
  ASSERT_TRUE(store.Put("mem:/a", AsBytes("x"), PutIf::Absent()));
  EXPECT_EQ(store.Put("mem:/a", AsBytes("y"), PutIf::Absent()).error().code(), ErrorCode::kExists);
}

TEST(Faulty, SlowCallsMoveTheClock) {
  Rig rig(FailNth(1, Fault::kSlow));
  const Store store = TestStore(rig.faulty);
  ASSERT_TRUE(store.Put("mem:/a", AsBytes("x"), PutIf::Always()));
  EXPECT_EQ(rig.clock.NowMicros(), 60'000'000);
  // A full disk does not touch reads.
  Rig full([](const FaultyCall&) { return Fault::kDiskFull; });
  EXPECT_EQ(TestStore(full.faulty).Head("mem:/a").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace weir

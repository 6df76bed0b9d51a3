#include "face/connectd/operation.h"

#include <gtest/gtest.h>

namespace weir::connectd {
namespace {

proto::ExecutePlanResponse Rows(int64_t offset, size_t bytes = 10) {
  proto::ExecutePlanResponse response;
  response.mutable_arrow_batch()->set_start_offset(offset);
  response.mutable_arrow_batch()->set_data(std::string(bytes, 'x'));
  return response;
}

OperationInfo Info(bool reattachable = true) {
  return {"session", "server", "11111111-2222-4333-8444-555555555555", {}, reattachable};
}

/// Adds responses 0, 1, .. count - 1.
std::function<Status(Operation&)> Producing(int64_t count, size_t bytes = 10) {
  return [=](Operation& operation) -> Status {
    for (int64_t i = 0; i < count; ++i) WEIR_DO(operation.Add(Rows(i, bytes)));
    return {};
  };
}

Operation::Reader MustRead(Operation& operation, const std::optional<std::string>& last = std::nullopt) {
  auto reader = operation.Read(last);
  EXPECT_TRUE(reader) << reader.error().ToString();
  return *reader;
}

/// Offsets up to the end, which must be a good one.
std::vector<int64_t> Drain(Operation::Reader& reader) {
  std::vector<int64_t> offsets;
  while (true) {
    Operation::Taken taken = reader.Next({});
    if (!taken.response) {
      EXPECT_TRUE(taken.end) << taken.end.error().ToString();
      EXPECT_FALSE(taken.superseded);
      return offsets;
    }
    offsets.push_back(taken.response->arrow_batch().start_offset());
  }
}

std::string ConditionOf(const Error& error) {
  return error.condition() == nullptr ? "" : error.condition()->name;
}

TEST(Operation, GivesEveryResponseOnceWithItsIds) {
  Operation operation(Info());
  operation.Start(Producing(3));
  Operation::Reader reader = MustRead(operation);
  const Operation::Taken first = reader.Next({});
  ASSERT_TRUE(first.response);
  EXPECT_EQ(first.response->session_id(), "session");
  EXPECT_EQ(first.response->server_side_session_id(), "server");
  EXPECT_EQ(first.response->operation_id(), operation.info().operation_id);
  EXPECT_EQ(first.response->response_id().size(), 36u);
  EXPECT_EQ(Drain(reader), (std::vector<int64_t>{1, 2}));
}

TEST(Operation, ANewReaderGoesOnBehindTheResponseItNames) {
  Operation operation(Info());
  operation.Start(Producing(4));
  Operation::Reader reader = MustRead(operation);
  reader.Next({});
  const std::string second = reader.Next({}).response->response_id();
  Operation::Reader next = MustRead(operation, second);
  EXPECT_TRUE(reader.Next({}).superseded);
  EXPECT_EQ(Drain(next), (std::vector<int64_t>{2, 3}));
  Operation::Reader again = MustRead(operation);
  EXPECT_EQ(Drain(again), (std::vector<int64_t>{0, 1, 2, 3}));
}

TEST(Operation, ReleasedResponsesAreGone) {
  Operation operation(Info());
  operation.Start(Producing(4));
  Operation::Reader reader = MustRead(operation);
  reader.Next({});
  const std::string second = reader.Next({}).response->response_id();
  Drain(reader);
  ASSERT_TRUE(operation.ReleaseUntil(second));
  EXPECT_EQ(ConditionOf(operation.Read(std::nullopt).error()), "INVALID_CURSOR.POSITION_NOT_AVAILABLE");
  Operation::Reader rest = MustRead(operation, second);
  EXPECT_EQ(Drain(rest), (std::vector<int64_t>{2, 3}));
}

TEST(Operation, UnknownResponsesAreNotFound) {
  Operation operation(Info());
  operation.Start(Producing(1));
  Operation::Reader reader = MustRead(operation);
  const std::string first = reader.Next({}).response->response_id();
  for (const std::string& id : {std::string("x"), first.substr(0, 35), first.substr(0, 35) + "9",
                                std::string("00000000-0000-4000-8000-000000000000")}) {
    EXPECT_EQ(ConditionOf(operation.Read(id).error()), "INVALID_CURSOR.POSITION_NOT_FOUND") << id;
    EXPECT_EQ(ConditionOf(operation.ReleaseUntil(id).error()), "INVALID_CURSOR.POSITION_NOT_FOUND") << id;
  }
}

TEST(Operation, TheProducerWaitsForASlowReader) {
  constexpr size_t kBytes = 1000;
  Operation operation(Info(), {.unsent_bytes = 3 * kBytes, .sent_bytes = 2 * kBytes});
  std::atomic<int64_t> added{0};
  operation.Start([&](Operation& running) -> Status {
    for (int64_t i = 0; i < 50; ++i) {
      WEIR_DO(running.Add(Rows(i, kBytes)));
      ++added;
    }
    return {};
  });
  Operation::Reader reader = MustRead(operation);
  for (int64_t i = 0; i < 50; ++i) {
    ASSERT_EQ(reader.Next({}).response->arrow_batch().start_offset(), i);
    EXPECT_LE(added, i + 1 + 4);
  }
  // Of what was sent, only the last is kept.
  EXPECT_EQ(ConditionOf(operation.Read(std::nullopt).error()), "INVALID_CURSOR.POSITION_NOT_AVAILABLE");
}

TEST(Operation, AnInterruptEndsAProducerThatWaits) {
  Operation operation(Info(), {.unsent_bytes = 1, .sent_bytes = 1});
  operation.Start(Producing(1000));
  Operation::Reader reader = MustRead(operation);
  ASSERT_TRUE(reader.Next({}).response);
  operation.Interrupt();
  Operation::Taken taken = reader.Next({});
  while (taken.response) taken = reader.Next({});
  ASSERT_FALSE(taken.end);
  EXPECT_EQ(taken.end.error().code(), ErrorCode::kCancelled);
}

TEST(Operation, AReaderWithoutPatienceLeaves) {
  Operation operation(Info());
  operation.Start([](Operation& running) -> Status {
    while (true) WEIR_DO(running.cancellation().Check());
  });
  Operation::Reader reader = MustRead(operation);
  EXPECT_TRUE(reader.Next([] { return false; }).superseded);
  EXPECT_EQ(operation.DetachedMicros(), 0);
  operation.Detach(reader);
  EXPECT_FALSE(operation.ended());
}

TEST(Operation, AnErrorComesBehindWhatWasMade) {
  Operation operation(Info());
  operation.Start([](Operation& running) -> Status {
    WEIR_DO(running.Add(Rows(0)));
    return Invalid("no more");
  });
  Operation::Reader reader = MustRead(operation);
  EXPECT_TRUE(reader.Next({}).response);
  const Operation::Taken taken = reader.Next({});
  ASSERT_FALSE(taken.end);
  EXPECT_EQ(taken.end.error().message(), "no more");
}

}  // namespace
}  // namespace weir::connectd

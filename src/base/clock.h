#pragma once

/// Time and randomness as injected values, so that tests need neither a real clock nor luck.

#include <cstdint>
#include <string>

namespace weir {

/// Source of wall time. Thread rule: any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Microseconds since 1970-01-01 00:00 UTC.
  virtual int64_t NowMicros() = 0;
  /// Blocks the calling thread. A test clock only advances its time.
  virtual void SleepMicros(int64_t micros) = 0;
};

/// The machine's clock; lives as long as the process.
Clock& SystemClock();

/// A clock that moves by SleepMicros alone. Thread rule: one thread at a time.
class ManualClock : public Clock {
 public:
  explicit ManualClock(int64_t now_us) : now_us_(now_us) {}
  int64_t NowMicros() override { return now_us_; }
  void SleepMicros(int64_t micros) override { now_us_ += micros; }

 private:
  int64_t now_us_;
};

/// Source of random numbers. Thread rule: any thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next() = 0;
  /// A version 4 UUID in text form, 36 characters.
  std::string Uuid();
};

/// Seeded by the operating system; lives as long as the process.
Random& SystemRandom();

/// The same numbers for the same seed. Thread rule: one thread at a time.
class SeededRandom : public Random {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next() override;

 private:
  uint64_t state_;
};

}  // namespace weir

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <mutex>
#include <optional>

namespace lockstep::trainer {

/// Where ranks say that they have come to a collective, so that waiting for the slowest peer can be told from
/// moving data. Telling never waits for anybody; the answer comes about one way through the network later.
/// Thread-safe.
class ArrivalNotices {
 public:
  using Time = std::chrono::steady_clock::time_point;
  virtual ~ArrivalNotices() = default;
  /// This rank has come to its collective of that number.
  virtual void arrived(long long collective) = 0;
  /// When the last rank had come, on this machine's clock; nullopt: not known yet, or no more.
  [[nodiscard]] virtual std::optional<Time> allArrived(long long collective) const = 0;
};

/// Rank 0's count of who has come. Not thread-safe.
class ArrivalTally {
 public:
  using Time = ArrivalNotices::Time;
  explicit ArrivalTally(int worldSize) : worldSize_(worldSize) {}
  /// The time of the last one, when this was the last.
  std::optional<Time> add(long long collective, Time time);

 private:
  struct Count {
    int ranks = 0;
    Time latest{};
  };
  int worldSize_;
  std::map<long long, Count> open_;
};

/// Puts times of another machine's clock on ours: the quickest message so far is taken to have needed no
/// time. Right but for the shortest way through the network. Not thread-safe.
class ForeignClock {
 public:
  using Time = ArrivalNotices::Time;
  /// A message that was sent at `sentNs` over there has come now.
  void hear(long long sentNs, Time now);
  [[nodiscard]] Time here(long long foreignNs) const {
    return Time(std::chrono::nanoseconds(foreignNs + offset_));
  }

 private:
  bool heard_ = false;
  long long offset_ = 0;  // ours minus theirs
};

}  // namespace lockstep::trainer

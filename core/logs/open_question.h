// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/clock.h"

namespace lockstep {

/// A question to a service that is answered in a thread of its own, one at a time. One owner thread; the end of its
/// life stops the question and waits for it. What the question uses has to live longer.
template <class Answer>
class OpenQuestion {
 public:
  OpenQuestion() = default;
  OpenQuestion(const OpenQuestion&) = delete;
  OpenQuestion& operator=(const OpenQuestion&) = delete;

  [[nodiscard]] bool isOpen() const { return answer_.valid(); }
  void ask(SteadyPoint now, std::function<Answer(const std::stop_token&)> question) {
    std::packaged_task<Answer(const std::stop_token&)> task(std::move(question));
    answer_ = task.get_future();
    isLate_ = false;
    asked_ = now;
    thread_ = std::jthread([task = std::move(task)](const std::stop_token& stop) mutable { task(stop); });
  }
  void stop() { thread_.request_stop(); }
  void waitUntil(std::chrono::steady_clock::time_point until) const {
    if (isOpen()) (void)answer_.wait_until(until);
  }
  /// take() would give an answer.
  [[nodiscard]] bool isAnswered() const {
    return isOpen() && answer_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  /// Nothing: not asked, or not answered yet. Each answer is given once.
  std::optional<Answer> take() {
    if (!isOpen()) return std::nullopt;
    isLate_ = !isAnswered();
    if (isLate_) return std::nullopt;
    answered_ = asked_;
    return answer_.get();
  }
  /// It is open, and its answer was to be taken before it was there.
  [[nodiscard]] bool isLate() const { return isLate_; }
  /// A question that was asked then or later has been answered.
  [[nodiscard]] bool hasAnswerSince(SteadyPoint time) const { return answered_ && *answered_ >= time; }

 private:
  std::future<Answer> answer_;
  std::jthread thread_;
  bool isLate_ = false;
  SteadyPoint asked_{};                  // the last question
  std::optional<SteadyPoint> answered_;  // when the last one that was answered was asked
};

}  // namespace lockstep

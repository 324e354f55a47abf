// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "http/http_client.h"
#include "telling/run_news.h"

namespace lockstep {

/// Whom to tell. The address of the webhook may hold a secret.
struct TellingTargets {
  std::string command;  // empty: none; a command line of the user's (tellCommand)
  std::string webhook;  // empty: none
  [[nodiscard]] bool empty() const { return command.empty() && webhook.empty(); }
  bool operator==(const TellingTargets&) const = default;
};

/// Tells them one news after another in a thread of its own. Of more than kMostWaiting news the oldest are let go. Each kind of
/// problem is said once until something works again. Any thread.
class Teller {
 public:
  static constexpr std::size_t kMostWaiting = 64;
  static constexpr std::chrono::seconds kCommandLimit{30};
  using SayProblem = std::function<void(const Error&)>;  // in that thread

  Teller(std::shared_ptr<HttpClient> http, SayProblem say);
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;
  ~Teller();  // ends what is under way

  /// Never blocks.
  void tell(const TellingTargets& targets, RunNews news);
  /// Waits until all is told; false: it is not, after `limit`.
  bool finish(std::chrono::milliseconds limit);

 private:
  struct Waiting {
    TellingTargets targets;
    RunNews news;
  };
  void run(const std::stop_token& stop);
  void tellNow(const Waiting& one, const std::stop_token& stop);
  void note(bool& isSaid, const Result<void>& done);

  std::shared_ptr<HttpClient> http_;
  SayProblem say_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Waiting> waiting_;
  bool isTelling_ = false;
  bool isCommandSaid_ = false, isWebhookSaid_ = false;  // of the thread alone
  std::jthread thread_;
};

}  // namespace lockstep

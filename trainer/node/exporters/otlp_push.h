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
#include "trainer/node/exporters/exporter_settings.h"

namespace lockstep::node {

/// Pushes the newest values to an endpoint of OpenTelemetry (OTLP over HTTP, JSON) in an interval, on a thread of its own.
/// While the endpoint does not answer, a few requests wait, and are tried again after pauses that double; the oldest are given
/// up and counted. What it says it says once, and never a header, since those may be secrets.
class OtlpPush {
 public:
  static constexpr std::size_t kMaxWaiting = 8;
  using Newest = std::function<ExportedRun()>;
  using Say = std::function<void(const std::string&)>;

  /// `newest` and `say` are called on the pusher's thread.
  OtlpPush(OtlpSettings settings, std::shared_ptr<HttpClient> http, Newest newest, Say say);
  OtlpPush(const OtlpPush&) = delete;
  OtlpPush& operator=(const OtlpPush&) = delete;
  /// Pushes what there is once more, and waits for that for two seconds at most.
  ~OtlpPush();

  /// Requests that were given up so far.
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  using Steady = std::chrono::steady_clock;
  void run(const std::stop_token& stop);
  void collect();
  void sendWaiting(const std::stop_token& stop);
  enum class Outcome { Sent, Refused, Later };
  Outcome send(const std::string& document, const std::stop_token& stop);
  void putOff(std::chrono::milliseconds atLeast);
  void drop(std::size_t count);
  void tell(const std::string& problem);

  OtlpSettings settings_;
  std::shared_ptr<HttpClient> http_;
  Newest newest_;
  Say say_;
  std::string shownUrl_;
  std::deque<std::string> waiting_;
  std::chrono::milliseconds pause_{0};       // after the last failure; 0: the last request was taken
  std::chrono::milliseconds askedPause_{0};  // Retry-After of the last answer
  Steady::time_point next_{};                // of the next try
  bool isTold_ = false;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any wake_;
  std::uint64_t dropped_ = 0;
  std::jthread thread_;
};

}  // namespace lockstep::node

// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/otlp_push.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bounds.h"
#include "http/url.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kLongestPause = 5min;
constexpr std::chrono::milliseconds kLastPush = 2s;

/// Without the query, which may have a key in it.
std::string shownUrl(const std::string& url) {
  const auto parts = parseUrl(url);
  return parts ? parts->origin() + parts->target.substr(0, parts->target.find('?'))
               : std::string("the endpoint");
}

bool isWorthAnotherTry(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

std::chrono::milliseconds retryAfter(const HttpResponse& response) {
  const auto seconds = integerIn<long long>(headerValue(response.headers, "Retry-After"), 0, 3600);
  return std::chrono::seconds(seconds.value_or(0));
}

}  // namespace

OtlpPush::OtlpPush(OtlpSettings settings, std::shared_ptr<HttpClient> http, Newest newest, Say say)
    : settings_(std::move(settings)),
      http_(std::move(http)),
      newest_(std::move(newest)),
      say_(std::move(say)),
      shownUrl_(shownUrl(settings_.url)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

OtlpPush::~OtlpPush() {
  thread_.request_stop();
  thread_.join();
}

std::uint64_t OtlpPush::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void OtlpPush::run(const std::stop_token& stop) {
  auto nextLook = Steady::now() + settings_.interval;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      const auto until = waiting_.empty() ? nextLook : std::min(nextLook, next_);
      wake_.wait_until(lock, stop, until, [] { return false; });
    }
    if (stop.stop_requested()) break;
    if (Steady::now() >= nextLook) {
      collect();
      nextLook = std::max(nextLook + settings_.interval, Steady::now());
    }
    if (Steady::now() >= next_) sendWaiting(stop);
  }
  collect();
  settings_.timeout = std::min(settings_.timeout, kLastPush);
  if (!waiting_.empty() && send(waiting_.back(), {}) != Outcome::Sent) drop(1);
  if (const std::uint64_t lost = dropped(); lost > 0)
    say_(fmt::format("{} pushes of metrics to {} were given up", lost, shownUrl_));
}

void OtlpPush::collect() {
  const ExportedRun run = newest_();
  const bool isAny =
      std::ranges::any_of(run.ranks, [](const ExportedRank& rank) { return !rank.values.empty(); });
  if (!isAny) return;
  waiting_.push_back(otlpMetrics(run, settings_.resource));
  if (waiting_.size() <= kMaxWaiting) return;
  waiting_.pop_front();
  drop(1);
}

void OtlpPush::sendWaiting(const std::stop_token& stop) {
  while (!waiting_.empty() && !stop.stop_requested()) {
    const Outcome outcome = send(waiting_.front(), stop);
    if (outcome == Outcome::Later) return putOff(askedPause_);
    waiting_.pop_front();
    if (outcome == Outcome::Refused) {
      drop(1);
      continue;
    }
    pause_ = 0ms;
    if (std::exchange(isTold_, false)) say_(fmt::format("metrics are pushed to {} again", shownUrl_));
  }
}

OtlpPush::Outcome OtlpPush::send(const std::string& document, const std::stop_token& stop) {
  HttpRequest request;
  request.method = "POST";
  request.url = settings_.url;
  request.headers = settings_.headers;
  setHeader(request.headers, "Content-Type", "application/json");
  request.body = document;
  request.timeout = settings_.timeout;
  request.connectTimeout = std::min(request.connectTimeout, settings_.timeout);
  askedPause_ = 0ms;
  const auto response = http_->send(request, stop);
  if (!response) {
    if (!stop.stop_requested()) tell(response.error().what);
    return response.error().code == ErrorCode::InvalidArgument ? Outcome::Refused : Outcome::Later;
  }
  if (response->status >= 200 && response->status < 300) return Outcome::Sent;
  tell(fmt::format("it answers HTTP {}", response->status));
  if (!isWorthAnotherTry(response->status)) return Outcome::Refused;
  askedPause_ = retryAfter(*response);
  return Outcome::Later;
}

void OtlpPush::putOff(std::chrono::milliseconds atLeast) {
  pause_ = std::clamp(pause_ * 2, settings_.firstRetry, std::max(kLongestPause, settings_.firstRetry));
  next_ = Steady::now() + std::max(pause_, atLeast);
}

void OtlpPush::drop(std::size_t count) {
  const std::lock_guard lock(mutex_);
  dropped_ += count;
}

void OtlpPush::tell(const std::string& problem) {
  if (std::exchange(isTold_, true)) return;
  say_(fmt::format("warning: metrics cannot be pushed to {} now: {}", shownUrl_, problem));
}

}  // namespace lockstep::node

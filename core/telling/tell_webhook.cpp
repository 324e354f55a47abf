// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/tell_webhook.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

#include "base/version.h"
#include "http/url.h"

namespace lockstep {
namespace {

constexpr int kAttempts = 3;
constexpr std::chrono::milliseconds kFirstPause{500};

Error unusable(std::string cause) {
  return {ErrorCode::InvalidArgument,
          "the address of the webhook cannot be used",
          std::move(cause),
          "give an address that begins with https://",
          {},
          {}};
}

std::string telling(const UrlParts& url) {
  return fmt::format("the webhook at {} was not told", url.hostHeader());
}

bool isWorthAnotherTry(const Result<HttpResponse>& answer, const HttpTrace& trace) {
  if (answer) return answer->status >= 500 || answer->status == 429;
  return !trace.untrusted && (answer.error().code == ErrorCode::Unavailable ||
                              answer.error().code == ErrorCode::DeadlineExceeded);
}

void pauseFor(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

Result<void> checkWebhook(const std::string& url) {
  const auto parts = parseUrl(url);
  if (!parts) return failure(unusable("it is no address, or has a user name or a blank in it"));
  if (parts->scheme != "https" && !parts->isLoopback())
    return failure(unusable("anybody on the way could read what is sent there by http"));
  return {};
}

Result<void> tellWebhook(HttpClient& http, const std::string& url, const RunNews& news,
                         const std::stop_token& stop) {
  if (auto usable = checkWebhook(url); !usable) return usable;
  const auto parts = parseUrl(url);
  HttpRequest request;
  request.method = "POST";
  request.url = url;
  request.headers = {{"Content-Type", "application/json"}, {"User-Agent", "lockstep/" LOCKSTEP_VERSION}};
  request.body = documentOf(news);
  request.timeout = std::chrono::seconds(10);
  HttpTrace trace;
  request.trace = &trace;
  Result<HttpResponse> answer;
  for (int attempt = 1;; ++attempt) {
    answer = http.send(request, stop);
    if (attempt == kAttempts || !isWorthAnotherTry(answer, trace) || stop.stop_requested()) break;
    pauseFor(kFirstPause * (1 << (attempt - 1)), stop);
  }
  // Its cause names the path, which is where such addresses keep their secrets.
  if (!answer)
    return failure(answer.error().code, telling(*parts), answer.error().what,
                   "check the address, the network and the proxy settings (HTTPS_PROXY, NO_PROXY)");
  if (answer->status / 100 == 2) return {};
  return failure(ErrorCode::Unavailable, telling(*parts), fmt::format("it answered {}", answer->status),
                 "look at the address and at what the receiver expects (docs/formats/run-news.md)");
}

}  // namespace lockstep

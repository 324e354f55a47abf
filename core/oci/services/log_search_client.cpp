// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/log_search_client.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "base/bounds.h"
#include "base/digest.h"
#include "base/json_fields.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci/calls/json_calls.h"
#include "oci/calls/service_error.h"

namespace lockstep::oci {
namespace {

using std::chrono::milliseconds;
using MilliTime = std::chrono::sys_time<milliseconds>;

constexpr int kPageSize = 1000;                            // the most that one answer holds
constexpr std::size_t kRunsPerQuery = 16;                  // keeps a query below two kilobytes
constexpr std::int64_t kLatestMillis = 9'000'000'000'000;  // 2255: nanoseconds in 64 bits end in 2262
constexpr auto kMaxSpan = std::chrono::hours(14 * 24) - std::chrono::seconds(1);

/// Both ends included, in the service's resolution.
struct Window {
  MilliTime from, to;
};

bool isPlainId(const std::string& id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_';
  });
}

Result<void> checkIds(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    // Anything else could end the quoted text of the query.
    if (!isPlainId(id)) {
      return failure(ErrorCode::InvalidArgument, fmt::format("cannot search the log for '{}'", id),
                     "it is no OCID");
    }
  }
  return {};
}

std::string queryFor(const std::string& stream, std::span<const std::string> runs,
                     std::string_view order = "asc") {
  std::string condition;
  // The leading '*' is needed: a plain equality with the whole OCID does not match.
  for (const std::string& run : runs)
    condition += fmt::format("{}source = '*{}'", condition.empty() ? "" : " or ", run);
  return fmt::format("search \"{}\" | where {} | sort by datetime {}", stream, condition, order);
}

const nlohmann::json* member(const nlohmann::json* object, const char* name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto it = object->find(name);
  return it == object->end() ? nullptr : &*it;
}

std::string text(const nlohmann::json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<TimePoint> timeOf(const nlohmann::json* data, const nlohmann::json* content) {
  const nlohmann::json* datetime = member(data, "datetime");
  const auto millis = datetime == nullptr           ? std::nullopt
                      : datetime->is_number_float() ? integerIn(datetime->get<double>(), 0, kLatestMillis)
                                                    : wholeNumber(*datetime);
  if (millis && *millis >= 0 && *millis <= kLatestMillis) return TimePoint(milliseconds(*millis));
  return parseRfc3339(text(member(content, "time")));
}

std::optional<LogRecord> recordOf(const nlohmann::json& result) {
  const nlohmann::json* data = member(&result, "data");
  const nlohmann::json* content = member(data, "logContent");
  const auto time = timeOf(data, content);
  if (content == nullptr || !time) return std::nullopt;
  LogRecord record{text(member(content, "id")), *time, text(member(content, "source")), {}};
  const nlohmann::json* body = member(content, "data");
  const nlohmann::json* message = member(body, "message");
  record.message = message != nullptr && message->is_string() ? text(message)
                   : body != nullptr                          ? body->dump()
                                                              : std::string();
  if (record.id.empty()) {
    // Without an id of its own, the same line at the same time from the same run is the same record.
    record.id = toHex(sha256(
        fmt::format("{}\n{}\n{}", record.time.time_since_epoch().count(), record.source, record.message)));
  }
  return record;
}

class Search {
 public:
  Search(ServiceClient& services, std::string query, std::size_t most, const std::stop_token& stop)
      : services_(services), query_(std::move(query)), most_(most), stop_(stop) {}

  Result<void> read(const Window& window) {
    std::vector<LogRecord> found;
    auto complete = readPages(window, found);
    if (!complete) return failure(complete.error());
    if (*complete || window.from == window.to) return keep(std::move(found));
    const MilliTime middle = window.from + (window.to - window.from) / 2;
    if (auto first = read({window.from, middle}); !first) return first;
    if (isCut_ || records_.size() >= most_) {
      isCut_ = true;
      return {};
    }
    return read({middle + milliseconds(1), window.to});
  }

  /// What one answer brings; isCut() when that is not all. Where the service finds the window too large, of its end.
  Result<void> readOnePage(const Window& window) {
    const ServiceCall call = callFor(window);
    const auto response = services_.call(call, stop_);
    if (!response && isTooLarge(response.error()) && window.from != window.to) {
      const MilliTime middle = window.from + (window.to - window.from) / 2;
      auto rest = readOnePage({middle + milliseconds(1), window.to});
      isCut_ = true;
      return rest;
    }
    if (!response) return failure(response.error());
    std::vector<LogRecord> found;
    const auto count = readPage(call, *response, window, found);
    if (!count) return failure(count.error());
    isCut_ = *count >= kPageSize || !headerValue(response->headers, "opc-next-page").empty();
    return keep(std::move(found));
  }

  std::vector<LogRecord> take() { return std::move(records_); }
  /// There are more in the window.
  [[nodiscard]] bool isCut() const { return isCut_; }

 private:
  Result<void> keep(std::vector<LogRecord> found) {
    for (LogRecord& record : found) {
      if (ids_.insert(record.id).second) records_.push_back(std::move(record));
    }
    return {};
  }

  // False: the window holds more than the service hands out at once.
  Result<bool> readPages(const Window& window, std::vector<LogRecord>& found) {
    ServiceCall call = callFor(window);
    const std::string path = call.path;
    std::string page;
    while (true) {
      const auto response = services_.call(call, stop_);
      if (!response)
        return isTooLarge(response.error()) && window.from != window.to ? Result<bool>(false)
                                                                        : failure(response.error());
      const auto count = readPage(call, *response, window, found);
      if (!count) return failure(count.error());
      const std::string next = headerValue(response->headers, "opc-next-page");
      if (next.empty()) return *count < kPageSize;
      if (next == page) return false;
      if (records_.size() + found.size() >= most_) return isCut_ = true;
      page = next;
      call.path = path + "&page=" + percentEncode(page);
    }
  }

  [[nodiscard]] ServiceCall callFor(const Window& window) const {
    ServiceCall call;
    call.service = Service::LoggingSearch;
    call.operation = "SearchLogs";
    call.method = "POST";
    call.path = fmt::format("/20190909/search?limit={}", kPageSize);
    // One millisecond more than we want, whether the end counts or not; what is not ours is dropped again.
    call.body = nlohmann::ordered_json{
        {"timeStart", toRfc3339(window.from)},
        {"timeEnd", toRfc3339(window.to + milliseconds(1))},
        {"searchQuery", query_},
        {"isReturnFieldInfo",
         false}}.dump();
    return call;
  }

  static bool isTooLarge(const Error& error) {
    return error.service && error.service->httpStatus == 400 &&
           error.cause.find("search result is too large") != std::string::npos;
  }

  static Result<int> readPage(const ServiceCall& call, const HttpResponse& response, const Window& window,
                              std::vector<LogRecord>& found) {
    const ServiceAnswer where{toString(call.service), call.operation, 0, {}, {}};
    const auto body = nlohmann::json::parse(response.body, nullptr, false);
    const nlohmann::json* results = member(&body, "results");
    if (!body.is_object()) return failure(malformedAnswer(response, where, "its body is no object"));
    if (results == nullptr || results->is_null()) return 0;
    if (!results->is_array()) return failure(malformedAnswer(response, where, "its results are no list"));
    for (const auto& result : *results) {
      auto record = recordOf(result);
      if (!record) return failure(malformedAnswer(response, where, "a result has no content or no time"));
      const auto time = std::chrono::floor<milliseconds>(record->time);
      if (time >= window.from && time <= window.to) found.push_back(std::move(*record));
    }
    return static_cast<int>(results->size());
  }

  ServiceClient& services_;
  const std::string query_;
  const std::size_t most_;
  const std::stop_token stop_;
  bool isCut_ = false;
  std::vector<LogRecord> records_;
  std::set<std::string> ids_;
};

/// What a query searches. Refuses ids that could end its quoted text.
Result<std::string> streamOf(const std::string& compartmentId, const std::string& logGroupId,
                             const std::string& logId, const std::vector<std::string>& jobRunIds) {
  std::vector<std::string> way{compartmentId, logGroupId};
  if (!logId.empty()) way.push_back(logId);
  if (auto fine = checkIds(way); !fine) return failure(fine.error());
  if (auto fine = checkIds(jobRunIds); !fine) return failure(fine.error());
  return fmt::format("{}", fmt::join(way, "/"));
}

Window windowOf(TimePoint from, TimePoint to) {
  return {std::chrono::floor<milliseconds>(from), std::chrono::floor<milliseconds>(to)};
}

// The service refuses to look at more than 14 days at once.
Result<void> readSpans(Search& search, const Window& window) {
  for (MilliTime start = window.from; start <= window.to && !search.isCut(); start += kMaxSpan) {
    const MilliTime last = std::min<MilliTime>(window.to, start + kMaxSpan - milliseconds(1));
    if (auto done = search.read({start, last}); !done) return done;
  }
  return {};
}

}  // namespace

Result<std::vector<LogRecord>> LogSearchClient::search(
    const std::string& compartmentId, const std::string& logGroupId, const std::string& logId,
    const std::vector<std::string>& jobRunIds, TimePoint from, TimePoint to, const std::stop_token& stop) {
  auto all = searchPart(compartmentId, logGroupId, logId, jobRunIds, from, to,
                        std::numeric_limits<std::size_t>::max(), stop);
  if (!all) return failure(std::move(all.error()));
  return std::move(all->records);
}

Result<LogRecords> LogSearchClient::searchPart(const std::string& compartmentId,
                                               const std::string& logGroupId, const std::string& logId,
                                               const std::vector<std::string>& jobRunIds, TimePoint from,
                                               TimePoint to, std::size_t most, const std::stop_token& stop) {
  const auto stream = streamOf(compartmentId, logGroupId, logId, jobRunIds);
  if (!stream) return failure(stream.error());
  const Window window = windowOf(from, to);
  LogRecords all;
  for (std::size_t begin = 0; begin < jobRunIds.size(); begin += kRunsPerQuery) {
    const std::size_t count = std::min(kRunsPerQuery, jobRunIds.size() - begin);
    Search search(*services_, queryFor(*stream, std::span(jobRunIds).subspan(begin, count)), most, stop);
    if (auto done = readSpans(search, window); !done) return failure(done.error());
    std::vector<LogRecord> some = search.take();
    if (search.isCut() && !some.empty()) {
      const TimePoint last = std::ranges::max(some, {}, &LogRecord::time).time;
      const TimePoint whole = std::chrono::floor<milliseconds>(last);
      all.rest = std::min(all.rest.value_or(whole), whole);
    }
    std::ranges::move(some, std::back_inserter(all.records));
  }
  std::ranges::stable_sort(all.records, {}, &LogRecord::time);
  if (!all.rest) return all;
  std::erase_if(all.records, [&all](const LogRecord& record) { return record.time >= *all.rest; });
  // As many as that in one millisecond: it takes more of them to get beyond it.
  if (all.records.empty())
    return searchPart(compartmentId, logGroupId, logId, jobRunIds, from, to, 4 * most, stop);
  return all;
}

Result<LogRecords> LogSearchClient::searchNewest(const std::string& compartmentId,
                                                 const std::string& logGroupId, const std::string& logId,
                                                 const std::vector<std::string>& jobRunIds, TimePoint from,
                                                 TimePoint to, const std::stop_token& stop) {
  const auto stream = streamOf(compartmentId, logGroupId, logId, jobRunIds);
  if (!stream) return failure(stream.error());
  LogRecords newest;
  for (std::size_t begin = 0; begin < jobRunIds.size(); begin += kRunsPerQuery) {
    const std::size_t count = std::min(kRunsPerQuery, jobRunIds.size() - begin);
    Search search(*services_, queryFor(*stream, std::span(jobRunIds).subspan(begin, count), "desc"),
                  kPageSize, stop);
    if (auto done = search.readOnePage(windowOf(from, to)); !done) return failure(done.error());
    std::vector<LogRecord> some = search.take();
    std::ranges::reverse(some);  // of one time, as they were written
    if (search.isCut()) {
      // Of its oldest millisecond the answer may have a part only, whose lines would stand before those that come later.
      const TimePoint last = some.empty() ? to : std::ranges::min(some, {}, &LogRecord::time).time;
      const TimePoint whole = std::chrono::floor<milliseconds>(last) + milliseconds(1);
      std::erase_if(some, [whole](const LogRecord& record) { return record.time < whole; });
      newest.rest = std::max(newest.rest.value_or(from), whole);
    }
    std::ranges::move(some, std::back_inserter(newest.records));
  }
  std::ranges::stable_sort(newest.records, {}, &LogRecord::time);
  return newest;
}

}  // namespace lockstep::oci

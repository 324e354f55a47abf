// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/monitored/job_run_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/metric_catalogue.h"

namespace lockstep {

using namespace std::chrono_literals;

/// One of the service's, and what it is called here.
struct JobRunMetrics::Quantity {
  std::string_view theirs, ours;
  bool isCount = false;  // bytes of an interval; else a mean over it
};

namespace {

constexpr std::chrono::seconds kInterval = 60s;
constexpr std::chrono::seconds kAfterRefusal = 600s;
// Values come one to two minutes late, and those of one node later than those of another.
constexpr std::chrono::nanoseconds kLate = 5min;
constexpr std::chrono::hours kOldest{24 * 90};
// An answer has at most 100,000 points.
constexpr long long kMostPoints = 50'000;
// A query may be 8 KiB long as far as is known; an id has about 100 characters.
constexpr std::size_t kMostFilter = 4000;
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostJobRuns = 1000;

bool isPlainId(const std::string& id) {
  return !id.empty() && id.size() <= 255 && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

/// Those that were created, a parameter server's too; no more than can be asked about.
std::vector<std::string> idsOf(const TrainingRun& run) {
  std::vector<std::string> ids;
  for (const NodeRun& node : run.nodes)
    if (isPlainId(node.id.value) && ids.size() < kMostJobRuns) ids.push_back(node.id.value);
  return ids;
}

/// As many at a time as a query has room for.
std::vector<std::vector<std::string>> portionsOf(const std::vector<std::string>& ids, std::size_t room) {
  std::vector<std::vector<std::string>> portions;
  std::size_t length = 0;
  for (const std::string& id : ids) {
    if (portions.empty() || length + id.size() >= room) {
      portions.emplace_back();
      length = 0;
    }
    length += id.size() + 1;
    portions.back().push_back(id);
  }
  return portions;
}

/// The shortest interval that the service has from so long ago, in an answer that it gives.
std::chrono::minutes intervalOf(std::chrono::nanoseconds age, std::chrono::nanoseconds span,
                                std::size_t streams) {
  struct Kept {
    std::chrono::minutes interval;
    std::chrono::hours reach;
  };
  constexpr Kept kKept[] = {{1min, 24h * 7}, {5min, 24h * 30}, {20min, 24h * 30}, {60min, kOldest}};
  for (const Kept& kept : kKept) {
    const long long points = static_cast<long long>(streams) * (span / kept.interval + 1);
    if (age <= kept.reach && points <= kMostPoints) return kept.interval;
  }
  return 60min;
}

bool isRefusal(const Error& error) {
  return error.code == ErrorCode::NotFound || error.code == ErrorCode::PermissionDenied ||
         error.code == ErrorCode::Unauthenticated;
}

Error explained(Error error, const TrainingRun& run) {
  if (error.code == ErrorCode::Cancelled) return error;
  error.cause = error.what + (error.cause.empty() ? "" : ": " + error.cause);
  error.what = "what Monitoring has of the job runs cannot be read";
  if (error.code == ErrorCode::NotFound || error.code == ErrorCode::PermissionDenied)
    error.remedy = fmt::format(
        "ask for the policy 'allow group <yours> to read metrics in compartment id {}'; the service is asked "
        "again every {} minutes",
        run.compartmentId, std::chrono::duration_cast<std::chrono::minutes>(kAfterRefusal).count());
  return error;
}

}  // namespace

JobRunMetrics::JobRunMetrics(std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<Clock> clock)
    : client_(std::move(services)), clock_(std::move(clock)) {}

bool JobRunMetrics::isDue() const {
  return !next_ || clock_->steady() >= *next_;
}

std::optional<JobRunMetrics::Window> JobRunMetrics::nextWindow(const TrainingRun& run,
                                                               std::size_t jobRuns) const {
  const TimePoint now = clock_->now();
  Window window;
  window.begin = std::max(run.created, now - kOldest);
  if (readUntil_) window.begin = std::max(window.begin, *readUntil_ - kLate);
  TimePoint end = now;
  if (run.finished) end = std::min(end, *run.finished + kLate);
  window.interval = intervalOf(now - window.begin, end - window.begin, jobRuns);
  // An interval that has not ended has no value yet that stays, unless the run is over.
  const auto wholes = end.time_since_epoch() / window.interval;
  window.end = TimePoint(window.interval * (run.finished ? wholes + 1 : wholes));
  const auto first = window.begin.time_since_epoch() / window.interval;
  window.begin = TimePoint(window.interval * first);
  if (window.begin >= window.end) return std::nullopt;
  return window;
}

Result<std::vector<oci::MetricStream>> JobRunMetrics::ask(const Quantity& quantity,
                                                          const std::vector<std::string>& ids,
                                                          const TrainingRun& run, const Window& window,
                                                          const std::stop_token& stop) {
  oci::MetricQuery query;
  query.metric = quantity.theirs;
  query.interval = window.interval == 60min ? "1h" : fmt::format("{}m", window.interval.count());
  query.groupBy = {"resourceId"};
  query.statistic = quantity.isCount ? "sum()" : "mean()";
  if (canFilter_ || ids.size() == 1) query.oneOf["resourceId"] = ids;
  oci::MonitoringClient::Summary summary;
  summary.compartmentId = run.compartmentId;
  summary.nameSpace = oci::kJobRunMetrics;
  summary.query = oci::toMql(query);
  summary.start = window.begin;
  summary.end = window.end;
  return client_.summarize(summary, stop);
}

void JobRunMetrics::take(const Quantity& quantity, const std::vector<oci::MetricStream>& streams,
                         const Window& window, std::vector<MonitoredValue>& to) {
  const double seconds = std::chrono::duration<double>(window.interval).count();
  for (const oci::MetricStream& stream : streams) {
    const auto resource = stream.dimensions.find("resourceId");
    if (resource == stream.dimensions.end()) continue;
    const auto known = known_.find({resource->second, quantity.ours});
    if (known == known_.end()) continue;  // of another run
    TimePoint until = known->second;
    for (const oci::MetricPoint& point : stream.points) {
      const bool isNew =
          point.timestamp >= std::max(known->second, window.begin) && point.timestamp < window.end;
      if (!isNew || !std::isfinite(point.value)) continue;
      const double value = quantity.isCount ? point.value / seconds : point.value;
      to.push_back({JobRunId(resource->second), quantity.ours,
                    point.timestamp + std::chrono::nanoseconds(window.interval) / 2, value});
      until = std::max(until, point.timestamp + window.interval);
    }
    known->second = until;
  }
}

Result<std::vector<MonitoredValue>> JobRunMetrics::poll(const TrainingRun& run, const std::stop_token& stop) {
  static constexpr Quantity kQuantities[] = {
      {metric::kJobRunCpu, metric::kNodeCpuPercent},
      {metric::kJobRunMemory, metric::kNodeMemoryPercent},
      {metric::kJobRunDisk, metric::kNodeDiskPercent},
      {metric::kJobRunGpu, metric::kGpuPercent},
      {metric::kJobRunNetworkIn, metric::kNetworkInBytesPerSecond, true},
      {metric::kJobRunNetworkOut, metric::kNetworkOutBytesPerSecond, true}};
  next_ = clock_->steady() + kInterval;
  const std::vector<std::string> ids = idsOf(run);
  const auto window = nextWindow(run, ids.size());
  if (ids.empty() || !window) return std::vector<MonitoredValue>();
  std::vector<std::pair<const Quantity*, std::vector<oci::MetricStream>>> answers;
  for (const Quantity& quantity : kQuantities) {
    for (const std::vector<std::string>& portion : portionsOf(ids, canFilter_ ? kMostFilter : kNoLimit)) {
      auto streams = ask(quantity, portion, run, *window, stop);
      const bool mayBeFilter = !streams && streams.error().code == ErrorCode::InvalidArgument;
      if (mayBeFilter && ids.size() > 1 && std::exchange(canFilter_, false)) return poll(run, stop);
      if (!streams && isRefusal(streams.error())) next_ = clock_->steady() + kAfterRefusal;
      if (!streams) return failure(explained(std::move(streams.error()), run));
      answers.emplace_back(&quantity, *std::move(streams));
    }
    for (const std::string& id : ids) known_.try_emplace({id, quantity.ours}, window->begin);
  }
  std::vector<MonitoredValue> values;
  for (const auto& [quantity, streams] : answers) take(*quantity, streams, *window, values);
  if (readUntil_ || !values.empty()) readUntil_ = window->end;  // the first value may be later than others
  return values;
}

}  // namespace lockstep

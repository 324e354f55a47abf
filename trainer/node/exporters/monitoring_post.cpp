// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/monitoring_post.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/text/encoding.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kLastPost = 4s;
constexpr std::size_t kMaxName = 255;
constexpr std::size_t kMaxDimension = 512;

/// As the service wants names: a letter, then letters, digits and "._-$".
std::string streamName(const std::string& quantity) {
  std::string name;
  for (const char c : quantity) {
    const bool isFine = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    name += isFine ? c : '_';
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) name.insert(0, "q_");
  return name;
}

void addDimension(std::map<std::string, std::string>& dimensions, const char* name,
                  const std::string& value) {
  std::string text;
  for (const char c : toValidUtf8(value)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  if (!text.empty() && text.size() <= kMaxDimension) dimensions[name] = std::move(text);
}

}  // namespace

std::vector<oci::CustomMetric> customMetricsOf(const ExportedRun& run, const std::string& nameSpace,
                                               const std::string& compartmentId) {
  std::vector<oci::CustomMetric> metrics;
  for (const ExportedRank& rank : run.ranks) {
    std::map<std::string, std::string> dimensions;
    addDimension(dimensions, "run", run.run);
    addDimension(dimensions, "node", rank.node);
    addDimension(dimensions, "jobRun", rank.jobRun);
    addDimension(dimensions, "rank", std::to_string(rank.rank.value));
    for (const auto& [quantity, value] : rank.values) {
      if (!std::isfinite(value.value) || quantity.size() > kMaxName) continue;
      oci::CustomMetric metric{nameSpace, compartmentId, streamName(quantity), "", dimensions, {}, {}};
      // Two quantities whose names become the same stay two streams.
      if (metric.name != quantity) addDimension(metric.dimensions, "quantity", quantity);
      const MetricInfo* info = findMetric(quantity);
      if (info != nullptr && *symbolOf(info->unit) != '\0') metric.metadata["unit"] = symbolOf(info->unit);
      metric.points.push_back({value.time, value.value, 1});
      metrics.push_back(std::move(metric));
    }
  }
  return metrics;
}

MonitoringPost::MonitoringPost(std::shared_ptr<oci::ServiceClient> services, Place place, Newest newest,
                               Say say)
    : client_(std::move(services)),
      place_(std::move(place)),
      newest_(std::move(newest)),
      say_(std::move(say)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

MonitoringPost::~MonitoringPost() {
  thread_.request_stop();
  {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kLastPost, [this] { return isDone_; });
  }
  lastStop_.request_stop();
  thread_.join();
}

void MonitoringPost::run(const std::stop_token& stop) {
  std::chrono::milliseconds pause = place_.interval;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, pause, [] { return false; });
    }
    if (stop.stop_requested()) break;
    pause = post(stop);
  }
  post(lastStop_.get_token());
  const std::lock_guard lock(mutex_);
  isDone_ = true;
  wake_.notify_all();
}

// Two hours is as old as a point may be; what waited longer is of no use any more.
std::vector<oci::CustomMetric> MonitoringPost::changed() {
  std::vector<oci::CustomMetric> metrics = customMetricsOf(newest_(), place_.nameSpace, place_.compartmentId);
  std::erase_if(metrics, [this](const oci::CustomMetric& metric) {
    const auto known = posted_.find({metric.dimensions.at("rank"), metric.name});
    const bool isOld = known != posted_.end() && metric.points[0].timestamp <= known->second;
    return isOld || !oci::problemOf(metric, SystemClock().now()).empty();
  });
  if (metrics.size() <= kMaxStreams) return metrics;
  // What Lockstep measures itself goes first; clang 14 has no std::ranges::stable_partition.
  std::stable_partition(metrics.begin(), metrics.end(),
                        [](const oci::CustomMetric& metric) { return findMetric(metric.name) != nullptr; });
  if (!std::exchange(isManyTold_, true))
    say_(fmt::format("note: of {} quantities of the ranks here, {} are posted to Monitoring", metrics.size(),
                     kMaxStreams));
  metrics.resize(kMaxStreams);
  return metrics;
}

std::chrono::milliseconds MonitoringPost::post(const std::stop_token& stop) {
  const std::vector<oci::CustomMetric> metrics = changed();
  if (metrics.empty()) return place_.interval;
  const auto refused = client_.post(metrics, stop);
  if (refused) {
    for (const oci::CustomMetric& metric : metrics)
      posted_[{metric.dimensions.at("rank"), metric.name}] = metric.points[0].timestamp;
    if (!refused->empty())
      tell(fmt::format("{} of {} values were refused: {}", refused->size(), metrics.size(),
                       refused->front().message));
    return place_.interval;
  }
  const Error& error = refused.error();
  if (error.code == ErrorCode::Cancelled) return place_.interval;
  const bool isRefused = error.code == ErrorCode::NotFound || error.code == ErrorCode::PermissionDenied ||
                         error.code == ErrorCode::Unauthenticated;
  tell(isRefused
           ? fmt::format(
                 "{}; job runs need the policy 'allow dynamic-group <of the job runs> to use metrics in "
                 "compartment id {} where target.metrics.namespace = '{}''",
                 error.what, place_.compartmentId, place_.nameSpace)
           : describe(error));
  return isRefused ? place_.pause : place_.interval;
}

void MonitoringPost::tell(const std::string& problem) {
  if (!std::exchange(isTold_, true)) say_("warning: metrics cannot be posted to Monitoring now: " + problem);
}

}  // namespace lockstep::node

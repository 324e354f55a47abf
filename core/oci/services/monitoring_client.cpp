// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/monitoring_client.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/time_text.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;
using nlohmann::ordered_json;

constexpr std::size_t kStreamsPerCall = 50;

std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

MetricPoint readPoint(AnswerFields& f) {
  return {f.maybeTime("timestamp").value_or(TimePoint{}), f.real("value")};
}

MetricStream readStream(AnswerFields& f) {
  return {f.textOr("namespace"),  f.textOr("compartmentId"),
          f.text("name"),         f.textOr("resourceGroup"),
          f.textOr("resolution"), f.textMap("dimensions"),
          f.textMap("metadata"),  f.list("aggregatedDatapoints", &readPoint)};
}

MetricName readName(AnswerFields& f) {
  return {f.textOr("namespace"), f.textOr("name"), f.textOr("compartmentId"), f.textOr("resourceGroup"),
          f.textMap("dimensions")};
}

RefusedMetric readRefused(AnswerFields& f) {
  RefusedMetric refused;
  refused.message = f.textOr("message");
  (void)f.maybeObject("metricData", [&](AnswerFields& m) {
    refused.name = m.textOr("name");
    refused.dimensions = m.textMap("dimensions");
    return true;
  });
  return refused;
}

ordered_json metricJson(const CustomMetric& metric) {
  ordered_json json{{"namespace", metric.nameSpace},
                    {"compartmentId", metric.compartmentId},
                    {"name", metric.name},
                    {"dimensions", metric.dimensions}};
  json["datapoints"] = ordered_json::array();
  for (const auto& point : metric.points) {
    json["datapoints"].push_back(
        {{"timestamp", toRfc3339(point.timestamp)}, {"value", point.value}, {"count", point.count}});
  }
  if (!metric.resourceGroup.empty()) json["resourceGroup"] = metric.resourceGroup;
  if (!metric.metadata.empty()) json["metadata"] = metric.metadata;
  return json;
}

bool isNameSpace(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (text.empty() || !letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

bool isKey(const std::string& text) {
  return !text.empty() && text.size() <= 256 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string problemOfDimensions(const std::map<std::string, std::string>& dimensions) {
  if (dimensions.empty()) return "it has no dimension";
  if (dimensions.size() > 20)
    return fmt::format("it has {} dimensions; at most 20 are taken", dimensions.size());
  for (const auto& [key, value] : dimensions) {
    if (!isKey(key)) return fmt::format("the dimension '{}' is not 1 to 256 printable characters", key);
    if (value.empty() || value.size() > 512)
      return fmt::format("the value of the dimension '{}' has {} characters, not 1 to 512", key,
                         value.size());
  }
  return {};
}

// Never repeated unless it certainly did not arrive, but for a query, which changes nothing.
ServiceCall queryTo(std::string operation, std::string path, const ordered_json& body) {
  ServiceCall call = postTo(Service::Monitoring, std::move(operation), std::move(path), body, {});
  call.idempotent = true;
  return call;
}

}  // namespace

std::string toMql(const MetricQuery& query) {
  std::string text = fmt::format("{}[{}]", query.metric, query.interval);
  std::string filters;
  const auto add = [&](const std::string& name, const char* compare, const std::string& value) {
    filters += fmt::format("{}{} {} {}", filters.empty() ? "" : ", ", name, compare, quoted(value));
  };
  for (const auto& [name, value] : query.dimensions) add(name, "=", value);
  for (const auto& [name, values] : query.oneOf)
    add(name, values.size() == 1 ? "=" : "=~", fmt::format("{}", fmt::join(values, "|")));
  if (!filters.empty()) text += "{" + filters + "}";
  if (query.mergeStreams) text += ".grouping()";
  if (!query.groupBy.empty()) text += fmt::format(".groupBy({})", fmt::join(query.groupBy, ", "));
  return text + "." + query.statistic;
}

std::string intervalFor(std::chrono::nanoseconds span) {
  if (span < 1h) return "1m";
  if (span < 24h) return "5m";
  return span < 7 * 24h ? "20m" : "1h";
}

std::string problemOf(const CustomMetric& metric, TimePoint now) {
  if (!isNameSpace(metric.nameSpace))
    return fmt::format("the namespace '{}' is not a letter followed by letters, digits and '_'",
                       metric.nameSpace);
  if (metric.nameSpace.starts_with("oci_") || metric.nameSpace.starts_with("oracle_"))
    return fmt::format("the namespace '{}' is reserved: it begins with oci_ or oracle_", metric.nameSpace);
  if (metric.name.empty()) return "it has no name";
  if (auto problem = problemOfDimensions(metric.dimensions); !problem.empty()) return problem;
  if (metric.points.empty()) return "it has no points";
  for (const auto& point : metric.points) {
    if (point.timestamp <= now - 2h)
      return fmt::format("a point of {} is older than two hours", toRfc3339(point.timestamp));
    if (point.timestamp >= now + 10min)
      return fmt::format("a point of {} is more than ten minutes ahead", toRfc3339(point.timestamp));
  }
  return {};
}

Result<std::vector<MetricStream>> MonitoringClient::summarize(const Summary& summary,
                                                              const std::stop_token& stop) {
  ordered_json body{{"namespace", summary.nameSpace}, {"query", summary.query}};
  if (!summary.resourceGroup.empty()) body["resourceGroup"] = summary.resourceGroup;
  if (summary.start) body["startTime"] = toRfc3339(*summary.start);
  if (summary.end) body["endTime"] = toRfc3339(*summary.end);
  if (!summary.resolution.empty()) body["resolution"] = summary.resolution;
  const std::string path = pathWith("/20180401/metrics/actions/summarizeMetricsData",
                                    {{"compartmentId", summary.compartmentId},
                                     {"compartmentIdInSubtree", summary.inSubtree ? "true" : ""}});
  return callForAll(*services_, queryTo("SummarizeMetricsData", path, body), stop, &readStream);
}

Result<std::vector<MetricName>> MonitoringClient::listMetrics(const Search& search,
                                                              const std::stop_token& stop) {
  ordered_json body = ordered_json::object();
  if (!search.name.empty()) body["name"] = search.name;
  if (!search.nameSpace.empty()) body["namespace"] = search.nameSpace;
  if (!search.dimensions.empty()) body["dimensionFilters"] = search.dimensions;
  const std::string path = pathWith("/20180401/metrics/actions/listMetrics",
                                    {{"compartmentId", search.compartmentId},
                                     {"compartmentIdInSubtree", search.inSubtree ? "true" : ""},
                                     {"limit", "1000"}});
  return callForAll(*services_, queryTo("ListMetrics", path, body), stop, &readName);
}

Result<std::vector<RefusedMetric>> MonitoringClient::post(const std::vector<CustomMetric>& metrics,
                                                          const std::stop_token& stop) {
  const TimePoint now = services_->setup().clock->now();
  for (const CustomMetric& metric : metrics) {
    if (auto problem = problemOf(metric, now); !problem.empty())
      return failure(ErrorCode::InvalidArgument, fmt::format("cannot post the metric '{}'", metric.name),
                     problem);
  }
  std::vector<RefusedMetric> refused;
  for (std::size_t at = 0; at < metrics.size(); at += kStreamsPerCall) {
    ordered_json body{{"metricData", ordered_json::array()}};
    for (std::size_t i = at; i < std::min(at + kStreamsPerCall, metrics.size()); ++i)
      body["metricData"].push_back(metricJson(metrics[i]));
    const ServiceCall call =
        postTo(Service::MonitoringIngestion, "PostMetricData", "/20180401/metrics", body, {});
    const auto response = services_->call(call, stop);
    if (!response) return failure(response.error());
    const auto done = readAnswer(call, *response, [&](AnswerFields& f) {
      for (RefusedMetric& one : f.list("failedMetrics", &readRefused)) refused.push_back(std::move(one));
    });
    if (!done) return failure(done.error());
  }
  return refused;
}

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/time_text.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/monitoring/metric_points.h"
#include "rehearsal/monitoring/monitoring.h"
#include "rehearsal/service/body_reader.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr long long kOldest = 2LL * 3600 * 1000, kNewest = 10LL * 60 * 1000;
constexpr std::size_t kMaxStreamsPerCall = 50;
constexpr std::size_t kMaxDimensions = 20, kMaxKeyLength = 256, kMaxValueLength = 512;
constexpr std::size_t kMaxPointsPerStream = 10'000;

bool isPrintable(const std::string& text, bool withBlanks) {
  return std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return c > 0x20 && c < 0x7f ? true : withBlanks && (c == 0x20 || c >= 0x80);
  });
}

bool isWord(const std::string& text, std::string_view marks) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), [&](unsigned char c) {
           return std::isalnum(c) != 0 || marks.find(static_cast<char>(c)) != std::string_view::npos;
         });
}

void readNames(BodyReader& body, MetricPoint& common) {
  common.nameSpace = body.text("namespace");
  common.compartment = body.text("compartmentId");
  common.name = body.text("name");
  common.resourceGroup = body.optionalText("resourceGroup", 255).value_or("");
  if (!body.error() && !isWord(common.nameSpace, "_"))
    body.invalid("namespace", "it must begin with a letter and hold letters, digits and '_' only");
  if (common.nameSpace.starts_with("oci_") || common.nameSpace.starts_with("oracle_"))
    body.invalid("namespace", "names that begin with oci_ or oracle_ are the services' own");
  if (!body.error() && !isWord(common.name, "._-$"))
    body.invalid("name", "it must begin with a letter and hold letters, digits, '.', '_', '-', '$' only");
}

void readDimensions(BodyReader& body, MetricPoint& common) {
  if (!body.has("dimensions")) return body.missing("dimensions");
  const json dimensions = body.textMap("dimensions");
  if (body.error()) return;
  if (dimensions.empty() || dimensions.size() > kMaxDimensions)
    body.invalid("dimensions", fmt::format("there must be 1 to {} of them", kMaxDimensions));
  for (const auto& [key, value] : dimensions.items()) {
    const auto text = value.get<std::string>();
    if (key.empty() || key.size() > kMaxKeyLength || !isPrintable(key, false))
      body.invalid("dimensions",
                   fmt::format("a name must be 1 to {} printable characters without blanks", kMaxKeyLength));
    if (text.empty() || text.size() > kMaxValueLength || !isPrintable(text, true))
      body.invalid("dimensions." + key, fmt::format("it must be 1 to {} characters", kMaxValueLength));
    common.dimensions.emplace(key, text);
  }
  if (!body.has("metadata")) return;
  const json metadata = body.textMap("metadata");
  if (!body.error() && metadata.contains("unit")) common.unit = metadata["unit"].get<std::string>();
}

void readPoint(BodyReader& body, const MetricPoint& common, long long now, std::vector<MetricPoint>& points) {
  MetricPoint point = common;
  const std::string text = body.text("timestamp", 64);
  const auto time = parseRfc3339(text);
  point.millis = time ? toMillis(*time) : now;
  if (!time && !text.empty()) body.invalid("timestamp", "'" + text + "' is not an RFC 3339 time");
  if (point.millis <= now - kOldest || point.millis >= now + kNewest)
    body.invalid("timestamp", "it must be less than 2 hours ago and less than 10 minutes ahead");
  point.value = body.number("value", -1e300, 1e300);
  point.count = body.optionalNumber("count", 1, 1e9).value_or(1);
  if (!body.error()) points.push_back(std::move(point));
}

// One element of metricData; what is wrong with it, or its points.
tl::expected<std::vector<MetricPoint>, ServiceError> readMetric(const json& element, long long now) {
  std::vector<MetricPoint> points;
  if (!element.is_object()) return invalidParameter("An element of metricData is not an object.");
  BodyReader body(element);
  MetricPoint common;
  readNames(body, common);
  readDimensions(body, common);
  const auto list = element.find("datapoints");
  if (list == element.end() || !list->is_array() || list->empty() || list->size() > kMaxPointsPerStream) {
    body.invalid("datapoints", fmt::format("it must be a list of 1 to {} points", kMaxPointsPerStream));
  } else {
    for (const json& one : *list) {
      if (body.error()) break;
      if (!one.is_object()) {
        body.invalid("datapoints", "its elements must be objects");
        break;
      }
      BodyReader reader(one, "datapoints");
      readPoint(reader, common, now, points);
      if (reader.error()) return tl::unexpected<ServiceError>(*reader.error());
    }
  }
  if (body.error()) return tl::unexpected<ServiceError>(*body.error());
  return points;
}

bool mayPost(Transaction& transaction, const Call& call, const std::vector<MetricPoint>& points) {
  return std::all_of(points.begin(), points.end(), [&](const MetricPoint& point) {
    return mayIn(transaction, call, point.compartment, {{"target.metrics.namespace", point.nameSpace}});
  });
}

OperationResult postMetrics(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const bool isAtomic = body.optionalChoice("batchAtomicity", {"NON_ATOMIC", "ATOMIC"}) == "ATOMIC";
  const auto list = parsed->find("metricData");
  if (list == parsed->end()) body.missing("metricData");
  if (body.error()) return tl::unexpected(*body.error());
  if (!list->is_array() || list->empty() || list->size() > kMaxStreamsPerCall)
    return invalidParameter(
        fmt::format("The parameter 'metricData' must be a list of 1 to {} elements.", kMaxStreamsPerCall));
  json failed = json::array();
  std::vector<MetricPoint> good;
  std::vector<MetricPoint> places;  // one of each element: all its points have the same place
  for (const json& element : *list) {
    auto points = readMetric(element, toMillis(call.now));
    if (!points && isAtomic) return tl::unexpected(points.error());
    if (!points) {
      failed.push_back({{"message", points.error().message}, {"metricData", element}});
      continue;
    }
    places.push_back(points->front());
    std::move(points->begin(), points->end(), std::back_inserter(good));
  }
  Transaction transaction(database);
  if (!mayPost(transaction, call, places)) return notFound();
  saveMetricPoints(transaction, good);
  transaction.commit();
  return jsonResponse({{"failedMetricsCount", failed.size()}, {"failedMetrics", failed}});
}

}  // namespace

void addMetricIngestion(Router& router, Database& database) {
  router.add("POST", "/20180401/metrics", "PostMetricData",
             [&database](const Call& call) { return postMetrics(database, call); });
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/monitoring/monitoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/time_text.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/monitoring/aggregate.h"
#include "rehearsal/service/body_reader.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr long long kMinute = 60'000, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr std::size_t kMaxPoints = 100'000;
constexpr std::size_t kMaxStreams = 2'000;
constexpr std::size_t kMaxSamples = 2'000'000;  // that one query looks at
constexpr std::size_t kMaxWork = 50'000'000;    // sample times windows that it falls into

// The compartments that the call means: the one named, or all of the tenancy that the caller may see.
tl::expected<std::vector<std::string>, ServiceError> placesOf(Transaction& transaction, const Call& call,
                                                              const TargetFacts& facts) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return tl::unexpected<ServiceError>(missingParameter("compartmentId").value());
  if (!mayIn(transaction, call, *compartment, facts)) return tl::unexpected<ServiceError>(notFound().value());
  if (call.parameter("compartmentIdInSubtree") != "true") return std::vector{*compartment};
  const auto tenancy = tenancyOf(transaction, *compartment);
  if (tenancy != *compartment)
    return invalidParameter("With compartmentIdInSubtree, compartmentId must be the tenancy's.");
  std::vector<std::string> places;
  for (const std::string& id : compartmentsWithMetrics(transaction))
    if (tenancyOf(transaction, id) == tenancy && mayIn(transaction, call, id, facts)) places.push_back(id);
  return places;
}

struct Summary {
  std::string nameSpace, resourceGroup;
  MqlQuery query;
  Windows windows;
};

std::optional<long long> timeIn(BodyReader& body, const char* name) {
  const auto text = body.optionalText(name, 64);
  if (!text) return std::nullopt;
  const auto time = parseRfc3339(*text);
  if (!time) body.invalid(name, "'" + *text + "' is not an RFC 3339 time");
  return time ? std::optional(toMillis(*time)) : std::nullopt;
}

// How far back data of a resolution can be asked for (oci-rest-contract 4.9).
long long reachOf(long long resolution) {
  if (resolution < 5 * kMinute) return 7 * kDay;
  return resolution < kHour ? 30 * kDay : 90 * kDay;
}

void readWindows(BodyReader& body, Summary& summary, long long now) {
  Windows& windows = summary.windows;
  windows.width = windows.spacing = summary.query.intervalMillis;
  if (const auto resolution = body.optionalText("resolution", 8)) {
    const auto millis = parseMqlInterval(*resolution);
    if (!millis) body.invalid("resolution", "it is not 1m to 60m, 1h to 24h, or 1d");
    if (millis && *millis > windows.width)
      body.invalid("resolution", "it is longer than the interval of the query");
    windows.spacing = millis.value_or(windows.width);
  }
  const long long end = timeIn(body, "endTime").value_or(now);
  const long long begin = timeIn(body, "startTime").value_or(end - 3 * kHour);
  if (begin >= end) body.invalid("startTime", "it is not before endTime");
  const long long reach = reachOf(windows.spacing);
  if (begin < now - reach - kDay)
    body.invalid("startTime", fmt::format("data of this resolution reaches back {} days", reach / kDay));
  windows.begin = begin - begin % windows.spacing;
  windows.end = std::min(end, now + kHour);
}

tl::expected<Summary, ServiceError> readSummary(const json& parsed, long long now) {
  BodyReader body(parsed);
  Summary summary;
  summary.nameSpace = body.text("namespace");
  const std::string text = body.text("query", 8192);
  summary.resourceGroup = body.optionalText("resourceGroup").value_or("");
  if (body.error()) return tl::unexpected<ServiceError>(*body.error());
  auto query = parseMql(text);
  if (!query) return invalidParameter("The query is invalid: " + query.error() + ".");
  summary.query = std::move(*query);
  readWindows(body, summary, now);
  if (body.error()) return tl::unexpected<ServiceError>(*body.error());
  return summary;
}

bool isAsked(const MetricStream& stream, const std::vector<DimensionFilter>& filters) {
  return std::all_of(filters.begin(), filters.end(), [&](const DimensionFilter& filter) {
    const auto found = stream.dimensions.find(filter.dimension);
    return found == stream.dimensions.end() ? filter.isNegated : filter.accepts(found->second);
  });
}

struct Loaded {
  std::vector<MetricSeries> series;
  std::string unit;
};

tl::expected<Loaded, ServiceError> loadSeries(Transaction& transaction, const Summary& summary,
                                              const std::string& compartment, std::size_t& samples) {
  Loaded loaded;
  const Windows& windows = summary.windows;
  long long back = windows.width;
  for (const MqlStep& step : summary.query.steps) back = std::max(back, step.absentMillis);
  for (const MetricStream& stream : findStreams(
           transaction, {compartment, summary.nameSpace, summary.query.metric, summary.resourceGroup})) {
    if (!isAsked(stream, summary.query.filters)) continue;
    MetricSeries series{stream.dimensions,
                        readSamples(transaction, stream.id, windows.begin - back, windows.end + windows.width,
                                    kMaxSamples - samples + 1)};
    samples += series.samples.size();
    const auto overlap = static_cast<std::size_t>(std::max(1LL, back / windows.spacing));
    if (samples > kMaxSamples || samples * overlap > kMaxWork)
      return invalidParameter(
          "The query looks at too much data. Shorten the time range or filter by dimension.");
    if (loaded.unit.empty()) loaded.unit = stream.unit;
    loaded.series.push_back(std::move(series));
  }
  return loaded;
}

json shownSeries(const MetricSeries& series, const Summary& summary, const std::string& compartment,
                 const std::string& unit) {
  json points = json::array();
  for (const MetricSample& sample : series.samples)
    points.push_back({{"timestamp", timeText(sample.millis)}, {"value", sample.value}});
  json shown{{"namespace", summary.nameSpace}, {"compartmentId", compartment},
             {"name", summary.query.metric},   {"dimensions", series.dimensions},
             {"metadata", json::object()},     {"aggregatedDatapoints", std::move(points)}};
  shown["resourceGroup"] = summary.resourceGroup.empty() ? json() : json(summary.resourceGroup);
  if (!unit.empty()) shown["metadata"]["unit"] = unit;
  return shown;
}

OperationResult summarize(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  const auto summary = readSummary(*parsed, toMillis(call.now));
  if (!summary) return tl::unexpected(summary.error());
  std::vector<std::pair<std::string, Loaded>> loaded;
  {
    Transaction transaction(database);
    const auto places = placesOf(transaction, call, {{"target.metrics.namespace", summary->nameSpace}});
    if (!places) return tl::unexpected(places.error());
    std::size_t samples = 0;
    for (const std::string& place : *places) {
      auto series = loadSeries(transaction, *summary, place, samples);
      if (!series) return tl::unexpected(series.error());
      loaded.emplace_back(place, std::move(*series));
    }
  }
  json answer = json::array();
  std::size_t points = 0;
  for (auto& [place, data] : loaded) {  // the database is free again while this is computed
    for (const MetricSeries& series : aggregate(std::move(data.series), summary->query, summary->windows)) {
      points += series.samples.size();
      if (points > kMaxPoints || answer.size() >= kMaxStreams)
        return invalidParameter(
            fmt::format("The answer would have more than {} points or {} streams.", kMaxPoints, kMaxStreams));
      answer.push_back(shownSeries(series, *summary, place, data.unit));
    }
  }
  return jsonResponse(answer);
}

struct Listing {
  std::optional<std::string> name, nameSpace;
  std::string resourceGroup;
  json dimensionFilters;
  std::vector<std::string> groupBy;
  std::string sortBy;
  bool descending = false;
};

tl::expected<Listing, ServiceError> readListing(const std::string& text) {
  const auto parsed = text.empty() ? tl::expected<json, ServiceError>(json::object()) : parseBody(text);
  if (!parsed) return tl::unexpected<ServiceError>(parsed.error());
  BodyReader body(*parsed);
  Listing listing{body.optionalText("name"),
                  body.optionalText("namespace"),
                  body.optionalText("resourceGroup").value_or(""),
                  body.textMap("dimensionFilters"),
                  body.textList("groupBy"),
                  body.optionalChoice("sortBy", {"NAMESPACE", "NAME", "RESOURCEGROUP"}).value_or("NAME"),
                  body.optionalChoice("sortOrder", {"ASC", "DESC"}) == "DESC"};
  for (const std::string& field : listing.groupBy)
    if (field != "namespace" && field != "name" && field != "resourceGroup")
      body.invalid("groupBy", "'" + field + "' is not one of namespace, name, resourceGroup");
  if (body.error()) return tl::unexpected<ServiceError>(*body.error());
  return listing;
}

json shownStream(const MetricStream& stream, const std::vector<std::string>& groupBy) {
  json all{{"name", stream.name}, {"namespace", stream.nameSpace}, {"compartmentId", stream.compartment}};
  all["resourceGroup"] = stream.resourceGroup.empty() ? json() : json(stream.resourceGroup);
  if (groupBy.empty()) {
    all["dimensions"] = stream.dimensions;
    return all;
  }
  json some{{"compartmentId", stream.compartment}};
  for (const std::string& field : groupBy) some[field] = all[field];
  return some;
}

std::vector<json> listed(Transaction& transaction, const Listing& listing,
                         const std::vector<std::string>& places) {
  std::vector<MetricStream> streams;
  for (const std::string& place : places)
    for (MetricStream& stream :
         findStreams(transaction, {place, listing.nameSpace, listing.name, listing.resourceGroup})) {
      bool isAskedFor = true;
      for (const auto& [dimension, value] : listing.dimensionFilters.items()) {
        const auto found = stream.dimensions.find(dimension);
        isAskedFor = isAskedFor && found != stream.dimensions.end() && json(found->second) == value;
      }
      if (isAskedFor) streams.push_back(std::move(stream));
    }
  const auto key = [&](const MetricStream& s) {
    const std::string& first = listing.sortBy == "NAMESPACE" ? s.nameSpace
                               : listing.sortBy == "NAME"    ? s.name
                                                             : s.resourceGroup;
    return std::tie(first, s.nameSpace, s.name, s.id);
  };
  std::sort(streams.begin(), streams.end(), [&](const MetricStream& a, const MetricStream& b) {
    return listing.descending ? key(b) < key(a) : key(a) < key(b);
  });
  std::vector<json> shown;
  for (const MetricStream& stream : streams) {
    json one = shownStream(stream, listing.groupBy);
    const bool isNew = listing.groupBy.empty() || std::find(shown.begin(), shown.end(), one) == shown.end();
    if (isNew) shown.push_back(std::move(one));
  }
  return shown;
}

OperationResult listMetrics(Database& database, const Call& call) {
  const auto listing = readListing(call.request.body);
  if (!listing) return tl::unexpected(listing.error());
  const auto limit = call.limit(1000, 1000);
  if (!limit) return tl::unexpected(limit.error());
  std::size_t begin = 0;
  if (const auto page = call.parameter("page")) {
    const auto parts = decodePage(*page);
    const bool isGood =
        parts && parts->size() == 1 &&
        std::from_chars(parts->front().data(), parts->front().data() + parts->front().size(), begin).ec ==
            std::errc{};
    if (!isGood) return invalidParameter("The parameter 'page' is not one that this list has given.");
  }
  TargetFacts facts;
  if (listing->nameSpace) facts.emplace("target.metrics.namespace", *listing->nameSpace);
  Transaction transaction(database);
  const auto places = placesOf(transaction, call, facts);
  if (!places) return tl::unexpected(places.error());
  const std::vector<json> all = listed(transaction, *listing, *places);
  begin = std::min(begin, all.size());
  const std::size_t end = std::min(all.size(), begin + static_cast<std::size_t>(*limit));
  Response response = jsonResponse(json(std::vector<json>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                                          all.begin() + static_cast<std::ptrdiff_t>(end))));
  if (end < all.size()) response.headers.emplace_back("opc-next-page", encodePage({std::to_string(end)}));
  return response;
}

}  // namespace

void addMonitoring(Router& router, Database& database) {
  router.add("POST", "/20180401/metrics/actions/summarizeMetricsData", "SummarizeMetricsData",
             [&database](const Call& call) { return summarize(database, call); });
  router.add("POST", "/20180401/metrics/actions/listMetrics", "ListMetrics",
             [&database](const Call& call) { return listMetrics(database, call); });
}

}  // namespace lockstep::rehearsal

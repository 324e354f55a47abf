// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/exporting/otlp_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/version.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

const TimePoint kTime(1'767'225'600s + 123456789ns);

ExportedRank rankWith(int number, const std::string& node,
                      std::map<std::string, ExportedValue, std::less<>> values) {
  ExportedRank rank;
  rank.rank = Rank(number);
  rank.node = node;
  rank.jobRun = "r-" + node;
  rank.newest = kTime;
  rank.values = std::move(values);
  return rank;
}

json documentOf(const ExportedRun& run, const OtlpAttributes& resource = {}) {
  return json::parse(otlpMetrics(run, resource));
}

// Field by field, as opentelemetry/proto/metrics/v1/metrics.proto has them in their JSON form.
TEST(OtlpJson, ADocumentIsWhatTheMappingSays) {
  ExportedRank rank = rankWith(3, "main", {{"step_ms", {12.5, kTime}}});
  rank.step = 7;
  EXPECT_EQ(documentOf({"ocid1.job", {rank}}, {{"team", "a"}}), json::parse(R"({
    "resourceMetrics": [{
      "resource": {"attributes": [
        {"key": "lockstep.job_run", "value": {"stringValue": "r-main"}},
        {"key": "lockstep.node", "value": {"stringValue": "main"}},
        {"key": "lockstep.run", "value": {"stringValue": "ocid1.job"}},
        {"key": "service.name", "value": {"stringValue": "lockstep"}},
        {"key": "team", "value": {"stringValue": "a"}}]},
      "scopeMetrics": [{
        "scope": {"name": "lockstep", "version": ")" LOCKSTEP_VERSION R"("},
        "metrics": [
          {"name": "lockstep.step_ms", "description": "Step", "unit": "ms", "gauge": {"dataPoints": [
            {"attributes": [{"key": "lockstep.rank", "value": {"intValue": "3"}}],
             "timeUnixNano": "1767225600123456789", "asDouble": 12.5}]}},
          {"name": "lockstep.step", "description": "The step that the rank has reported last, from 0", "unit": "1",
           "gauge": {"dataPoints": [
            {"attributes": [{"key": "lockstep.rank", "value": {"intValue": "3"}}],
             "timeUnixNano": "1767225600123456789", "asInt": "7"}]}}]}]}]})"));
}

TEST(OtlpJson, EachNodeIsAResourceAndEachRankAPoint) {
  const json document =
      documentOf({"j",
                  {rankWith(0, "main", {{"loss", {1, kTime}}, {"own", {2, kTime}}}),
                   rankWith(1, "main", {{"loss", {3, kTime}}}),
                   rankWith(2, "worker_0", {{"loss", {4, kTime}}}), rankWith(3, "worker_1", {})}});
  const json& resources = document.at("resourceMetrics");
  ASSERT_EQ(resources.size(), 2U) << "a node that has nothing is left out";
  const json& metrics = resources[0].at("scopeMetrics")[0].at("metrics");
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].at("name"), "lockstep.loss");
  EXPECT_EQ(metrics[0].at("gauge").at("dataPoints").size(), 2U);
  EXPECT_EQ(metrics[1].at("name"), "lockstep.own");
  EXPECT_FALSE(metrics[1].contains("description"));
}

TEST(OtlpJson, WhatIsNoNumberIsAWord) {
  const json document = documentOf({"j",
                                    {rankWith(0, "main",
                                              {{"a", {std::numeric_limits<double>::quiet_NaN(), kTime}},
                                               {"b", {std::numeric_limits<double>::infinity(), kTime}},
                                               {"c", {-std::numeric_limits<double>::infinity(), kTime}}})}});
  std::vector<json> values;
  for (const json& metric : document["resourceMetrics"][0]["scopeMetrics"][0]["metrics"])
    values.push_back(metric.at("gauge").at("dataPoints")[0].at("asDouble"));
  EXPECT_EQ(values, (std::vector<json>{"NaN", "Infinity", "-Infinity"}));
}

TEST(OtlpJson, WhatSomebodyHasSetWinsAndBytesThatAreNoTextBreakNothing) {
  const json document =
      documentOf({"j", {rankWith(0, "m\xff", {{"loss", {1, kTime}}})}}, {{"service.name", "mine"}});
  std::map<std::string, std::string> attributes;
  for (const json& one : document["resourceMetrics"][0]["resource"]["attributes"])
    attributes[one.at("key")] = one.at("value").at("stringValue");
  EXPECT_EQ(attributes.at("service.name"), "mine");
  EXPECT_EQ(attributes.at("lockstep.node"), "m\xEF\xBF\xBD");
}

TEST(OtlpJson, EveryUnitHasAWord) {
  for (const MetricInfo& info : metricCatalogue()) EXPECT_STRNE(ucumOf(info.unit), "") << info.name;
  EXPECT_STREQ(ucumOf(MetricUnit::BytesPerSecond), "By/s");
}

TEST(OtlpJson, NothingIsAnEmptyList) {
  EXPECT_EQ(otlpMetrics({}, {}), R"({"resourceMetrics":[]})");
}

}  // namespace
}  // namespace lockstep

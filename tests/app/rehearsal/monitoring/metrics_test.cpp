// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <ctime>

#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

std::string timeAt(long seconds) {
  const std::time_t at = std::time(nullptr) + seconds;
  std::tm parts{};
  ::gmtime_r(&at, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
  return text;
}

class Metrics : public ::testing::Test {
 protected:
  [[nodiscard]] json metric(const std::vector<json>& points, const json& changes = json::object()) const {
    json one{{"namespace", "mine"},
             {"compartmentId", region_.place("compartmentId")},
             {"name", "gpu.power_draw"},
             {"dimensions", {{"job_run_ocid", "ocid1.x"}, {"pci_bus", "0"}}},
             {"metadata", {{"unit", "watt"}}},
             {"datapoints", points}};
    one.merge_patch(changes);
    return one;
  }
  [[nodiscard]] TestResponse post(const std::vector<json>& metrics, const json& more = json::object()) const {
    json body{{"metricData", metrics}};
    body.update(more);
    return region_.caller().post("/20180401/metrics", body);
  }
  [[nodiscard]] TestResponse summarize(const json& changes) const {
    json body{{"namespace", "mine"}, {"query", "gpu.power_draw[1m].mean()"}};
    body.merge_patch(changes);
    return region_.caller().post(
        "/20180401/metrics/actions/summarizeMetricsData?compartmentId=" + region_.place("compartmentId"),
        body);
  }
  [[nodiscard]] static json at(long seconds, double value) {
    return {{"timestamp", timeAt(seconds)}, {"value", value}};
  }
  RegionUnderTest region_;
};

TEST_F(Metrics, PostedPointsAreSummarized) {
  const TestResponse posted = post(
      {metric({at(-200, 100), at(-80, 300)}), metric({at(-80, 50)}, {{"dimensions", {{"pci_bus", "1"}}}})});
  ASSERT_EQ(posted.status, 200) << posted.body;
  EXPECT_EQ(posted.json(), (json{{"failedMetricsCount", 0}, {"failedMetrics", json::array()}}));
  EXPECT_EQ(post({metric({at(-80, 999)})}).status, 200);  // the same point again counts once, or stands apart
  const TestResponse all = summarize(json::object());
  ASSERT_EQ(all.status, 200) << all.body;
  ASSERT_EQ(all.json().size(), 2U) << all.body;
  const json first = all.json()[0];
  EXPECT_EQ(first["name"], "gpu.power_draw");
  EXPECT_EQ(first["metadata"]["unit"], "watt");
  EXPECT_EQ(first["aggregatedDatapoints"][0]["value"], 100);
  const std::string time = first["aggregatedDatapoints"][0]["timestamp"];
  EXPECT_TRUE(time.ends_with(":00.000Z")) << time;
  const json one = summarize({{"query", R"(gpu.power_draw[1h]{pci_bus = "1"}.max())"}}).json();
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]["dimensions"]["pci_bus"], "1");
  EXPECT_EQ(summarize({{"query", "gpu.power_draw[1h].grouping().count()"}, {"startTime", timeAt(-7200)}})
                .json()[0]["dimensions"],
            json::object());
  EXPECT_EQ(summarize({{"query", "other[1m].mean()"}}).json(), json::array());
  EXPECT_EQ(summarize({{"endTime", timeAt(-3600)}}).json(), json::array());
}

TEST_F(Metrics, WhatIsWrongIsRefusedByItself) {
  const std::vector<json> wrong{
      metric({at(-3 * 3600, 1)}),
      metric({at(700, 1)}),
      metric({}),
      metric({json{{"timestamp", "yesterday"}, {"value", 1}}}),
      metric({json{{"timestamp", timeAt(0)}}}),
      metric({at(0, 1)}, {{"namespace", "oci_mine"}}),
      metric({at(0, 1)}, {{"namespace", "oracle_mine"}}),
      metric({at(0, 1)}, {{"namespace", "1mine"}}),
      metric({at(0, 1)}, {{"name", "with blank"}}),
      metric({at(0, 1)}, {{"dimensions", nullptr}}),
      metric({at(0, 1)}, {{"dimensions", {{"bad key", "x"}}}}),
      metric({at(0, 1)}, {{"dimensions", {{"key", std::string(513, 'x')}}}}),
      json("no object"),
  };
  std::vector<json> batch = wrong;
  batch.push_back(metric({at(0, 1)}));
  const TestResponse posted = post(batch);
  ASSERT_EQ(posted.status, 200) << posted.body;
  EXPECT_EQ(posted.json()["failedMetricsCount"], wrong.size()) << posted.body;
  EXPECT_EQ(posted.json()["failedMetrics"][0]["metricData"]["name"], "gpu.power_draw");
  EXPECT_EQ(summarize(json::object()).json().size(), 1U);
  EXPECT_EQ(post(batch, {{"batchAtomicity", "ATOMIC"}}).code(), "InvalidParameter");
  EXPECT_EQ(post({}).code(), "InvalidParameter");
  EXPECT_EQ(post(std::vector<json>(51, metric({at(0, 1)}))).code(), "InvalidParameter");
  EXPECT_EQ(post({metric({at(0, 1)}, {{"compartmentId", "ocid1.compartment.oc1..other"}})}).code(),
            "NotAuthorizedOrNotFound");
  EXPECT_EQ(summarize({{"query", "gpu.power_draw[1m]"}}).code(), "InvalidParameter");
  EXPECT_EQ(summarize({{"query", nullptr}}).code(), "MissingParameter");
  EXPECT_EQ(summarize({{"resolution", "5m"}}).code(), "InvalidParameter");
  EXPECT_EQ(summarize({{"startTime", timeAt(-9 * 86400)}}).code(), "InvalidParameter");
  EXPECT_EQ(summarize({{"startTime", timeAt(0)}, {"endTime", timeAt(-10)}}).code(), "InvalidParameter");
  EXPECT_EQ(region_.caller().post("/20180401/metrics/actions/summarizeMetricsData", json::object()).code(),
            "MissingParameter");
}

TEST_F(Metrics, AreListed) {
  std::vector<json> batch;
  for (int i = 0; i < 7; ++i)
    batch.push_back(metric({at(0, 1)}, {{"dimensions", {{"pci_bus", std::to_string(i)}}}}));
  batch.push_back(metric({at(0, 1)}, {{"name", "another"}}));
  batch.push_back(metric({at(0, 1)}, {{"name", "grouped"}, {"resourceGroup", "g"}}));
  ASSERT_EQ(post(batch).json()["failedMetricsCount"], 0);
  const auto list = [this](const json& body, const std::string& more = {}) {
    return region_.caller().post(
        "/20180401/metrics/actions/listMetrics?compartmentId=" + region_.place("compartmentId") + more, body);
  };
  EXPECT_EQ(list(json::object()).json().size(), 8U);
  EXPECT_EQ(list({{"resourceGroup", "g"}}).json()[0]["name"], "grouped");
  EXPECT_EQ(list({{"name", "another"}}).json().size(), 1U);
  EXPECT_EQ(list({{"dimensionFilters", {{"pci_bus", "3"}}}}).json().size(), 1U);
  EXPECT_EQ(list({{"groupBy", {"name"}}}).json().size(), 2U);
  EXPECT_EQ(list({{"sortOrder", "DESC"}}).json()[0]["name"], "gpu.power_draw");
  EXPECT_EQ(list({{"groupBy", {"color"}}}).code(), "InvalidParameter");
  std::size_t seen = 0;
  std::string page;
  do {
    const TestResponse response = list(json::object(), "&limit=3" + (page.empty() ? "" : "&page=" + page));
    ASSERT_EQ(response.status, 200) << response.body;
    seen += response.json().size();
    page = response.header("opc-next-page");
  } while (!page.empty());
  EXPECT_EQ(seen, 8U);
  EXPECT_EQ(list(json::object(), "&page=nonsense").code(), "InvalidParameter");
}

}  // namespace
}  // namespace lockstep::testing

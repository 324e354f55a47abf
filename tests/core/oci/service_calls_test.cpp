// SPDX-License-Identifier: GPL-3.0-or-later
// Logging, ingestion, monitoring, limits, work requests, registry and data science, word for word
// (oci-rest-contract 4.4 to 4.11, 5).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oci/services/certificates_client.h"
#include "oci/services/data_science_client.h"
#include "oci/services/image_name.h"
#include "oci/services/limits_client.h"
#include "oci/services/log_ingestion_client.h"
#include "oci/services/logging_client.h"
#include "oci/services/monitoring_client.h"
#include "oci/services/registry_client.h"
#include "oci/services/work_request_client.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

std::string lineOf(const httplib::Request& request) {
  return request.method + " " + request.target;
}

/// Logging whose work requests end after some questions.
struct SlowLogging {
  int questions = 0;
  int until = 2;
  std::string end = "SUCCEEDED";
  json resources = json::array({{{"entityType", "loggroup"},
                                 {"actionType", "CREATED"},
                                 {"identifier", "ocid1.loggroup.oc1.iad.new"}}});
  void answer(const httplib::Request& in, httplib::Response& out) {
    if (in.target == "/20200531/workRequests/w1") {
      const bool ended = ++questions > until;
      out.set_header("retry-after", "1.5");
      return out.set_content(json{{"id", "w1"},
                                  {"operationType", "CREATE_LOG_GROUP"},
                                  {"status", ended ? end : "IN_PROGRESS"},
                                  {"percentComplete", ended ? 100.0 : 40.0},
                                  {"resources", resources}}
                                 .dump(),
                             "application/json");
    }
    if (in.method == "GET")
      return out.set_content(R"([{"id":"ocid1.loggroup.oc1.iad.byname","displayName":"logs"}])",
                             "application/json");
    out.status = 202;
    out.set_header("opc-work-request-id", "w1");
  }
};

TEST(LoggingCalls, CreatingWaitsForItsWorkRequest) {
  SlowLogging logging;
  LoopbackServer server([&](const auto& in, auto& out) { logging.answer(in, out); });
  TestService service(server.url());
  LoggingClient client(service.client);
  const auto id = client.createLogGroup({"c", "logs", ""}, "token", {});
  ASSERT_TRUE(id) << describe(id.error());
  EXPECT_EQ(*id, "ocid1.loggroup.oc1.iad.new");
  EXPECT_EQ(service.clock->sleeps(), (std::vector<std::chrono::nanoseconds>{1500ms, 1500ms}));
  EXPECT_EQ(lineOf(server.seen()[0]), "POST /20200531/logGroups");
  EXPECT_EQ(server.seen()[0].body, R"({"compartmentId":"c","displayName":"logs"})");
  EXPECT_EQ(server.seen()[0].get_header_value("opc-retry-token"), "token");
  logging.resources = json::array();
  EXPECT_EQ(*client.createLogGroup({"c", "logs", ""}, "token", {}), "ocid1.loggroup.oc1.iad.byname")
      << "found by its name when the work request names nothing";
  logging.resources = json::array({{{"identifier", "ocid1.log.oc1.iad.l"}}});
  EXPECT_EQ(*client.createLog({"g/1", "train", 60}, "token", {}), "ocid1.log.oc1.iad.l");
  ASSERT_TRUE(client.deleteLog("g/1", "l", {}));
  const auto seen = server.seen();
  const auto log = std::find_if(seen.begin(), seen.end(), [](const auto& r) {
    return lineOf(r) == "POST /20200531/logGroups/g%2F1/logs";
  });
  ASSERT_NE(log, seen.end());
  EXPECT_EQ(log->body,
            R"({"displayName":"train","logType":"CUSTOM","isEnabled":true,"retentionDuration":60})");
}

TEST(LoggingCalls, AFailedOrEndlessWorkRequestIsExplained) {
  SlowLogging logging;
  logging.end = "FAILED";
  LoopbackServer server([&](const auto& in, auto& out) { logging.answer(in, out); });
  TestService service(server.url());
  const auto failed = LoggingClient(service.client).createLogGroup({"c", "logs", ""}, "token", {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(describe(failed.error()).find("'w1' is FAILED"), std::string::npos) << describe(failed.error());
  logging.until = 1'000'000;
  const std::size_t first = service.clock->sleeps().size();
  const auto endless = WorkRequestClient(service.client).wait(Service::Logging, "w1", {}, 10s);
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().code, ErrorCode::DeadlineExceeded);
  const std::size_t sleeps = service.clock->sleeps().size() - first;
  for (const auto set : {1h, -1h}) {
    service.clock->onSleep([&] { service.clock->stepCalendar(set); });
    const std::size_t before = service.clock->sleeps().size();
    EXPECT_FALSE(WorkRequestClient(service.client).wait(Service::Logging, "w1", {}, 10s));
    EXPECT_EQ(service.clock->sleeps().size() - before, sleeps)
        << "a calendar that is set ends no limit and moves none";
  }
  std::stop_source stop;
  service.clock->onSleep([&] { stop.request_stop(); });
  const auto cancelled = WorkRequestClient(service.client).wait(Service::Logging, "w1", stop.get_token());
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

TEST(IngestionCalls, PutLogsHasTheContractsNames) {
  LoopbackServer server([](const httplib::Request&, httplib::Response&) {});
  LogIngestionClient client(TestService(server.url()).client);
  const LogBatch batch{
      "node-0", "train", "", TimePoint(1'767'225'600s), {{"hello", "id-1", {}}, {"there", "", {}}}};
  ASSERT_TRUE(client.putLogs("ocid1.log.1", {batch}, {}));
  EXPECT_EQ(lineOf(server.seen()[0]), "POST /20200831/logs/ocid1.log.1/actions/push");
  const json body = json::parse(server.seen()[0].body);
  EXPECT_EQ(body["specversion"], "1.0");
  EXPECT_EQ(body["logEntryBatches"][0]["defaultlogentrytime"], "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(body["logEntryBatches"][0]["entries"][0], (json{{"data", "hello"}, {"id", "id-1"}}));
  EXPECT_EQ(body["logEntryBatches"][0]["entries"][1]["id"].get<std::string>().size(), 36U);
  const LogBatch large{"s", "t", "", {}, {{std::string(1'000'000, 'x'), "", {}}}};
  EXPECT_EQ(client.putLogs("l", {large}, {}).error().code, ErrorCode::InvalidArgument);
}

TEST(MonitoringCalls, MqlAndItsAnswer) {
  EXPECT_EQ(toMql({"GpuUtilization", "1m", {{"resourceId", "ocid1.datasciencejobrun.x"}}}),
            "GpuUtilization[1m]{resourceId = \"ocid1.datasciencejobrun.x\"}.mean()");
  EXPECT_EQ(toMql({"M", "5m", {{"a", "1"}, {"b", "x\"y"}}, {"a"}, true, "percentile(0.95)"}),
            R"(M[5m]{a = "1", b = "x\"y"}.grouping().groupBy(a).percentile(0.95))");
  EXPECT_EQ(toMql({"M", "1m", {}, {"r"}, false, "sum()", {{"r", {"a", "b"}}}}),
            R"(M[1m]{r =~ "a|b"}.groupBy(r).sum())");
  EXPECT_EQ(toMql({"M", "1m", {}, {}, false, "sum()", {{"r", {"a"}}}}), R"(M[1m]{r = "a"}.sum())");
  EXPECT_EQ(intervalFor(59min), "1m");
  EXPECT_EQ(intervalFor(23h), "5m");
  EXPECT_EQ(intervalFor(100h), "20m");
  EXPECT_EQ(intervalFor(200h), "1h");
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content(R"([{"namespace":"oci_datascience_jobrun","compartmentId":"c","name":"GpuUtilization",
      "dimensions":{"resourceId":"r"},"metadata":{"unit":"percent"},"resourceGroup":null,
      "aggregatedDatapoints":[{"timestamp":"2026-01-01T00:01:00Z","value":42},{"timestamp":"2026-01-01T00:02:00.000Z","value":43.5}]}])",
                    "application/json");
  });
  MonitoringClient client(TestService(server.url()).client);
  const auto streams = client.summarize(
      {"c/1", kJobRunMetrics, "Q", "", TimePoint(1'767'225'600s), std::nullopt, "", false}, {});
  ASSERT_TRUE(streams) << describe(streams.error());
  EXPECT_EQ((*streams)[0].points[1].value, 43.5);
  EXPECT_EQ((*streams)[0].points[0].timestamp, TimePoint(1'767'225'660s));
  EXPECT_EQ((*streams)[0].metadata.at("unit"), "percent");
  EXPECT_EQ(lineOf(server.seen()[0]),
            "POST /20180401/metrics/actions/summarizeMetricsData?compartmentId=c%2F1");
  EXPECT_EQ(server.seen()[0].body,
            R"({"namespace":"oci_datascience_jobrun","query":"Q","startTime":"2026-01-01T00:00:00.000Z"})");
}

TEST(MonitoringCalls, PostsInPortionsAndChecksTheBounds) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content(
        R"({"failedMetricsCount":1,"failedMetrics":[{"message":"too old","metricData":{"name":"m"}}]})",
        "application/json");
  });
  TestService service(server.url());
  MonitoringClient client(service.client);
  const TimePoint now = service.clock->now();
  CustomMetric good{"lockstep", "c", "gpu.power", "", {{"rank", "0"}}, {}, {{now, 1.5, 1}}};
  const auto refused = client.post(std::vector<CustomMetric>(120, good), {});
  ASSERT_TRUE(refused) << describe(refused.error());
  EXPECT_EQ(server.count(), 3U);
  EXPECT_EQ(refused->size(), 3U);
  EXPECT_EQ((*refused)[0].message, "too old");
  EXPECT_EQ(json::parse(server.seen()[2].body)["metricData"].size(), 20U);
  const std::function<void(CustomMetric&)> mistakes[] = {
      [](auto& m) { m.nameSpace = "oci_mine"; },
      [](auto& m) { m.nameSpace = "oracle_mine"; },
      [](auto& m) { m.nameSpace = "1a"; },
      [](auto& m) { m.nameSpace = "a-b"; },
      [](auto& m) { m.name.clear(); },
      [](auto& m) { m.dimensions.clear(); },
      [](auto& m) {
        for (int i = 0; i < 21; ++i) m.dimensions["d" + std::to_string(i)] = "v";
      },
      [](auto& m) { m.dimensions["with blank"] = "v"; },
      [](auto& m) { m.dimensions[std::string(257, 'k')] = "v"; },
      [](auto& m) { m.dimensions["k"] = std::string(513, 'v'); },
      [](auto& m) { m.points.clear(); },
      [&](auto& m) { m.points[0].timestamp = now - 2h; },
      [&](auto& m) { m.points[0].timestamp = now + 10min; },
  };
  for (const auto& mistake : mistakes) {
    CustomMetric bad = good;
    mistake(bad);
    EXPECT_FALSE(problemOf(bad, now).empty());
    EXPECT_EQ(client.post({good, bad}, {}).error().code, ErrorCode::InvalidArgument);
  }
  EXPECT_EQ(server.count(), 3U) << "nothing of it was sent";
  EXPECT_EQ(problemOf(good, now), "");
}

TEST(LimitsCalls, NumbersThatAreNotGivenAreAbsent) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    if (in.target.find("resourceAvailability") != std::string::npos)
      return out.set_content(R"({"used":3,"available":5,"fractionalUsage":null})", "application/json");
    out.set_content(
        R"([{"name":"ds-gpu-a10-count","scopeType":"REGION","availabilityDomain":null,"value":8}])",
        "application/json");
  });
  LimitsClient client(TestService(server.url()).client);
  const auto values = client.listLimitValues("t", "data-science", {});
  ASSERT_TRUE(values) << describe(values.error());
  EXPECT_EQ((*values)[0].value, 8);
  const auto use = client.getResourceAvailability("c", "data-science", "ds-gpu-a10-count", "", {});
  ASSERT_TRUE(use);
  EXPECT_EQ(use->used, 3);
  EXPECT_EQ(use->available, 5);
  EXPECT_FALSE(use->fractionalUsage);
  EXPECT_EQ(lineOf(server.seen()[0]),
            "GET /20190729/limitValues?compartmentId=t&serviceName=data-science&limit=1000");
  EXPECT_EQ(
      lineOf(server.seen()[1]),
      "GET /20190729/services/data-science/limits/ds-gpu-a10-count/resourceAvailability?compartmentId=c");
}

TEST(RegistryCalls, LoginConfigurationAndRepositories) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    if (in.target == "/20180419/docker/token")
      return out.set_content(R"({"token":"jwt","expires_in":3600})", "application/json");
    out.set_content(
        R"({"id":"r","displayName":"team/x","namespace":"ns","isRepositoryCreatedOnFirstPush":true})",
        "application/json");
  });
  RegistryClient client(TestService(server.url()).client);
  const auto token = client.loginToken({});
  ASSERT_TRUE(token) << describe(token.error());
  EXPECT_EQ(token->token.reveal(), "jwt");
  EXPECT_EQ(token->expiresIn, 3600s);
  EXPECT_EQ(server.seen()[0].get_header_value("Accept"), "application/json");
  EXPECT_TRUE(client.getConfiguration("c", {})->isRepositoryCreatedOnFirstPush);
  EXPECT_EQ(client.createRepository({"c", "team/x", false, false, "# hi"}, "t", {})->displayName, "team/x");
  EXPECT_EQ(server.seen()[2].body,
            R"({"compartmentId":"c","displayName":"team/x","isImmutable":false,"isPublic":false,)"
            R"("readme":{"content":"# hi","format":"TEXT_MARKDOWN"}})");
}

TEST(RegistryCalls, ANumberThatNoVariableHoldsIsAFlawOfTheAnswer) {
  for (const char* number : {"1e300", "-1e19", "18446744073709551615"}) {
    LoopbackServer server([&](const httplib::Request&, httplib::Response& out) {
      out.set_content(fmt::format(R"({{"token":"jwt","expires_in":{}}})", number), "application/json");
    });
    const auto token = RegistryClient(TestService(server.url()).client).loginToken({});
    ASSERT_FALSE(token) << number;
    EXPECT_NE(token.error().cause.find("expires_in"), std::string::npos) << describe(token.error());
  }
}

TEST(ImageNames, AreReadAndWritten) {
  const std::string digest = "sha256:" + std::string(64, 'a');
  for (const std::string& good : {std::string("iad.ocir.io/ns/team/trainer:1"), "iad.ocir.io/ns/x@" + digest,
                                  "iad.ocir.io/ns/x:v1.2-rc_1@" + digest,
                                  std::string("ocir.uk-gov-london-1.oci.oraclegovcloud.uk/ns/a:b")}) {
    const auto name = parseImageName(good);
    ASSERT_TRUE(name) << describe(name.error());
    EXPECT_EQ(name->toString(), good);
  }
  for (const std::string bad :
       {"", "x", "iad.ocir.io/x:1", "iad.ocir.io/ns/x", "localhost/ns/x:1", "iad.ocir.io//x:1",
        "iad.ocir.io/ns/X:1", "iad.ocir.io/ns/a//b:1", "iad.ocir.io/ns/x:-1", "iad.ocir.io/ns/x@sha256:1",
        "https://iad.ocir.io/ns/x:1"})
    EXPECT_FALSE(parseImageName(bad)) << bad;
  EXPECT_EQ(registryHost(*findRegion("us-ashburn-1")), "iad.ocir.io");
  EXPECT_EQ(registryHost(*findRegion("uk-gov-london-1")), "ocir.uk-gov-london-1.oci.oraclegovcloud.uk");
  EXPECT_EQ(serviceUrl(Service::Registry, *findRegion("iad")), "https://us-ashburn-1.ocir.io");
  EXPECT_EQ(registryUserName("ns", "jane"), "ns/jane");
  EXPECT_EQ(registryUserName("ns", "jane", AccountKind::Federated), "ns/oracleidentitycloudservice/jane");
  EXPECT_EQ(registryUserName("ns", "jane", AccountKind::IdentityDomain, "dom"), "ns/dom/jane");
}

TEST(CertificateCalls, BringTheKeyOfACertificateAndSayWhatIsMissing) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    if (in.path.ends_with("/none")) {
      out.status = 404;
      return out.set_content(R"({"code":"NotAuthorizedOrNotFound","message":"no such thing"})",
                             "application/json");
    }
    if (in.path.ends_with("/empty")) return out.set_content("{}", "application/json");
    out.set_content(R"({"certificatePem":"C","certChainPem":"chain","privateKeyPem":"K"})",
                    "application/json");
  });
  CertificatesClient client(TestService(server.url()).client);
  const auto certificate = client.getCertificate("ocid1.certificate/x", {});
  ASSERT_TRUE(certificate) << describe(certificate.error());
  EXPECT_EQ(certificate->certificate, "C");
  EXPECT_EQ(certificate->chain, "chain");
  EXPECT_EQ(certificate->privateKey.reveal(), "K");
  EXPECT_EQ(server.seen()[0].target,
            "/20210224/certificateBundles/ocid1.certificate%2Fx"
            "?certificateBundleType=CERTIFICATE_CONTENT_WITH_PRIVATE_KEY");
  EXPECT_FALSE(server.seen()[0].get_header_value("Authorization").empty());
  ASSERT_TRUE(client.getAuthority("ca", {}));
  EXPECT_EQ(server.seen()[1].target, "/20210224/certificateAuthorityBundles/ca");
  const auto none = client.getAuthority("none", {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().cause.find("404 no such thing"), std::string::npos) << none.error().cause;
  EXPECT_NE(none.error().remedy.find("certificate-authority-bundles"), std::string::npos);
  EXPECT_EQ(client.getAuthority("empty", {}).error().code, ErrorCode::DataLoss);
}

TEST(DataScienceCalls, ArtifactsDeletesAndMoves) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    if (in.method == "GET" && in.target.ends_with("/artifact/content")) {
      out.set_header("content-disposition", "attachment; filename=\"train.py\"");
      return out.set_content("print(1)", "application/octet-stream");
    }
    if (in.method == "HEAD") {
      out.set_header("content-disposition", "attachment; filename=train.py");
      return out.set_content("print(1)", "application/octet-stream");
    }
    out.set_header("opc-work-request-id", "w9");
    out.status = 204;
  });
  DataScienceClient client(TestService(server.url()).client);
  ASSERT_TRUE(client.createJobArtifact("j", "train.py", "print(1)", "t", {}));
  const auto sent = server.seen()[0];
  EXPECT_EQ(lineOf(sent), "POST /20190101/jobs/j/artifact");
  EXPECT_EQ(sent.get_header_value("content-disposition"), "attachment; filename=train.py");
  EXPECT_EQ(sent.get_header_value("opc-retry-token"), "t");
  EXPECT_FALSE(sent.has_header("x-content-sha256"));
  EXPECT_EQ(client.createJobArtifact("j", "a/b.py", "", "t", {}).error().code, ErrorCode::InvalidArgument);
  const auto head = client.headJobArtifact("j", {});
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->fileName, "train.py");
  EXPECT_EQ(head->size, 8U);
  EXPECT_EQ(*client.getJobArtifact("j", {}), "print(1)");
  EXPECT_EQ(*client.deleteJob("j", {}, DataScienceClient::Related::DeleteJobRuns), "w9");
  EXPECT_EQ(lineOf(server.seen().back()), "DELETE /20190101/jobs/j?deleteRelatedJobRuns=true");
  ASSERT_TRUE(client.changeJobCompartment("j", "c2", {}));
  EXPECT_EQ(lineOf(server.seen().back()), "POST /20190101/jobs/j/actions/changeCompartment");
  EXPECT_EQ(server.seen().back().body, R"({"compartmentId":"c2"})");
  ASSERT_TRUE(client.deleteJobRun("r", {}));
  EXPECT_EQ(lineOf(server.seen().back()), "DELETE /20190101/jobRuns/r");
}

TEST(DataScienceCalls, ShapesHaveNoNumberOfGpus) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content(
        R"([{"name":"VM.GPU.A10.1","coreCount":15,"memoryInGBs":240,"shapeSeries":"NVIDIA_GPU"}])",
        "application/json");
  });
  DataScienceClient client(TestService(server.url()).client);
  const auto shapes = client.listJobShapes("c", {});
  ASSERT_TRUE(shapes);
  EXPECT_EQ((*shapes)[0].coreCount, 15);
  EXPECT_EQ((*shapes)[0].shapeSeries, "NVIDIA_GPU");
  EXPECT_TRUE(client.listFastLaunchConfigs("c", {}));
}

}  // namespace
}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_region.h"

#include <openssl/rsa.h>

#include <stdexcept>

#include "http/curl_http_client.h"

namespace lockstep {
namespace {

using nlohmann::json;

class TestCredentials final : public oci::Credentials {
 public:
  Result<oci::SigningIdentity> current() override {
    static const std::shared_ptr<EVP_PKEY> kKey(EVP_RSA_gen(2048), EVP_PKEY_free);
    return oci::SigningIdentity{"ocid1.tenancy..t/ocid1.user..u/aa:bb", kKey};
  }
};

void refuse(httplib::Response& response, int status, const std::string& code, const std::string& message) {
  response.status = status;
  response.set_content(json{{"code", code}, {"message", message}}.dump(), "application/json");
}

void answer(httplib::Response& response, const json& body) {
  response.set_content(body.dump(), "application/json");
}

}  // namespace

FakeRegion::FakeRegion() {
  routes();
  port_ = server_.bind_to_any_port("127.0.0.1");
  thread_ = std::thread([this] { server_.listen_after_bind(); });
  while (!server_.is_running()) std::this_thread::yield();
}

FakeRegion::~FakeRegion() {
  server_.stop();
  thread_.join();
}

std::shared_ptr<oci::ServiceClient> FakeRegion::client(std::shared_ptr<Clock> clock, int maxAttempts) const {
  oci::ServiceClient::Setup setup;
  setup.endpoint = "http://127.0.0.1:" + std::to_string(port_);
  setup.credentials = std::make_shared<TestCredentials>();
  setup.http = makeCurlHttpClient();
  setup.clock = std::move(clock);
  setup.maxAttempts = maxAttempts;
  return std::make_shared<oci::ServiceClient>(std::move(setup));
}

FakeRegion::Run& FakeRegion::runNamed(const std::string& name) {
  for (Run& run : runs) {
    if (run.name == name) return run;
  }
  throw std::runtime_error("no run " + name);
}

void FakeRegion::setState(const std::string& name, const std::string& state, const std::string& details) {
  const std::lock_guard lock(mutex);
  Run& run = runNamed(name);
  run.state = state;
  run.details = details;
}

json FakeRegion::rowOf(const Run& run) {
  json row{{"id", run.id},
           {"jobId", run.jobId},
           {"displayName", run.name},
           {"lifecycleState", run.state},
           {"lifecycleDetails", run.details.empty() ? json(nullptr) : json(run.details)},
           {"timeAccepted", "2026-01-01T00:00:00Z"}};
  if (!run.finished.empty()) row["timeFinished"] = run.finished;
  return row;
}

void FakeRegion::createRun(const httplib::Request& request, httplib::Response& response) {
  const std::unique_lock lock(mutex);
  const int index = static_cast<int>(runs.size());
  if (onCreateRun) onCreateRun(index);
  const json body = json::parse(request.body);
  createdBodies.push_back(body);
  if (index == failCreateRunAt) return refuse(response, 400, "LimitExceeded", "no more GPUs for you");
  runs.push_back({"ocid1.datasciencejobrun.oc1.test.r" + std::to_string(index), body.at("jobId"),
                  body.at("displayName"), "ACCEPTED", "", "", request.get_header_value("opc-retry-token")});
  if (index == loseAnswerOfRunAt) return refuse(response, 502, "", "");
  answer(response, rowOf(runs.back()));
}

void FakeRegion::cancelRun(const std::string& id, httplib::Response& response) {
  const std::lock_guard lock(mutex);
  cancelled.push_back(id);
  if (refuseCancelWith != 0) return refuse(response, refuseCancelWith, "Refused", "the script says so");
  for (Run& run : runs) {
    if (run.id != id) continue;
    if (run.state == "SUCCEEDED" || run.state == "FAILED" || run.state == "CANCELED") {
      return refuse(response, 409, "IncorrectState", "it has ended");
    }
    run.state = cancelEndsAtOnce ? "CANCELED" : "CANCELING";
  }
  response.status = 204;
}

void FakeRegion::routes() {
  server_.set_pre_routing_handler([](const httplib::Request&, httplib::Response& response) {
    response.set_header("opc-request-id", "TEST/1");
    return httplib::Server::HandlerResponse::Unhandled;
  });
  server_.Post("/20190101/jobs", [this](const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex);
    createdBodies.push_back(json::parse(request.body));
    jobTokens.push_back(request.get_header_value("opc-retry-token"));
    answer(response, {{"id", jobId}, {"lifecycleState", "ACTIVE"}});
  });
  server_.Post("/20190101/jobRuns",
               [this](const auto& request, auto& response) { createRun(request, response); });
  server_.Get("/20190101/jobRuns", [this](const httplib::Request&, httplib::Response& response) {
    const std::lock_guard lock(mutex);
    if (refuseLists) return refuse(response, 404, "NotAuthorizedOrNotFound", "no");
    json rows = json::array();
    for (const Run& run : runs) rows.push_back(rowOf(run));
    answer(response, rows);
  });
  server_.Get(R"(/20190101/jobRuns/([^/]+))",
              [this](const httplib::Request& request, httplib::Response& response) {
                const std::lock_guard lock(mutex);
                for (const Run& run : runs) {
                  if (run.id != request.matches[1]) continue;
                  json row = rowOf(run);
                  if (!run.nodeGroups.is_null()) row["nodeGroupDetailsList"] = run.nodeGroups;
                  return answer(response, row);
                }
                refuse(response, 404, "NotAuthorizedOrNotFound", "no such job run");
              });
  server_.Post(R"(/20190101/jobRuns/([^/]+)/actions/cancelJobRun)",
               [this](const httplib::Request& request, httplib::Response& response) {
                 cancelRun(request.matches[1], response);
               });
  server_.Get(R"(/20190101/jobs/([^/]+))", [](const httplib::Request& request, httplib::Response& response) {
    answer(response,
           {{"id", request.matches[1]}, {"compartmentId", "c"}, {"timeCreated", "2026-01-01T00:00:00Z"}});
  });
  server_.Delete(R"(/20190101/jobs/([^/]+))",
                 [this](const httplib::Request& request, httplib::Response& response) {
                   const std::lock_guard lock(mutex);
                   deletedJobs.push_back(request.matches[1]);
                   response.status = 204;
                 });
  server_.Get(R"(/n/[^/]+/b/([^/]+)/o/(.+))", [this](const httplib::Request& request,
                                                     httplib::Response& response) {
    const std::lock_guard lock(mutex);
    const auto found = objects.find(std::string(request.matches[1]) + "/" + std::string(request.matches[2]));
    if (found == objects.end()) return refuse(response, 404, "ObjectNotFound", "no such object");
    response.set_content(found->second, "application/octet-stream");
  });
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"
#include "oci/services/network_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_storage_client.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

using nlohmann::json;

LoopbackServer::Handler answering(const json& body) {
  return [text = body.dump()](const httplib::Request&, httplib::Response& out) {
    out.set_content(text, "application/json");
  };
}

TEST(DataScienceClient, FollowsPagesEvenEmptyOnes) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    const std::string page = in.get_param_value("page");
    if (page.empty()) {
      out.set_header("opc-next-page", "p&2=");
      out.set_content(R"([{"id":"a"}])", "application/json");
    } else if (page == "p&2=") {
      out.set_header("opc-next-page", "p3");
      out.set_content("[]", "application/json");
    } else {
      out.set_content(R"([{"id":"b"},{"id":"c"}])", "application/json");
    }
  });
  DataScienceClient client(TestService(server.url()).client);
  const auto runs = client.listJobRuns("ocid1.compartment.oc1..c", "ocid1.datasciencejob.oc1.iad.j", {});
  ASSERT_TRUE(runs) << describe(runs.error());
  ASSERT_EQ(runs->size(), 3U);
  EXPECT_EQ((*runs)[2]["id"], "c");
  const auto seen = server.seen();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].target,
            "/20190101/"
            "jobRuns?compartmentId=ocid1.compartment.oc1..c&limit=100&jobId=ocid1.datasciencejob.oc1.iad.j");
  EXPECT_TRUE(seen[1].target.ends_with("&page=p%262%3D")) << seen[1].target;
}

TEST(DataScienceClient, PagesThatTurnInCirclesEnd) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_header("opc-next-page", "same");
    out.set_content("[]", "application/json");
  });
  const auto projects = DataScienceClient(TestService(server.url()).client).listProjects("c", {});
  ASSERT_FALSE(projects);
  EXPECT_EQ(projects.error().code, ErrorCode::DataLoss);
}

TEST(DataScienceClient, SendsBodiesInTheirOrderWithTheToken) {
  LoopbackServer server(answering({{"id", "new"}}));
  DataScienceClient client(TestService(server.url()).client);
  const nlohmann::ordered_json body = {
      {"projectId", "p"}, {"compartmentId", "c"}, {"displayName", "\xc3\xa9"}};
  ASSERT_TRUE(client.createJob(body, "token-1", {}));
  ASSERT_TRUE(client.createJobRun(body, "token-2", {}));
  ASSERT_TRUE(client.createProject({"c", "", ""}, "token-3", {}));
  const auto seen = server.seen();
  EXPECT_EQ(seen[0].method + " " + seen[0].target, "POST /20190101/jobs");
  EXPECT_EQ(seen[0].body, "{\"projectId\":\"p\",\"compartmentId\":\"c\",\"displayName\":\"\xc3\xa9\"}");
  EXPECT_EQ(seen[0].get_header_value("opc-retry-token"), "token-1");
  EXPECT_EQ(seen[0].get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(seen[1].target, "/20190101/jobRuns");
  EXPECT_EQ(seen[1].get_header_value("opc-retry-token"), "token-2");
  EXPECT_EQ(seen[2].target, "/20190101/projects");
}

TEST(DataScienceClient, TheOtherOperations) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    if (in.method == "GET") return out.set_content(R"({"id":"x","unknownField":[1]})", "application/json");
    out.status = 204;
  });
  DataScienceClient client(TestService(server.url()).client);
  EXPECT_EQ((*client.getJob("j/1", {}))["id"], "x");
  EXPECT_TRUE(client.getJobRun("r", {}));
  EXPECT_TRUE(client.cancelJobRun("r", {}));
  EXPECT_TRUE(client.deleteJob("j", {}));
  const auto seen = server.seen();
  EXPECT_EQ(seen[0].target, "/20190101/jobs/j%2F1");
  EXPECT_EQ(seen[1].target, "/20190101/jobRuns/r");
  EXPECT_EQ(seen[2].method + " " + seen[2].target, "POST /20190101/jobRuns/r/actions/cancelJobRun");
  EXPECT_EQ(seen[2].get_header_value("Content-Length"), "0");
  EXPECT_EQ(seen[2].get_header_value("x-content-sha256"), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(seen[3].method + " " + seen[3].target, "DELETE /20190101/jobs/j");
}

TEST(DataScienceClient, CancellingAnEndedRunFailsAtOnce) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    refuseWith(out, 409, "IncorrectState", "it has ended");
  });
  const auto done = DataScienceClient(TestService(server.url()).client).cancelJobRun("r", {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(server.count(), 1U);
}

TEST(DataScienceClient, AnAnswerThatIsNoJsonIsDataLoss) {
  for (const char* body : {"<html>", "[]", "", "\"text\"", "{\"a\":"}) {
    LoopbackServer server(
        [&](const httplib::Request&, httplib::Response& out) { out.set_content(body, "application/json"); });
    const auto job = DataScienceClient(TestService(server.url()).client).getJob("j", {});
    ASSERT_FALSE(job) << body;
    EXPECT_EQ(job.error().code, ErrorCode::DataLoss);
    EXPECT_EQ(job.error().service->operation, "GetJob");
    EXPECT_EQ(job.error().service->httpStatus, 200);
  }
  LoopbackServer server(answering(json::array({1, 2})));
  EXPECT_FALSE(DataScienceClient(TestService(server.url()).client).listProjects("c", {}))
      << "items must be objects";
}

TEST(IdentityAndNetwork, ReadTheirPaths) {
  LoopbackServer server(answering({{"id", "x"}}));
  TestService service(server.url());
  EXPECT_TRUE(IdentityClient(service.client).getTenancy("t", {}));
  EXPECT_TRUE(IdentityClient(service.client).getUser("u", {}));
  EXPECT_TRUE(NetworkClient(service.client).getSubnet("s", {}));
  EXPECT_EQ(server.seen()[0].target, "/20160918/tenancies/t");
  EXPECT_EQ(server.seen()[1].target, "/20160918/users/u");
  EXPECT_EQ(server.seen()[2].target, "/20160918/subnets/s");
}

TEST(ObjectStorageClient, NamespaceAndBucket) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    out.set_content(in.target == "/n" ? "\"ansh81vru1zp\"" : R"({"name":"b"})", "application/json");
  });
  ObjectStorageClient client(TestService(server.url()).client);
  EXPECT_EQ(*client.getNamespace({}), "ansh81vru1zp");
  EXPECT_EQ(client.getBucket("n", "b", {})->name, "b");
  EXPECT_TRUE(client.createBucket("n", {"b", "c"}, {}));
  EXPECT_EQ(server.seen()[1].target, "/n/n/b/b?fields=approximateCount,approximateSize");
  EXPECT_EQ(server.seen()[2].method + " " + server.seen()[2].target, "POST /n/n/b");
}

TEST(ObjectStorageClient, RangesAndChecksums) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    out.set_header("content-md5", in.path.ends_with("bad") ? std::string("AAAAAAAAAAAAAAAAAAAAAA==")
                                                           : toBase64(md5("01234")));
    out.set_content("01234", "application/octet-stream");
  });
  ObjectStorageClient client(TestService(server.url()).client);
  ObjectStorageClient::Range range;
  range.first = 1;
  ASSERT_TRUE(client.getObject("n", "b", "o", range, {}));
  EXPECT_EQ(server.seen()[0].get_header_value("Range"), "bytes=1-");
  range.last = 3;
  const auto part = client.getObject("n", "b", "bad", range, {});
  ASSERT_TRUE(part) << "the checksum is that of the whole object";
  EXPECT_EQ(*part, "123");
  const auto bad = client.getObject("n", "b", "bad", std::nullopt, {});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::DataLoss);
}

TEST(ObjectStorageClient, RefusesNamesThatCannotBe) {
  ObjectStorageClient client(TestService("http://127.0.0.1:1").client);
  for (const std::string& name : {std::string(), std::string("a\nb"), std::string("a\0b", 3),
                                  std::string(1025, 'x'), std::string("\xff")}) {
    EXPECT_EQ(client.putObject("n", "b", name, "x", {}).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(client.getObject("n", "b", name, std::nullopt, {}).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(client.deleteObject("n", "b", name, {}).error().code, ErrorCode::InvalidArgument);
  }
}

TEST(OpenServiceClient, UsesTheProfile) {
  LoopbackServer server(answering({{"id", "t"}}));
  const TempDir dir;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "key.pem", samplePem(), 0600));
  Profile profile;
  profile.name = "P";
  profile.tenancy = "T";
  profile.user = "U";
  profile.fingerprint = kSampleFingerprint;
  profile.keyFile = dir.path() / "key.pem";
  profile.region = "rehearsal";
  profile.endpoint = server.url();
  const auto services = openServiceClient(profile);
  ASSERT_TRUE(services) << describe(services.error());
  ASSERT_TRUE(IdentityClient(*services).getTenancy("T", {}));
  EXPECT_NE(
      server.seen()[0].get_header_value("Authorization").find("keyId=\"T/U/" + kSampleFingerprint + "\""),
      std::string::npos);
  profile.keyFile = dir.path() / "none";
  EXPECT_FALSE(openServiceClient(profile));
}

TEST(OpenServiceClient, InAJobRun) {
  LoopbackServer server(answering({{"id", "t"}}));
  const TempDir dir;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "key.pem", samplePem(), 0600));
  std::map<std::string, std::string> environment = {
      {"OCI_RESOURCE_PRINCIPAL_VERSION", "2.2"},
      {"OCI_RESOURCE_PRINCIPAL_RPST", "token"},
      {"OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM", (dir.path() / "key.pem").string()},
      {"OCI_RESOURCE_PRINCIPAL_REGION", "phx"}};
  const auto inCloud = openServiceClientInJobRun(environment);
  ASSERT_TRUE(inCloud) << describe(inCloud.error());
  EXPECT_EQ((*inCloud)->baseUrl(Service::DataScience),
            "https://datascience.us-phoenix-1.oci.oraclecloud.com");
  environment["OCI_CLI_ENDPOINT"] = server.url();
  const auto rehearsed = openServiceClientInJobRun(environment);
  ASSERT_TRUE(rehearsed);
  ASSERT_TRUE(IdentityClient(*rehearsed).getTenancy("T", {}));
  EXPECT_NE(server.seen()[0].get_header_value("Authorization").find("keyId=\"ST$token\""), std::string::npos);

  ASSERT_TRUE(
      writeFileAtomically(dir.path() / "config", "[MINE]\nuser=U\ntenancy=T\nfingerprint=F\nkey_file=" +
                                                     (dir.path() / "key.pem").string() + "\nregion=iad\n"));
  const std::map<std::string, std::string> local = {{"OCI_IAM_TYPE", "api_key"},
                                                    {"OCI_CONFIG_FILE", (dir.path() / "config").string()},
                                                    {"OCI_CONFIG_PROFILE", "MINE"}};
  const auto withKey = openServiceClientInJobRun(local);
  ASSERT_TRUE(withKey) << describe(withKey.error());
  EXPECT_EQ((*withKey)->baseUrl(Service::DataScience),
            "https://datascience.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_FALSE(openServiceClientInJobRun({}));
}

}  // namespace
}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
// What the designer's pickers list (oci-rest-contract 4.1 to 4.6).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oci/calls/regions.h"
#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"
#include "oci/services/logging_client.h"
#include "oci/services/network_client.h"
#include "oci/services/registry_client.h"
#include "oci/storage/object_storage_client.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

/// What the identifying field of each item was.
using List = Result<std::vector<std::string>>;

template <class T>
List idsOf(const Result<std::vector<T>>& all) {
  if (!all) return failure(all.error());
  std::vector<std::string> ids;
  for (const T& one : *all) {
    if constexpr (requires { one.id; })
      ids.push_back(one.id);
    else
      ids.push_back(one.name);
  }
  return ids;
}

// Answers two pages of one item each, as arrays or as collections.
LoopbackServer::Handler twoPages(bool asCollection) {
  return [asCollection](const httplib::Request& in, httplib::Response& out) {
    const bool isFirst = in.get_param_value("page").empty();
    if (isFirst) out.set_header("opc-next-page", "next/1");
    const std::string items = isFirst ? R"([{"id":"a","name":"a"}])" : R"([{"id":"b","name":"b"}])";
    out.set_content(asCollection ? R"({"items":)" + items + R"(,"remainingItemsCount":0})" : items,
                    "application/json");
  };
}

struct Case {
  const char* name;
  std::function<List(const std::shared_ptr<ServiceClient>&, const std::stop_token&)> list;
  const char* target;
  bool asCollection = false;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"ListCompartments",
       [](const auto& s, const auto& stop) { return idsOf(IdentityClient(s).listCompartments("t/1", stop)); },
       "/20160918/"
       "compartments?compartmentId=t%2F1&compartmentIdInSubtree=true&accessLevel=ANY&lifecycleState=ACTIVE&"
       "limit=1000"},
      {"ListCompartments",
       [](const auto& s, const auto& stop) {
         return idsOf(IdentityClient(s).listAccessibleCompartments("t/1", stop));
       },
       "/20160918/"
       "compartments?compartmentId=t%2F1&compartmentIdInSubtree=true&accessLevel=ACCESSIBLE&"
       "lifecycleState=ACTIVE&limit=1000"},
      {"ListProjects",
       [](const auto& s, const auto& stop) { return idsOf(DataScienceClient(s).listProjects("c", stop)); },
       "/20190101/projects?compartmentId=c&limit=100"},
      {"ListSubnets",
       [](const auto& s, const auto& stop) { return idsOf(NetworkClient(s).listSubnets("c", stop)); },
       "/20160918/subnets?compartmentId=c&lifecycleState=AVAILABLE&limit=1000"},
      {"ListVcns",
       [](const auto& s, const auto& stop) { return idsOf(NetworkClient(s).listVcns("c", stop)); },
       "/20160918/vcns?compartmentId=c&lifecycleState=AVAILABLE&limit=1000"},
      {"ListLogGroups",
       [](const auto& s, const auto& stop) { return idsOf(LoggingClient(s).listLogGroups("c", stop)); },
       "/20200531/logGroups?compartmentId=c&limit=1000"},
      {"ListLogs",
       [](const auto& s, const auto& stop) { return idsOf(LoggingClient(s).listLogs("g/1", stop)); },
       "/20200531/logGroups/g%2F1/logs?limit=1000"},
      {"ListBuckets",
       [](const auto& s, const auto& stop) {
         return idsOf(ObjectStorageClient(s).listBuckets("ns", "c", stop));
       },
       "/n/ns/b?compartmentId=c&limit=1000"},
      {"ListContainerRepositories",
       [](const auto& s, const auto& stop) { return idsOf(RegistryClient(s).listRepositories("c", stop)); },
       "/20160918/container/repositories?compartmentId=c&lifecycleState=AVAILABLE&limit=1000", true},
      {"ListContainerImages",
       [](const auto& s, const auto& stop) { return idsOf(RegistryClient(s).listImages("c", stop)); },
       "/20160918/container/"
       "images?compartmentId=c&lifecycleState=AVAILABLE&sortBy=TIMECREATED&sortOrder=DESC&limit="
       "1000",
       true},
  };
  return all;
}

TEST(TenancyLists, AreSignedAndHaveAllPages) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    LoopbackServer server(twoPages(one.asCollection));
    const auto found = one.list(TestService(server.url()).client, {});
    ASSERT_TRUE(found) << describe(found.error());
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[1], "b");
    const auto seen = server.seen();
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].method, "GET");
    EXPECT_EQ(seen[0].target, one.target);
    EXPECT_EQ(seen[1].target, std::string(one.target) + "&page=next%2F1");
    for (const auto& request : seen) {
      EXPECT_TRUE(request.get_header_value("Authorization").starts_with("Signature ")) << request.target;
    }
  }
}

TEST(TenancyLists, NameTheOperationThatWasRefused) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
      refuseWith(out, 404, "NotAuthorizedOrNotFound", "not found or not authorized");
    });
    const auto found = one.list(TestService(server.url()).client, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::NotFound);
    ASSERT_TRUE(found.error().service);
    EXPECT_EQ(found.error().service->operation, one.name);
  }
}

TEST(TenancyLists, AreCancelled) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    LoopbackServer server(twoPages(one.asCollection));
    std::stop_source stop;
    stop.request_stop();
    const auto found = one.list(TestService(server.url()).client, stop.get_token());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::Cancelled);
  }
}

TEST(TenancyLists, ArtifactsHasAHostOfItsOwn) {
  EXPECT_EQ(serviceUrl(Service::Artifacts, *findRegion("iad")),
            "https://artifacts.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_STREQ(toString(Service::Artifacts), "Artifacts");
}

}  // namespace
}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
// The product's own clients against the region: two readings of one contract must meet.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "base/atomic_file.h"
#include "base/text/encoding.h"
#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"
#include "oci/services/limits_client.h"
#include "oci/services/log_ingestion_client.h"
#include "oci/services/log_search_client.h"
#include "oci/services/logging_client.h"
#include "oci/services/monitoring_client.h"
#include "oci/services/network_client.h"
#include "oci/services/registry_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_transfers.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using namespace std::chrono_literals;

template <class T>
::testing::AssertionResult fine(const Result<T>& result) {
  if (result) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << describe(result.error());
}

template <class T>
bool names(const Result<std::vector<T>>& all, const std::string& id) {
  return all && std::any_of(all->begin(), all->end(), [&](const T& one) { return one.id == id; });
}

class ClientStory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = std::make_unique<RegionUnderTest>(); }
  static void TearDownTestSuite() { region_.reset(); }
  void SetUp() override {
    const auto profile = oci::loadProfile({region_->configFile(), "REHEARSAL"});
    ASSERT_TRUE(fine(profile));
    profile_ = *profile;
    const auto services = oci::openServiceClient(profile_);
    ASSERT_TRUE(fine(services));
    services_ = *services;
    compartment_ = region_->place("compartmentId");
  }
  static std::unique_ptr<RegionUnderTest> region_;
  oci::Profile profile_;
  std::shared_ptr<oci::ServiceClient> services_;
  std::string compartment_;
};

std::unique_ptr<RegionUnderTest> ClientStory::region_;

TEST_F(ClientStory, Identity) {
  oci::IdentityClient identity(services_, profile_.tenancy);
  const auto tenancy = identity.getTenancy(profile_.tenancy, {});
  ASSERT_TRUE(fine(tenancy));
  EXPECT_FALSE(tenancy->homeRegionKey.empty());
  EXPECT_TRUE(fine(identity.getUser(profile_.user, {})));
  const auto regions = identity.listRegionSubscriptions(profile_.tenancy, {});
  ASSERT_TRUE(fine(regions));
  EXPECT_TRUE(std::any_of(regions->begin(), regions->end(), [](const auto& r) { return r.isHomeRegion; }));
  EXPECT_TRUE(names(identity.listCompartments(profile_.tenancy, {}), compartment_));
  EXPECT_TRUE(fine(identity.listAvailabilityDomains(profile_.tenancy, {})));
  EXPECT_TRUE(fine(identity.listGroups(profile_.tenancy, {})));
  EXPECT_TRUE(fine(identity.listUserGroupMemberships(profile_.tenancy, profile_.user, {}, {})));
  const std::string token = oci::newRetryToken();
  const oci::IdentityClient::NewPolicy wanted{
      compartment_, "client-story", "of a test", {"Allow any-user to inspect buckets in tenancy"}};
  auto policy = identity.createPolicy(wanted, token, {});
  if (!policy) {
    SCOPED_TRACE("a policy in the compartment may name the compartment only");
    auto inCompartment = wanted;
    inCompartment.statements = {"Allow any-user to inspect buckets in compartment id " + compartment_};
    policy = identity.createPolicy(inCompartment, oci::newRetryToken(), {});
  }
  ASSERT_TRUE(fine(policy));
  EXPECT_TRUE(names(identity.listPolicies(compartment_, {}), policy->id));
  const auto grown = identity.addStatements(
      policy->id, {"Allow any-user to read buckets in compartment id " + compartment_}, {});
  ASSERT_TRUE(fine(grown));
  EXPECT_EQ(grown->statements.size(), 2U);
  const auto group = identity.createDynamicGroup(
      {profile_.tenancy, "client-story", "of a test", "all {resource.type='datasciencejobrun'}"},
      oci::newRetryToken(), {});
  ASSERT_TRUE(fine(group));
  EXPECT_TRUE(names(identity.listDynamicGroups(profile_.tenancy, {}), group->id));
  const auto authToken = identity.createAuthToken(profile_.user, "client story", oci::newRetryToken(), {});
  ASSERT_TRUE(fine(authToken));
  EXPECT_FALSE(authToken->token.empty());
  EXPECT_TRUE(names(identity.listAuthTokens(profile_.user, {}), authToken->id));
  const auto keys = identity.listApiKeys(profile_.user, {});
  ASSERT_TRUE(fine(keys));
  ASSERT_FALSE(keys->empty());
  EXPECT_EQ(keys->front().fingerprint, profile_.fingerprint);
}

TEST_F(ClientStory, Network) {
  oci::NetworkClient network(services_);
  const auto subnet = network.getSubnet(region_->place("subnetId"), {});
  ASSERT_TRUE(fine(subnet));
  EXPECT_FALSE(subnet->cidrBlock.empty());
  EXPECT_TRUE(names(network.listVcns(subnet->compartmentId, {}), subnet->vcnId));
  EXPECT_TRUE(names(network.listSubnets(subnet->compartmentId, {}, subnet->vcnId), subnet->id));
  EXPECT_TRUE(fine(network.listSecurityLists(subnet->compartmentId, {}, subnet->vcnId)));
  EXPECT_TRUE(fine(network.listRouteTables(subnet->compartmentId, {}, subnet->vcnId)));
  EXPECT_TRUE(fine(network.getRouteTable(subnet->routeTableId, {})));
  for (const auto kind : {oci::Gateway::Kind::Internet, oci::Gateway::Kind::Nat, oci::Gateway::Kind::Service})
    EXPECT_TRUE(fine(network.listGateways(kind, subnet->compartmentId, {}, subnet->vcnId)));
  ASSERT_FALSE(subnet->securityListIds.empty());
  std::size_t before = 0;
  const auto changed = network.changeSecurityList(subnet->securityListIds.front(),
                                                  [&](oci::SecurityList& list) {
                                                    before = list.ingress.size();
                                                    oci::SecurityRule rule;
                                                    rule.peer = subnet->cidrBlock;
                                                    rule.destinationPorts = oci::PortRange{29400, 29400};
                                                    list.ingress.push_back(rule);
                                                    return true;
                                                  },
                                                  {});
  ASSERT_TRUE(fine(changed));
  EXPECT_EQ(changed->ingress.size(), before + 1);
  const auto group = network.createNetworkSecurityGroup(subnet->compartmentId, subnet->vcnId, "story",
                                                        oci::newRetryToken(), {});
  ASSERT_TRUE(fine(group));
  std::vector<oci::SecurityRule> rules(30);
  for (int i = 0; i < 30; ++i) {
    rules[i].peer = "10.0.0.0/24";
    rules[i].destinationPorts = oci::PortRange{5000 + i, 5000 + i};
  }
  const auto added = network.addRules(group->id, rules, {});
  ASSERT_TRUE(fine(added));
  ASSERT_EQ(added->size(), 30U);
  EXPECT_TRUE(fine(network.removeRules(group->id, {added->front().id}, {})));
  const auto left = network.listRules(group->id, {});
  ASSERT_TRUE(fine(left));
  EXPECT_EQ(left->size(), 29U);
}

TEST_F(ClientStory, ObjectsLargeAndMany) {
  oci::ObjectStorageClient storage(services_);
  const auto ns = storage.getNamespace({});
  ASSERT_TRUE(fine(ns));
  ASSERT_TRUE(fine(storage.createBucket(*ns, {"client-story", compartment_}, {})));
  EXPECT_EQ(storage.createBucket(*ns, {"client-story", compartment_}, {}).error().code,
            ErrorCode::AlreadyExists);
  const auto buckets = storage.listBuckets(*ns, compartment_, {});
  ASSERT_TRUE(fine(buckets));
  const std::string bytes = randomBytes(700'001);
  const TempDir dir;
  ASSERT_TRUE(fine(writeFileAtomically(dir.path() / "large", bytes)));
  oci::ObjectTransfers::Options options;
  options.partSize = 100'000;
  oci::ObjectTransfers transfers(services_, {*ns, "client-story"}, options);
  ASSERT_TRUE(fine(transfers.upload(dir.path() / "large", "dir/large é", {})));
  const auto head = transfers.download("dir/large é", dir.path() / "got", {});
  ASSERT_TRUE(fine(head));
  EXPECT_EQ(*readFile(dir.path() / "got"), bytes);
  EXPECT_FALSE(head->multipartMd5.empty());
  oci::PutOptions onlyNew;
  onlyNew.isNew = true;
  onlyNew.metadata = {{"made-by", "story"}};
  ASSERT_TRUE(fine(storage.putObject(*ns, "client-story", "once", "1", {}, onlyNew)));
  const auto twice = storage.putObject(*ns, "client-story", "once", "2", {}, onlyNew);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().service->httpStatus, 412);
  const auto once = storage.headObject(*ns, "client-story", "once", {});
  ASSERT_TRUE(fine(once));
  EXPECT_EQ(once->metadata, (std::map<std::string, std::string>{{"made-by", "story"}}));
  const auto unchanged = storage.getObjectUnless(*ns, "client-story", "once", once->etag, {});
  ASSERT_TRUE(fine(unchanged));
  EXPECT_FALSE(unchanged->has_value());
  ASSERT_TRUE(fine(storage.renameObject(*ns, "client-story", "once", "small/renamed", true, {})));
  std::vector<std::string> many{"small/renamed"};
  for (int i = 0; i < 300; ++i) {
    many.push_back("small/" + std::to_string(i));
    ASSERT_TRUE(fine(storage.putObject(*ns, "client-story", many.back(), std::to_string(i), {})));
  }
  const auto fetched = transfers.fetchMany(many, {});
  for (std::size_t i = 1; i < fetched.size(); ++i) {
    ASSERT_TRUE(fine(fetched[i]));
    EXPECT_EQ(*fetched[i], std::to_string(i - 1));
  }
  const auto folders = storage.listFolder(*ns, "client-story", "", true, {});
  ASSERT_TRUE(fine(folders));
  EXPECT_EQ(folders->prefixes, (std::vector<std::string>{"dir/", "small/"}));
  many.push_back("dir/large é");
  EXPECT_FALSE(storage.deleteBucket(*ns, "client-story", {}));
  for (const std::string& name : many) ASSERT_TRUE(fine(storage.deleteObject(*ns, "client-story", name, {})));
  EXPECT_TRUE(fine(storage.deleteBucket(*ns, "client-story", {})));
}

TEST_F(ClientStory, ADownloadThatWasBrokenOffGoesOn) {
  oci::ObjectStorageClient storage(services_);
  const auto ns = storage.getNamespace({});
  ASSERT_TRUE(fine(ns));
  ASSERT_TRUE(fine(storage.createBucket(*ns, {"broken-off", compartment_}, {})));
  const TempDir dir;
  const std::string bytes = randomBytes(700'001);
  ASSERT_TRUE(fine(writeFileAtomically(dir.path() / "large", bytes)));
  std::vector<std::uint64_t> progress;
  std::stop_source stop;
  oci::ObjectTransfers::Options options{100'000, 1, [&](std::uint64_t done, std::uint64_t) {
                                          progress.push_back(done);
                                          if (done >= 300'000 && done < 700'001) stop.request_stop();
                                        }};
  oci::ObjectTransfers transfers(services_, {*ns, "broken-off"}, options);
  ASSERT_TRUE(fine(oci::ObjectTransfers(services_, {*ns, "broken-off"}, {100'000, 1, {}})
                       .upload(dir.path() / "large", "large", {})));  // in parts: without an MD5
  const auto target = dir.path() / "got";
  const auto keep = oci::ObjectTransfers::Unfinished::Keep;
  EXPECT_EQ(transfers.download("large", target, stop.get_token(), keep).error().code, ErrorCode::Cancelled);
  progress.clear();
  const auto head = transfers.download("large", target, {}, keep);
  ASSERT_TRUE(fine(head));
  EXPECT_GE(progress.front(), 300'000U) << "not from its beginning";
  EXPECT_EQ(*readFile(target), bytes);
  // What a download in ranges lives by: the piece, the end of the object, and another object under the name.
  const auto piece = storage.getObject(*ns, "broken-off", "large", {{5, 9}}, {}, head->etag);
  ASSERT_TRUE(fine(piece));
  EXPECT_EQ(*piece, bytes.substr(5, 5));
  const auto beyond = storage.getObject(*ns, "broken-off", "large", {{700'001, {}}}, {}, head->etag);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().service->httpStatus, 416);
  const auto other = storage.getObject(*ns, "broken-off", "large", {{5, 9}}, {}, "another");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().service->httpStatus, 412);
}

TEST_F(ClientStory, RegistryAndLimitsAndDataScience) {
  oci::RegistryClient registry(services_);
  EXPECT_TRUE(fine(registry.getConfiguration(compartment_, {})));
  const auto repository =
      registry.createRepository({compartment_, "story/x", false, false, ""}, oci::newRetryToken(), {});
  ASSERT_TRUE(fine(repository));
  EXPECT_TRUE(names(registry.listRepositories(compartment_, {}), repository->id));
  EXPECT_TRUE(fine(registry.listImages(compartment_, {})));
  const auto login = registry.loginToken({});
  ASSERT_TRUE(fine(login));
  EXPECT_FALSE(login->token.empty());
  oci::LimitsClient limits(services_);
  EXPECT_TRUE(fine(limits.listServices(profile_.tenancy, {})));
  EXPECT_TRUE(fine(limits.listLimitDefinitions(profile_.tenancy, "data-science", {})));
  const auto values = limits.listLimitValues(profile_.tenancy, "data-science", {});
  ASSERT_TRUE(fine(values));
  ASSERT_FALSE(values->empty());
  EXPECT_TRUE(
      fine(limits.getResourceAvailability(profile_.tenancy, "data-science", values->front().name, "", {})));
  oci::DataScienceClient jobs(services_);
  const auto shapes = jobs.listJobShapes(compartment_, {});
  ASSERT_TRUE(fine(shapes));
  EXPECT_FALSE(shapes->empty());
  EXPECT_TRUE(fine(jobs.listFastLaunchConfigs(compartment_, {})));
  const auto project = jobs.createProject({compartment_, "story", ""}, oci::newRetryToken(), {});
  ASSERT_TRUE(fine(project));
  EXPECT_TRUE(fine(jobs.getProject(project->id, {})));
  EXPECT_TRUE(names(jobs.listProjects(compartment_, {}), project->id));
  EXPECT_TRUE(fine(jobs.listJobs(compartment_, project->id, {})));
  EXPECT_TRUE(fine(jobs.deleteProject(project->id, {})));
}

TEST_F(ClientStory, LogsAndMetrics) {
  oci::LoggingClient logging(services_);
  const auto group = logging.createLogGroup({compartment_, "story", ""}, oci::newRetryToken(), {});
  ASSERT_TRUE(fine(group));
  const auto log = logging.createLog({*group, "lines", 30}, oci::newRetryToken(), {});
  ASSERT_TRUE(fine(log));
  EXPECT_TRUE(names(logging.listLogs(*group, {}), *log));
  const TimePoint now = SystemClock().now();
  const oci::LogBatch batch{"ocid1.datasciencejobrun.oc1.iad.story", "story", "", now, {{"hello", "", {}}}};
  ASSERT_TRUE(fine(oci::LogIngestionClient(services_).putLogs(*log, {batch}, {})));
  oci::LogSearchClient search(services_);
  EXPECT_TRUE(eventually([&] {
    const auto found = search.search(compartment_, *group, "", {batch.source}, now - 1min, now + 1min, {});
    return found && found->size() == 1 && found->front().message == "hello";
  }));
  EXPECT_TRUE(fine(logging.deleteLog(*group, *log, {})));
  EXPECT_TRUE(fine(logging.deleteLogGroup(*group, {})));
  oci::MonitoringClient monitoring(services_);
  const oci::CustomMetric metric{"lockstep", compartment_, "story", "", {{"rank", "0"}}, {}, {{now, 42, 1}}};
  const auto refused = monitoring.post({metric}, {});
  ASSERT_TRUE(fine(refused));
  EXPECT_TRUE(refused->empty());
  EXPECT_TRUE(eventually([&] {
    const auto streams =
        monitoring.summarize({compartment_, "lockstep", oci::toMql({"story", "1m", {{"rank", "0"}}}), "",
                              now - 5min, now + 5min, "", false},
                             {});
    return streams && streams->size() == 1 && !streams->front().points.empty() &&
           streams->front().points.front().value == 42;
  }));
  EXPECT_TRUE(fine(monitoring.listMetrics({compartment_, "lockstep", "", {}, false}, {})));
}

}  // namespace
}  // namespace lockstep::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of Dask, Horovod and TensorFlow clusters say to each other, and how their programs are
// called.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "core/oci/oci_test_support.h"
#include "node_world.h"
#include "trainer/node/frameworks/dask_certificates.h"
#include "trainer/node/frameworks/dask_cluster.h"
#include "trainer/node/frameworks/mpi_launch.h"
#include "trainer/node/frameworks/ssh_sandbox.h"
#include "trainer/node/frameworks/tensorflow_cluster.h"
#include "trainer/node/liveness/connectivity_probe.h"
#include "trainer/node/rendezvous/framework_rendezvous.h"
#include "trainer/node/settings/listening.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

Environment frameworkEnvironment(const std::string& kind, int rank, int workers, int servers = 0) {
  Environment environment = {{"OCI__CLUSTER_TYPE", kind},
                             {"OCI__WORKER_COUNT", std::to_string(workers)},
                             {"OCI__PS_COUNT", std::to_string(servers)},
                             {"OCI__WORK_DIR", "oci://b@n/p"},
                             {"JOB_OCID", "job1"},
                             {"JOB_RUN_OCID", "run" + std::to_string(rank)},
                             {"OCI__ENTRY_SCRIPT", "train.py"},
                             {"OCI__TIMEOUT", "1"}};
  environment["OCI__MODE"] = rank == 0 ? "MAIN" : rank <= workers ? "WORKER" : "PS";
  if (rank <= workers) environment["RANK"] = std::to_string(rank);  // `ads` gives a server none
  return environment;
}

TEST(FrameworkSettings, CountServersAndKnowTheirRole) {
  const auto worker = nodeSettingsFrom(frameworkEnvironment("TENSORFLOW", 2, 2, 2), 0);
  ASSERT_TRUE(worker) << describe(worker.error());
  EXPECT_EQ(worker->nodeCount, 5);
  EXPECT_EQ(worker->workerCount(), 2);
  EXPECT_EQ(worker->role, NodeRole::Worker);
  EXPECT_EQ(worker->defaultName(), "worker_1");
  auto server = nodeSettingsFrom(frameworkEnvironment("TENSORFLOW", 4, 2, 2), 0);
  ASSERT_TRUE(server) << describe(server.error());
  EXPECT_FALSE(server->isNumbered);
  EXPECT_EQ(server->role, NodeRole::ParameterServer);
  EXPECT_EQ(server->defaultName(), "ps");
  server->isNumbered = true;
  server->nodeRank = 4;
  EXPECT_EQ(server->defaultName(), "ps_1");
  EXPECT_EQ(ownConfig(*server), "job1/PS_run4_config.json");
}

TEST(FrameworkSettings, ScriptsOfDaskGetTheirKeywordsToo) {
  auto environment = frameworkEnvironment("DASK", 0, 1);
  environment["OCI__ENTRY_SCRIPT_ARGS"] = "'a b'";
  environment["OCI__ENTRY_SCRIPT_KWARGS"] = "--cv 5";
  environment["OCI__START_ARGS"] = "--port 8786 --tls-key=/k";
  const auto settings = nodeSettingsFrom(environment, 0);
  ASSERT_TRUE(settings) << describe(settings.error());
  EXPECT_EQ(settings->entryArguments, (Words{"a b", "--cv", "5"}));
  EXPECT_EQ(startOption(settings->startArguments, "--port"), "8786");
  EXPECT_EQ(startOption(settings->startArguments, "--tls-key"), "/k");
  EXPECT_EQ(startOption(settings->startArguments, "--tls"), "");
  environment["OCI__CLUSTER_TYPE"] = "HOROVOD";
  EXPECT_EQ(nodeSettingsFrom(environment, 0)->entryArguments, Words{"a b"});
}

TEST(FrameworkSettings, ARoleThatDoesNotFitIsNamed) {
  auto environment = frameworkEnvironment("DASK", 1, 1);
  environment["OCI__MODE"] = "MAIN";
  EXPECT_NE(nodeSettingsFrom(environment, 0).error().what.find("OCI__MODE='MAIN'"), std::string::npos);
  environment["OCI__MODE"] = "PS";
  EXPECT_NE(nodeSettingsFrom(environment, 0).error().what.find("OCI__MODE='PS'"), std::string::npos);
}

class FrameworkRendezvousTest : public NodeWorld {
 protected:
  NodeSettings of(int rank, int workers, int servers = 0, const std::string& kind = "TENSORFLOW") {
    return *nodeSettingsFrom(frameworkEnvironment(kind, rank, workers, servers), 0);
  }
  void write(const std::string& file, const Json& json) {
    ASSERT_TRUE(store_->put("job1/" + file, json.dump(), {}));
  }
  static Json place(const std::string& mode, const std::string& address) {
    return {{"OCI__MODE", mode}, {"OCI__WORKER_IP", address}, {"WORKER_PORT", "12345"}};
  }
};

// Ours say their number; those of `ads` come in the order of their files, after ours.
TEST_F(FrameworkRendezvousTest, NodesComeInTheOrderOfTheirNumbers) {
  const auto settings = of(0, 4);
  RendezvousFiles common(store_, settings);
  FrameworkRendezvous board(store_, settings, common);
  write("WORKER_z_config.json", {{"LOCKSTEP_NODE_RANK", "1"}});
  write("WORKER_a_config.json", {{"LOCKSTEP_NODE_RANK", "2"}});
  write("WORKER_q_config.json", {{"OCI__WORKER_IP", "10.0.0.9"}});
  write("WORKER_m_config.json", {{"RANK", "3"}});
  write("MAIN_config.json", {{"OCI__MAIN_IP", "10.0.0.5"}});
  write("lockstep/WORKER_x_config.json", {});
  const auto entries = board.entries({});
  ASSERT_TRUE(entries) << describe(entries.error());
  Words files;
  for (const NodeEntry& one : *entries) files.push_back(one.file);
  EXPECT_EQ(files, (Words{"MAIN_config.json", "WORKER_z_config.json", "WORKER_a_config.json",
                          "WORKER_m_config.json", "WORKER_q_config.json"}));
}

// Whoever may write into the work dir runs code anyway; but nobody does so by what stands for an address.
TEST_F(FrameworkRendezvousTest, WhatIsNoAddressIsNotTakenForOne) {
  const auto settings = of(0, 2);
  RendezvousFiles common(store_, settings);
  FrameworkRendezvous board(store_, settings, common);
  for (const char* strange :
       {"10.0.0.6 --launch-agent /tmp/x", "10.0.0.6:2,10.0.0.7", "-x", "node\n1", "10.0.0"}) {
    write("WORKER_a_config.json", {{"OCI__WORKER_IP", strange}});
    const auto entries = board.entries({});
    ASSERT_FALSE(entries) << strange;
    EXPECT_EQ(entries.error().code, ErrorCode::DataLoss);
    EXPECT_NE(entries.error().what.find("WORKER_a_config.json"), std::string::npos);
    NodeEntry entry;
    entry.values = {{"OCI__WORKER_IP", strange}, {"OCI__SLOTS", "2"}};
    EXPECT_TRUE(hostsOf({entry}).empty()) << strange;
  }
  for (const char* good : {"10.0.0.6", "fe80::1"}) {
    write("WORKER_a_config.json", {{"OCI__WORKER_IP", good}});
    EXPECT_TRUE(board.entries({})) << good;
  }
  NodeEntry many;
  many.values = {{"OCI__WORKER_IP", "10.0.0.6"}, {"OCI__SLOTS", "2147483647"}};
  EXPECT_TRUE(hostsOf({many}).empty());
}

TEST_F(FrameworkRendezvousTest, WhoIsMissingIsNamed) {
  const auto settings = of(0, 2, 1);
  RendezvousFiles common(store_, settings);
  FrameworkRendezvous board(store_, settings, common);
  ASSERT_TRUE(board.publish(place("MAIN", "10.0.0.5"), {}));
  const auto workerSettings = of(1, 2, 1);
  FrameworkRendezvous worker(store_, workerSettings, common);
  ASSERT_TRUE(worker.publish(place("WORKER", "10.0.0.6"), {}));
  const auto all = board.awaitEntries(clock_, {});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::DeadlineExceeded);
  EXPECT_NE(all.error().what.find("2 of 4 nodes"), std::string::npos) << all.error().what;
  EXPECT_NE(all.error().what.find("missing: worker_1, ps_0"), std::string::npos) << all.error().what;
}

TEST_F(FrameworkRendezvousTest, AFailureEndsTheWaiting) {
  auto settings = of(0, 1);
  settings.timeout = std::chrono::seconds(600);
  RendezvousFiles common(store_, settings);
  FrameworkRendezvous board(store_, settings, common);
  ASSERT_TRUE(common.reportFailure({1, "worker_0", "run1", "no sshd", 0, 1, false}, clock_.now(), {}));
  const auto all = board.awaitEntries(clock_, {});
  ASSERT_FALSE(all);
  EXPECT_NE(all.error().what.find("no sshd"), std::string::npos);
}

TEST_F(FrameworkRendezvousTest, ServersAreNumberedByTheirJobRuns) {
  std::vector<NodeSettings> settings{of(4, 2, 2), of(3, 2, 2)};
  for (auto& one : settings) one.timeout = std::chrono::seconds(60);
  RendezvousFiles common(store_, settings[0]);
  FrameworkRendezvous later(store_, settings[0], common), first(store_, settings[1], common);
  Result<int> ofFirst;
  {
    const std::jthread other([&] {
      SystemClock clock;
      ofFirst = first.numberServer(clock, {});
    });
    const auto ofLater = later.numberServer(clock_, {});
    ASSERT_TRUE(ofLater) << describe(ofLater.error());
    EXPECT_EQ(*ofLater, 1);
  }
  ASSERT_TRUE(ofFirst);
  EXPECT_EQ(*ofFirst, 0);
}

// Outside the service every cluster has the same folder.
TEST_F(FrameworkRendezvousTest, WhatAnEarlierClusterLeftDoesNotCount) {
  auto settings = of(0, 1);
  settings.jobId = kNoJob;
  RendezvousFiles common(store_, settings);
  FrameworkRendezvous board(store_, settings, common);
  const std::string old = toRfc3339(clock_.now() - std::chrono::hours(1));
  const std::string young = toRfc3339(clock_.now());
  const auto put = [&](const std::string& name, const Json& json) {
    ASSERT_TRUE(store_->put("Undefined/" + name, json.dump(), {}));
  };
  put("WORKER_a_config.json", {{"LOCKSTEP_NODE_RANK", "1"}, {"LOCKSTEP_WRITTEN", old}});
  put("WORKER_b_config.json", {{"LOCKSTEP_NODE_RANK", "1"}, {"LOCKSTEP_WRITTEN", young}});
  put("stop_fail", {});
  const auto entries = board.entries({});
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->at(0).file, "WORKER_b_config.json");
  ASSERT_TRUE(board.clearStale({}));
  EXPECT_FALSE(store_->get("Undefined/stop_fail", {}));
}

TEST_F(FrameworkRendezvousTest, TheMarkOfAFailedHorovodIsAFailure) {
  const auto settings = of(1, 1, 0, "HOROVOD");
  RendezvousFiles common(store_, settings);
  EXPECT_FALSE(*common.failure({}));
  write("stop_fail", "stop");
  const auto failed = common.failure({});
  ASSERT_TRUE(failed && *failed);
  EXPECT_NE((*failed)->what.find("stop_fail"), std::string::npos);
}

std::vector<NodeEntry> placesOf(int workers, int servers) {
  std::vector<NodeEntry> entries;
  for (int i = 0; i <= workers + servers; ++i) {
    NodeEntry entry;
    entry.role = i == 0 ? NodeRole::Main : i <= workers ? NodeRole::Worker : NodeRole::ParameterServer;
    entry.file = std::to_string(i);
    entry.values = {{"OCI__WORKER_IP", "10.0.0." + std::to_string(i)}, {"WORKER_PORT", "12345"}};
    entries.push_back(entry);
  }
  return entries;
}

// `ads` nodes list the places as they stand in the file: 10 must not come before 2.
TEST(TfConfig, ClusterFileIsInTheOrderOfNumbers) {
  const auto cluster = tensorFlowCluster(placesOf(11, 1));
  ASSERT_TRUE(cluster) << describe(cluster.error());
  EXPECT_EQ(cluster->dump().substr(0, 60), R"({"ps":{"0":"10.0.0.12:12345"},"worker":{"0":"10.0.0.0:12345")");
  EXPECT_LT(cluster->dump().find(R"("2":)"), cluster->dump().find(R"("10":)"));
}

TEST(TfConfig, AllAreWorkersWithoutServers) {
  const Json cluster = {{"ps", Json::object()},
                        {"worker", {{"1", "b:1"}, {"0", "a:1"}, {"2", "c:1"}, {"10", "k:1"}, {"3", "d:1"}}}};
  const auto config = tfConfig(cluster, "k:1", false);
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->dump(), R"({"cluster":{"worker":["a:1","b:1","c:1","d:1","k:1"]},)"
                            R"("task":{"type":"worker","index":4}})");
}

TEST(TfConfig, MainIsTheChiefWithServers) {
  const Json cluster = {{"ps", {{"0", "p:1"}}}, {"worker", {{"0", "a:1"}, {"1", "b:1"}}}};
  const std::string groups = R"({"cluster":{"chief":["a:1"],"worker":["b:1"],"ps":["p:1"]},"task":)";
  EXPECT_EQ(tfConfig(cluster, "a:1", true)->dump(), groups + R"({"type":"chief","index":0}})");
  EXPECT_EQ(tfConfig(cluster, "b:1", true)->dump(), groups + R"({"type":"worker","index":0}})");
  EXPECT_EQ(tfConfig(cluster, "p:1", true)->dump(), groups + R"({"type":"ps","index":0}})");
  EXPECT_EQ(tfConfig(cluster, "x:1", true).error().code, ErrorCode::NotFound);
}

TEST(TfConfig, TwoNodesAtOnePlaceAreNamed) {
  auto entries = placesOf(1, 0);
  entries[1].values = entries[0].values;
  const auto cluster = tensorFlowCluster(entries);
  ASSERT_FALSE(cluster);
  EXPECT_NE(cluster.error().what.find("10.0.0.0:12345"), std::string::npos);
  EXPECT_NE(cluster.error().remedy.find("WORKER_PORT"), std::string::npos);
}

TEST(MpiLaunch, HostsComeFromTheFilesOfTheNodes) {
  NodeEntry ours, ads, twice, strange;
  ours.values = {{"OCI__WORKER_IP", "10.0.0.5"}, {"OCI__SLOTS", "2"}, {"host_key", "ssh-ed25519 AA"}};
  ads.values = {{"OCI__WORKER_IP", "10.0.0.6"}, {"OCI__SLOTS", "4"}};
  twice.values = ads.values;
  strange.values = {{"OCI__WORKER_IP", "10.0.0.7"}, {"OCI__SLOTS", "many"}};
  const auto hosts = hostsOf({ours, ads, twice, strange});
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0].hostKey, "ssh-ed25519 AA");
  EXPECT_EQ(slotsOf(hosts), 6);
}

TEST(MpiLaunch, HorovodrunIsCalledAsAdsDoes) {
  const std::vector<MpiHost> hosts{{"10.0.0.5", 2, ""}, {"10.0.0.6", 2, ""}};
  HorovodOptions options;
  const Words script{"python3", "/code/train.py"};
  EXPECT_EQ(
      horovodCommand("horovodrun", options, 12345, "/d.sh", hosts, script),
      (Words{"horovodrun", "-np", "4", "-p", "12345", "--min-np", "4", "--max-np", "4",
             "--host-discovery-script", "/d.sh", "--start-timeout", "600", "python3", "/code/train.py"}));
  options = {3, 2, 8, 900, {"--verbose"}, "/opt/ml/timeline.json"};
  EXPECT_EQ(horovodCommand("horovodrun", options, 22, "/d.sh", hosts, script),
            (Words{"horovodrun", "-np", "3", "-p", "22", "--min-np", "2", "--max-np", "8",
                   "--host-discovery-script", "/d.sh", "--start-timeout", "900", "--verbose",
                   "--timeline-filename", "/opt/ml/timeline.json", "python3", "/code/train.py"}));
}

TEST(MpiLaunch, MpirunPassesOnTheVariablesOfTheJobAndNoValue) {
  const auto command = mpirunCommand(
      "mpirun", {}, "/r/ssh", "10.0.0.0/24", {{"10.0.0.5", 2, ""}, {"10.0.0.6", 1, ""}},
      {{"MY_TOKEN", "secret"}, {"HOME", "/root"}, {"RANK", "0"}, {"BASH_FUNC_x%%", "() {"}}, {"./a"});
  const auto follows = [&](const std::string& word, const std::string& next) {
    const auto at = std::adjacent_find(command.begin(), command.end(),
                                       [&](const auto& a, const auto& b) { return a == word && b == next; });
    return at != command.end();
  };
  EXPECT_TRUE(follows("--host", "10.0.0.5:2,10.0.0.6:1"));
  EXPECT_TRUE(follows("-np", "3"));
  EXPECT_TRUE(follows("plm_rsh_agent", "/r/ssh"));
  EXPECT_TRUE(follows("oob_tcp_if_include", "10.0.0.0/24"));
  EXPECT_TRUE(follows("-x", "MY_TOKEN"));
  for (const char* name : {"HOME", "RANK", "BASH_FUNC_x%%"}) EXPECT_FALSE(follows("-x", name)) << name;
  EXPECT_EQ(std::count(command.begin(), command.end(), "secret"), 0);
  EXPECT_EQ(command.back(), "./a");
}

TEST(MpiLaunch, TheNetworkOfAnAddressIsThatOfItsInterface) {
  EXPECT_EQ(networkOf("127.0.0.3"), "127.0.0.0/8");
  EXPECT_EQ(networkOf("203.0.113.9"), "");
}

TEST(SshSandbox, AnAddressOfLoopbackIsOursAndANameThatBeginsLikeOneIsNot) {
  EXPECT_FALSE(listensEverywhere("127.0.0.1"));
  EXPECT_FALSE(listensEverywhere("127.0.0.2"));
  EXPECT_TRUE(listensEverywhere("127.evil.example"));
  EXPECT_TRUE(listensEverywhere("203.0.113.9"));
}

TEST(SshSandboxTest, KeysAreOfThisRunAndGoWithIt) {
  TempDir dir;
  const Environment environment = {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", dir.path().string()}};
  auto room = SshSandbox::open(environment, {});
  if (!room && room.error().code == ErrorCode::NotFound) GTEST_SKIP() << "ssh-keygen is not installed";
  ASSERT_TRUE(room) << describe(room.error());
  const auto folder = (*room)->folder();
  EXPECT_TRUE((*room)->hostKey().starts_with("ssh-ed25519 AAAA"));
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  const auto key = (*room)->makeLoginKey({});
  ASSERT_TRUE(key);
  ASSERT_TRUE((*room)->writeServer("127.0.0.2", 2222, *key));
  EXPECT_EQ(*readFile(folder / "authorized_keys"), *key + "\n");
  const std::string server = *readFile(folder / "sshd_config");
  EXPECT_NE(server.find("ListenAddress 127.0.0.2\n"), std::string::npos) << server;
  EXPECT_NE(server.find("PasswordAuthentication no\n"), std::string::npos);
  EXPECT_NE(server.find("SetEnv \"PATH=/usr/bin:/bin\""), std::string::npos);
  EXPECT_NE(server.find("StrictModes no\n"), std::string::npos) << "below a folder for everybody";
  ASSERT_TRUE((*room)->writeServer("203.0.113.9", 2222, ""));
  const std::string ofAds = *readFile(folder / "sshd_config");
  EXPECT_NE(ofAds.find("AuthorizedKeysFile .ssh/authorized_keys\n"), std::string::npos) << ofAds;
  EXPECT_NE(ofAds.find("ListenAddress 0.0.0.0\n"), std::string::npos) << "an address of somebody else";
  EXPECT_NE(ofAds.find("StrictModes yes\n"), std::string::npos) << "files of the user's are looked at";
  EXPECT_FALSE((*room)->writeServer("127.0.0.2", 2222, "ssh-ed25519 AA\nssh-ed25519 BB"));
  EXPECT_FALSE(
      (*room)->writeClient({{"10.0.0.6", 1, "ssh-ed25519 AA\n@cert-authority * ssh-ed25519 BB"}}, 22));
  EXPECT_FALSE((*room)->writeClient({{"* ssh-ed25519 BB\n10.0.0.6", 1, "ssh-ed25519 AA"}}, 22));
  ASSERT_TRUE((*room)->writeClient({{"10.0.0.6", 1, "ssh-ed25519 BB"}, {"10.0.0.7", 1, ""}}, 2222));
  EXPECT_EQ(*readFile(folder / "known_hosts"), "[10.0.0.6]:2222 ssh-ed25519 BB\n");
  room->reset();
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(DaskCertificates, LieWhereTheVariablesSay) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    const bool authority = in.path.find("Authority") != std::string::npos;
    out.set_content(
        authority ? R"({"certificatePem":"CA"})" : R"({"certificatePem":"C","privateKeyPem":"K"})",
        "application/json");
  });
  TempDir dir;
  const auto at = [&](const char* name) { return (dir.path() / name).string(); };
  ClusterNode node{.settings = *nodeSettingsFrom(frameworkEnvironment("DASK", 0, 1), 0),
                   .environment = {{"OCI__CERTIFICATE_OCID", "c"},
                                   {"OCI__CERTIFICATE_AUTHORITY_OCID", "a"},
                                   {"OCI__CA_DOWNLOAD_LOCATION", at("ca.pem")},
                                   {"OCI__CERTIFICATE_DOWNLOAD_LOCATION", at("cert.pem")},
                                   {"OCI__CERTIFICATE_KEY_DOWNLOAD_LOCATION", at("key.pem")}},
                   .name = "main",
                   .address = {},
                   .services = oci::TestService(server.url()).client,
                   .script = {}};
  ASSERT_TRUE(fetchDaskCertificates(node, {}));
  EXPECT_EQ(*readFile(at("ca.pem")), "CA\n");
  EXPECT_EQ(*readFile(at("cert.pem")), "C\n");
  EXPECT_EQ(*readFile(at("key.pem")), "K");
  EXPECT_EQ(std::filesystem::status(at("key.pem")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  node.services = nullptr;
  EXPECT_TRUE(fetchDaskCertificates(node, {})) << "the image may hold the files";
}

TEST(Listening, IsSeenWithoutAConnection) {
  auto listener = ProbeListener::open("x", 0, "127.0.0.2");
  ASSERT_TRUE(listener);
  const int port = (*listener)->port();
  EXPECT_TRUE(isListening("127.0.0.2", port) || isListening("0.0.0.0", port));
  listener->reset();
  EXPECT_FALSE(isListening("127.0.0.2", port));
}

}  // namespace
}  // namespace lockstep::node

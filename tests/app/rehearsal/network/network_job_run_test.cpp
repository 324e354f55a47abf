// SPDX-License-Identifier: GPL-3.0-or-later
// Job runs whose nodes really talk, or do not, as the security list says.
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <fstream>

#include "rehearsal/network/isolation/isolation_probe.h"
#include "tests/app/rehearsal/network/network_rule_text.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace {

using namespace lockstep::testing;
using nlohmann::json;

// Nobody listens at the port: where a packet may pass, the answer is a refusal at once; where not, silence.
constexpr const char* kScript = R"sh(
if [ -z "$PEER" ]; then sleep 120; exit; fi
while :; do
  timeout 1 bash -c ": </dev/tcp/$PEER/5000" 2>/dev/null
  echo "said $?"
  sleep 0.1
done
)sh";

class NetworkJobRun : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto privilege = lockstep::rehearsal::probeIsolation();
    if (!privilege)
      GTEST_SKIP() << "nodes cannot be isolated here: " << lockstep::describe(privilege.error());
    region_ = std::make_unique<RegionUnderTest>(kScript);
  }

  [[nodiscard]] json admin(const std::string& target) const {
    std::ifstream file(region_->stateFolder() / "admin.token");
    const std::string token((std::istreambuf_iterator<char>(file)), {});
    httplib::Client client("127.0.0.1", region_->port());
    const auto reply = client.Get(target, {{"Authorization", "Bearer " + token}});
    return reply ? json::parse(reply->body, nullptr, false) : json();
  }
  // A run is IN_PROGRESS a moment before its node takes its address.
  [[nodiscard]] std::string addressOf(const std::string& runId) const {
    std::string address;
    EXPECT_TRUE(eventually([&] {
      for (const json state = admin("/rehearsal/network"); const json& lease : state["seats"])
        if (lease["runId"] == runId) address = lease["address"];
      return !address.empty();
    }));
    return address;
  }
  void setIngress(const std::string& rules) const {
    const std::string subnet = "/20160918/subnets/" + region_->place("subnetId");
    const std::string list = region_->caller().get(subnet).json()["securityListIds"][0];
    const json body{{"ingressSecurityRules", readRules(rules).ingress}};
    EXPECT_EQ(region_->caller().send("PUT", "/20160918/securityLists/" + list, body.dump()).status, 200);
  }
  [[nodiscard]] bool saysNext(const std::string& runId, const std::string& wanted) const {
    const std::size_t before = region_->messagesOf(runId).size();
    return eventually([&] {
      const auto lines = region_->messagesOf(runId);
      return lines.size() > before + 2 && lines.back() == wanted;
    });
  }

  std::unique_ptr<RegionUnderTest> region_;
};

TEST_F(NetworkJobRun, NodesTalkOnlyWhereThePortIsOpenAndASurvivingRunGoesOnSo) {
  EXPECT_EQ(admin("/rehearsal/network")["enforced"], true);
  const std::string peer = region_->launch();
  region_->waitForState(peer, {"IN_PROGRESS"});
  const std::string address = addressOf(peer);
  EXPECT_EQ(address.substr(0, 7), "10.0.0.");
  const std::string run = region_->launch({{"PEER", address}});
  region_->waitForState(run, {"IN_PROGRESS"});
  EXPECT_TRUE(saysNext(run, "said 1")) << "refused: the packet arrived";
  setIngress("in udp 10.0.0.0/24");
  EXPECT_TRUE(saysNext(run, "said 124")) << "silence: the packet was dropped";
  const std::string reach =
      "/rehearsal/network/reachable?protocol=tcp&port=5000&subnetId=" + region_->place("subnetId");
  EXPECT_EQ(admin(reach)["open"], false);
  region_->killHard();
  region_->start();
  EXPECT_EQ(addressOf(run).substr(0, 7), "10.0.0.");
  EXPECT_TRUE(saysNext(run, "said 124"));
  setIngress("in tcp 10.0.0.0/24 4000-5000");
  EXPECT_EQ(admin(reach)["open"], true);
  EXPECT_TRUE(saysNext(run, "said 1"));
  for (const std::string& one : {run, peer}) {
    region_->caller().send("POST", "/20190101/jobRuns/" + one + "/actions/cancelJobRun");
    region_->waitForState(one, {"CANCELED"});
  }
  EXPECT_TRUE(eventually([&] { return admin("/rehearsal/network")["seats"].empty(); }));
}

// In a user namespace of its own without any right, and without the right to make another.
TEST(NetworkFallback, WhereNamespacesAreForbiddenTheRegionSaysSoAndWhy) {
  const std::vector<std::string> powerless{"/usr/bin/unshare",
                                           "--user",
                                           "--map-root-user",
                                           "sh",
                                           "-c",
                                           "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv "
                                           "--bounding-set -all --inh-caps -all -- \"$@\"",
                                           "sh"};
  const lockstep::TempDir temp;
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), powerless.begin(), powerless.end());
    return runProgram(words, {{"PATH", "/usr/bin:/bin:/usr/sbin"}, {"HOME", temp.path().string()}});
  };
  if (run({"/bin/true"}).first != 0) GTEST_SKIP() << "unshare or setpriv does not do this here";
  const std::string program = std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal";
  const std::string state = (temp.path() / "state").string();
  const auto start = run({program, "start", "--json", "--state", state, "--config", state + ".config"});
  ASSERT_EQ(start.first, 0) << start.second;
  const std::string why = json::parse(start.second, nullptr, false).value("unenforced", "");
  EXPECT_NE(why.find("cannot make a user namespace"), std::string::npos) << why;
  EXPECT_NE(why.find("; run it as root"), std::string::npos) << "the way out, in the same line: " << why;
  const auto status = run({program, "status", "--json", "--state", state});
  EXPECT_EQ(json::parse(status.second, nullptr, false).value("unenforced", ""), why);
  EXPECT_EQ(run({program, "stop", "--state", state}).first, 0);
}

}  // namespace

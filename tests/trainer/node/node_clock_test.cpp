// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes wait while the calendar of their machine is set, as chrony does a minute after boot: no wait becomes
// longer or shorter by that.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/time_text.h"
#include "fake_clock.h"
#include "node_world.h"
#include "trainer/node/liveness/connectivity_check.h"
#include "trainer/node/liveness/node_liveness.h"
#include "trainer/node/rendezvous/framework_rendezvous.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/rendezvous/restart_agreement.h"
#include "trainer/node/settings/cluster_file.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr seconds kTimeout{600};

// The parameter: by how much the calendar is set at the third pause of a wait.
class SteppedCalendar : public NodeWorld, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    settings_ = settingsOf(1);
    settings_.timeout = kTimeout;
    started_ = fake_.steady();
    fake_.onSleep([this] {
      if (++pauses_ == 3) fake_.stepCalendar(hours(GetParam()));
      if (fake_.steady() - started_ >= seconds(100) && meanwhile_) std::exchange(meanwhile_, {})();
    });
  }
  [[nodiscard]] double waited() const {
    return std::chrono::duration<double>(fake_.steady() - started_).count();
  }
  // No sooner than the limit, and not much later.
  void expectWaited(seconds limit) const {
    EXPECT_GE(waited(), static_cast<double>(limit.count()));
    EXPECT_LT(waited(), static_cast<double>(limit.count()) + 5);
  }
  FakeClock fake_{SystemClock().now()};
  NodeSettings settings_;
  SteadyPoint started_;
  int pauses_ = 0;
  std::function<void()> meanwhile_;  // what happens after a hundred seconds
};

INSTANTIATE_TEST_SUITE_P(ByAnHour, SteppedCalendar, ::testing::Values(-1, 1), [](const auto& one) {
  return one.param < 0 ? std::string("Back") : std::string("Forward");
});

TEST_P(SteppedCalendar, TheRendezvousTakesItsTimeOut) {
  RendezvousFiles board(store_, settings_);
  const auto main = board.awaitMain(fake_, {});
  ASSERT_FALSE(main);
  EXPECT_EQ(main.error().code, ErrorCode::DeadlineExceeded);
  expectWaited(kTimeout);
}

TEST_P(SteppedCalendar, AMainThatComesLateIsFound) {
  settings_ =
      settingsOf(1, kNoJob);  // outside the service files of an earlier cluster are told by their time
  settings_.timeout = kTimeout;
  meanwhile_ = [this] {
    const nlohmann::json main = {
        {"MASTER_ADDR", "10.0.0.2"}, {"MASTER_PORT", "29400"}, {"LOCKSTEP_WRITTEN", toRfc3339(fake_.now())}};
    ASSERT_TRUE(store_->put(layout::mainConfig(kNoJob), main.dump(), {}));
  };
  RendezvousFiles board(store_, settings_);
  const auto main = board.awaitMain(fake_, {});
  ASSERT_TRUE(main) << describe(main.error());
  EXPECT_EQ(main->at("MASTER_ADDR"), "10.0.0.2");
  EXPECT_LT(waited(), 110);
}

TEST_P(SteppedCalendar, TheFilesOfAClusterTakeTheirTimeOut) {
  RendezvousFiles failures(store_, settings_);
  FrameworkRendezvous board(store_, settings_, failures);
  const auto cluster = board.awaitCluster(fake_, {});
  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().code, ErrorCode::DeadlineExceeded);
  expectWaited(kTimeout);
}

TEST_P(SteppedCalendar, TheAddressesOfTheServiceTakeTheirTimeOut) {
  settings_.clusterFile = dir_.path() / "cluster.json";
  const auto addresses = awaitCluster(settings_, fake_, {});
  ASSERT_FALSE(addresses);
  expectWaited(kTimeout);
}

TEST_P(SteppedCalendar, ARestartWaitsForTheOthersAsLongAsItSays) {
  settings_ = settingsOf(0);
  settings_.restartWait = seconds(60);
  settings_.minNodes = 1;
  RestartAgreement board(store_, settings_);
  ASSERT_TRUE(board.announce(1, {}));
  const auto none = [](int) { return false; };
  const RestartAgreement::Stand stand{{0, 1}, none, none, "10.0.0.2", [] { return Result<int>(4711); }};
  const auto plan = board.agree(1, stand, [] { return std::optional<std::string>(); }, fake_, {});
  ASSERT_TRUE(plan) << describe(plan.error());
  expectWaited(seconds(60));
}

TEST_P(SteppedCalendar, TheReachTestWaitsForHalfTheTimeOut) {
  settings_.nodeCount = 2;
  ConnectivityCheck test(store_, settings_, "worker_0", "127.0.0.1");
  ASSERT_TRUE(test.open(fake_, {}));
  const auto findings = test.run(fake_, {});
  ASSERT_TRUE(findings) << describe(findings.error());
  expectWaited(kTimeout / 2);
}

TEST_P(SteppedCalendar, SignsOfLifeAreWaitedForAsLongAsTheSettingsSay) {
  // A node that trained when it was last heard; its address answers nobody, and not by a refusal.
  settings_.nodeSilence = seconds(120);
  const nlohmann::json beat = {{"node", 0},      {"name", "main"},  {"jobRun", "r"},
                               {"address", "x"}, {"answer", "a"},   {"port", 1},
                               {"attempt", 1},   {"started", true}, {"count", 7}};
  ASSERT_TRUE(store_->put(layout::aliveFolder("job1") + "0.json", beat.dump(), {}));
  ASSERT_TRUE(store_->put(layout::attemptFolder("job1", 1) + "plan.json", "{}", {}));
  NodeLiveness beats(store_, settings_, "worker_0", "127.0.0.1");
  const auto without = beats.runsWithoutUs(fake_, {});
  ASSERT_TRUE(without) << describe(without.error());
  EXPECT_FALSE(*without);
  expectWaited(seconds(120));
}

}  // namespace
}  // namespace lockstep::node

// SPDX-License-Identifier: GPL-3.0-or-later
// However a job run ends, nothing of its network stays: no namespace, no process, no file.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "rehearsal/network/isolation/isolation_probe.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace {

using namespace lockstep::testing;
namespace fs = std::filesystem;

// A node that will not go by itself, and a process that has left it.
constexpr const char* kScript = R"sh(
[ -n "$BRIEF" ] && exit 0
setsid sleep 600 & sleep 600
)sh";

std::string textOf(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string linkOf(const fs::path& link) {
  std::error_code ec;
  return fs::read_symlink(link, ec).string();
}

std::vector<fs::path> below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ec;
  for (auto it = fs::directory_iterator(folder, ec); !ec && it != fs::directory_iterator(); it.increment(ec))
    found.push_back(it->path());
  return found;
}

std::vector<fs::path> processes() {
  std::vector<fs::path> found = below("/proc");
  std::erase_if(found, [](const fs::path& path) {
    const std::string name = path.filename();
    return !std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); });
  });
  return found;
}

/// Which processes live in one of the network namespaces, or hold a descriptor of it.
std::vector<std::string> holdersOf(const std::set<std::string>& namespaces) {
  std::vector<std::string> found;
  for (const fs::path& process : processes()) {
    bool holds = namespaces.contains(linkOf(process / "ns/net"));
    for (const fs::path& fd : below(process / "fd")) holds = holds || namespaces.contains(linkOf(fd));
    if (holds) found.push_back(process.filename().string() + " " + textOf(process / "comm"));
  }
  return found;
}

class NetworkLeftovers : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto privilege = lockstep::rehearsal::probeIsolation();
    if (!privilege)
      GTEST_SKIP() << "nodes cannot be isolated here: " << lockstep::describe(privilege.error());
    region_ = std::make_unique<RegionUnderTest>(kScript, std::vector<std::string>{"--grace-ms", "200"});
  }

  [[nodiscard]] fs::path networkFolder() const { return region_->stateFolder() / "network"; }
  [[nodiscard]] fs::path folderOf(const std::string& run) const {
    return region_->stateFolder() / "runs" / run.substr(run.rfind('.') + 1);
  }
  [[nodiscard]] pid_t supervisorOf(const std::string& run) const {
    const auto record = nlohmann::json::parse(textOf(folderOf(run) / "supervisor.json"), nullptr, false);
    return record.is_object() ? record.value("pid", 0) : 0;
  }

  // Starts a run whose node is up, and notes the namespaces that it lives in and holds.
  std::string launch() {
    const std::string own = linkOf("/proc/self/ns/net");
    const std::string run = region_->launch();
    EXPECT_TRUE(eventually([&] { return fs::exists(folderOf(run) / "started.json"); }));
    const fs::path process = fs::path("/proc") / std::to_string(supervisorOf(run));
    namespaces_ = {linkOf(process / "ns/net")};
    for (const fs::path& fd : below(process / "fd"))
      if (const std::string to = linkOf(fd); to.starts_with("net:[")) namespaces_.insert(to);
    namespaces_.erase(own);
    EXPECT_EQ(namespaces_.size(), 2U) << "the node's and its switch's";
    EXPECT_FALSE(holdersOf(namespaces_).empty());
    return run;
  }

  void cancel(const std::string& run) const {
    region_->caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun");
  }

  void expectNothing() const {
    EXPECT_TRUE(eventually([&] { return holdersOf(namespaces_).empty(); }))
        << ::testing::PrintToString(holdersOf(namespaces_));
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(networkFolder()))
      if (entry.is_regular_file() && entry.path().extension() != ".lock") files.push_back(entry.path());
    EXPECT_TRUE(files.empty()) << ::testing::PrintToString(files);
  }

  std::unique_ptr<RegionUnderTest> region_;
  std::set<std::string> namespaces_;
};

TEST_F(NetworkLeftovers, ARunThatIsCanceled) {
  const std::string run = launch();
  cancel(run);
  region_->waitForState(run, {"CANCELED"});
  expectNothing();
}

TEST_F(NetworkLeftovers, ARunWhoseSupervisorIsKilled) {
  const std::string run = launch();
  ::kill(supervisorOf(run), SIGKILL);
  region_->waitForState(run, {"FAILED"});
  expectNothing();
}

TEST_F(NetworkLeftovers, ARunThatOutlivesARegionThatIsKilled) {
  const std::string run = launch();
  region_->killHard();
  EXPECT_FALSE(holdersOf(namespaces_).empty()) << "the run goes on";
  region_->start();
  EXPECT_EQ(region_->waitForState(run, {"IN_PROGRESS"})["lifecycleState"], "IN_PROGRESS");
  cancel(run);
  region_->waitForState(run, {"CANCELED"});
  expectNothing();
}

TEST_F(NetworkLeftovers, ARunThatIsKilledWithTheRegion) {
  const std::string run = launch();
  region_->killHard();
  ::kill(supervisorOf(run), SIGKILL);
  region_->start();
  region_->waitForState(run, {"FAILED"});
  expectNothing();
}

TEST_F(NetworkLeftovers, ARegionThatIsStopped) {
  launch();
  EXPECT_EQ(region_->command({"stop"}).first, 0);
  expectNothing();
}

TEST_F(NetworkLeftovers, ARegionThatIsKilledAndThenStopped) {
  const std::string run = launch();
  region_->killHard();
  EXPECT_EQ(region_->command({"stop"}).first, 0);
  EXPECT_TRUE(eventually([&] { return holdersOf(namespaces_).empty(); }));
  region_->start();  // only a region can tell which addresses are free again
  region_->waitForState(run, {"CANCELED", "FAILED"});
  expectNothing();
}

TEST_F(NetworkLeftovers, ManyRunsWithoutASubnet) {
  const nlohmann::json managed{{"jobInfrastructureConfigurationDetails",
                                {{"jobInfrastructureType", "ME_STANDALONE"}, {"subnetId", nullptr}}}};
  for (int i = 0; i < 3; ++i)
    region_->waitForState(region_->launch({{"BRIEF", "1"}}, managed), {"SUCCEEDED"});
  expectNothing();
  EXPECT_TRUE(below(networkFolder()).empty()) << "a network of its own goes with its run, lock and all";
}

}  // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/peer_check.h"
#include "setup/machine/machine_local.h"
#include "setup/machine/machine_network.h"
#include "setup/machine/machine_proxy.h"
#include "setup/machine/machine_step.h"
#include "tests/core/setup/local_world.h"

namespace lockstep::testing {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

TEST(MachineClock, IsRightOffOrRefused) {
  const auto stateAt = [](long long seconds) {
    return clockFinding(std::chrono::seconds(seconds), "").state;
  };
  const auto codeAt = [](long long seconds) { return clockFinding(std::chrono::seconds(seconds), "").code; };
  for (const long long fine : {0, 60, -60}) EXPECT_EQ(stateAt(fine), StepState::Ready) << fine;
  for (const long long off : {61, -61, 300, -300}) {
    EXPECT_EQ(stateAt(off), StepState::Warning) << off;
    EXPECT_EQ(codeAt(off), "clock-off");
  }
  for (const long long far : {301, -301, 86400}) EXPECT_EQ(codeAt(far), "clock-far-off") << far;
  EXPECT_NE(clockFinding(90s, "").text.find("90 s ahead of the service's"), std::string::npos);
  EXPECT_NE(clockFinding(-600s, "").text.find("10 min 0 s behind the service's"), std::string::npos);
}

TEST(MachineDisk, IsFullLowOrClosed) {
  const FreeSpace plenty{"/data", 5'000'000'000, 100'000, true};
  EXPECT_EQ(diskFinding("/data", plenty).state, StepState::Ready);
  FreeSpace space = plenty;
  space.bytes = 500'000'000;
  EXPECT_EQ(diskFinding("/data", space).code, "disk-low");
  space.bytes = 1'000'000;
  EXPECT_EQ(diskFinding("/data", space).code, "disk-full");
  space = plenty;
  space.files = 3;
  EXPECT_EQ(diskFinding("/data", space).code, "disk-full");
  EXPECT_NE(diskFinding("/data", space).text.find("inodes"), std::string::npos);
  space = plenty;
  space.isWritable = false;
  EXPECT_EQ(diskFinding("/data", space).code, "folder-read-only");
}

TEST(MachineDisk, IsThatOfTheNearestFolderThatIsThere) {
  const TempDir dir;
  EXPECT_EQ(freeSpaceAt(dir.path() / "not/yet").folder, dir.path());
  EXPECT_GT(freeSpaceAt(dir.path()).bytes, 0U);
}

TEST(MachineDisk, AFullDiskIsFound) {
  const TempDir dir;
  if (::mount("none", dir.path().c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "only root may mount a small disk here";
  const Finding finding = diskFinding(dir.path(), freeSpaceAt(dir.path() / "data"));
  ::umount(dir.path().c_str());
  EXPECT_EQ(finding.code, "disk-full") << finding.evidence;
}

TEST(MachineLimits, AreWideOrNarrow) {
  EXPECT_EQ(limitFindings(20'000, ~0ULL).at(0).state, StepState::Ready);
  EXPECT_EQ(limitFindings(256, ~0ULL).at(0).code, "file-limit");
  EXPECT_EQ(limitFindings(20'000, 1'000'000).at(0).code, "file-size-limit");
  EXPECT_EQ(limitFindings(256, 1'000'000).size(), 2U);
}

TEST(MachineProxy, AddressesAreReadWithoutTheirPasswords) {
  const auto one = [](const std::string& value) {
    const auto proxies = proxiesOf({{"https_proxy", value}});
    return proxies.empty() ? std::string("none") : proxies[0].toString();
  };
  EXPECT_EQ(one("http://proxy.example:3128"), "proxy.example:3128");
  EXPECT_EQ(one("proxy.example:3128/"), "proxy.example:3128");
  EXPECT_EQ(one("http://jane:s3cret@proxy.example:3128"), "proxy.example:3128");
  EXPECT_EQ(one("http://jane:s3c@ret@proxy.example"), "proxy.example:1080");
  EXPECT_EQ(one("https://proxy.example"), "proxy.example:443");
  EXPECT_EQ(one("http://[::1]:80"), "[::1]:80");
  EXPECT_EQ(one("http://proxy.example:x"), "proxy.example:0");
  EXPECT_EQ(one("http://"), ":1080");
  EXPECT_EQ(one(""), "none");
  EXPECT_EQ(proxiesOf({{"https_proxy", "a:1"}, {"HTTPS_PROXY", "a:1"}, {"http_proxy", "b:1"}}).size(), 2U);
}

TEST(MachineProxy, NoProxyNamesHostsAndDomains) {
  const auto without = [](const char* list, const char* host) {
    return isWithoutProxy({{"no_proxy", list}}, host);
  };
  EXPECT_TRUE(without("127.0.0.1,localhost", "127.0.0.1"));
  EXPECT_TRUE(without("*", "x.example"));
  EXPECT_TRUE(without(" .example , b", "x.example"));
  EXPECT_TRUE(without("example", "x.example"));
  EXPECT_FALSE(without("ample", "x.example"));
  EXPECT_FALSE(without("", "127.0.0.1"));
}

TEST(MachineProxy, OneThatNobodyServesIsUnreachable) {
  ServiceTarget far{"us-x-1", "https://objectstorage.us-x-1.example", {}, {}, true, false};
  auto findings = proxyFindings({{"https_proxy", "http://jane:s3cret@127.0.0.1:9"}}, far);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "proxy-unreachable");
  EXPECT_EQ(findings[0].state, StepState::Blocked);
  for (const std::string& text : {findings[0].text, findings[0].evidence, findings[0].remedy})
    EXPECT_EQ(text.find("s3cret"), std::string::npos) << text;
  EXPECT_EQ(proxyFindings({{"https_proxy", "http://"}}, far).at(0).code, "proxy-unusable");
  const ServiceTarget here{"r", "http://127.0.0.1:80", {}, {}, true, true};
  findings = proxyFindings({{"https_proxy", "127.0.0.1:9"}}, here);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].state, StepState::Warning) << "our own requests do not need it";
  EXPECT_EQ(findings[1].code, "no-proxy-loopback");
  EXPECT_EQ(proxyFindings({{"https_proxy", "127.0.0.1:9"}, {"NO_PROXY", "localhost,127.0.0.1"}}, here).size(),
            1U);
}

TEST(MachineNames, AreToldApart) {
  const ServiceTarget place{"us-x-1", "https://a.example", {"a", "b"}, {}, true, false};
  const NameAnswer good{"a", {"10.0.0.1"}, {}, false}, bad{"b", {}, "no such name", false},
      slow{"b", {}, "no answer", true};
  EXPECT_EQ(namesFinding(place, {good, good}, false).state, StepState::Ready);
  EXPECT_EQ(namesFinding(place, {good, bad}, false).code, "dns-unresolved");
  EXPECT_EQ(namesFinding(place, {bad, bad}, false).code, "dns-none");
  EXPECT_EQ(namesFinding(place, {good, slow}, false).code, "dns-slow");
  EXPECT_EQ(namesFinding(place, {bad, bad}, true).state, StepState::Ready) << "the proxy looks them up";
  ServiceTarget odd = place;
  odd.isKnownRegion = false;
  EXPECT_EQ(namesFinding(odd, {bad, bad}, false).code, "dns-unknown-region");
}

/// A step of a world with a profile of its own.
StepReport machine(LocalWorld& world) {
  return makeMachineStep(world.context())->check({});
}

TEST(MachineStep, LooksNamesUpAsThisMachineDoes) {
  LocalWorld world;
  std::filesystem::create_directories(world.dir.path() / "oci");
  std::ofstream(world.config()) << "[P]\nregion=us-ashburn-1\n";
  world.setup.query = {world.config().string(), "P"};
  world.program("getent", "exit 2");
  EXPECT_TRUE(hasCode(machine(world), "dns-none"));
  world.program("getent", "case $2 in iad.ocir.io) exit 2;; *) echo \"127.0.0.1 STREAM $2\";; esac");
  // One name that is missing keeps nobody from asking the others; what asks here meets nobody.
  world.setup.environment["https_proxy"] = "127.0.0.1:9";
  world.setup.environment["no_proxy"] = "*";
  const ServiceTarget place = *placeOf(*world.context());
  const auto answers = lookUp(place.hosts, world.setup.run, {});
  const Finding finding = namesFinding(place, answers, false);
  EXPECT_EQ(finding.code, "dns-unresolved");
  EXPECT_NE(finding.text.find("1 of "), std::string::npos) << finding.text;
  EXPECT_NE(finding.text.find("iad.ocir.io"), std::string::npos) << finding.text;
  EXPECT_GE(place.hosts.size(), 9U);
}

TEST(MachineStep, WithoutAnyProfileTheRestIsCheckedAllTheSame) {
  LocalWorld world;
  world.setup.query = {(world.dir.path() / "nowhere").string(), "P"};
  const StepReport report = machine(world);
  EXPECT_TRUE(hasCode(report, "no-region")) << textOf(report);
  EXPECT_TRUE(says(report, "the data folder")) << textOf(report);
}

TEST(MachineStep, AnAnswerThatNeverComesIsUnreachable) {
  LocalWorld world;
  std::filesystem::create_directories(world.dir.path() / "oci");
  std::ofstream(world.config()) << "[P]\nregion=r\nlockstep_endpoint=http://127.0.0.1:9\n";
  world.setup.query = {world.config().string(), "P"};
  const StepReport report = machine(world);
  EXPECT_TRUE(hasCode(report, "service-unreachable")) << textOf(report);
  EXPECT_EQ(report.state, StepState::Blocked);
}

TEST(MachineStep, ConnectsAndSendsNothing) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&place), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&place), &size);
  EXPECT_TRUE(tryConnect("127.0.0.1", ntohs(place.sin_port), 2s));
  const int peer = ::accept(listener, nullptr, nullptr);
  char byte = 0;
  EXPECT_EQ(::read(peer, &byte, 1), 0) << "something was sent";
  ::close(peer);
  ::close(listener);
  EXPECT_FALSE(tryConnect("127.0.0.1", ntohs(place.sin_port), 2s));
}

class MachineInARegion : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region = new RegionUnderTest({}, {"--tls"}); }
  static void TearDownTestSuite() { delete region; }
  static RegionUnderTest* region;
};
RegionUnderTest* MachineInARegion::region = nullptr;

TEST_F(MachineInARegion, EverythingIsReady) {
  LocalWorld world(*region);
  const StepReport report = machine(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "the clock is right")) << textOf(report);
}

TEST_F(MachineInARegion, AClockThatIsOffIsComparedWithTheService) {
  LocalWorld world(*region);
  const auto skew = [](double seconds) {
    tell(*region, "PUT", "/rehearsal/faults",
         {{"seed", 1}, {"faults", {{{"kind", "clock-skew"}, {"delay", seconds}}}}});
  };
  skew(600);
  StepReport report = machine(world);
  EXPECT_TRUE(hasCode(report, "clock-far-off")) << textOf(report);
  EXPECT_TRUE(says(report, "behind")) << textOf(report);
  skew(-120);
  report = machine(world);
  EXPECT_TRUE(hasCode(report, "clock-off")) << textOf(report);
  EXPECT_TRUE(says(report, "ahead of")) << textOf(report);
  tell(*region, "PUT", "/rehearsal/faults", {{"seed", 1}, {"faults", json::array()}});
}

TEST_F(MachineInARegion, AnAuthorityThatIsMissingIsNamed) {
  LocalWorld world(*region);
  world.setValue("lockstep_endpoint", region->info()["httpsEndpoint"].get<std::string>());
  world.setValue("cert_bundle", std::nullopt);
  StepReport report = machine(world);
  EXPECT_TRUE(hasCode(report, "tls-unknown-authority")) << textOf(report);
  EXPECT_TRUE(says(report, "CN")) << textOf(report);
  const std::string bundle = region->info()["certificateBundle"];
  world.setValue("cert_bundle", bundle);
  report = machine(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  const auto odd = world.dir.path() / "odd.pem";
  std::ofstream(odd) << "no certificate";
  world.setValue("cert_bundle", odd.string());
  EXPECT_TRUE(hasCode(machine(world), "tls-bad-bundle")) << textOf(machine(world));
}

}  // namespace
}  // namespace lockstep::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// A whole region beside people who have signed nothing.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "tests/app/rehearsal/iam/iam_region.h"

namespace lockstep::testing {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

/// A connection on which anything may be sent.
class Stranger {
 public:
  explicit Stranger(int port, int room = 0) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (room > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  Stranger(Stranger&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  ~Stranger() {
    if (socket_ >= 0) ::close(socket_);
  }
  bool send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  /// Until the other side ends, or nothing comes for that long.
  [[nodiscard]] std::string read(std::chrono::milliseconds timeout) const {
    std::string text;
    char buffer[65536];
    pollfd entry{socket_, POLLIN, 0};
    while (::poll(&entry, 1, static_cast<int>(timeout.count())) > 0) {
      const ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
  }

 private:
  int socket_;
};

std::string putHead(const std::string& target, std::uint64_t size) {
  return "PUT " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + std::to_string(size) +
         "\r\n\r\n";
}

const char* const kDoors[] = {"/n/rehearsal/b/lockstep/o/large", "/p/nosuch/n/rehearsal/b/lockstep/o/large",
                              "/v2/rehearsal/image/blobs/uploads/1", "/20190101/jobs/x/artifact"};

double megabytesOf(const RegionUnderTest& region) {
  std::ifstream status("/proc/" + std::to_string(region.info()["pid"].get<int>()) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
  return 0;
}

std::size_t filesIn(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    count += entry.is_regular_file() ? 1 : 0;
  return count;
}

TEST(Strangers, SlowUploadsHoldNobodyUp) {
  RegionUnderTest region;
  std::vector<Stranger> slow;
  for (int i = 0; i < 128; ++i) {
    slow.emplace_back(region.port());
    slow.back().send(putHead(kDoors[i % 4], 1 << 30) + "x");
  }
  const TestCaller caller = region.caller();
  const auto begin = SteadyClock::now();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(caller.send("PUT", "/n/rehearsal/b/lockstep/o/" + std::to_string(i), "mine").status, 200);
    EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep/o/" + std::to_string(i)).body, "mine");
  }
  EXPECT_LT(SteadyClock::now() - begin, 10s);
  for (const Stranger& stranger : slow) {
    const std::string answer = stranger.read(10s);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 ") || answer.starts_with("HTTP/1.1 404 ")) << answer;
  }
}

TEST(Strangers, LargeUploadsTakeNeitherMemoryNorDisk) {
  RegionUnderTest region;
  EXPECT_EQ(region.caller().send("PUT", "/n/rehearsal/b/lockstep/o/first", "x").status, 200);
  const double before = megabytesOf(region);
  const std::size_t files = filesIn(region.stateFolder() / "objects");
  std::vector<std::jthread> senders;
  for (const char* door : kDoors)
    senders.emplace_back([&region, door] {
      const Stranger stranger(region.port());
      stranger.send(putHead(door, 500 << 20));
      const std::string piece(1 << 20, 'x');
      for (int i = 0; i < 500 && stranger.send(piece); ++i) {
      }
    });
  double max = before;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(50ms);
    max = std::max(max, megabytesOf(region));
  }
  senders.clear();
  EXPECT_LT(max, before + 32);
  EXPECT_EQ(filesIn(region.stateFolder() / "objects"), files);
}

TEST(Strangers, WhoeverHoldsALinkUploadsThroughAFileAndNotThroughMemory) {
  RegionUnderTest region;
  const TestCaller caller = region.caller();
  const auto par =
      caller
          .post("/n/rehearsal/b/lockstep/p",
                {{"name", "in"}, {"accessType", "AnyObjectWrite"}, {"timeExpires", "2099-01-01T00:00:00Z"}})
          .json();
  const std::string target = par["accessUri"].get<std::string>();
  const std::string bytes(3 << 20, 'y');
  const Stranger friendOfOurs(region.port());
  friendOfOurs.send(putHead(target + "whole", bytes.size()) + bytes);
  EXPECT_TRUE(friendOfOurs.read(2s).starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep/o/whole").body, bytes);
  const std::size_t files = filesIn(region.stateFolder() / "objects");
  {
    const Stranger halfway(region.port());
    halfway.send(putHead(target + "half", bytes.size()) + bytes.substr(0, 1 << 20));
    EXPECT_TRUE(eventually([&] { return filesIn(region.stateFolder() / "objects") == files + 1; }));
  }
  EXPECT_TRUE(eventually([&] { return filesIn(region.stateFolder() / "objects") == files; }))
      << "what did not come whole is removed";
  EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep/o/half").status, 404);
}

TEST(Strangers, WhoDoesNotReadAPublicObjectIsLeft) {
  RegionUnderTest region;
  const TestCaller caller = region.caller();
  ASSERT_EQ(caller
                .post("/n/rehearsal/b", {{"name", "open"},
                                         {"compartmentId", region.place("compartmentId")},
                                         {"publicAccessType", "ObjectRead"}})
                .status,
            200);
  ASSERT_EQ(caller.send("PUT", "/n/rehearsal/b/open/o/large", std::string(16 << 20, 'z')).status, 200);
  std::vector<Stranger> deaf;
  for (int i = 0; i < 150; ++i) {
    deaf.emplace_back(region.port(), 4096);
    deaf.back().send("GET /n/rehearsal/b/open/o/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  const auto begin = SteadyClock::now();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep").status, 200);
  EXPECT_LT(SteadyClock::now() - begin, 5s);
  std::this_thread::sleep_for(8s);
  const std::string rest = deaf.front().read(2s);
  EXPECT_LT(rest.size(), std::size_t{16 << 20}) << "it had its time";
  const Stranger reader(region.port());
  reader.send("GET /n/rehearsal/b/open/o/large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_GT(reader.read(5s).size(), std::size_t{16 << 20});
}

TEST(Strangers, PagesUnderAForeignNameReadNothing) {
  const IamRegion region;
  const auto answer = [&](const std::string& target, const std::string& host) {
    const Stranger stranger(region.port());
    stranger.send("GET " + target + " HTTP/1.1\r\nHost: " + host +
                  "\r\nAuthorization: Bearer Oracle\r\nConnection: close\r\n\r\n");
    return stranger.read(5s).substr(9, 3);
  };
  region.admin("POST", "/rehearsal/instances", {{"compartmentId", region.place("compartmentId")}});
  const std::string port = ":" + std::to_string(region.port());
  for (const std::string target :
       {"/opc/v2/instance/region", "/n/rehearsal/b/x/o/y", "/v2/", "/20180419/docker/token"})
    EXPECT_EQ(answer(target, "evil.example" + port), "421") << target;
  for (const std::string host :
       {"127.0.0.1", "[::1]", "localhost", "LOCALHOST", "iaas.rehearsal.localhost", "169.254.169.254"})
    EXPECT_EQ(answer("/opc/v2/instance/region", host + port), "200") << host;
  EXPECT_EQ(answer("/opc/v2/instance/region", "localhost.evil.example" + port), "421");
  EXPECT_EQ(answer("/opc/v2/instance/region", "127.0.0.1.evil.example"), "421");
}

TEST(Strangers, NoOtherUserGetsAnInstancesKey) {
  const IamRegion region;
  const auto made =
      region.admin("POST", "/rehearsal/instances", {{"compartmentId", region.place("compartmentId")}}).json();
  const auto fetch = [&](const std::string& target) {
    const Stranger stranger(region.port());
    stranger.send(
        "GET " + target +
        " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer Oracle\r\nConnection: close\r\n\r\n");
    return stranger.read(5s);
  };
  const std::string key = "/identity/key.pem";
  EXPECT_NE(fetch("/opc/v2" + key).find("PRIVATE KEY"), std::string::npos) << "our own user";
  EXPECT_NE(fetch(made["metadataPath"].get<std::string>() + key).find("PRIVATE KEY"), std::string::npos);
  EXPECT_EQ(fetch("/metadata/" + made["instanceId"].get<std::string>() + "/opc/v2" + key).find("PRIVATE KEY"),
            std::string::npos);
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  const pid_t other = ::fork();
  if (other == 0) {
    if (::setuid(65534) != 0) ::_exit(2);
    ::_exit(fetch("/opc/v2" + key).find("PRIVATE KEY") == std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

class Registry : public ::testing::Test {
 protected:
  [[nodiscard]] TestResponse token(const std::string& user, const std::string& password) const {
    return region_.plain("GET", "/20180419/docker/token",
                         {{"Authorization", "Basic " + toBase64(user + ":" + password)}});
  }
  TestResponse call(const std::string& method, const std::string& target, const std::string& bearer,
                    const std::string& body = {}, HeaderList headers = {}) const {
    headers.emplace_back("Authorization", "Bearer " + bearer);
    return region_.plain(method, target, headers, body);
  }
  static std::string digestOf(const std::string& bytes) { return "sha256:" + toHex(sha256(bytes)); }
  // Where the layer can be pulled.
  std::string pushLayer(const std::string& bearer, const std::string& bytes) const {
    const TestResponse begun = call("POST", "/v2/rehearsal/image/blobs/uploads/", bearer);
    EXPECT_EQ(begun.status, 202) << begun.body;
    const std::string place = begun.header("location");
    EXPECT_EQ(call("PATCH", place, bearer, bytes).status, 202);
    const TestResponse ended = call("PUT", place + "?digest=" + digestOf(bytes), bearer);
    EXPECT_EQ(ended.status, 201) << ended.body;
    return "/v2/rehearsal/image/blobs/" + digestOf(bytes);
  }
  IamRegion region_;
};

TEST_F(Registry, RenewsItsTokensWhileTheirReasonIsThere) {
  const auto user = region_.makeUser("pusher", nlohmann::json::array());
  const auto made =
      user.caller.post("/20160918/users/" + user.id + "/authTokens", {{"description", "docker"}}).json();
  const TestResponse first = token("rehearsal/pusher", made["token"]);
  ASSERT_EQ(first.status, 200) << first.body;
  const TestResponse second = token("BEARER_TOKEN", first.json()["token"]);
  ASSERT_EQ(second.status, 200);
  EXPECT_EQ(token("BEARER_TOKEN", second.json()["token"]).status, 200);
  EXPECT_EQ(user.caller
                .send("DELETE", "/20160918/users/" + user.id + "/authTokens/" + made["id"].get<std::string>())
                .status,
            204);
  EXPECT_EQ(token("BEARER_TOKEN", first.json()["token"]).status, 401);
  EXPECT_EQ(token("BEARER_TOKEN", second.json()["token"]).status, 401) << "nor what was renewed before";
  const std::string bySignature = user.caller.get("/20180419/docker/token").json()["token"];
  EXPECT_EQ(token("BEARER_TOKEN", bySignature).status, 200);
  EXPECT_EQ(region_.root().send("DELETE", "/20160918/users/" + user.id).status, 204);
  EXPECT_EQ(token("BEARER_TOKEN", bySignature).status, 401) << "its user was deleted";
}

TEST_F(Registry, ATokenEndsWithTheKeyThatAskedForIt) {
  const auto user = region_.makeUser("signer", {"Administrators"});
  const std::string bySignature = user.caller.get("/20180419/docker/token").json()["token"];
  EXPECT_EQ(call("GET", "/v2/", bySignature).status, 200);
  EXPECT_EQ(token("BEARER_TOKEN", bySignature).status, 200);
  const std::string key = user.keyId.substr(user.keyId.rfind('/') + 1);
  ASSERT_EQ(region_.root().send("DELETE", "/20160918/users/" + user.id + "/apiKeys/" + key).status, 204);
  EXPECT_EQ(token("BEARER_TOKEN", bySignature).status, 401) << "it is not renewed";
  EXPECT_EQ(call("GET", "/v2/", bySignature).status, 401) << "nor taken";
}

TEST_F(Registry, TakesLargeLayersThroughFilesAndManifestsAsTheyAre) {
  const std::string bearer = region_.root().get("/20180419/docker/token").json()["token"];
  const std::string layer(5 << 20, 'l'), config = "{}";
  const std::string place = pushLayer(bearer, layer);
  pushLayer(bearer, config);
  EXPECT_EQ(call("GET", place, bearer).body, layer);
  const auto part = [](const std::string& bytes) {
    return nlohmann::json{{"mediaType", "x"}, {"size", bytes.size()}, {"digest", digestOf(bytes)}};
  };
  nlohmann::json manifest{{"schemaVersion", 2}, {"config", part(config)}, {"layers", {part(layer)}}};
  manifest["annotations"] = {{"large", std::string(100'000, 'a')}};  // larger than stays in memory
  const HeaderList type{{"Content-Type", "application/vnd.oci.image.manifest.v1+json"}};
  const TestResponse pushed = call("PUT", "/v2/rehearsal/image/manifests/1", bearer, manifest.dump(), type);
  EXPECT_EQ(pushed.status, 201) << pushed.body;
  EXPECT_EQ(call("GET", "/v2/rehearsal/image/manifests/1", bearer).body, manifest.dump());
  const std::string nobody = region_.plain("GET", "/20180419/docker/token", {}).json()["token"];
  EXPECT_EQ(call("POST", "/v2/rehearsal/image/blobs/uploads/", nobody, "body").status, 401);
}

}  // namespace
}  // namespace lockstep::testing

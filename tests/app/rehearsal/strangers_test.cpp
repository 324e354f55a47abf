// SPDX-License-Identifier: GPL-3.0-or-later
// A whole region beside people who have signed nothing.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "iam_region.h"

namespace lockstep::testing {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

/// A connection on which anything may be sent.
class Stranger {
 public:
  explicit Stranger(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
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
  [[nodiscard]] std::string read(std::chrono::milliseconds patience) const {
    std::string text;
    char buffer[65536];
    pollfd entry{socket_, POLLIN, 0};
    while (::poll(&entry, 1, static_cast<int>(patience.count())) > 0) {
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
  double most = before;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(50ms);
    most = std::max(most, megabytesOf(region));
  }
  senders.clear();
  EXPECT_LT(most, before + 32);
  EXPECT_EQ(filesIn(region.stateFolder() / "objects"), files);
}

TEST(Strangers, WhoeverHoldsALinkUploadsThroughAFileAndNotThroughMemory) {
  RegionUnderTest region;
  const TestCaller caller = region.caller();
  const auto par = caller
                       .post("/n/rehearsal/b/lockstep/p",
                             {{"name", "in"},
                              {"accessType", "AnyObjectWrite"},
                              {"timeExpires", "2099-01-01T00:00:00Z"}})
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

}  // namespace
}  // namespace lockstep::testing

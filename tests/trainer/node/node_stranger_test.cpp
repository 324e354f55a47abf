// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes listen on, and what they are told, where strangers come by.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "node_world.h"
#include "trainer/node/code/code_source.h"
#include "trainer/node/liveness/connectivity_probe.h"

namespace lockstep::node {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::ptrdiff_t openDescriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

int connectTo(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // Ends with a reset, so that many of them do not use up the ports of the machine.
  const linger reset{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  return fd;
}

// Says a byte now and then, for as long as anybody listens.
class Chatterbox {
 public:
  explicit Chatterbox(int port)
      : fd_(connectTo(port)), thread_([this](const std::stop_token& stop) {
          while (!stop.stop_requested() && ::send(fd_, "x", 1, MSG_NOSIGNAL) == 1)
            std::this_thread::sleep_for(milliseconds(100));
        }) {}
  Chatterbox(const Chatterbox&) = delete;
  Chatterbox& operator=(const Chatterbox&) = delete;
  ~Chatterbox() {
    thread_.request_stop();
    thread_.join();
    ::close(fd_);
  }

 private:
  int fd_;
  std::jthread thread_;
};

TEST(ReachStrangers, WhoGoesOnTalkingKeepsNobodyWaiting) {
  auto listener = ProbeListener::open("here");
  ASSERT_TRUE(listener) << describe(listener.error());
  const int port = (*listener)->port();
  std::vector<std::unique_ptr<Chatterbox>> strangers;
  for (int i = 0; i < 5; ++i) strangers.push_back(std::make_unique<Chatterbox>(port));
  for (int i = 0; i < 5; ++i) {
    const auto reached = probeConnection("127.0.0.1", port, "here", seconds(10));
    ASSERT_TRUE(reached) << describe(reached.error());
    EXPECT_LT(*reached, 2000) << "one that talks is not waited for";
  }
  strangers.push_back(std::make_unique<Chatterbox>(port));
  const auto begin = Steady::now();
  listener->reset();
  EXPECT_LT(Steady::now() - begin, seconds(2));
}

TEST(ReachStrangers, TenThousandOfThemLeaveNothingBehind) {
  const auto before = openDescriptors();
  auto listener = ProbeListener::open("here");
  ASSERT_TRUE(listener) << describe(listener.error());
  const int port = (*listener)->port();
  const auto begin = Steady::now();
  for (int i = 0; i < 10'000; ++i) {
    const int fd = connectTo(port);
    if (i % 3 == 0) (void)::send(fd, "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL);
    ::close(fd);
  }
  const auto reached = probeConnection("127.0.0.1", port, "here", seconds(10));
  EXPECT_TRUE(reached) << describe(reached.error());
  // One at a time they filled the queue, and each of those that were dropped asked again after a second.
  EXPECT_LT(Steady::now() - begin, seconds(10));
  listener->reset();
  EXPECT_EQ(openDescriptors(), before);
}

// A server that takes the connection and never says a word.
TEST(CodeSource, AServerThatSaysNothingIsNotWaitedForForEver) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(listener, plain, size), 0);
  ASSERT_EQ(::listen(listener, 8), 0);
  ASSERT_EQ(::getsockname(listener, plain, &size), 0);
  const TempDir dir;
  auto environment = workerEnvironment();
  environment["OCI__CODE_DIR"] = (dir.path() / "code").string();
  environment["LOCKSTEP_GIT_TIMEOUT"] = "1";
  environment["OCI__RUNTIME_TYPE"] = "git";
  environment["OCI__RUNTIME_URI"] = fmt::format("git://127.0.0.1:{}/x", ntohs(address.sin_port));
  environment["PATH"] = "/usr/bin:/bin";
  const auto settings = nodeSettingsFrom(environment, 0);
  ASSERT_TRUE(settings) << describe(settings.error());
  const auto begin = Steady::now();
  const auto fetched = fetchCode(*settings, environment, {});
  ::close(listener);
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::DeadlineExceeded) << describe(fetched.error());
  EXPECT_LT(Steady::now() - begin, seconds(20));
}

}  // namespace
}  // namespace lockstep::node

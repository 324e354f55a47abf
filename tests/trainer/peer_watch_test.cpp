// SPDX-License-Identifier: GPL-3.0-or-later
// The watch over the peers among strangers: port scanners, health checks, and who means harm.
#include "trainer/ddp/peers/peer_watch.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "trainer/ddp/peers/peer_link.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

class Losses {
 public:
  std::function<void(const PeerWatch::Loss&)> handler() {
    return [this](const PeerWatch::Loss& loss) {
      rank_ = loss.rank;
      ++count_;
    };
  }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int rank() const { return rank_; }

 private:
  std::atomic<int> count_{0}, rank_{-1};
};

PeerWatch::Setup setupOf(int rank, int worldSize, Losses& losses) {
  PeerWatch::Setup setup;
  setup.rank = rank;
  setup.worldSize = worldSize;
  setup.token = "t";
  setup.onLoss = losses.handler();
  return setup;
}

bool comesTrue(const std::function<bool()>& condition, seconds limit = seconds(20)) {
  for (const auto end = Steady::now() + limit; !condition(); std::this_thread::sleep_for(milliseconds(10)))
    if (Steady::now() > end) return false;
  return true;
}

std::ptrdiff_t openDescriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

double cpuSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto inSeconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return inSeconds(usage.ru_utime) + inSeconds(usage.ru_stime);
}

// A connection of nobody's.
class Stray {
 public:
  Stray() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    // Ends with a reset, so that ten thousand of them do not use up the ports of the machine.
    const linger reset{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    const timeval timeout{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  }
  explicit Stray(int port) : Stray() { connect(port); }
  Stray(const Stray&) = delete;
  Stray& operator=(const Stray&) = delete;
  ~Stray() { ::close(fd_); }
  bool connect(int port) const {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  void say(const std::string& text) const {
    [[maybe_unused]] const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // Whether the other side hangs up within ten seconds.
  [[nodiscard]] bool isLetGo() const {
    char byte = 0;
    const ssize_t n = ::recv(fd_, &byte, 1, 0);
    return n == 0 || (n < 0 && errno == ECONNRESET);
  }

 private:
  int fd_;
};

TEST(PeerWatchStrangers, TenThousandOfThemLeaveNothingBehind) {
  Losses zero, one, two;
  auto host = PeerWatch::host(setupOf(0, 3, zero));
  ASSERT_TRUE(host);
  auto first = PeerWatch::attach(setupOf(1, 3, one), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first);
  std::this_thread::sleep_for(milliseconds(300));
  const auto before = openDescriptors();
  // The training thread sends all the while.
  std::jthread training([&host](const std::stop_token& stop) {
    for (long long i = 1; !stop.stop_requested(); ++i) {
      (*host)->arrived(i);
      (*host)->sendParameterSum(i, 0);
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  const std::vector<std::string> words{"",
                                       "GET / HTTP/1.1\r\n\r\n",
                                       "hello 2 wrong\n",
                                       "hello 99 t\n",
                                       "hello 1 t\n",
                                       std::string(10'000, 'x')};
  for (std::size_t i = 0; i < 10'000; ++i) {
    const Stray stray((*host)->port());
    stray.say(words[i % words.size()]);
  }
  training.request_stop();
  training.join();
  EXPECT_TRUE(comesTrue([&] { return openDescriptors() <= before + 1; })) << openDescriptors() - before;
  auto second = PeerWatch::attach(setupOf(2, 3, two), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(second);
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_EQ(zero.count() + one.count() + two.count(), 0);
  second->reset();
  EXPECT_TRUE(comesTrue([&] { return zero.count() == 1 && one.count() == 1; }));
  EXPECT_EQ(one.rank(), 2);
}

TEST(PeerWatchStrangers, WhoSaysNothingIsLetGoAndARankStillGetsIn) {
  Losses zero, one;
  auto host = PeerWatch::host(setupOf(0, 3, zero));
  ASSERT_TRUE(host);
  const auto before = openDescriptors();
  const auto begin = Steady::now();
  const Stray alone((*host)->port());
  EXPECT_TRUE(alone.isLetGo());
  EXPECT_LT(Steady::now() - begin, PeerWatch::kHelloLimit + seconds(3));
  constexpr std::size_t kMany = 60;
  std::vector<std::unique_ptr<Stray>> silent;
  for (std::size_t i = 0; i < kMany; ++i) silent.push_back(std::make_unique<Stray>((*host)->port()));
  std::this_thread::sleep_for(milliseconds(500));
  // Ours and no more than sixteen of the other side's.
  EXPECT_LE(openDescriptors(), before + 1 + static_cast<std::ptrdiff_t>(kMany + PeerWatch::kMaxStrangers));
  auto first = PeerWatch::attach(setupOf(1, 3, one), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first);
  std::this_thread::sleep_for(PeerWatch::kHelloLimit + seconds(2));
  EXPECT_EQ(zero.count() + one.count(), 0);
  first->reset();
  EXPECT_TRUE(comesTrue([&] { return zero.count() == 1; }));
  EXPECT_EQ(zero.rank(), 1);
}

TEST(PeerWatchStrangers, NobodyGetsInWhereEveryRankIsThere) {
  Losses zero, one;
  auto host = PeerWatch::host(setupOf(0, 2, zero));
  ASSERT_TRUE(host);
  auto first = PeerWatch::attach(setupOf(1, 2, one), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first);
  EXPECT_TRUE(comesTrue([&] { return !Stray().connect((*host)->port()); }, seconds(5)));
}

TEST(PeerWatchStrangers, ASecondOneOfARankIsAStranger) {
  Losses zero, one, other;
  auto host = PeerWatch::host(setupOf(0, 3, zero));
  auto first = PeerWatch::attach(setupOf(1, 3, one), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(host && first);
  std::this_thread::sleep_for(milliseconds(300));
  auto again = PeerWatch::attach(setupOf(1, 3, other), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(again);
  EXPECT_TRUE(comesTrue([&] { return other.count() == 1; })) << "it is let go";
  again->reset();
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(zero.count() + one.count(), 0);
}

TEST(PeerWatchStrangers, WithoutDescriptorsItWaitsInsteadOfSpinning) {
  Losses zero, one;
  auto host = PeerWatch::host(setupOf(0, 2, zero));
  ASSERT_TRUE(host);
  std::vector<std::unique_ptr<Stray>> strays;
  for (int i = 0; i < 8; ++i) strays.push_back(std::make_unique<Stray>());
  const int next = ::fcntl(0, F_DUPFD_CLOEXEC, 0);
  ::close(next);
  rlimit usual{};
  ::getrlimit(RLIMIT_NOFILE, &usual);
  const rlimit none{static_cast<rlim_t>(next), usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  for (const auto& stray : strays) stray->connect((*host)->port());
  const double before = cpuSeconds();
  std::this_thread::sleep_for(seconds(2));
  const double used = cpuSeconds() - before;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_LT(used, 0.5);
  auto first = PeerWatch::attach(setupOf(1, 2, one), "127.0.0.1", (*host)->port());
  ASSERT_TRUE(first);
  std::this_thread::sleep_for(seconds(2));
  first->reset();
  EXPECT_TRUE(comesTrue([&] { return zero.count() == 1; }));
}

TEST(PeerLink, LinesArriveWholeWhereTheOtherSideIsSlow) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const int small = 4096;
  ::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  PeerLink from(ends[0]), to(ends[1]);
  constexpr std::size_t kLines = 100;
  const auto line = [](std::size_t i) { return std::to_string(i) + std::string(700, '.'); };
  for (std::size_t i = 0; i < kLines; ++i) from.send(line(i) + "\n");
  EXPECT_TRUE(from.hasUnsent());
  std::vector<std::string> lines;
  EXPECT_TRUE(comesTrue([&] {
    from.flush();
    EXPECT_EQ(to.read(lines), PeerLink::State::Open);
    return lines.size() == kLines;
  }));
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i], line(i)) << i;
  EXPECT_FALSE(from.hasUnsent());
}

}  // namespace
}  // namespace lockstep::trainer

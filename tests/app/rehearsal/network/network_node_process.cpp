// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/network/network_node_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <sstream>
#include <vector>

#include "rehearsal/network/isolation/filter_keeper.h"
#include "rehearsal/network/isolation/node_network.h"
#include "rehearsal/network/isolation/node_spec.h"
#include "tests/app/rehearsal/network/network_node_ipv6.h"

namespace lockstep::testing {
namespace {

using namespace rehearsal;

constexpr int kLongMs = 20000;  // for an answer that must come
constexpr int kShortMs = 250;   // for one that must not

sockaddr_in at(std::uint32_t address, int port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_addr.s_addr = htonl(address);
  a.sin_port = htons(static_cast<std::uint16_t>(port));
  return a;
}

const sockaddr* raw(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

bool readyWithin(int fd, short events, int ms) {
  pollfd one{fd, events, 0};
  return ::poll(&one, 1, ms) == 1;
}

int makeSocket(int protocol, int ownPort) {
  const int fd = ::socket(AF_INET, (protocol == kTcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const sockaddr_in own = at(INADDR_ANY, ownPort);
  return ::bind(fd, raw(own), sizeof own) == 0 ? fd : -1;
}

bool connectWithin(int fd, const sockaddr_in& to, int ms) {
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  if (::connect(fd, raw(to), sizeof to) != 0 && (errno != EINPROGRESS || !readyWithin(fd, POLLOUT, ms)))
    return false;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  ::fcntl(fd, F_SETFL, 0);
  return error == 0;
}

bool ping(const sockaddr_in& to, int id, int ms) {
  const int fd = ::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
  icmphdr echo{};
  echo.type = ICMP_ECHO;
  echo.un.echo.id = htons(static_cast<std::uint16_t>(id));
  std::uint32_t sum = static_cast<std::uint32_t>(htons(ICMP_ECHO << 8)) + echo.un.echo.id;
  sum = (sum & 0xffff) + (sum >> 16);
  echo.checksum = static_cast<std::uint16_t>(~sum);
  ::sendto(fd, &echo, sizeof echo, 0, raw(to), sizeof to);
  bool answered = false;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  while (!answered && std::chrono::steady_clock::now() < until && readyWithin(fd, POLLIN, ms)) {
    unsigned char packet[512];
    const ssize_t n = ::recv(fd, packet, sizeof packet, 0);
    if (n < 28) continue;
    icmphdr header{};
    std::memcpy(&header, packet + 20, sizeof header);
    answered = header.type == ICMP_ECHOREPLY && header.un.echo.id == echo.un.echo.id;
  }
  ::close(fd);
  return answered;
}

// A datagram may be lost on a machine that is busy: it is sent again until one is answered.
bool exchangeByte(int fd, const sockaddr_in& to, int ms) {
  constexpr int kRepeatMs = 200;
  ::connect(fd, raw(to), sizeof to);
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  for (char byte = 'x'; std::chrono::steady_clock::now() < until;) {
    ::send(fd, &byte, 1, 0);
    if (readyWithin(fd, POLLIN, std::min(ms, kRepeatMs)) && ::recv(fd, &byte, 1, 0) == 1) return true;
  }
  return false;
}

bool talkOnce(int protocol, const sockaddr_in& to, int ownPort, int ms) {
  if (protocol == kIcmp) return ping(to, ownPort, ms);
  const int fd = makeSocket(protocol, ownPort);
  const bool answered = protocol == kTcp ? connectWithin(fd, to, ms) : exchangeByte(fd, to, ms);
  ::close(fd);
  return answered;
}

std::string readLine(int fd, int ms) {
  std::string text;
  char c = 0;
  while (readyWithin(fd, POLLIN, ms) && ::read(fd, &c, 1) == 1 && c != '\n') text += c;
  return text;
}

std::string fetchLine(int port, const std::string& text, int ms) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string answer;
  if (connectWithin(fd, at(INADDR_LOOPBACK, port), ms)) {
    const std::string line = text + "\n";
    [[maybe_unused]] const auto sent = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL);
    answer = readLine(fd, ms);
  }
  ::close(fd);
  return answer;
}

// Sends that many bytes as lines and compares what comes back.
std::string pump(int port, std::size_t bytes) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!connectWithin(fd, at(INADDR_LOOPBACK, port), kLongMs)) return "no connection";
  std::thread writer([&] {
    std::string block(65536, 'a');
    for (std::size_t left = bytes; left > 0;) {
      const ssize_t n = ::send(fd, block.data(), std::min(left, block.size()), MSG_NOSIGNAL);
      if (n <= 0) return;
      left -= static_cast<std::size_t>(n);
    }
    ::shutdown(fd, SHUT_WR);
  });
  std::size_t same = 0;
  char buffer[65536];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0;)
    same += static_cast<std::size_t>(std::count(buffer, buffer + n, 'A'));
  writer.join();
  ::close(fd);
  return same == bytes ? "same" : std::to_string(same);
}

std::string interfaces() {
  ifaddrs* list = nullptr;
  std::set<std::string> found;
  ::getifaddrs(&list);
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr) continue;
    if (one->ifa_addr->sa_family == AF_INET6) {
      if (std::string(one->ifa_name) != "lo") found.insert(std::string(one->ifa_name) + " IPv6");
    } else if (one->ifa_addr->sa_family == AF_INET) {
      const auto number = [](const sockaddr* a) {
        return ntohl(reinterpret_cast<const sockaddr_in*>(a)->sin_addr.s_addr);
      };
      found.insert(std::string(one->ifa_name) + " " + ipv4Text(number(one->ifa_addr)) + "/" +
                   std::to_string(std::popcount(number(one->ifa_netmask))));
    }
  }
  ::freeifaddrs(list);
  std::string text;
  for (const std::string& one : found) text += one + " ";
  return text;
}

std::string resolve(const std::string& name) {
  addrinfo hints{}, *list = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0) return "unknown";
  const auto address = ntohl(reinterpret_cast<const sockaddr_in*>(list->ai_addr)->sin_addr.s_addr);
  ::freeaddrinfo(list);
  return ipv4Text(address);
}

/// What runs in the node.
class Node {
 public:
  Node(int channel, const nlohmann::json& spec) : channel_(channel), spec_(spec) {}

  [[noreturn]] void run() {
    auto entered = NodeNetwork::enter(spec_);
    answer(entered ? "" : describe(entered.error()));
    if (entered) network_ = std::move(*entered);
    while (entered) {
      std::vector<pollfd> fds{{channel_, POLLIN, 0}};
      for (const auto& [fd, protocol] : listeners_) fds.push_back({fd, POLLIN, 0});
      if (::poll(fds.data(), fds.size(), -1) < 0) continue;
      for (std::size_t i = 1; i < fds.size(); ++i)
        if (fds[i].revents != 0) serve(listeners_[i - 1].first, listeners_[i - 1].second);
      if (fds[0].revents != 0) obey();
    }
    ::_exit(1);
  }

 private:
  void answer(const std::string& text) const {
    [[maybe_unused]] const auto sent = ::send(channel_, text.data(), text.size(), MSG_NOSIGNAL);
  }

  static void serve(int fd, int protocol) {
    if (protocol == kTcp) {
      ::close(::accept(fd, nullptr, nullptr));
      return;
    }
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    char byte = 0;
    if (::recvfrom(fd, &byte, 1, 0, reinterpret_cast<sockaddr*>(&from), &size) == 1)
      ::sendto(fd, &byte, 1, 0, reinterpret_cast<const sockaddr*>(&from), size);
  }

  void obey() {
    char buffer[4096];
    const ssize_t n = ::recv(channel_, buffer, sizeof buffer, 0);
    if (n <= 0) ::_exit(0);
    std::istringstream words(std::string(buffer, static_cast<std::size_t>(n)));
    std::string verb, text;
    words >> verb;
    int protocol = 0, port = 0, own = 0, ms = 0;
    std::uint32_t address = 0;
    std::size_t bytes = 0;
    if (verb == "listen" && words >> protocol >> port) {
      const int fd = makeSocket(protocol, port);
      if (protocol == kTcp) ::listen(fd, 16);
      listeners_.emplace_back(fd, protocol);
      answer(fd >= 0 ? "" : std::strerror(errno));
    } else if (verb == "talk" && words >> protocol >> address >> port >> own >> ms) {
      answer(talkOnce(protocol, at(address, port), own, ms) ? "yes" : "no");
    } else if (verb == "ipv6" && words >> port) {
      answer(parseIpv6(port));
    } else if (verb == "listen6" && words >> port) {
      listeners_.emplace_back(listenIpv6(port), kUdp);
      answer(listeners_.back().first >= 0 ? "" : std::strerror(errno));
    } else if (verb == "talk6" && words >> own >> port >> ms) {
      answer(talkIpv6(own, port, ms) ? "yes" : "no");
    } else if (verb == "fetch" && words >> port >> text >> ms) {
      answer(fetchLine(port, text, ms));
    } else if (verb == "pump" && words >> port >> bytes) {
      answer(pump(port, bytes));
    } else if (verb == "load") {
      auto keeper = FilterKeeper::start(readNodeSpec(spec_)->filterFile());
      answer(keeper ? "" : describe(keeper.error()));
    } else if (verb == "resolve" && words >> text) {
      answer(resolve(text));
    } else if (verb == "share" && words >> text) {
      answer(::open(("/dev/shm/" + text).c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0 ? "made" : "there");
    } else if (verb == "hostname") {
      ::gethostname(buffer, sizeof buffer);
      answer(buffer);
    } else if (verb == "leave") {
      network_.reset();
      answer(interfaces());
    } else if (verb == "interfaces") {
      answer(interfaces());
    } else {
      answer("what?");
    }
  }

  int channel_;
  const nlohmann::json& spec_;
  std::unique_ptr<NodeNetwork> network_;
  std::vector<std::pair<int, int>> listeners_;
};

}  // namespace

std::unique_ptr<NodeProcess> NodeProcess::start(const nlohmann::json& spec, uid_t user) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return nullptr;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(ends[0]);
    if (user != 0 && (::setgid(user) != 0 || ::setuid(user) != 0)) ::_exit(2);
    ::prctl(PR_SET_DUMPABLE, 1);  // a process that changed its user is not, and no other could look at it
    Node(ends[1], spec).run();
  }
  ::close(ends[1]);
  auto node = std::unique_ptr<NodeProcess>(new NodeProcess(pid, ends[0]));
  char buffer[4096];
  const ssize_t n = ::recv(ends[0], buffer, sizeof buffer, 0);
  node->problem_ = n < 0 ? "no answer" : std::string(buffer, static_cast<std::size_t>(n));
  return node;
}

NodeProcess::~NodeProcess() {
  killHard();
  ::close(channel_);
}

std::string NodeProcess::ask(const std::string& command) {
  ::send(channel_, command.data(), command.size(), MSG_NOSIGNAL);
  char buffer[4096];
  const ssize_t n = ::recv(channel_, buffer, sizeof buffer, 0);
  return n < 0 ? "no answer" : std::string(buffer, static_cast<std::size_t>(n));
}

bool NodeProcess::talk(const Packet& packet, bool expected) {
  std::ostringstream command;
  command << "talk " << packet.protocol << " " << packet.destination << " " << packet.destinationPort << " "
          << packet.sourcePort << " " << (expected ? kLongMs : kShortMs);
  return ask(command.str()) == "yes";
}

std::string NodeProcess::fetch(int port, const std::string& text, bool expected) {
  return ask("fetch " + std::to_string(port) + " " + text + " " +
             std::to_string(expected ? kLongMs : kShortMs));
}

void NodeProcess::loadFilter() {
  EXPECT_EQ(ask("load"), "");
}

void NodeProcess::killHard() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool NodeProcess::mayMakeUserNamespaces(uid_t user) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(::setgid(user) == 0 && ::setuid(user) == 0 && ::unshare(CLONE_NEWUSER) == 0 ? 0 : 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

EchoServer::EchoServer() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in own = at(INADDR_LOOPBACK, 0);
  socklen_t size = sizeof own;
  ::bind(listener_, raw(own), sizeof own);
  ::listen(listener_, 16);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size);
  port_ = ntohs(own.sin_port);
  thread_ = std::thread([this] {
    while (!stop_) {
      if (!readyWithin(listener_, POLLIN, 50)) continue;
      const int fd = ::accept(listener_, nullptr, nullptr);
      char buffer[65536];
      for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0;) {
        std::transform(buffer, buffer + n, buffer, [](char c) { return static_cast<char>(std::toupper(c)); });
        for (ssize_t sent = 0; sent < n;) {
          const ssize_t m = ::send(fd, buffer + sent, static_cast<std::size_t>(n - sent), MSG_NOSIGNAL);
          if (m <= 0) break;
          sent += m;
        }
      }
      ::close(fd);
    }
  });
}

void EchoServer::stop() {
  if (stop_.exchange(true)) return;
  thread_.join();
  ::close(listener_);
}

bool eventuallyIs(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    ::usleep(20'000);
  }
  return true;
}

void giveTo(const std::filesystem::path& folder, uid_t user) {
  EXPECT_EQ(::chown(folder.c_str(), user, user), 0);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const int result = ::chown(entry.path().c_str(), user, user);
    // A node that runs may put a file of its own in place meanwhile: its temporary file is gone then.
    if (result != 0 && errno == ENOENT) continue;
    EXPECT_EQ(result, 0) << entry.path() << ": " << std::strerror(errno);
  }
}

}  // namespace lockstep::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <arpa/inet.h>
#include <httplib.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

/// A real HTTP server on a free port of 127.0.0.1, for one test. One handler serves every request; what came
/// in can be looked at afterwards. The handler runs in several threads.
class LoopbackServer {
 public:
  using Handler = std::function<void(const httplib::Request&, httplib::Response&)>;

  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)) {
    const auto serve = [this](const httplib::Request& request, httplib::Response& response) {
      {
        const std::lock_guard lock(mutex_);
        seen_.push_back(request);
      }
      handler_(request, response);
    };
    server_.Get(".*", serve);
    server_.Post(".*", serve);
    server_.Put(".*", serve);
    server_.Delete(".*", serve);
    server_.set_keep_alive_timeout(1);
    port_ = server_.bind_to_any_port("127.0.0.1");
    if (port_ <= 0) throw std::runtime_error("no free port");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    server_.stop();
    thread_.join();
  }

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<httplib::Request> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  [[nodiscard]] std::size_t count() const { return seen().size(); }

 private:
  Handler handler_;
  httplib::Server server_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<httplib::Request> seen_;
  std::thread thread_;
};

/// A server below HTTP: takes connections one after the other, reads one request (headers and content-length
/// bytes) from each, writes what the script returns and closes; `reset` closes with a TCP reset. For what a
/// proper server never does.
class RawServer {
 public:
  struct Reply {
    std::string bytes;
    bool reset = false;
    bool silent = false;                 // keeps the connection open without a word until the server goes
    std::function<bool()> resetsWhen{};  // keeps the connection, and resets it once this holds
  };
  using Script = std::function<Reply(const std::string& request)>;

  explicit RawServer(Script script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no free port");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;
  ~RawServer() {
    stopping_ = true;
    thread_.join();
    for (const int fd : silent_) ::close(fd);
    ::close(listener_);
  }

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<std::string> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  [[nodiscard]] int resets() const { return resets_; }  // by resetsWhen

 private:
  bool waitReadable(int fd) const {
    while (!stopping_) {
      pollfd p{fd, POLLIN, 0};
      if (::poll(&p, 1, 20) > 0) return true;
    }
    return false;
  }

  [[nodiscard]] static bool isWhole(const std::string& text) {
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    std::string head = text.substr(0, end);
    for (char& c : head) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::size_t at = head.find("content-length:");
    const std::size_t length = at == std::string::npos ? 0 : std::stoul(head.substr(at + 15));
    return text.size() >= end + 4 + length;
  }

  void serve() {
    while (waitReadable(listener_)) {
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      std::string request;
      char buffer[4096];
      while (!isWhole(request) && waitReadable(fd)) {
        const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
        if (n <= 0) break;
        request.append(buffer, static_cast<std::size_t>(n));
      }
      answer(fd, request);
    }
  }

  void answer(int fd, const std::string& request) {
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back(request);
    }
    const Reply reply = script_(request);
    if (!reply.bytes.empty()) (void)!::send(fd, reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL);
    if (reply.silent) {
      silent_.push_back(fd);
      return;
    }
    while (reply.resetsWhen && !reply.resetsWhen() && !stopping_)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (reply.reset || reply.resetsWhen) {
      const linger now{1, 0};
      ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(fd);
    if (reply.resetsWhen) ++resets_;
  }

  Script script_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> resets_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> seen_;
  std::vector<int> silent_;
  std::thread thread_;
};

/// A port of 127.0.0.1 on which nothing listens.
inline int closedPort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  ::close(fd);
  return ntohs(address.sin_port);
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/socket_stream.h"

#include <linux/sockios.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kReadPiece = 16 * 1024;
constexpr auto kSlice = 100ms;  // how late a waiting thread may notice that the region ends

SocketStream::Outcome outcomeOf(SSL* tls, int result) {
  const int error = SSL_get_error(tls, result);
  ERR_clear_error();
  if (error == SSL_ERROR_WANT_READ) return SocketStream::Outcome::WantsRead;
  if (error == SSL_ERROR_WANT_WRITE) return SocketStream::Outcome::WantsWrite;
  return SocketStream::Outcome::Closed;
}

}  // namespace

SocketStream::SocketStream(int socket, Ssl tls, const std::atomic<bool>& stopping)
    : socket_(socket), tls_(std::move(tls)), stopping_(stopping) {
  if (tls_) SSL_set_fd(tls_.get(), socket_);
}

SocketStream::~SocketStream() {
  if (tls_) SSL_shutdown(tls_.get());
  ERR_clear_error();
  ::close(socket_);
}

SocketStream::Outcome SocketStream::handshake() {
  if (!tls_) return Outcome::Done;
  const int result = SSL_accept(tls_.get());
  return result == 1 ? Outcome::Done : outcomeOf(tls_.get(), result);
}

SocketStream::Outcome SocketStream::readSome(std::string& into, std::size_t max) {
  std::array<char, kReadPiece> piece;  // on the stack: a waiting connection keeps only what came
  while (into.size() < max) {
    const std::size_t room = std::min(piece.size(), max - into.size());
    if (tls_) {
      const int n = SSL_read(tls_.get(), piece.data(), static_cast<int>(room));
      if (n <= 0) return outcomeOf(tls_.get(), n);
      into.append(piece.data(), static_cast<std::size_t>(n));
    } else {
      const ssize_t n = ::recv(socket_, piece.data(), room, 0);
      if (n == 0) return Outcome::Closed;
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno == EAGAIN ? Outcome::WantsRead : Outcome::Closed;
      into.append(piece.data(), static_cast<std::size_t>(n));
      if (static_cast<std::size_t>(n) < room) return Outcome::WantsRead;
    }
  }
  return Outcome::Done;
}

bool SocketStream::wait(short events, Deadline deadline) {
  while (!stopping_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    pollfd entry{socket_, events, 0};
    const int n =
        ::poll(&entry, 1, static_cast<int>(std::clamp(left, 0ms, std::chrono::milliseconds(kSlice)).count()));
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) return false;
    if (left <= 0ms) return false;
  }
  return false;
}

bool SocketStream::waitForBytes(Deadline deadline) {
  return (tls_ && SSL_pending(tls_.get()) > 0) || wait(POLLIN, deadline);
}

bool SocketStream::waitForRoom(Deadline deadline) {
  return wait(POLLOUT, deadline);
}

SocketStream::Outcome SocketStream::writeSomeTls(std::string_view bytes, std::size_t& sent) {
  while (!bytes.empty()) {
    const int n = SSL_write(tls_.get(), bytes.data(), static_cast<int>(std::min(bytes.size(), kPiece)));
    if (n <= 0) return outcomeOf(tls_.get(), n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
    sent += static_cast<std::size_t>(n);
  }
  return Outcome::Done;
}

SocketStream::Outcome SocketStream::writeSome(std::string_view first, std::string_view second,
                                              std::size_t& sent) {
  if (tls_) {
    const Outcome outcome = writeSomeTls(first, sent);
    return outcome == Outcome::Done ? writeSomeTls(second, sent) : outcome;
  }
  while (!first.empty() || !second.empty()) {
    iovec parts[2] = {{const_cast<char*>(first.data()), first.size()},
                      {const_cast<char*>(second.data()), second.size()}};
    msghdr message{};
    message.msg_iov = first.empty() ? parts + 1 : parts;
    message.msg_iovlen = first.empty() ? 1 : 2;
    const ssize_t n = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN ? Outcome::WantsWrite : Outcome::Closed;
    sent += static_cast<std::size_t>(n);
    const std::size_t ofFirst = std::min(static_cast<std::size_t>(n), first.size());
    first.remove_prefix(ofFirst);
    second.remove_prefix(static_cast<std::size_t>(n) - ofFirst);
  }
  return Outcome::Done;
}

bool SocketStream::write(std::string_view bytes, std::chrono::milliseconds timeout) {
  while (!bytes.empty()) {
    std::size_t sent = 0;
    const Outcome outcome = writeSome(bytes, {}, sent);
    bytes.remove_prefix(sent);
    if (outcome == Outcome::Closed) return false;
    const short wanted = outcome == Outcome::WantsRead ? POLLIN : POLLOUT;
    if (outcome != Outcome::Done && !wait(wanted, SteadyClock::now() + timeout)) return false;
  }
  return true;
}

void SocketStream::cut() {
  // A reset throws away what the kernel has not sent yet, and how much arrives should not be chance.
  for (int i = 0, queued = 1; i < 200 && queued > 0; ++i) {
    if (::ioctl(socket_, SIOCOUTQ, &queued) != 0) break;
    if (queued > 0) std::this_thread::sleep_for(5ms);
  }
  tls_.reset();
  const linger now{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void SocketStream::endWriting() {
  if (tls_) SSL_shutdown(tls_.get());
  ERR_clear_error();
  ::shutdown(socket_, SHUT_WR);
}

SocketStream::Outcome SocketStream::discard(std::size_t max, std::size_t& discarded) {
  std::array<char, kPiece> ignored;
  for (std::size_t done = 0; done < max;) {
    const ssize_t n = ::recv(socket_, ignored.data(), ignored.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return Outcome::WantsRead;
    if (n <= 0) return Outcome::Closed;
    done += static_cast<std::size_t>(n);
    discarded += static_cast<std::size_t>(n);
  }
  return Outcome::WantsRead;
}

}  // namespace lockstep::rehearsal

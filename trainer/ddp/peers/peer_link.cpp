// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/peers/peer_link.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep::trainer {
namespace {

constexpr std::size_t kMaxUnsent = 256 * 1024;

}  // namespace

PeerLink::~PeerLink() {
  ::close(fd_);
}

void PeerLink::send(const std::string& lines) {
  const std::lock_guard lock(mutex_);
  if (unsent_.size() + lines.size() > kMaxUnsent) return;
  unsent_ += lines;
  flushLocked();
}

void PeerLink::flush() {
  const std::lock_guard lock(mutex_);
  flushLocked();
}

void PeerLink::flushLocked() {
  std::size_t sent = 0;
  while (sent < unsent_.size()) {
    const ssize_t n = ::send(fd_, unsent_.data() + sent, unsent_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK) sent = unsent_.size();  // nobody is there any more
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  unsent_.erase(0, sent);
}

bool PeerLink::hasUnsent() const {
  const std::lock_guard lock(mutex_);
  return !unsent_.empty();
}

PeerLink::State PeerLink::read(std::vector<std::string>& lines) {
  char buffer[4096];
  const ssize_t n = ::recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return State::Open;
  if (n <= 0) return State::Closed;
  pending_.append(buffer, static_cast<std::size_t>(n));
  std::size_t begin = 0;
  for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(pending_.substr(begin, end - begin));
  pending_.erase(0, begin);
  return pending_.size() > kLongestLine ? State::Closed : State::Open;
}

}  // namespace lockstep::trainer

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::trainer {

/// One connection of lines between two ranks. It never blocks: what the socket does not take at once is kept
/// and sent later, so that a line arrives whole or not at all. Writing is thread-safe; reading is for one
/// thread.
class PeerLink {
 public:
  static constexpr std::size_t kLongestLine = 4096;

  /// Owns the descriptor.
  explicit PeerLink(int fd) : fd_(fd) {}
  PeerLink(const PeerLink&) = delete;
  PeerLink& operator=(const PeerLink&) = delete;
  ~PeerLink();

  [[nodiscard]] int fd() const { return fd_; }
  /// Whole lines, each with its end. To a peer that takes nothing for long they are lost: its silence will be
  /// noticed.
  void send(const std::string& lines);
  /// Sends what was kept, as far as the socket takes it.
  void flush();
  [[nodiscard]] bool hasUnsent() const;

  enum class State { Open, Closed };
  /// Appends the lines that have come. Closed: by the other side, or it sends what is no line.
  State read(std::vector<std::string>& lines);

 private:
  void flushLocked();

  int fd_;
  mutable std::mutex mutex_;  // guards unsent_
  std::string unsent_;
  std::string pending_;
};

}  // namespace lockstep::trainer

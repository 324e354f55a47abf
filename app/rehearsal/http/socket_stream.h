// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::rehearsal {

/// The bytes of one connection, in clear or over TLS. Owns the socket, which is non-blocking. One thread at a
/// time.
class SocketStream {
 public:
  using Ssl = std::unique_ptr<SSL, decltype(&SSL_free)>;
  using Deadline = std::chrono::steady_clock::time_point;
  enum class Outcome { Done, WantsRead, WantsWrite, Closed };

  /// Takes the socket over. `tls` null: in clear. `stopping` ends every wait early.
  SocketStream(int socket, Ssl tls, const std::atomic<bool>& stopping);
  ~SocketStream();
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;

  // Without waiting.
  Outcome handshake();
  /// Appends what is there until `into` has `max` bytes or no more has come (WantsRead).
  Outcome readSome(std::string& into, std::size_t max);
  /// Sends from both, one after the other, what goes at once, and adds to `sent` how much that was.
  Outcome writeSome(std::string_view first, std::string_view second, std::size_t& sent);
  /// Ends our side; what still comes is to be thrown away, so that an answer is not lost with a reset.
  void endWriting();
  /// Throws away at most so many bytes of what has come, and adds how many to `discarded`.
  Outcome discard(std::size_t max, std::size_t& discarded);

  // Waiting.
  /// Until there may be something to read, or room to write; false at the deadline.
  [[nodiscard]] bool waitForBytes(Deadline deadline);
  [[nodiscard]] bool waitForRoom(Deadline deadline);
  /// All of it; false: closed, or nothing moved until `timeout` was over.
  bool write(std::string_view bytes, std::chrono::milliseconds timeout);

  /// Sends what is on its way, and then a TCP reset instead of an end.
  void cut();
  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] bool isTls() const { return tls_ != nullptr; }

 private:
  bool wait(short events, Deadline deadline);
  Outcome writeSomeTls(std::string_view bytes, std::size_t& sent);

  int socket_;
  Ssl tls_;
  const std::atomic<bool>& stopping_;
};

}  // namespace lockstep::rehearsal

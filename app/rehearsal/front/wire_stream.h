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
class WireStream {
 public:
  using Ssl = std::unique_ptr<SSL, decltype(&SSL_free)>;
  using Deadline = std::chrono::steady_clock::time_point;
  enum class Outcome { Done, WantsRead, WantsWrite, Closed };

  /// Takes the socket over. `tls` null: in clear. `stopping` ends every wait early.
  WireStream(int socket, Ssl tls, const std::atomic<bool>& stopping);
  ~WireStream();
  WireStream(const WireStream&) = delete;
  WireStream& operator=(const WireStream&) = delete;

  // Without waiting.
  Outcome handshake();
  /// Appends what is there until `into` has `most` bytes or no more has come (WantsRead).
  Outcome readSome(std::string& into, std::size_t most);

  // Waiting.
  /// Until there may be something to read; false at the deadline.
  [[nodiscard]] bool waitForBytes(Deadline deadline);
  /// At least one byte more, at most so that `into` has `most`; false: closed, or the deadline.
  bool read(std::string& into, std::size_t most, Deadline deadline);
  /// All of both, one after the other; false: closed, or nothing moved until `patience` was over.
  bool write(std::string_view first, std::string_view second, std::chrono::milliseconds patience);

  /// Sends what is on its way, and then a TCP reset instead of an end.
  void cut();
  /// Ends our side and drains the other for a moment, so that an answer is not lost with a reset.
  void closeGently();
  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] bool isTls() const { return tls_ != nullptr; }

 private:
  bool wait(short events, Deadline deadline);
  bool writeTls(std::string_view bytes, std::chrono::milliseconds patience);

  int socket_;
  Ssl tls_;
  const std::atomic<bool>& stopping_;
};

}  // namespace lockstep::rehearsal

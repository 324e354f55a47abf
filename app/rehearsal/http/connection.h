// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "rehearsal/http/http_exchange.h"
#include "rehearsal/http/socket_stream.h"

namespace lockstep::rehearsal {

/// One caller's connection, and where its current request stands. Of one thread at a time.
struct Connection {
  Connection(int socket, SocketStream::Ssl tls, const std::atomic<bool>& stopping)
      : stream(socket, std::move(tls), stopping) {}
  SocketStream stream;
  std::string input;
  std::size_t searched = 0;
  bool isOpen = false;  // its handshake is done
  SocketStream::Deadline deadline;
  std::unique_ptr<HttpExchange> exchange;  // the request that is being read or answered
  bool isEnding = false;                   // our side has ended: what comes is thrown away
  std::size_t discarded = 0;

  std::optional<std::size_t> headSize() { return findHeadEnd(input, searched); }
};

/// Whether the first byte is that of a TLS handshake.
[[nodiscard]] bool greetsInTls(const Connection& connection);
/// Clients may send an empty line before a request (RFC 9112 §2.2).
void dropEmptyLines(Connection& connection);

}  // namespace lockstep::rehearsal

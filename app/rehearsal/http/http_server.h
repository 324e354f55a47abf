// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "rehearsal/http/dispatcher.h"
#include "rehearsal/http/http_exchange.h"

namespace lockstep::rehearsal {

/// The HTTP/1.1 server on loopback, in clear and over TLS at the same time. It knows nothing of OCI.
///
/// Connections that wait (for a handshake, a head, the rest of a body, room for an answer, the next request)
/// are watched by one thread and cost a few hundred bytes; only what can be done at once gets a thread, so
/// however many callers are slow, nobody else waits for them. Our own and not a library's, because
/// the region has to see requests byte for byte (a library decodes header values, and folds what the
/// signature is about), and has to break answers in all the ways that networks do.
class HttpServer {
 public:
  /// `files` take the bodies of large uploads; null: they stay in memory.
  explicit HttpServer(Dispatcher& dispatcher, HttpServerLimits limits = {}, BodyFiles* files = nullptr);
  ~HttpServer();

  /// From here on the kernel accepts connections, on 127.0.0.1 and, where there is one, on ::1. Port 0: a
  /// free one. Returns the port.
  Result<int> bind(int port);
  /// The same with TLS.
  Result<int> bindTls(int port, const std::shared_ptr<SSL_CTX>& context);
  /// Serves until stop(). Blocks.
  void serve();
  /// From any thread. What is being answered still is.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep::rehearsal

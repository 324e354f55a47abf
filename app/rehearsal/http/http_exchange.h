// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "rehearsal/http/dispatcher.h"
#include "rehearsal/http/incoming_body.h"
#include "rehearsal/http/pace.h"
#include "rehearsal/http/request_head.h"
#include "rehearsal/http/socket_stream.h"

namespace lockstep::rehearsal {

/// How much and how long the server puts up with.
struct HttpServerLimits {
  std::uint64_t maxBody = 16ULL << 20;         // of a request whose body is signed
  std::uint64_t maxBodyOfRead = 64ULL << 10;   // of GET, HEAD and DELETE, which need none
  std::uint64_t maxUpload = 1ULL << 30;        // of an object, a part or an artifact
  std::uint64_t maxBodyMemory = 256ULL << 20;  // all bodies in memory together
  std::chrono::milliseconds headTimeout{
      15000};                             // from the first byte of a head (or the connection) to its end
  std::chrono::milliseconds idle{75000};  // between two requests
  std::chrono::milliseconds strangerIdle{5000};  // the same after an answer to somebody unknown
  std::chrono::milliseconds timeout{30000};      // how far bytes buy time ahead, in either direction
  std::chrono::milliseconds strangerTimeout{5000};
  std::chrono::milliseconds drain{2000};        // for what comes after the last answer
  std::uint64_t minBytesPerSecond = 16 * 1024;  // of bodies, once their timeout is used up
  std::size_t maxConnections = 2000;
};

/// What all exchanges of a server share; outlives them.
struct ExchangeContext {
  Dispatcher& dispatcher;
  const HttpServerLimits& limits;
  BodyFiles* files;  // null: every body stays in memory
  BodyMemory& memory;
  const std::atomic<bool>& stopping;
};

/// One request and its answer on a connection. Goes as far as it can without waiting for the other side, and
/// says what it waits for, so that a slow caller costs no thread.
class HttpExchange {
 public:
  enum class Step {
    NextRequest,  // done, and the connection goes on
    ReadMore,
    WriteMore,
    Drain,  // done; our side is to be ended, and what comes is to be thrown away
    Over
  };

  /// `input`: what was read and not used yet; the head stands at its front.
  HttpExchange(SocketStream& stream, std::string& input, const ExchangeContext& shared)
      : stream_(stream), input_(input), shared_(shared), pace_(shared.limits.timeout, 1) {}

  /// Takes the head of `headSize` bytes from `input` and goes on.
  Step begin(std::size_t headSize);
  /// Goes on after ReadMore and WriteMore.
  Step resume();
  /// Answers without an operation, and ends the connection.
  Step refuse(const ServiceError& error);

  /// Until when what it waits for must have come.
  [[nodiscard]] SocketStream::Deadline deadline() const { return pace_.deadline(); }
  /// Nobody has signed the request, nor shown the admin token.
  [[nodiscard]] bool isWithStranger() const { return !isKnown_ || response_.isForStranger; }

 private:
  Step beginBody(const RequestHead& head);
  [[nodiscard]] std::uint64_t maxBody() const;
  bool skipBody(const RequestHead& head);
  Step readBody();
  Step answer();
  Step beginSending();
  Step sendMore();
  bool nextPiece();
  Step waitFor(SocketStream::Outcome outcome);
  Step sendDisturbed();
  bool sendPiece(std::string_view head, std::string_view piece, std::uint64_t bytesPerSecond);
  bool sendDisturbedBody(std::string head);
  bool pause(std::chrono::milliseconds duration) const;

  SocketStream& stream_;
  std::string& input_;
  const ExchangeContext& shared_;
  IncomingRequest request_;
  Admission admission_;
  std::optional<IncomingBody> body_;  // while it comes in; holds its share of the memory until the end
  bool isReading_ = false, keepAlive_ = false, isKnown_ = false;
  Pace pace_;
  Response response_;
  std::string out_;               // what is on its way, and behind it reply_.body when `withBody_`
  bool withBody_ = false;         // reply_.body goes out of its own place
  std::size_t sent_ = 0;          // of out_ and reply_.body
  std::uint64_t sourceSent_ = 0;  // of reply_.source, put into out_
};

}  // namespace lockstep::rehearsal

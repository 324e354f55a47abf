// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "rehearsal/front/dispatcher.h"
#include "rehearsal/front/request_head.h"
#include "rehearsal/front/wire_stream.h"

namespace lockstep::rehearsal {

/// How much and how long the front puts up with.
struct FrontLimits {
  std::uint64_t mostBody = 16ULL << 20;   // of a request whose body is signed
  std::uint64_t mostUpload = 1ULL << 30;  // of an object, a part or an artifact
  std::chrono::milliseconds headPatience{
      15000};                                 // from the first byte of a head (or the connection) to its end
  std::chrono::milliseconds idle{75000};      // between two requests
  std::chrono::milliseconds patience{30000};  // until a byte moves, in either direction
  std::uint64_t leastBytesPerSecond = 16 * 1024;  // of a request's body, after `patience`
  std::size_t mostConnections = 2000;
};

/// One request and its answer on a connection, whose head has arrived.
class Exchange {
 public:
  /// `input`: what was read and not used yet; the head stands at its front.
  Exchange(WireStream& stream, std::string& input, Dispatcher& dispatcher, const FrontLimits& limits,
           const std::atomic<bool>& stopping)
      : stream_(stream), input_(input), dispatcher_(dispatcher), limits_(limits), stopping_(stopping) {}

  /// Takes the head of `headSize` bytes and the body from `input`, answers; false: the connection is over.
  bool run(std::size_t headSize);
  /// Answers without an operation, and ends the connection.
  void refuseAndEnd(const Refusal& refusal);

 private:
  bool readBody(const RequestHead& head, std::string& body);
  bool readMore(WireStream::Deadline deadline);
  bool send(const WireRequest& request, bool keepAlive, Reply& reply);
  bool sendBody(const Reply& reply, std::string head);
  bool sendPiece(std::string_view head, std::string_view piece, std::uint64_t bytesPerSecond);
  bool pause(std::chrono::milliseconds duration) const;

  WireStream& stream_;
  std::string& input_;
  Dispatcher& dispatcher_;
  const FrontLimits& limits_;
  const std::atomic<bool>& stopping_;
};

}  // namespace lockstep::rehearsal

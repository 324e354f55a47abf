// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rehearsal/api/http_types.h"

namespace lockstep::rehearsal {

/// Request line and headers of an HTTP/1.x request (RFC 9112), byte for byte as they were sent: values are
/// trimmed and otherwise untouched, the target is what the signature is about.
struct RequestHead {
  std::string method, target;
  Headers headers;
  bool isHttp10 = false;
  bool keepAlive = true;
  bool chunked = false;
  bool expectsContinue = false;
  std::uint64_t contentLength = 0;
};

inline constexpr std::size_t kMaxHeadBytes = 64 * 1024;
inline constexpr std::size_t kMaxTargetBytes = 16 * 1024;
inline constexpr std::size_t kMaxHeaders = 200;

/// Where the head that begins `bytes` ends, behind its empty line; nullopt: not there yet. `searched` is how
/// much was looked through before, and is kept up to date, so that a head that trickles in is searched once.
[[nodiscard]] std::optional<std::size_t> findHeadEnd(std::string_view bytes, std::size_t& searched);

/// The head without what can be read in two ways (RFC 9112 §11.2): no folded lines, no blank before a colon,
/// one Host, one length, no length beside a transfer coding. A refusal without a code has no body on the
/// wire, as the gateway in front of the services answers.
[[nodiscard]] tl::expected<RequestHead, ServiceError> parseRequestHead(std::string_view bytes);

/// Takes the frames of a chunked body apart as they arrive.
class ChunkedReader {
 public:
  explicit ChunkedReader(std::uint64_t max) : max_(max) {}
  enum class State { NeedsMore, Complete, Malformed, TooLarge };
  /// Takes what it understands from the front of `input` and appends the data to `body`.
  State take(std::string& input, std::string& body);

 private:
  State readFrom(std::string_view& input, std::string& body);
  static State popLine(std::string_view& input, std::string_view& line);
  State parseSize(std::string_view line);
  enum class Part { Size, Data, DataEnd, Trailer };
  Part part_ = Part::Size;
  std::uint64_t left_ = 0, max_ = 0, taken_ = 0;
  std::size_t trailerBytes_ = 0;
};

}  // namespace lockstep::rehearsal

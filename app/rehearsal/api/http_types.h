// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "rehearsal/api/body_file.h"

namespace lockstep::rehearsal {

struct CaseLess {
  bool operator()(const std::string& a, const std::string& b) const;
};
/// Header names in any case; a name may occur more than once.
using Headers = std::multimap<std::string, std::string, CaseLess>;
[[nodiscard]] std::optional<std::string> headerValue(const Headers& headers, const std::string& name);

/// One request as it came over the connection. `target` is untouched, since it is what was signed.
struct IncomingRequest {
  std::string method;
  std::string target;
  Headers headers;
  std::string body;      // a large upload stands in `file` instead
  bool overTls = false;  // for answers that name the caller's way to us
  std::shared_ptr<BodyFile> file = nullptr;
  /// The user to whom the other end of the connection belongs, when the kernel says it. May be empty.
  std::function<std::optional<uid_t>()> peerUser = {};

  [[nodiscard]] std::string_view bytes() const { return file ? file->bytes() : std::string_view(body); }
};

/// Bytes of an object: in memory, or a part of an open file.
struct ByteSource {
  std::string bytes;
  std::shared_ptr<int> file;  // open descriptor, closed with the last owner; null: `bytes`
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// What goes wrong on the way of an answer to its caller. As it stands: nothing.
struct Delivery {
  std::chrono::milliseconds delay{0};     // the first byte waits so long
  bool lost = false;                      // cut before the first byte
  std::optional<std::uint64_t> cutAfter;  // cut (with a TCP reset) after so many bytes of the body
  std::uint64_t bytesPerSecond = 0;       // of the body; 0: as fast as it goes
  std::uint64_t extraLength = 0;          // content-length announces so many bytes that never come
  [[nodiscard]] bool isClean() const {
    return delay.count() == 0 && !lost && !cutAfter && bytesPerSecond == 0 && extraLength == 0;
  }
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string contentType = "application/json";
  std::string body;
  std::optional<ByteSource> source;  // instead of body: never compressed
  Delivery delivery;
  bool isForStranger = false;  // to somebody of whom nothing is known: has little time to take it
};

/// A refusal in the service's own words (oci-rest-contract 3.2).
struct ServiceError {
  int status = 500;
  std::string code;
  std::string message;
};

using OperationResult = tl::expected<Response, ServiceError>;

[[nodiscard]] tl::unexpected<ServiceError> refuse(int status, std::string code, std::string message);
/// The one answer to "no such thing" and "not yours".
[[nodiscard]] tl::unexpected<ServiceError> notFound();
[[nodiscard]] tl::unexpected<ServiceError> invalidParameter(std::string message);
[[nodiscard]] tl::unexpected<ServiceError> missingParameter(const std::string& field);

[[nodiscard]] Response jsonResponse(const nlohmann::json& body, const std::string& etag = {});
[[nodiscard]] Response emptyResponse(int status);

/// Path and query of a request target, still encoded.
struct TargetParts {
  std::string_view path, query;
};
[[nodiscard]] TargetParts splitTarget(std::string_view target);
/// Names and values decoded, '+' being a blank, as the service's form decoder has it.
[[nodiscard]] std::map<std::string, std::string> parseQuery(std::string_view query);

}  // namespace lockstep::rehearsal

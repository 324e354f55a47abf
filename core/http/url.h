// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

/// The parts of an http(s) URL that a request needs, exactly as they stand in it: nothing is decoded or
/// normalised.
struct UrlParts {
  std::string scheme;  // "http" | "https"
  std::string host;    // "127.0.0.1", "[::1]"
  std::string port;    // empty: the scheme's default
  std::string target;  // path and query as on the request line; at least "/"
  /// Value of the Host header: the port only when it is not the scheme's default.
  [[nodiscard]] std::string hostHeader() const;
  /// "https://host:port"
  [[nodiscard]] std::string origin() const;
  /// A literal loopback address or "localhost".
  [[nodiscard]] bool isLoopback() const;
};

/// InvalidArgument for anything that cannot go on the wire as it is: other schemes, user names, spaces, bytes
/// outside printable ASCII. A fragment is dropped.
[[nodiscard]] Result<UrlParts> parseUrl(std::string_view url);

}  // namespace lockstep

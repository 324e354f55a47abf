// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/ip_address.h"

namespace lockstep {
namespace {

tl::unexpected<Error> refuse(std::string_view url, std::string cause, std::string remedy = {}) {
  // A query may be long and is never what is wrong with the rest.
  return failure(ErrorCode::InvalidArgument,
                 fmt::format("cannot use the URL '{}'", url.substr(0, url.find('?'))), std::move(cause),
                 std::move(remedy));
}

bool isPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }) &&
         std::stoi(std::string(text)) <= 65535;
}

std::string_view defaultPort(std::string_view scheme) {
  return scheme == "https" ? "443" : "80";
}

// Splits "[::1]:80" or "host:80"; false when it is neither, or could be read in another way by whoever
// connects.
bool splitAuthority(std::string_view authority, UrlParts& parts) {
  const std::size_t close = authority.starts_with('[') ? authority.find(']') : std::string_view::npos;
  const std::size_t hostEnd =
      close != std::string_view::npos ? close + 1 : std::min(authority.find(':'), authority.size());
  parts.host = authority.substr(0, hostEnd);
  const std::string_view name =
      close != std::string_view::npos ? authority.substr(1, close - 1) : authority.substr(0, hostEnd);
  if (name.empty() || name.find_first_of("[]\\") != std::string_view::npos) return false;
  if (hostEnd == authority.size()) return true;
  parts.port = authority.substr(hostEnd + 1);
  return authority[hostEnd] == ':' && isPort(parts.port);
}

}  // namespace

std::string UrlParts::hostHeader() const {
  return port.empty() || port == defaultPort(scheme) ? host : fmt::format("{}:{}", host, port);
}

std::string UrlParts::origin() const {
  return fmt::format("{}://{}", scheme, hostHeader());
}

bool UrlParts::isLoopback() const {
  if (host == "localhost") return true;
  const bool isBracketed = host.starts_with('[') && host.ends_with(']');
  const std::string_view address = isBracketed ? std::string_view(host).substr(1, host.size() - 2) : host;
  return isBracketed == (address.find(':') != std::string_view::npos) && isLoopbackAddress(address);
}

Result<UrlParts> parseUrl(std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos)
    return refuse(url, "it has no scheme", "begin it with https:// or http://");
  UrlParts parts;
  for (unsigned char c : url.substr(0, colon)) parts.scheme += static_cast<char>(std::tolower(c));
  if (parts.scheme != "http" && parts.scheme != "https") {
    return refuse(url, fmt::format("the scheme '{}' is neither http nor https", parts.scheme));
  }
  const bool plain =
      std::all_of(url.begin(), url.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
  if (!plain) {
    return refuse(url, "it contains a blank, a control character or a byte outside ASCII",
                  "percent-encode it");
  }
  std::string_view rest = url.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, end);
  if (authority.find('@') != std::string_view::npos)
    return refuse(rest.substr(end), "it contains a user name");
  if (!splitAuthority(authority, parts))
    return refuse(url, fmt::format("'{}' is no host and port", authority));
  parts.target = rest.substr(end);
  if (!parts.target.starts_with('/')) parts.target.insert(0, "/");
  return parts;
}

}  // namespace lockstep

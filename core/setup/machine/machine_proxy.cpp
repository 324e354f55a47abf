// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/machine/machine_proxy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/child_process.h"
#include "http/peer_check.h"
#include "http/url.h"

namespace lockstep {
namespace {

using Environment = std::map<std::string, std::string>;
using namespace std::chrono_literals;

constexpr auto kConnectLimit = 3s;
constexpr const char* kVariables[] = {"https_proxy", "HTTPS_PROXY", "all_proxy",
                                      "ALL_PROXY",   "http_proxy",  "HTTP_PROXY"};
constexpr int kDefaultPort = 1080;  // libcurl's, for every kind but https
constexpr int kDefaultTlsPort = 443;

// 0: no port.
int portOf(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool fine = error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65536;
  return fine ? port : 0;
}

ProxyAddress addressOf(const char* variable, std::string_view value) {
  ProxyAddress proxy{variable, {}, kDefaultPort};
  if (const auto scheme = value.find("://"); scheme != std::string_view::npos) {
    if (value.substr(0, scheme) == "https") proxy.port = kDefaultTlsPort;
    value.remove_prefix(scheme + 3);
  }
  value = value.substr(0, value.find('/'));
  if (const auto at = value.rfind('@'); at != std::string_view::npos) value.remove_prefix(at + 1);
  const auto bracket = value.find(']');
  const auto colon = value.find(':', bracket == std::string_view::npos ? 0 : bracket);
  proxy.host = value.substr(0, colon);
  if (colon != std::string_view::npos) proxy.port = portOf(value.substr(colon + 1));
  const bool isName = !proxy.host.empty() && std::all_of(proxy.host.begin(), proxy.host.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".-_:[]").find(c) != std::string_view::npos;
  });
  if (!isName) proxy.host.clear();
  return proxy;
}

bool matches(std::string_view entry, std::string_view host) {
  if (entry == "*") return true;
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry.starts_with(".")) entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry)) return false;
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

Finding unusable(const ProxyAddress& proxy) {
  return {StepState::Blocked,
          fmt::format("the environment variable {} names no proxy that can be used", proxy.variable),
          "it must be like http://host:port", fmt::format("correct or unset {}", proxy.variable),
          "proxy-unusable"};
}

Finding unreachable(const ProxyAddress& proxy, const Error& why, bool matters) {
  return {matters ? StepState::Blocked : StepState::Warning,
          fmt::format("the proxy {} of {} cannot be reached", proxy.toString(), proxy.variable),
          why.cause.empty() ? why.what : why.cause,
          fmt::format("correct {}, connect to the network (VPN) that the proxy is in, or unset it",
                      proxy.variable),
          "proxy-unreachable"};
}

Finding oneProxy(const ProxyAddress& proxy, bool matters) {
  if (proxy.host.empty() || proxy.port == 0) return unusable(proxy);
  const auto connected = tryConnect(proxy.host, proxy.port, kConnectLimit);
  if (!connected) return unreachable(proxy, connected.error(), matters);
  return {StepState::Ready,
          fmt::format("the proxy {} of {} can be reached", proxy.toString(), proxy.variable),
          {},
          {},
          {}};
}

// Lockstep itself never sends loopback through a proxy; what it starts may.
Finding missingLoopback() {
  return {StepState::Warning,
          "a proxy is set, but NO_PROXY does not name loopback, where the rehearsal region is",
          "docker, the OCI command line and training processes would ask the proxy for 127.0.0.1",
          "set NO_PROXY=127.0.0.1,localhost (and no_proxy likewise)", "no-proxy-loopback"};
}

}  // namespace

std::string ProxyAddress::toString() const {
  return fmt::format("{}:{}", host, port);
}

std::vector<ProxyAddress> proxiesOf(const Environment& environment) {
  std::vector<ProxyAddress> proxies;
  for (const char* variable : kVariables) {
    const std::string value = environmentValue(environment, variable);
    if (value.empty()) continue;
    ProxyAddress proxy = addressOf(variable, value);
    const bool isKnown = std::any_of(proxies.begin(), proxies.end(), [&](const ProxyAddress& other) {
      return other.host == proxy.host && other.port == proxy.port;
    });
    if (!isKnown) proxies.push_back(std::move(proxy));
  }
  return proxies;
}

bool isWithoutProxy(const Environment& environment, const std::string& host) {
  std::string list = environmentValue(environment, "no_proxy");
  if (list.empty()) list = environmentValue(environment, "NO_PROXY");
  for (std::string_view rest = list; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view entry = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (matches(entry, host)) return true;
  }
  return false;
}

bool usesProxy(const Environment& environment, const ServiceTarget& place) {
  if (place.isLoopback) return false;
  const auto url = parseUrl(place.serviceUrl);
  if (!url || isWithoutProxy(environment, url->host)) return false;
  const bool tls = url->scheme == "https";
  const auto proxies = proxiesOf(environment);
  return std::any_of(proxies.begin(), proxies.end(), [&](const ProxyAddress& proxy) {
    return proxy.variable.starts_with("all") || proxy.variable.starts_with("ALL") ||
           (tls ? proxy.variable.ends_with("s_proxy") || proxy.variable.ends_with("S_PROXY")
                : proxy.variable == "http_proxy");
  });
}

std::vector<Finding> proxyFindings(const Environment& environment,
                                   const std::optional<ServiceTarget>& place) {
  const auto proxies = proxiesOf(environment);
  if (proxies.empty()) return {{StepState::Ready, "no proxy is set", {}, {}, {}}};
  std::vector<Finding> findings;
  const bool matters = place && usesProxy(environment, *place);
  for (const ProxyAddress& proxy : proxies) findings.push_back(oneProxy(proxy, matters));
  if (place && place->isLoopback && !isWithoutProxy(environment, "127.0.0.1"))
    findings.push_back(missingLoopback());
  return findings;
}

}  // namespace lockstep

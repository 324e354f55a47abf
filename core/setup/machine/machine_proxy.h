// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "setup/machine/service_target.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// A proxy as an environment variable names it, without its user and password.
struct ProxyAddress {
  std::string variable;                        // "https_proxy"
  std::string host;                            // empty: the value names none
  int port = 0;                                // 0: the value's is no port
  [[nodiscard]] std::string toString() const;  // "host:port"
};
/// One for each distinct address, in the order in which libcurl looks at the variables. Pure.
[[nodiscard]] std::vector<ProxyAddress> proxiesOf(const std::map<std::string, std::string>& environment);
/// Whether `no_proxy` takes a host out of them, by name, domain or "*". Pure.
[[nodiscard]] bool isWithoutProxy(const std::map<std::string, std::string>& environment,
                                  const std::string& host);
/// Whether requests to the place go through a proxy.
[[nodiscard]] bool usesProxy(const std::map<std::string, std::string>& environment,
                             const ServiceTarget& place);

/// "proxy-unusable", "proxy-unreachable", "no-proxy-loopback". Connects to each proxy and sends nothing.
[[nodiscard]] std::vector<Finding> proxyFindings(const std::map<std::string, std::string>& environment,
                                                 const std::optional<ServiceTarget>& place);

}  // namespace lockstep

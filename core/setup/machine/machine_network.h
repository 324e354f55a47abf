// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "setup/machine/service_target.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// What the system's resolver says of one name.
struct NameAnswer {
  std::string host;
  std::vector<std::string> addresses;
  std::string problem;  // why there is no address
  bool isSlow = false;  // no answer within the limit
};
/// Asks `getent` for all of them side by side, which answers as every other program of this machine is
/// answered. Blocks for some seconds at most.
[[nodiscard]] std::vector<NameAnswer> lookUp(const std::vector<std::string>& hosts, const CommandRunner& run,
                                             const std::stop_token& stop);
/// "dns-none", "dns-slow", "dns-unknown-region", "dns-unresolved". Behind a proxy, which looks names up by
/// itself, nothing of that prevents requests. Pure.
[[nodiscard]] Finding namesFinding(const ServiceTarget& place, const std::vector<NameAnswer>& answers,
                                   bool throughProxy);
[[nodiscard]] ReportTable namesTable(const std::vector<NameAnswer>& answers);

/// `ahead`: this machine's time minus the service's. Above 60 s "clock-off", above the five minutes that
/// services accept (oci-rest-contract 1.1) "clock-far-off". Pure.
[[nodiscard]] Finding clockFinding(std::chrono::seconds ahead, const std::string& evidence);

/// One unsigned request, for the Date header of its refusal and for what TLS says on the way: "clock-off",
/// "clock-far-off", "tls-unknown-authority", "tls-expired", "tls-wrong-name", "tls-handshake",
/// "tls-bad-bundle", "service-unreachable". Blocks for some seconds at most.
[[nodiscard]] std::vector<Finding> serviceFindings(const ServiceTarget& place, const std::stop_token& stop);

}  // namespace lockstep

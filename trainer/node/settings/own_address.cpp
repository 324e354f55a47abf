// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/settings/own_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_fields.h"
#include "oci/services/data_science_client.h"
#include "oci/services/network_client.h"

namespace lockstep::node {
namespace {

std::optional<std::uint32_t> parseIpv4(std::string_view text) {
  in_addr parsed{};
  if (::inet_pton(AF_INET, std::string(text).c_str(), &parsed) != 1) return std::nullopt;
  return ntohl(parsed.s_addr);
}

std::string textOf(const sockaddr* address) {
  char text[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  return text;
}

// The interface that has the address, or whose network it lies in (127.0.1.1 belongs to lo, which has
// 127.0.0.1).
std::string interfaceOf(const std::string& address, const std::vector<InterfaceAddress>& interfaces) {
  const auto wanted = parseIpv4(address);
  for (const auto& one : interfaces) {
    if (one.address == address) return one.interface;
  }
  for (const auto& one : interfaces) {
    const auto own = parseIpv4(one.address);
    const auto mask = parseIpv4(one.mask);
    if (wanted && own && mask && (*own & *mask) == (*wanted & *mask)) return one.interface;
  }
  return {};
}

std::optional<std::string> addressOfHostName() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return std::nullopt;
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(name, nullptr, &hints, &list) != 0 || list == nullptr) return std::nullopt;
  std::string address = textOf(list->ai_addr);
  ::freeaddrinfo(list);
  return address;
}

Result<OwnAddress> byHostName(const std::string& why) {
  const auto interfaces = interfaceAddresses();
  if (const auto address = addressOfHostName()) {
    return OwnAddress{*address, interfaceOf(*address, interfaces),
                      fmt::format("{}; {} is what the host name resolves to", why, *address)};
  }
  const InterfaceAddress* best = nullptr;
  for (const auto& one : interfaces) {
    if (best == nullptr || best->interface == "lo") best = &one;
  }
  if (best == nullptr) {
    return failure(ErrorCode::NotFound, "cannot find an address of this node",
                   "the host name does not resolve and no interface has IPv4");
  }
  return OwnAddress{best->address, best->interface,
                    fmt::format("{}; {} is the address of {}", why, best->address, best->interface)};
}

Result<std::string> subnetCidr(const NodeSettings& settings,
                               const std::shared_ptr<oci::ServiceClient>& services,
                               const std::stop_token& stop) {
  const auto job = oci::DataScienceClient(services).getJob(settings.jobId, stop);
  if (!job) return failure(job.error());
  const std::string subnetId =
      stringField(objectField(*job, "jobInfrastructureConfigurationDetails"), "subnetId");
  if (subnetId.empty()) {
    return failure(ErrorCode::FailedPrecondition, fmt::format("the job '{}' names no subnet", settings.jobId),
                   {}, "set spec.infrastructure.spec.subnetId in the train.yaml");
  }
  const auto subnet = oci::NetworkClient(services).getSubnet(subnetId, stop);
  if (!subnet) return failure(subnet.error());
  return subnet->cidrBlock;
}

}  // namespace

std::vector<InterfaceAddress> interfaceAddresses() {
  std::vector<InterfaceAddress> found;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return found;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    const bool usable =
        one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP) != 0;
    if (!usable) continue;
    found.push_back(
        {one->ifa_name, textOf(one->ifa_addr), one->ifa_netmask == nullptr ? "" : textOf(one->ifa_netmask)});
  }
  ::freeifaddrs(list);
  return found;
}

bool isAddress(const std::string& text) {
  in6_addr any{};
  return ::inet_pton(AF_INET, text.c_str(), &any) == 1 || ::inet_pton(AF_INET6, text.c_str(), &any) == 1;
}

bool cidrContains(std::string_view cidr, std::string_view address) {
  const std::size_t slash = cidr.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view digits = cidr.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const auto network = parseIpv4(cidr.substr(0, slash));
  const auto own = parseIpv4(address);
  if (error != std::errc() || end != digits.data() + digits.size() || bits > 32 || !network || !own)
    return false;
  const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
  return (*network & mask) == (*own & mask);
}

Result<OwnAddress> findOwnAddress(const NodeSettings& settings,
                                  const std::shared_ptr<oci::ServiceClient>& services,
                                  const std::stop_token& stop) {
  if (!settings.address.empty())
    return OwnAddress{settings.address, interfaceOf(settings.address, interfaceAddresses()), {}};
  if (settings.outsideService()) return byHostName("JOB_OCID is not set, so no subnet is known");
  if (!services) return byHostName("the service cannot be asked for the job's subnet");
  const auto cidr = subnetCidr(settings, services, stop);
  if (!cidr) return byHostName("cannot learn the job's subnet: " + describe(cidr.error()));
  for (const auto& one : interfaceAddresses()) {
    if (cidrContains(*cidr, one.address)) return OwnAddress{one.address, one.interface, {}};
  }
  return byHostName(fmt::format("no interface has an address in the subnet {}", *cidr));
}

OwnAddress ownAmong(const std::vector<std::string>& addresses, const NodeSettings& settings) {
  const std::string& own = addresses[static_cast<std::size_t>(settings.nodeRank)];
  for (const auto& one : interfaceAddresses()) {
    if (one.address == own) return {own, one.interface, {}};
  }
  return {own, {}, fmt::format("no interface has the address {} that the service told for this node", own)};
}

}  // namespace lockstep::node

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/node_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "rehearsal/api/service_hosts.h"
#include "rehearsal/network/rules/cidr.h"

namespace lockstep::rehearsal {

HardwareAddress NodeSpec::hardware() const {
  const Ipv4 ip = parseIpv4(address).value_or(0);
  const auto byte = [ip](int shift) { return static_cast<std::uint8_t>(ip >> shift); };
  return {2, 0, byte(24), byte(16), byte(8), byte(0)};
}

std::string NodeSpec::hardwareAddress() const {
  return fmt::format("{:02x}", fmt::join(hardware(), ":"));
}

std::string NodeSpec::fullName() const {
  return domain.empty() ? hostName : hostName + "." + domain;
}

std::string NodeSpec::hostsText(const std::string& ofMachine) const {
  std::string text = fmt::format("127.0.0.1 localhost\n{} {}{}\n", address, fullName(),
                                 domain.empty() ? "" : " " + hostName);
  // The machine may not know names below localhost; its nodes do.
  text += fmt::format("127.0.0.1 {}\n", fmt::join(serviceHosts(), " "));
  std::istringstream lines(ofMachine);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, name;
    words >> first >> name;
    // Debian gives the machine's own name 127.0.1.1, at which no other node can be reached.
    if (first.empty() || first[0] == '#' || first == "127.0.1.1" || name == "localhost") continue;
    text += line + "\n";
  }
  return text;
}

nlohmann::json writeNodeSpec(const NodeSpec& spec) {
  return {{"mode", "isolated"},
          {"folder", spec.folder.string()},
          {"privilege", spec.privilege == Privilege::Root ? "root" : "userNamespace"},
          {"switch", spec.switchName},
          {"seat", spec.filePrefix},
          {"address", spec.address},
          {"prefixLength", spec.prefixLength},
          {"localBlocks", spec.localBlocks},
          {"hostName", spec.hostName},
          {"domain", spec.domain},
          {"ports", spec.ports}};
}

Result<NodeSpec> readNodeSpec(const nlohmann::json& json) {
  try {
    NodeSpec spec;
    spec.folder = json.at("folder").get<std::string>();
    spec.privilege = json.at("privilege") == "root" ? Privilege::Root : Privilege::UserNamespace;
    json.at("switch").get_to(spec.switchName);
    json.at("seat").get_to(spec.filePrefix);
    json.at("address").get_to(spec.address);
    json.at("prefixLength").get_to(spec.prefixLength);
    json.at("localBlocks").get_to(spec.localBlocks);
    json.at("hostName").get_to(spec.hostName);
    json.at("domain").get_to(spec.domain);
    json.at("ports").get_to(spec.ports);
    return spec;
  } catch (const nlohmann::json::exception& e) {
    return failure(ErrorCode::DataLoss, "the network of the node is not described as it must be", e.what());
  }
}

}  // namespace lockstep::rehearsal

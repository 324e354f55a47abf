// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "rehearsal/network/isolation/links.h"
#include "rehearsal/network/isolation/namespaces.h"

namespace lockstep::rehearsal {

/// What a supervisor must know to put its node in its place: NodeAttachment::spec, typed.
struct NodeSpec {
  std::filesystem::path folder;  // of the region's network
  Privilege privilege = Privilege::Root;
  std::string switchName;                // nodes of one name are on one switch
  std::string filePrefix;                // this node's files in `folder` begin with it
  std::string address;                   // "10.0.0.2"
  int prefixLength = 24;                 // of the subnet
  std::vector<std::string> localBlocks;  // of the VCN, reached without a gateway
  std::string hostName, domain;          // "node-0a000002", "lockstep.lockstep.oraclevcn.com"
  std::vector<int> ports;                // of the region at 127.0.0.1

  [[nodiscard]] std::filesystem::path switchFolder() const { return folder / switchName; }
  [[nodiscard]] std::filesystem::path filterFile() const { return folder / (filePrefix + ".nft"); }
  [[nodiscard]] std::filesystem::path hostsFile() const { return folder / (filePrefix + ".hosts"); }
  /// Follows from the address, so that a node that takes over an address is believed at once.
  [[nodiscard]] HardwareAddress hardware() const;
  [[nodiscard]] std::string hardwareAddress() const;  // "02:00:0a:00:00:02"
  [[nodiscard]] std::string fullName() const;
  /// The machine's table under the node's own names.
  [[nodiscard]] std::string hostsText(const std::string& ofMachine) const;
};

[[nodiscard]] nlohmann::json writeNodeSpec(const NodeSpec& spec);
Result<NodeSpec> readNodeSpec(const nlohmann::json& json);

}  // namespace lockstep::rehearsal

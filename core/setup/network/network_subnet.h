// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

#include "setup/network/network_reader.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The subnet that is to be looked at, and what there is to say about the choice. Without a subnet the
/// findings say why, a table lists those to choose from, and one of them is proposed where it is the only
/// one.
struct ChosenSubnet {
  std::optional<oci::Subnet> subnet;
  std::vector<Finding> findings;
  std::vector<ReportTable> tables;
  std::optional<oci::Subnet> proposal{};
  bool isNoneThere = false;  // no subnet in the whole tenancy that could be seen
};

/// The choice's or the train.yaml's; where neither names one, the only one that there is.
[[nodiscard]] ChosenSubnet chooseSubnet(const SetupContext& context, NetworkReader& reader,
                                        const std::stop_token& stop);

/// What is to be said about a subnet itself: public, too small for so many nodes (0: unknown).
[[nodiscard]] std::vector<Finding> subnetFindings(const oci::Subnet& subnet, long long nodes,
                                                  const std::string& evidence);

}  // namespace lockstep

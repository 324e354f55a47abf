// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "base/clock.h"
#include "cluster/spec/cluster_spec.h"
#include "policy/required_policies.h"

namespace lockstep {

/// What a train.yaml (nothing: any training), its work dir and its image need of policies. Groups,
/// compartments and the end of a proof of concept are the caller's to fill in. Pure.
[[nodiscard]] PolicyRequirements policyRequirementsOf(const std::optional<ClusterSpec>& spec,
                                                      const std::string& workDir, const std::string& image,
                                                      PolicyMode mode);

/// "Domain/Name" taken apart; without a domain: the Default one.
struct GroupName {
  std::string name, domain;
};
[[nodiscard]] GroupName groupNamed(const std::string& text);

/// When a proof of concept that begins now ends: two weeks later, "2026-12-06T00:00:00Z".
[[nodiscard]] std::string endOfProof(TimePoint now);

/// The text that an administrator can paste into the console's policy editor: one statement a line.
[[nodiscard]] std::string pasteText(const std::vector<RequiredStatement>& statements);

}  // namespace lockstep

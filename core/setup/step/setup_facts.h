// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>

#include "cluster/document/cluster_document.h"
#include "setup/step/applied_change.h"
#include "setup/step/setup_context.h"

namespace lockstep {

/// What steps found out, by field: "infrastructure.subnetId", "cluster.workDir", or the field's whole path
/// ("spec.infrastructure.spec.subnetId").
using SetupFacts = std::map<std::string, std::string>;

/// The field of a train.yaml that a fact is about.
[[nodiscard]] FieldPath fieldOfFact(const std::string& name);

/// The train.yaml with the facts in their fields; comments, order and everything else stay. Facts about parts
/// that the file does not have (a cluster, in `kind: job`) are left out. Pure.
[[nodiscard]] Result<ClusterDocument> withFacts(ClusterDocument document, const SetupFacts& facts);

/// The choices with the facts in place of what was chosen before: what a fix has just made is what the next
/// steps look at. Facts that are no choice are left out.
[[nodiscard]] SetupChoices withFacts(SetupChoices choices, const SetupFacts& facts);

/// The choices without those ids that a change had made and that are gone with it.
[[nodiscard]] SetupChoices withoutMade(SetupChoices choices, const AppliedChange& change);

/// Whether the facts would change any of the choices.
[[nodiscard]] bool changesChoices(const SetupChoices& choices, const SetupFacts& facts);

/// Whether a value of a train.yaml is still to be replaced: "<OCID of your compartment>".
[[nodiscard]] bool isPlaceholder(const std::string& value);

}  // namespace lockstep

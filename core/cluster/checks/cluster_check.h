// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cluster/reading/issue_list.h"
#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// Looks for everything that is wrong or worth knowing about a train.yaml that could be read: required
/// fields, ranges, OCIDs, image, work dir, placeholders, environment, limits of the service. Pure.
void checkCluster(const ClusterSpec& spec, const YamlTree& tree, IssueList& issues);

/// What YAML itself allows and PyYAML's SafeLoader, or a train.yaml, does not: values of unknown tags, keys
/// given twice, keys that nothing reads.
void checkDocument(const YamlTree& tree, IssueList& issues);

}  // namespace lockstep

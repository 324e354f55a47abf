// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cluster/reading/key_info.h"

namespace lockstep {

// The keys of a train.yaml, a table for each mapping: who adds a key adds a member to the spec and its row here. In the order in
// which they are read; of two that are equally near to a misspelt key the first is proposed.

// spec.infrastructure.spec, of both kinds of file.
[[nodiscard]] const KeyTable<Infrastructure>& infrastructureKeys();
[[nodiscard]] const KeyTable<ShapeConfig>& shapeConfigKeys();
[[nodiscard]] const KeyTable<StorageMount>& storageMountKeys();

// spec.cluster.spec.
[[nodiscard]] const KeyTable<ClusterSpec>& clusterKeys();
[[nodiscard]] const KeyTable<RoleSpec>& roleKeys();
[[nodiscard]] const KeyTable<CertificateSpec>& authorityKeys();
[[nodiscard]] const KeyTable<CertificateSpec>& certificateKeys();

// spec.runtime.spec of `kind: distributed`.
[[nodiscard]] const KeyTable<ClusterSpec>& runtimeKeys();

// spec.multiNode.
[[nodiscard]] const KeyTable<MultiNodeSpec>& multiNodeKeys();
[[nodiscard]] const KeyTable<NodeGroupSpec>& nodeGroupKeys();
[[nodiscard]] const KeyTable<StartupProbe>& startupProbeKeys();

// spec.runtime.spec of `kind: job` (ads-contract 5.1): what all have, and what depends on spec.runtime.type.
[[nodiscard]] const KeyTable<JobSpec>& jobKeys();
[[nodiscard]] const KeyTable<JobSpec>& pyTorchJobKeys();
[[nodiscard]] const KeyTable<JobSpec>& containerJobKeys();
[[nodiscard]] const KeyTable<CondaSpec>& condaKeys();
[[nodiscard]] const KeyTable<GitSource>& gitKeys();
[[nodiscard]] const KeyTable<JobSpec>& dependencyKeys();

}  // namespace lockstep

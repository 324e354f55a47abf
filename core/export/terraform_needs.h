// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cluster/spec/cluster_spec.h"
#include "export/cluster_view.h"

namespace lockstep {

/// TCP ports, both ends included.
struct PortRange {
  int first = 0, last = 0;
  std::string purpose;
};

/// What has to be open between the nodes of a cluster (ads-contract 4.4).
struct PortNeeds {
  std::vector<PortRange> ranges;  // those known beforehand, in rising order
  std::string allTcpReason;       // why all TCP is needed inside the subnet; empty: the ranges suffice
};
[[nodiscard]] PortNeeds portNeedsOf(const ClusterView& view);

/// What a train.yaml needs in the tenancy, besides the compartment, the network, the project and the log.
struct TenancyNeeds {
  PortNeeds ports;
  std::optional<std::string> bucket, nameSpace;     // of the work dir
  std::string prefix;                               // of the work dir
  std::vector<std::string> buckets;                 // that the job runs read and write, the work dir's first
  std::optional<std::string> registry, repository;  // of the image, when it is Oracle's registry
  std::string imageTag = "latest";
  std::vector<std::string> certificateKinds;           // policy words for what a Dask cluster with TLS reads
  std::vector<std::string> secrets, metricNamespaces;  // ids of vault secrets; names
};
[[nodiscard]] TenancyNeeds tenancyNeedsOf(const ClusterSpec& spec, const ClusterView& view);

}  // namespace lockstep

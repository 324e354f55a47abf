// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/spec/cluster_spec.h"
#include "oci/services/limits_client.h"

namespace lockstep {

/// Nodes of one shape that a cluster wants at the same time.
struct ShapeNeed {
  std::string shape;  // "VM.GPU.A10.2"
  long long nodes = 0;
  long long gpus = 0;  // of all its nodes; 0: none, or not known
  double ocpus = 0, memoryInGBs = 0;
};
[[nodiscard]] std::vector<ShapeNeed> shapeNeedsOf(const ClusterSpec& spec);

/// "gpu-a10" of "VM.GPU.A10.2", "standard-e4" of "VM.Standard.E4.Flex": how limits are named for a family.
[[nodiscard]] std::string shapeFamily(const std::string& shape);

/// The limits of Data Science that count nodes of the shape: by their names ("ds-gpu-a10-count"), else by
/// descriptions that name the shape. Only two names are documented, the rest follows their pattern
/// (oci-rest-contract 4.10): empty when none fits. Pure.
[[nodiscard]] std::vector<oci::LimitDefinition> limitsOfShape(
    const std::string& shape, const std::vector<oci::LimitDefinition>& definitions);

/// How much of a limit a need takes. The unit of a limit is not documented: where neither name nor
/// description tells it, `min` counts nodes and `max` counts GPUs.
struct LimitDemand {
  std::int64_t min = 0, max = 0;
  std::string unit;  // "GPUs", "nodes", "OCPUs", "GB", or "nodes or GPUs"
};
[[nodiscard]] LimitDemand demandOn(const oci::LimitDefinition& limit, const ShapeNeed& need);

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cluster/reading/field_reader.h"

namespace lockstep {

/// Fills what a `kind: job` file says beside its infrastructure (ads-contract 5.1): name, environment, image,
/// job, and the nodes as one main and replicas - 1 workers.
void readJob(FieldReader& reader, ClusterSpec& spec);

/// {namespace: {key: value}}.
[[nodiscard]] std::vector<DefinedTags> readDefinedTags(FieldReader& reader, const FieldPath& path);

}  // namespace lockstep

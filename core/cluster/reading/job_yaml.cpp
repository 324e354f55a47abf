// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/job_yaml.h"

#include "cluster/reading/key_tables.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

/// Tags of the runtime count instead of those of the infrastructure.
void readTags(FieldReader& reader, const FieldPath& at, Infrastructure& infra) {
  auto freeform = reader.pairs(reader.spelled(at, {"freeformTags", "freeform_tags"}));
  if (!freeform.empty()) infra.freeformTags = std::move(freeform);
  auto defined = readDefinedTags(reader, reader.spelled(at, {"definedTags", "defined_tags"}));
  if (!defined.empty()) infra.definedTags = std::move(defined);
}

}  // namespace

void readJob(FieldReader& reader, ClusterSpec& spec) {
  const FieldPath at = field::runtime();
  JobSpec job;
  spec.clusterName = reader.text({"spec", "name"});
  job.type = reader.text(at.parent().child("type")).value_or("");
  readKeys(reader, at, jobKeys(), job);
  spec.runtimeEnv = reader.env(at.child("env"));
  readTags(reader, at, spec.infrastructure);
  if (job.isContainer()) {
    spec.image = reader.text(at.child("image"));
    readKeys(reader, at, containerJobKeys(), job);
  } else {
    readKeys(reader, at, pyTorchJobKeys(), job);
    if (job.type == "pyTorchDistributed") spec.framework = Framework::PyTorch;
  }
  spec.main = RoleSpec{};
  if (job.replicas.value_or(1) > 1) {
    spec.worker = RoleSpec{};
    spec.worker->replicas = *job.replicas - 1;
  }
  spec.job = std::move(job);
}

}  // namespace lockstep

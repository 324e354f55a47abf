// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/cluster_check.h"

#include <fmt/format.h>

#include "cluster/check_parts.h"
#include "cluster/train_yaml.h"
#include "cluster/train_yaml_keys.h"

namespace lockstep {
namespace {

void require(bool present, const FieldPath& field, IssueList& issues, std::string remedy) {
  if (!present)
    issues.error("missing-field", field, fmt::format("{} is missing", field.toString()), std::move(remedy));
}

void checkRequired(const ClusterSpec& spec, const YamlTree& tree, IssueList& issues) {
  const auto infra = [&](const char* key) { return infrastructureField(tree, key); };
  const FieldPath cluster = field::cluster();
  require(spec.infrastructure.projectId.has_value(), infra("projectId"), issues,
          "give the OCID of a Data Science project");
  require(spec.infrastructure.compartmentId.has_value(), infra("compartmentId"), issues,
          "give the OCID of a compartment");
  require(spec.infrastructure.shapeName.has_value(), infra("shapeName"), issues,
          "give a shape, such as VM.GPU.A10.1");
  require(spec.image.has_value(), cluster.child("image"), issues,
          "give an image, such as iad.ocir.io/tenancy/repository:1");
  require(spec.workDir.has_value(), cluster.child("workDir"), issues,
          "give a folder, such as oci://bucket@namespace/prefix");
  require(spec.main.has_value(), cluster.child("main"), issues, "add main: {}");
  require(spec.entryPoint.has_value(), field::runtime().child("entryPoint"), issues,
          "give the script or program, such as train.py");
}

void checkKinds(const ClusterSpec& spec, IssueList& issues) {
  if (spec.kind.empty()) {
    issues.error("missing-field", {"kind"}, "kind is missing", "add kind: distributed");
  } else if (spec.kind != "distributed") {
    issues.error("kind", {"kind"},
                 fmt::format("kind is {}; a cluster has kind 'distributed'", shown(spec.kind)),
                 "write kind: distributed");
  }
  const FieldPath kind{"spec", "cluster", "kind"};
  if (spec.clusterKind.empty()) {
    issues.error("missing-field", kind, "spec.cluster.kind is missing",
                 "name the framework, such as PYTORCH");
  } else if (spec.framework == Framework::Unknown) {
    const std::string meant = nearest(spec.clusterKind, {"PYTORCH", "DASK", "HOROVOD", "TENSORFLOW", "RAY"});
    issues.error(
        "cluster-kind", kind,
        fmt::format("spec.cluster.kind is {}, which is no framework that is known", shown(spec.clusterKind)),
        meant.empty() ? "use PYTORCH, DASK, HOROVOD, TENSORFLOW or RAY" : "did you mean " + meant + "?");
  }
}

}  // namespace

void checkCluster(const ClusterSpec& spec, const YamlTree& tree, IssueList& issues) {
  if (!tree.root() || tree.node(*tree.root()).kind != NodeKind::Mapping) return;  // checkDocument has said so
  const CheckContext context{spec, tree, issues};
  checkKinds(spec, issues);
  checkRequired(spec, tree, issues);
  checkReferences(context);
  checkNodes(context);
  checkEnvironment(context);
  checkRuntime(context);
}

}  // namespace lockstep

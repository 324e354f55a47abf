// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/cluster_check.h"

#include <fmt/format.h>

#include "cluster/train_yaml.h"

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

}  // namespace

void checkCluster(const ClusterSpec& spec, const YamlTree& tree, IssueList& issues) {
  checkRequired(spec, tree, issues);
}

void checkDocument(const YamlTree&, IssueList&) {}

}  // namespace lockstep

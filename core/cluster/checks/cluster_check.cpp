// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/checks/cluster_check.h"

#include <fmt/format.h>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/key_tables.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

void require(bool present, const FieldPath& field, IssueList& issues, std::string remedy) {
  if (!present)
    issues.error("missing-field", field, fmt::format("{} is missing", field.toString()), std::move(remedy));
}

/// The keys that a file cannot do without.
template <class T>
void requireKeys(const CheckContext& c, const FieldPath& mapping, const KeyTable<T>& keys, const T& given) {
  const FieldReader reader(c.tree, c.issues);
  for (const KeyInfo<T>& key : keys) {
    if (key.remedy.empty()) continue;
    require(isGiven(key, given), reader.spelled(mapping, key.spelling.all()), c.issues, key.remedy);
  }
}

void checkInfrastructure(const CheckContext& c) {
  requireKeys(c, field::infrastructure(), infrastructureKeys(), c.spec.infrastructure);
}

void checkClusterFields(const CheckContext& c) {
  const FieldPath cluster = field::cluster();
  requireKeys(c, cluster, clusterKeys(), c.spec);
  require(c.spec.main.has_value(), cluster.child("main"), c.issues, "add main: {}");
  const bool mainIsFree = !c.tree.find(cluster.child("main"));
  if (!c.spec.main && mainIsFree && c.tree.find(cluster))
    c.issues.fix("add main with one replica",
                 {{Kind::SetBare, cluster.child("main").child("replicas"), "1"}});
  requireKeys(c, field::runtime(), runtimeKeys(), c.spec);
}

void checkKind(const CheckContext& c) {
  const std::string& kind = c.spec.kind;
  if (kind == "distributed" || kind == "job") return;
  if (kind.empty()) {
    c.issues.error("missing-field", {"kind"}, "kind is missing", "add kind: distributed");
    if (c.tree.find(field::cluster()) && !c.tree.find(FieldPath{"kind"}))
      c.issues.fix("add kind: distributed", {{Kind::Set, {"kind"}, "distributed"}});
    return;
  }
  c.issues.error("kind", {"kind"}, fmt::format("kind is {}; a cluster has kind 'distributed'", shown(kind)),
                 "write kind: distributed");
  for (const char* meant : {"distributed", "job"}) {
    if (upperCased(kind) == upperCased(meant) || (kind.size() > 6 && isSlip(kind, meant)))
      c.issues.fix(fmt::format("write {}", meant), {{Kind::Set, {"kind"}, meant}});
  }
}

void checkClusterKind(const CheckContext& c) {
  const FieldPath path{"spec", "cluster", "kind"};
  const std::string& kind = c.spec.clusterKind;
  if (kind.empty()) {
    c.issues.error("missing-field", path, "spec.cluster.kind is missing",
                   "name the framework, such as PYTORCH");
    return;
  }
  if (c.spec.framework != Framework::Unknown) return;
  std::vector<std::string> names;
  for (const FrameworkTraits& traits : frameworkTraits()) names.emplace_back(traits.name);
  const std::string meant = nearest(kind, names);
  c.issues.warning(  // `ads` launches it all the same: the image may know what to do with it
      "cluster-kind", path,
      fmt::format("spec.cluster.kind is {}, which is no framework that is known", shown(kind)),
      meant.empty() ? "use " + frameworkNames("or", [](const FrameworkTraits&) { return true; })
                    : "did you mean " + meant + "?");
  if (!meant.empty() && kind.size() > 4 && isSlip(kind, meant))
    c.issues.fix("write " + meant, {{Kind::Set, path, meant}});
}

void checkDistributed(const CheckContext& c) {
  checkClusterKind(c);
  checkInfrastructure(c);
  checkClusterFields(c);
  checkReferences(c);
  checkRegions(c);
  checkNodes(c);
  checkShapes(c);
  checkMultiNode(c);
  checkEnvironment(c);
  checkEnvValues(c);
  checkEnvReferences(c);
  checkRuntime(c);
  checkFramework(c);
  checkPorts(c);
}

void checkJobFile(const CheckContext& c) {
  checkInfrastructure(c);
  checkReferences(c);
  checkRegions(c);
  checkShapes(c);
  checkEnvironment(c);
  checkEnvReferences(c);
  checkJob(c);
}

}  // namespace

void checkCluster(const ClusterSpec& spec, const YamlTree& tree, IssueList& issues) {
  if (!tree.root() || tree.node(*tree.root()).kind != NodeKind::Mapping) return;  // checkDocument has said so
  const EnvLists env(tree);
  const CheckContext context{spec, tree, env, issues};
  checkKind(context);
  if (spec.job)
    checkJobFile(context);
  else
    checkDistributed(context);
}

}  // namespace lockstep

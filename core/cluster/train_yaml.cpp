// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/train_yaml.h"

#include "cluster/field_reader.h"
#include "cluster/job_yaml.h"
#include "cluster/multi_node_yaml.h"
#include "cluster/python_text.h"
#include "cluster/train_yaml_keys.h"

namespace lockstep {
namespace {

std::vector<StorageMount> readMounts(FieldReader& reader, const FieldPath& path) {
  std::vector<StorageMount> mounts;
  for (const FieldPath& item : reader.items(path, "a list of {src, dest}")) {
    const auto src = reader.text(item.child("src"));
    const auto dest = reader.text(item.child("dest"));
    if (src && dest)
      mounts.push_back({*src, *dest});
    else
      reader.issues().error("mount-incomplete", item, item.toString() + " needs both src and dest");
  }
  return mounts;
}

Infrastructure readInfrastructure(FieldReader& reader) {
  const auto at = [&](const char* key) { return infrastructureField(reader.tree(), key); };
  Infrastructure infra;
  infra.projectId = reader.text(at("projectId"));
  infra.compartmentId = reader.text(at("compartmentId"));
  infra.displayName = reader.text(at("displayName"));
  infra.subnetId = reader.text(at("subnetId"));
  infra.shapeName = reader.text(at("shapeName"));
  infra.shapeConfig = readShapeConfig(reader, at("shapeConfigDetails"));
  infra.blockStorageSizeInGBs = reader.whole(at("blockStorageSize"));
  infra.logGroupId = reader.text(at("logGroupId"));
  infra.logId = reader.text(at("logId"));
  infra.jobInfrastructureType = reader.text(at("jobInfrastructureType"));
  infra.jobType = reader.text(at("jobType"));
  infra.storageMounts = readMounts(reader, at("storageMount"));
  infra.freeformTags = reader.pairs(at("freeformTags"));
  infra.definedTags = readDefinedTags(reader, at("definedTags"));
  return infra;
}

/// An empty mapping is no role, except for main, which needs nothing.
std::optional<RoleSpec> readRole(FieldReader& reader, const FieldPath& path, bool mayBeEmpty) {
  if (!reader.hasMapping(path) && !(mayBeEmpty && reader.valueAt(path))) return std::nullopt;
  RoleSpec role;
  role.name = reader.text(path.child("name"));
  role.replicas = reader.whole(path.child("replicas"));
  role.image = reader.text(path.child("image"));
  const FieldPath config = path.child("config");
  if (!reader.hasMapping(config)) return role;
  role.env = reader.env(config.child("env"));
  role.startOptions = reader.startOptions(config.child("startOptions"));
  return role;
}

std::optional<CertificateSpec> readCertificate(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  CertificateSpec certificate;
  certificate.authorityId = reader.text(path.child("caCert").child("id"));
  certificate.authorityLocation = reader.text(path.child("caCert").child("downloadLocation"));
  certificate.id = reader.text(path.child("cert").child("id"));
  certificate.location = reader.text(path.child("cert").child("certDownloadLocation"));
  certificate.keyLocation = reader.text(path.child("cert").child("keyDownloadLocation"));
  return certificate;
}

void readCluster(FieldReader& reader, ClusterSpec& spec) {
  const FieldPath at = field::cluster();
  spec.clusterKind = reader.text(at.parent().child("kind")).value_or("");
  spec.framework = frameworkNamed(spec.clusterKind);
  spec.clusterName = reader.text(at.child("name"));
  spec.image = reader.text(at.child("image"));
  spec.workDir = reader.text(at.child("workDir"));
  if (reader.valueAt(at.child("ephemeral"))) spec.ephemeral = reader.anything(at.child("ephemeral"));
  if (const FieldPath config = at.child("config"); reader.hasMapping(config)) {
    spec.clusterEnv = reader.env(config.child("env"));
    spec.clusterStartOptions = reader.startOptions(config.child("startOptions"));
  }
  spec.main = readRole(reader, at.child("main"), true);
  spec.worker = readRole(reader, at.child("worker"), false);
  spec.parameterServer = readRole(reader, at.child("ps"), false);
  spec.certificate = readCertificate(reader, at.child("certificate"));
}

void readRuntime(FieldReader& reader, ClusterSpec& spec) {
  const FieldPath at = field::runtime();
  spec.runtimeType = reader.text(at.parent().child("type"));
  spec.entryPoint = reader.text(at.child("entryPoint"));
  spec.argsText = reader.args(at.child("args"));
  if (reader.isTrue(at.child("kwargs"))) spec.kwargsText = reader.anything(at.child("kwargs"));
  spec.uri = reader.text(at.child("uri"));
  spec.branch = reader.text(at.child("branch"));
  spec.commit = reader.text(at.child("commit"));
  spec.gitSecretId = reader.text(at.child("gitSecretId"));
  spec.codeDir = reader.text(at.child("codeDir"));
  spec.pythonPath = reader.text(at.child("pythonPath"));
  spec.runtimeEnv = reader.env(at.child("env"));
}

FieldPath spelling(const YamlTree& tree, const std::vector<std::string>& spellings) {
  for (const std::string& key : spellings) {
    if (tree.find(field::infrastructure().child(key))) return field::infrastructure().child(key);
  }
  return field::infrastructure().child(spellings.front());
}

}  // namespace

FieldPath infrastructureField(const YamlTree& tree, const std::string& key) {
  const FieldPath usual = spelling(tree, infrastructureSpellings(key));
  if (key != "blockStorageSize" || tree.find(usual)) return usual;
  const auto mapping = tree.find(field::infrastructure());
  if (!mapping) return usual;
  for (const auto& [name, value] : tree.pairsOf(*mapping)) {  // `ads` reads this one in any case
    const std::string& text = tree.node(tree.resolved(name)).value;
    if (upperCased(text) == "BLOCK_STORAGE_SIZE_IN_GBS") return field::infrastructure().child(text);
  }
  return usual;
}

std::vector<DefinedTags> readDefinedTags(FieldReader& reader, const FieldPath& path) {
  std::vector<DefinedTags> all;
  if (!reader.hasMapping(path)) return all;
  for (const auto& [key, value] : reader.tree().pairsOf(*reader.tree().find(path))) {
    const std::string name = pythonStr(reader.tree(), key);
    all.push_back({name, reader.pairs(path.child(name))});
  }
  return all;
}

ClusterSpec readTrainYaml(const YamlTree& tree, IssueList& issues) {
  FieldReader reader(tree, issues);
  ClusterSpec spec;
  spec.kind = reader.text({"kind"}).value_or("");
  spec.infrastructure = readInfrastructure(reader);
  if (spec.kind == "job") {
    readJob(reader, spec);
    return spec;
  }
  readCluster(reader, spec);
  readRuntime(reader, spec);
  spec.multiNode = readMultiNode(reader);
  return spec;
}

}  // namespace lockstep

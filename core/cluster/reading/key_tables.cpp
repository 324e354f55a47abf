// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/key_tables.h"

#include "cluster/reading/job_yaml.h"
#include "cluster/reading/multi_node_yaml.h"
#include "cluster/reading/train_yaml.h"

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

/// An empty mapping is no role, except for main, which needs nothing.
std::optional<RoleSpec> readRole(FieldReader& reader, const FieldPath& path, bool mayBeEmpty) {
  if (!reader.hasMapping(path) && !(mayBeEmpty && reader.valueAt(path))) return std::nullopt;
  RoleSpec role;
  readKeys(reader, path, roleKeys(), role);
  return role;
}

void readCertificate(FieldReader& reader, const FieldPath& path, ClusterSpec& spec) {
  if (!reader.hasMapping(path)) return;
  CertificateSpec& certificate = spec.certificate.emplace();
  readKeys(reader, path.child("caCert"), authorityKeys(), certificate);
  readKeys(reader, path.child("cert"), certificateKeys(), certificate);
}

void readConfig(FieldReader& reader, const FieldPath& path, std::vector<EnvVar>& env,
                std::vector<std::string>& startOptions) {
  if (!reader.hasMapping(path)) return;
  env = reader.env(path.child("env"));
  startOptions = reader.startOptions(path.child("startOptions"));
}

std::optional<StartupProbe> readProbe(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  StartupProbe probe;
  readKeys(reader, path, startupProbeKeys(), probe);
  return probe;
}

}  // namespace

const KeyTable<Infrastructure>& infrastructureKeys() {
  using I = Infrastructure;
  static const KeyTable<I> kKeys{
      {{"projectId", {"project_id"}}, &I::projectId, "give the OCID of a Data Science project"},
      {{"compartmentId", {"compartment_id"}}, &I::compartmentId, "give the OCID of a compartment"},
      {{"displayName", {"display_name"}}, &I::displayName},
      {{"subnetId", {"subnet_id"}}, &I::subnetId},
      {{"shapeName", {"shape_name"}}, &I::shapeName, "give a shape, such as VM.GPU.A10.1"},
      {{"shapeConfigDetails", {"shape_config_details", "job_shape_config_details"}},
       [](FieldReader& r, const FieldPath& at, I& i) { i.shapeConfig = readShapeConfig(r, at); }},
      {{"blockStorageSize", {"block_storage_size", "block_storage_size_in_GBs", "block_storage_size_in_gbs"}},
       [](FieldReader& r, const FieldPath&, I& i) {  // one spelling in any case
         i.blockStorageSizeInGBs = r.whole(infrastructureField(r.tree(), "blockStorageSize"));
       }},
      {{"logGroupId", {"log_group_id"}}, &I::logGroupId},
      {{"logId", {"log_id"}}, &I::logId},
      {{"jobInfrastructureType", {"job_infrastructure_type"}}, &I::jobInfrastructureType},
      {{"jobType", {"job_type"}}, &I::jobType},
      {{"storageMount", {"storage_mount"}},
       [](FieldReader& r, const FieldPath& at, I& i) { i.storageMounts = readMounts(r, at); }},
      {{"freeformTags", {"freeform_tags"}},
       [](FieldReader& r, const FieldPath& at, I& i) { i.freeformTags = r.pairs(at); }},
      {{"definedTags", {"defined_tags"}},
       [](FieldReader& r, const FieldPath& at, I& i) { i.definedTags = readDefinedTags(r, at); }}};
  return kKeys;
}

const KeyTable<ShapeConfig>& shapeConfigKeys() {
  static const KeyTable<ShapeConfig> kKeys{{{"ocpus", {}}, &ShapeConfig::ocpus},
                                           {{"memoryInGBs", {"memory_in_gbs"}}, &ShapeConfig::memoryInGBs},
                                           {{"cpuBaseline", {"cpu_baseline"}}, &ShapeConfig::cpuBaseline}};
  return kKeys;
}

const KeyTable<StorageMount>& storageMountKeys() {
  static const KeyTable<StorageMount> kKeys{{{"src", {}}}, {{"dest", {}}}};  // both or none
  return kKeys;
}

const KeyTable<ClusterSpec>& clusterKeys() {
  using C = ClusterSpec;
  static const KeyTable<C> kKeys{
      {{"image", {}}, &C::image, "give an image, such as iad.ocir.io/tenancy/repository:1"},
      {{"workDir", {}}, &C::workDir, "give a folder, such as oci://bucket@namespace/prefix"},
      {{"name", {}}, &C::clusterName},
      {{"ephemeral", {}},
       [](FieldReader& r, const FieldPath& at, C& c) {
         if (r.valueAt(at)) c.ephemeral = r.anything(at);
       }},
      {{"config", {}},
       [](FieldReader& r, const FieldPath& at, C& c) {
         readConfig(r, at, c.clusterEnv, c.clusterStartOptions);
       }},
      {{"main", {}}, [](FieldReader& r, const FieldPath& at, C& c) { c.main = readRole(r, at, true); }},
      {{"worker", {}}, [](FieldReader& r, const FieldPath& at, C& c) { c.worker = readRole(r, at, false); }},
      {{"ps", {}},
       [](FieldReader& r, const FieldPath& at, C& c) { c.parameterServer = readRole(r, at, false); }},
      {{"certificate", {}}, readCertificate}};
  return kKeys;
}

const KeyTable<RoleSpec>& roleKeys() {
  static const KeyTable<RoleSpec> kKeys{
      {{"name", {}}, &RoleSpec::name},
      {{"replicas", {}}, &RoleSpec::replicas},
      {{"image", {}}, &RoleSpec::image},
      {{"config", {}},
       [](FieldReader& r, const FieldPath& at, RoleSpec& s) { readConfig(r, at, s.env, s.startOptions); }}};
  return kKeys;
}

const KeyTable<CertificateSpec>& authorityKeys() {
  static const KeyTable<CertificateSpec> kKeys{
      {{"id", {}}, &CertificateSpec::authorityId},
      {{"downloadLocation", {}}, &CertificateSpec::authorityLocation}};
  return kKeys;
}

const KeyTable<CertificateSpec>& certificateKeys() {
  static const KeyTable<CertificateSpec> kKeys{{{"id", {}}, &CertificateSpec::id},
                                               {{"certDownloadLocation", {}}, &CertificateSpec::location},
                                               {{"keyDownloadLocation", {}}, &CertificateSpec::keyLocation}};
  return kKeys;
}

const KeyTable<ClusterSpec>& runtimeKeys() {
  using C = ClusterSpec;
  static const KeyTable<C> kKeys{
      {{"entryPoint", {}}, &C::entryPoint, "give the script or program, such as train.py"},
      {{"args", {}}, [](FieldReader& r, const FieldPath& at, C& c) { c.argsText = r.args(at); }},
      {{"kwargs", {}},
       [](FieldReader& r, const FieldPath& at, C& c) {
         if (r.isTrue(at)) c.kwargsText = r.anything(at);
       }},
      {{"env", {}}, [](FieldReader& r, const FieldPath& at, C& c) { c.runtimeEnv = r.env(at); }},
      {{"uri", {}}, &C::uri},
      {{"branch", {}}, &C::branch},
      {{"commit", {}}, &C::commit},
      {{"gitSecretId", {}}, &C::gitSecretId},
      {{"codeDir", {}}, &C::codeDir},
      {{"pythonPath", {}}, &C::pythonPath}};
  return kKeys;
}

const KeyTable<MultiNodeSpec>& multiNodeKeys() {
  using M = MultiNodeSpec;
  static const KeyTable<M> kKeys{
      {{"network", {}}, &M::network},
      {{"startupOrder", {}}, &M::startupOrder},
      {{"maximumRuntimeInMinutes", {}}, &M::maximumRuntimeInMinutes},
      {{"groups", {}}, [](FieldReader& r, const FieldPath& at, M& m) { m.hasGroups = r.hasMapping(at); }}};
  return kKeys;
}

const KeyTable<NodeGroupSpec>& nodeGroupKeys() {
  using G = NodeGroupSpec;
  static const KeyTable<G> kKeys{
      {{"minimumSuccessReplicas", {}}, &G::minimumSuccessReplicas},
      {{"shapeName", {}}, &G::shapeName},
      {{"shapeConfigDetails", {}},
       [](FieldReader& r, const FieldPath& at, G& g) { g.shapeConfig = readShapeConfig(r, at); }},
      {{"blockStorageSize", {}}, &G::blockStorageSizeInGBs},
      {{"startupProbe", {}},
       [](FieldReader& r, const FieldPath& at, G& g) { g.startupProbe = readProbe(r, at); }}};
  return kKeys;
}

const KeyTable<StartupProbe>& startupProbeKeys() {
  using P = StartupProbe;
  static const KeyTable<P> kKeys{
      {{"command", {}}, [](FieldReader& r, const FieldPath& at, P& p) { p.command = r.texts(at); }},
      {{"periodInSeconds", {}}, &P::periodInSeconds},
      {{"failureThreshold", {}}, &P::failureThreshold},
      {{"initialDelayInSeconds", {}}, &P::initialDelayInSeconds}};
  return kKeys;
}

}  // namespace lockstep

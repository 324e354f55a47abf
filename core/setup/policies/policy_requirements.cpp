// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policy_requirements.h"

#include <algorithm>

#include "base/time_text.h"
#include "oci/services/image_name.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr std::chrono::days kProof{14};

void addOnce(std::vector<std::string>& all, const std::string& one) {
  if (!one.empty() && std::ranges::find(all, one) == all.end()) all.push_back(one);
}

/// The value that the nodes see; what a role says wins over what all have.
std::string variable(const ClusterSpec& spec, const std::string& name) {
  std::string value;
  const auto look = [&](const std::vector<EnvVar>& some) {
    for (const EnvVar& one : some)
      if (one.name == name) value = one.value;
  };
  look(spec.clusterEnv);
  look(spec.runtimeEnv);
  if (spec.main) look(spec.main->env);
  return value;
}

void addStorage(PolicyRequirements& requirements, const std::optional<ClusterSpec>& spec,
                const std::string& workDir) {
  if (const auto uri = parseWorkDirUri(workDir)) {
    requirements.needsBucket = uri->scheme == WorkDirUri::Scheme::Oci;
    addOnce(requirements.buckets, uri->bucket);
  }
  if (!spec) return;
  addOnce(requirements.buckets, variable(*spec, "WORKSPACE"));
  for (const StorageMount& mount : spec->infrastructure.storageMounts)
    if (const auto uri = parseWorkDirUri(mount.src); uri && mount.src.starts_with("oci://"))
      addOnce(requirements.buckets, uri->bucket);
  requirements.needsBucket = requirements.needsBucket || !requirements.buckets.empty();
}

void addImage(PolicyRequirements& requirements, const std::string& image) {
  if (const auto name = oci::parseImageName(image); name && name->host.find("ocir.") != std::string::npos) {
    requirements.repository = name->repository;
    return;
  }
  // What another registry has, no policy of the tenancy lets anybody pull; "@name" stands for one of ours.
  const std::size_t slash = image.find('/');
  const std::string host = image.substr(0, slash);
  requirements.needsRepository = slash == std::string::npos || image.starts_with("@") ||
                                 image.starts_with("<") || host.find("ocir.") != std::string::npos;
}

void addExtras(PolicyRequirements& requirements, const ClusterSpec& spec) {
  if (spec.certificate && spec.certificate->id && spec.certificate->authorityId)
    requirements.certificateKinds = {"leaf-certificate-bundles", "certificate-authority-bundles"};
  addOnce(requirements.secrets, spec.gitSecretId.value_or(""));
  const std::string nameSpace = variable(spec, "OCI__METRICS_NAMESPACE");
  addOnce(requirements.metricNamespaces, nameSpace);
  const bool isPosting = variable(spec, "LOCKSTEP_POST_METRICS") == "1";  // trainer/node/exporters
  if (isPosting && nameSpace.empty()) addOnce(requirements.metricNamespaces, "lockstep");
  const auto& multi = spec.multiNode;
  const bool isManaged =
      multi && (multi->network ? *multi->network == "managed" : !spec.infrastructure.subnetId.has_value());
  requirements.needsNetwork = !isManaged;
}

}  // namespace

PolicyRequirements policyRequirementsOf(const std::optional<ClusterSpec>& spec, const std::string& workDir,
                                        const std::string& image, PolicyMode mode) {
  PolicyRequirements requirements;
  requirements.mode = mode;
  addStorage(requirements, spec, workDir);
  addImage(requirements, image);
  if (spec) addExtras(requirements, *spec);
  return requirements;
}

GroupName groupNamed(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto bare = [](std::string part) {
    const bool isQuoted = part.size() > 1 && part.front() == '\'' && part.back() == '\'';
    return isQuoted ? part.substr(1, part.size() - 2) : part;
  };
  if (slash == std::string::npos) return {bare(text), ""};
  return {bare(text.substr(slash + 1)), bare(text.substr(0, slash))};
}

std::string endOfProof(TimePoint now) {
  return toRfc3339(now + kProof).substr(0, 10) + "T00:00:00Z";
}

std::string pasteText(const std::vector<RequiredStatement>& statements) {
  std::string text;
  for (const RequiredStatement& one : statements) text += toText(one.statement) + "\n";
  return text;
}

}  // namespace lockstep

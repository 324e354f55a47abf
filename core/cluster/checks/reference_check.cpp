// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/trimmed.h"
#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

struct OcidField {
  FieldPath path;
  const std::optional<std::string>& value;
  std::vector<std::string_view> kinds;
};

std::string listed(const std::vector<std::string_view>& kinds) {
  std::string text;
  for (const std::string_view kind : kinds) text += (text.empty() ? "" : " or ") + std::string(kind);
  return text;
}

/// Blanks around a value that is right without them.
void fixBlanks(const CheckContext& c, const FieldPath& path, const std::string& value,
               std::string (*problemOf)(std::string_view)) {
  const std::string_view inner = trimmed(value);
  if (inner.size() < value.size() && problemOf(inner).empty())
    c.issues.fix("remove the blanks around it", {{Kind::Set, path, std::string(inner)}});
}

void checkOcid(const CheckContext& c, const OcidField& field) {
  if (!field.value || hasPlaceholder(*field.value)) return;
  const std::string& value = *field.value;
  if (const std::string problem = ocidProblem(value); !problem.empty()) {
    c.issues.error(
        "ocid", field.path,
        fmt::format("{} is {}, which is no OCID: {}", field.path.toString(), shown(value), problem),
        "copy it from the resource's page in the console: ocid1." + std::string(field.kinds[0]) + ".…");
    fixBlanks(c, field.path, value, ocidProblem);
    return;
  }
  const std::string_view kind = ocidKind(value);
  if (std::find(field.kinds.begin(), field.kinds.end(), kind) != field.kinds.end()) return;
  c.issues.error("ocid-kind", field.path,
                 fmt::format("{} is {}, the OCID of a {}; a {} belongs here", field.path.toString(),
                             shown(value), kind, listed(field.kinds)),
                 "give the OCID of a " + listed(field.kinds));
}

/// The two log ids in each other's place.
void fixSwappedLogs(const CheckContext& c, const FieldPath& group, const FieldPath& log) {
  const Infrastructure& i = c.spec.infrastructure;
  if (!i.logGroupId || !i.logId || ocidKind(*i.logGroupId) != "log" || ocidKind(*i.logId) != "loggroup")
    return;
  c.issues.fix("swap logGroupId and logId", {{Kind::Set, group, *i.logId}, {Kind::Set, log, *i.logGroupId}});
}

void checkOcids(const CheckContext& c) {
  const auto infra = [&](const char* key) { return infrastructureField(c.tree, key); };
  const Infrastructure& i = c.spec.infrastructure;
  checkOcid(c, {infra("projectId"), i.projectId, {"datascienceproject"}});
  checkOcid(c, {infra("compartmentId"), i.compartmentId, {"compartment", "tenancy"}});
  checkOcid(c, {infra("subnetId"), i.subnetId, {"subnet"}});
  checkOcid(c, {infra("logGroupId"), i.logGroupId, {"loggroup"}});
  fixSwappedLogs(c, infra("logGroupId"), infra("logId"));
  checkOcid(c, {infra("logId"), i.logId, {"log"}});
  fixSwappedLogs(c, infra("logGroupId"), infra("logId"));
  checkOcid(c, {field::runtime().child("gitSecretId"), c.spec.gitSecretId, {"vaultsecret"}});
  if (c.spec.job && c.spec.job->git)
    checkOcid(
        c, {field::runtime().child("git").child("gitSecretId"), c.spec.job->git->secretId, {"vaultsecret"}});
  if (!c.spec.certificate) return;
  const FieldPath certificate = field::cluster().child("certificate");
  checkOcid(c, {certificate.child("cert").child("id"), c.spec.certificate->id, {"certificate"}});
  checkOcid(c, {certificate.child("caCert").child("id"),
                c.spec.certificate->authorityId,
                {"certificateauthority", "cabundle"}});
}

/// https://iad.ocir.io/x:1, or blanks around it.
void fixImage(const CheckContext& c, const FieldPath& path, const std::string& image) {
  fixBlanks(c, path, image, imageProblem);
  const std::size_t scheme = image.find("://");
  if (scheme != std::string::npos && imageProblem(std::string_view(image).substr(scheme + 3)).empty())
    c.issues.fix("remove the scheme", {{Kind::Set, path, image.substr(scheme + 3)}});
}

void checkImage(const CheckContext& c) {
  if (!c.spec.image || hasPlaceholder(*c.spec.image)) return;
  const std::string& image = *c.spec.image;
  const FieldPath path = (c.spec.job ? field::runtime() : field::cluster()).child("image");
  if (image.starts_with('@')) {
    c.issues.warning(
        "image-unresolved", path,
        fmt::format("{} is {}: `ads` puts the image of its config.ini there, Lockstep does not know one",
                    path.toString(), shown(image)),
        "give the image itself, such as iad.ocir.io/namespace/repository:1");
  } else if (const std::string problem = imageProblem(image); !problem.empty()) {
    c.issues.error("image", path,
                   fmt::format("{} is {}, which is no image: {}", path.toString(), shown(image), problem),
                   "write REGION.ocir.io/NAMESPACE/REPOSITORY:TAG");
    fixImage(c, path, image);
  } else if (!imageHasTag(image)) {
    c.issues.warning("image-tag", path,
                     fmt::format("the image {} has no tag, so 'latest' is meant", shown(image)),
                     "add a tag, such as " + image + ":1");
    c.issues.fix("write the tag that is meant: latest", {{Kind::Set, path, image + ":latest"}});
  }
}

void checkWorkDir(const CheckContext& c) {
  if (!c.spec.workDir || hasPlaceholder(*c.spec.workDir)) return;
  const std::string& workDir = *c.spec.workDir;
  const FieldPath path = field::cluster().child("workDir");
  if (workDir.starts_with('/') || workDir.starts_with("file:///")) {
    c.issues.warning("work-dir-local", path,
                     fmt::format("{} is the local folder {}, which job runs on OCI do not share",
                                 path.toString(), shown(workDir)),
                     "write oci://bucket@namespace/prefix");
  } else if (const std::string problem = workDirProblem(workDir); !problem.empty()) {
    c.issues.error("work-dir", path, fmt::format("{} is {}: {}", path.toString(), shown(workDir), problem),
                   "write oci://bucket@namespace/prefix");
    fixBlanks(c, path, workDir, workDirProblem);
    if (workDir.find("://") == std::string::npos && workDirProblem("oci://" + workDir).empty())
      c.issues.fix("write oci:// in front", {{Kind::Set, path, "oci://" + workDir}});
  }
}

}  // namespace

void checkReferences(const CheckContext& context) {
  checkOcids(context);
  checkImage(context);
  checkWorkDir(context);
}

}  // namespace lockstep

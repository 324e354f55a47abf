// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cluster/check_parts.h"
#include "cluster/train_yaml.h"

namespace lockstep {
namespace {

bool isLowerOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool isAlphanumeric(char c) {
  return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z');
}

template <class Accept>
bool all(std::string_view text, Accept accept) {
  return std::all_of(text.begin(), text.end(), accept);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

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

void checkOcid(const OcidField& field, IssueList& issues) {
  if (!field.value || hasPlaceholder(*field.value)) return;
  const std::string& value = *field.value;
  if (const std::string problem = ocidProblem(value); !problem.empty()) {
    issues.error(
        "ocid", field.path,
        fmt::format("{} is {}, which is no OCID: {}", field.path.toString(), shown(value), problem),
        "copy it from the resource's page in the console: ocid1." + std::string(field.kinds[0]) + ".…");
    return;
  }
  const std::string_view kind = ocidKind(value);
  if (std::find(field.kinds.begin(), field.kinds.end(), kind) != field.kinds.end()) return;
  issues.error("ocid-kind", field.path,
               fmt::format("{} is {}, the OCID of a {}; a {} belongs here", field.path.toString(),
                           shown(value), kind, listed(field.kinds)),
               "give the OCID of a " + listed(field.kinds));
}

void checkOcids(const CheckContext& c) {
  const auto infra = [&](const char* key) { return infrastructureField(c.tree, key); };
  const Infrastructure& i = c.spec.infrastructure;
  checkOcid({infra("projectId"), i.projectId, {"datascienceproject"}}, c.issues);
  checkOcid({infra("compartmentId"), i.compartmentId, {"compartment", "tenancy"}}, c.issues);
  checkOcid({infra("subnetId"), i.subnetId, {"subnet"}}, c.issues);
  checkOcid({infra("logGroupId"), i.logGroupId, {"loggroup"}}, c.issues);
  checkOcid({infra("logId"), i.logId, {"log"}}, c.issues);
  checkOcid({field::runtime().child("gitSecretId"), c.spec.gitSecretId, {"vaultsecret"}}, c.issues);
  if (!c.spec.certificate) return;
  const FieldPath certificate = field::cluster().child("certificate");
  checkOcid({certificate.child("cert").child("id"), c.spec.certificate->id, {"certificate"}}, c.issues);
  checkOcid({certificate.child("caCert").child("id"),
             c.spec.certificate->authorityId,
             {"certificateauthority", "cabundle"}},
            c.issues);
}

void checkImage(const CheckContext& c) {
  if (!c.spec.image || hasPlaceholder(*c.spec.image)) return;
  const std::string& image = *c.spec.image;
  const FieldPath path = field::cluster().child("image");
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
  } else if (!imageHasTag(image)) {
    c.issues.warning("image-tag", path,
                     fmt::format("the image {} has no tag, so 'latest' is meant", shown(image)),
                     "add a tag, such as " + image + ":1");
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
  }
}

bool isRepositoryPart(std::string_view part) {
  if (part.empty() || !isLowerOrDigit(part.front()) || !isLowerOrDigit(part.back())) return false;
  return all(part, [](char c) { return isLowerOrDigit(c) || c == '.' || c == '_' || c == '-'; });
}

/// A first part with a dot or a port, or "localhost", is a registry host.
bool isRegistry(std::string_view part) {
  return part == "localhost" || part.find('.') != std::string_view::npos ||
         part.find(':') != std::string_view::npos;
}

std::string registryProblem(std::string_view registry) {
  const std::size_t colon = registry.find(':');
  const std::string_view host = registry.substr(0, colon);
  if (host.empty() || !all(host, [](char c) { return isAlphanumeric(c) || c == '.' || c == '-'; }))
    return fmt::format("'{}' is no registry host", host);
  if (colon == std::string_view::npos) return {};
  const std::string_view port = registry.substr(colon + 1);
  const bool digits =
      !port.empty() && port.size() <= 5 && all(port, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? "" : fmt::format("'{}' is no port", port);
}

/// Where ":TAG" or "@DIGEST" begins: after the last '/', so that a registry's port is not taken for a tag.
std::size_t versionBegin(std::string_view image) {
  const std::size_t slash = image.rfind('/');
  return std::min(image.find_first_of(":@", slash == std::string_view::npos ? 0 : slash), image.size());
}

std::string versionProblem(std::string_view version) {
  if (version.empty()) return {};
  if (version[0] == '@') {
    const std::string_view digest = version.substr(1);
    const bool hex =
        digest.starts_with("sha256:") && digest.size() == 7 + 64 &&
        all(digest.substr(7), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    return hex ? "" : fmt::format("'{}' is no digest (sha256: and 64 hexadecimal digits)", digest);
  }
  const std::size_t at = version.find('@');
  const std::string_view tag = version.substr(1, at == std::string_view::npos ? at : at - 1);
  const bool good = !tag.empty() && tag.size() <= 128 && tag[0] != '.' && tag[0] != '-' &&
                    all(tag, [](char c) { return isAlphanumeric(c) || c == '_' || c == '.' || c == '-'; });
  if (!good) return fmt::format("'{}' is no tag", tag);
  return at == std::string_view::npos ? "" : versionProblem(version.substr(at));
}

}  // namespace

bool hasPlaceholder(std::string_view text) {
  for (std::size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<', open + 1)) {
    const std::size_t close = text.find_first_of("<>\n", open + 1);
    if (close == std::string_view::npos) return false;
    if (text[close] != '>' || close == open + 1 || close - open > 80) continue;
    if (isAlphanumeric(text[open + 1]) || text[open + 1] == '_') return true;
  }
  return false;
}

std::string ocidProblem(std::string_view text) {
  if (!text.starts_with("ocid1.")) return "it does not begin with 'ocid1.'";
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() < 5 || parts.size() > 6) return "it has not the form ocid1.KIND.REALM.[REGION].ID";
  if (text.size() > 255) return "it is longer than 255 characters";
  const auto good = [](char c) { return isAlphanumeric(c) || c == '-' || c == '_'; };
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool mayBeEmpty = i == 3 || (parts.size() == 6 && i == 4);
    if (parts[i].empty() && !mayBeEmpty) return "it has not the form ocid1.KIND.REALM.[REGION].ID";
    if (!all(parts[i], good)) return fmt::format("'{}' has characters that no OCID has", parts[i]);
  }
  return {};
}

std::string_view ocidKind(std::string_view ocid) {
  const std::vector<std::string_view> parts = split(ocid, '.');
  return parts.size() > 1 ? parts[1] : std::string_view();
}

std::string imageProblem(std::string_view text) {
  if (text.empty()) return "it is empty";
  if (text.find_first_of(" \t") != std::string_view::npos) return "it has a blank in it";
  if (text.find("://") != std::string_view::npos) return "an image has no scheme";
  const std::size_t version = versionBegin(text);
  if (std::string problem = versionProblem(text.substr(version)); !problem.empty()) return problem;
  std::vector<std::string_view> parts = split(text.substr(0, version), '/');
  if (parts.size() > 1 && isRegistry(parts[0])) {
    if (std::string problem = registryProblem(parts[0]); !problem.empty()) return problem;
    parts.erase(parts.begin());
  }
  for (const std::string_view part : parts) {
    if (part.empty()) return "a part of the repository's name is empty";
    if (!isRepositoryPart(part))
      return fmt::format("'{}' is no name of a repository (lower case letters, digits, . _ -)", part);
  }
  return {};
}

bool imageHasTag(std::string_view image) {
  return versionBegin(image) < image.size();
}

std::string workDirProblem(std::string_view text) {
  constexpr std::string_view kScheme = "oci://";
  if (!text.starts_with(kScheme)) return "a work dir begins with oci://";
  const std::string_view rest = text.substr(kScheme.size());
  const std::string_view authority = rest.substr(0, rest.find('/'));
  const std::size_t at = authority.find('@');
  if (at == std::string_view::npos) return "the namespace is missing (bucket@namespace)";
  const std::string_view bucket = authority.substr(0, at);
  const std::string_view nameSpace = authority.substr(at + 1);
  if (bucket.empty()) return "the bucket's name is empty";
  if (nameSpace.empty()) return "the namespace is empty";
  const auto good = [](char c) { return isAlphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  if (bucket.size() > 256 || !all(bucket, good)) return fmt::format("'{}' is no bucket name", bucket);
  if (!all(nameSpace, good)) return fmt::format("'{}' is no namespace", nameSpace);
  return {};
}

void checkReferences(const CheckContext& context) {
  checkOcids(context);
  checkImage(context);
  checkWorkDir(context);
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cluster/checks/check_parts.h"

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

/// your_compartment_name, your-bucket, YOUR_TENANCY.
bool hasYourWord(std::string_view text) {
  for (const std::string_view word : {"your_", "your-", "YOUR_", "YOUR-", "Your_", "Your-"}) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos || (at > 0 && isAlphanumeric(text[at - 1]))) continue;
    if (at + word.size() < text.size() && isAlphanumeric(text[at + word.size()])) return true;
  }
  return false;
}

/// ocid1.subnet.oc1.iad.xxxx
bool isOnlyX(std::string_view part) {
  return part.size() >= 3 && all(part, [](char c) { return c == 'x' || c == 'X' || c == '.'; });
}

}  // namespace

bool isDigits(std::string_view text) {
  return !text.empty() && all(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view bracketedPart(std::string_view text) {
  for (std::size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<', open + 1)) {
    const std::size_t close = text.find_first_of("<>\n", open + 1);
    if (close == std::string_view::npos) return {};
    if (text[close] != '>' || close == open + 1 || close - open > 80) continue;
    if (isAlphanumeric(text[open + 1]) || text[open + 1] == '_') return text.substr(open, close - open + 1);
  }
  return {};
}

bool hasPlaceholder(std::string_view text) {
  return !bracketedPart(text).empty() || hasYourWord(text);
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
  if (isOnlyX(parts.back())) return fmt::format("'{}' stands where the id belongs", parts.back());
  return {};
}

std::string_view ocidKind(std::string_view ocid) {
  const std::vector<std::string_view> parts = split(ocid, '.');
  return parts.size() > 1 ? parts[1] : std::string_view();
}

std::string_view ocidRegion(std::string_view ocid) {
  const std::vector<std::string_view> parts = split(ocid, '.');
  return parts.size() > 3 ? parts[3] : std::string_view();
}

std::string_view imageRegistry(std::string_view image) {
  const std::size_t slash = image.find('/');
  if (slash == std::string_view::npos || !isRegistry(image.substr(0, slash))) return {};
  return image.substr(0, slash);
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
  if (nameSpace.starts_with("ocid1."))
    return "the namespace is an OCID; it is a short name of its own (oci os ns get tells it)";
  if (bucket.size() > 256 || !all(bucket, good)) return fmt::format("'{}' is no bucket name", bucket);
  if (!all(nameSpace, good)) return fmt::format("'{}' is no namespace", nameSpace);
  return {};
}

}  // namespace lockstep

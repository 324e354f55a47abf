// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/image_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::oci {
namespace {

constexpr std::string_view kDigestStart = "sha256:";
constexpr std::size_t kMaxTag = 128;

bool isLowerOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// A path of lower-case words, which '.', '_' and '-' may join, as registries take it.
bool isRepository(std::string_view text) {
  bool wordEnded = false;
  for (const char c : text) {
    const bool joins = c == '.' || c == '_' || c == '-' || c == '/';
    if (!joins && !isLowerOrDigit(c)) return false;
    if (c == '/' && !wordEnded) return false;
    wordEnded = !joins;
  }
  return !text.empty() && isLowerOrDigit(text.front()) && wordEnded;
}

bool isTag(std::string_view text) {
  const auto word = [](char c) { return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && text.size() <= kMaxTag && word(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return word(c) || c == '.' || c == '-'; });
}

bool isDigest(std::string_view text) {
  return text.starts_with(kDigestStart) && text.size() == kDigestStart.size() + 64 &&
         text.find_first_not_of("0123456789abcdef", kDigestStart.size()) == std::string_view::npos;
}

tl::unexpected<Error> refuse(std::string_view text, std::string cause) {
  return failure(ErrorCode::InvalidArgument, fmt::format("'{}' does not name an image of the registry", text),
                 std::move(cause), "write REGION.ocir.io/NAMESPACE/REPOSITORY:TAG");
}

}  // namespace

std::string registryHost(const Region& region) {
  if (region.realm == "oc1" && !region.shortCode.empty()) return region.shortCode + ".ocir.io";
  if (region.domain.empty()) return "ocir." + region.id;
  if (region.domain == "oraclecloud.com") return region.id + ".ocir.io";
  return fmt::format("ocir.{}.oci.{}", region.id, region.domain);
}

std::string ImageName::toString() const {
  std::string text = fmt::format("{}/{}/{}", host, nameSpace, repository);
  if (!tag.empty()) text += ":" + tag;
  if (!digest.empty()) text += "@" + digest;
  return text;
}

Result<ImageName> parseImageName(std::string_view text) {
  ImageName name;
  std::string_view rest = text;
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    name.digest = rest.substr(at + 1);
    rest = rest.substr(0, at);
    if (!isDigest(name.digest)) return refuse(text, fmt::format("'{}' is no digest", name.digest));
  }
  const std::size_t lastSlash = rest.rfind('/');
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos && lastSlash != std::string_view::npos && colon > lastSlash) {
    name.tag = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
    if (!isTag(name.tag)) return refuse(text, fmt::format("'{}' is no tag", name.tag));
  }
  const std::size_t first = rest.find('/');
  const std::size_t second = first == std::string_view::npos ? first : rest.find('/', first + 1);
  if (second == std::string_view::npos) return refuse(text, "it has no host, namespace and repository");
  name.host = rest.substr(0, first);
  name.nameSpace = rest.substr(first + 1, second - first - 1);
  name.repository = rest.substr(second + 1);
  if (name.host.find('.') == std::string::npos)
    return refuse(text, fmt::format("it begins with '{}', which is no host of a registry", name.host));
  if (name.nameSpace.empty()) return refuse(text, "its namespace is empty");
  if (!isRepository(name.repository))
    return refuse(text, fmt::format("'{}' is no path of lower-case words", name.repository));
  if (name.tag.empty() && name.digest.empty()) return refuse(text, "it has no tag");
  return name;
}

std::string registryUserName(const std::string& nameSpace, const std::string& userName, AccountKind kind,
                             const std::string& domain) {
  switch (kind) {
    case AccountKind::Local:
      break;
    case AccountKind::Federated:
      return fmt::format("{}/oracleidentitycloudservice/{}", nameSpace, userName);
    case AccountKind::IdentityDomain:
      return fmt::format("{}/{}/{}", nameSpace, domain, userName);
  }
  return fmt::format("{}/{}", nameSpace, userName);
}

}  // namespace lockstep::oci

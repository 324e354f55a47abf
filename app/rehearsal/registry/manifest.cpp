// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/registry/manifest.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 4 << 20;
constexpr std::size_t kMaxReferences = 2000;
constexpr int kDeepest = 32;

const char* const kImages[] = {"application/vnd.docker.distribution.manifest.v2+json",
                               "application/vnd.oci.image.manifest.v1+json"};
const char* const kLists[] = {"application/vnd.docker.distribution.manifest.list.v2+json",
                              "application/vnd.oci.image.index.v1+json"};

bool isOneOf(const std::string& text, const char* const (&list)[2]) {
  return text == list[0] || text == list[1];
}

bool nestsTooDeep(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > kDeepest) return true;
  }
  return false;
}

// {"digest": …, "size": …}. What lies elsewhere, under `urls`, is not pushed to this registry.
tl::expected<std::string, std::string> digestOf(const json& descriptor) {
  if (!descriptor.is_object() || !descriptor.contains("digest") || !descriptor["digest"].is_string())
    return tl::unexpected(std::string("a descriptor has no digest"));
  std::string digest = descriptor["digest"];
  if (!isDigest(digest)) return tl::unexpected("the digest '" + digest.substr(0, 100) + "' is not sha256");
  const auto urls = descriptor.find("urls");
  const bool isElsewhere = urls != descriptor.end() && urls->is_array() && !urls->empty();
  return isElsewhere ? std::string() : digest;
}

tl::expected<std::vector<std::string>, std::string> digestsOf(const json& list) {
  if (!list.is_array()) return tl::unexpected(std::string("a list of descriptors is missing"));
  if (list.size() > kMaxReferences) return tl::unexpected(std::string("there are too many descriptors"));
  std::vector<std::string> digests;
  for (const json& one : list) {
    auto digest = digestOf(one);
    if (!digest) return tl::unexpected(digest.error());
    if (!digest->empty()) digests.push_back(std::move(*digest));
  }
  return digests;
}

}  // namespace

tl::expected<ManifestReferences, std::string> readManifest(const std::string& mediaType,
                                                           std::string_view bytes) {
  const bool isImage = isOneOf(mediaType, kImages);
  if (!isImage && !isOneOf(mediaType, kLists))
    return tl::unexpected("the media type '" + mediaType.substr(0, 200) + "' is not offered");
  if (bytes.size() > kMaxBytes) return tl::unexpected(std::string("the manifest is larger than 4 MiB"));
  if (nestsTooDeep(bytes)) return tl::unexpected(std::string("the manifest nests too deep"));
  const json manifest = json::parse(bytes, nullptr, false);
  if (!manifest.is_object()) return tl::unexpected(std::string("the manifest is not a JSON object"));
  if (manifest.value("schemaVersion", json()) != 2)
    return tl::unexpected(std::string("schemaVersion is not 2"));
  if (const json inner = manifest.value("mediaType", json()); !inner.is_null() && inner != mediaType)
    return tl::unexpected(std::string("mediaType is not the Content-Type that was sent"));
  auto digests = digestsOf(manifest.value(isImage ? "layers" : "manifests", json()));
  if (!digests) return tl::unexpected(digests.error());
  ManifestReferences references;
  if (!isImage) {
    references.manifests = std::move(*digests);
    return references;
  }
  references.blobs = std::move(*digests);
  auto config = digestOf(manifest.value("config", json()));
  if (!config) return tl::unexpected(config.error());
  if (!config->empty()) references.blobs.push_back(std::move(*config));
  return references;
}

bool isDigest(std::string_view text) {
  return text.starts_with("sha256:") && text.size() == 71 &&
         text.find_first_not_of("0123456789abcdef", 7) == std::string_view::npos;
}

bool isTag(std::string_view text) {
  return !text.empty() && text.size() <= 128 && text[0] != '.' && text[0] != '-' &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == '-'; });
}

bool isRepositoryName(std::string_view text) {
  if (text.empty() || text.size() > 255) return false;
  bool isStart = true;  // of a part: neither here nor at its end may a separator stand
  char before = '/';
  for (const char c : text) {
    const bool isWord = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool isMark = c == '.' || c == '_' || c == '-';
    if (!isWord && !isMark && c != '/') return false;
    if (isStart && !isWord) return false;
    if (c == '/' && (before == '.' || before == '_' || before == '-')) return false;
    isStart = c == '/';
    before = c;
  }
  return before != '/' && before != '.' && before != '_' && before != '-';
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep::rehearsal {

/// What an image manifest or an index of them refers to.
struct ManifestReferences {
  std::vector<std::string> blobs;      // config and layers, by digest
  std::vector<std::string> manifests;  // of an index
};

/// Reads a manifest that somebody pushes: Docker's version 2 schema 2 and OCI's, and their lists. Bounded in
/// size, depth and number of references. The error is a sentence.
tl::expected<ManifestReferences, std::string> readManifest(const std::string& mediaType,
                                                           std::string_view bytes);

/// "sha256:" and 64 lower-case hex digits.
[[nodiscard]] bool isDigest(std::string_view text);
[[nodiscard]] bool isTag(std::string_view text);
/// A repository's path: lower case, its parts joined by '/'.
[[nodiscard]] bool isRepositoryName(std::string_view text);

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rehearsal/api/router.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// What the registry holds (oci-rest-contract 5). Layers stand in files of Blobs; the same file serves every
/// repository that has the digest.
constexpr const char* kRegistrySchema = R"sql(
CREATE TABLE IF NOT EXISTS registry_blobs(
  repo TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, file TEXT NOT NULL, PRIMARY KEY(repo, digest))
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS registry_uploads(
  id TEXT PRIMARY KEY, repo TEXT NOT NULL, principal TEXT NOT NULL, created INTEGER NOT NULL, size INTEGER NOT NULL,
  file TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS registry_manifests(
  repo TEXT NOT NULL, digest TEXT NOT NULL, media_type TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(repo, digest))
  WITHOUT ROWID;
)sql";

/// Every file of Blobs that the registry names.
void collectRegistryFiles(Transaction& transaction, std::set<std::string>& files);

/// The repository of that path in a namespace, whoever asks.
std::optional<Resource> findRepository(Transaction& transaction, const std::string& nameSpace,
                                       const std::string& name);
/// A new repository, with every field that the service shows.
Resource makeRepository(const Call& call, const std::string& compartment, const std::string& nameSpace,
                        const std::string& name);
/// Brings imageCount, layerCount and layersSizeInBytes to what there is.
void countRepository(Transaction& transaction, Resource& repository);
/// The repository with its images, manifests and layers; the files that are free then.
std::vector<std::string> removeRepository(Transaction& transaction, const Resource& repository);

struct StoredManifest {
  std::string digest, mediaType, bytes;
};
/// By digest or tag.
std::optional<StoredManifest> findManifest(Transaction& transaction, const Resource& repository,
                                           const std::string& reference);
/// Stores a manifest and lets a tag point to it; without a tag it is an image of unknown version.
void putManifest(Transaction& transaction, const Call& call, const Resource& repository,
                 const StoredManifest& manifest, const std::string& tag);
/// The image of that tag.
std::optional<Resource> findTag(Transaction& transaction, const Resource& repository, const std::string& tag);
std::vector<std::string> tagsOf(Transaction& transaction, const Resource& repository);

/// The tenancy's choice: whether pushing to a repository that is missing creates it in the root compartment.
bool isCreatedOnFirstPush(Transaction& transaction, const std::string& tenancyId);
void setCreatedOnFirstPush(Transaction& transaction, const std::string& tenancyId, bool isOn);

}  // namespace lockstep::rehearsal

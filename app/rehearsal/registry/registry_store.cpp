// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/registry/registry_store.h"

#include <algorithm>

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

std::vector<Resource> imagesOf(Transaction& transaction, const Resource& repository) {
  ListQuery query;
  query.kind = kind::kImage;
  query.parent = repository.id;
  query.limit = 100'000;
  const auto page = listResources(transaction, query);
  return page ? page->items : std::vector<Resource>();
}

std::string untagged(const Resource& repository, const std::string& digest) {
  return repository.name + ":unknown@" + digest;
}

Resource makeImage(const Call& call, const Resource& repository, const std::string& digest,
                   const std::string& tag) {
  Resource image;
  image.kind = kind::kImage;
  image.id = makeOcid(kind::kImage);
  image.compartment = repository.compartment;
  image.parent = repository.id;
  image.name = tag.empty() ? untagged(repository, digest) : repository.name + ":" + tag;
  image.state = "AVAILABLE";
  image.etag = makeUuid();
  image.created = toMillis(call.now);
  image.body = {{"id", image.id},
                {"compartmentId", image.compartment},
                {"digest", digest},
                {"displayName", image.name},
                {"repositoryId", repository.id},
                {"repositoryName", repository.name},
                {"version", tag.empty() ? json() : json(tag)},
                {"versions", json::array()},
                {"layers", json::array()},
                {"layersSizeInBytes", 0},
                {"manifestSizeInBytes", 0},
                {"pullCount", 0},
                {"createdBy", call.principal.id},
                {"timeCreated", timeText(image.created)},
                {"freeformTags", json::object()},
                {"definedTags", json::object()},
                {"systemTags", json::object()},
                {"lifecycleState", "AVAILABLE"}};
  return image;
}

}  // namespace

void collectRegistryFiles(Transaction& transaction, std::set<std::string>& files) {
  for (const char* text : {"SELECT file FROM registry_blobs", "SELECT file FROM registry_uploads"}) {
    auto& select = transaction.sql(text);
    while (select.executeStep()) files.insert(select.getColumn(0).getString());
  }
}

std::optional<Resource> findRepository(Transaction& transaction, const std::string& nameSpace,
                                       const std::string& name) {
  std::string id;
  {
    auto& select = transaction.sql(
        "SELECT id FROM resources WHERE kind = ? AND name = ? AND json_extract(body, '$.namespace') = ?");
    select.bind(1, kind::kRepository);
    select.bind(2, name);
    select.bind(3, nameSpace);
    if (!select.executeStep()) return std::nullopt;
    id = select.getColumn(0).getString();
  }
  return findResource(transaction, kind::kRepository, id);
}

Resource makeRepository(const Call& call, const std::string& compartment, const std::string& nameSpace,
                        const std::string& name) {
  Resource r;
  r.kind = kind::kRepository;
  r.id = makeOcid(kind::kRepository);
  r.compartment = compartment;
  r.name = name;
  r.state = "AVAILABLE";
  r.etag = makeUuid();
  r.created = toMillis(call.now);
  r.body = {{"id", r.id},
            {"compartmentId", compartment},
            {"displayName", name},
            {"namespace", nameSpace},
            {"isPublic", false},
            {"isImmutable", false},
            {"imageCount", 0},
            {"layerCount", 0},
            {"layersSizeInBytes", 0},
            {"billableSizeInGBs", 0},
            {"createdBy", call.principal.id},
            {"timeCreated", timeText(r.created)},
            {"freeformTags", json::object()},
            {"definedTags", json::object()},
            {"systemTags", json::object()},
            {"lifecycleState", "AVAILABLE"}};
  return r;
}

void countRepository(Transaction& transaction, Resource& repository) {
  auto& blobs = transaction.sql("SELECT count(*), total(size) FROM registry_blobs WHERE repo = ?");
  blobs.bind(1, repository.id);
  blobs.executeStep();
  repository.body["layerCount"] = blobs.getColumn(0).getInt64();
  const auto bytes = static_cast<long long>(blobs.getColumn(1).getDouble());
  repository.body["layersSizeInBytes"] = bytes;
  repository.body["billableSizeInGBs"] = (bytes + (1LL << 30) - 1) >> 30;
  repository.body["imageCount"] = imagesOf(transaction, repository).size();
  updateResource(transaction, repository);
}

std::vector<std::string> removeRepository(Transaction& transaction, const Resource& repository) {
  std::set<std::string> files;
  for (const char* text : {"SELECT file FROM registry_blobs WHERE repo = ?",
                           "SELECT file FROM registry_uploads WHERE repo = ?"}) {
    auto& select = transaction.sql(text);
    select.bind(1, repository.id);
    while (select.executeStep()) files.insert(select.getColumn(0).getString());
  }
  for (const char* text :
       {"DELETE FROM registry_blobs WHERE repo = ?", "DELETE FROM registry_uploads WHERE repo = ?",
        "DELETE FROM registry_manifests WHERE repo = ?"}) {
    auto& remove = transaction.sql(text);
    remove.bind(1, repository.id);
    remove.exec();
  }
  for (const Resource& image : imagesOf(transaction, repository)) removeResource(transaction, image.id);
  removeResource(transaction, repository.id);
  std::set<std::string> used;
  collectRegistryFiles(transaction, used);
  std::vector<std::string> unused;
  std::set_difference(files.begin(), files.end(), used.begin(), used.end(), std::back_inserter(unused));
  return unused;
}

std::optional<Resource> findTag(Transaction& transaction, const Resource& repository,
                                const std::string& tag) {
  ListQuery query;
  query.kind = kind::kImage;
  query.parent = repository.id;
  query.name = repository.name + ":" + tag;
  query.limit = 1;
  const auto page = listResources(transaction, query);
  if (!page || page->items.empty()) return std::nullopt;
  return page->items.front();
}

std::optional<StoredManifest> findManifest(Transaction& transaction, const Resource& repository,
                                           const std::string& reference) {
  std::string digest = reference;
  if (!reference.starts_with("sha256:")) {
    const auto image = findTag(transaction, repository, reference);
    if (!image) return std::nullopt;
    digest = image->body["digest"];
  }
  auto& select =
      transaction.sql("SELECT media_type, bytes FROM registry_manifests WHERE repo = ? AND digest = ?");
  select.bind(1, repository.id);
  select.bind(2, digest);
  if (!select.executeStep()) return std::nullopt;
  return StoredManifest{digest, select.getColumn(0).getString(), select.getColumn(1).getString()};
}

void putManifest(Transaction& transaction, const Call& call, const Resource& repository,
                 const StoredManifest& manifest, const std::string& tag) {
  auto& save = transaction.sql(
      "INSERT OR REPLACE INTO registry_manifests(repo, digest, media_type, bytes) VALUES(?,?,?,?)");
  save.bind(1, repository.id);
  save.bind(2, manifest.digest);
  save.bind(3, manifest.mediaType);
  save.bind(4, manifest.bytes.data(), static_cast<int>(manifest.bytes.size()));
  save.exec();
  const std::vector<Resource> images = imagesOf(transaction, repository);
  const auto namesOf = [&](const std::string& digest) {
    return std::count_if(images.begin(), images.end(),
                         [&](const Resource& image) { return image.body["digest"] == digest; });
  };
  if (tag.empty()) {
    if (namesOf(manifest.digest) == 0)
      insertResource(transaction, makeImage(call, repository, manifest.digest, ""));
    return;
  }
  if (const auto before = findTag(transaction, repository, tag)) {
    const std::string old = before->body["digest"];
    if (old == manifest.digest) return;
    removeResource(transaction, before->id);
    if (namesOf(old) == 1) insertResource(transaction, makeImage(call, repository, old, ""));
  }
  for (const Resource& image : images)  // it has a name now
    if (image.name == untagged(repository, manifest.digest)) removeResource(transaction, image.id);
  insertResource(transaction, makeImage(call, repository, manifest.digest, tag));
}

std::vector<std::string> tagsOf(Transaction& transaction, const Resource& repository) {
  std::vector<std::string> tags;
  for (const Resource& image : imagesOf(transaction, repository))
    if (image.body["version"].is_string()) tags.push_back(image.body["version"].get<std::string>());
  std::sort(tags.begin(), tags.end());
  return tags;
}

bool isCreatedOnFirstPush(Transaction& transaction, const std::string& tenancyId) {
  auto& select = transaction.sql("SELECT value FROM settings WHERE name = ?");
  select.bind(1, "registry.first-push." + tenancyId);
  return !select.executeStep() || select.getColumn(0).getString() == "true";
}

void setCreatedOnFirstPush(Transaction& transaction, const std::string& tenancyId, bool isOn) {
  auto& save = transaction.sql("INSERT OR REPLACE INTO settings(name, value) VALUES(?,?)");
  save.bind(1, "registry.first-push." + tenancyId);
  save.bind(2, isOn ? "true" : "false");
  save.exec();
}

}  // namespace lockstep::rehearsal

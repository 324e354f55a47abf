// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <strings.h>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/registry/manifest.h"
#include "rehearsal/registry/registry.h"
#include "rehearsal/registry/registry_request.h"
#include "rehearsal/state/compartments.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

Response unknownName() {
  return dockerError(404, "NAME_UNKNOWN", "the repository does not exist, or you are not authorized to it");
}
Response denied() {
  return dockerError(403, "DENIED", "requested access to the resource is denied");
}

// The address of this registry as the caller wrote it.
std::string hostOf(const Call& call) {
  return call.header("host").value_or("");
}

}  // namespace

Response dockerError(int status, const char* code, const std::string& message) {
  Response response =
      jsonResponse({{"errors", json::array({{{"code", code}, {"message", message}, {"detail", nullptr}}})}});
  response.status = status;
  return response;
}

Response dockerChallenge(const Call& call, const std::string& scope) {
  Response response = dockerError(401, "UNAUTHORIZED", "authentication required");
  response.headers.emplace_back(
      "www-authenticate",
      fmt::format("Bearer realm=\"{}://{}/20180419/docker/token\",service=\"{}\",scope=\"{}\"",
                  call.request.overTls ? "https" : "http", hostOf(call), hostOf(call), scope));
  return response;
}

std::optional<Resource> RegistryRequest::toPull(Transaction& transaction) const {
  auto repository = findRepository(transaction, path_.nameSpace, path_.repository);
  if (!repository) return std::nullopt;
  if (repository->body.value("isPublic", false)) return repository;
  const bool may = !caller_.id.empty() && mayIn(transaction, asCaller("PullImage"), repository->compartment,
                                                {{"target.repo.name", repository->name}});
  return may ? repository : std::nullopt;
}

// A repository that is missing comes to be in the root compartment, where the tenancy wants that.
std::optional<Resource> RegistryRequest::toPush(Transaction& transaction) const {
  if (caller_.id.empty() || namespaceOf(transaction, caller_) != path_.nameSpace) return std::nullopt;
  const TargetFacts facts{{"target.repo.name", path_.repository}};
  auto repository = findRepository(transaction, path_.nameSpace, path_.repository);
  if (repository)
    return mayIn(transaction, asCaller("PushImage"), repository->compartment, facts) ? repository
                                                                                     : std::nullopt;
  const Call create = asCaller("CreateContainerRepository");
  if (!isCreatedOnFirstPush(transaction, caller_.tenancyId) ||
      !mayIn(transaction, create, caller_.tenancyId, facts))
    return std::nullopt;
  Resource made = makeRepository(create, caller_.tenancyId, path_.nameSpace, path_.repository);
  insertResource(transaction, made);
  return made;
}

Response RegistryRequest::refused() const {
  const std::string scope =
      "repository:" + path_.nameSpace + "/" + path_.repository + (isRead() ? ":pull" : ":pull,push");
  if (caller_.id.empty()) return dockerChallenge(call_, scope);
  return isRead() ? unknownName() : denied();
}

Response RegistryRequest::readBlob() {
  Transaction transaction(database_);
  const auto repository = toPull(transaction);
  if (!repository) return refused();
  auto& select = transaction.sql("SELECT size, file FROM registry_blobs WHERE repo = ? AND digest = ?");
  select.bind(1, repository->id);
  select.bind(2, path_.reference);
  if (!select.executeStep()) return dockerError(404, "BLOB_UNKNOWN", "blob unknown to registry");
  ByteSource source;
  source.length = static_cast<std::uint64_t>(select.getColumn(0).getInt64());
  auto file = blobs_.open(select.getColumn(1).getString());
  if (!file) return dockerError(500, "UNKNOWN", describe(file.error()));
  source.file = *file;
  Response response;
  response.contentType = "application/octet-stream";
  response.headers = {{"docker-content-digest", path_.reference}, {"etag", "\"" + path_.reference + "\""}};
  response.source = std::move(source);
  return response;
}

Response RegistryRequest::readManifestOf() {
  Transaction transaction(database_);
  const auto repository = toPull(transaction);
  if (!repository) return refused();
  auto manifest = findManifest(transaction, *repository, path_.reference);
  if (!manifest) return dockerError(404, "MANIFEST_UNKNOWN", "manifest unknown");
  Response response;
  response.contentType = manifest->mediaType;
  response.headers = {{"docker-content-digest", manifest->digest}, {"etag", "\"" + manifest->digest + "\""}};
  ByteSource source;
  source.length = manifest->bytes.size();
  source.bytes = std::move(manifest->bytes);
  response.source = std::move(source);
  return response;
}

namespace {

bool hasRow(Transaction& transaction, const char* text, const std::string& repo, const std::string& digest) {
  auto& select = transaction.sql(text);
  select.bind(1, repo);
  select.bind(2, digest);
  return select.executeStep();
}

std::optional<Response> missingPart(Transaction& transaction, const Resource& repository,
                                    const ManifestReferences& references) {
  for (const std::string& digest : references.blobs)
    if (!hasRow(transaction, "SELECT 1 FROM registry_blobs WHERE repo = ? AND digest = ?", repository.id,
                digest))
      return dockerError(400, "MANIFEST_BLOB_UNKNOWN", "blob unknown to registry: " + digest);
  for (const std::string& digest : references.manifests)
    if (!hasRow(transaction, "SELECT 1 FROM registry_manifests WHERE repo = ? AND digest = ?", repository.id,
                digest))
      return dockerError(400, "MANIFEST_BLOB_UNKNOWN", "manifest unknown to registry: " + digest);
  return std::nullopt;
}

}  // namespace

Response RegistryRequest::pushManifest() {
  const std::string mediaType = call_.header("content-type").value_or("");
  const std::string_view bytes = call_.request.bytes();
  const auto references = readManifest(mediaType, bytes);
  if (!references) return dockerError(400, "MANIFEST_INVALID", references.error());
  const std::string digest = "sha256:" + toHex(sha256(bytes));
  const bool isTagged = !isDigest(path_.reference);
  if (!isTagged && path_.reference != digest)
    return dockerError(400, "DIGEST_INVALID", "provided digest did not match uploaded content");
  Transaction transaction(database_);
  auto repository = toPush(transaction);
  if (!repository) return refused();
  if (auto problem = missingPart(transaction, *repository, *references)) return *problem;
  const auto before = isTagged ? findTag(transaction, *repository, path_.reference) : std::nullopt;
  if (before && before->body["digest"] != digest && repository->body.value("isImmutable", false))
    return dockerError(409, "TAG_INVALID", "the repository is immutable and has the tag already");
  putManifest(transaction, asCaller("PushImage"), *repository, {digest, mediaType, std::string(bytes)},
              isTagged ? path_.reference : "");
  repository->body["timeLastPushed"] = timeText(toMillis(call_.now));
  countRepository(transaction, *repository);
  transaction.commit();
  Response response = emptyResponse(201);
  response.headers = {{"location", root() + "/manifests/" + digest}, {"docker-content-digest", digest}};
  return response;
}

Response RegistryRequest::removeManifest() {
  Transaction transaction(database_);
  auto repository = toPush(transaction);
  if (!repository) return refused();
  const auto manifest = findManifest(transaction, *repository, path_.reference);
  if (!manifest) return dockerError(404, "MANIFEST_UNKNOWN", "manifest unknown");
  auto& images = transaction.sql(
      "DELETE FROM resources WHERE kind = ? AND parent = ? AND json_extract(body, '$.digest') = ?");
  images.bind(1, kind::kImage);
  images.bind(2, repository->id);
  images.bind(3, manifest->digest);
  images.exec();
  auto& remove = transaction.sql("DELETE FROM registry_manifests WHERE repo = ? AND digest = ?");
  remove.bind(1, repository->id);
  remove.bind(2, manifest->digest);
  remove.exec();
  countRepository(transaction, *repository);
  transaction.commit();
  return emptyResponse(202);
}

Response RegistryRequest::listTags() {
  Transaction transaction(database_);
  const auto repository = toPull(transaction);
  if (!repository) return refused();
  return jsonResponse(
      {{"name", path_.nameSpace + "/" + path_.repository}, {"tags", tagsOf(transaction, *repository)}});
}

Response RegistryRequest::run() {
  using Kind = RegistryPath::Kind;
  if (path_.kind == Kind::Ping)
    return caller_.id.empty() ? dockerChallenge(call_, "") : jsonResponse(json::object());
  if (path_.kind == Kind::Blob && isRead()) return readBlob();
  if (path_.kind == Kind::NewUpload && is("POST")) return beginUpload();
  if (path_.kind == Kind::Upload && is("PATCH")) return continueUpload();
  if (path_.kind == Kind::Upload && is("PUT")) return finishUpload();
  if (path_.kind == Kind::Upload && is("GET")) return describeUpload();
  if (path_.kind == Kind::Upload && is("DELETE")) return cancelUpload();
  if (path_.kind == Kind::Manifest && isRead()) return readManifestOf();
  if (path_.kind == Kind::Manifest && is("PUT")) return pushManifest();
  if (path_.kind == Kind::Manifest && is("DELETE")) return removeManifest();
  if (path_.kind == Kind::Tags && is("GET")) return listTags();
  if (path_.kind == Kind::Unknown) return dockerError(404, "NAME_INVALID", "invalid repository name or path");
  return dockerError(405, "UNSUPPORTED", "the operation is unsupported");
}

std::optional<Response> RegistryRequest::refusedUpload() {
  if (isRead() || is("DELETE")) return dockerError(413, "SIZE_INVALID", "the operation takes no body");
  Transaction transaction(
      database_);  // never committed: a repository that a push may make is made by the push
  if (toPush(transaction)) return std::nullopt;
  return refused();
}

namespace {

std::optional<Principal> callerOf(Database& database, const TokenIssuer& tokens, const Call& call) {
  const std::string header = call.header("authorization").value_or("");
  if (::strncasecmp(header.c_str(), "bearer ", 7) != 0) return std::nullopt;
  return readRegistryToken(database, tokens, header.substr(7), call.now);
}

RegistryPath pathOf(const Call& call) {
  const auto rest = call.path.find("rest");
  return readRegistryPath(rest == call.path.end() ? "" : rest->second);
}

Response answer(Database& database, Blobs& blobs, const TokenIssuer& tokens, const Call& call) {
  const auto caller = callerOf(database, tokens, call);
  Response response = caller ? RegistryRequest(database, blobs, call, *caller, pathOf(call)).run()
                             : dockerChallenge(call, "");
  response.headers.emplace_back("docker-distribution-api-version", "registry/2.0");
  return response;
}

std::optional<OperationResult> gate(Database& database, Blobs& blobs, const TokenIssuer& tokens,
                                    const Call& call) {
  const auto caller = callerOf(database, tokens, call);
  auto refused = caller ? RegistryRequest(database, blobs, call, *caller, pathOf(call)).refusedUpload()
                        : dockerChallenge(call, "");
  if (!refused) return std::nullopt;
  refused->headers.emplace_back("docker-distribution-api-version", "registry/2.0");
  return OperationResult(*std::move(refused));
}

}  // namespace

void addDistribution(Router& open, Database& database, Blobs& blobs, const TokenIssuer& tokens) {
  const auto run = [&database, &blobs, &tokens](const Call& call) -> OperationResult {
    return answer(database, blobs, tokens, call);
  };
  const auto checkHead = [&database, &blobs, &tokens](const Call& call) {
    return gate(database, blobs, tokens, call);
  };
  for (const char* method : {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"}) {
    open.add(method, "/v2", "Registry", run);
    open.add(method, "/v2/", "Registry", run);
    open.add(method, "/v2/{*rest}", "Registry", run, {.isUpload = true, .gate = checkHead});
  }
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <strings.h>

#include "base/digest.h"
#include "base/encoding.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/registry/manifest.h"
#include "rehearsal/registry/registry.h"
#include "rehearsal/registry/registry_request.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

Reply unknownName() {
  return dockerError(404, "NAME_UNKNOWN", "the repository does not exist, or you are not authorized to it");
}
Reply denied() {
  return dockerError(403, "DENIED", "requested access to the resource is denied");
}

// The address of this registry as the caller wrote it.
std::string hostOf(const Call& call) {
  return call.header("host").value_or("");
}

}  // namespace

Reply dockerError(int status, const char* code, const std::string& message) {
  Reply reply =
      jsonReply({{"errors", json::array({{{"code", code}, {"message", message}, {"detail", nullptr}}})}});
  reply.status = status;
  return reply;
}

Reply dockerChallenge(const Call& call, const std::string& scope) {
  Reply reply = dockerError(401, "UNAUTHORIZED", "authentication required");
  reply.headers.emplace_back(
      "www-authenticate",
      fmt::format("Bearer realm=\"{}://{}/20180419/docker/token\",service=\"{}\",scope=\"{}\"",
                  call.request.overTls ? "https" : "http", hostOf(call), hostOf(call), scope));
  return reply;
}

std::optional<Resource> RegistryRequest::toPull(Session& session) const {
  auto repository = findRepository(session, path_.nameSpace, path_.repository);
  if (!repository) return std::nullopt;
  if (repository->body.value("isPublic", false)) return repository;
  const bool may = !caller_.id.empty() && mayIn(session, asCaller("PullImage"), repository->compartment,
                                                {{"target.repo.name", repository->name}});
  return may ? repository : std::nullopt;
}

// A repository that is missing comes to be in the root compartment, where the tenancy wants that.
std::optional<Resource> RegistryRequest::toPush(Session& session) const {
  if (caller_.id.empty() || namespaceOf(session, caller_) != path_.nameSpace) return std::nullopt;
  const TargetFacts facts{{"target.repo.name", path_.repository}};
  auto repository = findRepository(session, path_.nameSpace, path_.repository);
  if (repository)
    return mayIn(session, asCaller("PushImage"), repository->compartment, facts) ? repository : std::nullopt;
  const Call create = asCaller("CreateContainerRepository");
  if (!isCreatedOnFirstPush(session, caller_.tenancyId) || !mayIn(session, create, caller_.tenancyId, facts))
    return std::nullopt;
  Resource made = makeRepository(create, caller_.tenancyId, path_.nameSpace, path_.repository);
  insertResource(session, made);
  return made;
}

Reply RegistryRequest::refused() const {
  const std::string scope =
      "repository:" + path_.nameSpace + "/" + path_.repository + (isRead() ? ":pull" : ":pull,push");
  if (caller_.id.empty()) return dockerChallenge(call_, scope);
  return isRead() ? unknownName() : denied();
}

Reply RegistryRequest::readBlob() {
  Session session(database_);
  const auto repository = toPull(session);
  if (!repository) return refused();
  auto& select = session.sql("SELECT size, file FROM registry_blobs WHERE repo = ? AND digest = ?");
  select.bind(1, repository->id);
  select.bind(2, path_.reference);
  if (!select.executeStep()) return dockerError(404, "BLOB_UNKNOWN", "blob unknown to registry");
  ByteSource source;
  source.length = static_cast<std::uint64_t>(select.getColumn(0).getInt64());
  auto file = blobs_.open(select.getColumn(1).getString());
  if (!file) return dockerError(500, "UNKNOWN", describe(file.error()));
  source.file = *file;
  Reply reply;
  reply.contentType = "application/octet-stream";
  reply.headers = {{"docker-content-digest", path_.reference}, {"etag", "\"" + path_.reference + "\""}};
  reply.source = std::move(source);
  return reply;
}

Reply RegistryRequest::readManifestOf() {
  Session session(database_);
  const auto repository = toPull(session);
  if (!repository) return refused();
  auto manifest = findManifest(session, *repository, path_.reference);
  if (!manifest) return dockerError(404, "MANIFEST_UNKNOWN", "manifest unknown");
  Reply reply;
  reply.contentType = manifest->mediaType;
  reply.headers = {{"docker-content-digest", manifest->digest}, {"etag", "\"" + manifest->digest + "\""}};
  ByteSource source;
  source.length = manifest->bytes.size();
  source.bytes = std::move(manifest->bytes);
  reply.source = std::move(source);
  return reply;
}

namespace {

bool hasRow(Session& session, const char* text, const std::string& repo, const std::string& digest) {
  auto& select = session.sql(text);
  select.bind(1, repo);
  select.bind(2, digest);
  return select.executeStep();
}

std::optional<Reply> missingPart(Session& session, const Resource& repository,
                                 const ManifestReferences& references) {
  for (const std::string& digest : references.blobs)
    if (!hasRow(session, "SELECT 1 FROM registry_blobs WHERE repo = ? AND digest = ?", repository.id, digest))
      return dockerError(400, "MANIFEST_BLOB_UNKNOWN", "blob unknown to registry: " + digest);
  for (const std::string& digest : references.manifests)
    if (!hasRow(session, "SELECT 1 FROM registry_manifests WHERE repo = ? AND digest = ?", repository.id,
                digest))
      return dockerError(400, "MANIFEST_BLOB_UNKNOWN", "manifest unknown to registry: " + digest);
  return std::nullopt;
}

}  // namespace

Reply RegistryRequest::pushManifest() {
  const std::string mediaType = call_.header("content-type").value_or("");
  const std::string_view bytes = call_.request.bytes();
  const auto references = readManifest(mediaType, bytes);
  if (!references) return dockerError(400, "MANIFEST_INVALID", references.error());
  const std::string digest = "sha256:" + toHex(sha256(bytes));
  const bool isTagged = !isDigest(path_.reference);
  if (!isTagged && path_.reference != digest)
    return dockerError(400, "DIGEST_INVALID", "provided digest did not match uploaded content");
  Session session(database_);
  auto repository = toPush(session);
  if (!repository) return refused();
  if (auto problem = missingPart(session, *repository, *references)) return *problem;
  const auto before = isTagged ? findTag(session, *repository, path_.reference) : std::nullopt;
  if (before && before->body["digest"] != digest && repository->body.value("isImmutable", false))
    return dockerError(409, "TAG_INVALID", "the repository is immutable and has the tag already");
  putManifest(session, asCaller("PushImage"), *repository, {digest, mediaType, std::string(bytes)},
              isTagged ? path_.reference : "");
  repository->body["timeLastPushed"] = timeText(toMillis(call_.now));
  countRepository(session, *repository);
  session.commit();
  Reply reply = emptyReply(201);
  reply.headers = {{"location", root() + "/manifests/" + digest}, {"docker-content-digest", digest}};
  return reply;
}

Reply RegistryRequest::removeManifest() {
  Session session(database_);
  auto repository = toPush(session);
  if (!repository) return refused();
  const auto manifest = findManifest(session, *repository, path_.reference);
  if (!manifest) return dockerError(404, "MANIFEST_UNKNOWN", "manifest unknown");
  auto& images = session.sql(
      "DELETE FROM resources WHERE kind = ? AND parent = ? AND json_extract(body, '$.digest') = ?");
  images.bind(1, kind::kImage);
  images.bind(2, repository->id);
  images.bind(3, manifest->digest);
  images.exec();
  auto& remove = session.sql("DELETE FROM registry_manifests WHERE repo = ? AND digest = ?");
  remove.bind(1, repository->id);
  remove.bind(2, manifest->digest);
  remove.exec();
  countRepository(session, *repository);
  session.commit();
  return emptyReply(202);
}

Reply RegistryRequest::listTags() {
  Session session(database_);
  const auto repository = toPull(session);
  if (!repository) return refused();
  return jsonReply(
      {{"name", path_.nameSpace + "/" + path_.repository}, {"tags", tagsOf(session, *repository)}});
}

Reply RegistryRequest::run() {
  using Kind = RegistryPath::Kind;
  if (path_.kind == Kind::Ping)
    return caller_.id.empty() ? dockerChallenge(call_, "") : jsonReply(json::object());
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

std::optional<Reply> RegistryRequest::refusedUpload() {
  if (isRead() || is("DELETE")) return dockerError(413, "SIZE_INVALID", "the operation takes no body");
  Session session(database_);  // never committed: a repository that a push may make is made by the push
  if (toPush(session)) return std::nullopt;
  return refused();
}

namespace {

std::optional<Principal> callerOf(const TokenIssuer& tokens, const Call& call) {
  const std::string header = call.header("authorization").value_or("");
  if (::strncasecmp(header.c_str(), "bearer ", 7) != 0) return std::nullopt;
  return readRegistryToken(tokens, header.substr(7), call.now);
}

RegistryPath pathOf(const Call& call) {
  const auto rest = call.path.find("rest");
  return readRegistryPath(rest == call.path.end() ? "" : rest->second);
}

Reply answer(Database& database, Blobs& blobs, const TokenIssuer& tokens, const Call& call) {
  const auto caller = callerOf(tokens, call);
  Reply reply = caller ? RegistryRequest(database, blobs, call, *caller, pathOf(call)).run()
                       : dockerChallenge(call, "");
  reply.headers.emplace_back("docker-distribution-api-version", "registry/2.0");
  return reply;
}

std::optional<Answer> gate(Database& database, Blobs& blobs, const TokenIssuer& tokens, const Call& call) {
  const auto caller = callerOf(tokens, call);
  auto refused = caller ? RegistryRequest(database, blobs, call, *caller, pathOf(call)).refusedUpload()
                        : dockerChallenge(call, "");
  if (!refused) return std::nullopt;
  refused->headers.emplace_back("docker-distribution-api-version", "registry/2.0");
  return Answer(*std::move(refused));
}

}  // namespace

void addDistribution(Router& open, Database& database, Blobs& blobs, const TokenIssuer& tokens) {
  const auto run = [&database, &blobs, &tokens](const Call& call) -> Answer {
    return answer(database, blobs, tokens, call);
  };
  const auto judge = [&database, &blobs, &tokens](const Call& call) {
    return gate(database, blobs, tokens, call);
  };
  for (const char* method : {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"}) {
    open.add(method, "/v2", "Registry", run);
    open.add(method, "/v2/", "Registry", run);
    open.add(method, "/v2/{*rest}", "Registry", run, {.isUpload = true, .gate = judge});
  }
}

}  // namespace lockstep::rehearsal

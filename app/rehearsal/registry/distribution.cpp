// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <openssl/evp.h>
#include <strings.h>
#include <unistd.h>

#include <memory>

#include "base/digest.h"
#include "base/encoding.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/registry/distribution_path.h"
#include "rehearsal/registry/manifest.h"
#include "rehearsal/registry/registry.h"
#include "rehearsal/registry/registry_store.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

Reply dockerError(int status, const char* code, const std::string& message) {
  Reply reply =
      jsonReply({{"errors", json::array({{{"code", code}, {"message", message}, {"detail", nullptr}}})}});
  reply.status = status;
  return reply;
}

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

Reply challenge(const Call& call, const std::string& scope) {
  Reply reply = dockerError(401, "UNAUTHORIZED", "authentication required");
  reply.headers.emplace_back(
      "www-authenticate",
      fmt::format("Bearer realm=\"{}://{}/20180419/docker/token\",service=\"{}\",scope=\"{}\"",
                  call.request.overTls ? "https" : "http", hostOf(call), hostOf(call), scope));
  return reply;
}

std::optional<std::string> sha256Of(int file, std::uint64_t size) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  std::string buffer(1 << 20, '\0');
  for (std::uint64_t at = 0; at < size;) {
    const ssize_t n = ::pread(file, buffer.data(), std::min<std::uint64_t>(buffer.size(), size - at),
                              static_cast<off_t>(at));
    if (n <= 0) return std::nullopt;
    EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(context.get(), digest, &length);
  return "sha256:" + toHex({reinterpret_cast<const char*>(digest), length});
}

struct LayerUpload {
  std::string id, file;
  std::uint64_t size = 0;
};

/// One request of the distribution protocol, whose caller is known.
class RegistryRequest {
 public:
  RegistryRequest(Database& database, Blobs& blobs, const Call& call, const Principal& caller,
                  const RegistryPath& path)
      : database_(database), blobs_(blobs), call_(call), caller_(caller), path_(path) {}

  Reply run();

 private:
  [[nodiscard]] bool is(const char* method) const { return call_.request.method == method; }
  [[nodiscard]] bool isRead() const { return is("GET") || is("HEAD"); }
  [[nodiscard]] Call asCaller(const char* operation) const {
    return Call{call_.request, operation, caller_, call_.now, call_.path, call_.query, call_.visibility};
  }
  [[nodiscard]] std::string root() const { return "/v2/" + path_.nameSpace + "/" + path_.repository; }

  std::optional<Resource> toPull(Session& session) const;
  std::optional<Resource> toPush(Session& session) const;
  Reply refused() const;

  Reply readBlob();
  Reply beginUpload();
  Reply continueUpload();
  Reply finishUpload();
  Reply describeUpload();
  Reply cancelUpload();
  Reply readManifestOf();
  Reply pushManifest();
  Reply removeManifest();
  Reply listTags();

  std::optional<LayerUpload> findUpload(Session& session, const Resource& repository) const;
  Reply uploadReply(int status, const LayerUpload& upload) const;
  Reply blobReply(const std::string& digest) const;
  bool mount(Session& session, const Resource& repository) const;
  std::optional<Reply> append(LayerUpload& upload) const;

  Database& database_;
  Blobs& blobs_;
  const Call& call_;
  const Principal& caller_;
  const RegistryPath& path_;
};

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
  if (caller_.id.empty()) return challenge(call_, scope);
  return isRead() ? unknownName() : denied();
}

Reply RegistryRequest::blobReply(const std::string& digest) const {
  Reply reply = emptyReply(201);
  reply.headers = {{"location", root() + "/blobs/" + digest}, {"docker-content-digest", digest}};
  return reply;
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

// A layer that the caller may pull elsewhere need not be sent again.
bool RegistryRequest::mount(Session& session, const Resource& repository) const {
  const auto digest = call_.parameter("mount");
  const auto from = call_.parameter("from");
  const std::size_t slash = from ? from->find('/') : std::string::npos;
  if (!digest || !isDigest(*digest) || slash == std::string::npos) return false;
  const auto other = findRepository(session, from->substr(0, slash), from->substr(slash + 1));
  if (!other ||
      !mayIn(session, asCaller("PullImage"), other->compartment, {{"target.repo.name", other->name}}))
    return false;
  auto& copy = session.sql(
      "INSERT OR IGNORE INTO registry_blobs(repo, digest, size, file) SELECT ?1, digest, size, file FROM "
      "registry_blobs WHERE repo = ?2 AND digest = ?3");
  copy.bind(1, repository.id);
  copy.bind(2, other->id);
  copy.bind(3, *digest);
  copy.exec();
  auto& has = session.sql("SELECT 1 FROM registry_blobs WHERE repo = ? AND digest = ?");
  has.bind(1, repository.id);
  has.bind(2, *digest);
  return has.executeStep();
}

Reply RegistryRequest::uploadReply(int status, const LayerUpload& upload) const {
  Reply reply = emptyReply(status);
  reply.headers = {{"location", root() + "/blobs/uploads/" + upload.id},
                   {"range", fmt::format("0-{}", upload.size == 0 ? 0 : upload.size - 1)},
                   {"docker-upload-uuid", upload.id}};
  return reply;
}

Reply RegistryRequest::beginUpload() {
  auto file = blobs_.write({});
  if (!file) return dockerError(500, "UNKNOWN", describe(file.error()));
  const LayerUpload upload{makeUuid(), *file, 0};
  {
    Session session(database_);
    const auto repository = toPush(session);
    const bool isMounted = repository && mount(session, *repository);
    if (!repository || isMounted) {
      if (isMounted) session.commit();
      blobs_.remove(upload.file);
      return isMounted ? blobReply(*call_.parameter("mount")) : refused();
    }
    auto& insert = session.sql(
        "INSERT INTO registry_uploads(id, repo, principal, created, size, file) VALUES(?,?,?,?,0,?)");
    insert.bind(1, upload.id);
    insert.bind(2, repository->id);
    insert.bind(3, caller_.id);
    insert.bind(4, static_cast<int64_t>(toMillis(call_.now)));
    insert.bind(5, upload.file);
    insert.exec();
    session.commit();
  }
  return uploadReply(202, upload);
}

std::optional<LayerUpload> RegistryRequest::findUpload(Session& session, const Resource& repository) const {
  auto& select =
      session.sql("SELECT size, file FROM registry_uploads WHERE id = ? AND repo = ? AND principal = ?");
  select.bind(1, path_.reference);
  select.bind(2, repository.id);
  select.bind(3, caller_.id);
  if (!select.executeStep()) return std::nullopt;
  return LayerUpload{path_.reference, select.getColumn(1).getString(),
                     static_cast<std::uint64_t>(select.getColumn(0).getInt64())};
}

Reply unknownUpload() {
  return dockerError(404, "BLOB_UPLOAD_UNKNOWN", "blob upload unknown to registry");
}

// Bytes go where the row says that the upload ends: what a killed region wrote beyond is written over.
std::optional<Reply> RegistryRequest::append(LayerUpload& upload) const {
  const auto range = call_.header("content-range");
  if (range && !range->starts_with(std::to_string(upload.size) + "-"))
    return dockerError(416, "BLOB_UPLOAD_INVALID", fmt::format("the upload goes on at {}", upload.size));
  if (auto written = blobs_.writeAt(upload.file, upload.size, call_.request.body); !written)
    return dockerError(500, "UNKNOWN", describe(written.error()));
  upload.size += call_.request.body.size();
  return std::nullopt;
}

Reply RegistryRequest::continueUpload() {
  std::optional<LayerUpload> upload;
  {
    Session session(database_);
    const auto repository = toPush(session);
    if (!repository) return refused();
    upload = findUpload(session, *repository);
  }
  if (!upload) return unknownUpload();
  if (auto problem = append(*upload)) return *problem;
  Session session(database_);
  auto& update = session.sql("UPDATE registry_uploads SET size = ? WHERE id = ?");
  update.bind(1, static_cast<int64_t>(upload->size));
  update.bind(2, upload->id);
  update.exec();
  session.commit();
  return uploadReply(202, *upload);
}

Reply RegistryRequest::finishUpload() {
  const std::string digest = call_.parameter("digest").value_or("");
  if (!isDigest(digest)) return dockerError(400, "DIGEST_INVALID", "the parameter digest must be sha256:…");
  std::optional<LayerUpload> upload;
  std::string repo;
  {
    Session session(database_);
    const auto repository = toPush(session);
    if (!repository) return refused();
    repo = repository->id;
    upload = findUpload(session, *repository);
  }
  if (!upload) return unknownUpload();
  if (!call_.request.body.empty())
    if (auto problem = append(*upload)) return *problem;
  const auto file = blobs_.open(upload->file);
  if (!file) return dockerError(500, "UNKNOWN", describe(file.error()));
  if (sha256Of(**file, upload->size) != digest)
    return dockerError(400, "DIGEST_INVALID", "provided digest did not match uploaded content");
  Session session(database_);
  auto& insert =
      session.sql("INSERT OR IGNORE INTO registry_blobs(repo, digest, size, file) VALUES(?,?,?,?)");
  insert.bind(1, repo);
  insert.bind(2, digest);
  insert.bind(3, static_cast<int64_t>(upload->size));
  insert.bind(4, upload->file);
  const bool isNew = insert.exec() > 0;
  auto& remove = session.sql("DELETE FROM registry_uploads WHERE id = ?");
  remove.bind(1, upload->id);
  remove.exec();
  session.commit();
  if (!isNew) blobs_.remove(upload->file);
  return blobReply(digest);
}

Reply RegistryRequest::describeUpload() {
  Session session(database_);
  const auto repository = toPush(session);
  if (!repository) return refused();
  const auto upload = findUpload(session, *repository);
  return upload ? uploadReply(204, *upload) : unknownUpload();
}

Reply RegistryRequest::cancelUpload() {
  Session session(database_);
  const auto repository = toPush(session);
  if (!repository) return refused();
  const auto upload = findUpload(session, *repository);
  if (!upload) return unknownUpload();
  auto& remove = session.sql("DELETE FROM registry_uploads WHERE id = ?");
  remove.bind(1, upload->id);
  remove.exec();
  session.commit();
  blobs_.remove(upload->file);
  return emptyReply(204);
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

Reply RegistryRequest::pushManifest() {
  const std::string mediaType = call_.header("content-type").value_or("");
  const auto references = readManifest(mediaType, call_.request.body);
  if (!references) return dockerError(400, "MANIFEST_INVALID", references.error());
  const std::string digest = "sha256:" + toHex(sha256(call_.request.body));
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
  putManifest(session, asCaller("PushImage"), *repository, {digest, mediaType, call_.request.body},
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
  if (path_.kind == Kind::Ping) return caller_.id.empty() ? challenge(call_, "") : jsonReply(json::object());
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

Reply answer(Database& database, Blobs& blobs, const TokenIssuer& tokens, const Call& call) {
  const auto rest = call.path.find("rest");
  const RegistryPath path = readRegistryPath(rest == call.path.end() ? "" : rest->second);
  const std::string header = call.header("authorization").value_or("");
  const bool isBearer = ::strncasecmp(header.c_str(), "bearer ", 7) == 0;
  const auto caller = isBearer ? readRegistryToken(tokens, header.substr(7), call.now) : std::nullopt;
  Reply reply = caller ? RegistryRequest(database, blobs, call, *caller, path).run() : challenge(call, "");
  reply.headers.emplace_back("docker-distribution-api-version", "registry/2.0");
  return reply;
}

}  // namespace

void addDistribution(Router& open, Database& database, Blobs& blobs, const TokenIssuer& tokens) {
  const auto run = [&database, &blobs, &tokens](const Call& call) -> Answer {
    return answer(database, blobs, tokens, call);
  };
  for (const char* method : {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"}) {
    open.add(method, "/v2", "Registry", run);
    open.add(method, "/v2/", "Registry", run);
    open.add(method, "/v2/{*rest}", "Registry", run);
  }
}

}  // namespace lockstep::rehearsal

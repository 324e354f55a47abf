// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <memory>

#include "base/text/encoding.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/registry/manifest.h"
#include "rehearsal/registry/registry_request.h"

namespace lockstep::rehearsal {
namespace {

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

Response unknownUpload() {
  return dockerError(404, "BLOB_UPLOAD_UNKNOWN", "blob upload unknown to registry");
}

}  // namespace

Response RegistryRequest::blobResponse(const std::string& digest) const {
  Response response = emptyResponse(201);
  response.headers = {{"location", root() + "/blobs/" + digest}, {"docker-content-digest", digest}};
  return response;
}

// A layer that the caller may pull elsewhere need not be sent again.
bool RegistryRequest::mount(Transaction& transaction, const Resource& repository) const {
  const auto digest = call_.parameter("mount");
  const auto from = call_.parameter("from");
  const std::size_t slash = from ? from->find('/') : std::string::npos;
  if (!digest || !isDigest(*digest) || slash == std::string::npos) return false;
  const auto other = findRepository(transaction, from->substr(0, slash), from->substr(slash + 1));
  if (!other ||
      !mayIn(transaction, asCaller("PullImage"), other->compartment, {{"target.repo.name", other->name}}))
    return false;
  auto& copy = transaction.sql(
      "INSERT OR IGNORE INTO registry_blobs(repo, digest, size, file) SELECT ?1, digest, size, file FROM "
      "registry_blobs WHERE repo = ?2 AND digest = ?3");
  copy.bind(1, repository.id);
  copy.bind(2, other->id);
  copy.bind(3, *digest);
  copy.exec();
  auto& has = transaction.sql("SELECT 1 FROM registry_blobs WHERE repo = ? AND digest = ?");
  has.bind(1, repository.id);
  has.bind(2, *digest);
  return has.executeStep();
}

Response RegistryRequest::uploadResponse(int status, const LayerUpload& upload) const {
  Response response = emptyResponse(status);
  response.headers = {{"location", root() + "/blobs/uploads/" + upload.id},
                      {"range", fmt::format("0-{}", upload.size == 0 ? 0 : upload.size - 1)},
                      {"docker-upload-uuid", upload.id}};
  return response;
}

Response RegistryRequest::beginUpload() {
  auto file = blobs_.write({});
  if (!file) return dockerError(500, "UNKNOWN", describe(file.error()));
  const LayerUpload upload{makeUuid(), *file, 0};
  {
    Transaction transaction(database_);
    const auto repository = toPush(transaction);
    const bool isMounted = repository && mount(transaction, *repository);
    if (!repository || isMounted) {
      if (isMounted) transaction.commit();
      blobs_.remove(upload.file);
      return isMounted ? blobResponse(*call_.parameter("mount")) : refused();
    }
    auto& insert = transaction.sql(
        "INSERT INTO registry_uploads(id, repo, principal, created, size, file) VALUES(?,?,?,?,0,?)");
    insert.bind(1, upload.id);
    insert.bind(2, repository->id);
    insert.bind(3, caller_.id);
    insert.bind(4, static_cast<int64_t>(toMillis(call_.now)));
    insert.bind(5, upload.file);
    insert.exec();
    transaction.commit();
  }
  return uploadResponse(202, upload);
}

std::optional<LayerUpload> RegistryRequest::findUpload(Transaction& transaction,
                                                       const Resource& repository) const {
  auto& select =
      transaction.sql("SELECT size, file FROM registry_uploads WHERE id = ? AND repo = ? AND principal = ?");
  select.bind(1, path_.reference);
  select.bind(2, repository.id);
  select.bind(3, caller_.id);
  if (!select.executeStep()) return std::nullopt;
  return LayerUpload{path_.reference, select.getColumn(1).getString(),
                     static_cast<std::uint64_t>(select.getColumn(0).getInt64())};
}

// Bytes go where the row says that the upload ends: what a killed region wrote beyond is written over.
std::optional<Response> RegistryRequest::append(LayerUpload& upload) const {
  const auto range = call_.header("content-range");
  if (range && !range->starts_with(std::to_string(upload.size) + "-"))
    return dockerError(416, "BLOB_UPLOAD_INVALID", fmt::format("the upload goes on at {}", upload.size));
  if (auto written = blobs_.writeAt(upload.file, upload.size, call_.request.bytes()); !written)
    return dockerError(500, "UNKNOWN", describe(written.error()));
  upload.size += call_.request.bytes().size();
  return std::nullopt;
}

Response RegistryRequest::continueUpload() {
  std::optional<LayerUpload> upload;
  {
    Transaction transaction(database_);
    const auto repository = toPush(transaction);
    if (!repository) return refused();
    upload = findUpload(transaction, *repository);
  }
  if (!upload) return unknownUpload();
  if (auto problem = append(*upload)) return *problem;
  Transaction transaction(database_);
  auto& update = transaction.sql("UPDATE registry_uploads SET size = ? WHERE id = ?");
  update.bind(1, static_cast<int64_t>(upload->size));
  update.bind(2, upload->id);
  update.exec();
  transaction.commit();
  return uploadResponse(202, *upload);
}

Response RegistryRequest::finishUpload() {
  const std::string digest = call_.parameter("digest").value_or("");
  if (!isDigest(digest)) return dockerError(400, "DIGEST_INVALID", "the parameter digest must be sha256:…");
  std::optional<LayerUpload> upload;
  std::string repo;
  {
    Transaction transaction(database_);
    const auto repository = toPush(transaction);
    if (!repository) return refused();
    repo = repository->id;
    upload = findUpload(transaction, *repository);
  }
  if (!upload) return unknownUpload();
  if (!call_.request.bytes().empty())
    if (auto problem = append(*upload)) return *problem;
  const auto file = blobs_.open(upload->file);
  if (!file) return dockerError(500, "UNKNOWN", describe(file.error()));
  if (sha256Of(**file, upload->size) != digest)
    return dockerError(400, "DIGEST_INVALID", "provided digest did not match uploaded content");
  Transaction transaction(database_);
  auto& insert =
      transaction.sql("INSERT OR IGNORE INTO registry_blobs(repo, digest, size, file) VALUES(?,?,?,?)");
  insert.bind(1, repo);
  insert.bind(2, digest);
  insert.bind(3, static_cast<int64_t>(upload->size));
  insert.bind(4, upload->file);
  const bool isNew = insert.exec() > 0;
  auto& remove = transaction.sql("DELETE FROM registry_uploads WHERE id = ?");
  remove.bind(1, upload->id);
  remove.exec();
  transaction.commit();
  if (!isNew) blobs_.remove(upload->file);
  return blobResponse(digest);
}

Response RegistryRequest::describeUpload() {
  Transaction transaction(database_);
  const auto repository = toPush(transaction);
  if (!repository) return refused();
  const auto upload = findUpload(transaction, *repository);
  return upload ? uploadResponse(204, *upload) : unknownUpload();
}

Response RegistryRequest::cancelUpload() {
  Transaction transaction(database_);
  const auto repository = toPush(transaction);
  if (!repository) return refused();
  const auto upload = findUpload(transaction, *repository);
  if (!upload) return unknownUpload();
  auto& remove = transaction.sql("DELETE FROM registry_uploads WHERE id = ?");
  remove.bind(1, upload->id);
  remove.exec();
  transaction.commit();
  blobs_.remove(upload->file);
  return emptyResponse(204);
}

}  // namespace lockstep::rehearsal

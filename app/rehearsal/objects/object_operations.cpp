// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/objects/checksums.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/byte_range.h"

namespace lockstep::rehearsal {
namespace {

Response describeObject(const StoredObject& o, const Call& call) {
  Response response;
  for (const auto& [name, value] : o.headers.items()) {
    if (name == "content-type") {
      response.contentType = value.get<std::string>();
    } else if (name != kVersionHeader) {
      response.headers.emplace_back(name, value.get<std::string>());
    }
  }
  response.headers.emplace_back(kVersionHeader, versionOf(o));
  if (const auto type = call.parameter("httpResponseContentType")) response.contentType = *type;
  if (const auto place = call.parameter("httpResponseContentDisposition"))
    response.headers.emplace_back("content-disposition", *place);
  response.headers.emplace_back("etag", o.etag);
  if (!o.md5.empty()) response.headers.emplace_back("content-md5", o.md5);
  if (!o.multipartMd5.empty()) response.headers.emplace_back("opc-multipart-md5", o.multipartMd5);
  response.headers.emplace_back("last-modified", httpDate(o.modified));
  response.headers.emplace_back("accept-ranges", "bytes");
  return response;
}

}  // namespace

OperationResult readObject(Database& database, Blobs& blobs, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const auto found = findVersion(transaction, call, *bucket, call.path.at("o"));
  if (!found) return tl::unexpected(objectNotFound(call.path.at("o"), bucket->name));
  const StoredObject* object = &found->object;
  if (const auto match = call.header("if-match"); match && *match != object->etag && *match != "*")
    return refuse(412, "IfMatchFailed", "The if-match header does not match the etag of the object");
  Response response = describeObject(*object, call);
  const auto noneMatch = call.header("if-none-match");
  if (noneMatch && (*noneMatch == object->etag || *noneMatch == "*")) {
    response.status = 304;
    return response;
  }
  const auto piece = rangeOf(call.header("range"), object->size);
  if (!piece) return invalidRange(object->size);
  if (piece->partial) {
    response.status = 206;
    response.headers.emplace_back("content-range", contentRange(*piece, object->size));
  }
  ByteSource source;
  source.length = piece->length;
  if (object->file.empty()) {
    if (call.request.method != "HEAD")
      source.bytes = inlineBytes(transaction, *found).substr(piece->first, piece->length);
  } else {
    // Opened while the row is locked: a later put may unlink the file, the descriptor keeps its bytes.
    auto file = blobs.open(object->file);
    if (!file) return refuse(500, "InternalServerError", describe(file.error()));
    source.file = *file;
    source.offset = piece->first;
  }
  response.source = std::move(source);
  return response;
}

OperationResult putObject(Database& database, Blobs& blobs, const Call& call) {
  const std::string& name = call.path.at("o");
  if (auto error = checkObjectName(name)) return tl::unexpected(*error);
  auto digest = checkedMd5(call);
  if (!digest) return tl::unexpected(digest.error());
  StoredObject object;
  object.name = name;
  object.etag = makeUuid();
  object.md5 = *digest;
  object.size = call.request.bytes().size();
  object.created = object.modified = toMillis(call.now);
  object.headers = storedHeaders(call.request.headers);
  const auto sums = checkedSums(call);
  if (!sums) return tl::unexpected(sums.error());
  object.headers.update(*sums);
  if (object.size > Blobs::kInlineLimit) {
    auto file = blobs.keepBody(call.request);
    if (!file) return refuse(500, "InternalServerError", describe(file.error()));
    object.file = *file;
  }
  std::string unused = object.file;
  OperationResult result = [&]() -> OperationResult {
    Transaction transaction(database);
    const auto bucket = visibleBucket(transaction, call);
    if (!bucket) return tl::unexpected(bucket.error());
    object.bucket = bucket->seq;
    if (auto error = checkUploadConditions(call, findObject(transaction, bucket->seq, name)))
      return tl::unexpected(*error);
    const std::string replaced = putVersion(transaction, *bucket, object, call.request.bytes());
    transaction.commit();
    unused = replaced;
    Response response = emptyResponse(200);
    response.headers = {
        {"etag", object.etag}, {"opc-content-md5", object.md5}, {"last-modified", httpDate(object.modified)}};
    for (const auto& [sum, value] : sums->items())
      response.headers.emplace_back(sum, value.get<std::string>());
    response.headers.emplace_back(kVersionHeader, versionOf(object));
    return response;
  }();
  blobs.remove(unused);
  return result;
}

namespace {

OperationResult removed(const RemovedVersion& version, long long modified) {
  Response response = emptyResponse(204);
  response.headers.emplace_back("last-modified", httpDate(modified));
  if (!version.version.empty()) response.headers.emplace_back(kVersionHeader, version.version);
  if (version.isMarker) response.headers.emplace_back("is-delete-marker", "true");
  return response;
}

OperationResult deleteVersion(Transaction& transaction, Blobs& blobs, const Bucket& bucket,
                              const Call& call) {
  const std::string& name = call.path.at("o");
  const auto version = removeVersion(transaction, bucket, name, *call.parameter("versionId"));
  if (!version) return tl::unexpected(objectNotFound(name, bucket.name));
  transaction.commit();
  blobs.remove(version->freeFile);
  return removed(*version, toMillis(call.now));
}

OperationResult deleteObject(Database& database, Blobs& blobs, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (call.parameter("versionId")) return deleteVersion(transaction, blobs, *bucket, call);
  const auto object = findObject(transaction, bucket->seq, call.path.at("o"));
  if (!object) return tl::unexpected(objectNotFound(call.path.at("o"), bucket->name));
  if (const auto match = call.header("if-match"); match && *match != object->etag && *match != "*")
    return refuse(412, "IfMatchFailed", "The if-match header does not match the etag of the object");
  const RemovedVersion version = removeCurrent(transaction, *bucket, *object, toMillis(call.now));
  transaction.commit();
  blobs.remove(version.freeFile);
  return removed(version, object->modified);
}

std::optional<ServiceError> checkRename(BodyReader& body, const StoredObject& source,
                                        const std::optional<StoredObject>& target) {
  const auto sourceTag = body.optionalText("srcObjIfMatchETag");
  const auto targetTag = body.optionalText("newObjIfMatchETag");
  const auto noTarget = body.optionalText("newObjIfNoneMatchETag");
  if (sourceTag && *sourceTag != source.etag)
    return ServiceError{412, "IfMatchFailed", "srcObjIfMatchETag does not match the etag of the object"};
  if (targetTag && (!target || *targetTag != target->etag))
    return ServiceError{412, "IfMatchFailed", "newObjIfMatchETag does not match the etag of the object"};
  if (noTarget && target)
    return ServiceError{412, "IfNoneMatchFailed", "An object of the new name already exists"};
  return std::nullopt;
}

OperationResult renameObject(Database& database, Blobs& blobs, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string from = body.text("sourceName", 1024);
  const std::string to = body.text("newName", 1024);
  if (body.error()) return tl::unexpected(*body.error());
  if (auto error = checkObjectName(to)) return tl::unexpected(*error);
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  auto object = findObject(transaction, bucket->seq, from);
  if (!object) return tl::unexpected(objectNotFound(from, bucket->name));
  if (auto error = checkRename(body, *object, findObject(transaction, bucket->seq, to)))
    return tl::unexpected(*error);
  const std::string bytes = object->file.empty() ? inlineBytes(transaction, bucket->seq, from) : "";
  object->name = to;
  object->etag = makeUuid();
  object->modified = toMillis(call.now);
  std::string replaced;
  if (from != to) {
    // The bytes move: what stands under the old name goes, whatever the bucket keeps of others.
    removeObject(transaction, bucket->seq, from);
    replaced = putVersion(transaction, *bucket, *object, bytes);
  }
  transaction.commit();
  blobs.remove(replaced);
  Response response = emptyResponse(200);
  response.headers = {{"etag", object->etag}, {"last-modified", httpDate(object->modified)}};
  response.headers.emplace_back(kVersionHeader, versionOf(*object));
  return response;
}

}  // namespace

void addObjectOperations(Router& router, Database& database, Blobs& blobs) {
  const std::string path = "/n/{ns}/b/{b}/o/{*o}";
  const auto read = [&](const Call& call) { return readObject(database, blobs, call); };
  router.add("GET", path, "GetObject", read);
  router.add("HEAD", path, "HeadObject", read);
  router.add("PUT", path, "PutObject", [&](const Call& call) { return putObject(database, blobs, call); },
             {.isUpload = true});
  router.add("DELETE", path, "DeleteObject",
             [&](const Call& call) { return deleteObject(database, blobs, call); });
  router.add("POST", "/n/{ns}/b/{b}/actions/renameObject", "RenameObject",
             [&](const Call& call) { return renameObject(database, blobs, call); });
}

}  // namespace lockstep::rehearsal

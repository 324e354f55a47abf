// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/body_reader.h"
#include "rehearsal/front/byte_range.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/objects/checksums.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/versions.h"

namespace lockstep::rehearsal {
namespace {

Reply describeObject(const StoredObject& o, const Call& call) {
  Reply reply;
  for (const auto& [name, value] : o.headers.items()) {
    if (name == "content-type") {
      reply.contentType = value.get<std::string>();
    } else if (name != kVersionHeader) {
      reply.headers.emplace_back(name, value.get<std::string>());
    }
  }
  reply.headers.emplace_back(kVersionHeader, versionOf(o));
  if (const auto type = call.parameter("httpResponseContentType")) reply.contentType = *type;
  if (const auto place = call.parameter("httpResponseContentDisposition"))
    reply.headers.emplace_back("content-disposition", *place);
  reply.headers.emplace_back("etag", o.etag);
  if (!o.md5.empty()) reply.headers.emplace_back("content-md5", o.md5);
  if (!o.multipartMd5.empty()) reply.headers.emplace_back("opc-multipart-md5", o.multipartMd5);
  reply.headers.emplace_back("last-modified", httpDate(o.modified));
  reply.headers.emplace_back("accept-ranges", "bytes");
  return reply;
}

}  // namespace

Answer readObject(Database& database, Blobs& blobs, const Call& call) {
  Session session(database);
  const auto bucket = visibleBucket(session, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const auto found = findVersion(session, call, *bucket, call.path.at("o"));
  if (!found) return tl::unexpected(objectNotFound(call.path.at("o"), bucket->name));
  const StoredObject* object = &found->object;
  if (const auto match = call.header("if-match"); match && *match != object->etag && *match != "*")
    return refuse(412, "IfMatchFailed", "The if-match header does not match the etag of the object");
  Reply reply = describeObject(*object, call);
  const auto noneMatch = call.header("if-none-match");
  if (noneMatch && (*noneMatch == object->etag || *noneMatch == "*")) {
    reply.status = 304;
    return reply;
  }
  const auto piece = rangeOf(call.header("range"), object->size);
  if (!piece) return invalidRange(object->size);
  if (piece->partial) {
    reply.status = 206;
    reply.headers.emplace_back("content-range", contentRange(*piece, object->size));
  }
  ByteSource source;
  source.length = piece->length;
  if (object->file.empty()) {
    if (call.request.method != "HEAD")
      source.bytes = inlineBytes(session, *found).substr(piece->first, piece->length);
  } else {
    // Opened while the row is locked: a later put may unlink the file, the descriptor keeps its bytes.
    auto file = blobs.open(object->file);
    if (!file) return refuse(500, "InternalServerError", describe(file.error()));
    source.file = *file;
    source.offset = piece->first;
  }
  reply.source = std::move(source);
  return reply;
}

Answer putObject(Database& database, Blobs& blobs, const Call& call) {
  const std::string& name = call.path.at("o");
  if (auto refusal = checkObjectName(name)) return tl::unexpected(*refusal);
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
  Answer answer = [&]() -> Answer {
    Session session(database);
    const auto bucket = visibleBucket(session, call);
    if (!bucket) return tl::unexpected(bucket.error());
    object.bucket = bucket->seq;
    if (auto refusal = checkUploadConditions(call, findObject(session, bucket->seq, name)))
      return tl::unexpected(*refusal);
    const std::string replaced = putVersion(session, *bucket, object, call.request.bytes());
    session.commit();
    unused = replaced;
    Reply reply = emptyReply(200);
    reply.headers = {
        {"etag", object.etag}, {"opc-content-md5", object.md5}, {"last-modified", httpDate(object.modified)}};
    for (const auto& [sum, value] : sums->items()) reply.headers.emplace_back(sum, value.get<std::string>());
    reply.headers.emplace_back(kVersionHeader, versionOf(object));
    return reply;
  }();
  blobs.remove(unused);
  return answer;
}

namespace {

Answer removed(const RemovedVersion& version, long long modified) {
  Reply reply = emptyReply(204);
  reply.headers.emplace_back("last-modified", httpDate(modified));
  if (!version.version.empty()) reply.headers.emplace_back(kVersionHeader, version.version);
  if (version.isMarker) reply.headers.emplace_back("is-delete-marker", "true");
  return reply;
}

Answer deleteVersion(Session& session, Blobs& blobs, const Bucket& bucket, const Call& call) {
  const std::string& name = call.path.at("o");
  const auto version = removeVersion(session, bucket, name, *call.parameter("versionId"));
  if (!version) return tl::unexpected(objectNotFound(name, bucket.name));
  session.commit();
  blobs.remove(version->freeFile);
  return removed(*version, toMillis(call.now));
}

Answer deleteObject(Database& database, Blobs& blobs, const Call& call) {
  Session session(database);
  const auto bucket = visibleBucket(session, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (call.parameter("versionId")) return deleteVersion(session, blobs, *bucket, call);
  const auto object = findObject(session, bucket->seq, call.path.at("o"));
  if (!object) return tl::unexpected(objectNotFound(call.path.at("o"), bucket->name));
  if (const auto match = call.header("if-match"); match && *match != object->etag && *match != "*")
    return refuse(412, "IfMatchFailed", "The if-match header does not match the etag of the object");
  const RemovedVersion version = removeCurrent(session, *bucket, *object, toMillis(call.now));
  session.commit();
  blobs.remove(version.freeFile);
  return removed(version, object->modified);
}

std::optional<Refusal> checkRename(BodyReader& body, const StoredObject& source,
                                   const std::optional<StoredObject>& target) {
  const auto sourceTag = body.optionalText("srcObjIfMatchETag");
  const auto targetTag = body.optionalText("newObjIfMatchETag");
  const auto noTarget = body.optionalText("newObjIfNoneMatchETag");
  if (sourceTag && *sourceTag != source.etag)
    return Refusal{412, "IfMatchFailed", "srcObjIfMatchETag does not match the etag of the object"};
  if (targetTag && (!target || *targetTag != target->etag))
    return Refusal{412, "IfMatchFailed", "newObjIfMatchETag does not match the etag of the object"};
  if (noTarget && target)
    return Refusal{412, "IfNoneMatchFailed", "An object of the new name already exists"};
  return std::nullopt;
}

Answer renameObject(Database& database, Blobs& blobs, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string from = body.text("sourceName", 1024);
  const std::string to = body.text("newName", 1024);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  if (auto refusal = checkObjectName(to)) return tl::unexpected(*refusal);
  Session session(database);
  const auto bucket = visibleBucket(session, call);
  if (!bucket) return tl::unexpected(bucket.error());
  auto object = findObject(session, bucket->seq, from);
  if (!object) return tl::unexpected(objectNotFound(from, bucket->name));
  if (auto refusal = checkRename(body, *object, findObject(session, bucket->seq, to)))
    return tl::unexpected(*refusal);
  const std::string bytes = object->file.empty() ? inlineBytes(session, bucket->seq, from) : "";
  object->name = to;
  object->etag = makeUuid();
  object->modified = toMillis(call.now);
  std::string replaced;
  if (from != to) {
    // The bytes move: what stands under the old name goes, whatever the bucket keeps of others.
    removeObject(session, bucket->seq, from);
    replaced = putVersion(session, *bucket, *object, bytes);
  }
  session.commit();
  blobs.remove(replaced);
  Reply reply = emptyReply(200);
  reply.headers = {{"etag", object->etag}, {"last-modified", httpDate(object->modified)}};
  reply.headers.emplace_back(kVersionHeader, versionOf(*object));
  return reply;
}

}  // namespace

void addObjectOperations(Router& router, Database& database, Blobs& blobs) {
  const std::string path = "/n/{ns}/b/{b}/o/{*o}";
  const auto read = [&](const Call& call) { return readObject(database, blobs, call); };
  router.add("GET", path, "GetObject", read);
  router.add("HEAD", path, "HeadObject", read);
  router.add(
      "PUT", path, "PutObject", [&](const Call& call) { return putObject(database, blobs, call); },
      {.isUpload = true});
  router.add("DELETE", path, "DeleteObject",
             [&](const Call& call) { return deleteObject(database, blobs, call); });
  router.add("POST", "/n/{ns}/b/{b}/actions/renameObject", "RenameObject",
             [&](const Call& call) { return renameObject(database, blobs, call); });
}

}  // namespace lockstep::rehearsal

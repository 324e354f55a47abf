// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/api/service_hosts.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/work_requests.h"

namespace lockstep::rehearsal {
namespace {

struct Copying {
  std::string source, nameSpace, bucket, target;
  std::optional<std::string> sourceVersion, sourceTag, targetTag, noTarget;
  nlohmann::json headers = nlohmann::json::object();  // that the copy has instead of the source's
  bool newMetadata = false;
};

tl::expected<Copying, ServiceError> readCopying(const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  Copying copying;
  copying.source = body.text("sourceObjectName", 1024);
  const std::string region = body.text("destinationRegion");
  copying.nameSpace = body.text("destinationNamespace");
  copying.bucket = body.text("destinationBucket");
  copying.target = body.text("destinationObjectName", 1024);
  copying.sourceVersion = body.optionalText("sourceVersionId");
  copying.sourceTag = body.optionalText("sourceObjectIfMatchETag");
  copying.targetTag = body.optionalText("destinationObjectIfMatchETag");
  copying.noTarget = body.optionalText("destinationObjectIfNoneMatchETag");
  if (const auto tier = body.optionalText("destinationObjectStorageTier"))
    copying.headers["storage-tier"] = *tier;
  copying.newMetadata = body.has("destinationObjectMetadata");
  const nlohmann::json metadata = body.textMap("destinationObjectMetadata");
  for (const auto& [name, value] : metadata.items())
    copying.headers[(name.starts_with("opc-meta-") ? "" : "opc-meta-") + name] = value;
  if (!region.empty() && region != kRegionName)
    body.invalid("destinationRegion", std::string("must be ") + kRegionName + ", the only region here");
  if (body.error()) return tl::unexpected(*body.error());
  if (auto error = checkObjectName(copying.target)) return tl::unexpected(*error);
  return copying;
}

std::optional<ServiceError> checkTags(const Copying& copying, const StoredObject& source,
                                      const std::optional<StoredObject>& target) {
  if (copying.sourceTag && *copying.sourceTag != source.etag)
    return ServiceError{412, "IfMatchFailed",
                        "sourceObjectIfMatchETag does not match the etag of the object"};
  if (copying.targetTag && (!target || *copying.targetTag != target->etag))
    return ServiceError{412, "IfMatchFailed",
                        "destinationObjectIfMatchETag does not match the etag of the object"};
  if (copying.noTarget && target)
    return ServiceError{412, "IfNoneMatchFailed", "An object of the new name already exists"};
  return std::nullopt;
}

// The source under its own call, which versionId and names are taken from.
Call sourceCall(const Call& call, const Copying& copying) {
  Call source{call.request, call.operation, call.principal, call.now, call.path, call.query, call.visibility};
  source.path["o"] = copying.source;
  source.query.erase("versionId");
  if (copying.sourceVersion) source.query["versionId"] = *copying.sourceVersion;
  return source;
}

Call targetCall(const Call& call, const Copying& copying) {
  Call target{call.request, call.operation, call.principal, call.now, call.path, {}, call.visibility};
  target.path["ns"] = copying.nameSpace;
  target.path["b"] = copying.bucket;
  target.path["o"] = copying.target;
  return target;
}

// The service copies in the background, in its own name (Copying Objects, Service Permissions).
std::optional<ServiceError> checkService(Transaction& transaction, const Call& call, const Bucket& bucket) {
  Call asked = call;
  asked.principal = {Principal::Kind::Service, std::string("objectstorage-") + kRegionName,
                     call.principal.tenancyId, ""};
  asked.path["b"] = bucket.name;
  if (mayIn(transaction, asked, bucket.compartment)) return std::nullopt;
  return ServiceError{400, "InsufficientServicePermissions",
                      "Permissions granted to the object storage service principal \"" + asked.principal.id +
                          "\" to this bucket are insufficient"};
}

StoredObject copyOf(const StoredObject& source, const Copying& copying, long long bucket, long long now) {
  StoredObject copy = source;
  copy.bucket = bucket;
  copy.name = copying.target;
  copy.etag = makeUuid();
  copy.created = copy.modified = now;
  copy.file.clear();
  for (auto header = copy.headers.begin(); copying.newMetadata && header != copy.headers.end();)
    header = header.key().starts_with("opc-meta-") ? copy.headers.erase(header) : std::next(header);
  copy.headers.update(copying.headers);
  return copy;
}

// Done when it is answered; the work request is for those who wait for it (oci-rest-contract 4.3.1).
OperationResult copyObject(Database& database, Blobs& blobs, const Call& call) {
  const auto copying = readCopying(call);
  if (!copying) return tl::unexpected(copying.error());
  Transaction transaction(database);
  const Call from = sourceCall(call, *copying), to = targetCall(call, *copying);
  const auto sourceBucket = visibleBucket(transaction, from);
  if (!sourceBucket) return tl::unexpected(sourceBucket.error());
  const auto targetBucket = visibleBucket(transaction, to);
  if (!targetBucket) return tl::unexpected(targetBucket.error());
  for (const Bucket* bucket : {&*sourceBucket, &*targetBucket})
    if (auto error = checkService(transaction, call, *bucket)) return tl::unexpected(*error);
  const auto found = findVersion(transaction, from, *sourceBucket, copying->source);
  if (!found) return tl::unexpected(objectNotFound(copying->source, sourceBucket->name));
  if (auto error =
          checkTags(*copying, found->object, findObject(transaction, targetBucket->seq, copying->target)))
    return tl::unexpected(*error);
  StoredObject copy = copyOf(found->object, *copying, targetBucket->seq, toMillis(call.now));
  std::string bytes;
  if (found->object.file.empty()) {
    bytes = inlineBytes(transaction, *found);
  } else {
    auto file = blobs.join({found->object.file});
    if (!file) return refuse(500, "InternalServerError", describe(file.error()));
    copy.file = *file;
  }
  const std::string replaced = putVersion(transaction, *targetBucket, copy, bytes);
  const std::string place = "/n/" + targetBucket->nameSpace + "/b/" + targetBucket->name;
  Response response = emptyResponse(202);
  response.headers.emplace_back(
      "opc-work-request-id", addWorkRequest(transaction,
                                            {"objectstorage",
                                             "COPY_OBJECT",
                                             targetBucket->compartment,
                                             {{"object", "WRITTEN", place + "/o/" + copying->target, place}}},
                                            call.now));
  transaction.commit();
  blobs.remove(replaced);
  return response;
}

}  // namespace

void addCopyObject(Router& router, Database& database, Blobs& blobs) {
  router.add("POST", "/n/{ns}/b/{b}/actions/copyObject", "CopyObject",
             [&](const Call& call) { return copyObject(database, blobs, call); });
}

}  // namespace lockstep::rehearsal

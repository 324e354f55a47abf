// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "rehearsal/api/router.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/database.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// Object bytes stand last in their row, so that listings never read them.
inline constexpr const char* kObjectsSchema = R"sql(
CREATE TABLE IF NOT EXISTS buckets(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL, name TEXT NOT NULL, compartment TEXT NOT NULL,
  created INTEGER NOT NULL, etag TEXT NOT NULL, body TEXT NOT NULL, UNIQUE(namespace, name));
CREATE TABLE IF NOT EXISTS objects(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
  etag TEXT NOT NULL, md5 TEXT NOT NULL, multipart_md5 TEXT NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
  headers TEXT NOT NULL, file TEXT NOT NULL, bytes BLOB, UNIQUE(bucket, name));
CREATE TABLE IF NOT EXISTS uploads(
  id TEXT PRIMARY KEY, bucket INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, headers TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS upload_parts(
  upload TEXT NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, md5 TEXT NOT NULL,
  file TEXT NOT NULL, PRIMARY KEY(upload, number)) WITHOUT ROWID;
)sql";

struct Bucket {
  long long seq = 0;
  std::string nameSpace, name, compartment, etag;
  long long created = 0;
  nlohmann::json body;
};

struct StoredObject {
  long long bucket = 0;
  std::string name, etag, md5, multipartMd5;  // md5s in base64; exactly one of the two is set
  std::uint64_t size = 0;
  long long created = 0, modified = 0;
  nlohmann::json headers;  // response headers to give back, and opc-meta-*
  std::string file;        // of Blobs; empty: the bytes stand in the row
};

/// Whether the caller may put the object {o} into the bucket {b} of that compartment. A new object needs OBJECT_CREATE
/// and one that is replaced OBJECT_OVERWRITE, so the object is looked for when the caller does not have both.
bool mayPut(Transaction& transaction, const Call& call, const std::string& compartmentId,
            const TargetFacts& facts);
/// The bucket of {ns} and {b} in the path, or 404 BucketNotFound. The policies are asked with the names of
/// the bucket and of the object, {o}, if there is one.
tl::expected<Bucket, ServiceError> visibleBucket(Transaction& transaction, const Call& call);
std::optional<Bucket> findBucket(Transaction& transaction, const std::string& nameSpace,
                                 const std::string& name);

std::optional<StoredObject> findObject(Transaction& transaction, long long bucket, const std::string& name);
/// Replaces an object of the same name; returns the file that is free now, if any.
std::string saveObject(Transaction& transaction, const StoredObject& object, std::string_view inlineBytes);
void removeObject(Transaction& transaction, long long bucket, const std::string& name);
std::string inlineBytes(Transaction& transaction, long long bucket, const std::string& name);

/// The headers of an upload that its reads give back.
nlohmann::json storedHeaders(const Headers& headers);
/// What both PutObject and UploadPart check: Content-MD5. Returns the MD5 in base64.
tl::expected<std::string, ServiceError> checkedMd5(const Call& call);
std::optional<ServiceError> checkObjectName(const std::string& name);
/// if-match and if-none-match of an upload.
std::optional<ServiceError> checkUploadConditions(const Call& call,
                                                  const std::optional<StoredObject>& existing);
ServiceError objectNotFound(const std::string& object, const std::string& bucket);

/// Object Storage (oci-rest-contract 4.3), one set of operations each.
void addBucketOperations(Router& router, Database& database);
void addObjectOperations(Router& router, Database& database, Blobs& blobs);
void addCopyObject(Router& router, Database& database, Blobs& blobs);
void addListObjects(Router& router, Database& database);
void addPreauthenticatedRequests(Router& router, Database& database);
/// What needs no signature: the links of preauthenticated requests, reads of public buckets.
void addOpenObjects(Router& open, Database& database, Blobs& blobs);
/// Every file of Blobs that a row names.
void collectObjectFiles(Transaction& transaction, std::set<std::string>& files);

/// The operations that links lead to as well.
OperationResult readObject(Database& database, Blobs& blobs, const Call& call);
OperationResult putObject(Database& database, Blobs& blobs, const Call& call);
OperationResult listObjects(Database& database, const Call& call);
void addMultipartOperations(Router& router, Database& database, Blobs& blobs);

}  // namespace lockstep::rehearsal

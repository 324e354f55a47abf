// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "rehearsal/front/router.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/database.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

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

/// The namespace of the caller's tenancy.
std::string namespaceOf(Session& session, const Principal& principal);
/// The bucket of {ns} and {b} in the path, or 404 BucketNotFound. The policies are asked with the names of
/// the bucket and of the object, {o}, if there is one.
tl::expected<Bucket, Refusal> visibleBucket(Session& session, const Call& call);
std::optional<Bucket> findBucket(Session& session, const std::string& nameSpace, const std::string& name);

std::optional<StoredObject> findObject(Session& session, long long bucket, const std::string& name);
/// Replaces an object of the same name; returns the file that is free now, if any.
std::string saveObject(Session& session, const StoredObject& object, std::string_view inlineBytes);
void removeObject(Session& session, long long bucket, const std::string& name);
std::string inlineBytes(Session& session, long long bucket, const std::string& name);

/// The headers of an upload that its reads give back.
nlohmann::json storedHeaders(const Headers& headers);
/// What both PutObject and UploadPart check: Content-MD5. Returns the MD5 in base64.
tl::expected<std::string, Refusal> checkedMd5(const Call& call);
std::optional<Refusal> checkObjectName(const std::string& name);
/// if-match and if-none-match of an upload.
std::optional<Refusal> checkUploadConditions(const Call& call, const std::optional<StoredObject>& existing);
Refusal objectNotFound(const std::string& object, const std::string& bucket);
/// RFC 1123, as last-modified has it.
std::string httpDate(long long millis);

/// Object Storage (oci-rest-contract 4.3), one set of operations each.
void addBucketOperations(Router& router, Database& database);
void addObjectOperations(Router& router, Database& database, Blobs& blobs);
void addCopyObject(Router& router, Database& database, Blobs& blobs);
void addListObjects(Router& router, Database& database);
void addPreauthenticatedRequests(Router& router, Database& database);
/// What needs no signature: the links of preauthenticated requests, reads of public buckets.
void addOpenObjects(Router& open, Database& database, Blobs& blobs);
/// Every file of Blobs that a row names.
void collectObjectFiles(Session& session, std::set<std::string>& files);

/// The operations that links lead to as well.
Answer readObject(Database& database, Blobs& blobs, const Call& call);
Answer putObject(Database& database, Blobs& blobs, const Call& call);
Answer listObjects(Database& database, const Call& call);
void addMultipartOperations(Router& router, Database& database, Blobs& blobs);

}  // namespace lockstep::rehearsal

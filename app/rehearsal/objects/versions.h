// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/objects/object_store.h"

namespace lockstep::rehearsal {

/// What a versioned bucket keeps besides the current objects: replaced and deleted versions, and delete
/// markers. The current version stands in `objects`, its version id among its headers where the
/// bucket keeps versions. Bytes stand last.
constexpr const char* kObjectVersionsSchema = R"sql(
CREATE TABLE IF NOT EXISTS object_versions(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
  marker INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, md5 TEXT NOT NULL, multipart_md5 TEXT NOT NULL,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, headers TEXT NOT NULL, file TEXT NOT NULL, bytes BLOB,
  UNIQUE(bucket, name, version));
)sql";

inline constexpr const char* kVersionHeader = "version-id";

/// What every answer about an object gives its version as. Where the bucket keeps no versions it is the etag,
/// a UUID that is new with each write as well (oci-rest-contract 4.3.2).
[[nodiscard]] std::string versionOf(const StoredObject& object);

/// Where an object's bytes are: the current row or an earlier version's.
struct FoundVersion {
  StoredObject object;
  long long row = 0;  // of object_versions; 0: the current one
};

/// The current version, or the one of the parameter versionId. A delete marker is none.
std::optional<FoundVersion> findVersion(Transaction& transaction, const Call& call, const Bucket& bucket,
                                        const std::string& name);
std::string inlineBytes(Transaction& transaction, const FoundVersion& found);

/// Writes an object, under a version id where the bucket wants one (it is set in `object`), and returns the
/// file that is free now, if any.
std::string putVersion(Transaction& transaction, const Bucket& bucket, StoredObject& object,
                       std::string_view inlineBytes);

struct RemovedVersion {
  std::string freeFile;
  std::string version;  // of what was removed or of the marker
  bool isMarker = false;
};
/// Without a version: the object, which a versioned bucket keeps under a delete marker. With one: that
/// version for good; the version before it is the current one then.
RemovedVersion removeCurrent(Transaction& transaction, const Bucket& bucket, const StoredObject& object,
                             long long now);
std::optional<RemovedVersion> removeVersion(Transaction& transaction, const Bucket& bucket,
                                            const std::string& name, const std::string& version);
bool hasVersions(Transaction& transaction, const Bucket& bucket);

void addObjectVersions(Router& router, Database& database);

}  // namespace lockstep::rehearsal

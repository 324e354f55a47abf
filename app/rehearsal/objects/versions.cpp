// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/objects/versions.h"

namespace lockstep::rehearsal {
namespace {

std::string versioningOf(const Bucket& bucket) {
  return bucket.body.value("versioning", "Disabled");
}

// Whether what stands there now has to be kept when it is replaced or deleted. A suspended bucket keeps what
// was written while it was not.
bool mustKeep(const Bucket& bucket, const StoredObject& object) {
  const std::string versioning = versioningOf(bucket);
  return versioning == "Enabled" || (versioning == "Suspended" && object.headers.contains(kVersionHeader));
}

void keepCurrent(Transaction& transaction, const StoredObject& object) {
  auto& copy = transaction.sql(
      "INSERT OR REPLACE INTO object_versions(bucket, name, version, marker, size, etag, md5, multipart_md5, "
      "created, modified, headers, file, bytes) SELECT bucket, name, ?3, 0, size, etag, md5, multipart_md5, "
      "created, modified, headers, file, bytes FROM objects WHERE bucket = ?1 AND name = ?2");
  copy.bind(1, static_cast<int64_t>(object.bucket));
  copy.bind(2, object.name);
  copy.bind(3, versionOf(object));
  copy.exec();
}

StoredObject readVersion(SQLite::Statement& row, long long bucket, const std::string& name) {
  StoredObject o;
  o.bucket = bucket;
  o.name = name;
  o.etag = row.getColumn(2).getString();
  o.md5 = row.getColumn(3).getString();
  o.multipartMd5 = row.getColumn(4).getString();
  o.size = static_cast<std::uint64_t>(row.getColumn(5).getInt64());
  o.created = row.getColumn(6).getInt64();
  o.modified = row.getColumn(7).getInt64();
  o.headers = nlohmann::json::parse(row.getColumn(8).getString());
  o.file = row.getColumn(9).getString();
  return o;
}

struct KeptVersion {
  FoundVersion found;
  bool isMarker = false;
};

std::optional<KeptVersion> findKept(Transaction& transaction, const Bucket& bucket, const std::string& name,
                                    const std::optional<std::string>& version) {
  auto& select = transaction.sql(
      std::string("SELECT seq, marker, etag, md5, multipart_md5, size, created, modified, headers, file FROM "
                  "object_versions WHERE bucket = ? AND name = ? ") +
      (version ? "AND version = ?" : "ORDER BY seq DESC LIMIT 1"));
  select.bind(1, static_cast<int64_t>(bucket.seq));
  select.bind(2, name);
  if (version) select.bind(3, *version);
  if (!select.executeStep()) return std::nullopt;
  return KeptVersion{{readVersion(select, bucket.seq, name), select.getColumn(0).getInt64()},
                     select.getColumn(1).getInt() != 0};
}

void forgetKept(Transaction& transaction, long long row) {
  auto& remove = transaction.sql("DELETE FROM object_versions WHERE seq = ?");
  remove.bind(1, static_cast<int64_t>(row));
  remove.exec();
}

// After the current version is gone, the newest one left is the current one, unless it is a marker.
void promoteNewest(Transaction& transaction, const Bucket& bucket, const std::string& name) {
  const auto newest = findKept(transaction, bucket, name, std::nullopt);
  if (!newest || newest->isMarker) return;
  auto& copy = transaction.sql(
      "INSERT INTO objects(bucket, name, size, etag, md5, multipart_md5, created, modified, headers, file, "
      "bytes) SELECT bucket, name, size, etag, md5, multipart_md5, created, modified, headers, file, bytes "
      "FROM object_versions WHERE seq = ?");
  copy.bind(1, static_cast<int64_t>(newest->found.row));
  copy.exec();
  forgetKept(transaction, newest->found.row);
}

std::string addMarker(Transaction& transaction, const StoredObject& object, long long now) {
  std::string version = makeUuid();
  auto& insert = transaction.sql(
      "INSERT INTO object_versions(bucket, name, version, marker, size, etag, md5, multipart_md5, created, "
      "modified, headers, file) VALUES(?,?,?,1,0,?,'','',?,?,'{}','')");
  insert.bind(1, static_cast<int64_t>(object.bucket));
  insert.bind(2, object.name);
  insert.bind(3, version);
  insert.bind(4, makeUuid());
  insert.bind(5, static_cast<int64_t>(now));
  insert.bind(6, static_cast<int64_t>(now));
  insert.exec();
  return version;
}

}  // namespace

std::string versionOf(const StoredObject& object) {
  return object.headers.value(kVersionHeader, object.etag);
}

std::optional<FoundVersion> findVersion(Transaction& transaction, const Call& call, const Bucket& bucket,
                                        const std::string& name) {
  const auto version = call.parameter("versionId");
  auto current = findObject(transaction, bucket.seq, name);
  if (current && (!version || versionOf(*current) == *version)) return FoundVersion{*current, 0};
  if (!version) return std::nullopt;
  const auto kept = findKept(transaction, bucket, name, version);
  if (!kept || kept->isMarker) return std::nullopt;
  return kept->found;
}

std::string inlineBytes(Transaction& transaction, const FoundVersion& found) {
  if (found.row == 0) return inlineBytes(transaction, found.object.bucket, found.object.name);
  auto& select = transaction.sql("SELECT bytes FROM object_versions WHERE seq = ?");
  select.bind(1, static_cast<int64_t>(found.row));
  return select.executeStep() ? select.getColumn(0).getString() : std::string();
}

std::string putVersion(Transaction& transaction, const Bucket& bucket, StoredObject& object,
                       std::string_view inlineBytes) {
  const bool isPlain = versioningOf(bucket) == "Disabled";
  bool kept = false;
  if (!isPlain) {
    if (const auto current = findObject(transaction, bucket.seq, object.name);
        current && mustKeep(bucket, *current)) {
      keepCurrent(transaction, *current);
      kept = true;
    }
  }
  object.headers.erase(kVersionHeader);
  if (versioningOf(bucket) == "Enabled") object.headers[kVersionHeader] = makeUuid();
  const std::string replaced = saveObject(transaction, object, inlineBytes);
  return kept ? "" : replaced;
}

RemovedVersion removeCurrent(Transaction& transaction, const Bucket& bucket, const StoredObject& object,
                             long long now) {
  RemovedVersion removed;
  if (versioningOf(bucket) == "Disabled") {
    removed.freeFile = object.file;
    removed.version = versionOf(object);
  } else {
    if (mustKeep(bucket, object)) {
      keepCurrent(transaction, object);
    } else {
      removed.freeFile = object.file;
    }
    removed.version = addMarker(transaction, object, now);
    removed.isMarker = true;
  }
  removeObject(transaction, object.bucket, object.name);
  return removed;
}

std::optional<RemovedVersion> removeVersion(Transaction& transaction, const Bucket& bucket,
                                            const std::string& name, const std::string& version) {
  const auto current = findObject(transaction, bucket.seq, name);
  if (current && versionOf(*current) == version) {
    removeObject(transaction, bucket.seq, name);
    promoteNewest(transaction, bucket, name);
    return RemovedVersion{current->file, version, false};
  }
  const auto kept = findKept(transaction, bucket, name, version);
  if (!kept) return std::nullopt;
  forgetKept(transaction, kept->found.row);
  if (!current) promoteNewest(transaction, bucket, name);
  return RemovedVersion{kept->found.object.file, version, kept->isMarker};
}

bool hasVersions(Transaction& transaction, const Bucket& bucket) {
  auto& select = transaction.sql("SELECT 1 FROM object_versions WHERE bucket = ? LIMIT 1");
  select.bind(1, static_cast<int64_t>(bucket.seq));
  return select.executeStep();
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/objects/object_store.h"

#include <algorithm>

#include "base/digest.h"
#include "base/text/encoding.h"

namespace lockstep::rehearsal {

std::optional<Bucket> findBucket(Transaction& transaction, const std::string& nameSpace,
                                 const std::string& name) {
  auto& select = transaction.sql(
      "SELECT seq, compartment, etag, created, body FROM buckets WHERE namespace = ? AND name = ?");
  select.bind(1, nameSpace);
  select.bind(2, name);
  if (!select.executeStep()) return std::nullopt;
  Bucket bucket{select.getColumn(0).getInt64(),
                nameSpace,
                name,
                select.getColumn(1).getString(),
                select.getColumn(2).getString(),
                select.getColumn(3).getInt64(),
                {}};
  bucket.body = nlohmann::json::parse(select.getColumn(4).getString());
  return bucket;
}

namespace {

bool isObjectThere(Transaction& transaction, const Call& call) {
  const auto bucket = findBucket(transaction, call.path.at("ns"), call.path.at("b"));
  return bucket && findObject(transaction, bucket->seq, call.path.at("o")).has_value();
}

}  // namespace

bool mayPut(Transaction& transaction, const Call& call, const std::string& compartmentId,
            const TargetFacts& facts) {
  if (mayIn(transaction, call, compartmentId, facts)) return true;
  return hasPermission(transaction, call, compartmentId,
                       isObjectThere(transaction, call) ? "OBJECT_OVERWRITE" : "OBJECT_CREATE", facts);
}

tl::expected<Bucket, ServiceError> visibleBucket(Transaction& transaction, const Call& call) {
  const std::string& ns = call.path.at("ns");
  const std::string& name = call.path.at("b");
  auto bucket = findBucket(transaction, ns, name);
  TargetFacts facts{{"target.bucket.name", name}};
  if (const auto object = call.path.find("o"); object != call.path.end())
    facts["target.object.name"] = object->second;
  const bool isPut = call.operation == "PutObject";
  if (bucket && (isPut ? mayPut(transaction, call, bucket->compartment, facts)
                       : mayIn(transaction, call, bucket->compartment, facts)))
    return *bucket;
  return refuse(404, "BucketNotFound",
                "Either the bucket named '" + name + "' does not exist in the namespace '" + ns +
                    "' or you are not authorized to access it");
}

std::optional<StoredObject> findObject(Transaction& transaction, long long bucket, const std::string& name) {
  auto& select = transaction.sql(
      "SELECT etag, md5, multipart_md5, size, created, modified, headers, file FROM objects WHERE bucket = ? "
      "AND name = ?");
  select.bind(1, static_cast<int64_t>(bucket));
  select.bind(2, name);
  if (!select.executeStep()) return std::nullopt;
  StoredObject o;
  o.bucket = bucket;
  o.name = name;
  o.etag = select.getColumn(0).getString();
  o.md5 = select.getColumn(1).getString();
  o.multipartMd5 = select.getColumn(2).getString();
  o.size = static_cast<std::uint64_t>(select.getColumn(3).getInt64());
  o.created = select.getColumn(4).getInt64();
  o.modified = select.getColumn(5).getInt64();
  o.headers = nlohmann::json::parse(select.getColumn(6).getString());
  o.file = select.getColumn(7).getString();
  return o;
}

std::string inlineBytes(Transaction& transaction, long long bucket, const std::string& name) {
  auto& select = transaction.sql("SELECT bytes FROM objects WHERE bucket = ? AND name = ?");
  select.bind(1, static_cast<int64_t>(bucket));
  select.bind(2, name);
  return select.executeStep() ? select.getColumn(0).getString() : std::string();
}

std::string saveObject(Transaction& transaction, const StoredObject& o, std::string_view bytes) {
  const auto old = findObject(transaction, o.bucket, o.name);
  auto& save = transaction.sql(
      "INSERT INTO objects(bucket, name, size, etag, md5, multipart_md5, created, modified, headers, file, "
      "bytes) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(bucket, name) DO UPDATE SET size = excluded.size, etag = "
      "excluded.etag, "
      "md5 = excluded.md5, multipart_md5 = excluded.multipart_md5, created = excluded.created, "
      "modified = excluded.modified, headers = excluded.headers, file = excluded.file, bytes = "
      "excluded.bytes");
  save.bind(1, static_cast<int64_t>(o.bucket));
  save.bind(2, o.name);
  save.bind(3, static_cast<int64_t>(o.size));
  save.bind(4, o.etag);
  save.bind(5, o.md5);
  save.bind(6, o.multipartMd5);
  save.bind(7, static_cast<int64_t>(o.created));
  save.bind(8, static_cast<int64_t>(o.modified));
  save.bind(9, o.headers.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  save.bind(10, o.file);
  if (o.file.empty()) save.bind(11, bytes.data(), static_cast<int>(bytes.size()));
  save.exec();
  return old ? old->file : "";
}

void removeObject(Transaction& transaction, long long bucket, const std::string& name) {
  auto& remove = transaction.sql("DELETE FROM objects WHERE bucket = ? AND name = ?");
  remove.bind(1, static_cast<int64_t>(bucket));
  remove.bind(2, name);
  remove.exec();
}

nlohmann::json storedHeaders(const Headers& headers) {
  nlohmann::json kept = nlohmann::json::object();
  for (const char* name :
       {"content-type", "content-encoding", "content-language", "content-disposition", "cache-control"})
    if (const auto value = headerValue(headers, name); value && !value->empty()) kept[name] = *value;
  if (!kept.contains("content-type")) kept["content-type"] = "application/octet-stream";
  kept["storage-tier"] = headerValue(headers, "storage-tier").value_or("Standard");
  for (const auto& [name, value] : headers) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower.starts_with("opc-meta-")) kept[lower] = value;
  }
  return kept;
}

tl::expected<std::string, ServiceError> checkedMd5(const Call& call) {
  const std::string actual = toBase64(md5(call.request.bytes()));
  const auto claimed = call.header("content-md5");
  if (!claimed || *claimed == actual) return actual;
  return refuse(400, "UnmatchedContentMD5",
                "The computed MD5 of the request body (" + actual +
                    ") does not match the Content-MD5 header (" + *claimed + ")");
}

std::optional<ServiceError> checkObjectName(const std::string& name) {
  if (name.size() > 1024) return invalidParameter("The object name is longer than 1024 bytes.").value();
  if (name.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos || !isUtf8(name))
    return invalidParameter("The object name must be UTF-8 without line feed, carriage return and NUL.")
        .value();
  return std::nullopt;
}

std::optional<ServiceError> checkUploadConditions(const Call& call,
                                                  const std::optional<StoredObject>& existing) {
  if (const auto noneMatch = call.header("if-none-match")) {
    if (*noneMatch != "*")
      return invalidParameter("The header 'if-none-match' of an upload must be '*'.").value();
    if (existing)
      return ServiceError{412, "IfNoneMatchFailed",
                          "The object already exists and the if-none-match header is '*'"};
  }
  const auto match = call.header("if-match");
  if (match && (!existing || *match != existing->etag))
    return ServiceError{412, "IfMatchFailed", "The if-match header does not match the etag of the object"};
  return std::nullopt;
}

void collectObjectFiles(Transaction& transaction, std::set<std::string>& files) {
  for (const char* text : {"SELECT file FROM objects WHERE file != ''", "SELECT file FROM upload_parts",
                           "SELECT file FROM object_versions WHERE file != ''"}) {
    auto& select = transaction.sql(text);
    while (select.executeStep()) files.insert(select.getColumn(0).getString());
  }
}

ServiceError objectNotFound(const std::string& object, const std::string& bucket) {
  return {404, "ObjectNotFound", "The object '" + object + "' was not found in the bucket '" + bucket + "'"};
}

}  // namespace lockstep::rehearsal

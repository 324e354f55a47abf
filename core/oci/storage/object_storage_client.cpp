// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/storage/object_storage_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci/calls/json_calls.h"
#include "oci/calls/typed_calls.h"
#include "oci/storage/object_paths.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "1000";
constexpr std::chrono::milliseconds kMaxGetTime = std::chrono::minutes(60);
constexpr std::string_view kMetadataHeader = "opc-meta-";

Bucket readBucket(AnswerFields& f) {
  return {f.text("name"),
          f.textOr("namespace"),
          f.textOr("compartmentId"),
          f.textOr("etag"),
          f.textOr("versioning"),
          f.textOr("publicAccessType"),
          f.maybeNumber("approximateCount"),
          f.maybeNumber("approximateSize"),
          f.maybeTime("timeCreated")};
}

ObjectSummary readObject(AnswerFields& f) {
  return {f.text("name"),
          f.textOr("etag"),
          f.textOr("md5"),
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, f.number("size"))),
          f.maybeTime("timeCreated"),
          f.maybeTime("timeModified")};
}

// The pages of ListObjects: `base` is its path without a start.
Result<ObjectListing> readListing(ServiceClient& services, const std::string& base,
                                  const std::string& startAfter, const std::stop_token& stop) {
  ServiceCall call = storageCall("ListObjects", "GET", pathWith(base, {{"startAfter", startAfter}}));
  ObjectListing listing;
  std::string start;
  while (true) {
    const auto response = services.call(call, stop);
    if (!response) return failure(response.error());
    std::string next;
    const auto done = readAnswer(call, *response, [&](AnswerFields& f) {
      if (!f.raw().contains("objects")) (void)f.text("objects");
      for (ObjectSummary& one : f.list("objects", &readObject)) listing.objects.push_back(std::move(one));
      for (std::string& one : f.texts("prefixes")) listing.prefixes.push_back(std::move(one));
      next = f.textOr("nextStartWith");
    });
    if (!done) return failure(done.error());
    if (next.empty()) return listing;
    if (next <= start) return failure(malformed(call, *response, "its pages go backwards"));
    start = next;
    call.path = pathWith(base, {{"start", start}});
  }
}

ObjectHead readHead(const HttpHeaders& headers) {
  const auto value = [&](const char* name) { return headerValue(headers, name); };
  ObjectHead head;
  head.etag = value("etag");
  head.contentType = value("content-type");
  head.storageTier = value("storage-tier");
  head.archivalState = value("archival-state");
  head.versionId = value("version-id");
  head.md5 = value("content-md5");
  head.multipartMd5 = value("opc-multipart-md5");
  head.lastModified = parseRfc1123(value("last-modified"));
  for (const auto& [name, text] : headers) {
    std::string key = name;
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    if (key.starts_with(kMetadataHeader)) head.metadata[key.substr(kMetadataHeader.size())] = text;
  }
  return head;
}

}  // namespace

Result<std::string> ObjectStorageClient::getNamespace(const std::stop_token& stop) {
  const ServiceCall call = storageCall("GetNamespace", "GET", "/n");
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const auto body = nlohmann::json::parse(response->body, nullptr, false);
  if (!body.is_string()) return failure(malformed(call, *response, "it is no text"));
  return body.get<std::string>();
}

Result<Bucket> ObjectStorageClient::getBucket(const std::string& ns, const std::string& bucket,
                                              const std::stop_token& stop) {
  return callForOne(
      *services_,
      storageCall("GetBucket", "GET", bucketPath(ns, bucket) + "?fields=approximateCount,approximateSize"),
      stop, &readBucket);
}

Result<std::vector<Bucket>> ObjectStorageClient::listBuckets(const std::string& ns,
                                                             const std::string& compartmentId,
                                                             const std::stop_token& stop) {
  const std::string path = pathWith(fmt::format("/n/{}/b", percentEncode(ns)),
                                    {{"compartmentId", compartmentId}, {"limit", kPageSize}});
  return callForAll(*services_, storageCall("ListBuckets", "GET", path), stop, &readBucket);
}

Result<Bucket> ObjectStorageClient::createBucket(const std::string& ns, const NewBucket& bucket,
                                                 const std::stop_token& stop) {
  nlohmann::ordered_json body{{"name", bucket.name}, {"compartmentId", bucket.compartmentId}};
  if (bucket.isVersioned) body["versioning"] = "Enabled";
  if (!bucket.metadata.empty()) body["metadata"] = bucket.metadata;
  // Object Storage knows no retry tokens.
  return callForOne(
      *services_,
      postTo(Service::ObjectStorage, "CreateBucket", fmt::format("/n/{}/b", percentEncode(ns)), body, {}),
      stop, &readBucket);
}

Result<void> ObjectStorageClient::deleteBucket(const std::string& ns, const std::string& bucket,
                                               const std::stop_token& stop) {
  ServiceCall call = storageCall("DeleteBucket", "DELETE", bucketPath(ns, bucket));
  call.retryConflicts = false;  // what is in it does not go by waiting
  return callForNothing(*services_, call, stop);
}

Result<PutAnswer> ObjectStorageClient::putObject(const std::string& ns, const std::string& bucket,
                                                 const std::string& name, std::string_view bytes,
                                                 const std::stop_token& stop, const PutOptions& options) {
  if (auto fine = checkObjectName(name); !fine) return failure(fine.error());
  ServiceCall call = storageCall("PutObject", "PUT", objectPath(ns, bucket, name));
  const std::string checksum = toBase64(md5(bytes));
  call.body = bytes;
  call.bodySigning = BodySigning::Excluded;
  call.timeout = timeFor(bytes.size());
  addPutHeaders(call, options);
  call.headers.emplace_back("content-md5", checksum);
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  PutAnswer answer{headerValue(response->headers, "etag"), headerValue(response->headers, "opc-content-md5"),
                   headerValue(response->headers, "version-id")};
  if (!answer.md5.empty() && answer.md5 != checksum) {
    return failure(
        malformed(call, *response,
                  fmt::format("what arrived of '{}' does not have the checksum of what was sent", name)));
  }
  return answer;
}

Result<std::string> ObjectStorageClient::getObject(const std::string& ns, const std::string& bucket,
                                                   const std::string& name, const std::optional<Range>& range,
                                                   const std::stop_token& stop, const std::string& ifMatch) {
  if (auto fine = checkObjectName(name); !fine) return failure(fine.error());
  ServiceCall call = storageCall("GetObject", "GET", objectPath(ns, bucket, name));
  call.timeout = kMaxGetTime;
  if (range) {
    const std::string last = range->last ? std::to_string(*range->last) : std::string();
    call.headers.emplace_back("range", fmt::format("bytes={}-{}", range->first, last));
  }
  if (!ifMatch.empty()) call.headers.emplace_back("if-match", ifMatch);
  auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const std::string expected = headerValue(response->headers, "content-md5");
  if (!range && !expected.empty() && toBase64(md5(response->body)) != expected) {
    return failure(malformed(
        call, *response, fmt::format("the bytes of '{}' do not have the checksum they should have", name)));
  }
  return std::move(response->body);
}

Result<std::optional<std::string>> ObjectStorageClient::getObjectUnless(const std::string& ns,
                                                                        const std::string& bucket,
                                                                        const std::string& name,
                                                                        const std::string& etag,
                                                                        const std::stop_token& stop) {
  if (auto fine = checkObjectName(name); !fine) return failure(fine.error());
  ServiceCall call = storageCall("GetObject", "GET", objectPath(ns, bucket, name));
  call.timeout = kMaxGetTime;
  if (!etag.empty()) call.headers.emplace_back("if-none-match", etag);
  auto response = services_->call(call, stop);
  if (response) return std::optional<std::string>(std::move(response->body));
  const bool unchanged = response.error().service && response.error().service->httpStatus == 304;
  if (unchanged) return std::optional<std::string>();
  return failure(response.error());
}

Result<ObjectHead> ObjectStorageClient::headObject(const std::string& ns, const std::string& bucket,
                                                   const std::string& name, const std::stop_token& stop) {
  if (auto fine = checkObjectName(name); !fine) return failure(fine.error());
  const ServiceCall call = storageCall("HeadObject", "HEAD", objectPath(ns, bucket, name));
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  ObjectHead head = readHead(response->headers);
  const std::string length = headerValue(response->headers, "content-length");
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), head.size);
  if (error != std::errc() || end != length.data() + length.size())
    return failure(malformed(call, *response, "its content-length is no number"));
  return head;
}

Result<std::vector<ObjectInfo>> ObjectStorageClient::listObjects(const std::string& ns,
                                                                 const std::string& bucket,
                                                                 const std::string& prefix,
                                                                 const std::string& startAfter,
                                                                 const std::stop_token& stop) {
  const std::string base = fmt::format("{}/o?prefix={}&fields=name,size,etag&limit={}",
                                       bucketPath(ns, bucket), percentEncode(prefix), kPageSize);
  const auto listing = readListing(*services_, base, startAfter, stop);
  if (!listing) return failure(listing.error());
  std::vector<ObjectInfo> all;
  all.reserve(listing->objects.size());
  for (const ObjectSummary& object : listing->objects) all.push_back({object.name, object.size, object.etag});
  return all;
}

Result<ObjectListing> ObjectStorageClient::listFolder(const std::string& ns, const std::string& bucket,
                                                      const std::string& prefix, bool byFolder,
                                                      const std::stop_token& stop) {
  const std::string base =
      fmt::format("{}/o?prefix={}{}&fields=name,size,etag,md5,timeCreated,timeModified&limit={}",
                  bucketPath(ns, bucket), percentEncode(prefix), byFolder ? "&delimiter=%2F" : "", kPageSize);
  return readListing(*services_, base, {}, stop);
}

Result<void> ObjectStorageClient::deleteObject(const std::string& ns, const std::string& bucket,
                                               const std::string& name, const std::stop_token& stop,
                                               const std::string& ifMatch) {
  if (auto fine = checkObjectName(name); !fine) return fine;
  ServiceCall call = storageCall("DeleteObject", "DELETE", objectPath(ns, bucket, name));
  if (!ifMatch.empty()) call.headers.emplace_back("if-match", ifMatch);
  return callForNothing(*services_, call, stop);
}

Result<void> ObjectStorageClient::renameObject(const std::string& ns, const std::string& bucket,
                                               const std::string& from, const std::string& to, bool isNew,
                                               const std::stop_token& stop) {
  for (const std::string* name : {&from, &to}) {
    if (auto fine = checkObjectName(*name); !fine) return fine;
  }
  nlohmann::ordered_json body{{"sourceName", from}, {"newName", to}};
  if (isNew) body["newObjIfNoneMatchETag"] = "*";
  return callForNothing(*services_,
                        postTo(Service::ObjectStorage, "RenameObject",
                               bucketPath(ns, bucket) + "/actions/renameObject", body, {}),
                        stop);
}

}  // namespace lockstep::oci

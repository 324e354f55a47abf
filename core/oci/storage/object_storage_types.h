// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace lockstep::oci {

// What Object Storage takes and answers (oci-rest-contract 4.3).

struct Bucket {
  std::string name, nameSpace, compartmentId, etag;
  std::string versioning;        // "Enabled" "Suspended" "Disabled"; empty in a listing
  std::string publicAccessType;  // "NoPublicAccess", …; empty in a listing
  std::optional<std::int64_t> approximateCount, approximateSize;
  std::optional<TimePoint> timeCreated;
};

struct NewBucket {
  std::string name, compartmentId;
  bool isVersioned = false;
  std::map<std::string, std::string> metadata{};
};

/// A bucket of a namespace.
struct BucketRef {
  std::string nameSpace, bucket;
};

struct ObjectSummary {
  std::string name, etag, md5;  // md5 is absent for what was put in parts
  std::uint64_t size = 0;
  std::optional<TimePoint> timeCreated, timeModified;
};

struct ObjectListing {
  std::vector<ObjectSummary> objects;
  std::vector<std::string> prefixes;  // "folder/", only with a delimiter
};

struct ObjectHead {
  std::uint64_t size = 0;
  std::string etag, contentType, storageTier, archivalState, versionId;
  std::string md5;           // base64; empty for what was put in parts
  std::string multipartMd5;  // base64, of the parts' checksums
  std::optional<TimePoint> lastModified;
  std::map<std::string, std::string> metadata;  // opc-meta-<key>, keys in lower case
};

/// How an object is put.
struct PutOptions {
  std::string contentType = "application/octet-stream";
  std::string contentEncoding, cacheControl, storageTier;
  std::map<std::string, std::string> metadata;
  std::string ifMatch;  // 412 unless the object has this etag
  bool isNew = false;   // 412 when there is one already
};

struct PutAnswer {
  std::string etag, md5, versionId;
};

struct MultipartUpload {
  std::string object, uploadId;
  std::optional<TimePoint> timeCreated;
};

struct UploadedPart {
  int number = 0;  // 1 to 10,000
  std::string etag;
  std::string md5;  // base64
  std::uint64_t size = 0;
};

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/object_storage_client.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/encoding.h"
#include "oci/json_calls.h"
#include "oci/service_error.h"

namespace lockstep::oci {
namespace {

constexpr int kPageSize = 1000;
// An attempt may take as long as a slow line of 256 KiB/s needs.
constexpr std::size_t kSlowestBytesPerSecond = 256 * 1024;
constexpr std::chrono::milliseconds kMaxGetTime = std::chrono::minutes(60);

std::string bucketPath(const std::string& ns, const std::string& bucket) {
  return fmt::format("/n/{}/b/{}", percentEncode(ns), percentEncode(bucket));
}

std::string objectPath(const std::string& ns, const std::string& bucket, const std::string& name) {
  return bucketPath(ns, bucket) + "/o/" + percentEncode(name, true);
}

ServiceCall callOf(std::string operation, std::string method, std::string path) {
  ServiceCall call;
  call.service = Service::ObjectStorage;
  call.operation = std::move(operation);
  call.method = std::move(method);
  call.path = std::move(path);
  return call;
}

Result<void> checkName(const std::string& name) {
  const bool fine = !name.empty() && name.size() <= 1024 && isUtf8(name) &&
                    name.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
  if (fine) return {};
  return failure(StatusCode::InvalidArgument,
                 fmt::format("'{}' cannot be the name of an object", toValidUtf8(name)),
                 "a name has 1 to 1024 bytes of UTF-8 without line ends");
}

Status malformed(const ServiceCall& call, const HttpResponse& response, const std::string& cause) {
  return malformedAnswer(response, {toString(call.service), call.operation, 0, {}, {}}, cause);
}

// One page of ListObjects; `next` receives the first name of the following page, or stays empty.
Result<void> readPage(const ServiceCall& call, const HttpResponse& response, std::vector<ObjectInfo>& all,
                      std::string& next) {
  const auto body = nlohmann::json::parse(response.body, nullptr, false);
  if (!body.is_object() || !body.contains("objects") || !body["objects"].is_array()) {
    return failure(malformed(call, response, "it has no list of objects"));
  }
  for (const auto& object : body["objects"]) {
    if (!object.is_object() || !object.contains("name") || !object["name"].is_string()) {
      return failure(malformed(call, response, "an object of the list has no name"));
    }
    const auto size = object.find("size");
    all.push_back({object["name"].get<std::string>(),
                   size != object.end() && size->is_number() ? size->get<std::uint64_t>() : 0});
  }
  const auto it = body.find("nextStartWith");
  next = it != body.end() && it->is_string() ? it->get<std::string>() : std::string();
  return {};
}

}  // namespace

Result<std::string> ObjectStorageClient::getNamespace(const std::stop_token& stop) {
  const ServiceCall call = callOf("GetNamespace", "GET", "/n");
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const auto body = nlohmann::json::parse(response->body, nullptr, false);
  if (!body.is_string()) return failure(malformed(call, *response, "it is no text"));
  return body.get<std::string>();
}

Result<nlohmann::json> ObjectStorageClient::getBucket(const std::string& ns, const std::string& bucket,
                                                      const std::stop_token& stop) {
  return callForObject(*services_, callOf("GetBucket", "GET", bucketPath(ns, bucket)), stop);
}

Result<std::vector<nlohmann::json>> ObjectStorageClient::listBuckets(const std::string& ns,
                                                                     const std::string& compartmentId,
                                                                     const std::stop_token& stop) {
  return callForList(*services_,
                     callOf("ListBuckets", "GET",
                            fmt::format("/n/{}/b?compartmentId={}&limit={}", percentEncode(ns),
                                        percentEncode(compartmentId), kPageSize)),
                     stop);
}

Result<nlohmann::json> ObjectStorageClient::createBucket(const std::string& ns, const nlohmann::json& body,
                                                         const std::stop_token& stop) {
  ServiceCall call = callOf("CreateBucket", "POST", fmt::format("/n/{}/b", percentEncode(ns)));
  call.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  call.idempotent = false;  // Object Storage knows no retry tokens
  return callForObject(*services_, call, stop);
}

Result<void> ObjectStorageClient::putObject(const std::string& ns, const std::string& bucket,
                                            const std::string& name, std::string_view bytes,
                                            const std::stop_token& stop) {
  if (auto fine = checkName(name); !fine) return fine;
  ServiceCall call = callOf("PutObject", "PUT", objectPath(ns, bucket, name));
  call.body = bytes;
  call.bodySigning = BodySigning::Excluded;
  call.headers = {{"content-type", "application/octet-stream"}, {"content-md5", toBase64(md5(bytes))}};
  call.timeout += std::chrono::seconds(bytes.size() / kSlowestBytesPerSecond);
  return callForNothing(*services_, call, stop);
}

Result<std::string> ObjectStorageClient::getObject(const std::string& ns, const std::string& bucket,
                                                   const std::string& name, const std::optional<Range>& range,
                                                   const std::stop_token& stop) {
  if (auto fine = checkName(name); !fine) return failure(fine.error());
  ServiceCall call = callOf("GetObject", "GET", objectPath(ns, bucket, name));
  call.timeout = kMaxGetTime;
  if (range) {
    const std::string last = range->last ? std::to_string(*range->last) : std::string();
    call.headers.emplace_back("range", fmt::format("bytes={}-{}", range->first, last));
  }
  auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  const std::string expected = headerValue(response->headers, "content-md5");
  if (!range && !expected.empty() && toBase64(md5(response->body)) != expected) {
    return failure(malformed(
        call, *response, fmt::format("the bytes of '{}' do not have the checksum they should have", name)));
  }
  return std::move(response->body);
}

Result<std::vector<ObjectInfo>> ObjectStorageClient::listObjects(const std::string& ns,
                                                                 const std::string& bucket,
                                                                 const std::string& prefix,
                                                                 const std::string& startAfter,
                                                                 const std::stop_token& stop) {
  const std::string base = fmt::format("{}/o?prefix={}&fields=name,size&limit={}", bucketPath(ns, bucket),
                                       percentEncode(prefix), kPageSize);
  ServiceCall call = callOf("ListObjects", "GET", base);
  if (!startAfter.empty()) call.path += "&startAfter=" + percentEncode(startAfter);
  std::vector<ObjectInfo> all;
  std::string start;
  while (true) {
    const auto response = services_->call(call, stop);
    if (!response) return failure(response.error());
    std::string next;
    if (auto taken = readPage(call, *response, all, next); !taken) return failure(taken.error());
    if (next.empty()) return all;
    if (next <= start) return failure(malformed(call, *response, "its pages go backwards"));
    start = next;
    call.path = base + "&start=" + percentEncode(start);
  }
}

Result<void> ObjectStorageClient::deleteObject(const std::string& ns, const std::string& bucket,
                                               const std::string& name, const std::stop_token& stop) {
  if (auto fine = checkName(name); !fine) return fine;
  return callForNothing(*services_, callOf("DeleteObject", "DELETE", objectPath(ns, bucket, name)), stop);
}

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/storage/multipart_client.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "oci/calls/json_calls.h"
#include "oci/calls/typed_calls.h"
#include "oci/storage/object_paths.h"

namespace lockstep::oci {
namespace {

MultipartUpload readUpload(AnswerFields& f) {
  return {f.text("object"), f.text("uploadId"), f.maybeTime("timeCreated")};
}

UploadedPart readPart(AnswerFields& f) {
  return {static_cast<int>(f.number("partNumber")), f.text("etag"), f.textOr("md5"),
          static_cast<std::uint64_t>(f.number("size"))};
}

// base64(MD5 of the parts' binary MD5s); a suffix "-<count>" may follow on the wire.
bool isChecksumOf(const std::string& said, const std::vector<UploadedPart>& parts) {
  std::string all;
  for (const UploadedPart& part : parts) all += fromBase64(part.md5).value_or("");
  const std::string checksum = toBase64(md5(all));
  return said == checksum || said == fmt::format("{}-{}", checksum, parts.size());
}

}  // namespace

std::string MultipartClient::pathOf(const MultipartUpload& upload) const {
  return fmt::format("{}/u/{}?uploadId={}", bucketPath(place_.nameSpace, place_.bucket),
                     percentEncode(upload.object, true), percentEncode(upload.uploadId));
}

Result<std::string> MultipartClient::create(const std::string& object, const PutOptions& options,
                                            const std::stop_token& stop) {
  if (auto fine = checkObjectName(object); !fine) return failure(fine.error());
  nlohmann::ordered_json body{{"object", object}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) body[key] = value;
  };
  add("contentType", options.contentType);
  add("contentEncoding", options.contentEncoding);
  add("cacheControl", options.cacheControl);
  add("storageTier", options.storageTier);
  if (!options.metadata.empty()) {
    body["metadata"] = nlohmann::ordered_json::object();
    for (const auto& [key, value] : options.metadata) body["metadata"]["opc-meta-" + key] = value;
  }
  const auto upload = callForOne(*services_,
                                 postTo(Service::ObjectStorage, "CreateMultipartUpload",
                                        bucketPath(place_.nameSpace, place_.bucket) + "/u", body, {}),
                                 stop, &readUpload);
  if (!upload) return failure(upload.error());
  return upload->uploadId;
}

Result<UploadedPart> MultipartClient::uploadPart(const MultipartUpload& upload, int number,
                                                 std::shared_ptr<BodySource> source, const std::string& md5,
                                                 const std::stop_token& stop) {
  UploadedPart part{number, {}, md5, source->size()};
  ServiceCall call =
      storageCall("UploadPart", "PUT", fmt::format("{}&uploadPartNum={}", pathOf(upload), number));
  call.bodySigning = BodySigning::Excluded;
  call.timeout = timeFor(part.size);
  call.source = std::move(source);
  call.headers = {{"content-type", "application/octet-stream"}, {"content-md5", md5}};
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  part.etag = headerValue(response->headers, "etag");
  if (part.etag.empty()) return failure(malformed(call, *response, "it has no etag"));
  const std::string arrived = headerValue(response->headers, "opc-content-md5");
  if (!arrived.empty() && arrived != md5) {
    return failure(
        malformed(call, *response,
                  fmt::format("what arrived of part {} of '{}' does not have the checksum of what was sent",
                              number, upload.object)));
  }
  return part;
}

Result<PutAnswer> MultipartClient::commit(const MultipartUpload& upload,
                                          const std::vector<UploadedPart>& parts, const PutOptions& options,
                                          const std::stop_token& stop) {
  nlohmann::ordered_json body{{"partsToCommit", nlohmann::ordered_json::array()}};
  for (const UploadedPart& part : parts)
    body["partsToCommit"].push_back({{"partNum", part.number}, {"etag", part.etag}});
  ServiceCall call = postTo(Service::ObjectStorage, "CommitMultipartUpload", pathOf(upload), body, {});
  if (!options.ifMatch.empty()) call.headers.emplace_back("if-match", options.ifMatch);
  if (options.isNew) call.headers.emplace_back("if-none-match", "*");
  call.timeout = std::chrono::minutes(5);
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  PutAnswer answer{headerValue(response->headers, "etag"),
                   headerValue(response->headers, "opc-multipart-md5"),
                   headerValue(response->headers, "version-id")};
  if (!answer.md5.empty() && !isChecksumOf(answer.md5, parts)) {
    return failure(
        malformed(call, *response,
                  fmt::format("the object '{}' does not have the checksum of its parts", upload.object)));
  }
  return answer;
}

Result<void> MultipartClient::abort(const MultipartUpload& upload, const std::stop_token& stop) {
  return callForNothing(*services_, storageCall("AbortMultipartUpload", "DELETE", pathOf(upload)), stop);
}

Result<std::vector<MultipartUpload>> MultipartClient::listUploads(const std::stop_token& stop) {
  const std::string path = bucketPath(place_.nameSpace, place_.bucket) + "/u?limit=1000";
  return callForAll(*services_, storageCall("ListMultipartUploads", "GET", path), stop, &readUpload);
}

Result<std::vector<UploadedPart>> MultipartClient::listParts(const MultipartUpload& upload,
                                                             const std::stop_token& stop) {
  return callForAll(*services_,
                    storageCall("ListMultipartUploadParts", "GET", pathOf(upload) + "&limit=1000"), stop,
                    &readPart);
}

}  // namespace lockstep::oci

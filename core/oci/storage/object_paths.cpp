// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/storage/object_paths.h"

#include <fmt/format.h>

#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

constexpr std::size_t kMaxNameBytes = 1024;
constexpr std::uint64_t kSlowestBytesPerSecond = 256 * 1024;

}  // namespace

std::string bucketPath(const std::string& ns, const std::string& bucket) {
  return fmt::format("/n/{}/b/{}", percentEncode(ns), percentEncode(bucket));
}

std::string objectPath(const std::string& ns, const std::string& bucket, const std::string& name) {
  return bucketPath(ns, bucket) + "/o/" + percentEncode(name, true);
}

ServiceCall storageCall(std::string operation, std::string method, std::string path) {
  return callTo(Service::ObjectStorage, std::move(operation), std::move(method), std::move(path));
}

Result<void> checkObjectName(const std::string& name) {
  const bool fine = !name.empty() && name.size() <= kMaxNameBytes && isUtf8(name) &&
                    name.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
  if (fine) return {};
  return failure(ErrorCode::InvalidArgument,
                 fmt::format("'{}' cannot be the name of an object", toValidUtf8(name)),
                 "a name has 1 to 1024 bytes of UTF-8 without line ends");
}

std::chrono::milliseconds timeFor(std::uint64_t bytes) {
  return std::chrono::seconds(60 + bytes / kSlowestBytesPerSecond);
}

void addPutHeaders(ServiceCall& call, const PutOptions& options) {
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) call.headers.emplace_back(name, value);
  };
  add("content-type", options.contentType);
  add("content-encoding", options.contentEncoding);
  add("cache-control", options.cacheControl);
  add("storage-tier", options.storageTier);
  for (const auto& [key, value] : options.metadata) add("opc-meta-" + key, value);
  add("if-match", options.ifMatch);
  if (options.isNew) add("if-none-match", "*");
  // Repeated after a lost answer, a condition would meet what the first attempt itself has put.
  call.idempotent = options.ifMatch.empty() && !options.isNew;
}

}  // namespace lockstep::oci

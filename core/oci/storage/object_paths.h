// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "oci/calls/service_client.h"
#include "oci/storage/object_storage_types.h"

namespace lockstep::oci {

// What every Object Storage call of ours begins with.

[[nodiscard]] std::string bucketPath(const std::string& ns, const std::string& bucket);
[[nodiscard]] std::string objectPath(const std::string& ns, const std::string& bucket,
                                     const std::string& name);
[[nodiscard]] ServiceCall storageCall(std::string operation, std::string method, std::string path);
/// InvalidArgument for what cannot be the name of an object: empty, over 1024 bytes, no UTF-8, a line end.
Result<void> checkObjectName(const std::string& name);
/// What one attempt to move that many bytes may take, over the slowest line we bear.
[[nodiscard]] std::chrono::milliseconds timeFor(std::uint64_t bytes);
void addPutHeaders(ServiceCall& call, const PutOptions& options);

}  // namespace lockstep::oci

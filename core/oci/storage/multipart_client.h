// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"
#include "oci/storage/object_storage_types.h"

namespace lockstep::oci {

/// The single steps of an upload in parts (oci-rest-contract 4.3); ObjectTransfers puts them together.
/// Thread-safe.
class MultipartClient {
 public:
  MultipartClient(std::shared_ptr<ServiceClient> services, BucketRef place)
      : services_(std::move(services)), place_(std::move(place)) {}

  /// The upload's id. A lost answer leaves an upload that only listUploads() knows.
  Result<std::string> create(const std::string& object, const PutOptions& options,
                             const std::stop_token& stop);
  /// Replaces a part of that number. `md5`: of the source, base64; it is sent, and what arrived is compared
  /// with it.
  Result<UploadedPart> uploadPart(const MultipartUpload& upload, int number,
                                  std::shared_ptr<BodySource> source, const std::string& md5,
                                  const std::stop_token& stop);
  /// Makes the object of exactly these parts. The checksum of all of them is verified.
  Result<PutAnswer> commit(const MultipartUpload& upload, const std::vector<UploadedPart>& parts,
                           const PutOptions& options, const std::stop_token& stop);
  Result<void> abort(const MultipartUpload& upload, const std::stop_token& stop);
  /// Those of the bucket that are neither committed nor aborted.
  Result<std::vector<MultipartUpload>> listUploads(const std::stop_token& stop);
  Result<std::vector<UploadedPart>> listParts(const MultipartUpload& upload, const std::stop_token& stop);

 private:
  [[nodiscard]] std::string pathOf(const MultipartUpload& upload) const;
  const std::shared_ptr<ServiceClient> services_;
  const BucketRef place_;
};

}  // namespace lockstep::oci

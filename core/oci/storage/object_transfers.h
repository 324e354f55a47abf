// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oci/storage/object_storage_client.h"

namespace lockstep::oci {

class PartialDownload;

/// Large objects and many objects (oci-rest-contract 4.3). Blocks; thread-safe.
class ObjectTransfers {
 public:
  struct Options {
    std::uint64_t partSize = 16 << 20;  // larger when the file would have more than 10,000 parts
    int parallel = 4;                   // connections at once
    /// Bytes done and in all; from any thread, one at a time. A download that goes on begins with what was
    /// there.
    std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
  };
  ObjectTransfers(std::shared_ptr<ServiceClient> services, BucketRef place, Options options)
      : services_(std::move(services)), place_(std::move(place)), options_(std::move(options)) {}
  ObjectTransfers(std::shared_ptr<ServiceClient> services, BucketRef place)
      : ObjectTransfers(std::move(services), std::move(place), Options()) {}

  enum class Unfinished {
    Abort,  // after a failure nothing is left of it
    Keep,   // what arrived is left, and the next transfer of the file goes on from there
  };
  /// One put, or in parts when the file is larger than one. Every part's checksum is verified, and the
  /// whole's. FailedPrecondition when the file changes meanwhile.
  Result<PutAnswer> upload(const std::filesystem::path& file, const std::string& object,
                           const std::stop_token& stop, Unfinished unfinished = Unfinished::Abort,
                           const PutOptions& put = {});

  /// Ranges at once into a file that is there whole or not at all. A connection that breaks costs the rest
  /// of its range, not what came; kept, a process that is killed costs some megabytes (partial_download.h),
  /// and an object that is replaced meanwhile is fetched anew. FailedPrecondition when it is replaced again
  /// and again, or at all where nothing is kept; DataLoss when the checksum is wrong, of all that came in one
  /// go.
  Result<ObjectHead> download(const std::string& object, const std::filesystem::path& file,
                              const std::stop_token& stop, Unfinished unfinished = Unfinished::Abort);

  /// Many small objects, in the order of their names; each is there or says why not.
  std::vector<Result<std::string>> fetchMany(const std::vector<std::string>& names,
                                             const std::stop_token& stop);

 private:
  struct PartPlan;
  class Progress;
  Result<PutAnswer> uploadInParts(const PartPlan& plan, const PutOptions& put, Unfinished unfinished,
                                  const std::stop_token& stop);
  Result<std::vector<UploadedPart>> sendParts(const PartPlan& plan, const MultipartUpload& upload,
                                              const std::stop_token& stop);
  Result<void> fetchRange(const std::string& object, const std::string& etag, PartialDownload& file,
                          std::size_t index, Progress& progress, const std::stop_token& stop);
  Result<void> fetchRanges(const std::string& object, const ObjectHead& head, PartialDownload& file,
                           const std::stop_token& stop);
  Result<ObjectHead> downloadOnce(const std::string& object, const std::filesystem::path& file,
                                  Unfinished unfinished, const std::stop_token& stop);

  const std::shared_ptr<ServiceClient> services_;
  const BucketRef place_;
  const Options options_;
};

}  // namespace lockstep::oci

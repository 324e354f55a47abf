// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"
#include "oci/storage/object_storage_types.h"
#include "workdir/object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::oci {

/// Object Storage (oci-rest-contract 4.3): buckets and objects that fit in memory. What does not, or comes in
/// great number: ObjectTransfers. Thread-safe.
class ObjectStorageClient {
 public:
  explicit ObjectStorageClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}

  struct Range {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> last;  // inclusive; absent: to the end
  };
  Result<std::string> getNamespace(const std::stop_token& stop);
  Result<Bucket> getBucket(const std::string& ns, const std::string& bucket, const std::stop_token& stop);
  /// All pages; without the fields that only a single bucket has.
  Result<std::vector<Bucket>> listBuckets(const std::string& ns, const std::string& compartmentId,
                                          const std::stop_token& stop);
  /// AlreadyExists when the namespace has a bucket of that name in the region, in whatever compartment.
  Result<Bucket> createBucket(const std::string& ns, const NewBucket& bucket, const std::stop_token& stop);
  /// Fails while objects or unfinished uploads are in it.
  Result<void> deleteBucket(const std::string& ns, const std::string& bucket, const std::stop_token& stop);

  Result<PutAnswer> putObject(const std::string& ns, const std::string& bucket, const std::string& name,
                              std::string_view bytes, const std::stop_token& stop,
                              const PutOptions& options = {});
  /// The checksum is verified when the whole object comes. `ifMatch`: FailedPrecondition (412) when it is no
  /// longer that one.
  Result<std::string> getObject(const std::string& ns, const std::string& bucket, const std::string& name,
                                const std::optional<Range>& range, const std::stop_token& stop,
                                const std::string& ifMatch = {});
  /// nullopt: it still is the one with `etag`.
  Result<std::optional<std::string>> getObjectUnless(const std::string& ns, const std::string& bucket,
                                                     const std::string& name, const std::string& etag,
                                                     const std::stop_token& stop);
  Result<ObjectHead> headObject(const std::string& ns, const std::string& bucket, const std::string& name,
                                const std::stop_token& stop);
  /// Names, sizes and etags, all pages, in UTF-8 byte order.
  Result<std::vector<ObjectInfo>> listObjects(const std::string& ns, const std::string& bucket,
                                              const std::string& prefix, const std::string& startAfter,
                                              const std::stop_token& stop);
  /// With everything a listing can tell; `byFolder`: what lies deeper than the next '/' after the prefix
  /// shows as one of `prefixes`. All pages.
  Result<ObjectListing> listFolder(const std::string& ns, const std::string& bucket,
                                   const std::string& prefix, bool byFolder, const std::stop_token& stop);
  Result<void> deleteObject(const std::string& ns, const std::string& bucket, const std::string& name,
                            const std::stop_token& stop, const std::string& ifMatch = {});
  /// FailedPrecondition (412) when `isNew` and there is an object of the new name.
  Result<void> renameObject(const std::string& ns, const std::string& bucket, const std::string& from,
                            const std::string& to, bool isNew, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

/// The folder `uri` of a bucket as an ObjectStore.
std::shared_ptr<ObjectStore> openBucketFolder(std::shared_ptr<ServiceClient> services, const WorkDirUri& uri);
/// oci:// or file://; `services` may be null for file://.
Result<std::shared_ptr<ObjectStore>> openWorkDir(std::shared_ptr<ServiceClient> services,
                                                 const std::string& uri);

}  // namespace lockstep::oci

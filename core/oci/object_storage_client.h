// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "oci/service_client.h"
#include "workdir/object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::oci {

/// Object Storage (oci-rest-contract 4.3). Thread-safe.
class ObjectStorageClient {
 public:
  explicit ObjectStorageClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}

  struct Range {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> last;  // inclusive; absent: to the end
  };
  Result<std::string> getNamespace(const std::stop_token& stop);
  Result<nlohmann::json> getBucket(const std::string& ns, const std::string& bucket,
                                   const std::stop_token& stop);
  /// All pages.
  Result<std::vector<nlohmann::json>> listBuckets(const std::string& ns, const std::string& compartmentId,
                                                  const std::stop_token& stop);
  Result<nlohmann::json> createBucket(const std::string& ns, const nlohmann::json& body,
                                      const std::stop_token& stop);
  Result<void> putObject(const std::string& ns, const std::string& bucket, const std::string& name,
                         std::string_view bytes, const std::stop_token& stop);
  Result<std::string> getObject(const std::string& ns, const std::string& bucket, const std::string& name,
                                const std::optional<Range>& range, const std::stop_token& stop);
  Result<std::vector<ObjectInfo>> listObjects(const std::string& ns, const std::string& bucket,
                                              const std::string& prefix, const std::string& startAfter,
                                              const std::stop_token& stop);
  Result<void> deleteObject(const std::string& ns, const std::string& bucket, const std::string& name,
                            const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

/// The folder `uri` of a bucket as an ObjectStore.
std::shared_ptr<ObjectStore> openBucketFolder(std::shared_ptr<ServiceClient> services, const WorkDirUri& uri);
/// oci:// or file://; `services` may be null for file://.
Result<std::shared_ptr<ObjectStore>> openWorkDir(std::shared_ptr<ServiceClient> services,
                                                 const std::string& uri);

}  // namespace lockstep::oci

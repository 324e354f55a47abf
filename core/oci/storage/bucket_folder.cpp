// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <functional>

#include "oci/storage/object_storage_client.h"
#include "workdir/file_object_store.h"

namespace lockstep::oci {
namespace {

class BucketFolder final : public ObjectStore {
 public:
  BucketFolder(std::shared_ptr<ServiceClient> services, WorkDirUri uri)
      : client_(std::move(services)),
        uri_(std::move(uri)),
        folder_(uri_.prefix.empty() ? "" : uri_.prefix + "/") {}

  Result<void> put(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    const auto done = client_.putObject(uri_.nameSpace, uri_.bucket, folder_ + name, bytes, stop);
    if (!done) return failure(naming("write", name)(done.error()));
    return {};
  }

  Result<void> putNew(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    PutOptions options;
    options.isNew = true;
    const auto done = client_.putObject(uri_.nameSpace, uri_.bucket, folder_ + name, bytes, stop, options);
    if (done) return {};
    Error error = naming("write", name)(done.error());
    if (error.service && error.service->httpStatus == 412) error.code = ErrorCode::AlreadyExists;
    return failure(error);
  }

  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    return client_.getObject(uri_.nameSpace, uri_.bucket, folder_ + name, std::nullopt, stop)
        .map_error(naming("read", name));
  }

  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) override {
    const std::string after = startAfter.empty() ? std::string() : folder_ + startAfter;
    auto found = client_.listObjects(uri_.nameSpace, uri_.bucket, folder_ + prefix, after, stop);
    if (!found) return failure(naming("list", prefix)(found.error()));
    // The folder's own marker object, which some tools make, has no name in here.
    std::erase_if(*found, [&](const ObjectInfo& object) { return object.name.size() <= folder_.size(); });
    for (ObjectInfo& object : *found) object.name.erase(0, folder_.size());
    return found;
  }

  Result<void> remove(const std::string& name, const std::stop_token& stop) override {
    return client_.deleteObject(uri_.nameSpace, uri_.bucket, folder_ + name, stop)
        .map_error(naming("remove", name));
  }

  [[nodiscard]] std::string describe() const override { return uri_.toString(); }

 private:
  [[nodiscard]] std::function<Error(Error)> naming(std::string verb, std::string name) const {
    return [what = fmt::format("cannot {} '{}' in the work dir '{}'", verb, name, describe())](Error error) {
      error.cause = error.cause.empty() ? error.what : fmt::format("{}: {}", error.what, error.cause);
      error.what = what;
      return error;
    };
  }

  ObjectStorageClient client_;
  const WorkDirUri uri_;
  const std::string folder_;
};

}  // namespace

std::shared_ptr<ObjectStore> openBucketFolder(std::shared_ptr<ServiceClient> services,
                                              const WorkDirUri& uri) {
  return std::make_shared<BucketFolder>(std::move(services), uri);
}

Result<std::shared_ptr<ObjectStore>> openWorkDir(std::shared_ptr<ServiceClient> services,
                                                 const std::string& uri) {
  const auto parsed = parseWorkDirUri(uri);
  if (!parsed) return failure(parsed.error());
  if (parsed->scheme == WorkDirUri::Scheme::File) return openFolder(parsed->prefix);
  if (services == nullptr) {
    return failure(ErrorCode::FailedPrecondition, fmt::format("cannot open the work dir '{}'", uri),
                   "it is in Object Storage and there is no OCI profile", "choose a profile with --profile");
  }
  return openBucketFolder(std::move(services), *parsed);
}

}  // namespace lockstep::oci

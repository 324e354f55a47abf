// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/registry/distribution_path.h"
#include "rehearsal/registry/registry_store.h"

namespace lockstep::rehearsal {

/// An answer in the registry's own form of errors (oci-rest-contract 5).
[[nodiscard]] Reply dockerError(int status, const char* code, const std::string& message);
/// 401 and where to get a token for that scope.
[[nodiscard]] Reply dockerChallenge(const Call& call, const std::string& scope);

struct LayerUpload {
  std::string id, file;
  std::uint64_t size = 0;
};

/// One request of the distribution protocol, whose caller is known (id empty: nobody). For the time of one
/// call.
class RegistryRequest {
 public:
  RegistryRequest(Database& database, Blobs& blobs, const Call& call, const Principal& caller,
                  const RegistryPath& path)
      : database_(database), blobs_(blobs), call_(call), caller_(caller), path_(path) {}

  Reply run();
  /// Before the body is read: what the caller is told who may not push here.
  std::optional<Reply> refusedUpload();

 private:
  [[nodiscard]] bool is(const char* method) const { return call_.request.method == method; }
  [[nodiscard]] bool isRead() const { return is("GET") || is("HEAD"); }
  [[nodiscard]] Call asCaller(const char* operation) const {
    return Call{call_.request, operation, caller_, call_.now, call_.path, call_.query, call_.visibility};
  }
  [[nodiscard]] std::string root() const { return "/v2/" + path_.nameSpace + "/" + path_.repository; }

  std::optional<Resource> toPull(Session& session) const;
  std::optional<Resource> toPush(Session& session) const;
  Reply refused() const;

  Reply readBlob();
  Reply beginUpload();
  Reply continueUpload();
  Reply finishUpload();
  Reply describeUpload();
  Reply cancelUpload();
  Reply readManifestOf();
  Reply pushManifest();
  Reply removeManifest();
  Reply listTags();

  std::optional<LayerUpload> findUpload(Session& session, const Resource& repository) const;
  Reply uploadReply(int status, const LayerUpload& upload) const;
  Reply blobReply(const std::string& digest) const;
  bool mount(Session& session, const Resource& repository) const;
  std::optional<Reply> append(LayerUpload& upload) const;

  Database& database_;
  Blobs& blobs_;
  const Call& call_;
  const Principal& caller_;
  const RegistryPath& path_;
};

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/registry/distribution_path.h"
#include "rehearsal/registry/registry_store.h"

namespace lockstep::rehearsal {

/// An answer in the registry's own form of errors (oci-rest-contract 5).
[[nodiscard]] Response dockerError(int status, const char* code, const std::string& message);
/// 401 and where to get a token for that scope.
[[nodiscard]] Response dockerChallenge(const Call& call, const std::string& scope);

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

  Response run();
  /// Before the body is read: what the caller is told who may not push here.
  std::optional<Response> refusedUpload();

 private:
  [[nodiscard]] bool is(const char* method) const { return call_.request.method == method; }
  [[nodiscard]] bool isRead() const { return is("GET") || is("HEAD"); }
  [[nodiscard]] Call asCaller(const char* operation) const {
    return Call{call_.request, operation, caller_, call_.now, call_.path, call_.query, call_.visibility};
  }
  [[nodiscard]] std::string root() const { return "/v2/" + path_.nameSpace + "/" + path_.repository; }

  std::optional<Resource> toPull(Transaction& transaction) const;
  std::optional<Resource> toPush(Transaction& transaction) const;
  Response refused() const;

  Response readBlob();
  Response beginUpload();
  Response continueUpload();
  Response finishUpload();
  Response describeUpload();
  Response cancelUpload();
  Response readManifestOf();
  Response pushManifest();
  Response removeManifest();
  Response listTags();

  std::optional<LayerUpload> findUpload(Transaction& transaction, const Resource& repository) const;
  Response uploadResponse(int status, const LayerUpload& upload) const;
  Response blobResponse(const std::string& digest) const;
  bool mount(Transaction& transaction, const Resource& repository) const;
  std::optional<Response> append(LayerUpload& upload) const;

  Database& database_;
  Blobs& blobs_;
  const Call& call_;
  const Principal& caller_;
  const RegistryPath& path_;
};

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "oci/calls/regions.h"

namespace lockstep::oci {

// Names in the container registry (oci-rest-contract 5). Pure.

/// The host that images of a region are named by: "iad.ocir.io"; outside oc1
/// "ocir.uk-gov-london-1.oci.oraclegovcloud.uk".
[[nodiscard]] std::string registryHost(const Region& region);

/// "iad.ocir.io/ns/team/trainer:1" | "…@sha256:…" | both.
struct ImageName {
  std::string host;
  std::string nameSpace;   // the tenancy's Object Storage namespace
  std::string repository;  // may contain '/'
  std::string tag;         // one of tag and digest is there
  std::string digest;      // "sha256:…"
  [[nodiscard]] std::string toString() const;
};
/// InvalidArgument with what is wrong and how to write it.
[[nodiscard]] Result<ImageName> parseImageName(std::string_view text);

/// How the user of an auth token logs in.
enum class AccountKind {
  Local,           // an IAM user or one of the Default identity domain
  Federated,       // with Oracle Identity Cloud Service
  IdentityDomain,  // another identity domain, named
};
/// "ns/jane" | "ns/oracleidentitycloudservice/jane" | "ns/domain/jane"
[[nodiscard]] std::string registryUserName(const std::string& nameSpace, const std::string& userName,
                                           AccountKind kind = AccountKind::Local,
                                           const std::string& domain = {});
/// The user name of a short-lived token.
inline constexpr const char* kTokenUserName = "BEARER_TOKEN";

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lockstep::rehearsal {

/// The region's own corner of the name space: the services stand at the hosts that Oracle's tools make from
/// region metadata (oci-rest-contract 2), below a domain that means this machine (RFC 6761).
inline constexpr const char* kRegionName = "rehearsal";
inline constexpr const char* kRealmDomain = "localhost";

/// "identity.rehearsal.oci.localhost", …
[[nodiscard]] std::vector<std::string> serviceHosts();

/// What the certificate of the region is for: its services, this machine, and every other host that Oracle's
/// tools may make from the metadata ("*.rehearsal.oci.localhost", …), so that a service that is not offered
/// answers with a sentence instead of a TLS error.
[[nodiscard]] std::vector<std::string> certifiedHosts();

/// {"realmKey","realmDomainComponent","regionKey","regionIdentifier"}, ready for OCI_REGION_METADATA. The
/// domain carries the port, since the tools have no other place for it.
[[nodiscard]] nlohmann::json regionMetadata(int httpsPort);

}  // namespace lockstep::rehearsal

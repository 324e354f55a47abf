// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/services/image_name.h"

namespace lockstep {

/// Who logs in to the registry. Users who come from an identity provider have its name before their own, and
/// whoever leaves it out is refused (oci-rest-contract 5).
struct RegistryUser {
  std::string name;  // "jane@example.com", without anything before it
  oci::AccountKind kind = oci::AccountKind::Local;
  std::string domain;  // of AccountKind::IdentityDomain
  bool operator==(const RegistryUser&) const = default;
};

/// Reads a name as Identity shows it or as somebody typed it: "jane", "oracleidentitycloudservice/jane",
/// "Default/jane", "mydomain/jane". The kind and domain given are those of a name without anything before it.
/// Pure.
[[nodiscard]] RegistryUser readRegistryUser(const std::string& text,
                                            oci::AccountKind kind = oci::AccountKind::Local,
                                            const std::string& domain = {});
/// "ns/oracleidentitycloudservice/jane"
[[nodiscard]] std::string loginNameOf(const RegistryUser& user, const std::string& nameSpace);
/// "a local user", "federated with Oracle Identity Cloud Service", "of the identity domain 'x'"
[[nodiscard]] std::string kindText(const RegistryUser& user);
/// The other forms that the same person may have, the likeliest first: what to try when one is refused. Pure.
[[nodiscard]] std::vector<RegistryUser> otherForms(const RegistryUser& user, const std::string& domain);

}  // namespace lockstep

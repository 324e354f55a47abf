// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/registry_user.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

using oci::AccountKind;

constexpr const char* kFederation = "oracleidentitycloudservice";
constexpr const char* kDefaultDomain = "default";  // its users log in as local ones do

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

RegistryUser readRegistryUser(const std::string& text, AccountKind kind, const std::string& domain) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    const bool named = kind == AccountKind::IdentityDomain;
    return {text, named && domain.empty() ? AccountKind::Local : kind, named ? domain : std::string()};
  }
  const std::string before = text.substr(0, slash), name = text.substr(slash + 1);
  if (lower(before) == kFederation) return {name, AccountKind::Federated, {}};
  if (lower(before) == kDefaultDomain) return {name, AccountKind::Local, {}};
  return {name, AccountKind::IdentityDomain, before};
}

std::string loginNameOf(const RegistryUser& user, const std::string& nameSpace) {
  return oci::registryUserName(nameSpace, user.name, user.kind, user.domain);
}

std::string kindText(const RegistryUser& user) {
  switch (user.kind) {
    case AccountKind::Local:
      return "a local user";
    case AccountKind::Federated:
      return "federated with Oracle Identity Cloud Service";
    case AccountKind::IdentityDomain:
      return fmt::format("of the identity domain '{}'", user.domain);
  }
  return {};
}

std::vector<RegistryUser> otherForms(const RegistryUser& user, const std::string& domain) {
  std::vector<RegistryUser> forms{{user.name, AccountKind::Federated, {}},
                                  {user.name, AccountKind::Local, {}}};
  if (!domain.empty()) forms.push_back({user.name, AccountKind::IdentityDomain, domain});
  forms.erase(std::remove(forms.begin(), forms.end(), user), forms.end());
  return forms;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/child_process.h"
#include "base/user_dirs.h"
#include "http/url.h"
#include "oci/signing/config_file.h"
#include "oci/signing/profile_keys.h"

namespace lockstep::oci {
namespace fs = std::filesystem;
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::pair<const char*, SignInKind> kSignIns[] = {
    {"api_key", SignInKind::ApiKey},
    {"security_token", SignInKind::SecurityToken},
    {"instance_principal", SignInKind::InstancePrincipal},
    {"resource_principal", SignInKind::ResourcePrincipal},
    {"instance_obo_user", SignInKind::InstanceDelegation},
};

std::optional<SignInKind> signInNamed(const std::string& name) {
  for (const auto& [text, kind] : kSignIns) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

fs::path homeOf(const Environment& environment) {
  const std::string home = environmentValue(environment, "HOME");
  return home.empty() ? homeDir() : fs::path(home);
}

std::string expanded(const std::string& path, const Environment& environment) {
  if (path == "~") return homeOf(environment).string();
  return path.starts_with("~/") ? (homeOf(environment) / path.substr(2)).string() : path;
}

std::string defaultConfigFile(const Environment& environment) {
  for (const char* name : {"OCI_CLI_CONFIG_FILE", "OCI_CONFIG_FILE"}) {
    if (const std::string file = environmentValue(environment, name); !file.empty()) return file;
  }
  const fs::path usual = homeOf(environment) / ".oci/config";
  const fs::path legacy = homeOf(environment) / ".oraclebmc/config";
  std::error_code ec;
  return (!fs::exists(usual, ec) && fs::exists(legacy, ec) ? legacy : usual).string();
}

std::string defaultProfile(const Environment& environment) {
  if (const std::string name = environmentValue(environment, "OCI_CLI_PROFILE"); !name.empty()) return name;
  const std::string rcFile = environmentValue(environment, "OCI_CLI_RC_FILE");
  const fs::path rc =
      rcFile.empty() ? homeOf(environment) / ".oci/oci_cli_rc" : fs::path(expanded(rcFile, environment));
  // A preference file of another program: when it is absent or odd, the usual name stands.
  const auto file = ConfigFile::read(rc);
  const auto settings = file ? file->profile("OCI_CLI_SETTINGS") : failure(file.error());
  const std::string name = settings ? environmentValue(*settings, "default_profile") : std::string();
  return name.empty() ? "DEFAULT" : name;
}

// OCI_CLI_<NAME> replaces the value of the file, as in the OCI command line.
void applyEnvironment(Values& values, const Environment& environment) {
  static constexpr std::pair<const char*, const char*> kOverrides[] = {
      {"OCI_CLI_USER", "user"},
      {"OCI_CLI_TENANCY", "tenancy"},
      {"OCI_CLI_FINGERPRINT", "fingerprint"},
      {"OCI_CLI_KEY_FILE", "key_file"},
      {"OCI_CLI_KEY_CONTENT", "key_content"},
      {"OCI_CLI_PASSPHRASE", "pass_phrase"},
      {"OCI_CLI_REGION", "region"},
      {"OCI_CLI_SECURITY_TOKEN_FILE", "security_token_file"},
      {"OCI_CLI_DELEGATION_TOKEN_FILE", "delegation_token_file"},
      {"OCI_CLI_FEDERATION_ENDPOINT", "federation_endpoint"},
      {"OCI_CLI_ENDPOINT", kEndpointKey},
      {"OCI_CLI_CERT_BUNDLE", "cert_bundle"},
      {"OCI_CLI_AUTH", "authentication_type"},
  };
  for (const auto& [variable, key] : kOverrides) {
    if (const std::string value = environmentValue(environment, variable); !value.empty())
      values[key] = value;
  }
  if (values["region"].empty()) values["region"] = environmentValue(environment, "OCI_REGION");
}

// Principals that bring all they need with them.
bool signsInWithoutFile(const Environment& environment) {
  const auto kind = signInNamed(environmentValue(environment, "OCI_CLI_AUTH"));
  return kind && *kind != SignInKind::ApiKey && *kind != SignInKind::SecurityToken;
}

Result<Values> valuesOf(const ProfileQuery& query, const ProfileQuery& asked,
                        const Environment& environment) {
  auto file = ConfigFile::read(query.configFile);
  if (!file) {
    // Everything may come from the environment; then there need not be a file.
    const bool fromEnvironment = asked.configFile.empty() && asked.profile.empty() &&
                                 file.error().code == ErrorCode::NotFound &&
                                 (environment.contains("OCI_CLI_TENANCY") || signsInWithoutFile(environment));
    return fromEnvironment ? Result<Values>(Values{}) : failure(file.error());
  }
  return file->profile(query.profile);
}

std::string endpointOf(const Values& values) {
  if (const std::string url = environmentValue(values, kEndpointKey); !url.empty()) return url;
  const std::string old = environmentValue(values, kOldEndpointKey);
  const auto parts = parseUrl(old);
  return parts && parts->isLoopback() ? old : std::string();
}

Profile profileFrom(Values& values, const ProfileQuery& query, const Environment& environment) {
  Profile p;
  p.name = query.profile;
  p.configFile = query.configFile;
  p.tenancy = values["tenancy"];
  p.user = values["user"];
  p.fingerprint = values["fingerprint"];
  p.region = values["region"];
  p.keyFile = expanded(values["key_file"], environment);
  p.keyContent = Secret(std::move(values["key_content"]));
  p.endpoint = endpointOf(values);
  while (p.endpoint.ends_with('/')) p.endpoint.pop_back();
  p.passPhrase = Secret(std::move(values[values["pass_phrase"].empty() ? "passphrase" : "pass_phrase"]));
  p.certificateBundle = expanded(values["cert_bundle"], environment);
  p.delegationTokenFile = expanded(values["delegation_token_file"], environment);
  p.federationEndpoint = values["federation_endpoint"];
  p.passPhrases = query.passPhrases;
  // Both a user and a token: the token, as Python, TypeScript and the command line do; unless an API key is
  // asked for.
  const std::string tokenFile = expanded(values["security_token_file"], environment);
  p.signIn = signInNamed(values["authentication_type"])
                 .value_or(tokenFile.empty() ? SignInKind::ApiKey : SignInKind::SecurityToken);
  if (p.signIn == SignInKind::SecurityToken) p.securityTokenFile = tokenFile;
  if (p.signIn == SignInKind::ResourcePrincipal && p.region.empty())
    p.region = environmentValue(environment, "OCI_RESOURCE_PRINCIPAL_REGION");
  return p;
}

Result<void> checkProfile(const Profile& p, const Values& values) {
  const std::string what =
      fmt::format("the profile '{}' of '{}' cannot be used", p.name, p.configFile.string());
  const std::string kind = environmentValue(values, "authentication_type");
  if (!kind.empty() && !signInNamed(kind)) {
    return failure(ErrorCode::InvalidArgument, what,
                   fmt::format("it signs in with '{}', which is not supported here", kind),
                   "use an API key, a session token, or an instance or resource principal");
  }
  if (p.endpoint.empty()) return {};
  const auto url = parseUrl(p.endpoint);
  if (!url || url->target != "/") {
    return failure(ErrorCode::InvalidArgument, what,
                   fmt::format("{}: {}", kEndpointKey,
                               url ? "it must end after the host and the port" : url.error().cause),
                   "write it like http://127.0.0.1:8080");
  }
  return {};
}

}  // namespace

const char* toString(SignInKind kind) {
  for (const auto& [text, one] : kSignIns) {
    if (one == kind) return text;
  }
  return "";
}

std::vector<std::string> missingKeys(const Profile& p) {
  const bool hasKey = p.signIn == SignInKind::ApiKey || p.signIn == SignInKind::SecurityToken;
  std::vector<std::string> missing;
  const auto want = [&](bool isThere, const char* key) {
    if (!isThere) missing.emplace_back(key);
  };
  if (hasKey) want(!p.tenancy.empty(), "tenancy");
  if (hasKey) want(!p.keyFile.empty() || !p.keyContent.empty(), "key_file");
  if (p.signIn == SignInKind::ApiKey) {
    want(!p.user.empty(), "user");
    want(!p.fingerprint.empty(), "fingerprint");
  }
  if (p.signIn == SignInKind::SecurityToken) want(!p.securityTokenFile.empty(), "security_token_file");
  if (p.signIn == SignInKind::InstanceDelegation)
    want(!p.delegationTokenFile.empty(), "delegation_token_file");
  // A principal knows the region that it is of.
  if (hasKey) want(!p.region.empty() || !p.endpoint.empty(), "region");
  return missing;
}

ProfileQuery resolved(const ProfileQuery& query, const Environment& environment) {
  ProfileQuery full = query;
  if (full.configFile.empty()) full.configFile = defaultConfigFile(environment);
  full.configFile = expanded(full.configFile, environment);
  if (full.profile.empty()) full.profile = defaultProfile(environment);
  return full;
}

ProfileQuery resolved(const ProfileQuery& query) {
  return resolved(query, currentEnvironment());
}

Result<Profile> loadIncomplete(const ProfileQuery& query, const Environment& environment) {
  const ProfileQuery full = resolved(query, environment);
  auto values = valuesOf(full, query, environment);
  if (!values) return failure(values.error());
  applyEnvironment(*values, environment);
  Profile profile = profileFrom(*values, full, environment);
  const auto fine = checkProfile(profile, *values);
  for (auto& [key, value] : *values) wipe(value);
  if (!fine) return failure(fine.error());
  return profile;
}

Result<Profile> loadProfile(const ProfileQuery& query, const Environment& environment) {
  auto profile = loadIncomplete(query, environment);
  const auto missing = profile ? missingKeys(*profile) : std::vector<std::string>();
  if (missing.empty()) return profile;
  const Profile& p = *profile;
  return failure(ErrorCode::InvalidArgument,
                 fmt::format("the profile '{}' of '{}' cannot be used", p.name, p.configFile.string()),
                 fmt::format("missing: {}", fmt::join(missing, ", ")),
                 fmt::format("add {} to [{}] in {}", missing.size() == 1 ? "it" : "them", p.name,
                             p.configFile.string()));
}

Result<Profile> loadProfile(const ProfileQuery& query) {
  return loadProfile(query, currentEnvironment());
}

Result<std::vector<std::string>> profileNames(const ProfileQuery& query) {
  const auto file = ConfigFile::read(resolved(query).configFile);
  if (!file && file.error().code == ErrorCode::NotFound) return std::vector<std::string>();
  if (!file) return failure(file.error());
  std::vector<std::string> names;
  for (const auto& section : file->sections()) names.push_back(section.name);
  return names;
}

bool hasAnyProfile(const ProfileQuery& query) {
  const auto names = profileNames(query);
  // A file that cannot be read is the user's, and using it will say what is wrong with it.
  return !names || !names->empty();
}

}  // namespace lockstep::oci

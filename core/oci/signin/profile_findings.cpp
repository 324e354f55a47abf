// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/calls/regions.h"
#include "oci/signin/profile_findings.h"
#include "oci/signing/private_key.h"
#include "oci/signing/profile.h"
#include "oci/signing/profile_keys.h"
#include "oci/signing/session_token.h"

namespace lockstep::oci {
namespace fs = std::filesystem;
namespace {

using Findings = std::vector<Issue>;

void add(Findings& findings, Severity severity, std::string code, std::string message, std::string remedy) {
  Issue issue;
  issue.severity = severity;
  issue.code = std::move(code);
  issue.message = std::move(message);
  issue.remedy = std::move(remedy);
  findings.push_back(std::move(issue));
}

// "aa:bb:…", 16 pairs.
bool isFingerprint(const std::string& text) {
  if (text.size() != 47) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (i % 3 == 2 ? c != ':' : std::isxdigit(c) == 0) return false;
  }
  return true;
}

void checkMode(Findings& findings, const fs::path& file, const char* code) {
  struct stat info {};
  if (file.empty() || ::stat(file.c_str(), &info) != 0 || (info.st_mode & 077) == 0) return;
  add(findings, Severity::Warning, code,
      fmt::format("'{}' can be read by other users of this machine (mode {:04o})", file.string(),
                  info.st_mode & 07777),
      fmt::format("run: chmod 600 '{}'", file.string()));
}

void checkOcid(Findings& findings, const char* key, const std::string& value, const std::string& kind) {
  if (value.empty() || value.starts_with("ocid1." + kind + ".")) return;
  add(findings, Severity::Warning, "odd-ocid",
      fmt::format("{} is '{}', which is no OCID of a {}", key, value, kind),
      fmt::format("it begins with ocid1.{}.", kind));
}

const char* codeOf(const Error& error, std::string_view pem, const Profile& profile) {
  if (error.code == ErrorCode::NotFound) return "missing-key";
  if (isEncryptedKey(pem)) return profile.passPhrase.empty() ? "pass-phrase-needed" : "wrong-pass-phrase";
  if (pem.find("PUBLIC KEY-----") != std::string::npos) return "public-key";
  return "unusable-key";
}

// What other tools stumble over and we do not.
void checkText(Findings& findings, std::string_view pem) {
  if (pem.find('\r') != std::string::npos) {
    add(findings, Severity::Info, "key-line-ends",
        "the private key has the line ends of Windows (CRLF): fine here, but not for every tool",
        "convert it with: sed -i 's/\\r$//' KEYFILE");
  }
  const std::size_t end = pem.rfind("-----END");
  const std::size_t line = end == std::string::npos ? end : pem.find('\n', end);
  if (line != std::string::npos && pem.find_first_not_of(" \t\r\n", line) != std::string::npos) {
    add(findings, Severity::Info, "key-trailer",
        "after the private key stands another line, as keys from the console have it: it is ignored",
        "remove what follows the END line if another tool refuses the key");
  }
}

// The key when it can be opened without asking anybody.
std::shared_ptr<EVP_PKEY> checkedKey(Findings& findings, const Profile& profile) {
  std::error_code ec;
  if (profile.keyContent.empty() && fs::is_directory(profile.keyFile, ec)) {
    add(findings, Severity::Error, "key-is-folder",
        fmt::format("key_file '{}' is a folder", profile.keyFile.string()),
        "name the .pem file in it in key_file");
    return nullptr;
  }
  auto text = profile.keyContent.empty() ? readFile(profile.keyFile, 1 << 20)
                                         : Result<std::string>(std::string(profile.keyContent.reveal()));
  const Secret pem(text ? *std::move(text) : std::string());
  if (isEncryptedKey(pem.reveal()) && profile.passPhrase.empty() && profile.passPhrases != nullptr) {
    add(findings, Severity::Info, "pass-phrase-asked",
        fmt::format("the private key '{}' is encrypted: its pass phrase will be asked for",
                    profile.keyFile.string()),
        "");
    return nullptr;
  }
  Profile silent = profile;
  silent.passPhrases.reset();
  const auto key = openPrivateKey(silent);
  if (!key) {
    const Error& error = key.error();
    add(findings, Severity::Error, codeOf(error, pem.reveal(), profile),
        fmt::format("{}: {}", error.what, error.cause), error.remedy);
    return nullptr;
  }
  checkText(findings, pem.reveal());
  return *key;
}

void checkKey(Findings& findings, const Profile& profile) {
  const auto key = checkedKey(findings, profile);
  if (key == nullptr) return;
  if (EVP_PKEY_get_bits(key.get()) < 2048) {
    add(findings, Severity::Warning, "short-key",
        fmt::format("the private key has {} bits; OCI wants at least 2048", EVP_PKEY_get_bits(key.get())),
        "make a new API key");
  }
  if (profile.signIn == SignInKind::SecurityToken)
    return;  // a session's key has no fingerprint that a service looks at
  const std::string actual = fingerprintOf(key.get());
  if (profile.fingerprint.empty()) return;  // said already
  if (!isFingerprint(profile.fingerprint)) {
    add(findings, Severity::Error, "malformed-fingerprint",
        fmt::format("fingerprint is '{}', which is not 16 pairs of hex digits with colons",
                    profile.fingerprint),
        fmt::format("write fingerprint={}", actual));
  } else if (actual != profile.fingerprint) {
    add(findings, Severity::Error, "fingerprint-mismatch",
        fmt::format("fingerprint is {}, but the private key has {}", profile.fingerprint, actual),
        fmt::format("write fingerprint={} if that key is uploaded for the user, else correct key_file",
                    actual));
  }
}

void checkToken(Findings& findings, const Profile& profile) {
  if (profile.securityTokenFile.empty()) return;
  const std::string remedy =
      fmt::format("log in with: oci session authenticate --profile-name {}", profile.name);
  const auto text = readFile(profile.securityTokenFile, 1 << 20);
  if (!text) {
    add(findings, Severity::Error, "missing-token",
        fmt::format("cannot read the session token '{}': {}", profile.securityTokenFile.string(),
                    text.error().cause),
        remedy);
    return;
  }
  const std::string token(trimmed(*text));
  const auto expiry = expiryOfToken(token);
  if (!expiry) {
    add(findings, Severity::Error, "odd-token",
        fmt::format("'{}' holds no session token: it is no JWT with an end",
                    profile.securityTokenFile.string()),
        remedy);
  } else if (*expiry < SystemClock().now()) {
    add(findings, Severity::Error, "expired-token",
        fmt::format("the session ended at {}", toRfc3339(*expiry)), remedy);
  }
  const std::string tenant = claimOfToken(token, "tenant");
  if (!tenant.empty() && !profile.tenancy.empty() && tenant != profile.tenancy) {
    add(findings, Severity::Error, "token-of-other-tenancy",
        fmt::format("the session is one of the tenancy '{}', but the profile says '{}'", tenant,
                    profile.tenancy),
        "correct tenancy in the profile, or " + remedy);
  }
}

void checkDelegation(Findings& findings, const Profile& profile) {
  std::error_code ec;
  if (profile.delegationTokenFile.empty() || fs::is_regular_file(profile.delegationTokenFile, ec)) return;
  add(findings, Severity::Error, "missing-delegation-token",
      fmt::format("there is no delegation token '{}'", profile.delegationTokenFile.string()),
      "correct delegation_token_file in the profile");
}

void checkContradictions(Findings& findings, const Profile& profile) {
  if (profile.signIn == SignInKind::SecurityToken && !profile.user.empty()) {
    add(findings, Severity::Warning, "user-and-token",
        "the profile has a user and a security_token_file: the token is used here, while Oracle's Go SDK "
        "takes the user",
        "remove user, or security_token_file; or set authentication_type");
  }
}

void checkCertificates(Findings& findings, const Profile& profile) {
  std::error_code ec;
  if (profile.certificateBundle.empty() || fs::is_regular_file(profile.certificateBundle, ec)) return;
  add(findings, Severity::Error, "missing-cert-bundle",
      fmt::format("cert_bundle '{}' is no file", profile.certificateBundle),
      "name the PEM file of the authorities to trust, or remove cert_bundle");
}

void checkPlace(Findings& findings, const Profile& profile) {
  if (!profile.endpoint.empty()) {
    const auto url = parseUrl(profile.endpoint);
    if (url && url->scheme == "http" && !url->isLoopback()) {
      add(findings, Severity::Warning, "plain-http",
          fmt::format("endpoint {} sends everything unencrypted", profile.endpoint), "use https");
    }
    return;
  }
  if (profile.region.empty() || findRegion(profile.region) || profile.region.find('.') != std::string::npos)
    return;
  const auto region = regionFor(profile.region, currentEnvironment());
  add(findings, Severity::Warning, "unknown-region",
      fmt::format("the region '{}' is not known here; its services are looked for at {}", profile.region,
                  serviceUrl(Service::DataScience, region)),
      "check the spelling; for a region of another realm set OCI_REGION_METADATA or OCI_DEFAULT_REALM");
}

const char* meaningOf(const std::string& key) {
  static const std::map<std::string, const char*> kMeanings{
      {"tenancy", "the OCID of your tenancy: console, Profile, Tenancy"},
      {"user", "the OCID of your user: console, Profile, My profile"},
      {"fingerprint", "of the API key, as the console shows it under My profile, API keys"},
      {"key_file", "the path of the API key's private .pem file"},
      {"region", "such as us-ashburn-1"},
      {"security_token_file", "which 'oci session authenticate' writes"},
      {"delegation_token_file", "the path of the token that the user gave"},
  };
  const auto found = kMeanings.find(key);
  return found == kMeanings.end() ? "" : found->second;
}

void checkMissing(Findings& findings, const Profile& profile) {
  for (const std::string& key : missingKeys(profile)) {
    add(findings, Severity::Error, "missing-" + key,
        fmt::format("the profile '{}' of '{}' has no {}", profile.name, profile.configFile.string(), key),
        fmt::format("add {}=… to [{}]: {}", key, profile.name, meaningOf(key)));
  }
}

}  // namespace

std::vector<Issue> explainProfile(const Profile& profile) {
  Findings findings;
  const bool hasKey = !profile.keyFile.empty() || !profile.keyContent.empty();
  const bool usesKey = profile.signIn == SignInKind::ApiKey || profile.signIn == SignInKind::SecurityToken;
  checkMissing(findings, profile);
  if (usesKey && hasKey) checkKey(findings, profile);
  checkToken(findings, profile);
  checkDelegation(findings, profile);
  checkContradictions(findings, profile);
  checkOcid(findings, "tenancy", profile.tenancy, "tenancy");
  checkOcid(findings, "user", profile.user, "user");
  checkPlace(findings, profile);
  checkCertificates(findings, profile);
  checkMode(findings, profile.configFile, "readable-config");
  if (usesKey && profile.keyContent.empty()) checkMode(findings, profile.keyFile, "readable-key");
  checkMode(findings, profile.securityTokenFile, "readable-token");
  checkMode(findings, profile.delegationTokenFile, "readable-token");
  return findings;
}

std::vector<Issue> explainProfile(const ProfileQuery& query, const Environment& environment) {
  const auto profile = loadIncomplete(query, environment);
  if (profile) return explainProfile(*profile);
  const Error& error = profile.error();
  Findings findings;
  add(findings, Severity::Error, error.code == ErrorCode::NotFound ? "missing-profile" : "unusable-profile",
      (error.where.empty() ? "" : error.where + ": ") + error.what +
          (error.cause.empty() ? "" : ": " + error.cause),
      error.remedy);
  return findings;
}

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/private_key.h"
#include "oci/profile.h"
#include "oci/regions.h"
#include "oci/session_token.h"

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

void checkKey(Findings& findings, const Profile& profile) {
  const auto key = profile.keyContent.empty() ? readPrivateKey(profile.keyFile.string(), profile.passPhrase)
                                              : parsePrivateKey(profile.keyContent.reveal(),
                                                                profile.passPhrase, "in OCI_CLI_KEY_CONTENT");
  if (!key) {
    const Status& status = key.error();
    const char* code = status.code == StatusCode::NotFound ? "missing-key" : "unusable-key";
    add(findings, Severity::Error, code, fmt::format("{}: {}", status.what, status.cause), status.remedy);
    return;
  }
  if (EVP_PKEY_get_bits(key->get()) < 2048) {
    add(findings, Severity::Warning, "short-key",
        fmt::format("the private key has {} bits; OCI wants at least 2048", EVP_PKEY_get_bits(key->get())),
        "make a new API key");
  }
  if (!profile.securityTokenFile.empty())
    return;  // a session's key has no fingerprint that a service looks at
  const std::string actual = fingerprintOf(key->get());
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
  const auto expiry = expiryOfToken(trimmedToken(*text));
  if (expiry && *expiry < SystemClock().now()) {
    add(findings, Severity::Error, "expired-token",
        fmt::format("the session ended at {}", toRfc3339(*expiry)), remedy);
  }
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
  if (findRegion(profile.region) || profile.region.find('.') != std::string::npos) return;
  const auto region = regionFor(profile.region, currentEnvironment());
  add(findings, Severity::Warning, "unknown-region",
      fmt::format("the region '{}' is not known here; its services are looked for at {}", profile.region,
                  serviceUrl(Service::DataScience, region)),
      "check the spelling; for a region of another realm set OCI_REGION_METADATA or OCI_DEFAULT_REALM");
}

}  // namespace

std::vector<Issue> explainProfile(const Profile& profile) {
  Findings findings;
  checkKey(findings, profile);
  checkToken(findings, profile);
  checkOcid(findings, "tenancy", profile.tenancy, "tenancy");
  checkOcid(findings, "user", profile.user, "user");
  checkPlace(findings, profile);
  checkMode(findings, profile.configFile, "readable-config");
  if (profile.keyContent.empty()) checkMode(findings, profile.keyFile, "readable-key");
  checkMode(findings, profile.securityTokenFile, "readable-token");
  return findings;
}

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
// Fixes of a profile that is there.
#include "setup/auth/auth_fixes.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "oci/signing/private_key.h"
#include "setup/auth/auth_session.h"
#include "setup/auth/profile_writer.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

using Changes = std::vector<AppliedChange>;
using nlohmann::json;

constexpr std::size_t kMaxKeys = 50;  // that are looked through for the one that fits

std::optional<mode_t> modeOf(const fs::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return std::nullopt;
  return info.st_mode & 07777;
}

std::string modeText(const fs::path& file, mode_t mode) {
  return fmt::format("{:04o} {}\n", mode, file.string());
}

Result<Changes> closeFile(const AuthSituation& situation, const fs::path& file, mode_t before, mode_t after) {
  const auto now = modeOf(file);
  if (now != before)
    return failure(ErrorCode::FailedPrecondition, fmt::format("'{}' has changed meanwhile", file.string()),
                   {}, "check again");
  if (::chmod(file.c_str(), after) != 0)
    return failure(errnoError(fmt::format("cannot change the mode of '{}'", file.string()), errno,
                              "its owner may: sudo chmod 600"));
  return Changes{authChange(situation, "mode", fmt::format("closed '{}' to others", file.string()),
                            {{"file", file.string()}, {"before", before}, {"after", after}})};
}

std::optional<ProposedFix> modeFix(const AuthSituation& situation, const char* id, const fs::path& file) {
  const auto before = modeOf(file);
  if (file.empty() || !before || (*before & 077) == 0) return std::nullopt;
  const mode_t after = *before & ~static_cast<mode_t>(077);
  ProposedFix fix;
  fix.id = id;
  fix.title = fmt::format("close '{}' to other users", file.string());
  fix.before = modeText(file, *before);
  fix.after = modeText(file, after);
  fix.calls = {fmt::format("chmod {:o} '{}'", after, file.string())};
  fix.apply = [situation, file, before = *before, after](const std::stop_token&) {
    return closeFile(situation, file, before, after);
  };
  return fix;
}

/// The section as it stands, and as it would be.
std::optional<ProposedFix> valueFix(const AuthSituation& situation, const std::string& id,
                                    const std::string& title, const std::string& key,
                                    const std::string& value) {
  const std::string& name = situation.query.profile;
  const auto text = readConfigText(situation.query.configFile);
  const auto edited = text ? withValue(*text, name, key, value) : failure(text.error());
  if (!edited) return std::nullopt;
  ProposedFix fix;
  fix.id = id;
  fix.title = title;
  fix.before = shownProfile(*text, name);
  fix.after = shownProfile(*edited, name);
  fix.calls = {fmt::format("write {}", situation.query.configFile)};
  fix.apply = [situation, key, value, title, shown = fix.before](const std::stop_token&) -> Result<Changes> {
    auto change = setProfileValues(situation, shown, {{key, value}}, title);
    if (!change) return failure(change.error());
    return Changes{*std::move(change)};
  };
  return fix;
}

// Without asking anybody for a pass phrase.
std::string fingerprintOfKey(oci::Profile profile) {
  profile.passPhrases.reset();
  const auto key = oci::openPrivateKey(profile);
  return key ? oci::fingerprintOf(key->get()) : std::string();
}

// Another key beside the config file or the key that is named: moved or renamed.
fs::path keyWithFingerprint(const oci::Profile& profile) {
  std::set<fs::path> folders{profile.configFile.parent_path(), profile.keyFile.parent_path()};
  std::size_t looked = 0;
  for (const fs::path& folder : folders) {
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
      if (!entry.is_regular_file(ec) || entry.path().extension() != ".pem" || ++looked > kMaxKeys) continue;
      oci::Profile other = profile;
      other.keyFile = entry.path();
      if (fingerprintOfKey(std::move(other)) == profile.fingerprint) return entry.path();
    }
  }
  return {};
}

bool isSet(const AuthSituation& situation, const char* variable) {
  const auto found = situation.context->environment().find(variable);
  return found != situation.context->environment().end() && !found->second.empty();
}

// The key is right and the fingerprint wrong, or the other way round.
std::optional<ProposedFix> keyFix(const AuthSituation& situation) {
  const oci::Profile& profile = *situation.profile;
  if (profile.signIn != oci::SignInKind::ApiKey || !profile.keyContent.empty()) return std::nullopt;
  if (isSet(situation, "OCI_CLI_FINGERPRINT") || isSet(situation, "OCI_CLI_KEY_FILE")) return std::nullopt;
  const bool mismatch = situation.has("fingerprint-mismatch");
  const bool unclear = situation.has("missing-fingerprint") || situation.has("malformed-fingerprint");
  if (mismatch || situation.has("missing-key") || situation.has("key-is-folder")) {
    if (const fs::path other = keyWithFingerprint(profile); !other.empty())
      return valueFix(
          situation, "use-key-of-fingerprint",
          fmt::format("use the key '{}', which has the fingerprint of the profile", other.string()),
          "key_file", other.string());
  }
  if (!mismatch && !unclear) return std::nullopt;
  const std::string actual = fingerprintOfKey(profile);
  if (actual.empty()) return std::nullopt;
  return valueFix(situation, "correct-fingerprint",
                  fmt::format("write the key's own fingerprint, {}", actual), "fingerprint", actual);
}

}  // namespace

bool AuthSituation::has(const std::string& code) const {
  return std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) { return issue.code == code; });
}

AppliedChange authChange(const AuthSituation& situation, std::string kind, std::string title, json undo) {
  AppliedChange change;
  change.stepId = "auth";
  change.profile = situation.query.profile;
  change.title = std::move(title);
  change.kind = std::move(kind);
  change.undo = std::move(undo);
  return change;
}

Result<AppliedChange> setProfileValues(const AuthSituation& situation, const std::string& shown,
                                       const std::vector<std::pair<std::string, std::string>>& values,
                                       const std::string& title) {
  const std::string& name = situation.query.profile;
  json before = json::object(), after = json::object();
  const auto done =
      editConfig(situation.query.configFile, [&](const std::string& text) -> Result<std::string> {
        if (shownProfile(text, name) != shown)
          return failure(ErrorCode::FailedPrecondition,
                         fmt::format("the profile '{}' has changed meanwhile", name), {}, "check again");
        const auto own = ownValues(text, name).value_or(std::map<std::string, std::string>());
        std::string edited = text;
        for (const auto& [key, value] : values) {
          const auto was = own.find(key);
          before[key] = was == own.end() ? json() : json(was->second);
          after[key] = value;
          auto next = withValue(edited, name, key, value);
          if (!next) return next;
          edited = *std::move(next);
        }
        return edited;
      });
  if (!done) return failure(done.error());
  return authChange(
      situation, "config-values", title,
      {{"configFile", situation.query.configFile}, {"profile", name}, {"before", before}, {"after", after}});
}

std::vector<ProposedFix> profileFixes(const AuthSituation& situation) {
  std::vector<ProposedFix> fixes;
  const auto add = [&](std::optional<ProposedFix> fix) {
    if (fix) fixes.push_back(*std::move(fix));
  };
  if (!situation.profile) return fixes;
  const oci::Profile& profile = *situation.profile;
  add(modeFix(situation, "close-config", profile.configFile));
  if (profile.keyContent.empty()) add(modeFix(situation, "close-key", profile.keyFile));
  add(modeFix(situation, "close-token", profile.securityTokenFile));
  add(modeFix(situation, "close-delegation-token", profile.delegationTokenFile));
  add(keyFix(situation));
  add(sessionFix(situation));
  return fixes;
}

}  // namespace lockstep

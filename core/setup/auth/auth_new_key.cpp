// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles and keys that are made here.
#include "setup/auth/auth_new_key.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "oci/services/identity_client.h"
#include "oci/signing/private_key.h"
#include "oci/signing/profile_keys.h"
#include "setup/auth/key_pair.h"
#include "setup/auth/profile_writer.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

using Changes = std::vector<AppliedChange>;
using nlohmann::json;

constexpr int kMaxKeepers = 3;
constexpr std::size_t kMaxApiKeys = 3;  // of one user (oci-rest-contract 7)
constexpr const char* kWhereToPaste =
    "in the console under My profile, API keys, Add API key, Paste a public key";

/// Where a new key pair goes.
struct KeyFiles {
  fs::path privateFile, publicFile;
};

fs::path publicFileOf(const fs::path& privateFile) {
  return privateFile.parent_path() / (privateFile.stem().string() + "_public.pem");
}

// "lockstep_<profile>.pem" beside the config file, with a number where that is taken.
KeyFiles freeKeyFiles(const oci::ProfileQuery& query) {
  std::string name = "lockstep_";
  for (const char c : query.profile)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(c)) : '_';
  const fs::path folder = fs::absolute(query.configFile).parent_path();
  for (int i = 1;; ++i) {
    const fs::path file = folder / (name + (i == 1 ? "" : "_" + std::to_string(i)) + ".pem");
    std::error_code ec;
    if (!fs::exists(fs::symlink_status(file, ec)) && !fs::exists(fs::symlink_status(publicFileOf(file), ec)))
      return {file, publicFileOf(file)};
  }
}

Result<void> writeKeys(const KeyFiles& files, const KeyPair& keys) {
  if (auto done = writeNewFile(files.privateFile, keys.privatePem.reveal(), 0600); !done) return done;
  auto done = writeNewFile(files.publicFile, keys.publicPem, 0600);
  if (!done) ::unlink(files.privateFile.c_str());
  return done;
}

void removeKeys(const KeyFiles& files) {
  ::unlink(files.privateFile.c_str());
  ::unlink(files.publicFile.c_str());
}

std::string pasteText(const KeyPair& keys) {
  return fmt::format("\n# public key, to paste {}:\n{}", kWhereToPaste, keys.publicPem);
}

AppliedChange uploadedChange(const AuthSituation& situation, const std::string& user,
                             const std::string& fingerprint, const std::string& by) {
  return authChange(situation, "api-key-uploaded", fmt::format("uploaded the API key {}", fingerprint),
                    {{"configFile", situation.query.configFile},
                     {"by", by},
                     {"userId", user},
                     {"fingerprint", fingerprint}});
}

Result<AppliedChange> upload(const AuthSituation& situation, const KeyKeeper& keeper,
                             const std::string& tenancy, const std::string& user,
                             const std::string& publicPem, const std::stop_token& stop) {
  oci::IdentityClient identity(keeper.services, tenancy);
  const auto key = identity.uploadApiKey(user, publicPem, oci::newRetryToken(), stop);
  if (!key) return failure(key.error());
  return uploadedChange(situation, user, key->fingerprint, keeper.profile);
}

std::string uploadCall(const std::string& user, const KeyKeeper& keeper) {
  return fmt::format("UploadApiKey POST /20160918/users/{}/apiKeys/ (with the profile '{}')", user,
                     keeper.profile);
}

bool hasRoom(const std::optional<KeyKeeper>& keeper) {
  return keeper && keeper->fingerprints.size() < kMaxApiKeys;
}

/// A new profile at work.
struct NewProfile {
  AuthSituation situation;
  ProfileValues values;
  KeyPair keys;
  KeyFiles files;
  std::optional<KeyKeeper> keeper;

  [[nodiscard]] std::string text() const {
    return withProfile("", situation.query.profile, values).value_or("");
  }

  Result<Changes> apply(const std::stop_token& stop) const {
    const std::string& configFile = situation.query.configFile;
    const std::string& name = situation.query.profile;
    if (auto written = writeKeys(files, keys); !written) return failure(written.error());
    const auto done =
        editConfig(configFile, [&](const std::string& old) { return withProfile(old, name, values); });
    if (!done) {
      removeKeys(files);
      return failure(done.error());
    }
    Changes changes{authChange(
        situation, "profile-created", fmt::format("created the profile '{}' in {}", name, configFile),
        {{"configFile", configFile},
         {"profile", name},
         {"values", json(std::map<std::string, std::string>(values.begin(), values.end()))},
         {"privateFile", files.privateFile.string()},
         {"publicFile", files.publicFile.string()},
         {"fingerprint", keys.fingerprint}})};
    if (!hasRoom(keeper)) return changes;
    // When it fails, the next check says so and proposes it again; the profile is good all the same.
    const SetupChoices& choices = situation.context->choices();
    auto uploaded = upload(situation, *keeper, choices.newTenancy, choices.newUser, keys.publicPem, stop);
    if (uploaded) changes.push_back(*std::move(uploaded));
    return changes;
  }
};

// A rehearsal region, say: a profile of the same tenancy has to go the same way.
std::string endpointOf(const std::optional<KeyKeeper>& keeper) {
  return keeper ? keeper->services->setup().endpoint : std::string();
}

oci::Profile silent(oci::Profile profile) {
  profile.passPhrases.reset();
  return profile;
}

ProposedFix uploadFix(const AuthSituation& situation, const KeyKeeper& keeper, const std::string& publicPem) {
  const oci::Profile& profile = *situation.profile;
  ProposedFix fix;
  fix.id = "upload-key";
  fix.title = fmt::format("upload the public key of the profile with the profile '{}'", keeper.profile);
  for (const std::string& known : keeper.fingerprints) fix.before += known + "\n";
  fix.after = fix.before + profile.fingerprint + "\n\n" + publicPem;
  fix.calls = {uploadCall(profile.user, keeper)};
  fix.apply = [situation, keeper, publicPem](const std::stop_token& stop) -> Result<Changes> {
    const oci::Profile& own = *situation.profile;
    auto change = upload(situation, keeper, own.tenancy, own.user, publicPem, stop);
    if (!change) return failure(change.error());
    return Changes{*std::move(change)};
  };
  return fix;
}

ProposedFix writePublicFix(const AuthSituation& situation, const fs::path& file,
                           const std::string& publicPem) {
  ProposedFix fix;
  fix.id = "write-public-key";
  fix.title = fmt::format("write the public key to '{}'", file.string());
  fix.after = fmt::format("# to paste {}:\n{}", kWhereToPaste, publicPem);
  fix.calls = {"write " + file.string()};
  fix.apply = [situation, file, publicPem](const std::stop_token&) -> Result<Changes> {
    if (auto done = writeNewFile(file, publicPem, 0600); !done) return failure(done.error());
    return Changes{authChange(situation, "file-written", fmt::format("wrote '{}'", file.string()),
                              {{"file", file.string()}, {"text", publicPem}})};
  };
  return fix;
}

}  // namespace

std::optional<KeyKeeper> findKeyKeeper(const AuthSituation& situation, const std::string& tenancy,
                                       const std::string& user, const std::stop_token& stop) {
  const auto names = oci::profileNames(situation.query);
  int asked = 0;
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    if (name == situation.query.profile) continue;
    const auto profile = oci::loadProfile({situation.query.configFile, name, nullptr});
    if (!profile || profile->tenancy != tenancy || ++asked > kMaxKeepers) continue;
    const auto services = openForCheck(silent(*profile));
    if (!services) continue;
    const auto keys = oci::IdentityClient(*services, tenancy).listApiKeys(user, stop);
    if (!keys) continue;
    KeyKeeper keeper{name, *services, {}};
    for (const oci::ApiKeyInfo& key : *keys) keeper.fingerprints.push_back(key.fingerprint);
    return keeper;
  }
  return std::nullopt;
}

std::optional<ProposedFix> createProfileFix(const AuthSituation& situation, const std::stop_token& stop) {
  const SetupChoices& choices = situation.context->choices();
  if (choices.newTenancy.empty() || choices.newUser.empty() || choices.newRegion.empty()) return std::nullopt;
  auto keys = makeKeyPair();
  if (!keys) return std::nullopt;
  const auto work = std::make_shared<NewProfile>(
      NewProfile{situation,
                 {},
                 *std::move(keys),
                 freeKeyFiles(situation.query),
                 findKeyKeeper(situation, choices.newTenancy, choices.newUser, stop)});
  work->values = {{"user", choices.newUser},
                  {"fingerprint", work->keys.fingerprint},
                  {"tenancy", choices.newTenancy},
                  {"region", choices.newRegion},
                  {"key_file", work->files.privateFile.string()}};
  if (const std::string endpoint = endpointOf(work->keeper); !endpoint.empty())
    work->values.emplace_back(oci::kEndpointKey, endpoint);
  ProposedFix fix;
  fix.id = "create-profile";
  fix.title = fmt::format("create the profile '{}' with a new API key", situation.query.profile);
  fix.after = work->text() + pasteText(work->keys);
  fix.calls = {"write " + work->files.privateFile.string(), "write " + work->files.publicFile.string(),
               "write " + situation.query.configFile};
  if (hasRoom(work->keeper)) fix.calls.push_back(uploadCall(choices.newUser, *work->keeper));
  fix.apply = [work](const std::stop_token& token) { return work->apply(token); };
  return fix;
}

std::optional<ProposedFix> newKeyFix(const AuthSituation& situation) {
  if (!situation.profile || situation.profile->signIn != oci::SignInKind::ApiKey) return std::nullopt;
  const auto text = readConfigText(situation.query.configFile);
  const std::string shown = text ? shownProfile(*text, situation.query.profile) : std::string();
  auto keys = shown.empty() ? failure(ErrorCode::NotFound, "no profile") : makeKeyPair();
  if (!keys) return std::nullopt;
  const KeyFiles files = freeKeyFiles(situation.query);
  const auto pair = std::make_shared<KeyPair>(*std::move(keys));
  const ProfileValues values{{"key_file", files.privateFile.string()}, {"fingerprint", pair->fingerprint}};
  std::string edited = *text;
  for (const auto& [key, value] : values)
    edited = withValue(edited, situation.query.profile, key, value).value_or(edited);
  ProposedFix fix;
  fix.id = "new-key";
  fix.title = "make another API key for the profile";
  fix.needsPerson = true;  // it works only once it is uploaded, and the old key may only be out of reach
  fix.before = shown;
  fix.after = shownProfile(edited, situation.query.profile) + pasteText(*pair);
  fix.calls = {"write " + files.privateFile.string(), "write " + files.publicFile.string(),
               "write " + situation.query.configFile};
  fix.apply = [situation, pair, files, shown, values](const std::stop_token&) -> Result<Changes> {
    if (auto written = writeKeys(files, *pair); !written) return failure(written.error());
    auto change = setProfileValues(situation, shown, values, "made another API key for the profile");
    if (!change) {
      removeKeys(files);
      return failure(change.error());
    }
    change->kind = "key-made";
    change->undo["privateFile"] = files.privateFile.string();
    change->undo["publicFile"] = files.publicFile.string();
    change->undo["fingerprint"] = pair->fingerprint;
    return Changes{*std::move(change)};
  };
  return fix;
}

std::optional<ProposedFix> publishKeyFix(const AuthSituation& situation,
                                         const std::optional<KeyKeeper>& keeper) {
  if (!situation.profile || !situation.profile->keyContent.empty()) return std::nullopt;
  const auto key = oci::openPrivateKey(silent(*situation.profile));
  const auto publicPem = key ? publicPemOf(key->get()) : failure(key.error());
  if (!publicPem) return std::nullopt;
  if (hasRoom(keeper)) return uploadFix(situation, *keeper, *publicPem);
  const fs::path file = publicFileOf(situation.profile->keyFile);
  std::error_code ec;
  if (fs::exists(fs::symlink_status(file, ec))) return std::nullopt;
  return writePublicFix(situation, file, *publicPem);
}

}  // namespace lockstep

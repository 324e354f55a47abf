// SPDX-License-Identifier: GPL-3.0-or-later
// What the fixes of the step "auth" have done, undone: only where it still is as they left it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/text/encoding.h"
#include "oci/services/identity_client.h"
#include "oci/signing/private_key.h"
#include "setup/auth/auth_new_key.h"
#include "setup/auth/profile_writer.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using nlohmann::json;

tl::unexpected<Error> changedSince(const std::string& what) {
  return failure(ErrorCode::FailedPrecondition, fmt::format("{} has been changed since", what),
                 "it is not as it was left", "change it back by hand if that is what you want");
}

std::string text(const json& undo, const char* key) {
  return undo.is_object() ? undo.value(key, "") : std::string();
}

Result<void> restoreMode(const json& undo) {
  const std::string file = text(undo, "file");
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0 || (info.st_mode & 07777) != undo.value("after", 0U))
    return changedSince(fmt::format("the mode of '{}'", file));
  if (::chmod(file.c_str(), undo.value("before", 0600U)) == 0) return {};
  return failure(errnoError(fmt::format("cannot change the mode of '{}'", file), errno));
}

// Null: there was none.
std::optional<std::string> valueOf(const json& value) {
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

Result<void> restoreValues(const json& undo) {
  const std::string profile = text(undo, "profile");
  return editConfig(text(undo, "configFile"), [&](const std::string& whole) -> Result<std::string> {
    const auto own = ownValues(whole, profile);
    std::string edited = whole;
    const json after = undo.value("after", json::object());
    for (const auto& [key, left] : after.items()) {
      const auto now = own ? own->find(key) : decltype(own->end()){};
      if (!own || now == own->end() || now->second != left)
        return changedSince(fmt::format("{} of the profile '{}'", key, profile));
      auto next = withValue(edited, profile, key, valueOf(undo["before"][key]));
      if (!next) return next;
      edited = *std::move(next);
    }
    return edited;
  });
}

// Only the key that was made here, not one that somebody has put in its place.
void removeKeyFiles(const json& undo) {
  const auto key = oci::readPrivateKey(text(undo, "privateFile"), Secret());
  if (!key || oci::fingerprintOf(key->get()) != text(undo, "fingerprint")) return;
  ::unlink(text(undo, "privateFile").c_str());
  ::unlink(text(undo, "publicFile").c_str());
}

Result<void> removeProfile(const json& undo) {
  const std::string profile = text(undo, "profile");
  const auto done =
      editConfig(text(undo, "configFile"), [&](const std::string& whole) -> Result<std::string> {
        const auto own = ownValues(whole, profile);
        if (!own) return whole;
        if (json(*own) != undo.value("values", json::object()))
          return changedSince(fmt::format("the profile '{}'", profile));
        return withoutProfile(whole, profile);
      });
  if (done) removeKeyFiles(undo);
  return done;
}

Result<void> removeFile(const json& undo) {
  const std::string file = text(undo, "file");
  const auto now = readFile(file, 1 << 20);
  if (!now && now.error().code == ErrorCode::NotFound) return {};
  if (!now || *now != text(undo, "text")) return changedSince(fmt::format("'{}'", file));
  if (::unlink(file.c_str()) == 0) return {};
  return failure(errnoError(fmt::format("cannot remove '{}'", file), errno));
}

Result<void> deleteKey(const SetupContext& context, const json& undo, const std::stop_token& stop) {
  const auto profile =
      oci::loadProfile({text(undo, "configFile"), text(undo, "by"), context.query().passPhrases});
  if (!profile) return failure(profile.error());
  const auto services = openForCheck(*profile);
  if (!services) return failure(services.error());
  const auto home = oci::inHomeRegion(*services, profile->tenancy, stop);
  if (!home) return failure(home.error());
  oci::ServiceCall call;
  call.service = oci::Service::Identity;
  call.operation = "DeleteApiKey";
  call.method = "DELETE";
  call.path = fmt::format("/20160918/users/{}/apiKeys/{}", percentEncode(text(undo, "userId")),
                          percentEncode(text(undo, "fingerprint")));
  const auto done = (*home)->call(call, stop);
  if (!done && done.error().code != ErrorCode::NotFound) return failure(done.error());
  return {};
}

}  // namespace

Result<void> takeAuthBack(const SetupContext& context, const AppliedChange& change,
                          const std::stop_token& stop) {
  if (change.kind == "mode") return restoreMode(change.undo);
  if (change.kind == "config-values") return restoreValues(change.undo);
  if (change.kind == "profile-created") return removeProfile(change.undo);
  if (change.kind == "file-written") return removeFile(change.undo);
  if (change.kind == "api-key-uploaded") return deleteKey(context, change.undo, stop);
  if (change.kind == "key-made") {
    auto done = restoreValues(change.undo);
    if (done) removeKeyFiles(change.undo);
    return done;
  }
  return failure(ErrorCode::InvalidArgument, fmt::format("cannot take back '{}'", change.title),
                 fmt::format("no change of the kind '{}' is known here", change.kind));
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_profile.h"

namespace lockstep {

std::optional<RehearsalOptions> rehearsalOf(const oci::ProfileQuery& query) {
  const oci::ProfileQuery chosen = oci::resolved(query);
  if (chosen.profile != kRehearsalProfile) return std::nullopt;
  RehearsalOptions options;
  options.configFile = chosen.configFile;
  const auto profile = oci::loadProfile(chosen);
  if (!profile || profile->endpoint.empty()) return options;
  const std::filesystem::path folder = profile->keyFile.parent_path();
  std::error_code none;
  if (!std::filesystem::exists(folder / "region.json", none)) return std::nullopt;
  options.stateDir = folder;
  return options;
}

RehearsalOptions rehearsalFor(const oci::ProfileQuery& query) {
  oci::ProfileQuery written = oci::resolved(query);
  if (auto own = rehearsalOf(written)) return *std::move(own);
  written.profile = kRehearsalProfile;
  RehearsalOptions fresh;
  fresh.configFile = written.configFile;
  return rehearsalOf(written).value_or(fresh);
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/profiles.h"

#include <algorithm>
#include <filesystem>

#include "launch/rehearsal_profile.h"
#include "oci/signing/config_file.h"

namespace lockstep {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string choice(const ProfileList& list, const oci::ProfileQuery& wanted) {
  const std::string& usual = list.chosen.profile;
  if (!wanted.profile.empty() || has(list.names, usual) || list.names.empty()) return usual;
  return has(list.names, kRehearsalProfile) ? kRehearsalProfile : list.names.front();
}

}  // namespace

ProfileList readProfiles(const oci::ProfileQuery& wanted) {
  ProfileList list;
  list.chosen = oci::resolved(wanted);
  std::error_code error;
  if (!std::filesystem::exists(list.chosen.configFile, error)) return list;
  const auto file = oci::ConfigFile::read(list.chosen.configFile);
  if (!file) {
    list.problem = file.error();
    return list;
  }
  for (const auto& section : file->sections()) list.names.push_back(section.name);
  list.chosen.profile = choice(list, wanted);
  const auto profile = oci::loadProfile(list.chosen);
  if (!profile) {
    list.problem = profile.error();
    return list;
  }
  list.region = profile->region;
  list.user = profile->user;
  list.endpoint = profile->endpoint;
  list.isRehearsal = rehearsalOf(list.chosen).has_value();
  return list;
}

}  // namespace lockstep

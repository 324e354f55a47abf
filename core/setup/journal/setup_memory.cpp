// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/journal/setup_memory.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "base/user_dirs.h"
#include "setup/journal/exclusive_file.h"
#include "setup/journal/setup_memory_json.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr mode_t kOwnerOnly = 0600;

// One entry for each profile of each config file, as the tools would find it.
std::string keyOf(const oci::ProfileQuery& query) {
  const oci::ProfileQuery whole = oci::resolved(query);
  return whole.configFile + "#" + whole.profile;
}

// null: nothing that can be used.
json readDocument(const std::filesystem::path& file) {
  const auto text = readFile(file);
  if (!text) return nullptr;
  json document = json::parse(*text, nullptr, false);
  const bool usable =
      document.is_object() && document.contains("profiles") && document["profiles"].is_object();
  return usable ? document : json(nullptr);
}

// What cannot be read may be another version's, or somebody's handiwork: it is not thrown away.
void keepAside(const std::filesystem::path& file) {
  std::error_code ec;
  if (std::filesystem::exists(file, ec)) std::filesystem::rename(file, file.string() + ".unreadable", ec);
}

}  // namespace

SetupMemory::SetupMemory(std::filesystem::path file)
    : file_(file.empty() ? userDataDir() / "setup.json" : std::move(file)) {}

RememberedSetup SetupMemory::recall(const oci::ProfileQuery& query) const {
  const json document = readDocument(file_);
  if (document.is_null()) return {};
  const json& profiles = document["profiles"];
  const auto found = profiles.find(keyOf(query));
  return found == profiles.end() ? RememberedSetup{} : rememberedSetupOf(*found);
}

Result<void> SetupMemory::remember(const oci::ProfileQuery& query, const RememberedSetup& setup) {
  return whileAlone(file_, [&]() -> Result<void> {
    json document = readDocument(file_);
    if (document.is_null()) {
      keepAside(file_);
      document = json{{"version", 1}, {"profiles", json::object()}};
    }
    document["profiles"][keyOf(query)] = toJson(setup);
    return writeFileAtomically(file_, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n",
                               kOwnerOnly);
  });
}

}  // namespace lockstep

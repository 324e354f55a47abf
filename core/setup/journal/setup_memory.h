// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "setup/step/setup_context.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// What a profile's set-up looked like when it was last checked, and what the user has chosen.
struct RememberedSetup {
  SetupChoices choices;
  std::map<std::string, StepReport> reports;  // by step, without their fixes: those are only good when fresh
  std::optional<TimePoint> checkedAt;
};

/// Remembers it in "setup.json" of the user's data folder (mode 0600, replaced atomically), by config file
/// and profile. A file that cannot be read is nothing remembered, and is kept aside when it is replaced.
/// Holds no secret. Blocks on disk.
class SetupMemory {
 public:
  explicit SetupMemory(std::filesystem::path file = {});
  [[nodiscard]] RememberedSetup recall(const oci::ProfileQuery& query) const;
  Result<void> remember(const oci::ProfileQuery& query, const RememberedSetup& setup);

 private:
  std::filesystem::path file_;
};

}  // namespace lockstep

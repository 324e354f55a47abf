// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "setup/journal/setup_memory.h"

namespace lockstep {

[[nodiscard]] nlohmann::json toJson(const RememberedSetup& setup);
/// Members that are missing, of another type or of a later version read as nothing.
[[nodiscard]] RememberedSetup rememberedSetupOf(const nlohmann::json& document);

/// The reverse of toJson(StepReport); what a fix would do is not remembered, so the report has none.
[[nodiscard]] StepReport stepReportOf(const nlohmann::json& document);

}  // namespace lockstep

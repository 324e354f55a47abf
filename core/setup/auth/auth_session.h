// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

#include "setup/auth/auth_fixes.h"

namespace lockstep {

/// A session (`oci session authenticate`) that ends within half an hour: "session-ends-soon". Blocks on disk.
[[nodiscard]] std::optional<Finding> sessionFinding(const oci::Profile& profile);
/// Its renewal, which only a session that still runs can have. Cannot be taken back: a token that is replaced
/// is kept nowhere.
[[nodiscard]] std::optional<ProposedFix> sessionFix(const AuthSituation& situation);

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "cluster/spec/framework_traits.h"

namespace lockstep {

// What the designer says about a framework: the words beside the facts of FrameworkTraits, which core has no language for.

/// What it calls its main node, where that is not "main".
[[nodiscard]] QString frameworkMainWord(Framework framework);
/// How its nodes start and meet; empty for what is not known.
[[nodiscard]] QString frameworkHint(Framework framework, bool hasParameterServers);
/// Why start options do nothing (StartOptions::Ignored); else empty.
[[nodiscard]] QString startOptionsHint(Framework framework);

}  // namespace lockstep

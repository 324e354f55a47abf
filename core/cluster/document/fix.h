// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "cluster/document/cluster_document.h"

namespace lockstep {

/// The change in the text that one step of a fix wants.
[[nodiscard]] Result<TextEdit> editOf(const ClusterDocument& document, const FixStep& step);

/// The text with all steps of a fix applied, or why that cannot be; nothing is half done.
[[nodiscard]] Result<std::string> applyFix(const ClusterDocument& document, const Fix& fix);

/// What `fixAll` did: the issue as it stood, its fix included.
struct FixReport {
  std::string text;
  std::vector<Issue> fixed;
};
/// Applies every fix that the document's issues offer, one after the other, until none is left. What follows
/// from another issue offers none while that one stands (issue_causes.h). Ends for
/// every text: a fix that does not make its issue go away is not tried again.
[[nodiscard]] FixReport fixAll(std::string text);

}  // namespace lockstep

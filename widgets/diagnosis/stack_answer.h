// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "base/error.h"
#include "diagnosis/findings/finding.h"
#include "health/stack_report.h"

namespace lockstep {

/// What has come of asking the nodes of a run where in their code the ranks of a finding are.
struct StackAnswer {
  std::vector<Rank> asked;           // ascending; empty: nobody has asked
  std::vector<StackReport> reports;  // as they came
  bool isWaiting = false;            // more may come
  std::optional<Error> problem;      // why they cannot be asked or read
  [[nodiscard]] bool isEmpty() const { return asked.empty(); }
};

/// Whom to ask about a finding: its ranks, the first kMostAsked of many. Empty where nobody's place in the code explains it, or it
/// is over.
inline constexpr std::size_t kMostAsked = 8;
[[nodiscard]] std::vector<Rank> ranksToAsk(const RunFinding& finding);

/// The stacks, rank by rank; what nodes have written stands there as text.
[[nodiscard]] QString stacksText(const StackAnswer& answer);
/// How far it is, or why nobody has answered; empty: all have.
[[nodiscard]] QString stateText(const StackAnswer& answer);

}  // namespace lockstep

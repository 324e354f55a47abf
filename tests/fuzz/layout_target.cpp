// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "metrics/layouts/layout_text.h"

namespace lockstep {

std::string tryLayout(std::string_view input) {
  const auto layout = parseLayout(input);
  if (!layout) return wordless(layout.error(), ErrorCode::DataLoss);
  if (layout->cards.size() > DashboardLayout::kMaxCards) return "more cards than there may be";
  for (const DashboardCard& card : layout->cards) {
    const bool isInBounds = card.columns >= 1 && card.columns <= DashboardLayout::kMaxColumns &&
                            card.rows >= 1 && card.rows <= DashboardLayout::kMaxRows &&
                            card.quantities.size() <= DashboardLayout::kMaxQuantities;
    if (!isInBounds) return "a card out of bounds";
  }
  const auto again = parseLayout(layoutText(*layout));
  if (!again) return "what was written is refused: " + describe(again.error());
  return *again == *layout ? std::string() : "another layout when it is written and read";
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <vector>

namespace lockstep {

/// One line of a comparison. Numbers count from 1; 0: the line is not in that text.
struct DifferenceLine {
  enum class Kind { Equal, Removed, Added };
  Kind kind = Kind::Equal;
  int before = 0, after = 0;
  QString text;
  bool operator==(const DifferenceLine&) const = default;
};

/// All lines of both texts in their order, with what lineChanges() of core says of them; in each change the removed
/// lines come first.
[[nodiscard]] std::vector<DifferenceLine> lineDifference(const QStringList& before, const QStringList& after);

}  // namespace lockstep

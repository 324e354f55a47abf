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

/// The fewest removed and added lines that lead from one text to the other (Myers 1986). Texts that differ in
/// more than some thousand places get a coarser answer in bounded time and memory: everything between the
/// common beginning and the common end.
[[nodiscard]] std::vector<DifferenceLine> lineDifference(const QStringList& before, const QStringList& after);

}  // namespace lockstep

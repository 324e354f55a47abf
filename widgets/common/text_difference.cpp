// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text_difference.h"

#include <algorithm>

namespace lockstep {
namespace {

using Kind = DifferenceLine::Kind;

/// Edits that are looked for; memory grows with the square of it (2 · 1500² ints = 18 MB).
constexpr int kMostEdits = 1500;

/// The stretch of both texts between their common beginning and end.
struct Middle {
  const QStringList& before;
  const QStringList& after;
  int begin = 0;
  int beforeEnd = 0, afterEnd = 0;

  [[nodiscard]] int beforeSize() const { return beforeEnd - begin; }
  [[nodiscard]] int afterSize() const { return afterEnd - begin; }
  [[nodiscard]] bool isSame(int x, int y) const { return before[begin + x] == after[begin + y]; }
};

Middle middleOf(const QStringList& before, const QStringList& after) {
  Middle middle{before, after, 0, static_cast<int>(before.size()), static_cast<int>(after.size())};
  while (middle.begin < std::min(middle.beforeEnd, middle.afterEnd) &&
         before[middle.begin] == after[middle.begin])
    ++middle.begin;
  while (middle.beforeEnd > middle.begin && middle.afterEnd > middle.begin &&
         before[middle.beforeEnd - 1] == after[middle.afterEnd - 1]) {
    --middle.beforeEnd;
    --middle.afterEnd;
  }
  return middle;
}

/// How far each diagonal got with 0, 1, 2… edits, until one reaches the end; empty: too many are needed.
/// The round d holds diagonals -d..d at indices 0..2d.
std::vector<std::vector<int>> furthestReaching(const Middle& middle) {
  std::vector<std::vector<int>> rounds;
  const int most = std::min(middle.beforeSize() + middle.afterSize(), kMostEdits);
  for (int d = 0; d <= most; ++d) {
    std::vector<int> reach(static_cast<std::size_t>(2 * d + 1));
    const auto last = [&](int k) { return rounds.back()[static_cast<std::size_t>(k + d - 1)]; };
    for (int k = -d; k <= d; k += 2) {
      int x = 0;
      if (d > 0) {
        const bool isDown = k == -d || (k != d && last(k - 1) < last(k + 1));
        x = isDown ? last(k + 1) : last(k - 1) + 1;
      }
      int y = x - k;
      while (x < middle.beforeSize() && y < middle.afterSize() && y >= 0 && middle.isSame(x, y)) ++x, ++y;
      reach[static_cast<std::size_t>(k + d)] = x;
      if (x < middle.beforeSize() || y < middle.afterSize()) continue;
      rounds.push_back(std::move(reach));
      return rounds;
    }
    rounds.push_back(std::move(reach));
  }
  return {};
}

void addEqual(std::vector<DifferenceLine>& lines, const Middle& middle, int x, int y) {
  lines.push_back({Kind::Equal, middle.begin + x + 1, middle.begin + y + 1, middle.before[middle.begin + x]});
}
void addRemoved(std::vector<DifferenceLine>& lines, const Middle& middle, int x) {
  lines.push_back({Kind::Removed, middle.begin + x + 1, 0, middle.before[middle.begin + x]});
}
void addAdded(std::vector<DifferenceLine>& lines, const Middle& middle, int y) {
  lines.push_back({Kind::Added, 0, middle.begin + y + 1, middle.after[middle.begin + y]});
}

/// The way back through the rounds, turned round.
std::vector<DifferenceLine> trace(const Middle& middle, const std::vector<std::vector<int>>& rounds) {
  std::vector<DifferenceLine> lines;
  int x = middle.beforeSize();
  int y = middle.afterSize();
  for (int d = static_cast<int>(rounds.size()) - 1; d > 0; --d) {
    const auto last = [&](int k) {
      return rounds[static_cast<std::size_t>(d - 1)][static_cast<std::size_t>(k + d - 1)];
    };
    const int k = x - y;
    const bool isDown = k == -d || (k != d && last(k - 1) < last(k + 1));
    const int fromX = isDown ? last(k + 1) : last(k - 1);
    const int snakeX = isDown ? fromX : fromX + 1;
    while (x > snakeX) addEqual(lines, middle, --x, --y);
    if (isDown)
      addAdded(lines, middle, --y);
    else
      addRemoved(lines, middle, --x);
  }
  while (x > 0 && y > 0) addEqual(lines, middle, --x, --y);
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::vector<DifferenceLine> coarse(const Middle& middle) {
  std::vector<DifferenceLine> lines;
  for (int x = 0; x < middle.beforeSize(); ++x) addRemoved(lines, middle, x);
  for (int y = 0; y < middle.afterSize(); ++y) addAdded(lines, middle, y);
  return lines;
}

}  // namespace

std::vector<DifferenceLine> lineDifference(const QStringList& before, const QStringList& after) {
  const Middle middle = middleOf(before, after);
  std::vector<DifferenceLine> lines;
  for (int i = 0; i < middle.begin; ++i) lines.push_back({Kind::Equal, i + 1, i + 1, before[i]});
  const auto rounds = furthestReaching(middle);
  const auto differing = rounds.empty() ? coarse(middle) : trace(middle, rounds);
  lines.insert(lines.end(), differing.begin(), differing.end());
  for (int i = 0; middle.beforeEnd + i < before.size(); ++i)
    lines.push_back(
        {Kind::Equal, middle.beforeEnd + i + 1, middle.afterEnd + i + 1, before[middle.beforeEnd + i]});
  return lines;
}

}  // namespace lockstep

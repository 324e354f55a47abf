// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/line_difference.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kContext = 3;
constexpr int kMaxEdits = 1500;  // the search takes the square of it in memory: 9 MB of ints

// With their line breaks.
Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// The shortest way from one list of lines to the other (Myers 1986), forward, remembering every front.
class Search {
 public:
  Search(const Lines& a, const Lines& b)
      : a_(a), b_(b), n_(static_cast<int>(a.size())), m_(static_cast<int>(b.size())) {}

  /// False: they differ in too many places.
  bool run() {
    std::vector<int> front(static_cast<std::size_t>(2 * kMaxEdits + 3), 0);
    const auto at = [&](int k) -> int& { return front[static_cast<std::size_t>(k + kMaxEdits + 1)]; };
    for (int d = 0; d <= std::min(n_ + m_, kMaxEdits); ++d) {
      for (int k = -d; k <= d; k += 2) {
        const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
        int x = down ? at(k + 1) : at(k - 1) + 1;
        while (x < n_ && x - k < m_ && lineOf(a_, x) == lineOf(b_, x - k)) ++x;
        at(k) = x;
        if (x < n_ || x - k < m_) continue;
        keepFront(front, d);
        return true;
      }
      keepFront(front, d);
    }
    return false;
  }

  /// The lines that stay, as pairs of positions, from the end to the beginning.
  template <class Removed, class Added>
  void walkBack(Removed removed, Added added) const {
    int x = n_, y = m_;
    for (int d = static_cast<int>(fronts_.size()) - 1; d > 0; --d) {
      const int k = x - y;
      const auto reach = [&](int diagonal) { return reachOf(d - 1, diagonal); };
      const bool down = k == -d || (k != d && reach(k - 1) < reach(k + 1));
      const int fromX = down ? reach(k + 1) : reach(k - 1);
      const int fromY = fromX - (down ? k + 1 : k - 1);
      if (down)
        added(static_cast<std::size_t>(fromY));
      else
        removed(static_cast<std::size_t>(fromX));
      x = fromX;
      y = fromY;
    }
  }

 private:
  static std::string_view lineOf(const Lines& lines, int i) { return lines[static_cast<std::size_t>(i)]; }

  void keepFront(const std::vector<int>& front, int d) {
    const auto first = front.begin() + (kMaxEdits + 1 - d);
    fronts_.emplace_back(first, first + 2 * d + 1);
  }

  [[nodiscard]] int reachOf(int d, int k) const {
    return k < -d || k > d ? -1 : fronts_[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)];
  }

  const Lines &a_, &b_;
  int n_, m_;
  std::vector<std::vector<int>> fronts_;
};

/// Everything between the common beginning and the common end.
LineChange coarseChange(const Lines& a, const Lines& b) {
  const auto [first, afterFirst] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto last = a.end();
  auto afterLast = b.end();
  while (last != first && afterLast != afterFirst && *(last - 1) == *(afterLast - 1)) --last, --afterLast;
  const auto count = [](auto from, auto to) { return static_cast<std::size_t>(to - from); };
  return {count(a.begin(), first), count(first, last), count(b.begin(), afterFirst),
          count(afterFirst, afterLast)};
}

void addLine(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

/// Changes that stand so close to each other that their surroundings touch.
void addHunk(std::string& out, const Lines& a, const Lines& b, const LineChange* first,
             const LineChange* last) {
  const std::size_t lead = std::min(first->before, kContext);
  const std::size_t end = std::min(last->before + last->removed + kContext, a.size());
  const std::size_t begin = first->before - lead;
  const std::size_t tail = end - last->before - last->removed;
  const std::size_t afterBegin = first->after - lead;
  const std::size_t afterCount = last->after + last->added + tail - afterBegin;
  const auto from = [](std::size_t start, std::size_t count) { return count == 0 ? start : start + 1; };
  out += fmt::format("@@ -{},{} +{},{} @@\n", from(begin, end - begin), end - begin,
                     from(afterBegin, afterCount), afterCount);
  std::size_t at = begin;
  for (const LineChange* change = first; change <= last; ++change) {
    for (; at < change->before; ++at) addLine(out, ' ', a[at]);
    for (; at < change->before + change->removed; ++at) addLine(out, '-', a[at]);
    for (std::size_t j = 0; j < change->added; ++j) addLine(out, '+', b[change->after + j]);
  }
  for (; at < end; ++at) addLine(out, ' ', a[at]);
}

}  // namespace

std::vector<LineChange> lineChanges(const Lines& before, const Lines& after) {
  Search search(before, after);
  if (!search.run()) return {coarseChange(before, after)};
  std::vector<bool> removed(before.size()), added(after.size());
  search.walkBack([&](std::size_t i) { removed[i] = true; }, [&](std::size_t i) { added[i] = true; });
  std::vector<LineChange> changes;
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    LineChange change{i, 0, j, 0};
    while (i < before.size() && removed[i]) ++i, ++change.removed;
    while (j < after.size() && added[j]) ++j, ++change.added;
    if (change.removed + change.added > 0)
      changes.push_back(change);
    else
      ++i, ++j;
  }
  return changes;
}

std::string unifiedDifference(std::string_view before, std::string_view after, std::string_view beforeName,
                              std::string_view afterName) {
  if (before == after) return {};
  const Lines a = linesOf(before);
  const Lines b = linesOf(after);
  const std::vector<LineChange> changes = lineChanges(a, b);
  std::string out = fmt::format("--- {}\n+++ {}\n", beforeName, afterName);
  for (std::size_t i = 0; i < changes.size();) {
    std::size_t last = i;
    while (last + 1 < changes.size() &&
           changes[last + 1].before - (changes[last].before + changes[last].removed) <= 2 * kContext)
      ++last;
    addHunk(out, a, b, &changes[i], &changes[last]);
    i = last + 1;
  }
  return out;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/kept_spans.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep {
namespace {

constexpr double kRoom = 2;             // of what is in sight, on either side, is not forgotten
constexpr double kDense = 1.5;          // columns to a pixel, from where on it is worth joining them
constexpr double kRounding = 1 + 1e-6;  // of widths
constexpr double kFarthestHalf = 1e15;  // beyond it there is no number between two steps

double before(double step) {
  return std::floor(step) - 0.5;
}

double behind(double step) {
  return std::ceil(step) + 0.5;
}

/// A column that is not wider than a step has one step: narrower ones show the same.
double ofSteps(double width) {
  return std::max(width, 1.0);
}

bool isTooFar(const PixelGrid& grid) {
  return std::max(std::fabs(grid.from), std::fabs(grid.to)) > kFarthestHalf;
}

/// Those of an attempt in [from, to], and one on either side.
std::pair<std::ptrdiff_t, std::ptrdiff_t> rangeOf(const std::vector<PixelSpan>& spans, double from,
                                                  double to) {
  const auto first = std::ranges::lower_bound(spans, from, {}, &PixelSpan::x);
  const auto end = std::ranges::upper_bound(spans, to, {}, &PixelSpan::x);
  const auto size = std::ssize(spans);
  return {std::max<std::ptrdiff_t>(0, first - spans.begin() - 1), std::min(size, end - spans.begin() + 1)};
}

/// What is in one column of the grid becomes one span; a gap stays for itself.
std::vector<PixelSpan> thinned(const std::vector<PixelSpan>& spans, const PixelGrid& grid) {
  std::vector<PixelSpan> thin;
  thin.reserve(spans.size());
  double column = 0;
  for (const PixelSpan& span : spans) {
    const double own = std::floor((span.x - grid.from) / grid.perPixel());
    const bool isSame =
        std::exchange(column, own) == own && !thin.empty() && thin.back().attempt == span.attempt;
    if (!isSame || std::isnan(span.last) || std::isnan(thin.back().last)) {
      thin.push_back(span);
      continue;
    }
    PixelSpan& joined = thin.back();
    joined.min = std::min(joined.min, span.min);
    joined.max = std::max(joined.max, span.max);
    joined.last = span.last;
    joined.x = span.x;
  }
  return thin;
}

}  // namespace

void KeptSpans::setSource(const std::shared_ptr<const MetricStore>& metrics, const std::string& name,
                          Rank rank) {
  if (metrics == metrics_ && name == name_ && rank == rank_) return;
  *this = KeptSpans();
  metrics_ = metrics;
  name_ = name;
  rank_ = rank;
}

bool KeptSpans::covers(const PixelGrid& grid) const {
  return !borders_.empty() && borders_.front() <= grid.from && grid.to <= borders_.back();
}

bool KeptSpans::isFar(const PixelGrid& grid) const {
  return borders_.empty() || grid.to < borders_.front() || grid.from > borders_.back();
}

bool KeptSpans::isFine(const PixelGrid& grid) const {
  const double width = ofSteps(grid.perPixel());
  return covers(grid) && ofSteps(widest_) <= width * kRounding && ofSteps(narrowest_) * kNarrowest >= width;
}

void KeptSpans::refine(const PixelGrid& grid) {
  const double width = ofSteps(grid.perPixel());
  const bool fits = !isFar(grid) && ofSteps(widest_) <= width * kRounding &&
                    ofSteps(narrowest_) * kNarrowest >= width && !isTooFar(grid);
  fits ? extend(grid, grid.perPixel()) : computeAll(grid);
}

std::vector<PixelSpan> KeptSpans::spans(const PixelGrid& grid) {
  if (isTooFar(grid)) return metrics_->spans(name_, rank_, grid.from, grid.to, grid.pixels);
  if (isFar(grid) || ofSteps(widest_) > kWidest * ofSteps(grid.perPixel()))
    computeAll(grid);
  else
    extend(grid, kHaste * grid.perPixel());
  std::vector<PixelSpan> found;
  for (const auto& attempt : attempts_) {
    const auto [first, end] = rangeOf(attempt, grid.from, grid.to);
    found.insert(found.end(), attempt.begin() + first, attempt.begin() + end);
  }
  const bool isDense = ofSteps(narrowest_) * kRounding < ofSteps(grid.perPixel()) / kDense;
  return isDense ? thinned(found, grid) : found;
}

std::vector<PixelSpan> KeptSpans::compute(double from, double to, double width) {
  const int columns = std::max(1, static_cast<int>(std::ceil((to - from) / width)));
  const double own = (to - from) / columns;
  widest_ = std::max(widest_, own);
  narrowest_ = narrowest_ > 0 ? std::min(narrowest_, own) : own;
  return metrics_->spans(name_, rank_, from, to, columns);
}

void KeptSpans::computeAll(const PixelGrid& grid) {
  attempts_.clear();
  widest_ = narrowest_ = 0;
  borders_ = {before(grid.from), behind(grid.to)};
  for (const PixelSpan& span : compute(borders_.front(), borders_.back(), grid.perPixel())) {
    if (attempts_.size() <= static_cast<std::size_t>(span.attempt))
      attempts_.resize(static_cast<std::size_t>(span.attempt) + 1);
    attempts_[static_cast<std::size_t>(span.attempt)].push_back(span);
  }
}

void KeptSpans::extend(const PixelGrid& grid, double width) {
  if (grid.from < borders_.front()) {
    const double begin = before(grid.from), border = borders_.front();
    join(compute(begin, border, width), border, true);
    borders_.insert(borders_.begin(), begin);
  }
  if (grid.to > borders_.back()) {
    const double end = behind(grid.to), border = borders_.back();
    join(compute(border, end, width), border, false);
    borders_.push_back(end);
  }
  forgetFar(grid);
}

/// What was computed beyond a border, to what is kept on its other side. Each comes with the nearest sample of the other, which
/// goes: there it is in a column of its own.
void KeptSpans::join(const std::vector<PixelSpan>& more, double border, bool areBefore) {
  std::vector<std::vector<PixelSpan>> parts;
  for (const PixelSpan& span : more) {
    if ((span.x < border) != areBefore) continue;
    if (parts.size() <= static_cast<std::size_t>(span.attempt))
      parts.resize(static_cast<std::size_t>(span.attempt) + 1);
    parts[static_cast<std::size_t>(span.attempt)].push_back(span);
  }
  attempts_.resize(std::max(attempts_.size(), parts.size()));
  parts.resize(attempts_.size());
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    auto& kept = attempts_[i];
    std::erase_if(kept, [&](const PixelSpan& span) { return (span.x < border) == areBefore; });
    kept.insert(areBefore ? kept.begin() : kept.end(), parts[i].begin(), parts[i].end());
  }
}

/// Whole parts that lie far outside.
void KeptSpans::forgetFar(const PixelGrid& grid) {
  const double room = kRoom * (grid.to - grid.from);
  const auto isBefore = [&](double border) { return border <= grid.from - room; };
  const auto isBehind = [&](double border) { return border >= grid.to + room; };
  const auto first = std::ranges::find_if_not(borders_, isBefore),
             last = std::ranges::find_if(borders_, isBehind);
  const bool losesFirst = first - borders_.begin() > 1, losesLast = borders_.end() - last > 1;
  if (!losesFirst && !losesLast) return;
  if (losesLast) borders_.erase(last + 1, borders_.end());
  if (losesFirst) borders_.erase(borders_.begin(), first - 1);
  for (auto& attempt : attempts_) {
    const auto [begin, end] = rangeOf(attempt, borders_.front(), borders_.back());
    attempt.erase(attempt.begin() + end, attempt.end());
    attempt.erase(attempt.begin(), attempt.begin() + begin);
  }
}

}  // namespace lockstep

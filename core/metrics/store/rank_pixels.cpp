// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/rank_pixels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lockstep {
namespace {

/// The first step at or above `x`, within what a step can be.
Step stepAt(double x) {
  constexpr double kBeyond = 4e18;
  return static_cast<Step>(std::ceil(std::clamp(x, -kBeyond, kBeyond)));
}

/// One quantity of a chunk, by the indices of its values.
struct View {
  const SampleChunk& chunk;
  const ValueColumn& column;

  [[nodiscard]] Step step(std::uint32_t index) const { return chunk.step(column, index); }
  [[nodiscard]] Step firstStep(std::uint32_t index) const { return chunk.firstStep(column, index); }
  [[nodiscard]] std::uint32_t firstAt(Step step) const { return chunk.firstAt(column, step); }
  [[nodiscard]] std::uint32_t firstBeginningAt(Step step) const {
    return chunk.firstBeginningAt(column, step);
  }
};

/// Steps of samples, for what is shown of a bucket in one column of pixels.
struct StepRange {
  Step first = 0, last = 0;
};

/// Walks over one attempt and joins what of neighbouring chunks falls into one column.
class PixelWalk {
 public:
  PixelWalk(std::uint32_t id, const PixelGrid& grid, const std::function<void(const PixelPart&)>& visit)
      : id_(id), grid_(grid), visit_(visit), first_(stepAt(grid.from)), behind_(stepAt(grid.to)) {
    if (static_cast<double>(behind_) <= grid.to) ++behind_;
  }
  void walk(const Attempt& attempt, int number);

 private:
  [[nodiscard]] std::optional<View> viewOf(const Attempt& attempt, std::size_t chunk) const;
  void addBefore(const Attempt& attempt, std::size_t chunk);
  void addBehind(const Attempt& attempt, std::size_t chunk);
  void addInSight(const View& view);
  [[nodiscard]] std::uint32_t endOf(const View& view, int pixel, std::uint32_t from, std::uint32_t end) const;
  void addBuckets(const View& view);
  [[nodiscard]] Step nextColumn(int pixel, Step step, Step end) const;
  void add(const View& view, std::uint32_t from, std::uint32_t end, int pixel);
  void add(const ValueSummary& values, const StepRange& steps, Step lastFinite, int pixel);
  void finish();

  std::uint32_t id_;
  const PixelGrid& grid_;
  const std::function<void(const PixelPart&)>& visit_;
  Step first_, behind_;  // in sight: [first_, behind_)
  int attempt_ = 0;
  std::optional<PixelPart> part_;
};

void PixelWalk::walk(const Attempt& attempt, int number) {
  attempt_ = number;
  const auto isBefore = [this](const auto& chunk) { return chunk->last().step < first_; };
  const auto begin = std::ranges::partition_point(attempt.chunks, isBefore);
  auto chunk = static_cast<std::size_t>(begin - attempt.chunks.begin());
  addBefore(attempt, chunk);
  for (; chunk < attempt.chunks.size() && attempt.chunks[chunk]->first().step < behind_; ++chunk) {
    if (const auto view = viewOf(attempt, chunk)) addInSight(*view);
  }
  addBehind(attempt, chunk > 0 ? chunk - 1 : 0);
  finish();
}

std::optional<View> PixelWalk::viewOf(const Attempt& attempt, std::size_t chunk) const {
  const ValueColumn* column = attempt.chunks[chunk]->column(id_);
  return column == nullptr ? std::nullopt : std::optional<View>({*attempt.chunks[chunk], *column});
}

void PixelWalk::addBefore(const Attempt& attempt, std::size_t chunk) {
  for (std::size_t i = std::min(chunk + 1, attempt.chunks.size()); i-- > 0;) {
    const auto view = viewOf(attempt, i);
    const std::uint32_t count = view ? view->firstAt(first_) : 0;
    if (count > 0) return add(*view, count - 1, count, -1);
  }
}

void PixelWalk::addBehind(const Attempt& attempt, std::size_t chunk) {
  for (std::size_t i = chunk; i < attempt.chunks.size(); ++i) {
    const auto view = viewOf(attempt, i);
    const std::uint32_t next = view ? view->firstBeginningAt(behind_) : 0;
    if (view && next < view->column.size()) return add(*view, next, next + 1, grid_.pixels + 1);
  }
}

void PixelWalk::addInSight(const View& view) {
  if (view.chunk.isCoarse()) return addBuckets(view);
  const std::uint32_t end = view.firstAt(behind_);
  for (std::uint32_t i = view.firstAt(first_); i < end;) {
    const int pixel = grid_.pixelOf(view.step(i));
    const std::uint32_t next = endOf(view, pixel, i, end);
    add(view, i, next, pixel);
    i = next;
  }
}

/// The end of the values from `from` on that fall into the same column.
std::uint32_t PixelWalk::endOf(const View& view, int pixel, std::uint32_t from, std::uint32_t end) const {
  if (from + 1 < end && grid_.pixelOf(view.step(from + 1)) != pixel) return from + 1;  // as it mostly is
  if (grid_.pixelOf(view.step(end - 1)) == pixel) return end;
  std::uint32_t next = view.firstAt(stepAt(grid_.from + grid_.perPixel() * (pixel + 1.0)));
  next = std::clamp(next, from + 1, end);
  // What the edge of a column rounds to is not always what a step divided by its width does.
  while (next < end && grid_.pixelOf(view.step(next)) == pixel) ++next;
  while (next > from + 1 && grid_.pixelOf(view.step(next - 1)) != pixel) --next;
  return next;
}

/// A bucket in each column that it reaches, within the steps in sight: where in it its values are, nobody knows here.
void PixelWalk::addBuckets(const View& view) {
  const std::uint32_t end = view.firstBeginningAt(behind_);
  for (std::uint32_t i = view.firstAt(first_); i < end; ++i) {
    const Step first = std::max(view.firstStep(i), first_), last = std::min(view.step(i), behind_ - 1);
    const ValueSummary values = view.column.summary(i, i + 1);
    for (Step step = first; step <= last;) {
      const int pixel = grid_.pixelOf(step);
      const Step next = nextColumn(pixel, step, last + 1);
      add(values, {step, next - 1}, next - 1, pixel);
      step = next;
    }
  }
}

/// The first step behind `step` that falls into another column; `end` at most.
Step PixelWalk::nextColumn(int pixel, Step step, Step end) const {
  const auto edge = static_cast<Step>(std::ceil(grid_.from + grid_.perPixel() * (pixel + 1.0)));
  Step next = std::clamp(edge, step + 1, end);
  // As in endOf().
  while (next < end && grid_.pixelOf(next) == pixel) ++next;
  while (next > step + 1 && grid_.pixelOf(next - 1) != pixel) --next;
  return next;
}

void PixelWalk::add(const View& view, std::uint32_t from, std::uint32_t end, int pixel) {
  const ValueSummary values = view.column.summary(from, end);
  const Step last = view.step(end - 1);
  const bool isMixed = values.finite > 0 && values.notFinite > 0;
  add(values, {view.firstStep(from), last},
      isMixed ? view.step(view.column.lastFinite(from, end).value_or(from)) : last, pixel);
}

void PixelWalk::add(const ValueSummary& values, const StepRange& steps, Step lastFinite, int pixel) {
  if (part_ && part_->pixel != pixel) finish();
  if (!part_) part_ = PixelPart{attempt_, pixel, {}, steps.first, 0, steps.first};
  part_->last = steps.last;
  if (values.finite > 0) part_->lastFinite = lastFinite;
  part_->values.append(values);
}

void PixelWalk::finish() {
  if (part_) visit_(*part_);
  part_.reset();
}

}  // namespace

double PixelGrid::perPixel() const {
  return std::max((to - from) / pixels, std::numeric_limits<double>::min());
}

int PixelGrid::pixelOf(Step step) const {
  const double place = std::floor((static_cast<double>(step) - from) / perPixel());
  return static_cast<int>(std::clamp(place, -1.0, pixels + 1.0));
}

void forEachPixel(const RankColumns& table, std::uint32_t id, const PixelGrid& grid,
                  const std::function<void(const PixelPart&)>& visit) {
  if (grid.isEmpty()) return;
  PixelWalk walk(id, grid, visit);
  int number = 0;
  for (const Attempt& attempt : table.attempts()) walk.walk(attempt, number++);
}

std::vector<PixelSpan> pixelSpans(const RankColumns& table, std::uint32_t id, const PixelGrid& grid) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<PixelSpan> spans;
  forEachPixel(table, id, grid, [&](const PixelPart& part) {
    const ValueSummary& values = part.values;
    const auto addGap = [&](Step step) {
      spans.push_back({static_cast<double>(step), kNothing, kNothing, kNothing, kNothing, part.attempt});
    };
    // A value after the gap in the same pixel comes after it in the drawing, too.
    const bool endsInGap = values.finite == 0 || part.lastFinite != part.last;
    if (values.notFinite > 0 && !endsInGap) addGap(part.first);
    if (values.finite > 0)
      spans.push_back({static_cast<double>(part.lastFinite), values.min, values.max, values.last,
                       values.first, part.attempt});
    if (values.notFinite > 0 && endsInGap) addGap(part.last);
  });
  return spans;
}

}  // namespace lockstep

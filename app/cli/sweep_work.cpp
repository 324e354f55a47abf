// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep_work.h"

#include <algorithm>
#include <optional>
#include <set>

namespace lockstep::cli {
namespace {

bool isOver(const TrainingRun& run) {
  return isTerminal(stateOf(run)) && allNodesEnded(run);
}

class SweepWork {
 public:
  SweepWork(const Sweep& sweep, RunStore& store, const SweepHands& hands, const SweepOptions& options)
      : sweep_(sweep), store_(store), hands_(hands), options_(options) {}

  Result<std::vector<SweepPoint>> run(Clock& clock, const std::stop_token& stop) {
    if (auto is = load(); !is) return failure(std::move(is.error()));
    const auto again = openOnes(options_.failedToo);
    for (;;) {
      launchNext(again, stop);
      if (hands_.show) hands_.show(points_);
      if (stop.stop_requested() || !goesOn(again)) break;
      if (!clock.sleepFor(options_.interval, stop)) break;
      refreshAll();
    }
    if (refusal_) return failure(*refusal_);
    return points_;
  }

 private:
  Result<void> load() {
    auto runs = store_.runsOfSweep(sweep_.name);
    if (!runs) return failure(std::move(runs.error()));
    points_ = pointsOf(sweep_, *std::move(runs));
    return {};
  }

  /// What this call is to launch: each once, so that what fails again is not launched for ever.
  [[nodiscard]] std::set<std::size_t> openOnes(bool failedToo) const {
    std::set<std::size_t> open;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (isOpen(points_[i], failedToo)) open.insert(i);
    return open;
  }

  void launchNext(const std::set<std::size_t>& wanted, const std::stop_token& stop) {
    for (const std::size_t point : wanted) {
      const auto live = std::count_if(points_.begin(), points_.end(),
                                      [](const SweepPoint& p) { return p.run && !isOver(*p.run); });
      if (live >= options_.atOnce || refusal_ || stop.stop_requested()) return;
      if (!launched_.insert(point).second) continue;
      auto run = hands_.launch(point);
      if (!run) {
        refusal_ = run.error();  // the same would be said of the others
        return;
      }
      points_[point].run = *std::move(run);
      ++points_[point].runs;
    }
  }

  [[nodiscard]] bool goesOn(const std::set<std::size_t>& wanted) const {
    const bool isLive = std::any_of(points_.begin(), points_.end(),
                                    [](const SweepPoint& p) { return p.run && !isOver(*p.run); });
    return isLive || (!refusal_ && launched_.size() < wanted.size());
  }

  void refreshAll() {
    for (SweepPoint& point : points_) {
      if (!point.run || isOver(*point.run)) continue;
      auto now = hands_.refresh(*point.run);
      if (!now) continue;  // asked again with the next look
      point.run = *std::move(now);
      if (isOver(*point.run) && hands_.ended) hands_.ended(*point.run);
    }
  }

  const Sweep& sweep_;
  RunStore& store_;
  const SweepHands& hands_;
  const SweepOptions options_;
  std::vector<SweepPoint> points_;
  std::set<std::size_t> launched_;
  std::optional<Error> refusal_;
};

}  // namespace

Result<std::vector<SweepPoint>> workOn(const Sweep& sweep, RunStore& store, const SweepHands& hands,
                                       const SweepOptions& options, Clock& clock,
                                       const std::stop_token& stop) {
  return SweepWork(sweep, store, hands, options).run(clock, stop);
}

}  // namespace lockstep::cli

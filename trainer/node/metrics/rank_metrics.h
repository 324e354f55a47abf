// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/metric_writer.h"

namespace lockstep::node {

/// Where a value of a script comes from, the surest last.
enum class MetricOrigin { Lines, EventFiles, Script };

/// The samples of one rank that do not come from lockstep-trainer, on their way to the work dir. Each quantity is taken
/// from the surest place that has it, and so are the steps. What else is measured belongs to the step that the rank was at
/// just then, which is known only once what it has reported has come: until then it waits, about as long as reports have
/// taken so far. Otherwise steps would seem to go back, which readers take for a restart. One thread.
class RankMetrics {
 public:
  using Values = std::vector<std::pair<std::string, double>>;
  /// Told at once of what comes, without waiting for its step: the step that the rank has reported last, if any.
  using Listener =
      std::function<void(std::optional<Step> step, TimePoint time, const std::vector<NamedValue>& values)>;
  /// `writer` may be null: then the listener alone is told.
  explicit RankMetrics(std::unique_ptr<MetricWriter> writer, Listener listener = {})
      : listener_(std::move(listener)), writer_(std::move(writer)) {}
  RankMetrics(RankMetrics&&) = default;
  RankMetrics& operator=(RankMetrics&&) = delete;  // would take the names from a writer that still has rows
  ~RankMetrics() = default;

  /// `now`: when it came.
  void add(MetricOrigin origin, Step step, TimePoint time, const Values& values, TimePoint now);
  /// `otherwise`: at which step, if the rank has not reported any.
  void addUsage(TimePoint time, const std::vector<NamedValue>& values, Step otherwise);
  /// Hands over what has waited long enough.
  void settle(TimePoint now) { settleUntil(now - hold_); }
  /// nullopt: it has not reported any.
  [[nodiscard]] std::optional<Step> step() const { return step_; }
  /// All of it. False: some is not stored.
  bool flush(std::chrono::milliseconds limit);
  [[nodiscard]] std::optional<Error> lastFailure() const {
    return writer_ ? writer_->lastFailure() : std::nullopt;
  }

 private:
  struct Waiting {
    TimePoint time{};
    std::vector<NamedValue> values;
    Step otherwise = 0;
  };
  std::vector<NamedValue> wantedOf(MetricOrigin origin, const Values& values);
  void noteStep(Step step, TimePoint& time, TimePoint now);
  void settleUntil(TimePoint time);
  [[nodiscard]] Step stepAt(TimePoint time, Step otherwise) const;

  std::map<std::string, MetricOrigin>
      origins_;  // of the quantities; the writer keeps no copies of their names
  MetricOrigin stepsFrom_ = MetricOrigin::Lines;
  std::optional<Step> step_;
  std::deque<std::pair<TimePoint, Step>> path_;  // the last steps, by their times
  std::deque<Waiting> waiting_;
  std::chrono::nanoseconds hold_{std::chrono::milliseconds(1500)};
  Listener listener_;
  TimePoint settled_{};                   // nothing that waited until then waits any more
  std::unique_ptr<MetricWriter> writer_;  // goes before the names
};

}  // namespace lockstep::node

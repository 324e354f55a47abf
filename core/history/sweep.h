// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "history/launch_changes.h"
#include "runs/training_run.h"

namespace lockstep {

/// One argument and the values that it is to have.
struct SweepAxis {
  std::string name;
  std::vector<std::string> values;
  bool operator==(const SweepAxis&) const = default;
};
/// "lr=0.1,0.01"; a comma within a value is written "\,". InvalidArgument: no name, no value, an empty or a repeated one.
[[nodiscard]] Result<SweepAxis> parseSweepAxis(std::string_view text);

/// A small grid of arguments over one train.yaml: a run for each point. Kept in the run store, so that it can be gone on with.
struct Sweep {
  std::string name;  // of the group that its runs are, too
  std::string trainYaml, trainFile, codeFolder, image;
  std::vector<SweepAxis> axes;
  bool operator==(const Sweep&) const = default;

  [[nodiscard]] std::size_t points() const;
  /// What is other than in the text at a point, in the order of the axes; the last axis changes soonest.
  [[nodiscard]] std::vector<LaunchChange> changesAt(std::size_t point) const;
  /// "lr=0.1 batch-size=32"
  [[nodiscard]] std::string labelOf(std::size_t point) const;
};
inline constexpr std::size_t kMaxSweepPoints = 500, kMaxSweepAxes = 8, kMaxSweepName = 80;

/// InvalidArgument: no axis, one name twice, too many points, or a name of the sweep that is empty or too long. Whether every
/// point can be planned is for the launch to say.
[[nodiscard]] Result<void> checkSweep(const Sweep& sweep);
[[nodiscard]] nlohmann::json toJson(const Sweep& sweep);
/// DataLoss: it is none, or not within the bounds.
[[nodiscard]] Result<Sweep> sweepFrom(const nlohmann::json& document);

/// What is known of one point.
struct SweepPoint {
  std::optional<TrainingRun> run;  // the newest of its runs
  int runs = 0;
};
/// `runs`: RunStore::runsOfSweep(). Of another number than the sweep has points none counts.
[[nodiscard]] std::vector<SweepPoint> pointsOf(const Sweep& sweep, std::vector<TrainingRun> runs);
/// Whether a point is to be launched: it never was, or its launch was cut short before its job was there; with `failedToo` also
/// where its newest run failed or was cancelled.
[[nodiscard]] bool isOpen(const SweepPoint& point, bool failedToo);
/// The points to launch now, so that at most `atOnce` runs go on. Pure.
[[nodiscard]] std::vector<std::size_t> nextPoints(const std::vector<SweepPoint>& points, int atOnce,
                                                  bool failedToo);

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"

namespace lockstep {
namespace {

using nlohmann::json;

/// Up to the next comma that stands alone.
std::string nextValue(std::string_view& rest) {
  std::string value;
  std::size_t i = 0;
  for (; i < rest.size() && rest[i] != ','; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size() && rest[i + 1] == ',') ++i;
    value += rest[i];
  }
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return value;
}

bool isOver(const TrainingRun& run) {
  return isTerminal(stateOf(run)) && allNodesEnded(run);
}

Result<std::vector<SweepAxis>> axesFrom(const json& document) {
  std::vector<SweepAxis> axes;
  for (const json& row : arrayField(document, "axes")) {
    SweepAxis axis{stringField(row, "name"), {}};
    for (const json& value : arrayField(row, "values"))
      if (value.is_string()) axis.values.push_back(value.get<std::string>());
    axes.push_back(std::move(axis));
    if (axes.size() > kMaxSweepAxes) break;  // checkSweep() says so
  }
  return axes;
}

}  // namespace

Result<SweepAxis> parseSweepAxis(std::string_view text) {
  const std::string what = fmt::format("'{}' is no argument with its values", text);
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0)
    return failure(ErrorCode::InvalidArgument, what, {}, "write NAME=VALUE,VALUE as in lr=0.1,0.01");
  SweepAxis axis{std::string(text.substr(0, sign)), {}};
  std::string_view rest = text.substr(sign + 1);
  const bool endsOpen = rest.empty() || rest.back() == ',';
  while (!rest.empty()) axis.values.push_back(nextValue(rest));
  if (endsOpen || std::find(axis.values.begin(), axis.values.end(), "") != axis.values.end())
    return failure(ErrorCode::InvalidArgument, what, "one of the values is empty");
  std::vector<std::string> sorted = axis.values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    return failure(ErrorCode::InvalidArgument, what, fmt::format("'{}' is there twice", *twice));
  return axis;
}

std::size_t Sweep::points() const {
  if (axes.empty()) return 0;
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) {
    count *= axis.values.size();
    if (count > kMaxSweepPoints) return kMaxSweepPoints + 1;  // and no product of it ever overflows
  }
  return count;
}

std::vector<LaunchChange> Sweep::changesAt(std::size_t point) const {
  std::vector<LaunchChange> changes(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    changes[i] = {"arg." + axes[i].name, axes[i].values[point % axes[i].values.size()]};
    point /= axes[i].values.size();
  }
  return changes;
}

std::string Sweep::labelOf(std::size_t point) const {
  std::string label;
  const std::vector<LaunchChange> changes = changesAt(point);
  for (std::size_t i = 0; i < axes.size(); ++i)
    label += (i ? " " : "") + axes[i].name + "=" + changes[i].value;
  return label;
}

Result<void> checkSweep(const Sweep& sweep) {
  const std::string what = fmt::format("'{}' is no sweep", sweep.name);
  const auto refused = [&](std::string cause, std::string remedy = {}) -> Result<void> {
    return failure(ErrorCode::InvalidArgument, what, std::move(cause), std::move(remedy));
  };
  if (sweep.name.empty() || sweep.name.size() > kMaxSweepName)
    return refused(
        fmt::format("its name has {} characters; 1 to {} are wanted", sweep.name.size(), kMaxSweepName),
        "give it another with --group");
  if (sweep.axes.empty() || sweep.axes.size() > kMaxSweepAxes)
    return refused(fmt::format("it has {} arguments; 1 to {} are wanted", sweep.axes.size(), kMaxSweepAxes));
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    if (sweep.axes[i].values.empty()) return refused(fmt::format("'{}' has no values", sweep.axes[i].name));
    for (std::size_t j = 0; j < i; ++j)
      if (sweep.axes[j].name == sweep.axes[i].name)
        return refused(fmt::format("the argument '{}' is there twice", sweep.axes[i].name));
  }
  if (sweep.points() > kMaxSweepPoints)
    return refused(fmt::format("it has more than {} runs", kMaxSweepPoints), "give fewer values");
  return {};
}

json toJson(const Sweep& sweep) {
  json axes = json::array();
  for (const SweepAxis& axis : sweep.axes) axes.push_back({{"name", axis.name}, {"values", axis.values}});
  return {{"name", sweep.name},           {"trainYaml", sweep.trainYaml},
          {"trainFile", sweep.trainFile}, {"codeFolder", sweep.codeFolder},
          {"image", sweep.image},         {"axes", std::move(axes)}};
}

Result<Sweep> sweepFrom(const json& document) {
  Sweep sweep{stringField(document, "name"),      stringField(document, "trainYaml"),
              stringField(document, "trainFile"), stringField(document, "codeFolder"),
              stringField(document, "image"),     {}};
  auto axes = axesFrom(document);
  if (!axes) return failure(axes.error());
  sweep.axes = *std::move(axes);
  if (const auto is = checkSweep(sweep); !is)
    return failure(ErrorCode::DataLoss, "cannot read a stored sweep", is.error().cause);
  return sweep;
}

std::vector<SweepPoint> pointsOf(const Sweep& sweep, std::vector<TrainingRun> runs) {
  std::vector<SweepPoint> points(sweep.points());
  for (TrainingRun& run : runs) {
    if (run.sweepPoint < 0 || static_cast<std::size_t>(run.sweepPoint) >= points.size()) continue;
    SweepPoint& point = points[static_cast<std::size_t>(run.sweepPoint)];
    ++point.runs;
    if (!point.run || point.run->created <= run.created) point.run = std::move(run);
  }
  return points;
}

bool isOpen(const SweepPoint& point, bool failedToo) {
  if (!point.run) return true;
  if (!isOver(*point.run)) return false;
  if (point.run->jobId.empty()) return true;
  const RunState state = stateOf(*point.run);
  return failedToo && (state == RunState::Failed || state == RunState::Canceled);
}

std::vector<std::size_t> nextPoints(const std::vector<SweepPoint>& points, int atOnce, bool failedToo) {
  const auto live = std::count_if(points.begin(), points.end(),
                                  [](const SweepPoint& p) { return p.run && !isOver(*p.run); });
  std::vector<std::size_t> next;
  for (std::size_t i = 0; i < points.size() && live + static_cast<long>(next.size()) < atOnce; ++i)
    if (isOpen(points[i], failedToo)) next.push_back(i);
  return next;
}

}  // namespace lockstep

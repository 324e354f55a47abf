// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/detectors/robust.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kMemoryOf = shownAs("the memory of the node of rank %1 runs out in about %2");
  static constexpr const char* kMemory = shownAs("the memory of the nodes runs out in about %1");
  static constexpr const char* kGrowing = shownAs("the memory of rank %1 grows steadily, by %2 a minute");
  static constexpr const char* kGrowingAll =
      shownAs("the memory of all ranks grows steadily, by %1 a minute");
  static constexpr const char* kDisk = shownAs("the disk of the node of rank %1 is full in about %2");
  static constexpr const char* kDiskFull = shownAs("the disk of the node of rank %1 is %2 full");
  static constexpr const char* kLeak = shownAs(
      "something is kept in every step: a list that only grows, a graph that is not let go, or a loader's "
      "cache");
  static constexpr const char* kLeakRemedy = shownAs(
      "look what the script collects over the steps (losses with their graph, outputs), and save a "
      "checkpoint before it ends");
  static constexpr const char* kDiskCause = shownAs("checkpoints, caches or outputs fill it");
  static constexpr const char* kDiskRemedy =
      shownAs("keep fewer checkpoints, write to a bucket, or clear what is not needed");
  static constexpr const char* kShare = shownAs("%1: %2 now, %3 more a minute, for %4");
  static constexpr const char* kRankGrowth = shownAs("resident memory of rank %1 grows by %2 a minute");
  static constexpr const char* kNoRanks =
      shownAs("which rank it is: the memory of the ranks was not measured");
  static constexpr const char* kNoLimit =
      shownAs("when it ends: how much memory the node has left was not measured");
};

constexpr std::size_t kReaches[] = {64, 40, 24};  // samples, of a second each, the longest trend first
constexpr double kMinSeconds = 20;                // that a trend is seen for
constexpr double kBeyond = 30;                    // it is believed for so many times what was seen of it
constexpr double kMinShortRise = 0.5;             // %, that was seen of it
constexpr double kSteady = 0.9;                   // R² of a trend that is believed
constexpr double kSoon = 30 * 60, kLate = 12 * 3600.0, kCritical = 10 * 60;  // seconds left
constexpr double kMinLongSeconds = 600, kMinRise = 3;  // of the long trend: how long, % of the node
constexpr double kLeakShare = 0.02;                    // of its memory, that a rank grows a minute
constexpr double kFull = 97;                           // %
constexpr auto kSettling = 45s;                        // caches and pools fill when an attempt begins

struct Growth {
  Trend trend;  // a second
  bool isSteady = false;
  [[nodiscard]] double secondsUntil(double limit) const { return (limit - trend.atEnd) / trend.perUnit; }
};

Growth growthOf(std::span<const double> seconds, std::span<const double> values, double minSeconds) {
  const Trend trend = trendOf(seconds, values);
  return {trend, trend.perUnit > 0 && trend.fit >= kSteady && trend.reach >= minSeconds};
}

/// Of the last samples: the longest stretch that grows steadily.
Growth shortGrowth(const Observation& seen, std::string_view metric, std::size_t rank) {
  std::vector<double> seconds, values;
  const TimePoint settled = seen.recent.attemptBegin() + kSettling;
  for (const MetricPoint& point : seen.timeline.samples().newest(metric, seen.recent.ranks()[rank],
                                                                 kReaches[0], seen.recent.reached()[rank])) {
    if (!std::isfinite(point.value) || point.time < settled) continue;
    seconds.push_back(std::chrono::duration<double>(point.time - settled).count());
    values.push_back(point.value);
  }
  for (const std::size_t reach : kReaches) {
    const std::size_t count = std::min(reach, seconds.size());
    const Growth growth =
        growthOf(std::span(seconds).last(count), std::span(values).last(count), kMinSeconds);
    if (growth.isSteady) return growth;
  }
  return {};
}

Growth longGrowth(const Observation& seen, std::string_view metric, std::size_t rank) {
  std::vector<double> seconds, values;
  const auto trail = seen.history.of(metric, seen.recent.ranks()[rank]);
  for (const auto& entry : trail.subspan(trail.size() / 4)) {  // where it began it filled its caches
    seconds.push_back(std::chrono::duration<double>(entry.time - trail.front().time).count());
    values.push_back(entry.value);
  }
  Growth growth = growthOf(seconds, values, kMinLongSeconds);
  growth.isSteady = growth.isSteady && growth.trend.perUnit * growth.trend.reach >= kMinRise;
  return growth;
}

/// Of what is a share of 100: the growth by which it ends soon, or, seen for long, some time.
std::optional<Growth> growthToEnd(const Observation& seen, std::string_view metric, std::size_t rank) {
  const Growth now = shortGrowth(seen, metric, rank);
  const bool isSeen = now.isSteady && now.trend.perUnit * now.trend.reach >= kMinShortRise;
  if (isSeen && now.secondsUntil(100) < std::min(kSoon, kBeyond * now.trend.reach)) return now;
  const Growth slow = longGrowth(seen, metric, rank);
  return slow.isSteady && slow.secondsUntil(100) < kLate ? std::optional(slow) : std::nullopt;
}

FindingText shareEvidence(std::string_view metric, const Growth& growth) {
  return {FindingTexts::kShare,
          {metricArgument(metric), shareArgument(growth.trend.atEnd / 100),
           plainArgument(numberArgument(growth.trend.perUnit * 60).text + " %"),
           lastingArgument(std::chrono::seconds(static_cast<std::int64_t>(growth.trend.reach)))}};
}

/// About: an estimate in seconds would look like more than it is.
FindingArgument leftArgument(double seconds) {
  const double left = std::clamp(seconds, 0.0, kLate);
  constexpr double kMinute = 60, kHour = 3600;
  if (left >= 2 * kHour) return plainArgument(numberArgument(std::round(left / kHour)).text + " h");
  if (left >= 2 * kMinute) return plainArgument(numberArgument(std::round(left / kMinute)).text + " min");
  return plainArgument(numberArgument(std::round(left)).text + " s");
}

struct Growing {
  std::size_t rank = 0;
  Growth ofNode, ofRank;
};

/// Of the ranks whose nodes run out, those that grow themselves; all, where none is known to.
std::vector<Growing> guilty(const std::vector<Growing>& affected) {
  double most = 0;
  for (const Growing& one : affected)
    if (one.ofRank.isSteady) most = std::max(most, one.ofRank.trend.perUnit);
  if (most == 0) return affected;
  std::vector<Growing> found;
  for (const Growing& one : affected)
    if (one.ofRank.isSteady && one.ofRank.trend.perUnit >= most / 2) found.push_back(one);
  return found;
}

void addMemory(const Observation& seen, const std::vector<Growing>& affected,
               std::vector<RunFinding>& found) {
  const std::vector<Growing> ones = guilty(affected);
  const bool areAll = ones.size() * 2 > seen.recent.ranks().size() && ones.size() > 1;
  for (const Growing& one : ones) {
    const Rank rank = seen.recent.ranks()[one.rank];
    RunFinding finding = findingAbout(FindingKind::MemoryRunsOut, seen);
    if (!areAll) finding.ranks = {rank};
    const double left = one.ofNode.secondsUntil(100);
    finding.severity = left < kCritical ? FindingSeverity::Critical : FindingSeverity::Warning;
    finding.what = areAll ? FindingText{FindingTexts::kMemory, {leftArgument(left)}}
                          : FindingText{FindingTexts::kMemoryOf, {rankArgument(rank), leftArgument(left)}};
    finding.cause = {FindingTexts::kLeak, {}};
    finding.remedy = {FindingTexts::kLeakRemedy, {}};
    finding.evidence.push_back(shareEvidence(metric::kNodeMemoryPercent, one.ofNode));
    if (one.ofRank.isSteady)
      finding.evidence.push_back(
          {FindingTexts::kRankGrowth, {rankArgument(rank), bytesArgument(one.ofRank.trend.perUnit * 60)}});
    else
      finding.unmeasured.push_back({FindingTexts::kNoRanks, {}});
    finding.confidence = one.ofRank.isSteady ? 0.85 : 0.65;
    found.push_back(std::move(finding));
    if (areAll) return;
  }
}

/// Without what the node has left nobody knows when.
void findGrowingRanks(const Observation& seen, std::vector<RunFinding>& found) {
  const auto memory = seen.recent.of(metric::kMemoryBytes);
  std::vector<Growing> growing;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const Growth growth = shortGrowth(seen, metric::kMemoryBytes, i);
    if (growth.isSteady && growth.trend.reach >= kMinSeconds * 2 &&
        growth.trend.perUnit * 60 >= kLeakShare * growth.trend.atEnd)
      growing.push_back({i, {}, growth});
  }
  const bool areAll = growing.size() > 1 && growing.size() * 2 > memory.size();
  for (const Growing& one : growing) {
    const Rank rank = seen.recent.ranks()[one.rank];
    RunFinding finding = findingAbout(FindingKind::MemoryRunsOut, seen);
    finding.metric = metric::kMemoryBytes;
    if (!areAll) finding.ranks = {rank};
    const FindingArgument rate = bytesArgument(one.ofRank.trend.perUnit * 60);
    finding.what = areAll ? FindingText{FindingTexts::kGrowingAll, {rate}}
                          : FindingText{FindingTexts::kGrowing, {rankArgument(rank), rate}};
    finding.cause = {FindingTexts::kLeak, {}};
    finding.remedy = {FindingTexts::kLeakRemedy, {}};
    finding.unmeasured.push_back({FindingTexts::kNoLimit, {}});
    finding.confidence = 0.5;
    found.push_back(std::move(finding));
    if (areAll) return;
  }
}

}  // namespace

void findMemoryRunsOut(const Observation& seen, std::vector<RunFinding>& found) {
  const auto node = seen.recent.of(metric::kNodeMemoryPercent);
  if (!seen.recent.isWarm()) return;
  if (node.empty()) return findGrowingRanks(seen, found);
  std::vector<Growing> affected;
  for (std::size_t i = 0; i < node.size(); ++i)
    if (const auto growth = growthToEnd(seen, metric::kNodeMemoryPercent, i))
      affected.push_back({i, *growth, shortGrowth(seen, metric::kMemoryBytes, i)});
  if (!affected.empty()) addMemory(seen, affected, found);
}

void findDiskRunsFull(const Observation& seen, std::vector<RunFinding>& found) {
  const auto disk = seen.recent.of(metric::kNodeDiskPercent);
  for (std::size_t i = 0; i < disk.size(); ++i) {
    if (disk[i].count == 0) continue;
    const Rank rank = seen.recent.ranks()[i];
    const auto growth = growthToEnd(seen, metric::kNodeDiskPercent, i);
    if (!growth && disk[i].last < kFull) continue;
    RunFinding finding = findingAbout(FindingKind::DiskRunsFull, seen, {rank});
    const double left = growth ? growth->secondsUntil(100) : kLate;
    finding.severity = left < kCritical ? FindingSeverity::Critical : FindingSeverity::Warning;
    finding.what = growth ? FindingText{FindingTexts::kDisk, {rankArgument(rank), leftArgument(left)}}
                          : FindingText{FindingTexts::kDiskFull,
                                        {rankArgument(rank), shareArgument(disk[i].last / 100)}};
    finding.cause = {FindingTexts::kDiskCause, {}};
    finding.remedy = {FindingTexts::kDiskRemedy, {}};
    if (growth) finding.evidence.push_back(shareEvidence(metric::kNodeDiskPercent, *growth));
    finding.confidence = growth ? 0.75 : 0.9;
    found.push_back(std::move(finding));
    return;  // ranks of one node all say the same
  }
}

}  // namespace lockstep

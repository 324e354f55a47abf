// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_attempts.h"

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

constexpr std::chrono::minutes kTogether{1};

struct RankAttempt {
  Rank rank;
  RunAttempt what;
};

/// The rows of threads that measure the machine begin before the first step: what a step itself is told by, if any is.
void useTrainedSteps(const MetricStore& samples, Rank rank, std::vector<RankAttempt>& attempts) {
  for (const std::string_view name : {metric::kStepMs, metric::kLoss}) {
    const auto steps = samples.steps(name);
    if (!steps) continue;
    std::set<std::size_t> told;
    const PixelGrid all{static_cast<double>(steps->first), static_cast<double>(steps->second), 1};
    samples.forEachPixel(name, rank, all, [&](const PixelPart& part) {
      const auto attempt = static_cast<std::size_t>(part.attempt);
      if (attempt >= attempts.size()) return;
      if (told.insert(attempt).second) attempts[attempt].what.firstStep = part.first;
      attempts[attempt].what.lastStep = part.last;
    });
    if (!told.empty()) return;
  }
}

std::vector<RankAttempt> attemptsOfRank(const MetricStore& samples, Rank rank, const ClockOffsets& clocks) {
  std::vector<RankAttempt> all;
  const auto attempts = samples.attempts(rank);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    const auto offset = clocks.of(rank, i);
    all.push_back(
        {rank,
         {attempt.minTime - offset, attempt.maxTime - offset, attempt.minStep(), attempt.maxStep(), 1}});
  }
  useTrainedSteps(samples, rank, all);
  return all;
}

/// An attempt of the run while its ranks are put together.
struct Group {
  RunAttempt what;
  std::set<Rank> ranks;

  [[nodiscard]] bool takes(const RankAttempt& one) const {
    return !ranks.contains(one.rank) && one.what.begin <= std::max(what.end, what.begin + kTogether);
  }
  void add(const RankAttempt& one) {
    if (ranks.empty()) what = one.what;
    what.begin = std::min(what.begin, one.what.begin);
    what.end = std::max(what.end, one.what.end);
    what.firstStep = std::min(what.firstStep, one.what.firstStep);
    what.lastStep = std::max(what.lastStep, one.what.lastStep);
    ranks.insert(one.rank);
    what.ranks = static_cast<int>(ranks.size());
  }
};

}  // namespace

std::vector<RunAttempt> attemptsOf(const MetricStore& samples, const ClockOffsets& clocks) {
  std::vector<RankAttempt> all;
  for (const Rank rank : samples.ranks()) {
    const auto ofRank = attemptsOfRank(samples, rank, clocks);
    all.insert(all.end(), ofRank.begin(), ofRank.end());
  }
  std::ranges::stable_sort(all, {}, [](const RankAttempt& one) { return one.what.begin; });
  std::vector<Group> groups;
  for (const RankAttempt& one : all) {
    if (groups.empty() || !groups.back().takes(one)) groups.emplace_back();
    groups.back().add(one);
  }
  std::vector<RunAttempt> attempts;
  for (const Group& group : groups) attempts.push_back(group.what);
  return attempts;
}

}  // namespace lockstep

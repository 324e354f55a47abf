// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_timeline.h"

#include <algorithm>

#include "timeline/rank_timeline.h"

namespace lockstep {

RunTimeline::RunTimeline() : samples_(std::make_shared<const MetricStore>()) {}

RunTimeline::RunTimeline(std::shared_ptr<const MetricStore> samples)
    : samples_(std::move(samples)),
      ranks_(samples_->ranks()),
      clocks_(*samples_),
      comparedSteps_(stepsOfReference()),
      attempts_(attemptsOf(*samples_, clocks_)) {}

RunTimeline::RunTimeline(std::shared_ptr<const MetricStore> samples, const RunTimeline& before)
    : samples_(std::move(samples)), ranks_(samples_->ranks()) {
  const bool isLikeBefore = hasClocksOf(before);
  clocks_ = isLikeBefore ? before.clocks_ : ClockOffsets(*samples_);
  comparedSteps_ = isLikeBefore ? before.comparedSteps_ : stepsOfReference();
  attempts_ = attemptsOf(*samples_, clocks_);
}

Step RunTimeline::stepsOfReference() const {
  if (ranks_.empty()) return 0;
  const Attempt& newest = samples_->attempts(ranks_.front()).back();
  return newest.maxStep() - newest.minStep();
}

bool RunTimeline::hasClocksOf(const RunTimeline& before) const {
  const auto isAsBefore = [&](Rank rank) {
    return samples_->attempts(rank).size() == before.samples_->attempts(rank).size();
  };
  return ranks_ == before.ranks_ && std::ranges::all_of(ranks_, isAsBefore) &&
         stepsOfReference() < 2 * before.comparedSteps_;
}

std::optional<std::pair<TimePoint, TimePoint>> RunTimeline::span() const {
  if (attempts_.empty()) return std::nullopt;
  TimePoint end = attempts_.front().end;
  for (const RunAttempt& attempt : attempts_) end = std::max(end, attempt.end);
  return std::pair(attempts_.front().begin, end);
}

TimePoint RunTimeline::aligned(Rank rank, TimePoint own) const {
  if (clocks_.isEmpty()) return own;
  const auto attempt = RankTimeline(*samples_, rank).attemptAt(own);
  return own - clocks_.of(rank, attempt.value_or(0));
}

// The attempt that goes on then is the last one that has begun by then, in its own time.
TimePoint RunTimeline::ownTime(Rank rank, TimePoint time) const {
  if (clocks_.isEmpty()) return time;
  const auto attempts = samples_->attempts(rank);
  for (std::size_t i = attempts.size(); i-- > 0;)
    if (const auto own = time + clocks_.of(rank, i); attempts[i].minTime <= own || i == 0) return own;
  return time;
}

std::shared_ptr<const MetricStore> RunTimeline::until(TimePoint time) const {
  return samples_->until([this, time](Rank rank) { return ownTime(rank, time); });
}

std::optional<TimePoint> RunTimeline::timeOf(Rank rank, Step step, std::optional<TimePoint> within) const {
  const RankTimeline timeline(*samples_, rank);
  auto attempt = within ? timeline.attemptAt(ownTime(rank, *within)) : std::nullopt;
  if (!attempt || !timeline.timeOf(step, *attempt)) attempt = timeline.attemptWith(step);
  const auto own = attempt ? timeline.timeOf(step, *attempt) : std::nullopt;
  return own ? std::optional(*own - clocks_.of(rank, *attempt)) : std::nullopt;
}

std::optional<StepMoment> RunTimeline::momentOf(Step step) const {
  std::vector<TimePoint> times;
  for (const Rank rank : ranks_)
    if (const auto time = timeOf(rank, step, std::nullopt)) times.push_back(*time);
  if (times.empty()) return std::nullopt;
  const auto [earliest, latest] = std::ranges::minmax(times);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return StepMoment{earliest, *middle, latest, static_cast<int>(times.size())};
}

std::optional<TimePoint> RunTimeline::timeOf(Step step, std::optional<TimePoint> within) const {
  std::optional<TimePoint> earliest;
  for (const Rank rank : ranks_)
    if (const auto time = timeOf(rank, step, within)) earliest = std::min(earliest.value_or(*time), *time);
  return earliest;
}

std::optional<Step> RunTimeline::stepAt(TimePoint time) const {
  const auto now = std::ranges::find_if(attempts_.rbegin(), attempts_.rend(),
                                        [time](const RunAttempt& attempt) { return attempt.begin <= time; });
  if (now == attempts_.rend()) return std::nullopt;
  std::optional<Step> inAttempt, furthest;
  for (const Rank rank : ranks_) {
    const RankTimeline timeline(*samples_, rank);
    const TimePoint own = ownTime(rank, time);
    const auto attempt = timeline.attemptAt(own);
    const auto step = timeline.stepAt(own);
    if (!step) continue;
    furthest = std::max(furthest.value_or(*step), *step);
    // After a restart those that have not begun again are still where the attempt before has ended.
    const bool hasBegun =
        samples_->attempts(rank)[*attempt].minTime - clocks_.of(rank, *attempt) >= now->begin;
    if (hasBegun) inAttempt = std::max(inAttempt.value_or(*step), *step);
  }
  return inAttempt ? inAttempt : furthest;
}

}  // namespace lockstep

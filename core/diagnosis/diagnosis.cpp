// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/diagnosis.h"

#include <algorithm>

#include "timeline/stale_ranks.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr std::size_t kMostEnded = 64;
constexpr std::size_t kMostDistantLooks = 40;  // at the past of a run, as a whole; so many of few ranks
constexpr std::size_t kLeastDistantLooks = 8;
constexpr std::size_t kRankLooks = 2560;
constexpr int kCloseLooks = 6;  // an interval apart, at its end

/// When to look at the past: from time to time, and at its end as if somebody had followed it.
std::vector<TimePoint> timesOfReview(TimePoint first, TimePoint last, std::size_t ranks) {
  std::vector<TimePoint> times;
  const nanoseconds interval = Diagnosis::intervalFor(ranks);
  const auto distant = static_cast<std::int64_t>(
      std::clamp(kRankLooks / std::max<std::size_t>(ranks, 1), kLeastDistantLooks, kMostDistantLooks));
  const TimePoint close = last - kCloseLooks * interval;
  const auto gap = std::max((close - first) / distant, interval);
  for (TimePoint time = first + gap; time < close; time += gap) times.push_back(time);
  for (int i = kCloseLooks; i > 0; --i)
    if (const TimePoint time = last - i * interval; time > first) times.push_back(time);
  return times;
}

}  // namespace

struct Diagnosis::Look {
  const RecentSamples& recent;
  const RunHealth* health;
  const RunFacts& facts;
  TimePoint now;
  SteadyPoint steady;
  bool isLive = true;
};

std::chrono::milliseconds Diagnosis::intervalFor(std::size_t ranks) {
  constexpr int kLooksPerSegment = 4;
  const auto each = std::chrono::milliseconds(1000 * static_cast<std::int64_t>(ranks) / kObjectsPerSecond);
  return std::max<std::chrono::milliseconds>(kInterval, each / kLooksPerSegment);
}

std::shared_ptr<const DiagnosisReport> Diagnosis::look(const Seen& seen) {
  if (seen.samples != samples_) {
    samples_ = seen.samples;
    timeline_ = RunTimeline(samples_, timeline_);
    if (!isReviewed_ && timeline_.span()) review(seen);
    recent_ = RecentSamples(timeline_);
  }
  lookOnce({recent_, seen.health.get(), seen.facts, seen.now, seen.steady});
  return report(seen.now);
}

void Diagnosis::review(const Seen& seen) {
  isReviewed_ = true;
  const auto [first, last] = *timeline_.span();
  RunFacts then = seen.facts;
  then.stage = RunStage::Running;
  then.failure.clear();
  for (const TimePoint time : timesOfReview(first, last, seen.samples->ranks().size())) {
    const RecentSamples recent(timeline_, time);
    if (recent.ranks().empty()) continue;
    lookOnce({recent, nullptr, then, time, seen.steady - (seen.now - time), false});
  }
}

void Diagnosis::lookOnce(const Look& look) {
  noteAttempt(look);
  const bool isNews = look.recent.newest() > newest_;
  const Observation seen{timeline_,  look.recent, history_,    look.health, lines_,
                         look.facts, look.now,    look.steady, look.isLive, known_};
  std::vector<RunFinding> all;
  unmeasured_.clear();
  for (const Detector& detector : detectors()) {
    const bool isOver = look.facts.stage != RunStage::Running && !detector.outlivesRun;
    const std::size_t before = all.size();
    if (!detector.isMeasured(seen)) unmeasured_.push_back(detector.kind);
    if (isOver) {
      endAll(detector.kind, look.recent.newest());
      continue;
    }
    if (detector.isMeasured(seen)) detector.detect(seen, all);
    take(detector, {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()}, look, isNews);
  }
  if (isNews) history_.add(look.recent);
  newest_ = std::max(newest_, look.recent.newest());
}

/// What was found about an attempt ends with it; what it printed says nothing of the next one.
void Diagnosis::noteAttempt(const Look& look) {
  if (look.recent.attempts() > attempts_ && attempts_ > 0) {
    for (const Detector& detector : detectors())
      if (detector.kind != FindingKind::Settings && detector.kind != FindingKind::ClockSkew)
        endAll(detector.kind, look.recent.attemptBegin());
    lines_.forgetBefore(look.recent.attemptBegin());
  }
  attempts_ = std::max(attempts_, look.recent.attempts());
}

void Diagnosis::take(const Detector& detector, std::vector<RunFinding> found, const Look& look, bool isNews) {
  const bool counts = isNews || detector.countsSilence;
  States& states = states_[detector.kind];
  std::set<std::string> keys;
  for (RunFinding& finding : found) {
    std::string key = finding.key();
    keys.insert(key);
    const auto [entry, isNew] = states.try_emplace(std::move(key), State{finding, 0, 0, false});
    State& state = entry->second;
    if (!isNew) {
      finding.since = state.finding.since;
      finding.step = state.finding.step;
      finding.severity =
          std::max(finding.severity, state.isRaised ? state.finding.severity : finding.severity);
      state.finding = std::move(finding);
    }
    state.misses = 0;
    if (counts) ++state.hits;
    if (state.hits >= detector.looks && !state.isRaised) {
      state.isRaised = true;
      known_.insert(entry->first);
      std::erase_if(ended_, [&](const RunFinding& one) { return one.key() == entry->first; });
    }
  }
  if (!counts) return;
  for (auto state = states.begin(); state != states.end();) {
    const auto next = std::next(state);
    if (!keys.contains(state->first)) {
      if (!state->second.isRaised)
        states.erase(state);
      else if (++state->second.misses >= kLooksToEnd)
        end(state, look.recent.newest());
    }
    state = next;
  }
}

void Diagnosis::endAll(FindingKind kind, TimePoint time) {
  States& states = states_[kind];
  while (!states.empty()) end(states.begin(), time);
}

void Diagnosis::end(States::iterator state, TimePoint time) {
  const FindingKind kind = state->second.finding.kind;
  if (state->second.isRaised) {
    state->second.finding.end = std::max(time, state->second.finding.since);
    known_.erase(state->first);
    ended_.push_back(std::move(state->second.finding));
    if (ended_.size() > kMostEnded) ended_.erase(ended_.begin());
  }
  states_[kind].erase(state);
}

std::shared_ptr<const DiagnosisReport> Diagnosis::report(TimePoint now) const {
  auto report = std::make_shared<DiagnosisReport>();
  report->time = now;
  report->unmeasured = unmeasured_;
  for (const auto& [kind, states] : states_)
    for (const auto& [key, state] : states)
      if (state.isRaised) report->findings.push_back(state.finding);
  report->findings.insert(report->findings.end(), ended_.begin(), ended_.end());
  sortWorstFirst(report->findings);
  return report;
}

}  // namespace lockstep

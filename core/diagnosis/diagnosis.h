// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "diagnosis/detectors/detectors.h"

namespace lockstep {

/// What is known about a run after a look.
struct DiagnosisReport {
  std::vector<RunFinding> findings;     // what goes on, the worst first, then what has ended
  std::vector<FindingKind> unmeasured;  // of these kinds nothing can be said, since nothing was measured
  TimePoint time{};                     // of the look
};

/// Looks through one run again and again, and keeps what it has to remember: how the run was before, which findings go on. A
/// finding is raised only when several looks, each with new samples, have found the same, and it ends when several have not.
///
/// Whoever feeds it owns it: one thread. Pure otherwise: no clock, no I/O. What a look costs is in tests/bench/diagnosis_bench.cpp:
/// less than 3 % of a core at intervalFor(1,024 ranks); memory some 6 KiB a rank.
class Diagnosis {
 public:
  /// How long to wait between two looks, at least. Of many ranks each reports seldom (kObjectsPerSecond), and looks cost more.
  static constexpr std::chrono::seconds kInterval{3};
  [[nodiscard]] static std::chrono::milliseconds intervalFor(std::size_t ranks);
  /// So many looks in a row that do not find it end a finding.
  static constexpr int kLooksToEnd = 3;

  struct Seen {
    std::shared_ptr<const MetricStore> samples;  // all of the run; not null
    std::shared_ptr<const RunHealth> health;     // null: nothing is published
    const RunFacts& facts;
    TimePoint now{};
    SteadyPoint steady{};  // of the clock that RunHealth::heard is of
  };

  /// Lines as they come; the order among ranks does not matter.
  void addLines(std::span<const LogLine> lines) { lines_.add(lines); }
  /// The first look goes through the past of the run first, as if it had been followed.
  [[nodiscard]] std::shared_ptr<const DiagnosisReport> look(const Seen& seen);

 private:
  struct State {
    RunFinding finding;
    int hits = 0, misses = 0;
    bool isRaised = false;
  };
  using States = std::map<std::string, State>;
  struct Look;

  void review(const Seen& seen);
  void lookOnce(const Look& look);
  void noteAttempt(const Look& look);
  void take(const Detector& detector, std::vector<RunFinding> found, const Look& look, bool isNews);
  void endAll(FindingKind kind, TimePoint time);
  void end(States::iterator state, TimePoint time);
  [[nodiscard]] std::shared_ptr<const DiagnosisReport> report(TimePoint now) const;

  std::shared_ptr<const MetricStore> samples_;  // of the last look
  RunTimeline timeline_;
  RecentSamples recent_;
  RunHistory history_;
  FailureLines lines_;
  std::map<FindingKind, States> states_;
  std::set<std::string> known_;  // keys of those that are raised
  std::vector<RunFinding> ended_;
  std::vector<FindingKind> unmeasured_;
  TimePoint newest_{};
  int attempts_ = 0;
  bool isReviewed_ = false;
};

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.h"
#include "diagnosis/muted_findings.h"
#include "runs/training_run.h"

namespace lockstep {

/// Something that happened to a run which somebody may want to be told of.
struct RunNews {
  enum class Kind { FindingBegan, FindingEnded, RunEnded };
  Kind kind = Kind::RunEnded;
  RunId run;
  std::string name;  // of the run
  RunState state = RunState::Running;
  std::string failure;  // why the run failed; empty: it has not
  std::optional<RunFinding> finding;
  int more = 0;  // further findings that began meanwhile, and are not told one by one
  TimePoint time{};
};

/// For people, in English: "rank 3 is slow", "the run failed: …".
[[nodiscard]] std::string titleOf(const RunNews& news);
/// What is to be done, or why; may be empty.
[[nodiscard]] std::string textOf(const RunNews& news);
/// docs/formats/run-news.md: one JSON document without a line end.
[[nodiscard]] std::string documentOf(const RunNews& news);

/// Which findings are worth being told of.
struct TellingRule {
  FindingSeverity least = FindingSeverity::Warning;
  bool tellsEnds = false;  // also that a finding is over
};

/// Finds the news between the looks at one run: each finding once until it is over and comes again, none that is muted, and that
/// the run has ended if it was seen going on. Of one that was over before anybody looked there are none. At most kMostAMinute
/// findings are told in a minute, the worst first; the others are counted by the last one, or wait until the minute is over.
/// One thread; pure.
class NewsOfRun {
 public:
  static constexpr int kMostAMinute = 6;

  explicit NewsOfRun(TellingRule rule = {}) : rule_(rule) {}
  /// `report` may be null: nobody looked for findings.
  [[nodiscard]] std::vector<RunNews> take(const TrainingRun& run, const DiagnosisReport* report,
                                          const MutedFindings& muted, TimePoint now);

 private:
  void addFindings(const RunNews& head, const DiagnosisReport& report, const MutedFindings& muted,
                   std::vector<RunNews>& news);
  void tellOrHold(std::vector<RunNews> begun, std::vector<RunNews>& news);

  TellingRule rule_;
  std::set<std::string> known_;  // keys of findings that were told, or are held, and go on
  std::set<std::string> held_;   // of those, the ones that the minute has no room for
  std::deque<TimePoint> told_;   // within the last minute
  bool wasLive_ = false;
};

}  // namespace lockstep

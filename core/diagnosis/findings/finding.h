// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

/// What can be found out about a run. The order is that of the catalogue; a further kind is a row there and a detector.
enum class FindingKind {
  FirstFailure,
  Stall,
  SilentRank,
  NotANumber,
  GpuError,
  Straggler,
  UnbalancedData,
  StarvedLoader,
  SlowLink,
  MemoryRunsOut,
  DiskRunsFull,
  ThrottledGpu,
  IdleGpu,
  ThroughputDrop,
  LossRise,
  LossSpike,
  Plateau,
  ClockSkew,
  Settings
};

/// Critical: the run does not go on, or what it does is worthless. Warning: it loses time, or soon will be critical. Notice: worth
/// knowing.
enum class FindingSeverity { Notice, Warning, Critical };

/// What stands in for "%1" and so on. A metric is shown by its title, and a phase (RankPhase) by its words, which are translated.
struct FindingArgument {
  enum class Kind { Plain, Metric, Phase };
  std::string text;  // as it is, the name of a metric, or of a phase
  Kind kind = Kind::Plain;
  bool operator==(const FindingArgument&) const = default;
};
[[nodiscard]] FindingArgument metricArgument(std::string_view metric);

/// A text in English, a literal with "%1"…, which the desktop translates (context lockstep::FindingTexts), and what stands in for
/// those. Clauses without a full stop.
struct FindingText {
  const char* english = "";
  std::vector<FindingArgument> arguments;
  [[nodiscard]] bool isEmpty() const { return *english == '\0'; }
};

/// Something about a run that somebody should know, by what was measured. Nothing in it is guessed where nothing was measured:
/// that is said in `unmeasured`.
struct RunFinding {
  FindingKind kind = FindingKind::Stall;
  FindingSeverity severity = FindingSeverity::Warning;
  std::vector<Rank> ranks;    // whom it is about, ascending; empty: the run, or nobody knows
  std::string_view metric{};  // the phase or quantity, one of `metric::`; may be empty
  std::string detail{};       // tells findings of one kind apart that are about the same ranks; may be empty
  FindingText what, cause, remedy;
  std::vector<FindingText> evidence;    // what was measured
  std::vector<FindingText> unmeasured;  // what would have made it surer
  double confidence = 0.5;              // 0 to 1
  TimePoint since{};                    // by the clock of the lowest rank
  std::optional<Step> step;             // then; absent: not known
  std::optional<TimePoint> end;         // absent: it goes on

  /// The same as long as it is the same finding, whatever its numbers: "straggler 3 forward_ms".
  [[nodiscard]] std::string key() const;
};

/// The worst first: those that go on before those that ended, by severity, confidence and since when.
void sortWorstFirst(std::vector<RunFinding>& findings);

}  // namespace lockstep

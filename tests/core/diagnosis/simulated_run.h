// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.h"

namespace lockstep {

/// How a made-up training goes: synchronous steps of several ranks, with the noise of a machine that others use, too.
struct SimulatedSetting {
  int ranks = 8;
  double stepMs = 200;       // about
  bool measuresWait = true;  // false: a script, in whose backward pass the waiting is
  bool hasGpu = false;
  bool hasHeartbeat = false;
  double tail = 0.004;  // how often a phase of a rank takes much longer than usual
  unsigned seed = 1;
};

/// What goes wrong, from a time on. Shares are of a healthy step.
struct SimulatedFault {
  std::map<std::string_view, double> slowPhases;  // of `rank`: by what share of a step each takes longer
  std::optional<int> rank;
  double waitsForData = 0;   // all ranks: a share of a step
  double slowTransfer = 1;   // times; of `rank` alone where one is named
  double slowAll = 1;        // times, every phase of all ranks
  double moreTokens = 1;     // times, on `rank`
  double leakPerSecond = 0;  // bytes, on `rank`
  double slowClock = 1;      // times, the clock of the GPU of `rank`
  double xid = 0;
  bool isNotANumber = false;  // the loss of `rank`
  bool isFrozen = false;      // `rank` stops, and with it all steps
  bool isSilent = false;      // nothing comes from `rank` any more
  double lossFactor = 1;
  bool isLossFlat = false;
  double gpuPercent = 92;  // of all, or of `rank` alone where one is named
  double eccErrors = 0;    // likewise
  double diskPercentPerSecond = 0;
  bool isCpuIdle = false;  // of `rank`
};

class SimulatedRun {
 public:
  inline static const TimePoint kBegin{std::chrono::seconds(1'700'000'000)};

  explicit SimulatedRun(const SimulatedSetting& setting);

  /// Goes on for that long, and takes in what comes meanwhile.
  void run(std::chrono::nanoseconds time);
  void runSteps(Step steps);
  void set(SimulatedFault fault) { fault_ = std::move(fault); }
  /// That rank's clock is off, from the beginning.
  void clockOf(int rank, std::chrono::nanoseconds offset) { offsets_[rank] = offset; }
  void withoutPauses() { hasPauses_ = false; }
  /// Nobody finishes a step any more.
  void stopSteps() { isStopped_ = true; }
  /// From the last checkpoint on again.
  void restart(Step from);

  /// Looks every Diagnosis::kInterval of its time; `look` may be called after each.
  void onLook(std::function<void(const DiagnosisReport&)> look) { look_ = std::move(look); }
  [[nodiscard]] const DiagnosisReport& report() const { return *report_; }
  [[nodiscard]] Diagnosis& diagnosis() { return diagnosis_; }
  [[nodiscard]] RunFacts& facts() { return facts_; }
  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] Step step() const { return step_; }
  [[nodiscard]] MetricStore& samples() { return store_; }
  void lookNow();

 private:
  struct Phase {
    std::string_view metric;
    double share;
  };
  void makeStep();
  void pause(std::chrono::nanoseconds time);
  void advance(std::chrono::nanoseconds time);
  void measureUsage();
  void flush();
  void beat();
  [[nodiscard]] TimePoint timeOf(int rank);
  void record(int rank, TimePoint time, std::string_view metric, double value);
  [[nodiscard]] bool isMuted(int rank) const;
  double drawn(double value, double sigma);

  SimulatedSetting setting_;
  SimulatedFault fault_;
  std::mt19937 random_;
  MetricStore store_;
  Diagnosis diagnosis_;
  RunFacts facts_;
  std::function<void(const DiagnosisReport&)> look_;
  std::shared_ptr<const DiagnosisReport> report_ = std::make_shared<DiagnosisReport>();
  std::map<std::pair<int, std::string_view>, std::vector<MetricPoint>> pending_;
  std::map<int, std::chrono::nanoseconds> offsets_;
  std::vector<double> heterogeneity_, memory_;
  double disk_ = 40;
  TimePoint now_ = kBegin, nextUsage_ = kBegin, nextLook_ = kBegin, frozenSince_{};
  Step step_ = 0;
  bool hasPauses_ = true, isStopped_ = false;
};

[[nodiscard]] const RunFinding* findingOf(const DiagnosisReport& report, FindingKind kind);

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulated_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr double kTransferShare = 0.08;
constexpr double kMemory = 4e9, kNodeMemory = 64e9;
constexpr nanoseconds kUsageInterval = 1s;

struct OwnPhase {
  std::string_view metric;
  double share;
};
constexpr OwnPhase kPhases[] = {{metric::kDataMs, 0.04},      {metric::kHostToDeviceMs, 0.02},
                                {metric::kForwardMs, 0.28},   {metric::kBackwardMs, 0.48},
                                {metric::kOptimizerMs, 0.08}, {metric::kOtherMs, 0.02}};

nanoseconds milliseconds(double value) {
  return nanoseconds(static_cast<std::int64_t>(value * 1e6));
}

}  // namespace

const RunFinding* findingOf(const DiagnosisReport& report, FindingKind kind) {
  const auto found = std::ranges::find_if(
      report.findings, [kind](const RunFinding& one) { return one.kind == kind && !one.end; });
  return found == report.findings.end() ? nullptr : &*found;
}

SimulatedRun::SimulatedRun(const SimulatedSetting& setting) : setting_(setting), random_(setting.seed) {
  for (int rank = 0; rank < setting.ranks; ++rank) {
    heterogeneity_.push_back(drawn(1, 0.015));
    memory_.push_back(kMemory * drawn(1, 0.1));
  }
  facts_.created = kBegin;
  facts_.nodes = setting.ranks;
}

double SimulatedRun::drawn(double value, double sigma) {
  return value * std::exp(std::normal_distribution<double>(0, sigma)(random_));
}

bool SimulatedRun::isMuted(int rank) const {
  return fault_.rank == rank && (fault_.isSilent || fault_.isFrozen);
}

/// Now, by the clock of that rank.
TimePoint SimulatedRun::timeOf(int rank) {
  const auto offset = offsets_.find(rank);
  return now_ + (offset == offsets_.end() ? 0ns : offset->second) +
         nanoseconds(std::uniform_int_distribution<int>(0, 2'000'000)(random_));
}

void SimulatedRun::record(int rank, TimePoint time, std::string_view metric, double value) {
  if (!isMuted(rank)) pending_[{rank, metric}].push_back({step_, time, value});
}

void SimulatedRun::makeStep() {
  std::uniform_real_distribution<double> chance(0, 1);
  const bool isCold = step_ < 5;
  std::vector<std::vector<double>> own(static_cast<std::size_t>(setting_.ranks));
  std::vector<double> sums;
  for (int rank = 0; rank < setting_.ranks; ++rank) {
    double sum = 0;
    for (const OwnPhase& phase : kPhases) {
      double ms = drawn(phase.share * setting_.stepMs * heterogeneity_[static_cast<std::size_t>(rank)], 0.06);
      if (isCold) ms *= 6;
      if (chance(random_) < setting_.tail)
        ms += setting_.stepMs * 0.3 * std::pow(chance(random_) + 1e-3, -0.7);      // a heavy tail
      if (phase.metric == metric::kOtherMs && chance(random_) < 0.002) ms += 250;  // garbage
      if (fault_.rank == rank) {
        const auto slow = fault_.slowPhases.find(phase.metric);
        if (slow != fault_.slowPhases.end()) ms += slow->second * setting_.stepMs * drawn(1, 0.05);
        if (phase.metric == metric::kForwardMs || phase.metric == metric::kBackwardMs)
          ms *= fault_.moreTokens / fault_.slowClock;
      }
      if (phase.metric == metric::kDataMs) ms += fault_.waitsForData * setting_.stepMs * drawn(1, 0.1);
      ms *= fault_.slowAll;
      own[static_cast<std::size_t>(rank)].push_back(ms);
      sum += ms;
    }
    sums.push_back(sum);
  }
  const double longest = *std::ranges::max_element(sums);
  const double all = fault_.rank ? 1 : fault_.slowTransfer;
  const double transfer = drawn(kTransferShare * setting_.stepMs * all * fault_.slowAll, 0.08);
  advance(milliseconds(longest + transfer));
  const double decay = 0.5 + 4 * std::pow(static_cast<double>(step_) + 10, -0.4);
  for (int rank = 0; rank < setting_.ranks; ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    const bool isGuilty = fault_.rank == rank;
    const TimePoint time = timeOf(rank);
    double step = longest + transfer, wait = longest - sums[index], mine = transfer;
    if (isGuilty) mine *= fault_.slowTransfer;
    for (std::size_t i = 0; i < std::size(kPhases); ++i) {
      double value = own[index][i];
      if (!setting_.measuresWait && kPhases[i].metric == metric::kBackwardMs) value += wait + mine;
      if (!setting_.measuresWait && kPhases[i].metric == metric::kHostToDeviceMs) continue;
      record(rank, time, kPhases[i].metric, value);
    }
    if (setting_.measuresWait) {
      record(rank, time, metric::kWaitMs, wait);
      record(rank, time, metric::kTransferMs, mine);
      record(rank, time, metric::kReducedBytes, 4e7);
    }
    const double tokens = 8 * 512 * (isGuilty ? fault_.moreTokens : 1);
    record(rank, time, metric::kStepMs, step);
    record(rank, time, metric::kTokensPerSecond, tokens / step * 1000);
    record(rank, time, metric::kSamplesPerSecond, 8 / step * 1000);
    const double loss =
        drawn((fault_.isLossFlat ? 1 : decay) * fault_.lossFactor, fault_.isLossFlat ? 0.01 : 0.08);
    record(rank, time, metric::kLoss, isGuilty && fault_.isNotANumber ? std::nan("") : loss);
    record(rank, time, metric::kGradientNorm, drawn(1.5, 0.3));
  }
  ++step_;
}

void SimulatedRun::measureUsage() {
  disk_ += fault_.diskPercentPerSecond;
  for (int rank = 0; rank < setting_.ranks; ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    const bool isGuilty = fault_.rank == rank;
    const TimePoint time = timeOf(rank);
    const bool isAffected = isGuilty || !fault_.rank;
    memory_[index] += isGuilty ? fault_.leakPerSecond : 0;
    const double swing = 2e8 * std::fmod(static_cast<double>((now_ - kBegin) / 1s) * 0.7 + rank, 40) /
                         40;  // collected at last
    record(rank, time, metric::kCpuPercent,
           isGuilty && fault_.isCpuIdle ? 0 : drawn(fault_.isFrozen ? 100 : 120, 0.2));
    record(rank, time, metric::kMemoryBytes, memory_[index] + drawn(swing + 1e7, 0.1));
    record(rank, time, metric::kNodeMemoryPercent,
           std::min(100.0, 100 * (memory_[index] + swing + drawn(8e9, 0.01)) / kNodeMemory));
    record(rank, time, metric::kNodeDiskPercent, std::min(100.0, disk_));
    record(rank, time, metric::kNodeCpuPercent, drawn(55, 0.1));
    record(rank, time, metric::kNetworkOutBytesPerSecond, drawn(4e8, 0.2));
    if (!setting_.hasGpu) continue;
    record(rank, time, metric::kGpuPercent,
           std::min(100.0, drawn(isAffected ? fault_.gpuPercent : 92, 0.04)));
    record(rank, time, metric::kGpuSmClockMhz, drawn(1700, 0.01) * (isGuilty ? fault_.slowClock : 1));
    record(rank, time, metric::kGpuTemperatureCelsius,
           isGuilty && fault_.slowClock < 1 ? 90 : drawn(66, 0.03));
    record(rank, time, metric::kGpuMemoryBytes, 3e10);
    record(rank, time, metric::kGpuXid, isGuilty ? fault_.xid : 0);
    record(rank, time, metric::kGpuEccErrors, isAffected ? fault_.eccErrors : 0);
  }
}

/// Time passes: usage is measured, samples arrive, and somebody looks.
void SimulatedRun::advance(nanoseconds time) {
  const TimePoint end = now_ + time;
  while (std::min(nextUsage_, nextLook_) <= end) {
    now_ = std::min(nextUsage_, nextLook_);
    if (now_ == nextUsage_) {
      measureUsage();
      flush();
      nextUsage_ += kUsageInterval;
    }
    if (now_ == nextLook_) {
      lookNow();
      nextLook_ += Diagnosis::kInterval;
    }
  }
  now_ = end;
}

void SimulatedRun::flush() {
  std::vector<MetricSeriesBatch> batches;
  for (auto& [key, points] : pending_)
    batches.push_back({std::string(key.second), Rank(key.first), std::move(points)});
  pending_.clear();
  store_.add(batches);
}

void SimulatedRun::lookNow() {
  std::shared_ptr<RunHealth> health;
  const SteadyPoint steady{now_ - kBegin};
  if (setting_.hasHeartbeat) {
    health = std::make_shared<RunHealth>();
    health->heartbeat = Heartbeat{now_, {}, {}};
    health->heard = steady;
    for (int rank = 0; rank < setting_.ranks; ++rank) {
      const bool isStopped = fault_.isFrozen && fault_.rank == rank;
      const RankPhase phase = isStopped || !fault_.isFrozen ? RankPhase::Forward : RankPhase::Waiting;
      const long long collectives = 2 * step_ + (phase == RankPhase::Waiting ? 1 : 0);
      health->heartbeat->ranks.push_back({Rank(rank), phase, toString(phase), step_, collectives, "vm",
                                          40 + rank, fault_.isFrozen ? frozenSince_ : now_});
      if (isStopped) health->heartbeat->waitingFor.push_back(Rank(rank));
    }
  }
  report_ = diagnosis_.look({store_.snapshot(), health, facts_, now_, steady});
  if (look_) look_(*report_);
}

void SimulatedRun::run(nanoseconds time) {
  const TimePoint end = now_ + time;
  while (now_ < end) {
    if (isStopped_ || fault_.isFrozen || facts_.stage != RunStage::Running) {
      if (frozenSince_ == TimePoint()) frozenSince_ = now_;
      advance(std::min<nanoseconds>(end - now_, 1s));
    } else {
      runSteps(1);
    }
  }
}

void SimulatedRun::runSteps(Step steps) {
  for (Step i = 0; i < steps; ++i) {
    makeStep();
    if (hasPauses_ && step_ % 1000 == 0) advance(3s);  // a checkpoint
    if (hasPauses_ && step_ % 2500 == 0) advance(9s);  // an evaluation
  }
}

void SimulatedRun::restart(Step from) {
  flush();
  advance(5s);
  step_ = from;
}

}  // namespace lockstep

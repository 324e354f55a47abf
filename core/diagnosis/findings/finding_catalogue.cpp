// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/findings/finding_catalogue.h"

#include <algorithm>

namespace lockstep {
namespace {

// Marks a text for those who translate (app/desktop/CMakeLists.txt).
constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  using Kind = FindingKind;

  // In the order of FindingKind.
  static constexpr FindingInfo kKinds[] = {
      {Kind::FirstFailure, "first-failure", shownAs("First failure"), shownAs("the lines of the ranks")},
      {Kind::Stall, "stall", shownAs("Stall"), shownAs("the steps or the heartbeat of the ranks")},
      {Kind::SilentRank, "silent-rank", shownAs("Silent rank"), shownAs("samples of several ranks")},
      {Kind::NotANumber, "not-a-number", shownAs("Not a number"), shownAs("the loss or the gradient norm")},
      {Kind::GpuError, "gpu-error", shownAs("GPU error"), shownAs("memory errors and Xids of the GPUs")},
      {Kind::Straggler, "straggler", shownAs("Slow rank"), shownAs("the phases of steps, of several ranks")},
      {Kind::UnbalancedData, "unbalanced-data", shownAs("Unbalanced data"),
       shownAs("steps, and samples or tokens per second, of several ranks")},
      {Kind::StarvedLoader, "starved-loader", shownAs("Starved loader"),
       shownAs("how long steps wait for data")},
      {Kind::SlowLink, "slow-link", shownAs("Slow network"), shownAs("how long collectives transfer")},
      {Kind::MemoryRunsOut, "memory-runs-out", shownAs("Memory runs out"),
       shownAs("the memory of the nodes or of the ranks")},
      {Kind::DiskRunsFull, "disk-runs-full", shownAs("Disk runs full"), shownAs("the disks of the nodes")},
      {Kind::ThrottledGpu, "throttled-gpu", shownAs("Throttled GPU"),
       shownAs("clocks and utilization of several GPUs")},
      {Kind::IdleGpu, "idle-gpu", shownAs("Idle GPU"), shownAs("the utilization of the GPUs")},
      {Kind::ThroughputDrop, "throughput-drop", shownAs("Throughput drop"), shownAs("the time of steps")},
      {Kind::LossRise, "loss-rise", shownAs("Loss rises"), shownAs("the loss")},
      {Kind::LossSpike, "loss-spike", shownAs("Loss jumps"), shownAs("the loss")},
      {Kind::Plateau, "plateau", shownAs("Plateau"), shownAs("the loss")},
      {Kind::ClockSkew, "clock-skew", shownAs("Clocks differ"), shownAs("steps of several ranks")},
      {Kind::Settings, "settings", shownAs("Settings"), shownAs("the environment in train.yaml")},
  };

  static constexpr const char* kSeverities[] = {shownAs("Notice"), shownAs("Warning"), shownAs("Critical")};
  static constexpr const char* kHigh = shownAs("high");
  static constexpr const char* kMedium = shownAs("medium");
  static constexpr const char* kLow = shownAs("low");
};

constexpr double kHighConfidence = 0.8, kMediumConfidence = 0.55;

}  // namespace

std::span<const FindingInfo> findingCatalogue() {
  return FindingTexts::kKinds;
}

const FindingInfo& infoOf(FindingKind kind) {
  return FindingTexts::kKinds[static_cast<std::size_t>(kind)];
}

std::optional<FindingKind> findingKindNamed(std::string_view code) {
  for (const FindingInfo& info : FindingTexts::kKinds)
    if (info.code == code) return info.kind;
  return std::nullopt;
}

const char* codeOf(FindingSeverity severity) {
  constexpr const char* kCodes[] = {"notice", "warning", "critical"};
  return kCodes[static_cast<std::size_t>(severity)];
}

std::optional<FindingSeverity> findingSeverityNamed(std::string_view code) {
  for (const auto severity : {FindingSeverity::Notice, FindingSeverity::Warning, FindingSeverity::Critical})
    if (code == codeOf(severity)) return severity;
  return std::nullopt;
}

const char* titleOf(FindingSeverity severity) {
  return FindingTexts::kSeverities[static_cast<std::size_t>(severity)];
}

const char* wordForConfidence(double confidence) {
  if (confidence >= kHighConfidence) return FindingTexts::kHigh;
  return confidence >= kMediumConfidence ? FindingTexts::kMedium : FindingTexts::kLow;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "diagnosis/detectors/detectors.h"
#include "diagnosis/findings/number_texts.h"

namespace lockstep {
namespace {

constexpr const char* shownAs(const char* english) {
  return english;
}

struct FindingTexts {
  static constexpr const char* kSet = shownAs("%1=%2 is set");
  static constexpr const char* kMisspelt = shownAs("%1 is set, which nothing reads");
  static constexpr const char* kLoopback = shownAs("nodes cannot reach each other by that interface");
  static constexpr const char* kLoopbackRemedy =
      shownAs("leave it out, or name the interface that has the node's address in the subnet");
  static constexpr const char* kLocalhost = shownAs("each node then takes itself for the main node");
  static constexpr const char* kLocalhostRemedy = shownAs("leave it out: the node agent sets it");
  static constexpr const char* kSlow = shownAs(
      "every kernel or collective is then waited for or checked: good for a hunt, slow for a training");
  static constexpr const char* kSlowRemedy = shownAs("take it out once the hunt is over");
  static constexpr const char* kNoFast = shownAs("the fast way between GPUs is switched off");
  static constexpr const char* kNoFastRemedy = shownAs("take it out unless it works around a known fault");
  static constexpr const char* kSpelling = shownAs("it looks like a misspelling of %1");
  static constexpr const char* kSpellingRemedy = shownAs("write %1 instead");
  static constexpr const char* kThreads =
      shownAs("every rank starts so many threads, and ranks of a node share its cores");
  static constexpr const char* kThreadsRemedy = shownAs("set it to the cores of a node divided by its ranks");
  static constexpr const char* kInFile = shownAs("it stands in the environment of train.yaml");
};

struct Advice {
  const char* cause;
  const char* remedy;
  FindingSeverity severity = FindingSeverity::Warning;
};

constexpr Advice kLoopback{FindingTexts::kLoopback, FindingTexts::kLoopbackRemedy, FindingSeverity::Critical};
constexpr Advice kLocalhost{FindingTexts::kLocalhost, FindingTexts::kLocalhostRemedy,
                            FindingSeverity::Critical};
constexpr Advice kSlow{FindingTexts::kSlow, FindingTexts::kSlowRemedy, FindingSeverity::Notice};
constexpr Advice kNoFast{FindingTexts::kNoFast, FindingTexts::kNoFastRemedy, FindingSeverity::Notice};
constexpr Advice kThreads{FindingTexts::kThreads, FindingTexts::kThreadsRemedy, FindingSeverity::Notice};

/// What a variable is better not set to. A further one is one row.
struct Setting {
  std::string_view name;
  bool (*isWrong)(std::string_view value);
  const Advice& advice;
  bool needsSeveralNodes = false;
};

bool isLoopback(std::string_view value) {
  const std::string_view exact = value.starts_with('=') ? value.substr(1) : value;
  return exact == "lo" || exact.starts_with("docker");
}
bool isLocalhost(std::string_view value) {
  return value == "localhost" || value == "::1" || value.starts_with("127.");
}
bool isOn(std::string_view value) {
  return !value.empty() && value != "0" && value != "OFF";
}
bool isTrace(std::string_view value) {
  return value == "TRACE";
}
bool isDetail(std::string_view value) {
  return value == "DETAIL";
}
bool isMany(std::string_view value) {
  return value.size() >= 3 && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

constexpr Setting kSettings[] = {
    {"NCCL_SOCKET_IFNAME", isLoopback, kLoopback, true},
    {"GLOO_SOCKET_IFNAME", isLoopback, kLoopback, true},
    {"TP_SOCKET_IFNAME", isLoopback, kLoopback, true},
    {"MASTER_ADDR", isLocalhost, kLocalhost, true},
    {"CUDA_LAUNCH_BLOCKING", isOn, kSlow},
    {"TORCH_DISTRIBUTED_DEBUG", isDetail, kSlow},
    {"NCCL_DEBUG", isTrace, kSlow},
    {"NCCL_P2P_DISABLE", isOn, kNoFast},
    {"NCCL_SHM_DISABLE", isOn, kNoFast},
    {"NCCL_IB_DISABLE", isOn, kNoFast, true},
    {"OMP_NUM_THREADS", isMany, kThreads},
};
constexpr std::pair<std::string_view, std::string_view> kMisspelt[] = {
    {"NCCL_SOCKET_IFRAME", "NCCL_SOCKET_IFNAME"},
    {"NCCL_SOCKET_IF_NAME", "NCCL_SOCKET_IFNAME"},
    {"GLOO_SOCKET_IFRAME", "GLOO_SOCKET_IFNAME"},
    {"OMP_NUM_THREAD", "OMP_NUM_THREADS"},
};

RunFinding settingFinding(const Observation& seen, std::string_view name) {
  RunFinding finding = findingAbout(FindingKind::Settings, seen);
  finding.detail = name;
  finding.since = seen.facts.created;
  finding.step = std::nullopt;
  finding.evidence.push_back({FindingTexts::kInFile, {}});
  finding.confidence = 0.8;
  return finding;
}

}  // namespace

void findSettings(const Observation& seen, std::vector<RunFinding>& found) {
  if (!seen.isLive) return;
  for (const Setting& setting : kSettings) {
    const auto value = seen.facts.environment.find(std::string(setting.name));
    if (value == seen.facts.environment.end() || !setting.isWrong(value->second)) continue;
    if (setting.needsSeveralNodes && seen.facts.nodes < 2) continue;
    RunFinding finding = settingFinding(seen, setting.name);
    finding.severity = setting.advice.severity;
    finding.what = {FindingTexts::kSet, {plainArgument(value->first), plainArgument(value->second)}};
    finding.cause = {setting.advice.cause, {}};
    finding.remedy = {setting.advice.remedy, {}};
    found.push_back(std::move(finding));
  }
  for (const auto& [wrong, right] : kMisspelt) {
    if (!seen.facts.environment.contains(std::string(wrong))) continue;
    RunFinding finding = settingFinding(seen, wrong);
    finding.what = {FindingTexts::kMisspelt, {plainArgument(std::string(wrong))}};
    finding.cause = {FindingTexts::kSpelling, {plainArgument(std::string(right))}};
    finding.remedy = {FindingTexts::kSpellingRemedy, {plainArgument(std::string(right))}};
    found.push_back(std::move(finding));
  }
}

}  // namespace lockstep

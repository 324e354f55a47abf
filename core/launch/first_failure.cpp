// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/first_failure.h"

#include <fmt/format.h>

#include <signal.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/outside_json.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr int kShellSignalBase = 128;  // a shell reports a child that died of signal n as exit code 128+n

const NodeRun* firstFailedNode(const TrainingRun& run) {
  const NodeRun* first = nullptr;
  for (const NodeRun& node : run.nodes) {
    if (node.state != JobRunState::Failed) continue;
    const bool earlier =
        first == nullptr || (node.finished && (!first->finished || *node.finished < *first->finished));
    if (earlier) first = &node;
  }
  return first;
}

std::string signalText(int signal) {
  return fmt::format("signal {} ({})", signal, ::strsignal(signal));
}

// "…exit code 137…" -> ": signal 9 (Killed)"
std::string signalBehind(const std::string& details) {
  static const std::regex kExitCode("exit code ([0-9]{1,3})");
  std::smatch match;
  if (!std::regex_search(details, match, kExitCode)) return {};
  const int signal = std::stoi(match[1]) - kShellSignalBase;
  return signal > 0 && signal < NSIG ? ", " + signalText(signal) : "";
}

std::string nodeNamed(const TrainingRun& run, const json& file) {
  const std::string id = stringField(file, "jobRun");
  for (const NodeRun& node : run.nodes) {
    if (!id.empty() && node.id.value == id) return node.displayName;
  }
  if (const auto number = outsideNumber(file, "node", 0, kMaxRanks)) return fmt::format("node {}", *number);
  return outsideText(file, "node");
}

std::string fromFile(const TrainingRun& run, const json& file) {
  const auto rank = outsideNumber(file, "rank", 0, kMaxRanks - 1);
  const auto signal = outsideNumber(file, "signal", 1, NSIG - 1);
  const auto exitCode = outsideNumber(file, "exitCode", INT32_MIN, INT32_MAX);
  const std::string node = nodeNamed(run, file);
  std::string text = rank ? fmt::format("rank {}", *rank) : "the node agent";
  if (!node.empty()) text += " on " + node;
  if (signal) return text + " was ended by " + signalText(static_cast<int>(*signal));
  if (exitCode.value_or(0) != 0) return text + fmt::format(" ended with exit code {}", *exitCode);
  const std::string what = outsideText(file, "what");
  return what.empty() ? std::string() : text + " failed: " + what;
}

}  // namespace

std::string explainFailure(const TrainingRun& run, const std::optional<json>& failureFile) {
  const NodeRun* node = firstFailedNode(run);
  if (node == nullptr) return {};
  if (failureFile && failureFile->is_object()) {
    if (std::string text = fromFile(run, *failureFile); !text.empty()) return text;
  }
  if (node->details.empty()) return fmt::format("{} failed; the service gives no reason", node->displayName);
  return fmt::format("{} failed: {}{}", node->displayName, node->details, signalBehind(node->details));
}

}  // namespace lockstep

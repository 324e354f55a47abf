// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/stack_report.h"

#include <algorithm>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxRequestBytes = 1 << 20;

// JSON has no bytes that are no UTF-8; what a tool prints may have some.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ProcessStack processFrom(const Json& entry) {
  ProcessStack process;
  process.pid = static_cast<int>(outsideNumber(entry, "pid", 0, INT32_MAX).value_or(0));
  process.command = outsideText(entry, "command");
  process.state = outsideText(entry, "state");
  process.tool = outsideText(entry, "tool");
  process.stack = stringField(entry, "stack").substr(0, kMaxStackBytes);
  process.problem = outsideText(entry, "problem");
  return process;
}

Json processJson(const ProcessStack& process) {
  return {{"pid", process.pid},
          {"command", process.command},
          {"state", process.state},
          {"tool", process.tool},
          {"stack", process.stack.substr(0, kMaxStackBytes)},
          {"problem", process.problem}};
}

}  // namespace

bool isStackId(std::string_view id) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  };
  return !id.empty() && id.size() <= kMaxStackIdLength && std::ranges::all_of(id, fits);
}

std::string toJsonText(const StackRequest& request) {
  Json ranks = Json::array();
  for (const Rank rank : request.ranks) ranks.push_back(rank.value);
  return dumped({{"id", request.id}, {"ranks", std::move(ranks)}});
}

Json toJson(const StackReport& report) {
  Json processes = Json::array();
  for (const ProcessStack& process : report.processes)
    if (processes.size() < kMaxProcessStacks) processes.push_back(processJson(process));
  return {{"rank", report.rank.value},
          {"node", report.node},
          {"host", report.host},
          {"time", toRfc3339(report.time)},
          {"processes", std::move(processes)}};
}

std::string toJsonText(const StackReport& report) {
  return dumped(toJson(report));
}

Result<StackRequest> parseStackRequest(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxRequestBytes, "the request for stacks");
  if (!json) return failure(json.error());
  StackRequest request{stringField(*json, "id"), {}};
  if (!isStackId(request.id))
    return failure(ErrorCode::DataLoss, "cannot read the request for stacks",
                   "it has no id that could be one");
  for (const Json& entry : arrayField(*json, "ranks")) {
    const auto rank = wholeNumber(entry);
    if (rank && *rank >= 0 && *rank < kMaxRanks) request.ranks.emplace_back(static_cast<int>(*rank));
  }
  if (request.ranks.empty() && !arrayField(*json, "ranks").empty())
    return failure(ErrorCode::DataLoss, "cannot read the request for stacks",
                   "it names no rank that could be one");
  return request;
}

Result<StackReport> parseStackReport(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxStackReportBytes, "the stacks of a rank");
  if (!json) return failure(json.error());
  const auto rank = outsideNumber(*json, "rank", 0, kMaxRanks - 1);
  const auto time = outsideTime(*json, "time");
  if (!rank || !time)
    return failure(ErrorCode::DataLoss, "cannot read the stacks of a rank",
                   "they do not say of which rank, or when");
  StackReport report{
      Rank(static_cast<int>(*rank)), outsideText(*json, "node"), outsideText(*json, "host"), *time, {}};
  for (const Json& entry : arrayField(*json, "processes"))
    if (entry.is_object() && report.processes.size() < kMaxProcessStacks)
      report.processes.push_back(processFrom(entry));
  return report;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/run_folder.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kWhys[] = {"exited", "canceled", "timed-out", "cannot-start"};

std::optional<nlohmann::json> readJson(const std::filesystem::path& path) {
  const auto text = readFile(path);
  if (!text) return std::nullopt;
  nlohmann::json value = nlohmann::json::parse(*text, nullptr, false);
  if (!value.is_object()) return std::nullopt;
  return value;
}

std::string dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Result<void> writeSpec(const RunFolder& folder, const RunSpec& spec) {
  const nlohmann::json json{{"runId", spec.runId},
                            {"command", spec.command},
                            {"environment", spec.environment},
                            {"graceMs", spec.grace.count()},
                            {"maximumRuntimeMs", spec.maximumRuntime.count()}};
  return writeFileAtomically(folder.spec(), dump(json), 0600);
}

Result<RunSpec> readSpec(const RunFolder& folder) {
  const auto json = readJson(folder.spec());
  if (!json) return failure(StatusCode::Io, "cannot read '" + folder.spec().string() + "'");
  try {
    RunSpec spec;
    spec.runId = (*json)["runId"].get<std::string>();
    spec.command = (*json)["command"].get<std::vector<std::string>>();
    spec.environment = (*json)["environment"].get<std::map<std::string, std::string>>();
    spec.grace = std::chrono::milliseconds((*json)["graceMs"].get<long long>());
    spec.maximumRuntime = std::chrono::milliseconds((*json)["maximumRuntimeMs"].get<long long>());
    return spec;
  } catch (const nlohmann::json::exception& e) {
    return failure(StatusCode::DataLoss, "cannot understand '" + folder.spec().string() + "'", e.what());
  }
}

namespace {
// State letter and start ticks. The name in parentheses may hold blanks and parentheses, so reading begins
// after the last ')'.
std::optional<std::pair<char, unsigned long long>> readStat(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(end + 1));
  std::string field;
  char state = '?';
  for (int number = 3; number <= 22; ++number) {
    if (!(fields >> field)) return std::nullopt;
    if (number == 3) state = field.front();
  }
  return std::make_pair(state, std::stoull(field));
}
}  // namespace

std::optional<ProcessMark> markOf(pid_t pid) {
  const auto stat = readStat(pid);
  if (!stat) return std::nullopt;
  return ProcessMark{pid, stat->second};
}

bool isAlive(const ProcessMark& mark) {
  const auto stat = readStat(mark.pid);
  return stat && stat->second == mark.startTicks && stat->first != 'Z' && stat->first != 'X';
}

Result<void> writeSupervisor(const RunFolder& folder, const ProcessMark& mark) {
  return writeFileAtomically(folder.supervisor(), dump({{"pid", mark.pid}, {"startTicks", mark.startTicks}}),
                             0600);
}

std::optional<ProcessMark> readSupervisor(const RunFolder& folder) {
  const auto json = readJson(folder.supervisor());
  if (!json) return std::nullopt;
  return ProcessMark{json->value("pid", 0), json->value("startTicks", 0ULL)};
}

Result<void> writeEnd(const RunFolder& folder, const RunEnd& end) {
  return writeFileAtomically(folder.ended(),
                             dump({{"why", kWhys[static_cast<int>(end.why)]},
                                   {"exitCode", end.exitCode},
                                   {"signal", end.signal},
                                   {"problem", end.problem}}),
                             0600);
}

std::optional<RunEnd> readEnd(const RunFolder& folder) {
  const auto json = readJson(folder.ended());
  if (!json) return std::nullopt;
  RunEnd end;
  for (int i = 0; i < 4; ++i)
    if (json->value("why", "") == kWhys[i]) end.why = static_cast<RunEnd::Why>(i);
  end.exitCode = json->value("exitCode", 0);
  end.signal = json->value("signal", 0);
  end.problem = json->value("problem", "");
  return end;
}

}  // namespace lockstep::rehearsal

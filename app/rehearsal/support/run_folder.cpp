// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/support/run_folder.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kWhys[] = {"exited", "canceled", "timed-out", "cannot-start", "not-ready"};

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

std::vector<NodeFolder> nodeFoldersOf(const RunFolder& folder) {
  std::vector<NodeFolder> nodes;
  std::error_code ec;
  if (std::filesystem::exists(folder.onlyNode().spec(), ec)) nodes.push_back(folder.onlyNode());
  for (const auto& entry : std::filesystem::directory_iterator(folder.path / "nodes", ec))
    nodes.push_back({entry.path()});
  return nodes;
}

Result<void> writeSpec(const NodeFolder& folder, const NodeTask& spec) {
  nlohmann::json json{{"runId", spec.runId},
                      {"node", spec.node},
                      {"command", spec.command},
                      {"environment", spec.environment},
                      {"graceMs", spec.grace.count()},
                      {"maximumRuntimeMs", spec.maximumRuntime.count()},
                      {"network", spec.network},
                      {"sampleIntervalMs", spec.sampleInterval.count()},
                      {"diskFullMark", spec.diskFullMark.string()},
                      {"code", spec.code.string()}};
  if (spec.probe)
    json["probe"] = {{"command", spec.probe->command},
                     {"initialDelayMs", spec.probe->initialDelay.count()},
                     {"periodMs", spec.probe->period.count()},
                     {"failureThreshold", spec.probe->failureThreshold}};
  if (spec.strike)
    json["strike"] = {{"signal", spec.strike->signal}, {"afterMs", spec.strike->after.count()}};
  return writeFileAtomically(folder.spec(), dump(json), 0600);
}

namespace {

std::chrono::milliseconds millisAt(const nlohmann::json& json, const char* name) {
  return std::chrono::milliseconds(json.at(name).get<long long>());
}

NodeTask specFrom(const nlohmann::json& json) {
  NodeTask spec;
  spec.runId = json.at("runId").get<std::string>();
  spec.node = json.value("node", 0);
  spec.command = json.at("command").get<std::vector<std::string>>();
  spec.environment = json.at("environment").get<std::map<std::string, std::string>>();
  spec.grace = millisAt(json, "graceMs");
  spec.maximumRuntime = millisAt(json, "maximumRuntimeMs");
  spec.network = json.value("network", nlohmann::json());
  if (json.contains("sampleIntervalMs")) spec.sampleInterval = millisAt(json, "sampleIntervalMs");
  spec.diskFullMark = json.value("diskFullMark", "");
  spec.code = json.value("code", "");
  if (json.contains("probe")) {
    const nlohmann::json& probe = json["probe"];
    spec.probe =
        StartupProbe{probe.at("command").get<std::vector<std::string>>(), millisAt(probe, "initialDelayMs"),
                     millisAt(probe, "periodMs"), probe.at("failureThreshold").get<int>()};
  }
  if (json.contains("strike"))
    spec.strike = NodeStrike{json["strike"].at("signal").get<int>(), millisAt(json["strike"], "afterMs")};
  return spec;
}

}  // namespace

Result<NodeTask> readSpec(const NodeFolder& folder) {
  const auto json = readJson(folder.spec());
  if (!json) return failure(ErrorCode::Io, "cannot read '" + folder.spec().string() + "'");
  try {
    return specFrom(*json);
  } catch (const nlohmann::json::exception& e) {
    return failure(ErrorCode::DataLoss, "cannot understand '" + folder.spec().string() + "'", e.what());
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

// Whoever has the number once the descriptor is open has it until the descriptor is closed: so the look at its
// start comes in between.
bool signalProcess(const ProcessMark& mark, int signal) {
  if (mark.pid <= 0) return false;
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, mark.pid, 0));
  if (process < 0) return errno == ENOSYS && isAlive(mark) && ::kill(mark.pid, signal) == 0;
  const bool isSent = isAlive(mark) && ::syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0) == 0;
  ::close(process);
  return isSent;
}

Result<void> writeSupervisor(const NodeFolder& folder, const ProcessMark& mark) {
  return writeFileAtomically(folder.supervisor(), dump({{"pid", mark.pid}, {"startTicks", mark.startTicks}}),
                             0600);
}

std::optional<ProcessMark> readSupervisor(const NodeFolder& folder) {
  const auto json = readJson(folder.supervisor());
  if (!json) return std::nullopt;
  return ProcessMark{json->value("pid", 0), json->value("startTicks", 0ULL)};
}

Result<void> writeEnd(const NodeFolder& folder, const NodeEnd& end) {
  return writeFileAtomically(folder.ended(),
                             dump({{"why", kWhys[static_cast<int>(end.why)]},
                                   {"exitCode", end.exitCode},
                                   {"signal", end.signal},
                                   {"problem", end.problem},
                                   {"linesLost", end.linesLost},
                                   {"time", end.time}}),
                             0600);
}

std::optional<NodeEnd> readEnd(const NodeFolder& folder) {
  const auto json = readJson(folder.ended());
  if (!json) return std::nullopt;
  NodeEnd end;
  for (std::size_t i = 0; i < std::size(kWhys); ++i)
    if (json->value("why", "") == kWhys[i]) end.why = static_cast<NodeEnd::Why>(i);
  end.exitCode = json->value("exitCode", 0);
  end.signal = json->value("signal", 0);
  end.problem = json->value("problem", "");
  end.linesLost = json->value("linesLost", 0LL);
  end.time = json->value("time", 0LL);
  return end;
}

}  // namespace lockstep::rehearsal

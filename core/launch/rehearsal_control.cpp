// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_control.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "launch/captured_process.h"
#include "launch/job_run_rows.h"

namespace lockstep {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kStopLimit = 60s;  // job run processes get time to end
constexpr auto kStatusLimit = 20s;

std::filesystem::path stateDirOf(const RehearsalOptions& options) {
  return options.stateDir.empty() ? userDataDir() / "rehearsal" : options.stateDir;
}

std::vector<std::string> commandFor(const RehearsalOptions& options, const std::string& verb) {
  const auto program = options.program.empty() ? programDir() / "lockstep-rehearsal" : options.program;
  return {program.string(), verb, "--state", stateDirOf(options).string()};
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

Status refusedStatus(const std::string& what, const CapturedExit& done) {
  std::string cause = trimmed(done.errors.empty() ? done.output : done.errors);
  if (cause.empty()) cause = "lockstep-rehearsal ended with " + describe(done.exit) + " and said nothing";
  return Status{StatusCode::Unavailable, what, std::move(cause), {}, {}, {}};
}

RehearsalInfo infoFrom(const json& document) {
  RehearsalInfo info;
  info.endpoint = textAt(document, "endpoint");
  info.configFile = textAt(document, "config");
  info.profile = textAt(document, "profile");
  const auto pid = document.find("pid");
  if (pid != document.end() && pid->is_number_integer()) info.pid = pid->get<int>();
  const auto places = document.find("places");
  if (places != document.end() && places->is_object()) {
    info.places = {textAt(*places, "compartmentId"), textAt(*places, "projectId"),
                   textAt(*places, "subnetId"),      textAt(*places, "logGroupId"),
                   textAt(*places, "logId"),         textAt(*places, "workDir")};
  }
  return info;
}

Result<RehearsalInfo> parseInfo(const std::string& what, const CapturedExit& done) {
  const json document = json::parse(done.output, nullptr, false);
  if (!document.is_object() || textAt(document, "endpoint").empty()) {
    return failure(
        StatusCode::Internal, what,
        "lockstep-rehearsal printed no description of the region: " + trimmed(done.output.substr(0, 300)));
  }
  return infoFrom(document);
}

Result<void> runVerb(const RehearsalOptions& options, const std::string& verb, const std::stop_token& stop) {
  auto done = runCaptured(commandFor(options, verb), kStopLimit, stop);
  if (!done) return failure(std::move(done.error()));
  if (!done->exit.ok())
    return failure(refusedStatus(fmt::format("cannot {} the rehearsal region", verb), *done));
  return {};
}

}  // namespace

json toJson(const RehearsalInfo& info) {
  const TenancyPlaces& p = info.places;
  return {{"running", true},
          {"endpoint", info.endpoint},
          {"config", info.configFile},
          {"profile", info.profile},
          {"pid", info.pid},
          {"places",
           {{"compartmentId", p.compartmentId},
            {"projectId", p.projectId},
            {"subnetId", p.subnetId},
            {"logGroupId", p.logGroupId},
            {"logId", p.logId},
            {"workDir", p.workDir}}}};
}

Result<RehearsalInfo> startRehearsal(const RehearsalOptions& options, const std::stop_token& stop) {
  std::vector<std::string> command = commandFor(options, "start");
  command.push_back("--json");
  if (options.port != 0) command.insert(command.end(), {"--port", std::to_string(options.port)});
  if (!options.configFile.empty()) command.insert(command.end(), {"--config", options.configFile});
  if (options.empty) command.push_back("--empty");
  const std::string what = "cannot start the rehearsal region";
  auto done = runCaptured(command, kRehearsalStartLimit, stop);
  if (!done) return failure(std::move(done.error()));
  if (!done->exit.ok()) return failure(refusedStatus(what, *done));
  return parseInfo(what, *done);
}

Result<RehearsalInfo> rehearsalStatus(const RehearsalOptions& options) {
  std::vector<std::string> command = commandFor(options, "status");
  command.push_back("--json");
  auto done = runCaptured(command, kStatusLimit, {});
  if (!done) return failure(std::move(done.error()));
  const json document = json::parse(done->output, nullptr, false);
  if (document.is_object() && document.contains("running") && document["running"] == json(false)) {
    return failure(StatusCode::NotFound, "no rehearsal region runs",
                   fmt::format("state folder '{}'", stateDirOf(options).string()),
                   "start it with: lockstep rehearsal start");
  }
  const std::string what = "cannot ask the rehearsal region how it is";
  if (!done->exit.ok()) return failure(refusedStatus(what, *done));
  return parseInfo(what, *done);
}

Result<void> stopRehearsal(const RehearsalOptions& options, const std::stop_token& stop) {
  return runVerb(options, "stop", stop);
}

Result<void> resetRehearsal(const RehearsalOptions& options, const std::stop_token& stop) {
  return runVerb(options, "reset", stop);
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_control.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "base/json_fields.h"
#include "base/text/quote.h"
#include "base/text/trimmed.h"
#include "base/user_dirs.h"
#include "http/curl_http_client.h"

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

Error refusedError(const std::string& what, const CapturedExit& done) {
  std::string cause(trimmed(done.errors.empty() ? done.output : done.errors));
  if (cause.empty()) cause = "lockstep-rehearsal ended with " + describe(done.exit) + " and said nothing";
  return Error{ErrorCode::Unavailable, what, std::move(cause), {}, {}, {}};
}

RehearsalInfo infoFrom(const json& document) {
  RehearsalInfo info;
  info.endpoint = stringField(document, "endpoint");
  info.configFile = stringField(document, "config");
  info.profile = stringField(document, "profile");
  info.pid = static_cast<int>(integerField(document, "pid").value_or(info.pid));
  const json& places = objectField(document, "places");
  info.places = {stringField(places, "compartmentId"), stringField(places, "projectId"),
                 stringField(places, "subnetId"),      stringField(places, "logGroupId"),
                 stringField(places, "logId"),         stringField(places, "workDir")};
  info.httpsEndpoint = stringField(document, "httpsEndpoint");
  info.certificateBundle = stringField(document, "certificateBundle");
  info.unenforced = stringField(document, "unenforced");
  if (const auto metadata = document.find("regionMetadata"); metadata != document.end())
    info.regionMetadata = metadata->dump();
  for (const json& host : arrayField(document, "hosts"))
    if (host.is_string()) info.hosts.push_back(host.get<std::string>());
  return info;
}

Result<RehearsalInfo> parseInfo(const std::string& what, const CapturedExit& done) {
  const json document = json::parse(done.output, nullptr, false);
  if (!document.is_object() || stringField(document, "endpoint").empty()) {
    return failure(ErrorCode::Internal, what,
                   "lockstep-rehearsal printed no description of the region: " +
                       std::string(trimmed(std::string_view(done.output).substr(0, 300))));
  }
  return infoFrom(document);
}

Result<void> runVerb(const RehearsalOptions& options, const std::string& verb, const std::stop_token& stop) {
  auto done = runCaptured(commandFor(options, verb), kStopLimit, stop);
  if (!done) return failure(std::move(done.error()));
  if (!done->exit.ok())
    return failure(refusedError(fmt::format("cannot {} the rehearsal region", verb), *done));
  return {};
}

}  // namespace

json toJson(const RehearsalInfo& info) {
  const TenancyIds& p = info.places;
  json document{{"running", true},
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
  if (!info.unenforced.empty()) document["unenforced"] = info.unenforced;
  if (info.httpsEndpoint.empty()) return document;
  document["httpsEndpoint"] = info.httpsEndpoint;
  document["certificateBundle"] = info.certificateBundle;
  document["regionMetadata"] = json::parse(info.regionMetadata, nullptr, false);
  document["hosts"] = info.hosts;
  return document;
}

Result<RehearsalInfo> startRehearsal(const RehearsalOptions& options, const std::stop_token& stop) {
  std::vector<std::string> command = commandFor(options, "start");
  command.push_back("--json");
  if (options.port != 0) command.insert(command.end(), {"--port", std::to_string(options.port)});
  if (!options.configFile.empty()) command.insert(command.end(), {"--config", options.configFile});
  if (options.empty) command.push_back("--empty");
  if (options.tls) command.push_back("--tls");
  if (!options.isolate) command.insert(command.end(), {"--isolate", "off"});
  if (!options.faultsFile.empty()) command.insert(command.end(), {"--faults", options.faultsFile.string()});
  const std::string what = "cannot start the rehearsal region";
  auto done = runCaptured(command, kRehearsalStartLimit, stop);
  if (!done) return failure(std::move(done.error()));
  if (!done->exit.ok()) return failure(refusedError(what, *done));
  return parseInfo(what, *done);
}

Result<RehearsalInfo> rehearsalStatus(const RehearsalOptions& options) {
  std::vector<std::string> command = commandFor(options, "status");
  command.push_back("--json");
  auto done = runCaptured(command, kStatusLimit, {});
  if (!done) return failure(std::move(done.error()));
  const json document = json::parse(done->output, nullptr, false);
  if (!boolField(document, "running", true)) {
    return failure(ErrorCode::NotFound, "no rehearsal region runs",
                   fmt::format("state folder '{}'", stateDirOf(options).string()),
                   "start it with: lockstep rehearsal start");
  }
  const std::string what = "cannot ask the rehearsal region how it is";
  if (!done->exit.ok()) return failure(refusedError(what, *done));
  return parseInfo(what, *done);
}

namespace {

// The admin calls need the secret in the state folder: whoever can read it owns the region anyway.
Result<json> callFaults(const RehearsalOptions& options, const std::string& method, std::string body,
                        const std::stop_token& stop) {
  const auto region = rehearsalStatus(options);
  if (!region) return failure(region.error());
  const auto token = readFile(stateDirOf(options) / "admin.token", 4096);
  if (!token) return failure(token.error());
  HttpRequest request;
  request.method = method;
  request.url = region->endpoint + "/rehearsal/faults";
  request.headers = {{"authorization", "Bearer " + std::string(trimmed(*token))},
                     {"content-type", "application/json"}};
  request.body = std::move(body);
  const std::string what = "cannot reach the faults of the rehearsal region";
  const auto response = makeCurlHttpClient()->send(request, stop);
  if (!response) return failure(response.error());
  const json answer = json::parse(response->body, nullptr, false);
  if (response->status == 200 && answer.is_object()) return answer;
  if (response->status == 204) return json{{"seed", 1}, {"faults", json::array()}};
  const std::string said = stringField(answer, "message");
  return failure(response->status == 400 ? ErrorCode::InvalidArgument : ErrorCode::Unavailable, what,
                 said.empty() ? fmt::format("it answered {}", response->status) : said);
}

}  // namespace

Result<json> rehearsalFaults(const RehearsalOptions& options, const std::stop_token& stop) {
  return callFaults(options, "GET", {}, stop);
}

Result<json> setRehearsalFaults(const RehearsalOptions& options,
                                const std::optional<std::filesystem::path>& file,
                                const std::stop_token& stop) {
  if (!file) return callFaults(options, "DELETE", {}, stop);
  auto text = readFile(*file, 1 << 20);
  if (!text) return failure(text.error());
  return callFaults(options, "PUT", std::move(*text), stop);
}

Result<std::string> rehearsalEnvironment(const RehearsalInfo& info) {
  if (info.httpsEndpoint.empty())
    return failure(ErrorCode::InvalidArgument, "the rehearsal region serves no https",
                   "Oracle's tools reach the hosts of a region by https only",
                   "start it with: lockstep rehearsal start --tls");
  std::string lines;
  const auto set = [&lines](const char* name, const std::string& value) {
    lines += fmt::format("export {}={}\n", name, quoteShell(value));
  };
  set("OCI_REGION_METADATA", info.regionMetadata);
  set("OCI_CLI_CONFIG_FILE", info.configFile);
  set("OCI_CONFIG_FILE", info.configFile);
  set("OCI_CLI_PROFILE", info.profile);
  set("OCI_CLI_CERT_BUNDLE", info.certificateBundle);
  for (const char* name : {"REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}) set(name, info.certificateBundle);
  return lines;
}

Result<void> stopRehearsal(const RehearsalOptions& options, const std::stop_token& stop) {
  return runVerb(options, "stop", stop);
}

Result<void> resetRehearsal(const RehearsalOptions& options, const std::stop_token& stop) {
  return runVerb(options, "reset", stop);
}

}  // namespace lockstep

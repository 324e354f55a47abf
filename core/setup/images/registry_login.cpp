// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/registry_login.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/clock.h"
#include "base/json_fields.h"
#include "base/text/encoding.h"
#include "base/text/quote.h"
#include "http/url.h"
#include "oci/calls/call_log.h"
#include "oci/calls/service_client.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

using Environment = std::map<std::string, std::string>;
using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kLimit = 20s;
constexpr auto kListLimit = 5s;
constexpr std::uint64_t kMaxConfig = 4 << 20;

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::string lastLine(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return {};
  const std::size_t begin = text.find_last_of("\r\n", last);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     last - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

fs::path dockerConfigFile(const Environment& environment) {
  if (const std::string folder = environmentValue(environment, "DOCKER_CONFIG"); !folder.empty())
    return fs::path(folder) / "config.json";
  return fs::path(environmentValue(environment, "HOME")) / ".docker/config.json";
}

// The file without what is secret in it: each such text becomes true, or false when it is empty.
json readWithoutSecrets(const fs::path& file) {
  auto text = readFile(file, kMaxConfig);
  if (!text) return json::object();
  const Secret whole(std::move(*text));
  std::string key;
  const auto hide = [&key](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key) key = parsed.get<std::string>();
    const bool secret =
        key == "auth" || key == "password" || key == "identitytoken" || key == "registrytoken";
    if (event == json::parse_event_t::value && secret && parsed.is_string())
      parsed = !parsed.get_ref<const std::string&>().empty();
    return true;
  };
  json config = json::parse(whole.reveal(), hide, false);
  return config.is_object() ? config : json::object();
}

// "https://iad.ocir.io/v1/" and "iad.ocir.io" are the same entry.
std::string hostOfEntry(std::string_view entry) {
  if (const auto scheme = entry.find("://"); scheme != std::string_view::npos)
    entry.remove_prefix(scheme + 3);
  return std::string(entry.substr(0, entry.find('/')));
}

// "osxkeychain", "pass", "desktop": who keeps the login of that registry; empty: the file itself.
std::string helperOf(const json& config, const std::string& host) {
  const std::string own = stringField(objectField(config, "credHelpers"), host);
  return own.empty() ? stringField(config, "credsStore") : own;
}

bool isPlainName(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
}

EngineLogin loginInHelper(const std::string& helper, const std::string& host, const CommandRunner& run,
                          const std::stop_token& stop) {
  EngineLogin login{false, {}, "docker-credential-" + helper};
  if (!isPlainName(helper)) return login;
  const auto said = run({login.where, "list"}, Secret(), kListLimit, stop);
  const json entries = said && said->exit.ok() ? json::parse(said->output, nullptr, false) : json();
  if (!entries.is_object()) return login;
  for (const auto& [entry, user] : entries.items()) {
    if (hostOfEntry(entry) != host) continue;
    login.isThere = true;
    login.user = user.is_string() ? user.get<std::string>() : std::string();
  }
  return login;
}

EngineLogin dockerLogin(const std::string& host, const Environment& environment, const CommandRunner& run,
                        const std::stop_token& stop) {
  const fs::path file = dockerConfigFile(environment);
  const json config = readWithoutSecrets(file);
  if (const std::string helper = helperOf(config, host); !helper.empty())
    return loginInHelper(helper, host, run, stop);
  EngineLogin login{false, {}, file.string()};
  for (const auto& [entry, kept] : objectField(config, "auths").items()) {
    const bool holds = boolField(kept, "auth", false) || boolField(kept, "identitytoken", false);
    login.isThere = login.isThere || (holds && hostOfEntry(entry) == host);
  }
  return login;
}

EngineLogin podmanLogin(const ContainerEngine& engine, const std::string& host, const CommandRunner& run,
                        const std::stop_token& stop) {
  EngineLogin login{false, {}, "podman"};
  const auto said = run({engine.program.string(), "login", "--get-login", host}, Secret(), kListLimit, stop);
  login.isThere = said && said->exit.ok() && !lastLine(said->output).empty();
  if (login.isThere) login.user = lastLine(said->output);
  return login;
}

std::vector<std::string> loginCommand(const ContainerEngine& engine, const RegistryAddress& place,
                                      const std::string& user) {
  std::vector<std::string> command{engine.program.string(), "login", "--username=" + user,
                                   "--password-stdin"};
  if (engine.kind == EngineKind::Podman && place.isInsecure()) command.emplace_back("--tls-verify=false");
  command.push_back(place.host);
  return command;
}

Error refusedLogin(const RegistryAddress& place, const std::string& user, const std::string& said) {
  Error error;
  error.what = fmt::format("cannot log in to {} as '{}'", place.host, user);
  error.cause = said;
  error.code = ErrorCode::Unavailable;
  if (has(said, "unauthorized") || has(said, "401") || has(said, "invalid username/password") ||
      has(said, "denied")) {
    error.code = ErrorCode::Unauthenticated;
    error.remedy = "check the form of the user name, and that the password is an auth token";
  } else if (has(said, "storing credentials") || has(said, "saving credentials") ||
             has(said, "error getting credentials")) {
    error.code = ErrorCode::Io;
    error.remedy = "the registry accepted it; fix the credential helper that docker's config.json names";
  } else if (has(said, "x509") || has(said, "certificate")) {
    error.remedy = "give the engine the authority: /etc/docker/certs.d/HOST/ca.crt";
  } else {
    error.remedy = "check the network and the proxy of the engine (docker info)";
  }
  return error;
}

oci::CallRecord recordOf(const HttpRequest& request, TimePoint begin, SteadyPoint steadyBegin) {
  oci::CallRecord record;
  record.at = begin;
  record.duration = SystemClock().steady() - steadyBegin;
  record.method = request.method;
  record.service = oci::toString(oci::Service::Registry);
  record.operation = "GetDockerToken";
  if (const auto url = parseUrl(request.url)) record.host = url->hostHeader();
  return record;
}

}  // namespace

Result<LoginAnswer> askRegistry(HttpClient& http, const RegistryAddress& place, const std::string& user,
                                const Secret& password, const std::stop_token& stop) {
  HttpRequest request{
      "GET", place.url + "/20180419/docker/token?service=" + percentEncode(place.host), {}, {}};
  const Secret login(fmt::format("{}:{}", user, password.reveal()));
  request.headers = {{"authorization", "Basic " + toBase64(login.reveal())}, {"accept", "application/json"}};
  request.timeout = kLimit;
  const TimePoint begin = SystemClock().now();
  const SteadyPoint steadyBegin = SystemClock().steady();
  const auto answer = http.send(request, stop);
  oci::CallRecord record = recordOf(request, begin, steadyBegin);
  record.httpStatus = answer ? answer->status : 0;
  record.requestId = answer ? headerValue(answer->headers, "opc-request-id") : "";
  oci::CallLog().record(record);
  if (!answer) return failure(answer.error());
  const LoginAnswer answered{answer->status == 200, evidenceOf("GetDockerToken", *answer)};
  if (answer->status == 200 || answer->status == 401 || answer->status == 403) return answered;
  return failure(ErrorCode::Unavailable,
                 fmt::format("{} did not say whether it lets '{}' in", place.host, user),
                 fmt::format("HTTP {}", answer->status), "try again later");
}

EngineLogin engineLogin(const ContainerEngine& engine, const std::string& host,
                        const Environment& environment, const CommandRunner& run,
                        const std::stop_token& stop) {
  return engine.kind == EngineKind::Podman ? podmanLogin(engine, host, run, stop)
                                           : dockerLogin(host, environment, run, stop);
}

std::optional<bool> doesLoginWork(const ContainerEngine& engine, const RegistryAddress& place,
                                  const std::string& repository, const CommandRunner& run,
                                  const std::stop_token& stop) {
  if (engine.kind == EngineKind::Podman) return std::nullopt;
  std::vector<std::string> command{engine.program.string(), "manifest", "inspect"};
  if (place.isInsecure()) command.emplace_back("--insecure");
  command.push_back(place.host + "/" + repository);
  const auto said = run(command, Secret(), kLimit, stop);
  if (!said) return std::nullopt;
  if (said->exit.ok() || has(said->errors, "no such manifest") || has(said->errors, "manifest unknown") ||
      has(said->errors, "not found"))
    return true;
  if (has(said->errors, "unauthorized") || has(said->errors, "no basic auth credentials")) return false;
  return std::nullopt;
}

Result<void> logIn(const ContainerEngine& engine, const RegistryAddress& place, const std::string& user,
                   const Secret& password, const CommandRunner& run, const std::stop_token& stop) {
  const auto said = run(loginCommand(engine, place, user), password, kLimit, stop);
  if (!said) return failure(said.error());
  if (said->exit.ok()) return {};
  return failure(refusedLogin(place, user, lastLine(said->errors)));
}

Result<void> logOut(const fs::path& engineProgram, const std::string& host, const CommandRunner& run,
                    const std::stop_token& stop) {
  const auto said = run({engineProgram.string(), "logout", host}, Secret(), kLimit, stop);
  if (!said) return failure(said.error());
  if (said->exit.ok() || has(said->errors, "not logged in")) return {};
  return failure(ErrorCode::FailedPrecondition, fmt::format("cannot log out of {}", host),
                 lastLine(said->errors), fmt::format("run: {} logout {}", engineProgram.string(), host));
}

std::string loginCommandText(const ContainerEngine& engine, const RegistryAddress& place,
                             const std::string& user) {
  std::vector<std::string> words;
  for (const std::string& word : loginCommand(engine, place, user)) words.push_back(quoteShell(word));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace lockstep

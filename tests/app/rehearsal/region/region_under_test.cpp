// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/region/region_under_test.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/pem.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <thread>

#include "base/atomic_file.h"

namespace lockstep::testing {
namespace {

std::string base64(const unsigned char* bytes, std::size_t size) {
  std::string text(4 * ((size + 2) / 3) + 1, '\0');
  text.resize(static_cast<std::size_t>(
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size))));
  return text;
}

std::string sha256Base64(const std::string& text) {
  unsigned char digest[32];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr);
  return base64(digest, size);
}

std::string httpDate(std::chrono::seconds error) {
  const std::time_t now = std::time(nullptr) + error.count();
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string TestResponse::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string signText(EVP_PKEY* key, const std::string& text) {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  unsigned char signature[1024];
  std::size_t size = sizeof signature;
  const bool done = EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key) == 1 &&
                    EVP_DigestSign(context, signature, &size,
                                   reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
  EVP_MD_CTX_free(context);
  return done ? base64(signature, size) : "";
}

std::shared_ptr<EVP_PKEY> readKeyFile(const std::string& file) {
  FILE* stream = std::fopen(file.c_str(), "r");
  if (stream == nullptr) return nullptr;
  EVP_PKEY* key = PEM_read_PrivateKey(stream, nullptr, nullptr, nullptr);
  std::fclose(stream);
  return {key, EVP_PKEY_free};
}

TestResponse TestCaller::send(const std::string& method, const std::string& targetText,
                              const std::string& bodyText, const HeaderList& extra) const {
  std::string target = targetText, body = bodyText;
  std::map<std::string, std::string> headers{{"date", httpDate(clockError)},
                                             {"host", "127.0.0.1:" + std::to_string(port_)}};
  for (const auto& [name, value] : extra) headers[name] = value;
  std::vector<std::string> names{"date", "(request-target)", "host"};
  const bool hasBody = method == "POST" || method == "PUT" || method == "PATCH";
  if (hasBody) headers["content-length"] = std::to_string(body.size());
  if (hasBody && !(method == "PUT" && target.starts_with("/n/"))) {
    headers.try_emplace("content-type", "application/json");
    headers["x-content-sha256"] = sha256Base64(body);
    for (const char* name : {"content-length", "content-type", "x-content-sha256"}) names.emplace_back(name);
  }
  std::string text, list;
  for (const std::string& name : names) {
    if (!text.empty()) text += "\n";
    text += name + ": " + (name == "(request-target)" ? lower(method) + " " + target : headers[name]);
    list += (list.empty() ? "" : " ") + name;
  }
  headers["authorization"] = "Signature version=\"1\",headers=\"" + list + "\",keyId=\"" + keyId_ +
                             "\",algorithm=\"rsa-sha256\",signature=\"" + signText(key_.get(), text) + "\"";
  if (spoil) spoil(target, headers, body);
  if (body.empty()) headers.erase("content-length");  // of an empty one the client adds its own
  return sendAsIs(port_, method, target, {headers.begin(), headers.end()}, body);
}

TestResponse sendAsIs(int port, const std::string& method, const std::string& target,
                      const HeaderList& headers, const std::string& body) {
  httplib::Client client("127.0.0.1", port);
  client.set_url_encode(false);
  client.set_read_timeout(60);
  httplib::Request request;
  request.method = method;
  request.path = target;
  request.body = body;
  for (const auto& [name, value] : headers) request.headers.emplace(name, value);
  const auto result = client.send(request);
  TestResponse response;
  if (!result) return response;
  response.status = result->status;
  response.body = result->body;
  for (const auto& [name, value] : result->headers) response.headers.emplace(lower(name), value);
  return response;
}

std::pair<int, std::string> runProgram(const std::vector<std::string>& command,
                                       const std::map<std::string, std::string>& environment,
                                       const std::string& input) {
  TempDir temp;
  std::ofstream(temp.path() / "in") << input;
  const std::string in = (temp.path() / "in").string(), out = (temp.path() / "out").string();
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(::open(in.c_str(), O_RDONLY), 0);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
    std::vector<std::string> variables;
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    std::vector<char*> argv, envp;
    for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    for (auto& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  std::ifstream stream(out);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text};
}

RegionUnderTest::RegionUnderTest(const std::string& script, std::vector<std::string> options)
    : options_(std::move(options)) {
  if (!script.empty()) {
    const auto file = temp_.path() / "entrypoint";
    // Not held open by what another thread starts meanwhile: a file that is written to cannot be executed.
    const auto written = writeFileAtomically(file, "#!/bin/bash\n" + script + "\n", 0700);
    EXPECT_TRUE(written) << describe(written.error());
    options_.insert(options_.end(), {"--entrypoint", file.string()});
  }
  options_.insert(options_.end(), {"--provisioning-ms", "30"});
  start();
}

RegionUnderTest::~RegionUnderTest() {
  command({"stop"});
}

std::pair<int, std::string> RegionUnderTest::command(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal");
  arguments.insert(arguments.end(), {"--state", stateFolder().string()});
  return runProgram(arguments, {{"PATH", "/usr/bin:/bin"}, {"HOME", temp_.path().string()}});
}

void RegionUnderTest::start() {
  std::vector<std::string> arguments{"start", "--json", "--config", configFile()};
  arguments.insert(arguments.end(), options_.begin(), options_.end());
  const auto [status, text] = command(arguments);
  info_ = nlohmann::json::parse(text, nullptr, false);
  if (status != 0 || !info_.is_object()) throw std::runtime_error("the region did not start: " + text);
}

void RegionUnderTest::killHard() {
  const pid_t pid = info_["pid"].get<pid_t>();
  ::kill(pid, SIGKILL);
  ASSERT_TRUE(eventually([pid] { return ::kill(pid, 0) != 0; }));
}

int RegionUnderTest::port() const {
  const std::string endpoint = info_["endpoint"];
  return std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
}

TestCaller RegionUnderTest::caller() const {
  std::map<std::string, std::string> values;
  std::ifstream config(configFile());
  for (std::string line; std::getline(config, line);)
    if (const auto equals = line.find('='); equals != std::string::npos)
      values[line.substr(0, equals)] = line.substr(equals + 1);
  return {port(), values["tenancy"] + "/" + values["user"] + "/" + values["fingerprint"],
          readKeyFile(values["key_file"])};
}

nlohmann::json RegionUnderTest::jobBody(const nlohmann::json& environment) const {
  return {{"projectId", place("projectId")},
          {"compartmentId", place("compartmentId")},
          {"displayName", "test job"},
          {"jobConfigurationDetails", {{"jobType", "DEFAULT"}, {"environmentVariables", environment}}},
          {"jobInfrastructureConfigurationDetails",
           {{"jobInfrastructureType", "STANDALONE"},
            {"shapeName", "VM.Standard2.1"},
            {"subnetId", place("subnetId")},
            {"blockStorageSizeInGBs", 50}}},
          {"jobEnvironmentConfigurationDetails",
           {{"jobEnvironmentType", "OCIR_CONTAINER"}, {"image", "iad.ocir.io/ns/trainer:1"}}},
          {"jobLogConfigurationDetails",
           {{"enableLogging", true},
            {"enableAutoLogCreation", false},
            {"logGroupId", place("logGroupId")},
            {"logId", place("logId")}}}};
}

nlohmann::json RegionUnderTest::runBody(const std::string& jobId, const nlohmann::json& environment) const {
  return {
      {"projectId", place("projectId")},
      {"compartmentId", place("compartmentId")},
      {"jobId", jobId},
      {"displayName", "test run"},
      {"jobConfigurationOverrideDetails", {{"jobType", "DEFAULT"}, {"environmentVariables", environment}}}};
}

std::string RegionUnderTest::launch(const nlohmann::json& environment, const nlohmann::json& jobChanges) {
  nlohmann::json body = jobBody();
  body.merge_patch(jobChanges);
  const TestResponse job = caller().post("/20190101/jobs", body);
  if (job.status != 200) throw std::runtime_error("no job: " + job.body);
  const TestResponse run = caller().post("/20190101/jobRuns", runBody(job.json()["id"], environment));
  if (run.status != 200) throw std::runtime_error("no job run: " + run.body);
  return run.json()["id"];
}

nlohmann::json RegionUnderTest::waitForState(const std::string& runId,
                                             const std::vector<std::string>& states) const {
  nlohmann::json run;
  const bool reached = eventually([&] {
    run = caller().get("/20190101/jobRuns/" + runId).json();
    return run.is_object() &&
           std::find(states.begin(), states.end(), run.value("lifecycleState", "")) != states.end();
  });
  EXPECT_TRUE(reached) << run.dump();
  return run;
}

std::vector<nlohmann::json> RegionUnderTest::logOf(const std::string& runId) const {
  std::vector<nlohmann::json> records;
  const auto time = [](std::chrono::seconds offset) {
    const std::time_t at = std::time(nullptr) + offset.count();
    std::tm parts{};
    ::gmtime_r(&at, &parts);
    char text[64];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
    return std::string(text);
  };
  const std::string stream = place("compartmentId") + "/" + place("logGroupId") + "/" + place("logId");
  const nlohmann::json body{
      {"timeStart", time(std::chrono::hours(-1))},
      {"timeEnd", time(std::chrono::hours(1))},
      {"searchQuery", "SEARCH \"" + stream + "\" | WHERE source = '*" + runId + "' | SORT BY datetime ASC"}};
  std::string page;
  do {
    const TestResponse response =
        caller().post("/20190909/search?limit=1000" + (page.empty() ? "" : "&page=" + page), body);
    EXPECT_EQ(response.status, 200) << response.body;
    if (response.status != 200) break;
    const nlohmann::json answer = response.json();
    for (const auto& result : answer["results"]) records.push_back(result["data"]);
    page = response.header("opc-next-page");
  } while (!page.empty());
  return records;
}

std::vector<std::string> RegionUnderTest::messagesOf(const std::string& runId) const {
  std::vector<std::string> messages;
  for (const auto& record : logOf(runId)) messages.push_back(record["logContent"]["data"]["message"]);
  return messages;
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace lockstep::testing

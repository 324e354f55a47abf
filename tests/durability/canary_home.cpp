// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/durability/canary_home.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <thread>

#include "tests/faults/launch_story.h"

namespace lockstep::testing {

using namespace std::chrono_literals;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string encryptedCopyOf(const fs::path& pem) {
  const auto key = readKeyFile(pem.string());
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
  const int length = static_cast<int>(std::string(kPassPhrase).size());
  EXPECT_EQ(PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), EVP_aes_256_cbc(), kPassPhrase, length,
                                          nullptr, nullptr),
            1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

CanaryHome::CanaryHome() : region(kStoryScript) {
  hunt.add({"the user's private key", lineOf(contentOf(state() / "user.pem")), {"/user.pem"}});
  hunt.add({"the region's signing key", lineOf(contentOf(state() / "token.pem")), {"/token.pem"}});
  hunt.add({"the admin token", contentOf(state() / "admin.token"), {"/admin.token"}});
}

void CanaryHome::TearDown() {
  region.clearFaults();
  hunt.checkText(region.admin("GET", "/rehearsal/audit?limit=10000").dump(), "the region's audit");
  hunt.checkTree(temp.path(), false);
  hunt.checkTree(temp.path() / "home", true);
  hunt.checkTree(region.region().folder(), true);
  hunt.checkArguments();
}

std::string CanaryHome::ofProfile(const std::string& name) const {
  std::istringstream lines(contentOf(region.region().configFile()));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
  return {};
}

void CanaryHome::writeConfig(const std::string& lines) {
  writePrivate(temp.path() / "config",
               fmt::format("[{}]\ntenancy={}\nregion={}\nlockstep_endpoint={}\n{}", kCanaryProfile,
                           ofProfile("tenancy"), ofProfile("region"), endpoint(), lines));
}

void CanaryHome::useEncryptedKey(const std::string& more) {
  hunt.add({"the pass phrase", kPassPhrase, {"/config"}});
  const fs::path key = temp.path() / "encrypted.pem";
  writePrivate(key, encryptedCopyOf(state() / "user.pem"));
  writeConfig(fmt::format("user={}\nfingerprint={}\nkey_file={}\n{}", ofProfile("user"),
                          ofProfile("fingerprint"), key.string(), more));
}

void CanaryHome::useSession(int minutes) {
  const json session = region.admin("POST", "/rehearsal/sessions", {{"minutes", minutes}});
  const fs::path token = temp.path() / "session" / "token", key = temp.path() / "session" / "key.pem";
  fs::create_directories(token.parent_path());
  fs::permissions(token.parent_path(), fs::perms::owner_all);
  writePrivate(token, session.at("token"));
  writePrivate(key, session.at("privateKey"));
  hunt.add({"a session token", session.at("token"), {"/session/token"}});
  hunt.add({"a session key", lineOf(session.at("privateKey")), {"/session/key.pem"}});
  writeConfig(fmt::format("fingerprint={}\nkey_file={}\nsecurity_token_file={}\n",
                          session.at("fingerprint").get<std::string>(), key.string(), token.string()));
}

std::string CanaryHome::writeTrainYaml() {
  hunt.add({"a secret of the train.yaml",
            kJobSecret,
            {"/train.yaml", "/home/data/runs.sqlite", "/state.sqlite", "/spec.json", "/export/"}});
  const RegionUnderTest& r = region.region();
  // A folder of its own: it stands for /code in a rehearsal, with all that is in it.
  const fs::path file = temp.path() / "project" / "train.yaml";
  fs::create_directories(file.parent_path());
  writePrivate(file.parent_path() / "train.py", "print('training')\n");
  writePrivate(file, fmt::format(R"(kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: {}
      compartmentId: {}
      displayName: canary
      subnetId: {}
      logGroupId: {}
      logId: {}
      shapeName: VM.Standard2.1
      blockStorageSize: 50
  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: iad.ocir.io/ns/trainer:1
      workDir: {}/canary
      name: canary
      config:
        env:
          - {{name: STORY_TOKEN, value: {}}}
      main: {{name: main, replicas: 1}}
      worker: {{name: worker, replicas: 1}}
  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: train.py
)",
                                 r.place("projectId"), r.place("compartmentId"), r.place("subnetId"),
                                 r.place("logGroupId"), r.place("logId"), r.place("workDir"), kJobSecret));
  return file.string();
}

ChildProcess CanaryHome::start(const std::vector<std::string>& command,
                               const std::map<std::string, std::string>& variables,
                               const fs::path& output) const {
  ProcessOptions options;
  options.command = command;
  options.environment = {{"HOME", temp.path().string()},
                         {"LOCKSTEP_HOME", (temp.path() / "home").string()},
                         {"PATH", "/usr/bin:/bin"}};
  for (const auto& [name, value] : variables) options.environment[name] = value;
  options.stdoutFd = options.stderrFd =
      ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  auto process = ChildProcess::start(options);
  ::close(options.stdoutFd);
  if (!process) throw std::runtime_error(describe(process.error()));
  return *process;
}

fs::path CanaryHome::nextOutput() {
  return temp.path() / fmt::format("output-{}", ++outputs_);
}

std::optional<ProcessExit> CanaryHome::watch(ChildProcess& process, const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + 5min;
  while (std::chrono::steady_clock::now() < deadline) {
    if (auto exit = process.poll()) return exit;
    if (done()) break;
    hunt.searchProcesses();
    hunt.searchRuns(state() / "runs");
    std::this_thread::sleep_for(20ms);
  }
  return std::nullopt;
}

Said CanaryHome::run(std::vector<std::string> command, const std::map<std::string, std::string>& variables,
                     bool secretOutput) {
  const fs::path output = nextOutput();
  ChildProcess process = start(command, variables, output);
  const auto exit = watch(process, [] { return false; });
  if (!exit) process.signalAll(SIGKILL);
  Said said{exit ? exit->exitCode : -1, contentOf(output)};
  if (secretOutput) fs::remove(output);
  return said;
}

Said CanaryHome::runUntil(std::vector<std::string> command,
                          const std::map<std::string, std::string>& variables,
                          const std::function<bool()>& done) {
  const fs::path output = nextOutput();
  ChildProcess process = start(command, variables, output);
  const bool endedByItself = watch(process, done).has_value();
  process.signalAll(SIGTERM);
  static_cast<void>(process.waitFor(30s));
  process.signalAll(SIGKILL);
  return {endedByItself ? 1 : 0, contentOf(output)};
}

std::vector<std::string> CanaryHome::cliCommand(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {LOCKSTEP_BIN_DIR "/lockstep", "--config",
                                       (temp.path() / "config").string(), "--profile", kCanaryProfile});
  return arguments;
}

Said CanaryHome::cli(std::vector<std::string> arguments,
                     const std::map<std::string, std::string>& variables) {
  return run(cliCommand(std::move(arguments)), variables);
}

}  // namespace lockstep::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/setup_faults/setup_world.h"

#include <httplib.h>

#include <fstream>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "cluster/document/cluster_document.h"
#include "starter/starter.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

constexpr const char* kProfile = "REHEARSAL";

json answered(const std::string& what, int status, const std::string& body) {
  if (status / 100 == 2) return body.empty() ? json() : json::parse(body, nullptr, false);
  throw std::runtime_error("the region refuses " + what + ": " + std::to_string(status) + " " + body);
}

std::vector<std::string> optionsFor(const std::string& seed) {
  std::vector<std::string> options{"--seed", seed == "tls" ? "ready" : seed, "--isolate", "off"};
  if (seed == "tls") options.emplace_back("--tls");
  return options;
}

std::string starterYaml() {
  return std::string(findStarter("pytorch-cpp")->files.front().content);
}

}  // namespace

SetupWorld::SetupWorld(const std::string& seed)
    : region_(std::make_unique<RegionUnderTest>("sleep 60", optionsFor(seed))), yaml_(starterYaml()) {
  static const TempDir home;  // what the programs of this user leave: never with the tester's own
  ::setenv("LOCKSTEP_HOME", home.path().c_str(), 1);
  std::filesystem::create_directories(programs());
  if (seed == "tls") setProfile("lockstep_endpoint", region_->info().at("httpsEndpoint"));
}

std::string SetupWorld::tenancy() const {
  return profileValue("tenancy");
}

json SetupWorld::post(const std::string& target, const json& body) const {
  const TestResponse response = caller().post(target, body);
  return answered("POST " + target, response.status, response.body);
}

json SetupWorld::get(const std::string& target) const {
  const TestResponse response = caller().get(target);
  return answered("GET " + target, response.status, response.body);
}

void SetupWorld::send(const std::string& method, const std::string& target, const json& body) const {
  const TestResponse response = caller().send(method, target, body.is_null() ? "" : body.dump());
  answered(method + " " + target, response.status, response.body);
}

json SetupWorld::admin(const std::string& method, const std::string& path, const json& body) const {
  httplib::Client client("127.0.0.1", region_->port());
  client.set_read_timeout(60);
  httplib::Request request;
  request.method = method;
  request.path = path;
  request.set_header("Authorization",
                     "Bearer " + readFile(region_->stateFolder() / "admin.token").value_or(""));
  if (!body.is_null()) {
    request.body = body.dump();
    request.set_header("Content-Type", "application/json");
  }
  const auto answer = client.send(request);
  return answered(method + " " + path, answer ? answer->status : 0, answer ? answer->body : "no answer");
}

void SetupWorld::becomeUser(const std::string& name, const std::vector<std::string>& groups) {
  const json user = admin("POST", "/rehearsal/users", {{"name", name}, {"groups", groups}});
  const auto key = configFile().parent_path() / (name + ".pem");
  if (!writeFileAtomically(key, user.at("privateKey").get<std::string>(), 0600))
    throw std::runtime_error("cannot write " + key.string());
  setProfile("user", user.at("userId"));
  setProfile("fingerprint", user.at("fingerprint"));
  setProfile("key_file", key.string());
}

void SetupWorld::allow(const std::string& name, const std::vector<std::string>& statements) const {
  post("/20160918/policies", {{"compartmentId", tenancy()},
                              {"name", name},
                              {"description", "of a test"},
                              {"statements", statements}});
}

void SetupWorld::setProfile(const std::string& key, const std::string& value) const {
  std::ifstream file(configFile());
  std::string text, section;
  bool isDone = value.empty();
  const std::string line = key + "=" + value + "\n";
  for (std::string one; std::getline(file, one);) {
    if (one.starts_with("[")) section = one;
    const bool isOurs = section == std::string("[") + kProfile + "]";
    const bool isKey = isOurs && one.starts_with(key) && one.find('=') != std::string::npos &&
                       one.substr(0, one.find_last_not_of(" =", one.find('=')) + 1) == key;
    if (!isKey) text += one + "\n";
    if (isOurs && (isKey || one == section) && !isDone && (isKey || profileValue(key).empty())) {
      text += line;
      isDone = true;
    }
  }
  if (!writeFileAtomically(configFile(), text)) throw std::runtime_error("cannot write the config file");
}

std::string SetupWorld::profileValue(const std::string& key) const {
  std::ifstream file(configFile());
  for (std::string one; std::getline(file, one);) {
    const std::size_t equals = one.find('=');
    if (equals != std::string::npos && one.substr(0, one.find_last_not_of(" =", equals) + 1) == key)
      return one.substr(one.find_first_not_of(' ', equals + 1));
  }
  return {};
}

void SetupWorld::program(const std::string& name, const std::string& script) {
  const auto file = programs() / name;
  std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

std::filesystem::path SetupWorld::programs() const {
  return region_->folder() / "programs";
}

void SetupWorld::setField(const std::string& path, const std::string& value) {
  const ClusterDocument document(yaml_);
  const auto edit = document.setScalar(FieldPath::parse(path), value);
  if (!edit) throw std::runtime_error("cannot set " + path);
  yaml_ = document.edited(*edit).text();
}

SetupContextPtr SetupWorld::context() const {
  SetupContext::Setup setup;
  setup.query = {region_->configFile(), kProfile};
  if (hasTrainYaml) setup.spec = ClusterDocument(yaml_).spec();
  setup.choices = choices;
  setup.otherRegions = otherRegions;
  setup.secrets = secrets;
  setup.isRehearsal = isRehearsal;
  setup.environment = currentEnvironment();
  for (const auto& [name, value] : environment) setup.environment[name] = value;
  const std::string path = programs().string() + ":" + setup.environment["PATH"];
  setup.environment["PATH"] = path;
  setup.run = [folder = programs()](std::vector<std::string> command, const Secret& input,
                                    std::chrono::milliseconds limit, const std::stop_token& stop) {
    const auto ours = folder / std::filesystem::path(command.front()).filename();
    if (std::filesystem::exists(ours)) command.front() = ours.string();
    return runCaptured(command, limit, stop, input);
  };
  return std::make_shared<const SetupContext>(std::move(setup));
}

}  // namespace lockstep::testing

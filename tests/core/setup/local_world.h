// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "setup/auth/profile_writer.h"
#include "setup/steps/setup_steps.h"
#include "tests/app/rehearsal/region/region_under_test.h"
#include "tests/support/fake_secrets.h"

namespace lockstep::testing {

/// What steps about this machine look at: programs that the test makes up, a home, and the profile of a
/// region when there is one.
struct LocalWorld {
  TempDir dir;
  SetupContext::Setup setup;
  std::shared_ptr<FakeSecrets> secrets = std::make_shared<FakeSecrets>();

  LocalWorld() {
    std::filesystem::create_directories(programs());
    ::setenv("LOCKSTEP_HOME", (dir.path() / "lockstep").c_str(), 1);
    setup.environment = {{"PATH", programs().string() + ":/usr/bin:/bin"},
                         {"HOME", dir.path().string()},
                         {"DOCKER_CONFIG", (dir.path() / "docker").string()}};
    setup.run = [this](const std::vector<std::string>& command, const Secret& input,
                       std::chrono::milliseconds limit, const std::stop_token& stop) {
      std::vector<std::string> own = command;
      if (std::filesystem::exists(programs() / own[0])) own[0] = (programs() / own[0]).string();
      return runCaptured(own, limit, stop, input);
    };
    setup.secrets = secrets;
  }
  explicit LocalWorld(const RegionUnderTest& region) : LocalWorld() {
    std::filesystem::create_directories(dir.path() / "oci");
    std::filesystem::permissions(dir.path() / "oci", std::filesystem::perms::owner_all);
    const auto text = readFile(region.configFile());
    if (!text || !writeFileAtomically(config(), *text, 0600)) throw std::runtime_error("no config file");
    setup.query = {config().string(), "REHEARSAL"};
    setup.isRehearsal = false;  // what a real tenancy needs is played here
  }

  [[nodiscard]] std::filesystem::path programs() const { return dir.path() / "bin"; }
  [[nodiscard]] std::filesystem::path config() const { return dir.path() / "oci/config"; }
  /// A script of sh, found by its name.
  std::string program(const std::string& name, const std::string& script) const {
    const auto file = programs() / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }
  [[nodiscard]] SetupContextPtr context() const { return std::make_shared<const SetupContext>(setup); }
  [[nodiscard]] std::string value(const std::string& key, const std::string& profile = "REHEARSAL") const {
    const auto own = ownValues(text(), profile);
    return own && own->contains(key) ? own->at(key) : "";
  }
  void setValue(const std::string& key, const std::optional<std::string>& to) const {
    const auto done = editConfig(
        config(), [&](const std::string& old) { return withValue(old, setup.query.profile, key, to); });
    if (!done) throw std::runtime_error(describe(done.error()));
  }
  [[nodiscard]] std::string text() const { return readFile(config()).value_or(""); }
};

inline std::string textOf(const StepReport& report) {
  return toJson(report).dump(1);
}
inline bool hasCode(const StepReport& report, const std::string& code) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.code == code; });
}
inline bool says(const StepReport& report, const std::string& part) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return (finding.text + "\n" + finding.evidence + "\n" + finding.remedy).find(part) != std::string::npos;
  });
}
inline const ProposedFix* fixOf(const StepReport& report, const std::string& id) {
  const auto found = std::find_if(report.fixes.begin(), report.fixes.end(),
                                  [&](const ProposedFix& fix) { return fix.id == id; });
  return found == report.fixes.end() ? nullptr : &*found;
}
/// Applies a fix that has to be there and has to work.
inline std::vector<AppliedChange> applied(const StepReport& report, const std::string& id) {
  const ProposedFix* fix = fixOf(report, id);
  if (fix == nullptr) {
    ADD_FAILURE() << "no fix '" << id << "' in " << textOf(report);
    return {};
  }
  const auto changes = fix->apply({});
  EXPECT_TRUE(changes) << (changes ? "" : describe(changes.error()));
  return changes.value_or(std::vector<AppliedChange>());
}
inline unsigned modeOf(const std::filesystem::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}
/// Every file below a folder that has the text in it.
inline std::vector<std::string> filesWith(const std::filesystem::path& folder, const std::string& text) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(stream)), {});
    if (whole.find(text) != std::string::npos) files.push_back(entry.path().string());
  }
  return files;
}

/// What only a region of ours can be told.
inline nlohmann::json tell(const RegionUnderTest& region, const std::string& method,
                           const std::string& target, const nlohmann::json& body) {
  std::ifstream file(region.stateFolder() / "admin.token");
  const std::string token((std::istreambuf_iterator<char>(file)), {});
  httplib::Client client("127.0.0.1", region.port());
  client.set_read_timeout(60);  // a key is made, perhaps on a busy machine
  httplib::Request request;
  request.method = method;
  request.path = target;
  request.body = body.dump();
  request.headers.emplace("Authorization", "Bearer " + token);
  const auto result = client.send(request);
  if (!result || result->status / 100 != 2)
    throw std::runtime_error("the region refuses: " + (result ? result->body : std::string("no answer")));
  return nlohmann::json::parse(result->body, nullptr, false);
}

}  // namespace lockstep::testing

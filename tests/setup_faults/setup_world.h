// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "setup/steps/setup_steps.h"
#include "tests/app/rehearsal/region/region_under_test.h"
#include "tests/support/fake_secrets.h"

namespace lockstep::testing {

/// A region, a profile of it, a train.yaml that its tenancy is ready for, and local programs of our own: what
/// a fault is put into.
class SetupWorld {
 public:
  /// `seed`: "ready", "empty", or "tls": ready, and spoken to over https.
  explicit SetupWorld(const std::string& seed = "ready");

  [[nodiscard]] RegionUnderTest& region() { return *region_; }
  [[nodiscard]] TestCaller caller() const { return region_->caller(); }
  [[nodiscard]] std::string place(const char* name) const { return region_->place(name); }
  [[nodiscard]] std::string tenancy() const;
  /// A 2xx answer's JSON; throws what the region says otherwise.
  nlohmann::json post(const std::string& target, const nlohmann::json& body) const;
  nlohmann::json get(const std::string& target) const;
  void send(const std::string& method, const std::string& target, const nlohmann::json& body = nullptr) const;
  /// What only a region of ours can be told: "/rehearsal/limits/…".
  nlohmann::json admin(const std::string& method, const std::string& path,
                       const nlohmann::json& body = nullptr) const;
  void faults(const nlohmann::json& list) const {
    admin("PUT", "/rehearsal/faults", {{"seed", 7}, {"faults", list}});
  }

  /// Another user of the tenancy, in these groups, becomes the one who checks: the profile names it from now
  /// on.
  void becomeUser(const std::string& name, const std::vector<std::string>& groups);
  /// A policy of the root compartment.
  void allow(const std::string& name, const std::vector<std::string>& statements) const;

  /// Changes the profile's section of the config file: an empty value takes the key away.
  void setProfile(const std::string& key, const std::string& value) const;
  [[nodiscard]] std::string profileValue(const std::string& key) const;
  [[nodiscard]] std::filesystem::path configFile() const { return region_->configFile(); }

  /// A program of ours in front of the machine's own, as a script of sh. Steps find it by its name.
  void program(const std::string& name, const std::string& script);
  [[nodiscard]] std::filesystem::path programs() const;

  /// The train.yaml, with one field set ("spec.infrastructure.spec.subnetId").
  void setField(const std::string& path, const std::string& value);
  void setTrainYaml(const std::string& text) { yaml_ = text; }
  [[nodiscard]] const std::string& trainYaml() const { return yaml_; }

  SetupChoices choices;
  RegionFinder otherRegions;  // null: the profile's own way
  bool hasTrainYaml = true;
  bool isRehearsal = false;                        // what a real tenancy needs is played here
  std::map<std::string, std::string> environment;  // on top of this process's
  std::shared_ptr<FakeSecrets> secrets;            // null: nothing secret can be kept
  std::shared_ptr<void> companion;                 // what a fault needs running beside it

  /// What the steps look at now, asked anew each time.
  [[nodiscard]] SetupContextPtr context() const;

 private:
  std::unique_ptr<RegionUnderTest> region_;
  std::string yaml_;
};

}  // namespace lockstep::testing

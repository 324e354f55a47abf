// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/story_sign_in.h"
#include "oci/signin/sign_in.h"

#include <array>
#include <stdexcept>

#include "base/atomic_file.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

void writePrivate(const fs::path& file, const std::string& text) {
  if (auto done = writeFileAtomically(file, text, 0600); !done)
    throw std::runtime_error(describe(done.error()));
}

class WithApiKey final : public StorySignIn {
 public:
  explicit WithApiKey(oci::Profile profile) : profile_(std::move(profile)) {}
  Result<std::shared_ptr<oci::Credentials>> open(const oci::SigningIn& in) override {
    return oci::credentialsFor(profile_, in);
  }

 private:
  const oci::Profile profile_;
};

/// As `oci session authenticate` leaves it: a token and its key in files.
class WithSession final : public StorySignIn {
 public:
  WithSession(FaultRegion& region, oci::Profile profile, const fs::path& folder, int minutes)
      : region_(region), profile_(std::move(profile)), minutes_(minutes) {
    profile_.signIn = oci::SignInKind::SecurityToken;
    profile_.securityTokenFile = folder / "token";
    profile_.keyFile = folder / "session.pem";
    logIn();
  }
  Result<std::shared_ptr<oci::Credentials>> open(const oci::SigningIn& in) override {
    return oci::credentialsFor(profile_, in);
  }
  bool again() override {
    logIn();
    return true;
  }

 private:
  void logIn() const {
    const json session = region_.admin("POST", "/rehearsal/sessions", {{"minutes", minutes_}});
    writePrivate(profile_.keyFile, session.at("privateKey"));
    writePrivate(profile_.securityTokenFile, session.at("token"));
  }

  FaultRegion& region_;
  oci::Profile profile_;
  const int minutes_;
};

/// Groups and policies are there once for all stories of a region: 409 is no failure.
void make(const RegionUnderTest& region, const std::string& path, const json& body) {
  const TestResponse response = region.caller().post(path, body);
  if (response.status != 200 && response.status != 409)
    throw std::runtime_error("the region refuses " + path + ": " + response.body);
}

void allowAll(const RegionUnderTest& region, const std::string& tenancy, const std::string& group) {
  make(region, "/20160918/policies",
       {{"compartmentId", tenancy},
        {"name", "story-" + group},
        {"description", "for stories"},
        {"statements", {"Allow dynamic-group " + group + " to manage all-resources in tenancy"}}});
}

class AsInstance final : public StorySignIn {
 public:
  AsInstance(FaultRegion& region, oci::Profile profile) : profile_(std::move(profile)) {
    profile_.signIn = oci::SignInKind::InstancePrincipal;
    const std::string compartment = region.region().place("compartmentId");
    const json made = region.admin("POST", "/rehearsal/instances", {{"compartmentId", compartment}});
    make(region.region(), "/20160918/dynamicGroups",
         {{"compartmentId", profile_.tenancy},
          {"name", "story-machines"},
          {"description", "for stories"},
          {"matchingRule", "instance.compartment.id = '" + compartment + "'"}});
    allowAll(region.region(), profile_.tenancy, "story-machines");
    metadata_ =
        region.region().info().at("endpoint").get<std::string>() + made.at("metadataPath").get<std::string>();
  }
  Result<std::shared_ptr<oci::Credentials>> open(const oci::SigningIn& in) override {
    oci::SigningIn asInstance = in;
    asInstance.environment["OCI_METADATA_BASE_URL"] = metadata_;
    return oci::credentialsFor(profile_, asInstance);
  }

 private:
  oci::Profile profile_;
  std::string metadata_;
};

/// The service has replaced token and key in their files, which is not known before a request is refused.
class AsJobRun final : public StorySignIn {
 public:
  AsJobRun(FaultRegion& region, const std::string& tenancy, fs::path folder) : folder_(std::move(folder)) {
    allowAll(region.region(), tenancy, "lockstep-job-runs");
    for (Principal& principal : principals_) principal = take(region);
    put(principals_[0]);
  }
  Result<std::shared_ptr<oci::Credentials>> open(const oci::SigningIn& in) override {
    auto credentials =
        oci::resourcePrincipal({{"OCI_RESOURCE_PRINCIPAL_VERSION", "2.2"},
                                {"OCI_RESOURCE_PRINCIPAL_RPST", (folder_ / "rpst").string()},
                                {"OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM", (folder_ / "session.pem").string()}},
                               in.clock);
    put(principals_[1]);
    return credentials;
  }

 private:
  struct Principal {
    std::string token, key;
  };

  static Principal take(FaultRegion& region) {
    const std::string run = region.region().launch({{"STORY_NODE", "principal"}});
    const fs::path files =
        region.region().stateFolder() / "runs" / run.substr(run.rfind('.') + 1) / "principal";
    Principal principal;
    const bool isThere = eventually([&] {
      principal = {readFile(files / "rpst").value_or(""), readFile(files / "session.pem").value_or("")};
      return !principal.token.empty() && !principal.key.empty();
    });
    static_cast<void>(
        region.region().caller().send("POST", "/20190101/jobRuns/" + run + "/actions/cancelJobRun"));
    if (!isThere) throw std::runtime_error("a job run got no resource principal in " + files.string());
    return principal;
  }
  void put(const Principal& principal) const {
    writePrivate(folder_ / "session.pem", principal.key);
    writePrivate(folder_ / "rpst", principal.token);
  }

  const fs::path folder_;
  std::array<Principal, 2> principals_;
};

}  // namespace

std::unique_ptr<StorySignIn> StorySignIn::prepare(SignedInAs who, FaultRegion& region,
                                                  const oci::Profile& profile, const fs::path& folder) {
  constexpr int kHour = 60, kFewMinutes = 4;
  switch (who) {
    case SignedInAs::Session:
      return std::make_unique<WithSession>(region, profile, folder, kHour);
    case SignedInAs::ShortSession:
      return std::make_unique<WithSession>(region, profile, folder, kFewMinutes);
    case SignedInAs::Instance:
      return std::make_unique<AsInstance>(region, profile);
    case SignedInAs::JobRun:
      return std::make_unique<AsJobRun>(region, profile.tenancy, folder);
    case SignedInAs::ApiKey:
      break;
  }
  return std::make_unique<WithApiKey>(profile);
}

}  // namespace lockstep::testing

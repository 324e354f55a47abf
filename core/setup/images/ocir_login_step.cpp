// SPDX-License-Identifier: GPL-3.0-or-later
// The login at the container registry: where, as whom, with what, and whether an engine has it.
#include "setup/images/ocir_login_step.h"

#include <fmt/format.h>

#include "http/url.h"
#include "oci/calls/regions.h"
#include "oci/services/identity_client.h"
#include "oci/services/registry_client.h"
#include "setup/images/registry_login_fixes.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

constexpr const char* kNoKeychain = "no-keychain";

class OcirLoginStep final : public SetupStep {
 public:
  explicit OcirLoginStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "ocir-login"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override {
    return takeLoginBack(*context_, change, stop);
  }

 private:
  void add(StepState state, std::string code, std::string text, std::string evidence = {},
           std::string remedy = {}) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)});
  }
  void checkImage();
  void findUser(const oci::Profile& profile, const std::stop_token& stop);
  void checkExchange(const std::stop_token& stop);
  void checkKeptToken(const std::stop_token& stop);
  void tryOtherForms(const Secret& token, const std::string& evidence, const std::stop_token& stop);
  void checkEngine(const std::stop_token& stop);
  void forgiveKeychain();
  void forgiveInRehearsal();
  [[nodiscard]] std::string imageRepository() const;

  SetupContextPtr context_;
  std::shared_ptr<oci::ServiceClient> services_;
  LoginSituation situation_;
  std::vector<Finding> findings_;
};

RegistryAddress placeFor(const oci::Profile& profile, const oci::ServiceClient& services) {
  if (!profile.endpoint.empty()) {
    const auto url = parseUrl(profile.endpoint);
    return {url ? url->hostHeader() : profile.endpoint, profile.endpoint};
  }
  const oci::Region region = oci::regionFor(services.setup().region, currentEnvironment());
  const std::string host = oci::registryHost(region);
  return {host, "https://" + host};
}

// "iad.ocir.io" and "us-ashburn-1.ocir.io" are the same registry.
bool isRegistryOf(const std::string& host, const std::string& regionName) {
  const oci::Region region = oci::regionFor(regionName, currentEnvironment());
  return host == oci::registryHost(region) || host == region.id + ".ocir.io";
}

std::string OcirLoginStep::imageRepository() const {
  const auto name = oci::parseImageName(context_->image());
  if (name) {
    return fmt::format("{}/{}{}", situation_.nameSpace, name->repository,
                       name->tag.empty() ? "@" + name->digest : ":" + name->tag);
  }
  return situation_.nameSpace + "/lockstep-login-check:none";  // need not exist
}

void OcirLoginStep::checkImage() {
  const std::string image = context_->image();
  const auto name = oci::parseImageName(image);
  if (!name) return;  // of another registry, or the train.yaml's own checks say what is wrong with it
  const std::string region = services_->setup().region;
  const bool isOracles = name->host.find("ocir.") != std::string::npos;
  if (isOracles && !isRegistryOf(name->host, region)) {
    add(StepState::Warning, "registry-of-other-region",
        fmt::format("the image '{}' is in the registry of another region than the profile's, which is {}",
                    image, oci::registryHost(oci::regionFor(region, currentEnvironment()))),
        {}, "push to the registry of the region where the job runs, and name it in the train.yaml");
  }
  if (isOracles && name->nameSpace != situation_.nameSpace) {
    add(StepState::Warning, "registry-namespace",
        fmt::format("the image '{}' names the namespace '{}', but the tenancy's is '{}'", image,
                    name->nameSpace, situation_.nameSpace),
        {},
        "the part after the host is the Object Storage namespace, not the tenancy's name, unless the image "
        "is "
        "another tenancy's");
  }
}

// The name that Identity has for the user tells where that user comes from.
void OcirLoginStep::findUser(const oci::Profile& profile, const std::stop_token& stop) {
  const SetupChoices& choices = context_->choices();
  situation_.userId = profile.user;
  std::string evidence;
  std::optional<RegistryUser> known;
  if (!profile.user.empty()) {
    const auto user = oci::IdentityClient(services_).getUser(profile.user, stop);
    if (user) known = readRegistryUser(user->name);
    evidence = user ? fmt::format("GetUser 200: '{}'", user->name) : "GetUser: " + user.error().cause;
  }
  if (!choices.registryUser.empty()) {
    situation_.user = readRegistryUser(choices.registryUser, choices.accountKind, choices.identityDomain);
  } else {
    situation_.user = known;
  }
  if (!situation_.user) {
    add(StepState::Warning, "no-user-name", "it is not known who logs in to the registry", evidence,
        "choose the user's name (registryUser), as the console shows it under My profile");
    return;
  }
  const RegistryUser& user = *situation_.user;
  if (known && known->name == user.name && known->kind != user.kind) {
    add(StepState::Warning, "user-kind",
        fmt::format("'{}' is chosen as {}, but Identity has that name as {}", user.name, kindText(user),
                    kindText(*known)),
        evidence, fmt::format("log in as '{}'", loginNameOf(*known, situation_.nameSpace)));
    situation_.user = known;
    return;
  }
  add(StepState::Ready, "",
      fmt::format("the registry's user name is '{}' ({})", loginNameOf(user, situation_.nameSpace),
                  kindText(user)),
      evidence);
}

void OcirLoginStep::checkExchange(const std::stop_token& stop) {
  oci::ServiceCall call;
  call.service = oci::Service::Registry;
  call.operation = "GetDockerToken";
  call.path = "/20180419/docker/token";
  call.headers.emplace_back("accept", "application/json");
  const auto answer = services_->call(call, stop);
  situation_.canExchange = answer.has_value();
  if (answer) {
    add(StepState::Ready, "", "the profile gets a login of about an hour without an auth token",
        evidenceOf("GetDockerToken", *answer));
    return;
  }
  Finding finding = blockedFinding(answer.error());
  finding.state = StepState::Warning;  // an auth token does without it
  finding.code = "no-token-exchange";
  findings_.push_back(std::move(finding));
}

void OcirLoginStep::tryOtherForms(const Secret& token, const std::string& evidence,
                                  const std::stop_token& stop) {
  const std::string tried = loginNameOf(*situation_.user, situation_.nameSpace);
  for (const RegistryUser& form : otherForms(*situation_.user, context_->choices().identityDomain)) {
    const std::string name = loginNameOf(form, situation_.nameSpace);
    const auto login = askRegistry(*services_->setup().http, situation_.place, name, token, stop);
    if (!login || !login->isAccepted) continue;
    situation_.acceptedAs = form;
    add(StepState::Warning, "federated-name",
        fmt::format("{} refuses '{}', but accepts '{}': the user is {}", situation_.place.host, tried, name,
                    kindText(form)),
        evidence + "; " + login->evidence, fmt::format("log in as '{}'", name));
    return;
  }
  add(StepState::Blocked, "auth-token-refused",
      fmt::format("{} refuses '{}' with the auth token of the keychain", situation_.place.host, tried),
      evidence,
      "the auth token was deleted, or is another user's, or the user is of an identity domain that has to be "
      "chosen: enter a new one from the console, My profile, Auth tokens");
}

void OcirLoginStep::checkKeptToken(const std::stop_token& stop) {
  if (context_->secrets() == nullptr || !situation_.user) return;
  const auto token = context_->secrets()->get(situation_.secretName());
  if (!token) {
    add(StepState::Warning, kNoKeychain, token.error().what, {}, token.error().remedy);
    findings_.back().cause = token.error().cause;
    return;
  }
  if (!*token) return;
  situation_.hasKeptToken = true;
  const std::string name = loginNameOf(*situation_.user, situation_.nameSpace);
  const auto login = askRegistry(*services_->setup().http, situation_.place, name, **token, stop);
  if (!login) {
    findings_.push_back(blockedFinding(login.error()));
  } else if (login->isAccepted) {
    situation_.acceptedAs = situation_.user;
    add(StepState::Ready, "",
        fmt::format("{} accepts '{}' with the auth token of the keychain", situation_.place.host, name),
        login->evidence);
  } else {
    tryOtherForms(**token, login->evidence, stop);
  }
}

void OcirLoginStep::checkEngine(const std::stop_token& stop) {
  LoginSituation& s = situation_;
  s.engine = findEngine(*context_, stop);
  if (!s.engine || !s.engine->isUp()) {
    const bool canLogIn = s.canExchange || s.acceptedAs;
    add(canLogIn ? StepState::Ready : StepState::Blocked, canLogIn ? "" : "no-way-in",
        canLogIn ? "no container engine is up here that could be logged in (step containers)"
                 : "neither the profile nor an auth token opens the registry");
    return;
  }
  s.login = engineLogin(*s.engine, s.place.host, context_->environment(), context_->run(), stop);
  if (!s.login.isThere) {
    add(StepState::Blocked, "not-logged-in",
        fmt::format("{} is not logged in to {}", toString(s.engine->kind), s.place.host), s.login.where,
        "log it in with one of the fixes");
    return;
  }
  s.loginWorks = doesLoginWork(*s.engine, s.place, imageRepository(), context_->run(), stop);
  const std::string as = s.login.user.empty() ? "" : fmt::format(" as '{}'", s.login.user);
  if (s.loginWorks && !*s.loginWorks) {
    add(StepState::Blocked, "login-refused",
        fmt::format("{} is logged in to {}{}, but the registry refuses it", toString(s.engine->kind),
                    s.place.host, as),
        s.login.where, "log in anew: a login of an hour has ended, or the auth token was deleted");
    return;
  }
  add(StepState::Ready, "",
      fmt::format("{} is logged in to {}{}{}", toString(s.engine->kind), s.place.host, as,
                  s.loginWorks ? ", and the registry accepts it" : ""),
      s.login.where);
}

// Where the engine is logged in without it, a keychain that is missing is worth knowing, and no more.
void OcirLoginStep::forgiveKeychain() {
  if (!situation_.login.isThere || !situation_.loginWorks.value_or(true)) return;
  for (Finding& finding : findings_)
    if (finding.code == kNoKeychain) finding.state = StepState::NotApplicable;
}

// The fixes stay on offer, for those who want to rehearse the login itself.
void OcirLoginStep::forgiveInRehearsal() {
  if (!context_->isRehearsal()) return;
  for (Finding& finding : findings_) {
    if (finding.state != StepState::Warning && finding.state != StepState::Blocked) continue;
    finding.state = StepState::NotApplicable;
    finding.text += "; a rehearsal needs no login: it runs programs of this machine and pulls no image";
  }
}

StepReport OcirLoginStep::check(const std::stop_token& stop) {
  findings_.clear();
  situation_ = {};
  if (!needsImage(context_->spec())) {
    return reportOf({{StepState::NotApplicable,
                      "the train.yaml runs in a conda environment of the service: no image is pushed",
                      {},
                      {}}});
  }
  const auto profile = context_->profile();
  if (!profile) return reportOf({needsAuth(profile.error())});
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  services_ = *services;
  const auto nameSpace = context_->nameSpace(stop);
  if (!nameSpace) return reportOf({needsAuth(nameSpace.error())});
  situation_.nameSpace = *nameSpace;
  situation_.place = placeFor(*profile, *services_);
  add(StepState::Ready, "", fmt::format("images are pushed to {}/{}/…", situation_.place.host, *nameSpace));
  checkImage();
  findUser(*profile, stop);
  checkExchange(stop);
  checkKeptToken(stop);
  checkEngine(stop);
  forgiveKeychain();
  forgiveInRehearsal();
  StepReport report = reportOf(std::move(findings_));
  report.fixes = loginFixes(context_, situation_);
  return report;
}

}  // namespace

std::unique_ptr<SetupStep> makeOcirLoginStep(SetupContextPtr context) {
  return std::make_unique<OcirLoginStep>(std::move(context));
}

}  // namespace lockstep

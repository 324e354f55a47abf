// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/registry_login_fixes.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/text/encoding.h"
#include "oci/services/identity_client.h"
#include "oci/services/registry_client.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using Changes = std::vector<AppliedChange>;
using nlohmann::json;

constexpr const char* kLoggedIn = "logged-in";
constexpr const char* kTokenKept = "auth-token-kept";
constexpr const char* kTokenMade = "auth-token-made";

std::string thisMachine() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

AppliedChange changeOf(const SetupContext& context, std::string kind, std::string title, json undo) {
  AppliedChange change;
  change.stepId = "ocir-login";
  const auto profile = context.profile();
  if (profile) change.profile = profile->name;
  change.title = std::move(title);
  change.kind = std::move(kind);
  change.undo = std::move(undo);
  return change;
}

/// One fix at work.
struct LoginWork {
  SetupContextPtr context;
  LoginSituation situation;

  Result<AppliedChange> logInAs(const std::string& user, const Secret& password,
                                const std::stop_token& stop) const {
    const ContainerEngine& engine = *situation.engine;
    const auto done = logIn(engine, situation.place, user, password, context->run(), stop);
    if (!done) return failure(done.error());
    return changeOf(
        *context, kLoggedIn,
        fmt::format("logged {} in to {} as '{}'", toString(engine.kind), situation.place.host, user),
        {{"program", engine.program.string()}, {"host", situation.place.host}});
  }

  [[nodiscard]] std::string loginName(const RegistryUser& user) const {
    return loginNameOf(user, situation.nameSpace);
  }

  Result<Changes> useShortToken(const std::stop_token& stop) const {
    const auto services = context->services();
    if (!services) return failure(services.error());
    const auto token = oci::RegistryClient(*services).loginToken(stop);
    if (!token) return failure(token.error());
    auto change = logInAs(oci::kTokenUserName, token->token, stop);
    if (!change) return failure(change.error());
    return Changes{*std::move(change)};
  }

  Result<Changes> useKeptToken(const std::stop_token& stop) const {
    auto token = context->secrets()->get(situation.secretName());
    if (!token) return failure(token.error());
    if (!*token)
      return failure(ErrorCode::FailedPrecondition, "the auth token is no longer kept", {}, "check again");
    auto change = logInAs(loginName(*situation.acceptedAs), **token, stop);
    if (!change) return failure(change.error());
    return Changes{*std::move(change)};
  }

  /// The form under which the registry knows the owner of a token.
  Result<RegistryUser> formFor(const Secret& token, const std::stop_token& stop) const {
    const auto services = context->services();
    if (!services) return failure(services.error());
    std::vector<RegistryUser> forms{*situation.user};
    for (RegistryUser& other : otherForms(*situation.user, context->choices().identityDomain))
      forms.push_back(std::move(other));
    for (const RegistryUser& form : forms) {
      const auto login =
          askRegistry(*(*services)->setup().http, situation.place, loginName(form), token, stop);
      if (!login) return failure(login.error());
      if (login->isAccepted) return form;
    }
    return failure(
        ErrorCode::Unauthenticated, fmt::format("{} refuses the auth token", situation.place.host),
        fmt::format("tried it for '{}' in all its forms", loginName(*situation.user)),
        "an auth token comes from the console: My profile, Auth tokens; it is neither the password "
        "of the console nor an API key");
  }

  Result<Changes> askForToken(const std::stop_token& stop) const {
    const auto token = context->secrets()->ask(
        fmt::format("auth token of '{}' for {}", loginName(*situation.user), situation.place.host));
    if (!token) return failure(token.error());
    const auto form = formFor(*token, stop);
    if (!form) return failure(form.error());
    Changes changes;
    if (const auto kept = context->secrets()->set(situation.secretName(), *token); !kept)
      return failure(kept.error());
    changes.push_back(changeOf(*context, kTokenKept,
                               fmt::format("kept the auth token of '{}' in the keychain", loginName(*form)),
                               {{"secret", situation.secretName()}}));
    return withLogin(std::move(changes), *form, *token, stop);
  }

  Result<Changes> withLogin(Changes changes, const RegistryUser& form, const Secret& token,
                            const std::stop_token& stop) const {
    if (!situation.engine || !situation.engine->isUp()) return changes;
    auto login = logInAs(loginName(form), token, stop);
    if (!login) {
      Error error = login.error();
      error.cause += "; the auth token is in the keychain nevertheless";
      return failure(std::move(error));
    }
    changes.push_back(*std::move(login));
    return changes;
  }

  Result<Changes> makeToken(const std::stop_token& stop) const {
    const auto services = context->services();
    if (!services) return failure(services.error());
    const auto profile = context->profile();
    oci::IdentityClient identity(*services, profile ? profile->tenancy : std::string());
    const auto token = identity.createAuthToken(situation.userId, "Lockstep on " + thisMachine(),
                                                oci::newRetryToken(), stop);
    if (!token) return failure(token.error());
    const json undo{{"secret", situation.secretName()}, {"userId", situation.userId}, {"tokenId", token->id}};
    const std::string title = fmt::format("made an auth token of '{}'", loginName(*situation.user));
    Changes changes{changeOf(*context, kTokenMade, title, undo)};
    const auto kept = context->secrets()->set(situation.secretName(), token->token);
    const auto form = kept ? formFor(token->token, stop) : failure(kept.error());
    auto done = form ? withLogin(changes, *form, token->token, stop) : failure(form.error());
    if (done) return done;
    Error error = done.error();
    if (!takeLoginBack(*context, changes.front(), stop))
      error.cause += "; the new auth token '" + token->id + "' is there nevertheless";
    return failure(std::move(error));
  }
};

Result<void> deleteToken(const SetupContext& context, const json& undo, const std::stop_token& stop) {
  const auto services = context.services();
  if (!services) return failure(services.error());
  const auto profile = context.profile();
  const auto home = oci::inHomeRegion(*services, profile ? profile->tenancy : std::string(), stop);
  if (!home) return failure(home.error());
  oci::ServiceCall call;
  call.service = oci::Service::Identity;
  call.operation = "DeleteAuthToken";
  call.method = "DELETE";
  call.path = fmt::format("/20160918/users/{}/authTokens/{}", percentEncode(undo.value("userId", "")),
                          percentEncode(undo.value("tokenId", "")));
  const auto done = (*home)->call(call, stop);
  // Somebody has deleted it already: that is what was wanted.
  if (!done && done.error().code != ErrorCode::NotFound) return failure(done.error());
  return {};
}

std::string stateText(const LoginSituation& s) {
  if (!s.login.isThere) return {};
  const std::string user = s.login.user.empty() ? "a login" : "'" + s.login.user + "'";
  return fmt::format("{}: {} in {}{}\n", s.place.host, user, s.login.where,
                     s.loginWorks.value_or(true) ? "" : " (refused)");
}

ProposedFix engineFix(const LoginSituation& s, const std::string& id, const std::string& user,
                      const std::string& how) {
  ProposedFix fix;
  fix.id = id;
  fix.title = fmt::format("log {} in to {} {}", toString(s.engine->kind), s.place.host, how);
  fix.before = stateText(s);
  fix.after = fmt::format("{}: '{}' in {}\n", s.place.host, user, s.login.where);
  return fix;
}

ProposedFix shortTokenFix(const std::shared_ptr<LoginWork>& work) {
  const LoginSituation& s = work->situation;
  ProposedFix fix = engineFix(s, "log-in-for-an-hour", oci::kTokenUserName,
                              "for about an hour, with a token that the profile gets");
  fix.calls = {"GetDockerToken GET /20180419/docker/token",
               loginCommandText(*s.engine, s.place, oci::kTokenUserName)};
  fix.apply = [work](const std::stop_token& stop) { return work->useShortToken(stop); };
  return fix;
}

ProposedFix keptTokenFix(const std::shared_ptr<LoginWork>& work) {
  const LoginSituation& s = work->situation;
  const std::string user = work->loginName(*s.acceptedAs);
  const bool asAnother = s.user && *s.user != *s.acceptedAs;
  ProposedFix fix = engineFix(s, asAnother ? "use-accepted-name" : "log-in", user,
                              fmt::format("as '{}' with the auth token of the keychain", user));
  fix.calls = {loginCommandText(*s.engine, s.place, user)};
  fix.apply = [work](const std::stop_token& stop) { return work->useKeptToken(stop); };
  return fix;
}

// Not for --yes: a person has to be there.
ProposedFix askFix(const std::shared_ptr<LoginWork>& work) {
  const LoginSituation& s = work->situation;
  const std::string user = work->loginName(*s.user);
  ProposedFix fix;
  fix.id = "enter-auth-token";
  fix.title = fmt::format("enter an auth token of '{}' and keep it in the keychain", user);
  fix.needsPerson = true;
  fix.before = stateText(s);
  fix.after = fmt::format("keychain: {}\n", s.secretName());
  fix.calls = {"GetDockerToken GET /20180419/docker/token"};
  if (s.engine && s.engine->isUp()) fix.calls.push_back(loginCommandText(*s.engine, s.place, user));
  fix.apply = [work](const std::stop_token& stop) { return work->askForToken(stop); };
  return fix;
}

// Not for --yes: what it makes is good until somebody deletes it.
ProposedFix makeFix(const std::shared_ptr<LoginWork>& work) {
  const LoginSituation& s = work->situation;
  ProposedFix fix = askFix(work);
  fix.id = "make-auth-token";
  fix.title = fmt::format("make an auth token of '{}' and keep it in the keychain", work->loginName(*s.user));
  fix.calls.insert(fix.calls.begin(),
                   fmt::format("CreateAuthToken POST /20160918/users/{}/authTokens", s.userId));
  fix.apply = [work](const std::stop_token& stop) { return work->makeToken(stop); };
  return fix;
}

}  // namespace

std::string LoginSituation::secretName() const {
  return fmt::format("auth token {} {}/{}", place.host, nameSpace, user ? user->name : std::string());
}

std::vector<ProposedFix> loginFixes(const SetupContextPtr& context, const LoginSituation& situation) {
  const auto work = std::make_shared<LoginWork>(LoginWork{context, situation});
  const bool hasEngine = situation.engine && situation.engine->isUp();
  std::vector<ProposedFix> fixes;
  if (hasEngine && !situation.isLoggedIn()) {
    if (situation.acceptedAs) {
      fixes.push_back(keptTokenFix(work));
    } else if (situation.canExchange) {
      fixes.push_back(shortTokenFix(work));
    }
  }
  if (context->secrets() == nullptr || !situation.user || situation.acceptedAs) return fixes;
  fixes.push_back(askFix(work));
  if (!situation.userId.empty()) fixes.push_back(makeFix(work));
  return fixes;
}

Result<void> takeLoginBack(const SetupContext& context, const AppliedChange& change,
                           const std::stop_token& stop) {
  if (change.kind == kLoggedIn)
    return logOut(change.undo.value("program", "docker"), change.undo.value("host", ""), context.run(), stop);
  if (change.kind != kTokenKept && change.kind != kTokenMade)
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot take back '{}'", change.title),
                   fmt::format("no change of the kind '{}' is known here", change.kind));
  if (change.kind == kTokenMade) {
    if (auto gone = deleteToken(context, change.undo, stop); !gone) return gone;
  }
  if (context.secrets() == nullptr) return {};  // it opens nothing any more, or it is the user's own
  return context.secrets()->remove(change.undo.value("secret", ""));
}

}  // namespace lockstep

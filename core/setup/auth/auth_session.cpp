// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/auth/auth_session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"
#include "http/curl_http_client.h"
#include "oci/calls/call_log.h"
#include "oci/signin/auth_service.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/request_signer.h"
#include "oci/signing/session_token.h"

namespace lockstep {
namespace {

using Changes = std::vector<AppliedChange>;
using namespace std::chrono_literals;

constexpr auto kSoon = 30min;
constexpr const char* kOperation = "RefreshSessionToken";

std::optional<TimePoint> endOf(const oci::Profile& profile) {
  if (profile.signIn != oci::SignInKind::SecurityToken || profile.securityTokenFile.empty())
    return std::nullopt;
  auto text = readFile(profile.securityTokenFile, 1 << 20);
  if (!text) return std::nullopt;
  const Secret token(std::string(trimmed(*text)));
  return oci::expiryOfToken(token.reveal());
}

bool endsSoon(TimePoint end) {
  const TimePoint now = SystemClock().now();
  return end > now && end - now < kSoon;
}

std::string logIn(const oci::Profile& profile) {
  return fmt::format("log in anew: oci session authenticate --profile-name {}", profile.name);
}

// As current() of the session does by itself, five minutes before the end (oci-rest-contract 1.5).
Result<Changes> renew(const oci::Profile& profile) {
  auto text = readFile(profile.securityTokenFile, 1 << 20);
  if (!text) return failure(text.error());
  const Secret token(std::string(trimmed(*text)));
  const auto key = oci::openPrivateKey(profile);
  if (!key) return failure(key.error());
  oci::SigningIn in;
  CurlOptions options;
  options.certificateBundle = profile.certificateBundle;
  in.http = makeCurlHttpClient(options);
  in.clock = std::make_shared<SystemClock>();
  in.audit = std::make_shared<oci::CallLog>();
  in.environment = currentEnvironment();
  const std::string url = oci::authUrl(profile, oci::regionFor(profile.region, in.environment));
  HttpRequest request{"POST", url + "/v1/authentication/refresh", {}, {}};
  request.body = nlohmann::json{{"currentToken", std::string(token.reveal())}}.dump();
  request.timeout = 20s;
  const oci::SigningIdentity identity{"ST$" + std::string(token.reveal()), *key};
  if (auto done = oci::signRequest(request, identity, in.clock->now(), oci::BodySigning::Signed); !done)
    return failure(done.error());
  const auto answer = oci::askForToken(in, request, kOperation);
  if (!answer) return failure(answer.error());
  if (answer->status == 401)
    return failure(ErrorCode::Unauthenticated, "the session cannot be renewed", "the service refuses it",
                   logIn(profile));
  auto fresh = oci::tokenOf(*answer, kOperation);
  if (!fresh) return failure(fresh.error());
  const Secret kept(*std::move(fresh));
  if (auto done = writeFileAtomically(profile.securityTokenFile, kept.reveal(), 0600); !done)
    return failure(done.error());
  return Changes{};
}

}  // namespace

std::optional<Finding> sessionFinding(const oci::Profile& profile) {
  const auto end = endOf(profile);
  if (!end || !endsSoon(*end)) return std::nullopt;
  return Finding{StepState::Warning,
                 fmt::format("the session of the profile '{}' ends at {}", profile.name, toRfc3339(*end)),
                 profile.securityTokenFile.string(), "renew it, or " + logIn(profile), "session-ends-soon"};
}

std::optional<ProposedFix> sessionFix(const AuthSituation& situation) {
  const oci::Profile& profile = *situation.profile;
  const auto end = endOf(profile);
  if (!end || !endsSoon(*end)) return std::nullopt;
  ProposedFix fix;
  fix.id = "refresh";
  fix.title = "renew the session";
  fix.before = fmt::format("the session ends at {}\n", toRfc3339(*end));
  fix.after = "the session lasts as long as a new one\n";
  fix.calls = {fmt::format("{} POST /v1/authentication/refresh", kOperation)};
  fix.apply = [profile](const std::stop_token&) { return renew(profile); };
  return fix;
}

}  // namespace lockstep

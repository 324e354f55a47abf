// SPDX-License-Identifier: GPL-3.0-or-later
#include <strings.h>

#include "base/child_process.h"
#include "http/curl_http_client.h"
#include "oci/calls/call_log.h"
#include "oci/calls/service_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/signin/sign_in.h"

namespace lockstep::oci {
namespace {

using Values = std::map<std::string, std::string>;

// What Oracle's SDKs understand (oci-rest-contract 3.3).
int attemptsOf(const Values& environment) {
  const std::string wanted = environmentValue(environment, "OCI_SDK_DEFAULT_RETRY_ENABLED");
  return ::strcasecmp(wanted.c_str(), "false") == 0 ? 1 : ServiceClient::Setup().maxAttempts;
}

std::shared_ptr<HttpClient> curlClient(const std::string& certificateBundle) {
  CurlOptions options;
  options.certificateBundle = certificateBundle;
  return makeCurlHttpClient(std::move(options));
}

Result<std::shared_ptr<ServiceClient>> openFor(const Profile& profile, const Values& environment,
                                               std::shared_ptr<CallAudit> audit) {
  ServiceClient::Setup setup;
  setup.endpoint = profile.endpoint;
  setup.http = curlClient(profile.certificateBundle);
  setup.clock = std::make_shared<SystemClock>();
  auto credentials = credentialsFor(profile, {setup.http, setup.clock, audit, environment});
  if (!credentials) return failure(credentials.error());
  setup.credentials = *credentials;
  setup.region = profile.region.empty() ? setup.credentials->region() : profile.region;
  setup.breakers = std::make_shared<CircuitBreakers>();
  setup.maxAttempts = attemptsOf(environment);
  setup.audit = std::move(audit);
  return std::make_shared<ServiceClient>(std::move(setup));
}

}  // namespace

Result<std::shared_ptr<ServiceClient>> openServiceClient(const Profile& profile,
                                                         std::shared_ptr<CallAudit> audit) {
  return openFor(profile, currentEnvironment(), bothAudits(std::make_shared<CallLog>(), std::move(audit)));
}

Result<std::shared_ptr<ServiceClient>> openServiceClientInJobRun(const Values& environment) {
  if (environmentValue(environment, "OCI_IAM_TYPE") == "api_key") {
    ProfileQuery query;
    query.profile = environmentValue(environment, "OCI_CONFIG_PROFILE");
    const auto profile = loadProfile(query, environment);
    if (!profile) return failure(profile.error());
    return openFor(*profile, environment, nullptr);
  }
  ServiceClient::Setup setup;
  setup.clock = std::make_shared<SystemClock>();
  setup.breakers = std::make_shared<CircuitBreakers>();
  setup.maxAttempts = attemptsOf(environment);
  setup.region = environmentValue(environment, "OCI_RESOURCE_PRINCIPAL_REGION");
  setup.endpoint = environmentValue(environment, "OCI_CLI_ENDPOINT");
  if (setup.region.empty() && setup.endpoint.empty()) {
    return failure(ErrorCode::FailedPrecondition, "cannot sign in as a resource principal",
                   "OCI_RESOURCE_PRINCIPAL_REGION is not set",
                   "this is set by the Data Science service inside a job run");
  }
  auto credentials = resourcePrincipal(environment, setup.clock);
  if (!credentials) return failure(credentials.error());
  setup.credentials = *credentials;
  setup.http = curlClient(environmentValue(environment, "OCI_CLI_CERT_BUNDLE"));
  return std::make_shared<ServiceClient>(std::move(setup));
}

}  // namespace lockstep::oci

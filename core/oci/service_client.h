// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "http/http_client.h"
#include "oci/credentials.h"
#include "oci/request_signer.h"

namespace lockstep::oci {

enum class Service { Identity, Core, ObjectStorage, DataScience, Logging, LoggingSearch };
[[nodiscard]] const char* toString(Service service);  // "Data Science"

/// One call of one operation. `path` begins with '/', percent-encoded, query included.
struct ServiceCall {
  Service service = Service::DataScience;
  std::string operation;  // "CreateJobRun", for messages
  std::string method = "GET";
  std::string path;
  std::string body;
  HttpHeaders headers;
  BodySigning bodySigning = BodySigning::Signed;
  bool idempotent = true;  // false: retried only with an opc-retry-token or when it certainly did not arrive
};

/// Where the services are and who we are. Signs, sends, retries as Oracle's Go SDK does (contract 3.3), and turns every
/// refusal into a Status with its ServiceAnswer. Shared by all service clients; thread-safe.
class ServiceClient {
 public:
  struct Setup {
    std::string region;    // id; ignored when endpoint is given
    std::string endpoint;  // base URL for every service, or empty
    std::shared_ptr<Credentials> credentials;
    std::shared_ptr<HttpClient> http;
    std::shared_ptr<Clock> clock;
    int maxAttempts = 8;
  };
  explicit ServiceClient(Setup setup);
  ~ServiceClient();

  /// The 2xx answer, or a failure.
  Result<HttpResponse> call(const ServiceCall& call, const std::stop_token& stop);
  /// "https://datascience.us-ashburn-1.oci.oraclecloud.com"
  [[nodiscard]] std::string baseUrl(Service service) const;

 private:
  Setup setup_;
};

/// With curl, the system clock and the profile's endpoint or region. Sends nothing.
Result<std::shared_ptr<ServiceClient>> openServiceClient(const Profile& profile);
/// Inside a job run: resource principal, OCI_RESOURCE_PRINCIPAL_REGION, OCI_CLI_ENDPOINT when set; with
/// OCI_IAM_TYPE=api_key the profile of OCI_CONFIG_PROFILE instead, as `ads` has it.
Result<std::shared_ptr<ServiceClient>> openServiceClientInJobRun(const std::map<std::string, std::string>& environment);

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "http/http_client.h"
#include "oci/calls/circuit_breaker.h"
#include "oci/signing/call_audit.h"
#include "oci/signing/credentials.h"
#include "oci/signing/request_signer.h"

namespace lockstep::oci {

enum class Service {
  Identity,
  Core,  // network, and the work requests of both
  ObjectStorage,
  DataScience,
  Logging,
  LoggingSearch,
  LoggingIngestion,
  Artifacts,
  Monitoring,
  MonitoringIngestion,  // PostMetricData has a host of its own
  Limits,
  Auth,      // session tokens, instance principals
  Registry,  // OCIR itself: /v2, /20180419/docker/token
};
inline constexpr std::size_t kServiceCount = 13;
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
  bool retryConflicts =
      true;  // 409 IncorrectState and LockConflict pass by themselves; false where they do not
  std::chrono::milliseconds timeout{60'000};  // of one attempt; 0: as long as bytes move
  std::chrono::milliseconds connectTimeout{10'000};
  /// Repeats as well what OCI answers while a create is not known everywhere yet (404
  /// NotAuthorizedOrNotFound and its like): for calls within four minutes of the create of something they
  /// name (oci-rest-contract 3.3).
  bool afterCreate = false;
  /// The body, instead of `body`; read anew for each attempt.
  std::shared_ptr<BodySource> source{};
  /// Takes the body of the 2xx answer. Once it has been given a byte, a failure is not tried again here: ask
  /// for the rest with a range.
  std::function<bool(std::string_view)> receive{};
  bool acceptCompressed = false;  // for JSON; never for objects
};

/// Where the services are and who we are. Signs, sends, retries as Oracle's Go SDK does (oci-rest-contract
/// 3.3), stops calling an endpoint that is down, and turns every refusal into an Error with its ServiceAnswer.
/// A clock that is off is found from the answer's Date header, corrected for the rest of this object's life,
/// and named in the Error when that does not help. Shared by all service clients; thread-safe.
class ServiceClient {
 public:
  struct Setup {
    std::string region;    // id; ignored when endpoint is given
    std::string endpoint;  // base URL for every service, or empty
    std::shared_ptr<Credentials> credentials;
    std::shared_ptr<HttpClient> http;
    std::shared_ptr<Clock> clock;
    int maxAttempts = 8;                    // 1: no retries
    std::chrono::seconds retryBudget{600};  // no attempt begins later than this after the first
    /// Null: an endpoint that is down is asked all the same.
    std::shared_ptr<CircuitBreakers> breakers;
    std::shared_ptr<CallAudit> audit;  // told of every attempt; null: nobody is
  };
  explicit ServiceClient(Setup setup);
  ~ServiceClient();

  /// The 2xx answer, or a failure. Blocks, with all its retries, for up to some minutes; Cancelled as soon as
  /// `stop` is.
  Result<HttpResponse> call(const ServiceCall& call, const std::stop_token& stop);
  /// "https://datascience.us-ashburn-1.oci.oraclecloud.com"
  [[nodiscard]] std::string baseUrl(Service service) const;
  /// One request to any URL, signed as call() does, sent once; every HTTP status is an answer. For `lockstep
  /// request`; told to the audit as one attempt.
  Result<HttpResponse> send(HttpRequest request, BodySigning body, const std::stop_token& stop);
  [[nodiscard]] const Setup& setup() const { return setup_; }

 private:
  struct Progress;
  struct Decision;
  [[nodiscard]] static ServiceAnswer whereOf(const ServiceCall& call, const Progress& progress);
  Result<HttpRequest> requestOf(const ServiceCall& call, Progress& progress) const;
  Result<HttpResponse> attempt(const ServiceCall& call, Progress& progress, const std::stop_token& stop);
  Result<HttpResponse> exchange(const HttpRequest& request, CallRecord record, const std::stop_token& stop);
  void settle(const CircuitBreakers::Pass& pass, const Result<HttpResponse>& answer,
              const Progress& progress);
  [[nodiscard]] Decision evaluate(const ServiceCall& call, const Result<HttpResponse>& answer,
                                  Progress& progress);
  [[nodiscard]] Decision evaluateRefusal(const ServiceCall& call, const HttpResponse& response,
                                         Progress& progress);
  [[nodiscard]] Decision evaluateFailure(const ServiceCall& call, const Error& error,
                                         const Progress& progress);
  [[nodiscard]] Decision evaluateOpenCircuit(const ServiceCall& call, const CircuitBreakers::Refusal& refusal,
                                             const Progress& progress) const;
  [[nodiscard]] bool recoverFrom401(const HttpResponse& response, Progress& progress);
  [[nodiscard]] Error errorOf401(Error error, const HttpResponse& response) const;
  [[nodiscard]] std::string circuitOf(Service service) const;
  [[nodiscard]] std::string serviceAt(const std::string& url) const;
  [[nodiscard]] TimePoint signingTime() const;

  Setup setup_;
  std::array<std::string, kServiceCount> baseUrls_;            // by Service
  std::atomic<std::chrono::nanoseconds::rep> clockOffset_{0};  // the services' time minus ours
};

/// 32 random characters for opc-retry-token: keep one for all attempts to create the same thing.
[[nodiscard]] std::string newRetryToken();

}  // namespace lockstep::oci

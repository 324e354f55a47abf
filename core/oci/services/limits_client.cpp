// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/limits_client.h"

#include <fmt/format.h>

#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPageSize = "1000";

LimitedService readService(AnswerFields& f) {
  return {f.text("name"), f.textOr("description")};
}

LimitDefinition readDefinition(AnswerFields& f) {
  return {f.text("name"),
          f.textOr("serviceName"),
          f.textOr("description"),
          f.textOr("scopeType"),
          f.flag("isResourceAvailabilitySupported", true),
          f.flag("isDeprecated"),
          f.flag("areQuotasSupported")};
}

LimitValue readValue(AnswerFields& f) {
  return {f.text("name"), f.textOr("scopeType"), f.textOr("availabilityDomain"), f.number("value")};
}

ResourceAvailability readAvailability(AnswerFields& f) {
  return {f.maybeNumber("used"), f.maybeNumber("available"), f.maybeReal("fractionalUsage"),
          f.maybeReal("fractionalAvailability"), f.maybeReal("effectiveQuotaValue")};
}

ServiceCall get(std::string operation, std::string path) {
  return callTo(Service::Limits, std::move(operation), "GET", std::move(path));
}

}  // namespace

Result<std::vector<LimitedService>> LimitsClient::listServices(const std::string& tenancyId,
                                                               const std::stop_token& stop) {
  const std::string path =
      pathWith("/20190729/services", {{"compartmentId", tenancyId}, {"limit", kPageSize}});
  return callForAll(*services_, get("ListServices", path), stop, &readService);
}

Result<std::vector<LimitDefinition>> LimitsClient::listLimitDefinitions(const std::string& tenancyId,
                                                                        const std::string& serviceName,
                                                                        const std::stop_token& stop) {
  const std::string path =
      pathWith("/20190729/limitDefinitions",
               {{"compartmentId", tenancyId}, {"serviceName", serviceName}, {"limit", kPageSize}});
  return callForAll(*services_, get("ListLimitDefinitions", path), stop, &readDefinition);
}

Result<std::vector<LimitValue>> LimitsClient::listLimitValues(const std::string& tenancyId,
                                                              const std::string& serviceName,
                                                              const std::stop_token& stop) {
  const std::string path =
      pathWith("/20190729/limitValues",
               {{"compartmentId", tenancyId}, {"serviceName", serviceName}, {"limit", kPageSize}});
  return callForAll(*services_, get("ListLimitValues", path), stop, &readValue);
}

Result<ResourceAvailability> LimitsClient::getResourceAvailability(const std::string& compartmentId,
                                                                   const std::string& serviceName,
                                                                   const std::string& limitName,
                                                                   const std::string& availabilityDomain,
                                                                   const std::stop_token& stop) {
  const std::string path =
      pathWith(fmt::format("/20190729/services/{}/limits/{}/resourceAvailability", percentEncode(serviceName),
                           percentEncode(limitName)),
               {{"compartmentId", compartmentId}, {"availabilityDomain", availabilityDomain}});
  return callForOne(*services_, get("GetResourceAvailability", path), stop, &readAvailability);
}

}  // namespace lockstep::oci

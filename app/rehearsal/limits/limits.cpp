// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/limits/limits.h"

#include "rehearsal/iam/access.h"
#include "rehearsal/limits/service_limits.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/lists.h"
#include "rehearsal/state/resources.h"
#include "rehearsal/state/well_known.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kService = "data-science";
constexpr const char* kScope = "REGION";  // of every limit that is known of Data Science

bool isMissing(const std::optional<std::string>& wanted, const std::string& value) {
  return wanted && *wanted != value;
}

constexpr int kMaxPage = 1000;

// The networking service has an operation of the same name, so that this one has no row of its own.
bool mayAsk(Transaction& transaction, const Call& call, const std::string& compartment) {
  return call.operation == "ListServices"
             ? mayIn(transaction, call, compartment, Grant{"inspect", "resource-availability"})
             : mayIn(transaction, call, compartment);
}

/// The tenancy whose limits are asked for, when the caller may ask.
tl::expected<std::string, ServiceError> tenancyAsked(Transaction& transaction, const Call& call) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  if (!mayAsk(transaction, call, *compartment)) return notFound();
  const auto tenancy = tenancyOf(transaction, *compartment);
  if (!tenancy) return notFound();
  return *tenancy;
}

OperationResult listServices(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto tenancy = tenancyAsked(transaction, call);
  if (!tenancy) return tl::unexpected(tenancy.error());
  return answerNamedPage(call, {{{"name", kService}, {"description", "Data Science"}}}, kMaxPage);
}

OperationResult listDefinitions(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto tenancy = tenancyAsked(transaction, call);
  if (!tenancy) return tl::unexpected(tenancy.error());
  nlohmann::json all = nlohmann::json::array();
  if (!isMissing(call.parameter("serviceName"), kService))
    for (const LimitDefinition& one : limitDefinitions())
      if (!isMissing(call.parameter("name"), one.name))
        all.push_back({{"name", one.name},
                       {"serviceName", kService},
                       {"description", one.description},
                       {"scopeType", kScope},
                       {"areQuotasSupported", true},
                       {"isResourceAvailabilitySupported", true},
                       {"isDeprecated", false},
                       {"isEligibleForLimitIncrease", true},
                       {"isDynamic", false}});
  return answerNamedPage(call, all, kMaxPage);
}

OperationResult listValues(Database& database, const Call& call) {
  const auto service = call.parameter("serviceName");
  if (!service) return missingParameter("serviceName");
  const auto scope = call.parameter("scopeType");
  if (scope && *scope != "GLOBAL" && *scope != "REGION" && *scope != "AD")
    return invalidParameter("The parameter 'scopeType' must be GLOBAL, REGION or AD.");
  Transaction transaction(database);
  const auto tenancy = tenancyAsked(transaction, call);
  if (!tenancy) return tl::unexpected(tenancy.error());
  if (*tenancy != call.parameter("compartmentId"))
    return invalidParameter("The parameter 'compartmentId' must be the tenancy.");
  nlohmann::json all = nlohmann::json::array();
  const bool asked =
      *service == kService && !isMissing(scope, kScope) && !call.parameter("availabilityDomain");
  if (asked)
    for (const LimitDefinition& one : limitDefinitions())
      if (!isMissing(call.parameter("name"), one.name))
        all.push_back({{"name", one.name},
                       {"scopeType", kScope},
                       {"availabilityDomain", nullptr},
                       {"value", limitValue(transaction, *tenancy, one.name)}});
  return answerNamedPage(call, all, kMaxPage);
}

OperationResult getAvailability(Database& database, const Call& call) {
  const std::string& name = call.path.at("limit");
  if (call.path.at("service") != kService || findLimit(name) == nullptr) return notFound();
  if (call.parameter("availabilityDomain"))
    return invalidParameter("The parameter 'availabilityDomain' must be absent: the scope of '" + name +
                            "' is REGION.");
  Transaction transaction(database);
  const auto tenancy = tenancyAsked(transaction, call);
  if (!tenancy) return tl::unexpected(tenancy.error());
  const long long value = limitValue(transaction, *tenancy, name),
                  used = limitUsage(transaction, *tenancy, name);
  return jsonResponse({{"used", used},
                       {"available", std::max(0LL, value - used)},
                       {"fractionalUsage", static_cast<double>(used)},
                       {"fractionalAvailability", static_cast<double>(std::max(0LL, value - used))},
                       {"effectiveQuotaValue", nullptr}});
}

OperationResult putLimit(Database& database, const Call& call) {
  const std::string& name = call.path.at("name");
  if (findLimit(name) == nullptr)
    return refuse(404, "NotFound", "There is no limit '" + name + "'; see ListLimitDefinitions.");
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const double value = body.number("value", 0, 1e12);
  const std::string tenancy = body.optionalText("tenancyId").value_or(seed::kTenancy);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (!findResource(transaction, kind::kTenancy, tenancy))
    return refuse(404, "NotFound", "There is no tenancy '" + tenancy + "'.");
  setLimit(transaction, tenancy, name, static_cast<long long>(value));
  const nlohmann::json now{
      {"name", name}, {"tenancyId", tenancy}, {"value", limitValue(transaction, tenancy, name)}};
  transaction.commit();
  return jsonResponse(now);
}

}  // namespace

void addLimits(Router& router, Database& database) {
  const std::string path = "/20190729/";
  router.add("GET", path + "services", "ListServices",
             [&](const Call& c) { return listServices(database, c); });
  router.add("GET", path + "limitDefinitions", "ListLimitDefinitions",
             [&](const Call& c) { return listDefinitions(database, c); });
  router.add("GET", path + "limitValues", "ListLimitValues",
             [&](const Call& c) { return listValues(database, c); });
  router.add("GET", path + "services/{service}/limits/{limit}/resourceAvailability",
             "GetResourceAvailability", [&](const Call& c) { return getAvailability(database, c); });
}

void addLimitsAdmin(Router& admin, Database& database) {
  admin.add("PUT", "/rehearsal/limits/{name}", "SetLimit",
            [&](const Call& c) { return putLimit(database, c); });
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/identity_parts.h"

#include <fmt/format.h>

#include "base/text/encoding.h"
#include "rehearsal/service/retry_tokens.h"
#include "rehearsal/state/well_known.h"

namespace lockstep::rehearsal {
namespace {

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.@+").find(c) != std::string_view::npos;
}

}  // namespace

std::string makeIdentityOcid(const std::string& kind) {
  return "ocid1." + kind + ".oc1..aaaaaaaa" + toHex(randomBytes(26));
}

std::optional<ServiceError> checkHomeRegion(Transaction& transaction, const Call& call) {
  const auto tenancy = findResource(transaction, kind::kTenancy, call.principal.tenancyId);
  const std::string home = tenancy ? tenancy->body.value("homeRegionKey", kRegionKey) : kRegionKey;
  if (home == kRegionKey) return std::nullopt;
  return ServiceError{
      403, "NotAllowed",
      "Please go to your home region " + home + " to execute CREATE, UPDATE and DELETE operations."};
}

bool isNameTaken(Transaction& transaction, const std::vector<std::string>& kinds,
                 const std::string& compartment, const std::string& name) {
  for (const std::string& kind : kinds) {
    auto& select = transaction.sql(
        "SELECT 1 FROM resources WHERE kind = ? AND compartment = ? AND name = ? COLLATE NOCASE AND state = "
        "'ACTIVE' LIMIT 1");
    select.bind(1, kind);
    select.bind(2, compartment);
    select.bind(3, name);
    if (select.executeStep()) return true;
  }
  return false;
}

tl::unexpected<ServiceError> nameTaken(const std::string& thing, const std::string& name) {
  return refuse(409, "NotAuthorizedOrResourceAlreadyExists",
                fmt::format("{} '{}' already exists, or you are not authorized to create it.", thing, name));
}

nlohmann::json readIdentityTags(BodyReader& body) {
  nlohmann::json tags{{"freeformTags", body.textMap("freeformTags")},
                      {"definedTags", nlohmann::json::object()}};
  if (body.has("definedTags")) {
    if (body.json()["definedTags"].is_object())
      tags["definedTags"] = body.json()["definedTags"];
    else
      body.invalid("definedTags", "must be an object");
  }
  return tags;
}

nlohmann::json readIdentityChange(BodyReader& body) {
  nlohmann::json change = nlohmann::json::object();
  if (const auto description = body.optionalText("description", 400)) change["description"] = *description;
  const nlohmann::json tags = readIdentityTags(body);
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) change[field] = tags[field];
  return change;
}

IdentityDetails readDetails(BodyReader& body) {
  IdentityDetails details;
  details.compartment = body.text("compartmentId");
  details.name = body.text("name", 100);
  details.description = body.text("description", 400);
  details.tags = readIdentityTags(body);
  for (const char c : details.name)
    if (!isNameCharacter(c) && !body.error())
      body.invalid("name", "may have letters, digits, hyphens, periods, underscores, + and @");
  return details;
}

Resource makeIdentityResource(const std::string& kind, const IdentityDetails& details, TimePoint now) {
  const long long millis = toMillis(now);
  Resource resource{
      makeIdentityOcid(kind), kind, details.compartment, "", details.name, "ACTIVE", makeUuid(), millis, {}};
  resource.body = {{"id", resource.id},
                   {"compartmentId", details.compartment},
                   {"name", details.name},
                   {"description", details.description},
                   {"timeCreated", timeText(millis)},
                   {"lifecycleState", "ACTIVE"}};
  resource.body.update(details.tags);
  return resource;
}

OperationResult answerCreated(Transaction& transaction, const Call& call, const Resource& resource) {
  insertResource(transaction, resource);
  const Response response = jsonResponse(resource.body, resource.etag);
  remember(transaction, call, call.operation, response);
  transaction.commit();
  return response;
}

OperationResult answerUpdated(Transaction& transaction, Resource& resource) {
  resource.etag = updateResource(transaction, resource);
  const Response response = jsonResponse(resource.body, resource.etag);
  transaction.commit();
  return response;
}

ListStyle identityList(const char* kind) {
  return {kind, 1000, "TIMECREATED", "NAME", "name", ""};
}

}  // namespace lockstep::rehearsal

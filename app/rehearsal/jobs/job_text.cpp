// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "rehearsal/iam/access.h"

namespace lockstep::rehearsal {
std::string defaultName(const std::string& prefix, TimePoint now) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  return fmt::format("{}{:%Y%m%d%H%M%S}", prefix, fmt::gmtime(seconds));
}

nlohmann::json readTags(BodyReader& body) {
  nlohmann::json tags{{"freeformTags", body.textMap("freeformTags")},
                      {"definedTags", nlohmann::json::object()}};
  if (body.has("definedTags")) tags["definedTags"] = body.object("definedTags").json();
  return tags;
}

ListStyle dataScienceList(const std::string& kind, const std::string& parentParameter) {
  return {kind, 100, "timeCreated", "displayName", "displayName", parentParameter};
}

OperationResult changeCompartment(Database& database, const Call& call, const std::string& kind) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string target = body.text("compartmentId");
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto resource = findAllowed(transaction, call, kind, call.path.at("id"));
  if (!resource || resource->state == "DELETED") return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), resource->etag)) return tl::unexpected(*error);
  if (!mayIn(transaction, call, target)) return notFound();
  resource->body["compartmentId"] = resource->compartment = target;
  updateResource(transaction, *resource);
  transaction.commit();
  return emptyResponse(204);
}

}  // namespace lockstep::rehearsal

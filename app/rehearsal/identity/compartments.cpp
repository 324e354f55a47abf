// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/retry_tokens.h"
#include "rehearsal/identity/access.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/identity/policy_engine.h"
#include "rehearsal/identity/policy_scanner.h"

namespace lockstep::rehearsal {
namespace {

constexpr int kDeepest = 6;  // below the tenancy

int depthOf(const PolicyBook& book, const std::string& compartment) {
  int depth = 0;
  for (const auto* place = book.placeOf(compartment);
       place != nullptr && !place->parent.empty() && depth <= kDeepest; place = book.placeOf(place->parent))
    ++depth;
  return depth;
}

Answer createCompartment(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  if (auto again = replayed(session, call, call.operation)) return *again;
  if (!mayIn(session, call, details.compartment)) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (depthOf(PolicyBook::of(session), details.compartment) >= kDeepest)
    return invalidParameter("Compartments nest at most six deep.");
  if (isNameTaken(session, {kind::kCompartment}, details.compartment, details.name))
    return nameTaken("Compartment", details.name);
  Resource compartment = makeIdentityResource(kind::kCompartment, details, call.now);
  compartment.parent = details.compartment;
  compartment.body["isAccessible"] = true;
  compartment.body["inactiveStatus"] = nullptr;
  return answerCreated(session, call, compartment);
}

Answer updateCompartment(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto description = body.optionalText("description", 400);
  const auto name = body.optionalText("name", 100);
  const nlohmann::json tags = readIdentityTags(body);
  if (body.refusal()) return tl::unexpected(*body.refusal());
  Session session(database);
  auto compartment = findAllowed(session, call, kind::kCompartment, call.path.at("id"));
  if (!compartment) return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (auto refusal = checkIfMatch(call.header("if-match"), compartment->etag))
    return tl::unexpected(*refusal);
  if (name && !sameWord(*name, compartment->name) &&
      isNameTaken(session, {kind::kCompartment}, compartment->compartment, *name))
    return nameTaken("Compartment", *name);
  if (name) {
    compartment->name = *name;
    compartment->body["name"] = *name;
  }
  if (description) compartment->body["description"] = *description;
  for (const char* field : {"freeformTags", "definedTags"})
    if (body.has(field)) compartment->body[field] = tags[field];
  return answerUpdated(session, *compartment);
}

// Work requests tell of what was done there; they hold nothing.
bool isEmpty(Session& session, const std::string& compartment) {
  for (const char* text :
       {"SELECT 1 FROM resources WHERE compartment = ? AND state NOT IN ('DELETED', 'TERMINATED') "
        "AND kind NOT LIKE 'workrequest-%' LIMIT 1",
        "SELECT 1 FROM buckets WHERE compartment = ? LIMIT 1"}) {
    auto& select = session.sql(text);
    select.bind(1, compartment);
    if (select.executeStep()) return false;
  }
  return true;
}

Answer deleteCompartment(Database& database, const Call& call) {
  Session session(database);
  auto compartment = findAllowed(session, call, kind::kCompartment, call.path.at("id"));
  if (!compartment || compartment->state != "ACTIVE") return notFound();
  if (auto refusal = checkHomeRegion(session, call)) return tl::unexpected(*refusal);
  if (auto refusal = checkIfMatch(call.header("if-match"), compartment->etag))
    return tl::unexpected(*refusal);
  if (!isEmpty(session, compartment->id))
    return refuse(409, "Conflict", "The compartment still has resources. Delete them first.");
  compartment->state = "DELETED";
  compartment->body["lifecycleState"] = "DELETED";
  updateResource(session, *compartment);
  session.commit();
  return emptyReply(202);
}

/// Which compartments of a list the caller may see anything in.
bool isAccessible(Session& session, const Call& call, const std::string& compartment) {
  const Principal& p = call.principal;
  PolicyBook& book = PolicyBook::of(session);
  const auto* place = book.placeOf(compartment);
  if (place == nullptr) return false;
  for (const PolicyInForce* entry : book.memberOf(session, p).mine) {
    if (entry->locationId.empty()) continue;
    if (book.isWithin(*place, entry->locationId)) return true;
    const auto* granted = book.placeOf(entry->locationId);  // something below it is accessible
    if (granted != nullptr && book.isWithin(*granted, compartment)) return true;
  }
  return false;
}

// The rows behind a page have been filtered after they were read, so that a page may be short or empty while
// there is a next one (oci-rest-contract 3.1).
Answer listSome(Session& session, const Call& call, const ListQuery& query, bool isSubtree,
                bool onlyAccessible) {
  const auto page = listResources(session, query);
  if (!page) return tl::unexpected(page.error());
  const PolicyBook& book = PolicyBook::of(session);
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& compartment : page->items) {
    const auto* place = book.placeOf(compartment.compartment);
    if (isSubtree && (place == nullptr || place->tenancy != call.principal.tenancyId)) continue;
    const bool accessible = isAccessible(session, call, compartment.id);
    if (onlyAccessible && !accessible) continue;
    nlohmann::json body = compartment.body;
    body["isAccessible"] = accessible;
    list.push_back(std::move(body));
  }
  Reply reply = jsonReply(list);
  if (!page->nextPage.empty()) reply.headers.emplace_back("opc-next-page", page->nextPage);
  return reply;
}

std::optional<Refusal> readOrder(const Call& call, ListQuery& query) {
  const std::string by = lowerWord(call.parameter("sortBy").value_or("TIMECREATED"));
  if (by != "timecreated" && by != "name")
    return invalidParameter("The parameter 'sortBy' must be TIMECREATED or NAME.").value();
  query.byName = by == "name";
  const std::string order = lowerWord(call.parameter("sortOrder").value_or(query.byName ? "ASC" : "DESC"));
  if (order != "asc" && order != "desc")
    return invalidParameter("The parameter 'sortOrder' must be ASC or DESC.").value();
  query.descending = order == "desc";
  return std::nullopt;
}

Answer listCompartments(Database& database, const Call& call) {
  const auto parent = call.parameter("compartmentId");
  if (!parent) return missingParameter("compartmentId");
  const bool isSubtree = call.parameter("compartmentIdInSubtree") == "true";
  if (isSubtree && parent != call.principal.tenancyId)
    return invalidParameter("The parameter 'compartmentIdInSubtree' needs the tenancy as compartmentId.");
  const std::string level = lowerWord(call.parameter("accessLevel").value_or("ANY"));
  if (level != "any" && level != "accessible")
    return invalidParameter("The parameter 'accessLevel' must be ANY or ACCESSIBLE.");
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  ListQuery query;
  query.kind = kind::kCompartment;
  if (!isSubtree) query.compartment = *parent;
  query.name = call.parameter("name");
  query.state = call.parameter("lifecycleState");
  query.limit = *limit;
  query.page = call.parameter("page").value_or("");
  if (auto refusal = readOrder(call, query)) return tl::unexpected(*refusal);
  Session session(database);
  const bool mayInspect = mayIn(session, call, *parent);
  if (!mayInspect && tenancyOf(session, *parent) != call.principal.tenancyId) return notFound();
  if (!mayInspect && level == "any") return notFound();
  return listSome(session, call, query, isSubtree, level == "accessible");
}

}  // namespace

void addCompartments(Router& router, Database& database) {
  const std::string path = "/20160918/compartments";
  router.add("GET", path, "ListCompartments", [&](const Call& c) { return listCompartments(database, c); });
  router.add("POST", path, "CreateCompartment",
             [&](const Call& c) { return createCompartment(database, c); });
  router.add("GET", path + "/{id}", "GetCompartment", [&](const Call& c) {
    const std::string& id = c.path.at("id");
    Session session(database);
    // The tenancy is the root compartment; what is in a compartment may be seen by who may see the
    // compartment.
    auto root = findResource(session, kind::kTenancy, id);
    const auto found = root ? root : findResource(session, kind::kCompartment, id);
    if (!found || !mayIn(session, c, found->id)) return Answer(notFound());
    return Answer(jsonReply(found->body, found->etag));
  });
  router.add("PUT", path + "/{id}", "UpdateCompartment",
             [&](const Call& c) { return updateCompartment(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteCompartment",
             [&](const Call& c) { return deleteCompartment(database, c); });
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/iam/policy_engine.h"
#include "rehearsal/iam/policy_scanner.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/retry_tokens.h"
#include "rehearsal/service/work_requests.h"

namespace lockstep::rehearsal {
namespace {

constexpr int kDeepest = 6;  // below the tenancy
constexpr long long kDeletionMs = 300;
constexpr const char* kDeletedAt = "_deletedAt";  // ms; not shown

// Deleting goes on after the call was answered. Nothing is kept of that: it follows from the time that has
// passed.
nlohmann::json shown(const Resource& compartment, TimePoint now) {
  nlohmann::json body = compartment.body;
  const auto at = body.find(kDeletedAt);
  if (at == body.end()) return body;
  const bool isDone = toMillis(now) - at->get<long long>() >= kDeletionMs;
  body["lifecycleState"] = isDone ? "DELETED" : "DELETING";
  body.erase(at);
  return body;
}

int depthOf(const PolicyBook& book, const std::string& compartment) {
  int depth = 0;
  for (const auto* place = book.placeOf(compartment);
       place != nullptr && !place->parent.empty() && depth <= kDeepest; place = book.placeOf(place->parent))
    ++depth;
  return depth;
}

OperationResult createCompartment(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  if (!mayIn(transaction, call, details.compartment)) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (depthOf(PolicyBook::of(transaction), details.compartment) >= kDeepest)
    return invalidParameter("Compartments nest at most six deep.");
  if (isNameTaken(transaction, {kind::kCompartment}, details.compartment, details.name))
    return nameTaken("Compartment", details.name);
  Resource compartment = makeIdentityResource(kind::kCompartment, details, call.now);
  compartment.parent = details.compartment;
  compartment.body["isAccessible"] = true;
  compartment.body["inactiveStatus"] = nullptr;
  return answerCreated(transaction, call, compartment);
}

OperationResult updateCompartment(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const auto name = body.optionalText("name", 100);
  const nlohmann::json change = readIdentityChange(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto compartment = findAllowed(transaction, call, kind::kCompartment, call.path.at("id"));
  if (!compartment) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), compartment->etag)) return tl::unexpected(*error);
  if (name && !sameWord(*name, compartment->name) &&
      isNameTaken(transaction, {kind::kCompartment}, compartment->compartment, *name))
    return nameTaken("Compartment", *name);
  if (name) {
    compartment->name = *name;
    compartment->body["name"] = *name;
  }
  compartment->body.update(change);
  return answerUpdated(transaction, *compartment);
}

// Work requests tell of what was done there; they hold nothing.
bool isEmpty(Transaction& transaction, const std::string& compartment) {
  for (const char* text :
       {"SELECT 1 FROM resources WHERE compartment = ? AND state NOT IN ('DELETED', 'TERMINATED') "
        "AND kind NOT LIKE 'workrequest-%' LIMIT 1",
        "SELECT 1 FROM buckets WHERE compartment = ? LIMIT 1"}) {
    auto& select = transaction.sql(text);
    select.bind(1, compartment);
    if (select.executeStep()) return false;
  }
  return true;
}

OperationResult deleteCompartment(Database& database, const Call& call) {
  Transaction transaction(database);
  auto compartment = findAllowed(transaction, call, kind::kCompartment, call.path.at("id"));
  if (!compartment || compartment->state != "ACTIVE") return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), compartment->etag)) return tl::unexpected(*error);
  if (!isEmpty(transaction, compartment->id))
    return refuse(409, "Conflict", "The compartment still has resources. Delete them first.");
  compartment->state = "DELETED";
  compartment->body["lifecycleState"] = "DELETED";
  compartment->body[kDeletedAt] = toMillis(call.now);
  updateResource(transaction, *compartment);
  // Identity's work requests are asked for at the path that Core's have.
  const std::string request = addWorkRequest(transaction,
                                             {"core",
                                              "DELETE_COMPARTMENT",
                                              compartment->compartment,
                                              {{"compartment", "DELETED", compartment->id, {}}}},
                                             call.now);
  transaction.commit();
  Response response = emptyResponse(202);
  response.headers.emplace_back("opc-work-request-id", request);
  return response;
}

/// Which compartments of a list the caller may see anything in.
bool isAccessible(Transaction& transaction, const Call& call, const std::string& compartment) {
  const Principal& p = call.principal;
  PolicyBook& book = PolicyBook::of(transaction);
  const auto* place = book.placeOf(compartment);
  if (place == nullptr) return false;
  for (const PolicyInForce* entry : book.memberOf(transaction, p).mine) {
    if (entry->locationId.empty()) continue;
    if (book.isWithin(*place, entry->locationId)) return true;
    const auto* granted = book.placeOf(entry->locationId);  // something below it is accessible
    if (granted != nullptr && book.isWithin(*granted, compartment)) return true;
  }
  return false;
}

// The rows behind a page have been filtered after they were read, so that a page may be short or empty while
// there is a next one (oci-rest-contract 3.1).
OperationResult listSome(Transaction& transaction, const Call& call, const ListQuery& query, bool isSubtree,
                         bool onlyAccessible) {
  const auto page = listResources(transaction, query);
  if (!page) return tl::unexpected(page.error());
  const PolicyBook& book = PolicyBook::of(transaction);
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& compartment : page->items) {
    const auto* place = book.placeOf(compartment.compartment);
    if (isSubtree && (place == nullptr || place->tenancy != call.principal.tenancyId)) continue;
    const bool accessible = isAccessible(transaction, call, compartment.id);
    if (onlyAccessible && !accessible) continue;
    nlohmann::json body = shown(compartment, call.now);
    body["isAccessible"] = accessible;
    list.push_back(std::move(body));
  }
  Response response = jsonResponse(list);
  if (!page->nextPage.empty()) response.headers.emplace_back("opc-next-page", page->nextPage);
  return response;
}

std::optional<ServiceError> readOrder(const Call& call, ListQuery& query) {
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

OperationResult listCompartments(Database& database, const Call& call) {
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
  if (auto error = readOrder(call, query)) return tl::unexpected(*error);
  Transaction transaction(database);
  const bool mayInspect = mayIn(transaction, call, *parent);
  if (!mayInspect && tenancyOf(transaction, *parent) != call.principal.tenancyId) return notFound();
  if (!mayInspect && level == "any") return notFound();
  return listSome(transaction, call, query, isSubtree, level == "accessible");
}

}  // namespace

void addCompartments(Router& router, Database& database) {
  const std::string path = "/20160918/compartments";
  router.add("GET", path, "ListCompartments", [&](const Call& c) { return listCompartments(database, c); });
  router.add("POST", path, "CreateCompartment",
             [&](const Call& c) { return createCompartment(database, c); });
  router.add("GET", path + "/{id}", "GetCompartment", [&](const Call& c) {
    const std::string& id = c.path.at("id");
    Transaction transaction(database);
    // The tenancy is the root compartment; what is in a compartment may be seen by who may see the
    // compartment.
    auto root = findResource(transaction, kind::kTenancy, id);
    const auto found = root ? root : findResource(transaction, kind::kCompartment, id);
    // One that is deleted is nowhere any more; those who may look into its parent still see that it was.
    const bool isDeleted = found && found->state == "DELETED";
    if (!found || !mayIn(transaction, c, isDeleted ? found->compartment : found->id))
      return OperationResult(notFound());
    return OperationResult(jsonResponse(shown(*found, c.now), found->etag));
  });
  router.add("PUT", path + "/{id}", "UpdateCompartment",
             [&](const Call& c) { return updateCompartment(database, c); });
  router.add("DELETE", path + "/{id}", "DeleteCompartment",
             [&](const Call& c) { return deleteCompartment(database, c); });
}

}  // namespace lockstep::rehearsal

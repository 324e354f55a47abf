// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/service/work_requests.h"

#include "rehearsal/iam/access.h"
#include "rehearsal/service/lists.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

// What a client sees of one: accepted, then under way, then done. Long enough that a caller who does not poll
// is found out, short enough that nobody waits.
constexpr long long kAcceptedMs = 100;
constexpr long long kUnderWayMs = 250;
constexpr const char* kRetryAfter = "0.25";

struct ServiceWords {
  const char* name;
  const char* root;  // where its work requests are asked for
  const char* ocid;  // type in the OCID
  const char* done = "SUCCEEDED";
};

const ServiceWords kServices[] = {
    {"logging", "/20200531/workRequests", "logworkrequest"},
    {"datascience", "/20190101/workRequests", "datascienceworkrequest"},
    {"core", "/20160918/workRequests", "coreservicesworkrequest"},
    {"objectstorage", "/workRequests", "objectstorageworkrequest", "COMPLETED"}};

const ServiceWords& wordsOf(const std::string& service) {
  for (const ServiceWords& words : kServices)
    if (service == words.name) return words;
  return kServices[0];
}

json resourcesOf(const WorkRequestSpec& spec) {
  json list = json::array();
  for (const auto& touched : spec.resources) {
    json one{{"entityType", touched.entityType},
             {"actionType", touched.actionType},
             {"identifier", touched.identifier}};
    if (!touched.entityUri.empty()) one["entityUri"] = touched.entityUri;
    list.push_back(std::move(one));
  }
  return list;
}

// Nothing is kept of the progress: it follows from the time that has passed.
json shown(const Resource& request, const ServiceWords& words, long long now) {
  json body = request.body;
  const long long age = now - request.created;
  const bool isDone = age >= kUnderWayMs;
  const bool hasBegun = age >= kAcceptedMs;
  body["status"] = isDone ? words.done : hasBegun ? "IN_PROGRESS" : "ACCEPTED";
  body["percentComplete"] = isDone ? 100.0 : hasBegun ? 50.0 : 0.0;
  if (hasBegun) body["timeStarted"] = timeText(request.created + kAcceptedMs);
  if (isDone) body["timeFinished"] = timeText(request.created + kUnderWayMs);
  if (isDone) return body;
  for (auto& resource : body["resources"]) resource["actionType"] = "IN_PROGRESS";
  return body;
}

std::string kindOf(const ServiceWords& words) {
  return std::string("workrequest-") + words.name;
}

std::optional<Resource> findOne(Transaction& transaction, const Call& call, const ServiceWords& words) {
  auto found = findResource(transaction, kindOf(words), call.path.at("workRequestId"));
  if (!found || !mayIn(transaction, call, found->compartment)) return std::nullopt;
  return found;
}

OperationResult getOne(Database& database, const Call& call, const ServiceWords& words) {
  Transaction transaction(database);
  const auto found = findOne(transaction, call, words);
  if (!found) return notFound();
  const json body = shown(*found, words, toMillis(call.now));
  Response response = jsonResponse(body, found->etag);
  if (body["status"] != words.done) response.headers.emplace_back("retry-after", kRetryAfter);
  return response;
}

// Errors and log entries of a work request: none of ours fails after its call was answered.
OperationResult listParts(Database& database, const Call& call, const ServiceWords& words, bool withLog) {
  Transaction transaction(database);
  const auto found = findOne(transaction, call, words);
  if (!found) return notFound();
  json list = json::array();
  if (withLog)
    list.push_back({{"message", found->body["operationType"].get<std::string>() + " was accepted."},
                    {"timestamp", timeText(found->created)}});
  return jsonResponse(list);
}

OperationResult listAll(Database& database, const Call& call, const ServiceWords& words) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  ListQuery query;
  query.kind = kindOf(words);
  query.compartment = *compartment;
  query.id = call.parameter("id");
  query.descending = true;
  query.limit = *limit;
  query.page = call.parameter("page").value_or("");
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  const auto page = listResources(transaction, query);
  if (!page) return tl::unexpected(page.error());
  const auto resource = call.parameter("resourceId");
  json list = json::array();
  for (const Resource& item : page->items) {
    json body = shown(item, words, toMillis(call.now));
    bool touched = !resource;
    for (const auto& one : body["resources"]) touched = touched || one["identifier"] == *resource;
    if (touched) list.push_back(std::move(body));
  }
  Response response = jsonResponse(list);
  if (!page->nextPage.empty()) response.headers.emplace_back("opc-next-page", page->nextPage);
  return response;
}

}  // namespace

std::string addWorkRequest(Transaction& transaction, const WorkRequestSpec& spec, TimePoint now) {
  const ServiceWords& words = wordsOf(spec.service);
  Resource request;
  request.kind = kindOf(words);
  request.id = makeOcid(words.ocid);
  request.compartment = spec.compartment;
  request.name = spec.operationType;
  request.state = "ACCEPTED";
  request.etag = makeUuid();
  request.created = toMillis(now);
  request.body = {{"id", request.id},
                  {"operationType", spec.operationType},
                  {"compartmentId", spec.compartment},
                  {"resources", resourcesOf(spec)},
                  {"timeAccepted", timeText(request.created)}};
  insertResource(transaction, request);
  return request.id;
}

void addWorkRequests(Router& router, Database& database) {
  for (const ServiceWords& service : kServices) {
    const ServiceWords* words = &service;
    const std::string root = words->root;
    router.add("GET", root, "ListWorkRequests",
               [&database, words](const Call& c) { return listAll(database, c, *words); });
    router.add("GET", root + "/{workRequestId}", "GetWorkRequest",
               [&database, words](const Call& c) { return getOne(database, c, *words); });
    router.add("GET", root + "/{workRequestId}/errors", "ListWorkRequestErrors",
               [&database, words](const Call& c) { return listParts(database, c, *words, false); });
    router.add("GET", root + "/{workRequestId}/logs", "ListWorkRequestLogs",
               [&database, words](const Call& c) { return listParts(database, c, *words, true); });
  }
}

}  // namespace lockstep::rehearsal

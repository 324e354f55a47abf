// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_places.h"

#include <strings.h>

#include "rehearsal/service/work_requests.h"

namespace lockstep::rehearsal {
namespace {

const char* const kNameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

bool same(const std::string& a, const char* b) {
  return ::strcasecmp(a.c_str(), b) == 0;
}

bool isLog(const Resource& resource) {
  return resource.kind == kind::kLog;
}

std::optional<ServiceError> readOrder(const Call& call, ListQuery& query) {
  const std::string sortBy = call.parameter("sortBy").value_or("timeCreated");
  query.byName = same(sortBy, "displayName");
  if (!query.byName && !same(sortBy, "timeCreated"))
    return invalidParameter("The parameter 'sortBy' must be timeCreated or displayName.").value();
  const std::string order = call.parameter("sortOrder").value_or(query.byName ? "ASC" : "DESC");
  query.descending = same(order, "DESC");
  if (!query.descending && !same(order, "ASC"))
    return invalidParameter("The parameter 'sortOrder' must be ASC or DESC.").value();
  return std::nullopt;
}

}  // namespace

std::string readLogName(BodyReader& body) {
  std::string name = body.text("displayName", 256);
  if (name.find_first_not_of(kNameCharacters) != std::string::npos)
    body.invalid("displayName", "it may have letters, digits, '-', '_' and '.' only");
  return name;
}

std::optional<ServiceError> checkLogNameIsFree(Transaction& transaction, const Resource& wanted) {
  auto& select =
      transaction.sql(std::string("SELECT id FROM resources WHERE kind = ? AND name = ? AND id != ? AND ") +
                      (isLog(wanted) ? "parent" : "compartment") + " = ?");
  select.bind(1, wanted.kind);
  select.bind(2, wanted.name);
  select.bind(3, wanted.id);
  select.bind(4, isLog(wanted) ? wanted.parent : wanted.compartment);
  if (!select.executeStep()) return std::nullopt;
  return ServiceError{409, "Conflict",
                      std::string(isLog(wanted) ? "A log" : "A log group") + " with the name '" +
                          wanted.name + "' already exists."};
}

OperationResult acceptedLogChange(Transaction& transaction, const Call& call, const std::string& operation,
                                  const Resource& touched, const char* action) {
  const std::string uri = isLog(touched) ? "/20200531/logGroups/" + touched.parent + "/logs/" + touched.id
                                         : "/20200531/logGroups/" + touched.id;
  const std::string id = addWorkRequest(transaction,
                                        {"logging",
                                         operation,
                                         touched.compartment,
                                         {{isLog(touched) ? "log" : "logGroup", action, touched.id,
                                           action == std::string("DELETED") ? "" : uri}}},
                                        call.now);
  Response response = emptyResponse(202);
  response.headers.emplace_back("opc-work-request-id", id);
  return response;
}

OperationResult listLogPlaces(Transaction& transaction, const Call& call, ListQuery query,
                              const std::function<bool(const Resource&)>& isWanted) {
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  query.limit = *limit;
  query.page = call.parameter("page").value_or("");
  if (auto error = readOrder(call, query)) return tl::unexpected(*error);
  const auto page = listResources(transaction, query);
  if (!page) return tl::unexpected(page.error());
  const auto name = call.parameter("displayName");
  const auto state = call.parameter("lifecycleState");
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& item : page->items)
    if ((!name || item.name == *name) && (!state || same(item.state, state->c_str())) && isWanted(item))
      list.push_back(item.body);
  Response response = jsonResponse(list);
  if (!page->nextPage.empty()) response.headers.emplace_back("opc-next-page", page->nextPage);
  return response;
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/service/lists.h"

#include <strings.h>

#include "rehearsal/iam/access.h"
#include "rehearsal/state/summaries.h"

namespace lockstep::rehearsal {
namespace {

bool same(const std::string& a, const std::string& b) {
  return ::strcasecmp(a.c_str(), b.c_str()) == 0;
}

// Times run from new to old and names from a to z unless the call says otherwise.
std::optional<ServiceError> readOrder(const Call& call, const ListStyle& style, ListQuery& query) {
  const std::string sortBy = call.parameter("sortBy").value_or(style.byTime);
  if (!same(sortBy, style.byTime) && !same(sortBy, style.byName))
    return invalidParameter("The parameter 'sortBy' must be " + style.byTime + " or " + style.byName + ".")
        .value();
  query.byName = same(sortBy, style.byName);
  const std::string order = call.parameter("sortOrder").value_or(query.byName ? "ASC" : "DESC");
  if (!same(order, "ASC") && !same(order, "DESC"))
    return invalidParameter("The parameter 'sortOrder' must be ASC or DESC.").value();
  query.descending = same(order, "DESC");
  return std::nullopt;
}

tl::expected<ListQuery, ServiceError> readQuery(const Call& call, const ListStyle& style) {
  ListQuery query;
  query.kind = style.kind;
  query.name = call.parameter(style.nameParameter);
  query.state = call.parameter("lifecycleState");
  query.id = call.parameter("id");
  query.createdBy = call.parameter("createdBy");
  if (!style.parentParameter.empty()) query.parent = call.parameter(style.parentParameter);
  const auto limit = call.limit(std::min(100, style.maximum), style.maximum);
  if (!limit) return tl::unexpected(limit.error());
  query.limit = *limit;
  query.page = call.parameter("page").value_or("");
  if (auto error = readOrder(call, style, query)) return tl::unexpected(*error);
  return query;
}

OperationResult answerPage(Transaction& transaction, const Call& call, const ListQuery& query,
                           const std::function<nlohmann::json(const Resource&)>& shown) {
  const auto page = listResources(transaction, query);
  if (!page) return tl::unexpected(page.error());
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& resource : page->items)
    if (call.visibility.sees(resource.created, resource.id, toMillis(call.now)))
      list.push_back(shown(resource));
  Response response = jsonResponse(list);
  if (!page->nextPage.empty()) response.headers.emplace_back("opc-next-page", page->nextPage);
  return response;
}

OperationResult answerSummaryPage(Transaction& transaction, const Call& call, const ListQuery& query) {
  const auto page = listSummaries(transaction, query);
  if (!page) return tl::unexpected(page.error());
  Response response;
  response.body = "[";
  for (const Summary& one : page->items) {
    if (!call.visibility.sees(one.created, one.id, toMillis(call.now))) continue;
    if (response.body.size() > 1) response.body += ',';
    response.body += one.text;
  }
  response.body += ']';
  if (!page->nextPage.empty()) response.headers.emplace_back("opc-next-page", page->nextPage);
  return response;
}

}  // namespace

OperationResult answerSummaries(Database& database, const Call& call, const ListStyle& style) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  auto query = readQuery(call, style);
  if (!query) return tl::unexpected(query.error());
  query->compartment = *compartment;
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  return answerSummaryPage(transaction, call, *query);
}

OperationResult answerList(Database& database, const Call& call, const ListStyle& style,
                           const std::function<nlohmann::json(const Resource&)>& shown) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  auto query = readQuery(call, style);
  if (!query) return tl::unexpected(query.error());
  query->compartment = *compartment;
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  return answerPage(transaction, call, *query, shown);
}

OperationResult answerListOfParent(Database& database, const Call& call, const ListStyle& style,
                                   const std::string& parent,
                                   const std::function<nlohmann::json(const Resource&)>& shown) {
  auto query = readQuery(call, style);
  if (!query) return tl::unexpected(query.error());
  query->parent = parent;
  Transaction transaction(database);
  return answerPage(transaction, call, *query, shown);
}

OperationResult answerNamedPage(const Call& call, const nlohmann::json& all, int maximum) {
  const auto limit = call.limit(100, maximum);
  if (!limit) return tl::unexpected(limit.error());
  std::size_t from = 0;
  if (const auto page = call.parameter("page")) {
    const auto parts = decodePage(*page);
    if (!parts || parts->size() != 1)
      return invalidParameter("The parameter 'page' is not a page token of this list.");
    while (from < all.size() && all[from]["name"] != parts->front()) ++from;
  }
  nlohmann::json list = nlohmann::json::array();
  for (; from < all.size() && static_cast<int>(list.size()) < *limit; ++from) list.push_back(all[from]);
  Response response = jsonResponse(list);
  if (from < all.size()) response.headers.emplace_back("opc-next-page", encodePage({all[from]["name"]}));
  return response;
}

OperationResult answerGet(Database& database, const Call& call, const std::string& kind,
                          const std::string& id) {
  Transaction transaction(database);
  const auto resource = findAllowed(transaction, call, kind, id);
  if (!resource) return notFound();
  return jsonResponse(resource->body, resource->etag);
}

}  // namespace lockstep::rehearsal

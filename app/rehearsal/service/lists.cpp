// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/lists.h"

#include <strings.h>

#include "rehearsal/identity/access.h"
#include "rehearsal/state/summaries.h"

namespace lockstep::rehearsal {
namespace {

bool same(const std::string& a, const std::string& b) {
  return ::strcasecmp(a.c_str(), b.c_str()) == 0;
}

// Times run from new to old and names from a to z unless the call says otherwise.
std::optional<Refusal> readOrder(const Call& call, const ListStyle& style, ListQuery& query) {
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

tl::expected<ListQuery, Refusal> readQuery(const Call& call, const ListStyle& style) {
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
  if (auto refusal = readOrder(call, style, query)) return tl::unexpected(*refusal);
  return query;
}

Answer answerPage(Session& session, const Call& call, const ListQuery& query,
                  const std::function<nlohmann::json(const Resource&)>& shown) {
  const auto page = listResources(session, query);
  if (!page) return tl::unexpected(page.error());
  nlohmann::json list = nlohmann::json::array();
  for (const Resource& resource : page->items)
    if (call.visibility.sees(resource.created, resource.id, toMillis(call.now)))
      list.push_back(shown(resource));
  Reply reply = jsonReply(list);
  if (!page->nextPage.empty()) reply.headers.emplace_back("opc-next-page", page->nextPage);
  return reply;
}

Answer answerSummaryPage(Session& session, const Call& call, const ListQuery& query) {
  const auto page = listSummaries(session, query);
  if (!page) return tl::unexpected(page.error());
  Reply reply;
  reply.body = "[";
  for (const Summary& one : page->items) {
    if (!call.visibility.sees(one.created, one.id, toMillis(call.now))) continue;
    if (reply.body.size() > 1) reply.body += ',';
    reply.body += one.text;
  }
  reply.body += ']';
  if (!page->nextPage.empty()) reply.headers.emplace_back("opc-next-page", page->nextPage);
  return reply;
}

}  // namespace

Answer answerSummaries(Database& database, const Call& call, const ListStyle& style) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  auto query = readQuery(call, style);
  if (!query) return tl::unexpected(query.error());
  query->compartment = *compartment;
  Session session(database);
  if (!mayIn(session, call, *compartment)) return notFound();
  return answerSummaryPage(session, call, *query);
}

Answer answerList(Database& database, const Call& call, const ListStyle& style,
                  const std::function<nlohmann::json(const Resource&)>& shown) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  auto query = readQuery(call, style);
  if (!query) return tl::unexpected(query.error());
  query->compartment = *compartment;
  Session session(database);
  if (!mayIn(session, call, *compartment)) return notFound();
  return answerPage(session, call, *query, shown);
}

Answer answerListOfParent(Database& database, const Call& call, const ListStyle& style,
                          const std::string& parent,
                          const std::function<nlohmann::json(const Resource&)>& shown) {
  auto query = readQuery(call, style);
  if (!query) return tl::unexpected(query.error());
  query->parent = parent;
  Session session(database);
  return answerPage(session, call, *query, shown);
}

Answer answerGet(Database& database, const Call& call, const std::string& kind, const std::string& id) {
  Session session(database);
  const auto resource = findAllowed(session, call, kind, id);
  if (!resource) return notFound();
  return jsonReply(resource->body, resource->etag);
}

}  // namespace lockstep::rehearsal

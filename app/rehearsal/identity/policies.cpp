// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "rehearsal/iam/access.h"
#include "rehearsal/iam/policy_engine.h"
#include "rehearsal/iam/policy_scanner.h"
#include "rehearsal/identity/identity_parts.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMaxStatements = 50;

ServiceError missingName(const char* thing, const std::string& name) {
  return {400, "InvalidParameter",
          fmt::format("The {} {} specified in the policy statement does not exist under current compartment "
                      "hierarchy.",
                      thing, name)};
}

std::optional<ServiceError> checkSubject(Transaction& transaction, const PolicySubject& subject,
                                         const std::string& tenancy) {
  const bool isGroup = subject.kind == PolicySubject::Kind::Group;
  if (!isGroup && subject.kind != PolicySubject::Kind::DynamicGroup) return std::nullopt;
  const char* kind = isGroup ? kind::kGroup : kind::kDynamicGroup;
  for (const PolicySubject::Name& name : subject.names) {
    const bool isKnown = name.isId ? findResource(transaction, kind, name.text).has_value()
                                   : (name.domain.empty() || sameWord(name.domain, "Default")) &&
                                         isNameTaken(transaction, {kind}, tenancy, name.text);
    if (!isKnown) return missingName(isGroup ? "group" : "dynamic_group", name.text);
  }
  return std::nullopt;
}

std::optional<ServiceError> checkLocation(const PolicyBook& book, const PolicyLocation& location,
                                          const std::string& attachedTo, const std::string& tenancy) {
  using Kind = PolicyLocation::Kind;
  const auto outside = [](const std::string& name) {
    return ServiceError{
        400, "InvalidParameter",
        fmt::format("Compartment {{{}}} does not exist or is not part of the policy compartment subtree",
                    name)};
  };
  if (location.kind == Kind::Tenancy) {
    if (attachedTo == tenancy) return std::nullopt;
    return outside("tenancy");
  }
  if (location.kind == Kind::CompartmentId) {
    const auto* place = book.placeOf(location.id);
    return place != nullptr && book.isWithin(*place, attachedTo) ? std::nullopt
                                                                 : std::optional(outside(location.id));
  }
  if (book.findPath(attachedTo, location.path) != nullptr) return std::nullopt;
  std::string path;
  for (const std::string& name : location.path) path += (path.empty() ? "" : ":") + name;
  return outside(path);
}

std::optional<ServiceError> checkStatements(Transaction& transaction,
                                            const std::vector<std::string>& statements,
                                            const std::string& attachedTo, const std::string& tenancy) {
  if (statements.empty()) return missingParameter("statements").value();
  if (statements.size() > kMaxStatements)
    return invalidParameter(fmt::format("A policy has at most {} statements.", kMaxStatements)).value();
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto statement = parsePolicyStatement(statements[i]);
    if (!statement)
      return invalidParameter(fmt::format("Policy statement {} is wrong {}", i + 1,
                                          describeMistake(statements[i], statement.error())))
          .value();
    if (auto error = checkSubject(transaction, statement->subject, tenancy)) return error;
    if (auto error = checkLocation(PolicyBook::of(transaction), statement->location, attachedTo, tenancy))
      return error;
  }
  return std::nullopt;
}

nlohmann::json readVersionDate(BodyReader& body) {
  const auto date = body.optionalText("versionDate", 10);
  if (!date || date->empty()) return nullptr;
  const bool isDate = date->size() == 10 && (*date)[4] == '-' && (*date)[7] == '-' &&
                      date->find_first_not_of("0123456789-") == std::string::npos;
  if (!isDate) body.invalid("versionDate", "must be a date like 2026-01-31");
  return *date;
}

OperationResult createPolicy(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const IdentityDetails details = readDetails(body);
  const auto statements = body.textList("statements");
  const nlohmann::json versionDate = readVersionDate(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  if (auto again = replayed(transaction, call, call.operation)) return *again;
  if (!mayIn(transaction, call, details.compartment)) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkStatements(transaction, statements, details.compartment, call.principal.tenancyId))
    return tl::unexpected(*error);
  if (isNameTaken(transaction, {kind::kPolicy}, details.compartment, details.name))
    return nameTaken("Policy", details.name);
  Resource policy = makeIdentityResource(kind::kPolicy, details, call.now);
  policy.body["statements"] = statements;
  policy.body["versionDate"] = versionDate;
  return answerCreated(transaction, call, policy);
}

OperationResult updatePolicy(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const bool hasStatements = body.has("statements");
  const auto statements = hasStatements ? body.textList("statements") : std::vector<std::string>();
  const nlohmann::json versionDate = readVersionDate(body);
  const nlohmann::json change = readIdentityChange(body);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  auto policy = findAllowed(transaction, call, kind::kPolicy, call.path.at("id"));
  if (!policy) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), policy->etag)) return tl::unexpected(*error);
  if (hasStatements)
    if (auto error = checkStatements(transaction, statements, policy->compartment, call.principal.tenancyId))
      return tl::unexpected(*error);
  if (hasStatements) policy->body["statements"] = statements;
  if (body.has("versionDate")) policy->body["versionDate"] = versionDate;
  policy->body.update(change);
  return answerUpdated(transaction, *policy);
}

OperationResult deletePolicy(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto policy = findAllowed(transaction, call, kind::kPolicy, call.path.at("id"));
  if (!policy) return notFound();
  if (auto error = checkHomeRegion(transaction, call)) return tl::unexpected(*error);
  if (auto error = checkIfMatch(call.header("if-match"), policy->etag)) return tl::unexpected(*error);
  if (policy->name == "Tenant Admin Policy")
    return refuse(409, "Conflict", "The Tenant Admin Policy can be neither changed nor deleted.");
  removeResource(transaction, policy->id);
  transaction.commit();
  return emptyResponse(204);
}

}  // namespace

void addPolicies(Router& router, Database& database) {
  const std::string path = "/20160918/policies";
  router.add("GET", path, "ListPolicies", [&](const Call& c) {
    return answerList(database, c, identityList(kind::kPolicy), [](const Resource& p) { return p.body; });
  });
  router.add("POST", path, "CreatePolicy", [&](const Call& c) { return createPolicy(database, c); });
  router.add("GET", path + "/{id}", "GetPolicy",
             [&](const Call& c) { return answerGet(database, c, kind::kPolicy, c.path.at("id")); });
  router.add("PUT", path + "/{id}", "UpdatePolicy", [&](const Call& c) { return updatePolicy(database, c); });
  router.add("DELETE", path + "/{id}", "DeletePolicy",
             [&](const Call& c) { return deletePolicy(database, c); });
}

}  // namespace lockstep::rehearsal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_creation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "oci/calls/typed_calls.h"
#include "oci/services/security_rule_json.h"
#include "reach/rule_change.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Services = std::shared_ptr<oci::ServiceClient>;

constexpr const char* kName = "lockstep";
constexpr const char* kVcnBlock = "10.0.0.0/16";
constexpr const char* kPath = "/20160918/";
constexpr int kNotFound = 404;
constexpr int kConflict = 409;
constexpr long long kMaxNodesOf24 = 253;

/// One thing of the network: what is deleted is the last of them first.
struct Kind {
  const char *key, *things, *create, *remove;
};
constexpr Kind kVcn{"vcnId", "vcns", "CreateVcn", "DeleteVcn"};
constexpr Kind kGateway{"gatewayId", "serviceGateways", "CreateServiceGateway", "DeleteServiceGateway"};
constexpr Kind kRoutes{"routeTableId", "routeTables", "CreateRouteTable", "DeleteRouteTable"};
constexpr Kind kList{"securityListId", "securityLists", "CreateSecurityList", "DeleteSecurityList"};
constexpr Kind kSubnet{"subnetId", "subnets", "CreateSubnet", "DeleteSubnet"};
constexpr const Kind* kKinds[] = {&kVcn, &kGateway, &kRoutes, &kList, &kSubnet};

struct NetworkPlan {
  std::string compartmentId, subnetBlock;
  PortSet asked;
};

RuleChange rulesOfPlan(const NetworkPlan& plan, const std::string& serviceLabel) {
  RuleChange rules = smallestOpening({}, plan.subnetBlock, plan.asked);
  for (oci::SecurityRule& rule : openStorage({}, serviceLabel).egress)
    rules.egress.push_back(std::move(rule));
  return rules;
}

std::string textOf(const NetworkPlan& plan) {
  oci::SecurityList list;
  list.displayName = kName;
  list = with(list, rulesOfPlan(plan, "all services in Oracle Services Network"));
  return fmt::format(
      "VCN '{0}' ({1})\nservice gateway '{0}' to all services in Oracle Services Network\n"
      "route table '{0}': all services through the service gateway\n{2}private subnet '{0}' ({3})\n",
      kName, kVcnBlock, listText(list), plan.subnetBlock);
}

Result<void> removeOne(const Services& services, const Kind& kind, const std::string& id,
                       const std::stop_token& stop) {
  const auto call = oci::callTo(oci::Service::Core, kind.remove, "DELETE",
                                kPath + std::string(kind.things) + "/" + percentEncode(id));
  const auto done = services->call(call, stop);
  if (done || (done.error().service && done.error().service->httpStatus == kNotFound)) return {};
  Error error = done.error();
  if (error.service && error.service->httpStatus == kConflict) error.code = ErrorCode::FailedPrecondition;
  return failure(std::move(error));
}

/// `ids` by Kind::key.
Result<void> removeAll(const Services& services, const json& ids, const std::stop_token& stop) {
  for (auto kind = std::rbegin(kKinds); kind != std::rend(kKinds); ++kind) {
    const std::string id = ids.value((*kind)->key, "");
    if (id.empty()) continue;
    if (const auto done = removeOne(services, **kind, id, stop); !done) return done;
  }
  return {};
}

class Creation {
 public:
  Creation(Services services, NetworkPlan plan, std::stop_token stop)
      : services_(std::move(services)), plan_(std::move(plan)), stop_(std::move(stop)) {}

  Result<std::vector<AppliedChange>> run() {
    auto done = create();
    if (!done) return failure(afterCleaning(done.error()));
    AppliedChange change;
    change.stepId = "network";
    change.kind = kNetworkCreated;
    change.title = fmt::format("created the VCN '{}' with the private subnet {}", kName, plan_.subnetBlock);
    change.undo = ids_;
    return std::vector{change};
  }

 private:
  Result<void> create() {
    if (auto done = findService(); !done) return done;
    if (auto done = add(kVcn, {{"cidrBlocks", {kVcnBlock}}, {"dnsLabel", kName}}); !done) return done;
    if (auto done = add(kGateway, {{"services", {{{"serviceId", serviceId_}}}}}); !done) return done;
    const ordered_json route{{"destination", serviceLabel_},
                             {"destinationType", "SERVICE_CIDR_BLOCK"},
                             {"networkEntityId", ids_.value(kGateway.key, "")}};
    if (auto done = add(kRoutes, {{"routeRules", ordered_json::array({route})}}); !done) return done;
    if (auto done = add(kList, rulesJson()); !done) return done;
    return add(kSubnet, {{"cidrBlock", plan_.subnetBlock},
                         {"dnsLabel", kName},
                         {"prohibitPublicIpOnVnic", true},
                         {"routeTableId", ids_.value(kRoutes.key, "")},
                         {"securityListIds", {ids_.value(kList.key, "")}}});
  }

  /// The service that stands for all of Oracle's in this region.
  Result<void> findService() {
    const auto call = oci::callTo(oci::Service::Core, "ListServices", "GET", "/20160918/services");
    const auto answer = services_->call(call, stop_);
    if (!answer) return failure(answer.error());
    const json all = json::parse(answer->body, nullptr, false);
    for (const json& one : all.is_array() ? all : json::array()) {
      if (!one.is_object() || !one.value("cidrBlock", "").starts_with("all-")) continue;
      serviceId_ = one.value("id", "");
      serviceLabel_ = one.value("cidrBlock", "");
    }
    if (!serviceId_.empty()) return {};
    return failure(ErrorCode::NotFound, "this region has no service gateway to all of Oracle's services",
                   "ListServices names none that begins with 'all-'", "create the network by hand");
  }

  ordered_json rulesJson() const {
    const RuleChange rules = rulesOfPlan(plan_, serviceLabel_);
    ordered_json arrays{{"ingressSecurityRules", ordered_json::array()},
                        {"egressSecurityRules", ordered_json::array()}};
    for (const auto& rule : rules.ingress) arrays["ingressSecurityRules"].push_back(oci::listRuleJson(rule));
    for (const auto& rule : rules.egress) arrays["egressSecurityRules"].push_back(oci::listRuleJson(rule));
    return arrays;
  }

  Result<void> add(const Kind& kind, ordered_json body) {
    body["compartmentId"] = plan_.compartmentId;
    body["displayName"] = kName;
    if (&kind != &kVcn) body["vcnId"] = ids_.value(kVcn.key, "");
    oci::ServiceCall call = oci::postTo(oci::Service::Core, kind.create, kPath + std::string(kind.things),
                                        body, oci::newRetryToken());
    call.afterCreate = &kind != &kVcn;  // it names what was created a moment ago
    const auto answer = services_->call(call, stop_);
    if (!answer) return failure(answer.error());
    std::string id;
    const auto read =
        oci::readAnswer(call, *answer, [&](oci::AnswerFields& fields) { id = fields.text("id"); });
    if (!read) return failure(read.error());
    ids_[kind.key] = id;
    return {};
  }

  Error afterCleaning(Error error) {
    if (ids_.empty()) return error;
    // Also when the user has stopped it: nothing is to be left behind.
    const auto cleaned = removeAll(services_, ids_, {});
    error.cause += error.cause.empty() ? "" : "; ";
    error.cause += cleaned ? "what had been created was removed again"
                           : fmt::format("and some of what had been created is still there: {}", ids_.dump());
    return error;
  }

  Services services_;
  const NetworkPlan plan_;
  const std::stop_token stop_;
  std::string serviceId_, serviceLabel_;
  json ids_ = json::object();
};

}  // namespace

ProposedFix networkCreation(const Services& services, const oci::Compartment& compartment,
                            const NetworkNeeds& needs) {
  NetworkPlan plan{compartment.id, needs.nodes > kMaxNodesOf24 ? "10.0.0.0/20" : "10.0.0.0/24", {}};
  for (const PortRow& row : needs.rows)
    if (row.isSure) plan.asked = plan.asked | row.ports;
  ProposedFix fix{"create-network",
                  fmt::format("create the VCN '{}' with a private subnet {}", kName, plan.subnetBlock),
                  false,
                  {},
                  textOf(plan),
                  {"ListServices GET /20160918/services"},
                  {}};
  for (const Kind* kind : kKinds)
    fix.calls.push_back(fmt::format("{} POST {}{}", kind->create, kPath, kind->things));
  fix.apply = [services, plan](const std::stop_token& stop) { return Creation(services, plan, stop).run(); };
  return madeIn(compartment, std::move(fix));
}

Result<void> deleteNetwork(const Services& services, const AppliedChange& change,
                           const std::stop_token& stop) {
  return removeAll(services, change.undo, stop);
}

}  // namespace lockstep

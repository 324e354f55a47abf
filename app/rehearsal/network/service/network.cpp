// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/service/network.h"

#include <fmt/format.h>

#include <charconv>

#include "rehearsal/network/service/effective_rules.h"
#include "rehearsal/network/service/network_resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

json serviceOf(const CloudService& service) {
  return {{"id", service.id},
          {"name", service.name},
          {"cidrBlock", service.label},
          {"description", service.description}};
}

OperationResult getService(const Call& call) {
  for (const CloudService& service : cloudServices())
    if (call.path.at("id") == service.id) return jsonResponse(serviceOf(service), "1");
  return notFound();
}

tl::expected<int, ServiceError> portOf(const Call& call, const std::string& name, int fallback) {
  const auto text = call.parameter(name);
  if (!text) return fallback;
  int port = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), port);
  if (error != std::errc{} || end != text->data() + text->size() || port < 1 || port > 65535)
    return invalidParameter("The parameter '" + name + "' must be a port from 1 to 65535.");
  return port;
}

tl::expected<ReachQuestion, ServiceError> readQuestion(const Call& call, const Cidr& block) {
  ReachQuestion question{block, block, kTcp, {}, {}};
  question.sourcePorts = ReachQuestion{}.sourcePorts;
  const std::string protocol = call.parameter("protocol").value_or("tcp");
  if (protocol != "tcp" && protocol != "udp")
    return invalidParameter("The parameter 'protocol' must be tcp or udp.");
  question.protocol = protocol == "tcp" ? kTcp : kUdp;
  const auto min = portOf(call, "port", 1);
  const auto max = portOf(call, "toPort", call.parameter("port") && min ? *min : 65535);
  if (!min || !max) return tl::unexpected((min ? max : min).error());
  question.ports = {*min, *max};
  for (auto [name, cidr] : {std::pair{"from", &question.from}, std::pair{"to", &question.to}}) {
    const auto text = call.parameter(name);
    if (!text) continue;
    const auto parsed = parseCidr(*text);
    if (!parsed) return invalidParameter(fmt::format("The parameter '{}' must be a CIDR block.", name));
    *cidr = *parsed;
  }
  return question;
}

// ?subnetId= & port= [toPort=] [protocol=tcp|udp] [from=CIDR] [to=CIDR]: may nodes of the subnet talk?
OperationResult answerReach(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto subnet = findResource(transaction, kind::kSubnet, call.parameter("subnetId").value_or(""));
  const auto block = subnet ? parseCidr(subnet->body.value("cidrBlock", "")) : std::nullopt;
  if (!block) return notFound();
  const auto question = readQuestion(call, *block);
  if (!question) return tl::unexpected(question.error());
  const auto rules = rulesOfSubnet(transaction, *subnet, {});
  const Reach reach = findReach(rules, rules, *question);
  return jsonResponse(
      {{"open", reach.open},
       {"because", reach.because},
       {"services", routesLeadToServices(transaction, *subnet) && rulesAllowServices(rules, *block)}});
}

OperationResult answerState(Database& database, const VcnNetwork& network) {
  Transaction transaction(database);
  json leases = json::array();
  for (const AddressLease& lease : allLeases(transaction))
    leases.push_back({{"runId", lease.run},
                      {"node", lease.node},
                      {"subnetId", lease.subnet},
                      {"vnicId", lease.vnic},
                      {"address", ipv4Text(lease.address)}});
  return jsonResponse({{"enforced", network.unenforcedBecause().empty()},
                       {"because", network.unenforcedBecause()},
                       {"seats", leases}});
}

}  // namespace

void addNetwork(Router& router, Database& database, VcnNetwork& network) {
  for (const ResourceKind& kind :
       {vcnKind(), subnetKind(), securityListKind(), routeTableKind(), internetGatewayKind(),
        natGatewayKind(), serviceGatewayKind(), dhcpOptionsKind(), securityGroupKind()})
    addResourceKind(router, database, network, kind);
  addSecurityGroupRules(router, database, network);
  addVnics(router, database, network);
  router.add("GET", "/20160918/services", "ListServices", [](const Call&) {
    json list = json::array();
    for (const CloudService& service : cloudServices()) list.push_back(serviceOf(service));
    return jsonResponse(list);
  });
  router.add("GET", "/20160918/services/{id}", "GetService", getService);
}

void addNetworkAdmin(Router& admin, Database& database, VcnNetwork& network) {
  admin.add("GET", "/rehearsal/network", "ShowNetwork",
            [&](const Call&) { return answerState(database, network); });
  admin.add("GET", "/rehearsal/network/reachable", "FindReach",
            [&](const Call& c) { return answerReach(database, c); });
}

}  // namespace lockstep::rehearsal

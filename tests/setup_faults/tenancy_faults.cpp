// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of the network and of the policies.
#include <algorithm>

#include "tests/setup_faults/setup_fault.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Act = std::function<void(SetupWorld&)>;

constexpr const char* kSubnet = "spec.infrastructure.spec.subnetId";
constexpr const char* kBlock = "10.0.0.0/24";

json tcpFrom(const std::string& source) {
  return {{"protocol", "6"}, {"source", source}, {"sourceType", "CIDR_BLOCK"}};
}
json allTo(const std::string& destination) {
  return {{"protocol", "all"}, {"destination", destination}, {"destinationType", "CIDR_BLOCK"}};
}

json subnet(const SetupWorld& world) {
  return world.get("/20160918/subnets/" + world.place("subnetId"));
}

void setRules(const SetupWorld& world, const json& ingress, const json& egress) {
  const std::string list = subnet(world).at("securityListIds").at(0);
  world.send("PUT", "/20160918/securityLists/" + list,
             {{"ingressSecurityRules", ingress}, {"egressSecurityRules", egress}});
}

Act rules(const json& ingress, const json& egress) {
  return [ingress, egress](SetupWorld& world) { setRules(world, ingress, egress); };
}

json stateless(json rule) {
  rule["isStateless"] = true;
  return rule;
}

// The rules stand in a network security group, where job runs cannot be.
void onlyInAGroup(SetupWorld& world) {
  setRules(world, json::array(), json::array({allTo("0.0.0.0/0")}));
  const json own = subnet(world);
  const json group = world.post("/20160918/networkSecurityGroups",
                                {{"compartmentId", own.at("compartmentId")}, {"vcnId", own.at("vcnId")}});
  json rule = tcpFrom(kBlock);
  rule["direction"] = "INGRESS";
  world.post(
      "/20160918/networkSecurityGroups/" + group.at("id").get<std::string>() + "/actions/addSecurityRules",
      {{"securityRules", json::array({rule})}});
}

std::string makeSubnet(const SetupWorld& world, const std::string& block, bool isPrivate) {
  const json own = subnet(world);
  return world
      .post("/20160918/subnets", {{"compartmentId", own.at("compartmentId")},
                                  {"vcnId", own.at("vcnId")},
                                  {"cidrBlock", block},
                                  {"displayName", "another"},
                                  {"routeTableId", own.at("routeTableId")},
                                  {"securityListIds", own.at("securityListIds")},
                                  {"prohibitPublicIpOnVnic", isPrivate}})
      .at("id");
}

void noRoute(SetupWorld& world) {
  world.send("PUT", "/20160918/routeTables/" + subnet(world).at("routeTableId").get<std::string>(),
             {{"routeRules", json::array()}});
}

Act subnetId(const std::string& id) {
  return [id](SetupWorld& world) { world.setField(kSubnet, id); };
}
void backToSubnet(SetupWorld& world) {
  world.choices.subnetId.clear();
  world.setField(kSubnet, world.place("subnetId"));
}

void nothing(SetupWorld&) {}  // the step itself has found what would do

void twoSubnets(SetupWorld& world) {
  makeSubnet(world, "10.0.1.0/24", true);
  world.setField(kSubnet, "");
}

void smallSubnet(SetupWorld& world) {
  world.setField(kSubnet, makeSubnet(world, "10.0.2.0/30", true));
}

void publicSubnet(SetupWorld& world) {
  world.setField(kSubnet, makeSubnet(world, "10.0.3.0/24", false));
}

// ---- policies

std::string policyId(const SetupWorld& world, const std::string& name) {
  for (const json& one : world.get("/20160918/policies?compartmentId=" + world.tenancy()))
    if (one.at("name") == name) return one.at("id");
  throw std::runtime_error("there is no policy " + name);
}

// Every statement of the policy through `change`; an empty one goes.
void rewrite(const SetupWorld& world, const std::string& name,
             const std::function<std::string(std::string)>& change) {
  const std::string path = "/20160918/policies/" + policyId(world, name);
  json statements = json::array();
  const json policy = world.get(path);
  for (const json& one : policy.at("statements"))
    if (const std::string text = change(one.get<std::string>()); !text.empty()) statements.push_back(text);
  world.send("PUT", path, {{"statements", statements}});
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

Act rewritten(const char* policy, const char* what, const char* with) {
  return [=](SetupWorld& world) {
    rewrite(world, policy, [&](const std::string& text) { return replaced(text, what, with); });
  };
}

Act without(const char* policy, const char* what) {
  return [=](SetupWorld& world) {
    rewrite(world, policy, [&](const std::string& text) {
      return text.find(what) == std::string::npos ? text : std::string();
    });
  };
}

json dynamicGroup(const SetupWorld& world) {
  return world.get("/20160918/dynamicGroups?compartmentId=" + world.tenancy()).at(0);
}

void otherRule(SetupWorld& world) {
  world.send("PUT", "/20160918/dynamicGroups/" + dynamicGroup(world).at("id").get<std::string>(),
             {{"matchingRule", "all {resource.type='datasciencejobrun', resource.compartment.id='" +
                                   world.tenancy() + "'}"}});
}

void noDynamicGroup(SetupWorld& world) {
  world.send("DELETE", "/20160918/dynamicGroups/" + dynamicGroup(world).at("id").get<std::string>());
}

// A grant to people is no near miss for job runs: it is likely theirs.
void toOtherRuns(SetupWorld& world) {
  world.post("/20160918/dynamicGroups",
             {{"compartmentId", world.tenancy()},
              {"name", "notebooks"},
              {"description", "notebooks"},
              {"matchingRule", "all {resource.type='datasciencenotebooksession'}"}});
  rewritten("lockstep-job-runs", "dynamic-group lockstep-job-runs to manage objects",
            "dynamic-group notebooks to manage objects")(world);
}

Act allowing(const std::string& statement) {
  return [statement](SetupWorld& world) { world.allow("of-a-test", {statement}); };
}

void withoutTheirPolicy(SetupWorld& world) {
  world.send("DELETE", "/20160918/policies/" + policyId(world, "of-a-test"));
}

}  // namespace

void addNetworkFaults(std::vector<SetupFault>& all) {
  const json everywhere = json::array({allTo("0.0.0.0/0")}), within = json::array({tcpFrom(kBlock)});
  all.insert(
      all.end(),
      {fault("ports closed", "security list without ingress rules", "network", "port-closed", "open-ports",
             rules(json::array(), everywhere)),
       fault("rule for another block", "ingress from 192.168.0.0/16", "network", "wrong-cidr", "open-ports",
             rules(json::array({tcpFrom("192.168.0.0/16")}), everywhere)),
       fault("nothing may leave", "security list without egress rules", "network", "egress-closed",
             "open-ports", rules(within, json::array())),
       fault("Object Storage cut off", "egress within the subnet only", "network", "storage-egress-closed",
             "open-storage", rules(within, json::array({allTo(kBlock)}))),
       fault(
           "stateless rule without its return", "stateless ingress, no answer out", "network",
           "stateless-without-return", "open-ports",
           rules(json::array({stateless(tcpFrom(kBlock))}),
                 json::array({{{"protocol", "6"},
                               {"destination", "0.0.0.0/0"},
                               {"destinationType", "CIDR_BLOCK"},
                               {"isStateless", true},
                               {"tcpOptions", {{"destinationPortRange", {{"min", 443}, {"max", 443}}}}}}}))),
       fault("ports open in a group only", "NSG with the rule, list without", "network", "nsg-only",
             "open-ports", onlyInAGroup),
       fault("public subnet", "prohibitPublicIpOnVnic false", "network", "public-subnet", "", publicSubnet,
             backToSubnet),
       fault("subnet too small", "a /30 for three nodes", "network", "subnet-too-small", "", smallSubnet,
             backToSubnet),
       fault("subnet deleted", "subnetId of nothing", "network", "subnet-gone", "",
             subnetId("ocid1.subnet.oc1.rehearsal.aaaaaaaagone"), nothing),
       fault("subnet of another region", "subnetId with phx in it", "network", "subnet-in-other-region", "",
             subnetId("ocid1.subnet.oc1.phx.aaaaaaaasubnet"), backToSubnet),
       fault("several subnets, none named", "two subnets, subnetId empty", "network", "subnet-not-chosen", "",
             twoSubnets, backToSubnet),
       fault("no way to Object Storage", "route table emptied", "network", "no-route-to-storage", "",
             noRoute)});
}

void addPolicyFaults(std::vector<SetupFault>& all) {
  const std::size_t first = all.size();
  constexpr const char* kJobs = "lockstep-job-runs";
  all.insert(all.end(),
             {fault("statement missing", "objects not granted to the job runs", "policies",
                    "missing-statement", "grant-missing", without(kJobs, "manage objects")),
              fault("verb too weak", "read objects instead of manage", "policies", "missing-verb",
                    "grant-missing", rewritten(kJobs, "manage objects", "read objects")),
              fault("statement in the wrong compartment",
                    "virtual-network-family in a compartment that is not there", "policies",
                    "wrong-compartment", "grant-missing",
                    [](SetupWorld& world) {
                      world.post("/20160918/compartments", {{"compartmentId", world.tenancy()},
                                                            {"name", "elsewhere"},
                                                            {"description", "elsewhere"}});
                      rewritten(kJobs, "manage objects in compartment lockstep",
                                "manage objects in compartment elsewhere")(world);
                    }),
              fault("grant to another subject", "objects granted to another dynamic group", "policies",
                    "wrong-subject", "grant-missing", toOtherRuns),
              fault("grant for another bucket", "where target.bucket.name='other'", "policies",
                    "where-clause", "grant-missing",
                    rewritten(kJobs, "target.bucket.name='lockstep'", "target.bucket.name='other'")),
              fault("no dynamic group", "DeleteDynamicGroup", "policies", "dynamic-group-missing",
                    "grant-missing", noDynamicGroup),
              fault("dynamic group of another compartment", "matching rule with another OCID", "policies",
                    "dynamic-group-rule", "grant-missing", otherRule),
              fault("everything granted to any-user", "manage all-resources for the dynamic group",
                    "policies", "too-broad", "",
                    allowing("Allow dynamic-group lockstep-job-runs to manage all-resources in tenancy"),
                    withoutTheirPolicy),
              fault("policies not readable", "user who may see compartments only", "policies", "not-readable",
                    "", [](SetupWorld& world) {
                      world.admin("POST", "/rehearsal/users", {{"name", "first"}, {"groups", {"Readers"}}});
                      world.allow("of-readers", {"Allow group Readers to inspect compartments in tenancy"});
                      world.becomeUser("jane", {"Readers"});
                    })});
  // Who trains is of the guides' group, and may look at the policies besides.
  for (std::size_t i = first; i < all.size(); ++i) {
    all[i].seed = [seed = all[i].seed](SetupWorld& world) {
      world.becomeUser("trainer", {"Administrators", "lockstep-trainers"});
      world.choices.group = "lockstep-trainers";
      seed(world);
    };
  }
}

}  // namespace lockstep::testing

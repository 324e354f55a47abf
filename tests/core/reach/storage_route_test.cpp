// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/storage_route.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using State = StorageRoute::State;

const char* const kAll = "all-iad-services-in-oracle-services-network";

oci::Gateway gateway(oci::Gateway::Kind kind, const std::string& id, bool isOpen = true) {
  oci::Gateway made;
  made.kind = kind;
  made.id = id;
  made.displayName = id;
  made.isOpen = isOpen;
  return made;
}

struct RouteCase {
  const char* name;
  std::vector<oci::RouteRule> routes;
  State state;
  const char* label;
  const char* says;
};

TEST(StorageRoute, EveryWayOutAndNone) {
  const std::vector<oci::Gateway> gateways{
      gateway(oci::Gateway::Kind::Service, "sgw"), gateway(oci::Gateway::Kind::Service, "sgw-off", false),
      gateway(oci::Gateway::Kind::Nat, "nat"), gateway(oci::Gateway::Kind::Nat, "nat-off", false),
      gateway(oci::Gateway::Kind::Internet, "igw")};
  const auto service = [](const char* label, const char* to) {
    return oci::RouteRule{label, "SERVICE_CIDR_BLOCK", to};
  };
  const auto block = [](const char* cidr, const char* to) { return oci::RouteRule{cidr, "CIDR_BLOCK", to}; };
  const RouteCase cases[] = {
      {"none", {}, State::Closed, "", "no route to Object Storage"},
      {"service gateway", {service(kAll, "sgw")}, State::Open, kAll, "service gateway 'sgw'"},
      {"its label", {service("oci-iad-objectstorage", "sgw")}, State::Open, "oci-iad-objectstorage", "sgw"},
      {"another service", {service("oci-iad-other", "sgw")}, State::Closed, "", "no route"},
      {"turned off", {service(kAll, "sgw-off")}, State::Closed, kAll, "turned off"},
      {"the narrower goes first",
       {block("0.0.0.0/0", "nat"), service(kAll, "sgw-off")},
       State::Closed,
       kAll,
       "turned off"},
      {"NAT", {block("0.0.0.0/0", "nat")}, State::Open, "", "NAT gateway 'nat'"},
      {"NAT off", {block("0.0.0.0/0", "nat-off")}, State::Closed, "", "turned off"},
      {"internet", {block("0.0.0.0/0", "igw")}, State::Closed, "", "public address"},
      {"elsewhere", {block("10.1.0.0/16", "nat")}, State::Closed, "", "no route"},
      {"unknown", {block("0.0.0.0/0", "ocid1.drg.x")}, State::Unknown, "", "ocid1.drg.x"},
  };
  for (const RouteCase& row : cases) {
    oci::RouteTable table;
    table.displayName = "table";
    table.routeRules = row.routes;
    const StorageRoute route = storageRouteOf(table, gateways);
    EXPECT_EQ(route.state, row.state) << row.name << ": " << route.text;
    EXPECT_EQ(route.serviceLabel, row.label) << row.name;
    EXPECT_NE(route.text.find(row.says), std::string::npos) << row.name << ": " << route.text;
  }
}

}  // namespace
}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/services.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {

void addNetwork(Router& router, Database& database) {
  const auto whole = [](const Resource& resource) { return resource.body; };
  router.add("GET", "/20160918/vcns", "ListVcns", [&database, whole](const Call& c) {
    return answerList(database, c,
                      ListStyle{kind::kVcn, 1000, "TIMECREATED", "DISPLAYNAME", "displayName", ""}, whole);
  });
  router.add("GET", "/20160918/vcns/{id}", "GetVcn",
             [&](const Call& c) { return answerGet(database, c, kind::kVcn, c.path.at("id")); });
  router.add("GET", "/20160918/subnets", "ListSubnets", [&database, whole](const Call& c) {
    return answerList(database, c,
                      ListStyle{kind::kSubnet, 1000, "TIMECREATED", "DISPLAYNAME", "displayName", "vcnId"},
                      whole);
  });
  router.add("GET", "/20160918/subnets/{id}", "GetSubnet",
             [&](const Call& c) { return answerGet(database, c, kind::kSubnet, c.path.at("id")); });
}

}  // namespace lockstep::rehearsal

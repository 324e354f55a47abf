// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "oci/calls/answer_fields.h"
#include "oci/services/network_types.h"

namespace lockstep::oci {

// Rules on the wire (oci-rest-contract 4.2). A security list names the peer by the array that the rule stands
// in, a network security group by `direction`.

[[nodiscard]] SecurityRule readSecurityRule(AnswerFields& fields, SecurityRule::Direction direction);
[[nodiscard]] nlohmann::ordered_json listRuleJson(const SecurityRule& rule);
[[nodiscard]] nlohmann::ordered_json groupRuleJson(const SecurityRule& rule);

}  // namespace lockstep::oci

// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/network/network_fixes.h"

#include <fmt/format.h>

#include <algorithm>

#include "oci/services/security_rule_json.h"

namespace lockstep {
namespace {

using nlohmann::json;
using Services = std::shared_ptr<oci::ServiceClient>;

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// The names of other subnets for which a list holds, too.
std::string sharers(const NetworkView& view, const oci::SecurityList& list) {
  std::string names;
  for (const oci::Subnet& other : view.others)
    if (has(other.securityListIds, list.id)) names += (names.empty() ? "'" : ", '") + other.displayName + "'";
  return names;
}

/// The list that rules are best added to.
const oci::SecurityList& bestList(const NetworkView& view) {
  const auto own = std::find_if(view.lists.begin(), view.lists.end(),
                                [&](const oci::SecurityList& list) { return sharers(view, list).empty(); });
  return own == view.lists.end() ? view.lists.front() : *own;
}

json rulesJson(const std::vector<oci::SecurityRule>& rules) {
  json all = json::array();
  for (const oci::SecurityRule& rule : rules) all.push_back(json::parse(oci::listRuleJson(rule).dump()));
  return all;
}

std::vector<oci::SecurityRule> rulesIn(const json& undo, const char* key, RuleDirection direction) {
  std::vector<oci::SecurityRule> rules;
  std::string flaw;
  for (const json& one : undo.value(key, json::array())) {
    oci::AnswerFields fields(one, key, flaw);
    rules.push_back(oci::readSecurityRule(fields, direction));
  }
  return rules;
}

bool isChangedMeanwhile(const Error& error) {
  return error.service && error.service->httpStatus == 412;
}

AppliedChange appliedChange(const oci::SecurityList& list, const RuleChange& change,
                            const std::string& what) {
  AppliedChange applied;
  applied.stepId = "network";
  applied.kind = kRulesAdded;
  applied.title = fmt::format("{} in the security list '{}' ({} rule{})", what, list.displayName,
                              change.size(), change.size() == 1 ? "" : "s");
  applied.undo = {{"securityListId", list.id},
                  {"name", list.displayName},
                  {"ingress", rulesJson(change.ingress)},
                  {"egress", rulesJson(change.egress)}};
  return applied;
}

/// Adds the rules to the list as it was when they were shown.
Result<void> addRules(const Services& services, const oci::SecurityList& list, const RuleChange& change,
                      const std::stop_token& stop) {
  oci::NetworkClient network(services);
  const auto done = network.updateSecurityList(with(list, change), stop);
  if (done) return {};
  if (!isChangedMeanwhile(done.error())) return failure(done.error());
  // Either somebody was faster, or the first answer was lost and the repeated request met our own change.
  const auto now = network.getSecurityList(list.id, stop);
  if (now && hasAll(*now, change)) return {};
  Error error = done.error();
  error.what = fmt::format("the security list '{}' was not changed", list.displayName);
  error.cause = "somebody has changed it since it was shown";
  error.remedy = "check again, look at the difference and apply it then";
  return failure(std::move(error));
}

class FixMaker {
 public:
  FixMaker(Services services, const NetworkView& view)
      : services_(std::move(services)), view_(view), list_(bestList(view)) {}

  void add(const std::string& id, const std::string& action, const std::string& done,
           const RuleChange& change, bool isUnsafe) {
    if (change.empty()) return;
    ProposedFix fix{id, action, isUnsafe, listText(list_), listText(with(list_, change)), {}, {}};
    if (const std::string names = sharers(view_, list_); !names.empty()) {
      fix.isUnsafe = true;
      fix.title += fmt::format("; the security list '{}' holds for {} as well, whose nodes are opened too",
                               list_.displayName, names);
    }
    fix.calls = {
        fmt::format("UpdateSecurityList PUT /20160918/securityLists/{}, if-match {}", list_.id, list_.etag)};
    fix.apply = [services = services_, list = list_, change,
                 done](const std::stop_token& stop) -> Result<std::vector<AppliedChange>> {
      if (const auto added = addRules(services, list, change, stop); !added) return failure(added.error());
      return std::vector{appliedChange(list, change, done)};
    };
    fixes_.push_back(std::move(fix));
  }

  std::vector<ProposedFix> take() { return std::move(fixes_); }

 private:
  Services services_;
  const NetworkView& view_;
  const oci::SecurityList& list_;
  std::vector<ProposedFix> fixes_;
};

/// "all TCP", "TCP 29400", "answers of TCP 29400": what the rules open.
std::string openedText(const RuleChange& change) {
  PortSet ports, answers;
  for (const auto* rules : {&change.ingress, &change.egress})
    for (const oci::SecurityRule& rule : *rules) {
      if (rule.sourcePorts)
        answers = answers | portsOf(rule.sourcePorts);
      else
        ports = ports | portsOf(rule.destinationPorts);
    }
  const PortSet& shown = ports.empty() ? answers : ports;
  const std::string text = shown.toString() == "all" ? "all TCP" : "TCP " + shown.toString();
  return ports.empty() ? "answers of " + text : text;
}

}  // namespace

std::vector<ProposedFix> networkFixes(const Services& services, const NetworkView& view,
                                      const NetworkNeeds& needs, const NetworkAccess& access) {
  if (view.lists.empty()) return {};
  FixMaker fixes(services, view);
  const PortSet closed = access.closed();
  const RuleChange opening = smallestOpening(access.rules, view.subnet.cidrBlock, needs.asked());
  const std::string what = fmt::format("{} within {}", openedText(opening), view.subnet.cidrBlock);
  // Without a train.yaml nobody knows which ports are wanted, so none are opened.
  const bool isAsked =
      std::all_of(needs.rows.begin(), needs.rows.end(), [](auto& row) { return row.isSure; });
  if (isAsked) fixes.add("open-ports", "open " + what, "opened " + what, opening, false);
  const StorageAccess& storage = access.storage;
  if (!storage.route.serviceLabel.empty())
    fixes.add("open-storage",
              "let the nodes reach Object Storage (TCP 443 to " + storage.route.serviceLabel + ")",
              "opened TCP 443 to " + storage.route.serviceLabel,
              openStorage(access.rules, storage.route.serviceLabel), false);
  if (!closed.empty())
    fixes.add(
        "open-everything",
        "open all TCP ports, in and out, to everybody: for a proof of concept only, take it back after it",
        "opened all TCP ports to everybody", openEverything(access.rules), true);
  return fixes.take();
}

Result<void> takeRulesBack(const Services& services, const AppliedChange& change,
                           const std::stop_token& stop) {
  const std::string id = change.undo.value("securityListId", "");
  const RuleChange added{rulesIn(change.undo, "ingress", RuleDirection::Ingress),
                         rulesIn(change.undo, "egress", RuleDirection::Egress)};
  if (id.empty() || added.empty())
    return failure(ErrorCode::InvalidArgument, "cannot take back '" + change.title + "'",
                   "the journal does not say which rules were added to which list");
  std::string altered;
  const auto remove = [&](oci::SecurityList& list) {
    const auto* rule = findAltered(list, added);
    altered = rule == nullptr ? "" : ruleText(*rule);
    if (!altered.empty()) return false;
    const RuleChange gone = removeChange(list, added);
    return gone.size() < added.size();
  };
  const auto done = oci::NetworkClient(services).changeSecurityList(id, remove, stop);
  if (!done) return failure(done.error());
  if (altered.empty()) return {};
  return failure(ErrorCode::FailedPrecondition,
                 fmt::format("the rules in the security list '{}' were not taken back", done->displayName),
                 fmt::format("somebody has altered one of them; it says now: {}", altered),
                 "remove it by hand when it is not needed any more");
}

}  // namespace lockstep

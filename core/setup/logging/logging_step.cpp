// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/logging/logging_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/services/logging_client.h"
#include "setup/logging/logging_fixes.h"
#include "setup/step/findings.h"
#include "setup/step/setup_facts.h"

namespace lockstep {
namespace {

constexpr const char* kName = "lockstep";  // of a group and a log that nobody has named

class LoggingStep final : public SetupStep {
 public:
  explicit LoggingStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "logging"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

/// The ids that are meant: the choice's, else the train.yaml's.
struct LogIds {
  std::string group, log;
};

LogIds idsOf(const SetupContext& context) {
  const SetupChoices& choices = context.choices();
  LogIds ids{choices.logGroupId, choices.logId};
  if (!context.spec()) return ids;
  const Infrastructure& own = context.spec()->infrastructure;
  const auto said = [](const std::optional<std::string>& text) {
    return text && !isPlaceholder(*text) ? *text : std::string();
  };
  if (ids.group.empty()) ids.group = said(own.logGroupId);
  if (ids.log.empty()) ids.log = said(own.logId);
  return ids;
}

/// One check of one pair of ids. Collects findings, fixes and facts.
class LoggingCheck {
 public:
  LoggingCheck(const SetupContext& context, std::shared_ptr<oci::ServiceClient> services,
               const std::stop_token& stop)
      : context_(context), services_(std::move(services)), logging_(services_), stop_(stop) {}

  StepReport check(LogIds ids);

 private:
  using Logs = std::vector<oci::ServiceLog>;
  using Groups = std::vector<oci::LogGroup>;

  bool checkIds(LogIds& ids);
  void checkGroup(const std::string& groupId, const std::string& logId);
  void checkLog(const oci::LogGroup& group, const std::string& logId);
  void evaluateLog(const oci::LogGroup& group, const oci::ServiceLog& log);
  void pickGroup();
  void pickLog(const oci::LogGroup& group);
  void missingLog(const oci::LogGroup& group, const std::string& logId, const Error& why);
  void offerAnother(const oci::LogGroup& group);
  void missingGroup(const std::string& groupId, const Error& refusal);
  void propose(const oci::LogGroup& group, const Logs& logs);
  void proposeGroup(const oci::Compartment& compartment, const Groups& groups);
  void offer(const oci::LogGroup& group, const oci::ServiceLog& log);
  Result<Groups> groupsIn(const oci::Compartment& compartment);
  void add(StepState state, std::string code, std::string text, std::string evidence, std::string remedy) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)});
  }

  const SetupContext& context_;
  const std::shared_ptr<oci::ServiceClient> services_;
  oci::LoggingClient logging_;
  const std::stop_token stop_;
  std::vector<Finding> findings_;
  std::vector<ProposedFix> fixes_;
  std::map<std::string, std::string> facts_, names_;
};

std::string evidenceFor(const Error& refusal) {
  return refusal.service ? describe(*refusal.service) : refusal.cause;
}

bool isUsable(const oci::ServiceLog& log) {
  return log.logType == "CUSTOM" && log.isEnabled &&
         (log.lifecycleState.empty() || log.lifecycleState == "ACTIVE");
}

// "lockstep", or the first of "lockstep-2", … that is free.
template <class Named>
std::string freeName(const std::vector<Named>& taken) {
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? kName : fmt::format("{}-{}", kName, number);
    if (std::none_of(taken.begin(), taken.end(), [&](const Named& one) { return one.displayName == name; }))
      return name;
  }
}

// Two OCIDs side by side in a form: one lands in the other's field soon enough.
bool LoggingCheck::checkIds(LogIds& ids) {
  if (ids.group.starts_with("ocid1.log.") && ids.log.starts_with("ocid1.loggroup.")) {
    add(StepState::Blocked, "log-ids-swapped", "logGroupId and logId are swapped",
        fmt::format("logGroupId {}, logId {}", ids.group, ids.log), "put each into the other's place");
    facts_ = {{"infrastructure.logGroupId", ids.log}, {"infrastructure.logId", ids.group}};
    return false;
  }
  const auto check = [&](const char* field, const std::string& id, const char* start) {
    if (id.empty() || id.starts_with(start)) return true;
    add(StepState::Blocked, "log-ocid", fmt::format("{} is '{}'", field, id), {},
        fmt::format("an OCID that begins with {} belongs there", start));
    return false;
  };
  const bool isGroupFine = check("logGroupId", ids.group, "ocid1.loggroup.");
  return check("logId", ids.log, "ocid1.log.") && isGroupFine;
}

Result<LoggingCheck::Groups> LoggingCheck::groupsIn(const oci::Compartment& compartment) {
  if (isToBeMade(compartment)) return Groups{};
  return logging_.listLogGroups(compartment.id, stop_);
}

void LoggingCheck::offer(const oci::LogGroup& group, const oci::ServiceLog& log) {
  facts_["infrastructure.logGroupId"] = group.id;
  facts_["infrastructure.logId"] = log.id;
  names_[group.id] = group.displayName;
  names_[log.id] = log.displayName;
}

void LoggingCheck::propose(const oci::LogGroup& group, const Logs& logs) {
  LogToCreate place;
  place.compartment.id = group.compartmentId;
  place.compartment.name = group.compartmentId;
  if (const auto own = context_.compartment(stop_); own && own->id == group.compartmentId)
    place.compartment = *own;
  place.groupId = group.id;
  place.groupName = group.displayName;
  place.logName = freeName(logs);
  fixes_.push_back(createLogFix(services_, place));
}

void LoggingCheck::proposeGroup(const oci::Compartment& compartment, const Groups& groups) {
  LogToCreate place;
  place.compartment = compartment;
  place.groupName = freeName(groups);
  place.logName = kName;
  fixes_.push_back(createLogFix(services_, place));
}

void LoggingCheck::evaluateLog(const oci::LogGroup& group, const oci::ServiceLog& log) {
  const std::string name = fmt::format("log '{}' of log group '{}'", log.displayName, group.displayName);
  if (log.logType == "SERVICE") {
    add(StepState::Blocked, "log-of-a-service",
        fmt::format("{} is the log of a service: job runs only write to custom logs", name), "GetLog logType",
        "create a custom log, or name one");
    return;
  }
  if (!log.isEnabled) {
    add(StepState::Blocked, "log-disabled", fmt::format("{} is disabled: nothing would be kept", name),
        "GetLog isEnabled", "enable it");
    fixes_.push_back(enableLogFix(services_, log));
    return;
  }
  if (!isUsable(log)) {
    add(StepState::Warning, "log-not-active", fmt::format("{} is {}", name, log.lifecycleState),
        "GetLog lifecycleState", "check again in some seconds; if it stays so, create another");
    return;
  }
  const std::string days =
      log.retentionDays > 0 ? fmt::format(" and keeps lines for {} days", log.retentionDays) : "";
  add(StepState::Ready, {}, fmt::format("{} is enabled{}", name, days), "GetLog 200", {});
  offer(group, log);
}

// Named, but not there: another group's, or one of this group that would do.
void LoggingCheck::missingLog(const oci::LogGroup& group, const std::string& logId, const Error& why) {
  const auto groups = logging_.listLogGroups(group.compartmentId, stop_);
  for (const oci::LogGroup& other : groups ? *groups : Groups{}) {
    const auto log = other.id == group.id ? Result<oci::ServiceLog>(failure(why))
                                          : logging_.getLog(other.id, logId, stop_);
    if (!log) continue;
    add(StepState::Blocked, "log-other-group",
        fmt::format("log '{}' is in log group '{}', not in '{}'", log->displayName, other.displayName,
                    group.displayName),
        evidenceFor(why), fmt::format("logGroupId has to be {}", other.id));
    if (isUsable(*log)) offer(other, *log);
    return;
  }
  add(StepState::Blocked, "log-missing",
      fmt::format("log group '{}' has no log {}", group.displayName, logId), evidenceFor(why),
      "create one, or name another");
  offerAnother(group);
}

// The named log will never do: one of its group that would, or a new one.
void LoggingCheck::offerAnother(const oci::LogGroup& group) {
  const auto logs = logging_.listLogs(group.id, stop_);
  if (!logs) return;
  const auto usable = std::find_if(logs->begin(), logs->end(), isUsable);
  if (usable == logs->end()) return propose(group, *logs);
  findings_.back().remedy = fmt::format("log '{}' would do: logId {}", usable->displayName, usable->id);
  offer(group, *usable);
}

void LoggingCheck::checkLog(const oci::LogGroup& group, const std::string& logId) {
  if (logId.empty()) return pickLog(group);
  const auto log = logging_.getLog(group.id, logId, stop_);
  if (log) {
    evaluateLog(group, *log);
    if (log->logType != "CUSTOM") offerAnother(group);
    return;
  }
  if (log.error().code == ErrorCode::NotFound) return missingLog(group, logId, log.error());
  findings_.push_back(refusedFinding(log.error()));
}

void LoggingCheck::pickLog(const oci::LogGroup& group) {
  const auto logs = logging_.listLogs(group.id, stop_);
  if (!logs) {
    findings_.push_back(refusedFinding(logs.error()));
    return;
  }
  const auto usable = std::find_if(logs->begin(), logs->end(), isUsable);
  if (usable != logs->end()) return evaluateLog(group, *usable);
  add(StepState::Warning, "log-missing",
      fmt::format("log group '{}' has no custom log that is enabled", group.displayName), "ListLogs 200",
      "create one: without it there are no lines to follow");
  propose(group, *logs);
}

void LoggingCheck::missingGroup(const std::string& groupId, const Error& refusal) {
  add(StepState::Blocked, "log-group-missing",
      fmt::format("log group {} is not there, or you may not see it", groupId), evidenceFor(refusal),
      "create one, name another, or ask for a policy that lets you use log-groups (step policies)");
  const auto compartment = context_.compartment(stop_);
  const auto groups = compartment ? groupsIn(*compartment) : failure(compartment.error());
  if (!compartment) findings_.push_back(noCompartmentFinding(compartment.error()));
  if (!groups) return;
  for (const oci::LogGroup& group : *groups) {
    const auto logs = logging_.listLogs(group.id, stop_);
    const auto usable = logs ? std::find_if(logs->begin(), logs->end(), isUsable) : Logs::const_iterator{};
    if (!logs || usable == logs->end()) continue;
    findings_.back().remedy =
        fmt::format("log '{}' of log group '{}' would do", usable->displayName, group.displayName);
    return offer(group, *usable);
  }
  proposeGroup(*compartment, *groups);
}

void LoggingCheck::checkGroup(const std::string& groupId, const std::string& logId) {
  const auto group = logging_.getLogGroup(groupId, stop_);
  if (!group && group.error().code == ErrorCode::NotFound) return missingGroup(groupId, group.error());
  if (!group) {
    findings_.push_back(refusedFinding(group.error()));
    return;
  }
  names_[group->id] = group->displayName;
  const std::string wanted = context_.compartmentId();
  const bool isKnown = !wanted.empty() && context_.compartment(stop_).has_value();
  if (isKnown && group->compartmentId != wanted)
    add(StepState::Warning, "log-group-other-compartment",
        fmt::format("log group '{}' is in compartment {}, the cluster in {}", group->displayName,
                    context_.compartmentText(group->compartmentId, stop_),
                    context_.compartmentText(wanted, stop_)),
        "GetLogGroup compartmentId", "the policies have to name that compartment too (step policies)");
  checkLog(*group, logId);
}

// Nobody has named a group: the compartment's only one is meant, or ours.
void LoggingCheck::pickGroup() {
  const auto compartment = context_.compartment(stop_);
  if (!compartment) {
    findings_.push_back(noCompartmentFinding(compartment.error()));
    return;
  }
  const auto groups = groupsIn(*compartment);
  if (!groups) {
    findings_.push_back(refusedFinding(groups.error()));
    return;
  }
  const auto ours = std::find_if(groups->begin(), groups->end(), [&](const oci::LogGroup& one) {
    return groups->size() == 1 || one.displayName == kName;
  });
  if (ours != groups->end()) return pickLog(*ours);
  std::string names;
  for (const oci::LogGroup& one : *groups) names += (names.empty() ? "" : ", ") + one.displayName;
  const bool isNone = groups->empty();
  add(StepState::Warning, isNone ? "log-group-missing" : "log-group-not-chosen",
      isNone ? fmt::format("no log is named, and compartment {} has no log group", compartment->name)
             : fmt::format("no log is named, and compartment {} has {} log groups: {}", compartment->name,
                           groups->size(), names),
      isToBeMade(*compartment) ? "ListCompartments 200" : "ListLogGroups 200",
      isNone ? "create both: without them there are no lines to follow"
             : "choose one, or name it as logGroupId in the train.yaml");
  proposeGroup(*compartment, *groups);
}

StepReport LoggingCheck::check(LogIds ids) {
  if (checkIds(ids)) {
    if (ids.group.empty() && !ids.log.empty()) {
      add(StepState::Blocked, "log-without-group", "logId is given without logGroupId",
          fmt::format("logId {}", ids.log), "name its group too: job runs need both");
    } else if (ids.group.empty()) {
      pickGroup();
    } else {
      checkGroup(ids.group, ids.log);
    }
  }
  StepReport report = reportOf(std::move(findings_));
  report.fixes = std::move(fixes_);
  report.facts = std::move(facts_);
  report.names = std::move(names_);
  return report;
}

StepReport LoggingStep::check(const std::stop_token& stop) {
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  return LoggingCheck(*context_, *services, stop).check(idsOf(*context_));
}

Result<void> LoggingStep::takeBack(const AppliedChange& change, const std::stop_token& stop) {
  if (change.kind != kLogGroupCreated && change.kind != kLogCreated && change.kind != kLogEnabled)
    return SetupStep::takeBack(change, stop);
  const auto services = context_->services();
  if (!services) return failure(services.error());
  return takeBackLogChange(*services, change, stop);
}

}  // namespace

std::unique_ptr<SetupStep> makeLoggingStep(SetupContextPtr context) {
  return std::make_unique<LoggingStep>(std::move(context));
}

}  // namespace lockstep

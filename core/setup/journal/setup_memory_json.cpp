// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/journal/setup_memory_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_fields.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

using nlohmann::json;

using TextChoice = std::pair<const char*, std::string SetupChoices::*>;
constexpr std::array<TextChoice, 22> kTexts{{{"compartmentId", &SetupChoices::compartmentId},
                                             {"projectId", &SetupChoices::projectId},
                                             {"vcnId", &SetupChoices::vcnId},
                                             {"subnetId", &SetupChoices::subnetId},
                                             {"logGroupId", &SetupChoices::logGroupId},
                                             {"logId", &SetupChoices::logId},
                                             {"bucket", &SetupChoices::bucket},
                                             {"nameSpace", &SetupChoices::nameSpace},
                                             {"bucketPrefix", &SetupChoices::bucketPrefix},
                                             {"image", &SetupChoices::image},
                                             {"group", &SetupChoices::group},
                                             {"dynamicGroup", &SetupChoices::dynamicGroup},
                                             {"launcher", &SetupChoices::launcher},
                                             {"registryUser", &SetupChoices::registryUser},
                                             {"identityDomain", &SetupChoices::identityDomain},
                                             {"engine", &SetupChoices::engine},
                                             {"hostsFile", &SetupChoices::hostsFile},
                                             {"workDir", &SetupChoices::workDir},
                                             {"newCompartment", &SetupChoices::newCompartment},
                                             {"newTenancy", &SetupChoices::newTenancy},
                                             {"newUser", &SetupChoices::newUser},
                                             {"newRegion", &SetupChoices::newRegion}}};

constexpr std::array kModes{PolicyMode::ProofOfConcept, PolicyMode::Restricted, PolicyMode::Scoped};
constexpr std::array<std::pair<const char*, oci::AccountKind>, 3> kAccounts{
    {{"local", oci::AccountKind::Local},
     {"federated", oci::AccountKind::Federated},
     {"identity-domain", oci::AccountKind::IdentityDomain}}};
constexpr std::array kStates{StepState::Unknown, StepState::Checking, StepState::Ready,
                             StepState::Warning, StepState::Blocked,  StepState::NotApplicable,
                             StepState::Waived};

std::map<std::string, std::string> textsAt(const json& object, const char* key) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : objectField(object, key).items()) {
    if (value.is_string()) texts[name] = value.get<std::string>();
  }
  return texts;
}

// A check that was under way when it was remembered has no result.
StepState stateNamed(const std::string& name) {
  for (const StepState state : kStates) {
    if (name == toString(state)) return state == StepState::Checking ? StepState::Unknown : state;
  }
  return StepState::Unknown;
}

ReportTable tableOf(const json& document) {
  ReportTable table;
  table.title = stringField(document, "title");
  for (const json& column : arrayField(document, "columns")) {
    if (column.is_string()) table.columns.push_back(column.get<std::string>());
  }
  for (const json& row : arrayField(document, "rows")) {
    auto& cells = table.rows.emplace_back();
    if (!row.is_array()) continue;
    for (const json& cell : row)
      cells.push_back(
          {stringField(cell, "text"), stateNamed(stringField(cell, "state")), stringField(cell, "detail")});
  }
  return table;
}

json toJson(const SetupChoices& choices) {
  json document = json::object();
  for (const auto& [name, member] : kTexts) {
    if (!(choices.*member).empty()) document[name] = choices.*member;
  }
  document["policyMode"] = toString(choices.policyMode);
  for (const auto& [name, kind] : kAccounts) {
    if (choices.accountKind == kind) document["accountKind"] = name;
  }
  document["waived"] = choices.waived;
  return document;
}

SetupChoices choicesOf(const json& document) {
  SetupChoices choices;
  for (const auto& [name, member] : kTexts) choices.*member = stringField(document, name);
  for (const PolicyMode mode : kModes) {
    if (stringField(document, "policyMode") == toString(mode)) choices.policyMode = mode;
  }
  for (const auto& [name, kind] : kAccounts) {
    if (stringField(document, "accountKind") == name) choices.accountKind = kind;
  }
  choices.waived = textsAt(document, "waived");
  return choices;
}

}  // namespace

StepReport stepReportOf(const json& document) {
  StepReport report;
  report.state = stateNamed(stringField(document, "state"));
  for (const json& f : arrayField(document, "findings"))
    report.findings.push_back({stateNamed(stringField(f, "state")), stringField(f, "text"),
                               stringField(f, "evidence"), stringField(f, "remedy"), stringField(f, "code"),
                               stringField(f, "cause")});
  for (const json& table : arrayField(document, "tables")) report.tables.push_back(tableOf(table));
  report.facts = textsAt(document, "facts");
  report.names = textsAt(document, "names");
  return report;
}

json toJson(const RememberedSetup& setup) {
  json reports = json::object();
  for (const auto& [step, report] : setup.reports) {
    reports[step] = toJson(report);
    reports[step].erase("fixes");
  }
  json document{{"choices", toJson(setup.choices)}, {"reports", std::move(reports)}};
  if (setup.checkedAt) document["checkedAt"] = toRfc3339(*setup.checkedAt);
  return document;
}

RememberedSetup rememberedSetupOf(const json& document) {
  RememberedSetup setup;
  setup.choices = choicesOf(objectField(document, "choices"));
  for (const auto& [step, report] : objectField(document, "reports").items())
    setup.reports[step] = stepReportOf(report);
  setup.checkedAt = parseRfc3339(stringField(document, "checkedAt"));
  return setup;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "setup/step/setup_context.h"
#include "widgets/common/pickers/resource_choices.h"

namespace lockstep {

/// One thing that a step lets the user choose: a member of SetupChoices and how it is edited.
struct ChoiceField {
  struct Option {
    QString value, label;
  };
  std::string id;  // the member's name
  QString label;
  QString hint;  // what an empty field means
  QString tip;
  std::string fact;                        // the last part of the fact's path that says what is used now
  std::optional<ResourceKind> resource{};  // listed from the tenancy
  std::vector<Option> options{};           // fixed alternatives; none: any text
  bool isFile = false;
  std::function<bool(const SetupChoices&)> isOffered{};  // none: always
  std::string withFix{};                                 // only while this fix is proposed; empty: always
  std::function<QString(const SetupChoices&)> read;
  std::function<void(SetupChoices&, const QString&)> write;
};

/// What a step lets the user choose; empty for a step that has nothing to choose.
[[nodiscard]] std::vector<ChoiceField> choiceFieldsOf(const std::string& stepId);
/// The steps that look at a field, in the order of setupStepNames().
[[nodiscard]] std::vector<std::string> stepsUsing(const std::string& fieldId);
/// What a report's facts say for a field, e.g. of {"infrastructure.subnetId": …} for the fact "subnetId".
[[nodiscard]] QString factOf(const std::map<std::string, std::string>& facts, const std::string& name);

}  // namespace lockstep

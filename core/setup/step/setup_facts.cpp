// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/step/setup_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

const FieldPath& workDirField() {
  static const FieldPath kField{"spec", "cluster", "spec", "workDir"};
  return kField;
}

using Choice = std::pair<const char*, std::string SetupChoices::*>;
constexpr std::array<Choice, 6> kChoices{
    {{"spec.infrastructure.spec.compartmentId", &SetupChoices::compartmentId},
     {"spec.infrastructure.spec.projectId", &SetupChoices::projectId},
     {"spec.infrastructure.spec.subnetId", &SetupChoices::subnetId},
     {"spec.infrastructure.spec.logGroupId", &SetupChoices::logGroupId},
     {"spec.infrastructure.spec.logId", &SetupChoices::logId},
     {"spec.cluster.spec.image", &SetupChoices::image}}};

void adoptWorkDir(SetupChoices& choices, const std::string& value) {
  const auto uri = parseWorkDirUri(value);
  if (!uri || uri->scheme != WorkDirUri::Scheme::Oci) {
    choices.workDir = value;
    return;
  }
  choices.workDir.clear();
  choices.bucket = uri->bucket;
  choices.nameSpace = uri->nameSpace;
  choices.bucketPrefix = uri->prefix;
}

}  // namespace

bool isPlaceholder(const std::string& value) {
  const std::size_t open = value.find('<');
  return open != std::string::npos && value.find('>', open) != std::string::npos;
}

FieldPath fieldOfFact(const std::string& name) {
  const FieldPath path = FieldPath::parse(name);
  const auto& elements = path.elements();
  const auto* first = elements.empty() ? nullptr : std::get_if<std::string>(&elements.front());
  if (elements.size() != 2 || first == nullptr || *first == "spec") return path;
  return FieldPath{"spec", *first, "spec", elements.back()};
}

Result<ClusterDocument> withFacts(ClusterDocument document, const SetupFacts& facts) {
  for (const auto& [name, value] : facts) {
    const FieldPath field = fieldOfFact(name);
    const auto present = document.scalar(field);
    const bool isElsewhere = !present && !document.keysAt(field.parent());
    if (isElsewhere || (present && present->value == value)) continue;
    const auto edit = document.setScalar(field, value);
    if (!edit) return failure(edit.error());
    document = document.edited(*edit);
  }
  return document;
}

SetupChoices withFacts(SetupChoices choices, const SetupFacts& facts) {
  for (const auto& [name, value] : facts) {
    const FieldPath field = fieldOfFact(name);
    if (value.empty()) continue;
    if (field == workDirField()) adoptWorkDir(choices, value);
    const std::string path = field.toString();
    for (const auto& [choicePath, member] : kChoices) {
      if (path == choicePath) choices.*member = value;
    }
  }
  return choices;
}

SetupChoices withoutMade(SetupChoices choices, const AppliedChange& change) {
  if (!change.kind.ends_with("-created") || !change.undo.is_object()) return choices;
  for (const auto& [key, value] : change.undo.items()) {
    const std::string id = value.is_string() ? value.get<std::string>() : "";
    if (!id.starts_with("ocid1.")) continue;
    for (const auto& [path, member] : kChoices)
      if (choices.*member == id) (choices.*member).clear();
  }
  return choices;
}

bool changesChoices(const SetupChoices& choices, const SetupFacts& facts) {
  const SetupChoices after = withFacts(choices, facts);
  const auto differs = [&](std::string SetupChoices::*member) { return choices.*member != after.*member; };
  return std::any_of(kChoices.begin(), kChoices.end(),
                     [&](const Choice& choice) { return differs(choice.second); }) ||
         differs(&SetupChoices::workDir) || differs(&SetupChoices::bucket) ||
         differs(&SetupChoices::nameSpace) || differs(&SetupChoices::bucketPrefix);
}

}  // namespace lockstep

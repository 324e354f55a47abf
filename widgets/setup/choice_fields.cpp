// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/choice_fields.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "setup/steps/setup_steps.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

/// The context of this file's texts.
struct ChoiceFields {
  Q_DECLARE_TR_FUNCTIONS(lockstep::ChoiceFields)
};

using Fields = std::vector<ChoiceField>;

/// A field that is a text of SetupChoices as it stands.
ChoiceField text(const char* id, std::string SetupChoices::*member, const QString& label,
                 const QString& hint) {
  ChoiceField field;
  field.id = field.fact = id;
  field.label = label;
  field.hint = hint;
  field.read = [member](const SetupChoices& choices) { return toQString(choices.*member); };
  field.write = [member](SetupChoices& choices, const QString& value) {
    choices.*member = toStdString(value.trimmed());
  };
  return field;
}

ChoiceField resource(const char* id, std::string SetupChoices::*member, ResourceKind kind,
                     const QString& label, const QString& hint) {
  ChoiceField field = text(id, member, label, hint);
  field.resource = kind;
  return field;
}

ChoiceField compartment() {
  return resource("compartmentId", &SetupChoices::compartmentId, ResourceKind::Compartment,
                  ChoiceFields::tr("Compartment"), ChoiceFields::tr("as train.yaml says, else the only one"));
}

QString bucketText(const SetupChoices& choices) {
  const QString at = choices.nameSpace.empty() ? QString() : QLatin1Char('@') + toQString(choices.nameSpace);
  return choices.bucket.empty() ? QString() : toQString(choices.bucket) + at;
}

// "team-work", "team-work@namespace" and "oci://team-work@namespace/prefix" are all understood.
void setBucketText(SetupChoices& choices, const QString& value) {
  QString name = value.trimmed();
  if (name.startsWith(QLatin1String("oci://"))) name.remove(0, 6);
  const QString prefix = name.section(QLatin1Char('/'), 1);
  name = name.section(QLatin1Char('/'), 0, 0);
  choices.bucket = toStdString(name.section(QLatin1Char('@'), 0, 0));
  choices.nameSpace = toStdString(name.section(QLatin1Char('@'), 1));
  if (!prefix.isEmpty()) choices.bucketPrefix = toStdString(prefix);
}

ChoiceField bucket() {
  ChoiceField field = resource("bucket", &SetupChoices::bucket, ResourceKind::Bucket,
                               ChoiceFields::tr("Bucket"), ChoiceFields::tr("as workDir of train.yaml says"));
  field.tip = ChoiceFields::tr("A name is enough; “bucket@namespace” names one of another tenancy");
  field.fact = "workDir";
  field.read = bucketText;
  field.write = setBucketText;
  return field;
}

ChoiceField policyMode() {
  ChoiceField field;
  field.id = "policyMode";
  field.label = ChoiceFields::tr("Grant");
  field.options = {
      {QStringLiteral("restricted"), ChoiceFields::tr("what training needs, in one compartment")},
      {QStringLiteral("scoped"), ChoiceFields::tr("the same, for this bucket and repository only")},
      {QStringLiteral("poc"), ChoiceFields::tr("everything (proof of concept, unsafe)")}};
  field.read = [](const SetupChoices& choices) { return QString::fromLatin1(toString(choices.policyMode)); };
  field.write = [](SetupChoices& choices, const QString& value) {
    for (const PolicyMode mode : {PolicyMode::ProofOfConcept, PolicyMode::Restricted, PolicyMode::Scoped})
      if (value == QLatin1String(toString(mode))) choices.policyMode = mode;
  };
  return field;
}

ChoiceField accountKind() {
  static const std::pair<oci::AccountKind, const char*> kKinds[] = {
      {oci::AccountKind::Local, "local"},
      {oci::AccountKind::Federated, "federated"},
      {oci::AccountKind::IdentityDomain, "domain"}};
  ChoiceField field;
  field.id = "accountKind";
  field.label = ChoiceFields::tr("Account");
  field.options = {{QStringLiteral("local"), ChoiceFields::tr("of the tenancy or its Default domain")},
                   {QStringLiteral("federated"), ChoiceFields::tr("federated (Identity Cloud Service)")},
                   {QStringLiteral("domain"), ChoiceFields::tr("of another identity domain")}};
  field.read = [](const SetupChoices& choices) {
    for (const auto& [kind, name] : kKinds)
      if (kind == choices.accountKind) return QString::fromLatin1(name);
    return QString();
  };
  field.write = [](SetupChoices& choices, const QString& value) {
    for (const auto& [kind, name] : kKinds)
      if (value == QLatin1String(name)) choices.accountKind = kind;
  };
  return field;
}

Fields authFields() {
  const QString hint = ChoiceFields::tr("for a new profile");
  return {text("newTenancy", &SetupChoices::newTenancy, ChoiceFields::tr("Tenancy OCID"), hint),
          text("newUser", &SetupChoices::newUser, ChoiceFields::tr("User OCID"), hint),
          text("newRegion", &SetupChoices::newRegion, ChoiceFields::tr("Region"),
               ChoiceFields::tr("for a new profile, such as us-ashburn-1"))};
}

ChoiceField engine() {
  return text("engine", &SetupChoices::engine, ChoiceFields::tr("Engine"),
              ChoiceFields::tr("the first that is found; docker, podman or a path"));
}

Fields networkFields() {
  return {compartment(),
          resource("vcnId", &SetupChoices::vcnId, ResourceKind::Vcn, ChoiceFields::tr("VCN"),
                   ChoiceFields::tr("the subnet's")),
          resource("subnetId", &SetupChoices::subnetId, ResourceKind::Subnet, ChoiceFields::tr("Subnet"),
                   ChoiceFields::tr("as train.yaml says"))};
}

constexpr const char* kDynamicGroup = "dynamic-group";

ChoiceField launcher() {
  ChoiceField field;
  field.id = "launcher";
  field.label = ChoiceFields::tr("Launched by");
  field.tip = ChoiceFields::tr("Whom the statements name: users, or what launches without one");
  field.options = {
      {QString(), ChoiceFields::tr("whoever the profile signs in as")},
      {QStringLiteral("group"), ChoiceFields::tr("users, with an API key or a session")},
      {QString::fromLatin1(kDynamicGroup),
       ChoiceFields::tr("a notebook or an instance, without a user (resource or instance principal)")}};
  field.read = [](const SetupChoices& choices) { return toQString(choices.launcher); };
  field.write = [](SetupChoices& choices, const QString& value) {
    const bool wasDynamic = choices.launcher == kDynamicGroup;
    choices.launcher = toStdString(value);
    if (wasDynamic != (choices.launcher == kDynamicGroup)) choices.group.clear();  // of the other kind
  };
  return field;
}

Fields policyFields() {
  ChoiceField group =
      resource("group", &SetupChoices::group, ResourceKind::Group, ChoiceFields::tr("Group that launches"),
               ChoiceFields::tr("the one that you are a member of"));
  group.isOffered = [](const SetupChoices& choices) { return choices.launcher != kDynamicGroup; };
  ChoiceField itself =
      resource("launcherGroup", &SetupChoices::group, ResourceKind::DynamicGroup,
               ChoiceFields::tr("Dynamic group that launches"), QStringLiteral("lockstep-launchers"));
  itself.isOffered = [](const SetupChoices& choices) { return choices.launcher == kDynamicGroup; };
  return {compartment(),
          policyMode(),
          launcher(),
          std::move(group),
          std::move(itself),
          resource("dynamicGroup", &SetupChoices::dynamicGroup, ResourceKind::DynamicGroup,
                   ChoiceFields::tr("Dynamic group of the job runs"),
                   ChoiceFields::tr("the one that matches job runs"))};
}

Fields registryFields() {
  return {text("registryUser", &SetupChoices::registryUser, ChoiceFields::tr("User name"),
               ChoiceFields::tr("without the namespace, such as jane@example.com")),
          accountKind(),
          text("identityDomain", &SetupChoices::identityDomain, ChoiceFields::tr("Identity domain"),
               ChoiceFields::tr("only for an account of another domain")),
          engine()};
}

Fields hostFields() {
  ChoiceField file = text("hostsFile", &SetupChoices::hostsFile, ChoiceFields::tr("Hosts file"),
                          ChoiceFields::tr("none: there are no machines of one's own"));
  file.tip = ChoiceFields::tr("One machine a line, as ssh knows it");
  file.isFile = true;
  return {std::move(file)};
}

Fields bucketFields() {
  return {compartment(), bucket(),
          text("bucketPrefix", &SetupChoices::bucketPrefix, ChoiceFields::tr("Folder in the bucket"),
               ChoiceFields::tr("none: its top"))};
}

Fields loggingFields() {
  return {compartment(),
          resource("logGroupId", &SetupChoices::logGroupId, ResourceKind::LogGroup,
                   ChoiceFields::tr("Log group"), ChoiceFields::tr("as train.yaml says")),
          resource("logId", &SetupChoices::logId, ResourceKind::Log, ChoiceFields::tr("Log"),
                   ChoiceFields::tr("as train.yaml says"))};
}

ChoiceField newCompartment() {
  ChoiceField field = text("newCompartment", &SetupChoices::newCompartment,
                           ChoiceFields::tr("Name of the new compartment"), QStringLiteral("lockstep"));
  field.tip = ChoiceFields::tr("Letters, digits, hyphens, periods and underscores");
  field.withFix = "create-compartment";
  return field;
}

Fields projectFields() {
  return {compartment(), newCompartment(),
          resource("projectId", &SetupChoices::projectId, ResourceKind::Project,
                   ChoiceFields::tr("Data Science project"), ChoiceFields::tr("as train.yaml says"))};
}

Fields repositoryFields() {
  return {compartment(), resource("image", &SetupChoices::image, ResourceKind::Image,
                                  ChoiceFields::tr("Image"), ChoiceFields::tr("as train.yaml says"))};
}

}  // namespace

Fields choiceFieldsOf(const std::string& stepId) {
  static const std::map<std::string, Fields (*)()> kForms{{"auth", authFields},
                                                          {"network", networkFields},
                                                          {"bucket", bucketFields},
                                                          {"policies", policyFields},
                                                          {"logging", loggingFields},
                                                          {"repository", repositoryFields},
                                                          {"hosts", hostFields},
                                                          {"project", projectFields},
                                                          {"ocir-login", registryFields},
                                                          {"containers", [] { return Fields{engine()}; }},
                                                          {"limits", [] { return Fields{compartment()}; }}};
  const auto found = kForms.find(stepId);
  return found == kForms.end() ? Fields() : found->second();
}

std::vector<std::string> stepsUsing(const std::string& fieldId) {
  // Its name is in what each of them proposes.
  if (fieldId == "newCompartment") return stepsUsing("compartmentId");
  std::vector<std::string> users;
  for (const std::string& step : setupStepNames()) {
    const Fields fields = choiceFieldsOf(step);
    if (std::any_of(fields.begin(), fields.end(), [&](const auto& f) { return f.id == fieldId; }))
      users.push_back(step);
  }
  return users;
}

QString factOf(const std::map<std::string, std::string>& facts, const std::string& name) {
  for (const auto& [path, value] : facts)
    if (path == name || path.ends_with("." + name)) return toQString(value);
  return {};
}

}  // namespace lockstep

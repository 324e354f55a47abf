// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/tenancy_choices.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "base/time_text.h"
#include "oci/services/compartment_paths.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

/// The context of this file's texts.
struct TenancyChoices {
  Q_DECLARE_TR_FUNCTIONS(lockstep::TenancyChoices)
};

QString joined(const QStringList& parts) {
  QStringList said = parts;
  said.removeAll(QString());
  return said.join(QStringLiteral(" · "));
}

void add(std::vector<ResourceChoice>& choices, const std::string& value, const std::string& name,
         const QString& details = {}) {
  if (!value.empty() && !name.empty()) choices.push_back({toQString(value), toQString(name), details});
}

void sortByName(std::vector<ResourceChoice>& choices) {
  std::sort(choices.begin(), choices.end(), [](const ResourceChoice& a, const ResourceChoice& b) {
    return QString::compare(a.name, b.name, Qt::CaseInsensitive) < 0;
  });
}

template <class T>
std::vector<ResourceChoice> namedChoices(const std::vector<T>& things) {
  std::vector<ResourceChoice> choices;
  for (const T& thing : things) add(choices, thing.id, thing.displayName, toQString(thing.description));
  sortByName(choices);
  return choices;
}

}  // namespace

std::vector<ResourceChoice> compartmentChoices(const oci::Tenancy& tenancy,
                                               const std::vector<oci::Compartment>& compartments) {
  const auto paths = oci::compartmentPaths(compartments);
  std::vector<ResourceChoice> choices;
  for (const auto& compartment : compartments) {
    if (compartment.name.empty()) continue;
    add(choices, compartment.id, paths.at(compartment.id), toQString(compartment.description));
  }
  sortByName(choices);
  std::vector<ResourceChoice> all;
  add(all, tenancy.id, tenancy.name, TenancyChoices::tr("the tenancy itself"));
  all.insert(all.end(), choices.begin(), choices.end());
  return all;
}

std::vector<ResourceChoice> projectChoices(const std::vector<oci::Project>& projects) {
  return namedChoices(projects);
}

std::vector<ResourceChoice> vcnChoices(const std::vector<oci::Vcn>& vcns) {
  std::vector<ResourceChoice> choices;
  for (const auto& vcn : vcns) {
    QStringList blocks;
    for (const std::string& block : vcn.cidrBlocks) blocks << toQString(block);
    add(choices, vcn.id, vcn.displayName, blocks.join(QStringLiteral(", ")));
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> groupChoices(const std::vector<oci::Group>& groups) {
  std::vector<ResourceChoice> choices;
  for (const auto& group : groups) add(choices, group.name, group.name, toQString(group.description));
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> dynamicGroupChoices(const std::vector<oci::DynamicGroup>& groups) {
  std::vector<ResourceChoice> choices;
  for (const auto& group : groups) add(choices, group.name, group.name, toQString(group.matchingRule));
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> subnetChoices(const std::vector<oci::Subnet>& subnets,
                                          const std::vector<oci::Vcn>& vcns) {
  std::map<std::string, std::string> vcnNames;
  for (const auto& vcn : vcns) vcnNames[vcn.id] = vcn.displayName;
  std::vector<ResourceChoice> choices;
  for (const auto& subnet : subnets) {
    const QString reach = subnet.isPrivate ? TenancyChoices::tr("private") : TenancyChoices::tr("public");
    add(choices, subnet.id, subnet.displayName,
        joined({toQString(vcnNames[subnet.vcnId]), toQString(subnet.cidrBlock), reach}));
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> logGroupChoices(const std::vector<oci::LogGroup>& groups) {
  return namedChoices(groups);
}

std::vector<ResourceChoice> logChoices(const std::vector<oci::ServiceLog>& logs) {
  std::vector<ResourceChoice> choices;
  for (const auto& log : logs) {
    if (!log.logType.empty() && log.logType != "CUSTOM") continue;
    add(choices, log.id, log.displayName, log.isEnabled ? QString() : TenancyChoices::tr("disabled"));
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> bucketChoices(const std::vector<oci::Bucket>& buckets) {
  std::vector<ResourceChoice> choices;
  for (const auto& bucket : buckets) {
    if (bucket.name.empty()) continue;
    add(choices, "oci://" + bucket.name + "@" + bucket.nameSpace + "/", bucket.name,
        toQString(bucket.nameSpace));
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> imageChoices(const std::vector<oci::ContainerImage>& images,
                                         const std::string& registry, const std::string& nameSpace) {
  std::vector<ResourceChoice> choices;  // the service's order: the newest first
  for (const auto& image : images) {
    if (image.repositoryName.empty() || image.version.empty()) continue;
    const std::string name = image.repositoryName + ":" + image.version;
    const std::string created = image.timeCreated ? toRfc3339(*image.timeCreated).substr(0, 10) : "";
    add(choices, registry + "/" + nameSpace + "/" + name, name, toQString(created));
  }
  return choices;
}

}  // namespace lockstep

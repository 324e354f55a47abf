// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/tenancy_choices.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "widgets/common/qt_convert.h"

namespace lockstep {
namespace {

constexpr int kDeepest = 8;  // compartments nest at most six deep

/// The context of this file's texts.
struct TenancyChoices {
  Q_DECLARE_TR_FUNCTIONS(lockstep::TenancyChoices)
};

std::string textOf(const nlohmann::json& thing, const char* key) {
  const auto found = thing.find(key);
  return found != thing.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isTrue(const nlohmann::json& thing, const char* key) {
  const auto found = thing.find(key);
  return found != thing.end() && found->is_boolean() && found->get<bool>();
}

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

std::vector<ResourceChoice> namedChoices(const JsonList& things) {
  std::vector<ResourceChoice> choices;
  for (const auto& thing : things) {
    add(choices, textOf(thing, "id"), textOf(thing, "displayName"), toQString(textOf(thing, "description")));
  }
  sortByName(choices);
  return choices;
}

using Compartments = std::map<std::string, const nlohmann::json*>;

// "team / training": the names from the tenancy's own compartments downwards.
std::string wayTo(const nlohmann::json& compartment, const Compartments& byId) {
  std::string way = textOf(compartment, "name");
  std::string parent = textOf(compartment, "compartmentId");
  for (int depth = 0; depth < kDeepest; ++depth) {
    const auto found = byId.find(parent);
    if (found == byId.end()) break;
    way = textOf(*found->second, "name") + " / " + way;
    parent = textOf(*found->second, "compartmentId");
  }
  return way;
}

}  // namespace

std::vector<ResourceChoice> compartmentChoices(const nlohmann::json& tenancy, const JsonList& compartments) {
  Compartments byId;
  for (const auto& compartment : compartments) byId.emplace(textOf(compartment, "id"), &compartment);
  std::vector<ResourceChoice> choices;
  for (const auto& compartment : compartments) {
    if (textOf(compartment, "name").empty()) continue;
    add(choices, textOf(compartment, "id"), wayTo(compartment, byId),
        toQString(textOf(compartment, "description")));
  }
  sortByName(choices);
  std::vector<ResourceChoice> all;
  add(all, textOf(tenancy, "id"), textOf(tenancy, "name"), TenancyChoices::tr("the tenancy itself"));
  all.insert(all.end(), choices.begin(), choices.end());
  return all;
}

std::vector<ResourceChoice> projectChoices(const JsonList& projects) {
  return namedChoices(projects);
}

std::vector<ResourceChoice> subnetChoices(const JsonList& subnets, const JsonList& vcns) {
  std::map<std::string, std::string> vcnNames;
  for (const auto& vcn : vcns) vcnNames[textOf(vcn, "id")] = textOf(vcn, "displayName");
  std::vector<ResourceChoice> choices;
  for (const auto& subnet : subnets) {
    const QString reach = isTrue(subnet, "prohibitPublicIpOnVnic") ? TenancyChoices::tr("private")
                                                                   : TenancyChoices::tr("public");
    add(choices, textOf(subnet, "id"), textOf(subnet, "displayName"),
        joined(
            {toQString(vcnNames[textOf(subnet, "vcnId")]), toQString(textOf(subnet, "cidrBlock")), reach}));
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> logGroupChoices(const JsonList& groups) {
  return namedChoices(groups);
}

std::vector<ResourceChoice> logChoices(const JsonList& logs) {
  std::vector<ResourceChoice> choices;
  for (const auto& log : logs) {
    const std::string type = textOf(log, "logType");
    if (!type.empty() && type != "CUSTOM") continue;
    const bool isOff = log.contains("isEnabled") && !isTrue(log, "isEnabled");
    add(choices, textOf(log, "id"), textOf(log, "displayName"),
        isOff ? TenancyChoices::tr("disabled") : QString());
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> bucketChoices(const JsonList& buckets) {
  std::vector<ResourceChoice> choices;
  for (const auto& bucket : buckets) {
    const std::string name = textOf(bucket, "name");
    if (name.empty()) continue;
    const std::string nameSpace = textOf(bucket, "namespace");
    add(choices, "oci://" + name + "@" + nameSpace + "/", name, toQString(nameSpace));
  }
  sortByName(choices);
  return choices;
}

std::vector<ResourceChoice> imageChoices(const JsonList& images, const std::string& registry,
                                         const std::string& nameSpace) {
  std::vector<ResourceChoice> choices;  // the service's order: the newest first
  for (const auto& image : images) {
    const std::string repository = textOf(image, "repositoryName");
    const std::string tag = textOf(image, "version");
    if (repository.empty() || tag.empty()) continue;
    std::string name = repository + ":" + tag;
    const std::string value = registry + "/" + nameSpace + "/" + name;
    add(choices, value, name, toQString(textOf(image, "timeCreated").substr(0, 10)));
  }
  return choices;
}

}  // namespace lockstep

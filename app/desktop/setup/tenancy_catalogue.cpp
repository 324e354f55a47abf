// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/tenancy_catalogue.h"

#include "app/desktop/setup/tenancy_choices.h"
#include "base/child_process.h"
#include "oci/calls/regions.h"
#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"
#include "oci/services/image_name.h"
#include "oci/services/logging_client.h"
#include "oci/services/network_client.h"
#include "oci/services/registry_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_storage_client.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

using Choices = Result<std::vector<ResourceChoice>>;
using Services = std::shared_ptr<oci::ServiceClient>;

template <class List, class Convert>
Choices converted(const List& list, Convert convert) {
  if (!list) return failure(list.error());
  return convert(*list);
}

Choices listCompartments(const Services& services, const std::string& tenancyId,
                         const std::stop_token& stop) {
  oci::IdentityClient identity(services);
  const auto tenancy = identity.getTenancy(tenancyId, stop);
  if (!tenancy) return failure(tenancy.error());
  return converted(identity.listCompartments(tenancyId, stop), [&](const std::vector<oci::Compartment>& all) {
    return compartmentChoices(*tenancy, all);
  });
}

Choices listSubnets(const Services& services, const std::string& compartment, const std::string& vcn,
                    const std::stop_token& stop) {
  oci::NetworkClient network(services);
  // A VCN may be in another compartment than its subnet: then its name is not known here, which costs a name.
  const auto vcns = network.listVcns(compartment, stop);
  const std::vector<oci::Vcn> known = vcns ? *vcns : std::vector<oci::Vcn>();
  return converted(network.listSubnets(compartment, stop), [&](std::vector<oci::Subnet> subnets) {
    std::erase_if(subnets, [&](const oci::Subnet& subnet) { return !vcn.empty() && subnet.vcnId != vcn; });
    return subnetChoices(subnets, known);
  });
}

Choices listBuckets(const Services& services, const std::string& compartment, const std::stop_token& stop) {
  oci::ObjectStorageClient storage(services);
  const auto nameSpace = storage.getNamespace(stop);
  if (!nameSpace) return failure(nameSpace.error());
  return converted(storage.listBuckets(*nameSpace, compartment, stop), bucketChoices);
}

Choices listImages(const Services& services, const std::string& region, const std::string& compartment,
                   const std::stop_token& stop) {
  const auto nameSpace = oci::ObjectStorageClient(services).getNamespace(stop);
  if (!nameSpace) return failure(nameSpace.error());
  const std::string host = oci::registryHost(oci::regionFor(region, currentEnvironment()));
  return converted(
      oci::RegistryClient(services).listImages(compartment, stop),
      [&](const std::vector<oci::ContainerImage>& images) { return imageChoices(images, host, *nameSpace); });
}

Choices listLogs(const Services& services, const std::string& group, const std::stop_token& stop) {
  if (group.empty()) {
    return failure(ErrorCode::FailedPrecondition, "logs cannot be listed", "no log group is chosen",
                   "choose the log group first");
  }
  return converted(oci::LoggingClient(services).listLogs(group, stop), logChoices);
}

std::string keyOf(ResourceKind kind, const oci::ProfileQuery& query, const CatalogueScope& place) {
  std::string tail = kind == ResourceKind::Log ? place.logGroup : place.compartment;
  if (kind == ResourceKind::Subnet) tail += "\n" + place.vcn;
  const bool isOfTenancy =
      kind == ResourceKind::Compartment || kind == ResourceKind::Group || kind == ResourceKind::DynamicGroup;
  if (isOfTenancy) tail.clear();
  return std::to_string(static_cast<int>(kind)) + "\n" + query.configFile + "\n" + query.profile + "\n" +
         tail;
}

QString problemOf(const Error& error) {
  QString text = toQString(error.what);
  if (!error.cause.empty()) text += QStringLiteral(": ") + toQString(error.cause);
  if (!error.remedy.empty()) text += QStringLiteral(". ") + toQString(error.remedy);
  return text;
}

}  // namespace

Choices listTenancy(const oci::ProfileQuery& query, ResourceKind kind, const CatalogueScope& place,
                    const std::stop_token& stop) {
  const auto profile = oci::loadProfile(query);
  if (!profile) return failure(profile.error());
  const auto services = oci::openServiceClient(*profile);
  if (!services) return failure(services.error());
  // An id that is a placeholder or a name still lists what the tenancy itself has.
  const bool isId = place.compartment.starts_with("ocid1.");
  const std::string compartment = isId ? place.compartment : profile->tenancy;
  switch (kind) {
    case ResourceKind::Compartment:
      return listCompartments(*services, profile->tenancy, stop);
    case ResourceKind::Project:
      return converted(oci::DataScienceClient(*services).listProjects(compartment, stop), projectChoices);
    case ResourceKind::Vcn:
      return converted(oci::NetworkClient(*services).listVcns(compartment, stop), vcnChoices);
    case ResourceKind::Subnet:
      return listSubnets(*services, compartment, place.vcn, stop);
    case ResourceKind::Group:
      return converted(oci::IdentityClient(*services).listGroups(profile->tenancy, stop), groupChoices);
    case ResourceKind::DynamicGroup:
      return converted(oci::IdentityClient(*services).listDynamicGroups(profile->tenancy, stop),
                       dynamicGroupChoices);
    case ResourceKind::LogGroup:
      return converted(oci::LoggingClient(*services).listLogGroups(compartment, stop), logGroupChoices);
    case ResourceKind::Log:
      return listLogs(*services, place.logGroup.starts_with("ocid1.") ? place.logGroup : std::string(), stop);
    case ResourceKind::Bucket:
      return listBuckets(*services, compartment, stop);
    case ResourceKind::Image:
      return listImages(*services, profile->region, compartment, stop);
  }
  return std::vector<ResourceChoice>();
}

TenancyCatalogue::TenancyCatalogue(QObject* parent) : QObject(parent) {}

TenancyCatalogue::~TenancyCatalogue() = default;

void TenancyCatalogue::want(ResourceKind kind, const oci::ProfileQuery& query, const CatalogueScope& place) {
  const Key key = keyOf(kind, query, place);
  auto& [running, task] = tasks_[kind];
  if (const auto known = known_.find(key); known != known_.end()) {
    if (task) task->cancel();
    running.clear();
    return emit changed(kind, known->second);
  }
  if (task && running == key && task->isRunning()) return;
  if (!task) task = std::make_unique<BackgroundTask>();
  running = key;
  ResourceChoices loading;
  loading.state = ResourceChoices::State::Loading;
  emit changed(kind, loading);
  task->start(
      [query, kind, place](const std::stop_token& stop) { return listTenancy(query, kind, place, stop); },
      [this, kind, key](const Choices& found) { finish(kind, key, found); });
}

void TenancyCatalogue::finish(ResourceKind kind, const Key& key, const Choices& found) {
  ResourceChoices choices;
  if (found) {
    choices.state = ResourceChoices::State::Ready;
    choices.choices = *found;
    known_[key] = choices;
  } else {
    choices.state = ResourceChoices::State::Failed;
    choices.problem = problemOf(found.error());
  }
  emit changed(kind, choices);
}

void TenancyCatalogue::clear() {
  known_.clear();
  for (auto& [kind, task] : tasks_) {
    if (task.second) task.second->cancel();
    task.first.clear();
  }
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/designer_resources.h"

#include "widgets/cluster/page/designer_page.h"

namespace lockstep {
namespace {

constexpr ResourceKind kOfCompartment[] = {ResourceKind::Project, ResourceKind::Subnet,
                                           ResourceKind::LogGroup, ResourceKind::Bucket, ResourceKind::Image};

}  // namespace

DesignerResources::DesignerResources(DesignerPage* page, QObject* parent)
    : QObject(parent), page_(page), catalogue_(this) {
  connect(page_, &DesignerPage::resourcesWanted, this, &DesignerResources::list);
  connect(page_->cluster(), &EditableCluster::textChanged, this, &DesignerResources::noteText);
  connect(&catalogue_, &TenancyCatalogue::changed, page_, &DesignerPage::setResources);
}

void DesignerResources::list(ResourceKind kind) {
  if (!query_) return;
  place_ = placeInDocument();
  const oci::ProfileQuery query = query_();
  if (query.profile.empty()) {
    ResourceChoices none;
    none.state = ResourceChoices::State::Failed;
    none.problem = tr("No profile is chosen: choose one on the page Setup to list what the tenancy has.");
    return page_->setResources(kind, none);
  }
  catalogue_.want(kind, query, place_);
}

// A list of another compartment or log group says nothing about this one.
void DesignerResources::noteText() {
  const CatalogueScope now = placeInDocument();
  if (now.compartment != place_.compartment) {
    for (const ResourceKind kind : kOfCompartment) page_->setResources(kind, {});
  }
  if (now.logGroup != place_.logGroup) page_->setResources(ResourceKind::Log, {});
  place_ = now;
}

void DesignerResources::forget() {
  catalogue_.clear();
  for (const ResourceKind kind : kOfCompartment) page_->setResources(kind, {});
  page_->setResources(ResourceKind::Compartment, {});
  page_->setResources(ResourceKind::Log, {});
}

CatalogueScope DesignerResources::placeInDocument() const {
  const Infrastructure& infrastructure = page_->cluster()->document().spec().infrastructure;
  return {infrastructure.compartmentId.value_or(""), infrastructure.logGroupId.value_or("")};
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>

#include "app/desktop/setup/tenancy_catalogue.h"

namespace lockstep {

class DesignerPage;

/// Gives the designer's fields what the tenancy has to choose from, for the profile in use and the
/// compartment and log group that the document names.
class DesignerResources : public QObject {
  Q_OBJECT
 public:
  explicit DesignerResources(DesignerPage* page, QObject* parent = nullptr);

  void setProfileSource(std::function<oci::ProfileQuery()> query) { query_ = std::move(query); }
  /// Another profile is in use: nothing that was listed counts any more.
  void forget();

 private:
  void list(ResourceKind kind);
  void noteText();
  [[nodiscard]] CatalogueScope placeInDocument() const;

  DesignerPage* page_;
  TenancyCatalogue catalogue_;
  std::function<oci::ProfileQuery()> query_;
  CatalogueScope place_;
};

}  // namespace lockstep

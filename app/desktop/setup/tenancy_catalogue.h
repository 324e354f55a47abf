// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "app/desktop/support/background_task.h"
#include "base/error.h"
#include "oci/signing/profile.h"
#include "widgets/common/pickers/resource_choices.h"

namespace lockstep {

/// Where one looks for things of the tenancy.
struct CatalogueScope {
  std::string compartment;  // empty: the tenancy itself
  std::string logGroup;     // for logs
  std::string vcn{};        // for subnets; empty: of all VCNs
};

/// What the tenancy of a profile has of one kind. Blocks on the network. Fails with the service's answer; for
/// logs without a log group, with what to choose first.
Result<std::vector<ResourceChoice>> listTenancy(const oci::ProfileQuery& query, ResourceKind kind,
                                                const CatalogueScope& place, const std::stop_token& stop);

/// What the tenancy has, by kind, fetched in the background when it is asked for and kept by profile and
/// place. UI thread.
class TenancyCatalogue : public QObject {
  Q_OBJECT
 public:
  explicit TenancyCatalogue(QObject* parent = nullptr);
  ~TenancyCatalogue() override;

  /// Answers with changed(): at once when it is known, else with Loading now and the outcome later. A failure
  /// is not kept: asking again tries again.
  void want(ResourceKind kind, const oci::ProfileQuery& query, const CatalogueScope& place);
  /// Forgets everything, and drops what is on its way.
  void clear();

 signals:
  void changed(lockstep::ResourceKind kind, const lockstep::ResourceChoices& choices);

 private:
  using Key = std::string;
  void finish(ResourceKind kind, const Key& key, const Result<std::vector<ResourceChoice>>& found);

  std::map<Key, ResourceChoices> known_;
  std::map<ResourceKind, std::pair<Key, std::unique_ptr<BackgroundTask>>> tasks_;
};

}  // namespace lockstep

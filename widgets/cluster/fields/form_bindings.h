// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/cluster/fields/field_binding.h"

namespace lockstep {

// The parts of clusterFormBindings(), each a section of the form. Keys and their spellings: ads-contract 1.2,
// 5.1.
void addClusterSection(std::vector<FieldBinding>& all);
void addNodesSection(std::vector<FieldBinding>& all);
void addMachineSection(std::vector<FieldBinding>& all);
void addTenancySection(std::vector<FieldBinding>& all);
void addCertificateSection(std::vector<FieldBinding>& all);
void addCodeSection(std::vector<FieldBinding>& all);
// `kind: job` alone.
void addJobSection(std::vector<FieldBinding>& all);
void addJobCodeSection(std::vector<FieldBinding>& all);

/// The sections that have more in them than rows.
struct FormSections {
  static QString cluster();
  static QString nodes();
  static QString environment();
  static QString machine();
  static QString layout();
  static QString tenancy();
  static QString certificates();
  static QString code();
  static QString tags();
};

/// What the file is: `kind: job` or anything else, which is read as `kind: distributed`.
[[nodiscard]] bool isJobFile(const ClusterDocument& document);
[[nodiscard]] bool isClusterFile(const ClusterDocument& document);
/// Whether the framework's containers hand keyword arguments to the entry point.
[[nodiscard]] bool readsKwargs(const ClusterDocument& document);

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <vector>

namespace lockstep {

/// What a field names in the tenancy.
enum class ResourceKind {
  Compartment,
  Project,
  Vcn,
  Subnet,
  LogGroup,
  Log,
  Bucket,
  Image,
  Group,
  DynamicGroup
};

/// One thing of the tenancy that a field can name.
struct ResourceChoice {
  QString value;    // what the field gets: an OCID, a group's name, an image, "oci://bucket@namespace/"
  QString name;     // "team-subnet"
  QString details;  // "10.0.1.0/24 · private"
};

/// What is known of the things of one kind. A field shows the names of its values once it is Ready, and stays
/// a plain field while it is Unknown or Failed.
struct ResourceChoices {
  enum class State { Unknown, Loading, Ready, Failed };
  State state = State::Unknown;
  std::vector<ResourceChoice> choices;
  QString problem;  // Failed: why, with the way out
};

}  // namespace lockstep

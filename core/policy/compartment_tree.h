// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "policy/policy_statement.h"

namespace lockstep {

/// The compartments of a tenancy, as far as the user may see them.
class CompartmentTree {
 public:
  explicit CompartmentTree(std::string tenancyId, std::string tenancyName = "tenancy");
  void add(const std::string& id, const std::string& name, const std::string& parentId);

  [[nodiscard]] const std::string& tenancyId() const { return tenancyId_; }
  [[nodiscard]] bool has(const std::string& id) const { return places_.contains(id); }
  /// A compartment that is not known counts as one directly below the tenancy.
  [[nodiscard]] bool isWithin(const std::string& id, const std::string& ancestorId) const;
  /// From the compartment up to the tenancy, both included.
  [[nodiscard]] std::vector<std::string> upwards(const std::string& id) const;
  /// The lowest compartment that has all of them.
  [[nodiscard]] std::string commonAncestor(const std::vector<std::string>& ids) const;
  [[nodiscard]] bool hasChildren(const std::string& id) const;
  /// "a:b", "tenancy", or the id of one that is not known.
  [[nodiscard]] std::string nameOf(const std::string& id) const;
  /// The one that a path means in a policy attached to `from`: a path begins below it, or with its own name.
  /// Empty: there is none.
  [[nodiscard]] std::string find(const std::string& from, const std::vector<std::string>& path) const;
  /// What a statement in a policy attached to `from` is about; empty: nothing, since it does not exist or is
  /// not below that compartment.
  [[nodiscard]] std::string placeOf(const PolicyLocation& location, const std::string& from) const;

 private:
  struct Place {
    std::string name, parentId;
  };
  [[nodiscard]] std::string parentOf(const std::string& id) const;

  std::string tenancyId_;
  std::map<std::string, Place> places_;
};

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rehearsal/iam/signature_verifier.h"
#include "rehearsal/state/database.h"
#include "temp_dir.h"

namespace lockstep::testing {

/// A small tenancy to ask about: the compartments train, train:team and other; the users root
/// (Administrators), ann (Trainers), carl (Trainers, Auditors) and bob (none); the dynamic groups JobRuns,
/// AnyRun, NotTrain, Tagged and Machines; job runs and instances; the buckets b and BucketA with the object
/// "old". And a second tenancy with the user eve, who administers it.
class IamWorld {
 public:
  IamWorld();

  /// One of those above, or "service:NAME".
  [[nodiscard]] rehearsal::Principal principal(const std::string& name) const;
  /// "tenancy", "train", "team", "other" or "nowhere".
  [[nodiscard]] std::string place(const std::string& name) const;
  /// The text with $group:X, $dynamic:X, $user:X and $compartment:X put in.
  [[nodiscard]] std::string filled(std::string text) const;
  rehearsal::Database& database() { return *database_; }

 private:
  TempDir temp_;
  std::unique_ptr<rehearsal::Database> database_;
};

/// Adds a policy within a transaction that is rolled back afterwards.
void addTestPolicy(rehearsal::Transaction& transaction, const std::string& attachedTo,
                   const std::vector<std::string>& statements);

}  // namespace lockstep::testing

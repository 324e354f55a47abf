// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

#include "rehearsal/api/interference.h"
#include "rehearsal/faults/fault_plan.h"

namespace lockstep::rehearsal {

/// The faults that strike single requests: what is answered instead of carrying an operation out, and what
/// happens to an answer on its way. Every refusal is in the words of oci-rest-contract 3.2. Thread-safe;
/// `faults` outlives it.
class FaultInterference final : public Interference {
 public:
  explicit FaultInterference(Faults& faults) : faults_(faults) {}
  std::optional<Response> instead(const Call& call) override;
  [[nodiscard]] Visibility visibility(const std::string& operation) const override;
  void deliver(const std::string& operation, Response& response) override;

 private:
  Faults& faults_;
};

/// GET, PUT and DELETE /rehearsal/faults. A plan is answered with "strikes", how often each fault has struck.
/// A new plan begins to count anew.
void addFaultAdmin(Router& admin, Faults& faults);

/// The plan in a JSON file; the failure names the file.
Result<FaultPlan> readFaultFile(const std::filesystem::path& file);

}  // namespace lockstep::rehearsal

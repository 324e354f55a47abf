// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "setup/step/applied_change.h"

namespace lockstep {

enum class StepState { Unknown, Checking, Ready, Warning, Blocked, NotApplicable, Waived };
[[nodiscard]] const char* toString(StepState state);  // "ready"

/// One fact that a check found, with the evidence for it.
struct Finding {
  StepState state = StepState::Unknown;
  std::string text;      // "bucket 'lockstep' exists in namespace 'rehearsal'"
  std::string evidence;  // "GetBucket 200, opc-request-id …"
  std::string remedy;
  std::string code{};   // stable, kebab-case: "key-mode"; empty where nothing is wrong
  std::string cause{};  // why it is so, as far as that is known; empty: the text says all
};

/// One change that would fix something. It is shown whole before anything is done, and what is done is what
/// was shown: a service that has moved on in between refuses it (etag), and nothing is half done.
struct ProposedFix {
  std::string id;             // stable within its step: "open-ports"
  std::string title;          // imperative: "open TCP 29400 within 10.0.0.0/24"
  bool isUnsafe = false;      // grants or opens more than is needed: done only when it is asked for by its id
  std::string before, after;  // the things concerned, as text, for a difference; `before` empty: new
  std::vector<std::string> calls;  // "UpdateSecurityList PUT /20160918/securityLists/ocid1…"
  /// Does it, and says how to take it back. Blocks on the network. Changes made before a failure are among
  /// the result's: a failure says in its cause what is there nevertheless.
  std::function<Result<std::vector<AppliedChange>>(const std::stop_token&)> apply;
  bool needsPerson = false;  // asks for something, or stays good until somebody ends it: not done unasked
  /// The id of the fix of the step "project" that makes what this one works in; until that is done, apply()
  /// refuses, and a new check proposes the same again. Empty: it can be done now.
  std::string waitsFor{};

  /// Whether "fix all" includes it.
  [[nodiscard]] bool isDoneUnasked() const { return !isUnsafe && !needsPerson; }
};

/// Something better seen than read: ports by direction, statements by state.
struct ReportTable {
  struct Cell {
    std::string text;
    StepState state = StepState::Unknown;  // Unknown: plain text
    std::string detail{};                  // "security list 'default', rule 2"; for a tool tip
  };
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

struct StepReport {
  StepState state = StepState::Unknown;  // the worst of its findings
  std::vector<Finding> findings;
  std::vector<ProposedFix> fixes{};
  std::vector<ReportTable> tables{};
  /// What the designer and the later steps can use, by the field's path: {"infrastructure.subnetId":
  /// "ocid1…"}.
  std::map<std::string, std::string> facts{};
  /// The names of things by their id, as far as the step has seen them: people know things by their names.
  std::map<std::string, std::string> names{};
};

/// A report with the worst state of its findings; Unknown without any.
[[nodiscard]] StepReport reportOf(std::vector<Finding> findings);
/// {"state","findings":[{"state","code","text","cause","evidence","remedy"}],"fixes":[{"id","title","unsafe","before",
/// "after","calls","waitsFor"}],"tables":[…],"facts":{…},"names":{…}}
[[nodiscard]] nlohmann::json toJson(const StepReport& report);

/// One prerequisite. check() is for real and read-only; it blocks on the network and may run beside other
/// steps.
class SetupStep {
 public:
  virtual ~SetupStep() = default;
  [[nodiscard]] virtual std::string id() const = 0;  // "auth", "bucket": as `lockstep check` names it
  virtual StepReport check(const std::stop_token& stop) = 0;
  /// Takes back a change that a fix of this step made. FailedPrecondition when somebody has changed it since.
  virtual Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop);
};

}  // namespace lockstep

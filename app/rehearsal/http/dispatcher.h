// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "rehearsal/api/audit_entry.h"
#include "rehearsal/api/http_types.h"
#include "rehearsal/api/interference.h"
#include "rehearsal/api/principal.h"
#include "rehearsal/api/router.h"
#include "rehearsal/iam/signature_verifier.h"

namespace lockstep::rehearsal {

/// What a dispatcher needs; all of it outlives the dispatcher.
struct DispatcherParts {
  const Router& services;
  /// What OCI does not have: faults, users, the audit. Below /rehearsal/, for whoever can read the region's
  /// admin token (`Authorization: Bearer <token>`), never for a signature.
  const Router& admin;
  std::string adminToken;
  KeyFinder& keys;
  std::shared_ptr<Clock> clock;
  Interference* interference = nullptr;  // null: nothing ever goes wrong
  AuditHook audit;                       // may be empty
  /// What needs no signature: links of preauthenticated requests, public buckets, the registry with its own
  /// tokens. Asked for requests that claim none; the operations there say who may do what. Null: nothing.
  const Router* open = nullptr;
};

/// What the head of a request has decided, before its body is read.
struct Admission {
  AuditEntry entry;
  const Router* router = nullptr;
  Router::Match match;
  std::optional<VerifiedHead> signer;      // of a signed request
  bool isKnown = false;                    // signed, or by the administrator
  std::optional<OperationResult> instead;  // stands already: the body need not come
};

/// From a request as it came to the response: who is it, which operation, and the headers that every answer has
/// (opc-request-id, date, error body). Whether they may is asked by the operation, since only it knows the
/// compartment. Any number of threads at once.
class Dispatcher {
 public:
  explicit Dispatcher(DispatcherParts parts) : parts_(std::move(parts)) {}

  /// Who asks for what, and whether its body is wanted at all. Neither of the two ever throws: what goes
  /// wrong inside is a 500 and a line in the region's log.
  Admission admit(const IncomingRequest& head, bool hasBody);
  /// The request with its body.
  Response answer(const IncomingRequest& request, Admission admission);

 private:
  std::optional<OperationResult> checkHead(const IncomingRequest& head, bool hasBody, Admission& admission);
  std::optional<OperationResult> evaluateCaller(const IncomingRequest& head, Admission& admission);
  [[nodiscard]] bool isAdministrator(const IncomingRequest& head) const;
  [[nodiscard]] bool isOpen(const IncomingRequest& head, Admission& admission) const;
  Response carryOut(const IncomingRequest& request, Admission& admission);
  OperationResult serve(const IncomingRequest& request, Admission& admission);
  static Call callOf(const IncomingRequest& request, const Admission& admission,
                     std::map<std::string, std::string> path);

  DispatcherParts parts_;
};

}  // namespace lockstep::rehearsal

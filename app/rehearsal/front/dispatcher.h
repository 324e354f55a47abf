// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "base/clock.h"
#include "rehearsal/front/router.h"
#include "rehearsal/front/wire.h"
#include "rehearsal/identity/signature_verifier.h"

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
};

/// From a request on the wire to the reply: who is it, which operation, and the headers that every answer has
/// (opc-request-id, date, error body). Whether they may is asked by the operation, since only it knows the
/// compartment. Any number of threads at once.
class Dispatcher {
 public:
  explicit Dispatcher(DispatcherParts parts) : parts_(std::move(parts)) {}

  /// Never throws: what goes wrong inside is a 500 and a line in the region's log.
  Reply answer(const WireRequest& request);

 private:
  Answer carryOut(const WireRequest& request, TimePoint now);
  Answer administer(const WireRequest& request, TimePoint now);

  DispatcherParts parts_;
};

}  // namespace lockstep::rehearsal

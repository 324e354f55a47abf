// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "base/clock.h"
#include "rehearsal/router.h"
#include "rehearsal/signature_verifier.h"
#include "rehearsal/wire.h"

namespace lockstep::rehearsal {

/// From a request on the wire to the reply: who is it, which operation, may they, and the headers that every
/// answer has (opc-request-id, date, error body). Any number of threads at once.
class Dispatcher {
 public:
  Dispatcher(const Router& router, KeyFinder& keys, std::shared_ptr<Clock> clock)
      : router_(router), keys_(keys), clock_(std::move(clock)) {}

  /// Never throws: what goes wrong inside is a 500 and a line in the region's log.
  Reply answer(const WireRequest& request);

 private:
  Answer carryOut(const WireRequest& request, TimePoint now);

  const Router& router_;
  KeyFinder& keys_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace lockstep::rehearsal

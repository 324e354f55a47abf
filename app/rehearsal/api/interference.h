// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "rehearsal/api/http_types.h"
#include "rehearsal/api/router.h"
#include "rehearsal/api/visibility.h"

namespace lockstep::rehearsal {

/// What may come between an operation and its caller: the faults that a rehearsal asks for. Thread-safe.
class Interference {
 public:
  virtual ~Interference() = default;
  /// Asked of every authenticated request before its operation: an answer given instead of carrying it out.
  virtual std::optional<Response> instead(const Call& call) = 0;
  /// Asked of every operation that is carried out.
  [[nodiscard]] virtual Visibility visibility(const std::string& operation) const = 0;
  /// Asked when the answer stands (of `instead` too): may set reply.delivery.
  virtual void deliver(const std::string& operation, Response& response) = 0;
};

}  // namespace lockstep::rehearsal

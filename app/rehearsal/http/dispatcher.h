// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "rehearsal/front/router.h"
#include "rehearsal/front/wire.h"
#include "rehearsal/identity/signature_verifier.h"

namespace lockstep::rehearsal {

/// What may come between an operation and its caller: the faults that a rehearsal asks for. Thread-safe.
class Interference {
 public:
  virtual ~Interference() = default;
  /// Asked of every authenticated request before its operation: an answer given instead of carrying it out.
  virtual std::optional<Reply> instead(const Call& call) = 0;
  /// Asked of every operation that is carried out.
  [[nodiscard]] virtual Visibility visibility(const std::string& operation) const = 0;
  /// Asked when the answer stands (of `instead` too): may set reply.delivery.
  virtual void deliver(const std::string& operation, Reply& reply) = 0;
};

/// One request that was answered, for the region's audit. Nothing in it is secret: no header, no body, no
/// query.
struct AuditEntry {
  TimePoint time;
  std::optional<Principal> principal;  // none: not authenticated
  std::string operation;               // "CreateJobRun"; empty: none at this path
  std::string method, path;
  int status = 0;
  std::string code;  // of a refusal
  std::string requestId;
  std::string why;  // of a 401: what the caller is not told
  std::chrono::microseconds duration{0};
};
/// Called from any thread, outside of any transaction. Must not throw and not be slow.
using AuditHook = std::function<void(const AuditEntry&)>;

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
  std::optional<VerifiedHead> signer;  // of a signed request
  bool isKnown = false;                // signed, or by the administrator
  std::optional<Answer> instead;       // stands already: the body need not come
};

/// From a request on the wire to the reply: who is it, which operation, and the headers that every answer has
/// (opc-request-id, date, error body). Whether they may is asked by the operation, since only it knows the
/// compartment. Any number of threads at once.
class Dispatcher {
 public:
  explicit Dispatcher(DispatcherParts parts) : parts_(std::move(parts)) {}

  /// Who asks for what, and whether its body is wanted at all. Neither of the two ever throws: what goes
  /// wrong inside is a 500 and a line in the region's log.
  Admission admit(const WireRequest& head, bool hasBody);
  /// The request with its body.
  Reply answer(const WireRequest& request, Admission admission);

 private:
  std::optional<Answer> judge(const WireRequest& head, bool hasBody, Admission& admission);
  std::optional<Answer> judgeCaller(const WireRequest& head, Admission& admission);
  [[nodiscard]] bool isAdministrator(const WireRequest& head) const;
  [[nodiscard]] bool isOpen(const WireRequest& head, Admission& admission) const;
  Reply carryOut(const WireRequest& request, Admission& admission);
  Answer serve(const WireRequest& request, Admission& admission);
  static Call callOf(const WireRequest& request, const Admission& admission,
                     std::map<std::string, std::string> path);

  DispatcherParts parts_;
};

}  // namespace lockstep::rehearsal

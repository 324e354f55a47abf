// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace lockstep {

enum class ErrorCode {
  InvalidArgument,  // the caller's value is wrong; trying again cannot help
  NotFound,
  AlreadyExists,
  Unauthenticated,  // the service does not know who we are
  PermissionDenied,
  FailedPrecondition,  // right request, wrong state (412, 409)
  ResourceExhausted,   // quota, disk, rate limit
  Unavailable,         // could not reach it, or it is failing; trying again may help
  DeadlineExceeded,
  Cancelled,  // by the user, through a stop token
  DataLoss,   // bytes that do not have the shape or checksum they claim
  Io,         // a file or process of this machine
  Internal,   // a bug of ours
};

/// What a service said when it refused. Present only on failures that a service answered.
struct ServiceAnswer {
  std::string service;    // "Data Science"
  std::string operation;  // "CreateJobRun"
  int httpStatus = 0;     // 0: no answer arrived
  std::string errorCode;  // the `code` of the error body, e.g. "NotAuthorizedOrNotFound"; may be empty
  std::string requestId;  // opc-request-id; may be empty
};

/// Why something did not work, in the order in which a person asks. Always a failure; success is the value of Result.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string what;    // what failed, naming the thing and its value: "cannot read the key file '/x.pem'"
  std::string cause;   // why: "permission denied"; may be empty
  std::string remedy;  // the way out, as an instruction: "run chmod 600 /x.pem"; may be empty
  std::string where;   // file:line:column, a field path, or empty
  std::optional<ServiceAnswer> service;
};

template <class T>
using Result = tl::expected<T, Error>;

/// `return failure(ErrorCode::NotFound, "no run 'x'", "…", "…");`
[[nodiscard]] tl::unexpected<Error> failure(ErrorCode code, std::string what, std::string cause = {},
                                            std::string remedy = {}, std::string where = {});
[[nodiscard]] tl::unexpected<Error> failure(Error error);

/// A failed system call: the cause is errno's text. Read errno before anything else can change it.
[[nodiscard]] Error errnoError(std::string what, int errnoValue, std::string remedy = {});

[[nodiscard]] const char* toString(ErrorCode code);  // "not-found", stable, for --json

/// "where: what: cause" on one line, then the service line and the remedy, each on a line of its own.
[[nodiscard]] std::string describe(const Error& error);

/// "Data Science CreateJobRun: HTTP 404 NotAuthorizedOrNotFound, opc-request-id AB/CD"
[[nodiscard]] std::string describe(const ServiceAnswer& answer);

}  // namespace lockstep

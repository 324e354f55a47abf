// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/status.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace lockstep {

tl::unexpected<Status> failure(StatusCode code, std::string what, std::string cause, std::string remedy,
                               std::string where) {
  return tl::unexpected(
      Status{code, std::move(what), std::move(cause), std::move(remedy), std::move(where), std::nullopt});
}

tl::unexpected<Status> failure(Status status) { return tl::unexpected(std::move(status)); }

namespace {

StatusCode codeOfErrno(int e) {
  switch (e) {
    case ENOENT: return StatusCode::NotFound;
    case EEXIST: return StatusCode::AlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS: return StatusCode::PermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM: return StatusCode::ResourceExhausted;
    default: return StatusCode::Io;
  }
}

std::string remedyOfErrno(int e) {
  switch (e) {
    case ENOSPC:
    case EDQUOT: return "free some space on that disk, or choose another place";
    case EACCES:
    case EPERM: return "check the owner and the mode of the file and of its folder";
    case EROFS: return "choose a place that can be written";
    default: return {};
  }
}

}  // namespace

Status errnoStatus(std::string what, int errnoValue, std::string remedy) {
  if (remedy.empty()) remedy = remedyOfErrno(errnoValue);
  return Status{codeOfErrno(errnoValue), std::move(what), std::strerror(errnoValue), std::move(remedy), {}, {}};
}

const char* toString(StatusCode code) {
  switch (code) {
    case StatusCode::InvalidArgument: return "invalid-argument";
    case StatusCode::NotFound: return "not-found";
    case StatusCode::AlreadyExists: return "already-exists";
    case StatusCode::Unauthenticated: return "unauthenticated";
    case StatusCode::PermissionDenied: return "permission-denied";
    case StatusCode::FailedPrecondition: return "failed-precondition";
    case StatusCode::ResourceExhausted: return "resource-exhausted";
    case StatusCode::Unavailable: return "unavailable";
    case StatusCode::DeadlineExceeded: return "deadline-exceeded";
    case StatusCode::Cancelled: return "cancelled";
    case StatusCode::DataLoss: return "data-loss";
    case StatusCode::Io: return "io";
    case StatusCode::Internal: return "internal";
  }
  return "internal";
}

std::string describe(const ServiceAnswer& answer) {
  std::string text = fmt::format("{} {}: ", answer.service, answer.operation);
  text += answer.httpStatus == 0 ? std::string("no answer") : fmt::format("HTTP {}", answer.httpStatus);
  if (!answer.errorCode.empty()) text += " " + answer.errorCode;
  if (!answer.requestId.empty()) text += ", opc-request-id " + answer.requestId;
  return text;
}

std::string describe(const Status& status) {
  std::string text = status.where.empty() ? status.what : status.where + ": " + status.what;
  if (!status.cause.empty()) text += ": " + status.cause;
  if (status.service) text += "\n  " + describe(*status.service);
  if (!status.remedy.empty()) text += "\n  " + status.remedy;
  return text;
}

}  // namespace lockstep

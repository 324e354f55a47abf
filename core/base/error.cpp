// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace lockstep {

tl::unexpected<Error> failure(ErrorCode code, std::string what, std::string cause, std::string remedy,
                              std::string where) {
  return tl::unexpected(
      Error{code, std::move(what), std::move(cause), std::move(remedy), std::move(where), std::nullopt});
}

tl::unexpected<Error> failure(Error error) {
  return tl::unexpected(std::move(error));
}

namespace {

ErrorCode codeOfErrno(int e) {
  switch (e) {
    case ENOENT:
      return ErrorCode::NotFound;
    case EEXIST:
      return ErrorCode::AlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::PermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return ErrorCode::ResourceExhausted;
    default:
      return ErrorCode::Io;
  }
}

std::string remedyOfErrno(int e) {
  switch (e) {
    case ENOSPC:
    case EDQUOT:
      return "free some space on that disk, or choose another place";
    case EACCES:
    case EPERM:
      return "check the owner and the mode of the file and of its folder";
    case EROFS:
      return "choose a place that can be written";
    default:
      return {};
  }
}

}  // namespace

Error errnoError(std::string what, int errnoValue, std::string remedy) {
  if (remedy.empty()) remedy = remedyOfErrno(errnoValue);
  return Error{
      codeOfErrno(errnoValue), std::move(what), std::strerror(errnoValue), std::move(remedy), {}, {}};
}

const char* toString(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidArgument:
      return "invalid-argument";
    case ErrorCode::NotFound:
      return "not-found";
    case ErrorCode::AlreadyExists:
      return "already-exists";
    case ErrorCode::Unauthenticated:
      return "unauthenticated";
    case ErrorCode::PermissionDenied:
      return "permission-denied";
    case ErrorCode::FailedPrecondition:
      return "failed-precondition";
    case ErrorCode::ResourceExhausted:
      return "resource-exhausted";
    case ErrorCode::Unavailable:
      return "unavailable";
    case ErrorCode::DeadlineExceeded:
      return "deadline-exceeded";
    case ErrorCode::Cancelled:
      return "cancelled";
    case ErrorCode::DataLoss:
      return "data-loss";
    case ErrorCode::Io:
      return "io";
    case ErrorCode::Internal:
      return "internal";
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

std::string describe(const Error& error) {
  std::string text = error.where.empty() ? error.what : error.where + ": " + error.what;
  if (!error.cause.empty()) text += ": " + error.cause;
  if (error.service) text += "\n  " + describe(*error.service);
  if (!error.remedy.empty()) text += "\n  " + error.remedy;
  return text;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/exit_codes.h"

#include <algorithm>
#include <new>

namespace lockstep::trainer {
namespace {

constexpr const char* kOutOfMemory = "out of memory";

int joiningCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::FailedPrecondition:
      return kExitDisagreement;
    case ErrorCode::AlreadyExists:
      return kExitRankTwice;
    case ErrorCode::DataLoss:
      return kExitVersionsDiffer;
    case ErrorCode::NotFound:
      return kExitMasterUnreachable;
    case ErrorCode::Unauthenticated:
      return kExitPortTaken;
    case ErrorCode::DeadlineExceeded:
    case ErrorCode::Unavailable:
      return kExitNotJoined;
    default:
      return kExitFailed;
  }
}

int dataCode(ErrorCode code) {
  const bool damaged = code == ErrorCode::DataLoss || code == ErrorCode::NotFound ||
                       code == ErrorCode::PermissionDenied || code == ErrorCode::Io;
  return damaged ? kExitBadData : kExitFailed;
}

}  // namespace

int exitCodeFor(const Error& error, RankPhase phase) {
  if (isOutOfMemory(error)) return kExitOutOfMemory;
  if (error.code == ErrorCode::InvalidArgument) return kExitUsage;
  if (phase == RankPhase::Joining) return joiningCode(error.code);
  if (error.code == ErrorCode::ResourceExhausted) return kExitOutOfDisk;
  if (phase == RankPhase::LoadingData || phase == RankPhase::Data) return dataCode(error.code);
  if (phase == RankPhase::Starting) return kExitFailed;
  // From here on the rank is in a job with others.
  const bool inStep = phase >= RankPhase::HostToDevice && phase <= RankPhase::Optimizer;
  if (error.code == ErrorCode::FailedPrecondition && inStep) return kExitLossNotFinite;
  if (error.code == ErrorCode::DataLoss) return inStep ? kExitDiverged : kExitBadCheckpoint;
  if (error.code == ErrorCode::DeadlineExceeded) return kExitTimedOut;
  if (error.code == ErrorCode::Unavailable) return kExitPeerLost;
  return kExitFailed;
}

Error computingError(const std::string& what, const std::exception& error) {
  const std::string text = error.what();
  const std::string first = text.substr(0, text.find('\n'));  // LibTorch appends a back trace
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                      text.find("can't allocate memory") != std::string::npos ||
                      text.find("out of memory") != std::string::npos ||
                      text.find("not enough memory") != std::string::npos;
  if (!memory) return Error{ErrorCode::Internal, what, first, {}, {}, {}};
  return Error{ErrorCode::ResourceExhausted,
               what,
               kOutOfMemory,
               "train with a smaller --batch-size, fewer ranks per node, or on a shape with more memory",
               {},
               {}};
}

bool isOutOfMemory(const Error& error) {
  return error.code == ErrorCode::ResourceExhausted && error.cause == kOutOfMemory;
}

std::string oneLine(const Error& error) {
  std::string text = error.where.empty() ? error.what : error.where + ": " + error.what;
  if (!error.cause.empty()) text += ": " + error.cause;
  if (error.service) text += " (" + describe(*error.service) + ")";
  if (!error.remedy.empty()) text += "; " + error.remedy;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace lockstep::trainer

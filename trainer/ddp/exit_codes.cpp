// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/exit_codes.h"

#include <algorithm>
#include <new>

namespace lockstep::trainer {
namespace {

constexpr const char* kOutOfMemory = "out of memory";

int joiningCode(StatusCode code) {
  switch (code) {
    case StatusCode::FailedPrecondition:
      return kExitDisagreement;
    case StatusCode::AlreadyExists:
      return kExitRankTwice;
    case StatusCode::DataLoss:
      return kExitVersionsDiffer;
    case StatusCode::NotFound:
      return kExitMasterUnreachable;
    case StatusCode::Unauthenticated:
      return kExitPortTaken;
    case StatusCode::DeadlineExceeded:
    case StatusCode::Unavailable:
      return kExitNotJoined;
    default:
      return kExitFailed;
  }
}

int dataCode(StatusCode code) {
  const bool damaged = code == StatusCode::DataLoss || code == StatusCode::NotFound ||
                       code == StatusCode::PermissionDenied || code == StatusCode::Io;
  return damaged ? kExitBadData : kExitFailed;
}

}  // namespace

int exitCodeFor(const Status& status, Activity activity) {
  if (isOutOfMemory(status)) return kExitOutOfMemory;
  if (status.code == StatusCode::InvalidArgument) return kExitUsage;
  if (activity == Activity::Joining) return joiningCode(status.code);
  if (status.code == StatusCode::ResourceExhausted) return kExitOutOfDisk;
  if (activity == Activity::LoadingData || activity == Activity::Data) return dataCode(status.code);
  if (activity == Activity::Starting) return kExitFailed;
  // From here on the rank is in a job with others.
  const bool inStep = activity >= Activity::HostToDevice && activity <= Activity::Optimizer;
  if (status.code == StatusCode::FailedPrecondition && inStep) return kExitLossNotFinite;
  if (status.code == StatusCode::DataLoss) return inStep ? kExitDiverged : kExitBadCheckpoint;
  if (status.code == StatusCode::DeadlineExceeded) return kExitTimedOut;
  if (status.code == StatusCode::Unavailable) return kExitPeerLost;
  return kExitFailed;
}

Status computingStatus(const std::string& what, const std::exception& error) {
  const std::string text = error.what();
  const std::string first = text.substr(0, text.find('\n'));  // LibTorch appends a back trace
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                      text.find("can't allocate memory") != std::string::npos ||
                      text.find("out of memory") != std::string::npos ||
                      text.find("not enough memory") != std::string::npos;
  if (!memory) return Status{StatusCode::Internal, what, first, {}, {}, {}};
  return Status{StatusCode::ResourceExhausted,
                what,
                kOutOfMemory,
                "train with a smaller --batch-size, fewer ranks per node, or on a shape with more memory",
                {},
                {}};
}

bool isOutOfMemory(const Status& status) {
  return status.code == StatusCode::ResourceExhausted && status.cause == kOutOfMemory;
}

std::string oneLine(const Status& status) {
  std::string text = status.where.empty() ? status.what : status.where + ": " + status.what;
  if (!status.cause.empty()) text += ": " + status.cause;
  if (status.service) text += " (" + describe(*status.service) + ")";
  if (!status.remedy.empty()) text += "; " + status.remedy;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace lockstep::trainer

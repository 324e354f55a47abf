// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/launch_progress.h"

#include <fmt/format.h>

namespace lockstep {

std::string toText(const LaunchProgress& progress) {
  switch (progress.stage) {
    case LaunchStage::CheckingMachine:
      return "checking this machine";
    case LaunchStage::StartingRegion:
      return "starting the rehearsal region";
    case LaunchStage::CopyingCode:
      return "copying the code";
    case LaunchStage::CreatingJob:
      return fmt::format("creating job '{}'", progress.name);
    case LaunchStage::CreatingJobRun:
      return fmt::format("creating job run '{}'", progress.name);
    case LaunchStage::Launched:
      break;
  }
  return "launched";
}

}  // namespace lockstep

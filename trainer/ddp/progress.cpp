// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/progress.h"

#include <fmt/format.h>

#include <sstream>

namespace lockstep::trainer {

const char* activityName(Activity activity) {
  switch (activity) {
    case Activity::Starting:
      return "starting";
    case Activity::Joining:
      return "joining";
    case Activity::LoadingData:
      return "loading data";
    case Activity::Preparing:
      return "building the network";
    case Activity::Data:
      return "data";
    case Activity::HostToDevice:
      return "host to device";
    case Activity::Forward:
      return "forward";
    case Activity::Backward:
      return "backward";
    case Activity::Waiting:
      return "waiting for peers";
    case Activity::Optimizer:
      return "optimizer";
    case Activity::Evaluating:
      return "evaluation";
    case Activity::Saving:
      return "saving";
    case Activity::Ending:
      return "ending";
  }
  return "?";
}

std::string describe(const Standing& standing) {
  if (standing.step < 0) return fmt::format("while {}", activityName(standing.activity));
  return fmt::format("at step {} ({})", standing.step, activityName(standing.activity));
}

std::string encode(const Standing& standing) {
  return fmt::format("{} {} {} {}", static_cast<int>(standing.activity), standing.step, standing.collectives,
                     standing.busyMicros);
}

std::optional<Standing> decodeStanding(std::string_view text) {
  std::istringstream words{std::string(text)};
  int activity = 0;
  Standing standing;
  if (!(words >> activity >> standing.step >> standing.collectives >> standing.busyMicros) || activity < 0 ||
      activity > static_cast<int>(Activity::Ending)) {
    return std::nullopt;
  }
  standing.activity = static_cast<Activity>(activity);
  return standing;
}

}  // namespace lockstep::trainer

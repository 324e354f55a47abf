// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/run_follower.h"

namespace lockstep::testing {

/// What somebody who follows a run has been shown so far.
class StoryView {
 public:
  explicit StoryView(std::unique_ptr<RunFollower> follower) : follower_(std::move(follower)) {}

  /// Looks once: `run` is then as it was seen, and `twice` has what was shown a second time. The problems
  /// that the user was told.
  std::vector<Error> look(TrainingRun& run, std::vector<std::string>& twice);
  /// Of every node at least so many.
  [[nodiscard]] bool hasLines(const TrainingRun& run, int each) const;
  [[nodiscard]] const std::map<std::string, std::string>& lines() const { return lines_; }
  [[nodiscard]] std::size_t samples() const { return samples_.size(); }

 private:
  std::unique_ptr<RunFollower> follower_;
  std::map<std::string, std::string> lines_;  // record id -> text
  std::map<std::string, int> linesOf_;        // job run -> how many
  std::map<Step, double> samples_;
};

}  // namespace lockstep::testing

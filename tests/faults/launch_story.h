// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "launch/run_services.h"
#include "tests/faults/fault_region.h"
#include "tests/faults/story_parts.h"
#include "tests/faults/story_sign_in.h"

namespace lockstep::testing {

/// What a node of the story does: prints ten lines, and waits to be ended.
extern const char* const kStoryScript;

/// What shall go wrong, and when.
struct StoryFault {
  nlohmann::json fault;     // without its operation, which is that of the step
  std::size_t step = 0;     // of storySteps()
  bool lasting = false;     // the step has to fail, to say so, and to succeed once the fault is over
  bool wholeStory = false;  // from the beginning to the end instead: not of one step
  /// What the message of a lasting fault must say. Of a whole story: what some message must say; empty:
  /// nothing may go wrong.
  std::string mustTell = {};
  SignedInAs who = SignedInAs::ApiKey;
};

/// What became of a story. Everything in `wrong` is a bug: of the product, or of the region.
struct StoryOutcome {
  std::vector<std::string> wrong;
  std::map<std::size_t, std::string> messages;  // what the user saw, by step
  int strikes = 0;
  double seconds = 0;
};

/// Plays the story with the real launcher, follower and clients against a real region, with one fault, and
/// checks afterwards what the region holds. Backoff takes no time; all else does. Any number of threads, each
/// with a region of its own.
[[nodiscard]] StoryOutcome playStory(FaultRegion& region, const std::string& name, const StoryFault& fault);

}  // namespace lockstep::testing

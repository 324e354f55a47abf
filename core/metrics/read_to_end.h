// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>

#include "metrics/metric_reader.h"

namespace lockstep {

/// How much of what a run has written was read.
struct ReadToEnd {
  std::uint64_t segmentsRead = 0, segmentsKnown = 0;  // read: or given up on
  int unreadableSegments = 0;                         // given up on
  std::optional<Error> unreadable;                    // the first of those, and why
  std::vector<Error> findings;                        // what is there and none of the run's
  std::optional<Error> problem;                       // why the rest was not read; absent: there is none
};

/// Polls until everything that is there was read or given up on, however many polls that takes: one alone may end in
/// the middle. `take` gets each of them. Of a run that goes on it is what was there when the last one began. Blocks on
/// the store for as long as it takes, or until `stop`.
[[nodiscard]] ReadToEnd readToEnd(MetricReader& reader,
                                  const std::function<void(const MetricReader::Update&)>& take,
                                  const std::stop_token& stop);

}  // namespace lockstep

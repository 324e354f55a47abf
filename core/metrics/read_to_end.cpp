// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/read_to_end.h"

#include <utility>

namespace lockstep {

ReadToEnd readToEnd(MetricReader& reader, const std::function<void(const MetricReader::Update&)>& take,
                    const std::stop_token& stop) {
  ReadToEnd end;
  for (bool isWhole = false; !isWhole;) {
    auto update = reader.poll(stop);
    // One that is stopped in its listing brings nothing, and that is not all.
    if (update && stop.stop_requested())
      update = failure(ErrorCode::Cancelled, "reading the metrics was cancelled");
    if (!update) {
      end.problem = std::move(update.error());
      return end;
    }
    take(*update);
    end.segmentsRead = update->segmentsRead;
    end.segmentsKnown = update->segmentsKnown;
    end.unreadableSegments = update->unreadableSegments;
    end.unreadable = std::move(update->unreadable);
    end.findings = std::move(update->findings);
    // What is torn is tried again by the next polls, and counted as read once it is given up.
    isWhole = !update->isBehind && end.segmentsRead >= end.segmentsKnown;
  }
  return end;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "saved_lines.h"

#include "logs/log_source.h"

namespace lockstep::cli {

std::function<Result<void>(const PutLine&)> linesToSave(const TrainingRun& run, RunServices& services,
                                                        const std::stop_token& stop) {
  const std::shared_ptr<LogSource> source = services.lines(run);
  if (!source) return {};
  return [source, stop](const PutLine& put) -> Result<void> {
    do {
      const auto lines = source->poll(stop);
      if (!lines) {
        Error error = lines.error();
        if (error.remedy.empty()) error.remedy = "save the run without them: --no-lines";
        return failure(std::move(error));
      }
      for (const LogLine& line : *lines)
        if (auto done = put(line); !done) return done;
    } while (source->isBehind());
    return {};
  };
}

}  // namespace lockstep::cli

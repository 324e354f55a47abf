// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_metrics.h"

#include <fmt/format.h>

#include "output.h"
#include "progress_bar.h"

namespace lockstep::cli {

std::string loadingText(std::uint64_t read, std::uint64_t known) {
  return fmt::format("loading {} of {} segments", read, known);
}

double loadedShare(std::uint64_t read, std::uint64_t known) {
  return known == 0 ? 0 : static_cast<double>(read) / static_cast<double>(known);
}

ReadToEnd readAllMetrics(MetricReader& reader, MetricStore& into, const std::stop_token& stop) {
  ProgressBar bar(true);
  const auto take = [&](const MetricReader::Update& update) {
    into.add(update.batches);
    if (update.isBehind)  // what one look has time for needs no bar
      bar.show(loadedShare(update.segmentsRead, update.segmentsKnown),
               loadingText(update.segmentsRead, update.segmentsKnown));
  };
  ReadToEnd read = readToEnd(reader, take, stop);
  if (!read.problem) return read;
  const std::uint64_t missing = read.segmentsKnown - read.segmentsRead;
  if (missing > 0 && read.problem->code != ErrorCode::Cancelled)
    read.problem->what += fmt::format(" ({} of {} segments were not read)", missing, read.segmentsKnown);
  return read;
}

void warnOfGaps(const ReadToEnd& read) {
  if (read.unreadable)
    warn(fmt::format("{} of {} segments could not be read; the first: {}", read.unreadableSegments,
                     read.segmentsKnown, describe(*read.unreadable)));
  for (const Error& finding : read.findings) warn(describe(finding));
}

}  // namespace lockstep::cli

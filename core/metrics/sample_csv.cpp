// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/sample_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "base/atomic_file.h"
#include "base/text/quote.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

Result<void> expectWhole(const MetricStore& samples, const SampleSelection& selection) {
  for (const Rank rank : selection.ranks)
    if (samples.isCoarse(rank, selection.from, selection.to))
      return failure(ErrorCode::FailedPrecondition,
                     fmt::format("cannot write all samples of '{}'", selection.name),
                     fmt::format("of rank {} not all of these steps are in memory", rank.value),
                     "zoom in until they are loaded, or run: lockstep metrics RUN");
  return {};
}

}  // namespace

std::string sampleCsv(const MetricStore& samples, std::string_view name, Rank rank, Step from, Step to) {
  const std::string begin = fmt::format("{},{},", rank.value, quoteCsv(name));
  std::string lines;
  for (const MetricPoint& point : samples.series(name, rank)) {
    if (point.step < from || point.step > to) continue;
    fmt::format_to(std::back_inserter(lines), "{}{},{},{}\n", begin, point.step, toRfc3339(point.time),
                   point.value);
  }
  return lines;
}

Result<void> writeSampleCsv(const std::filesystem::path& path, const MetricStore& samples,
                            std::span<const SampleSelection> selections, const std::stop_token& stop) {
  for (const SampleSelection& selection : selections)
    if (auto whole = expectWhole(samples, selection); !whole) return whole;
  return writeFileInPieces(path, [&](const PutBytes& put) -> Result<void> {
    if (auto head = put(kSampleCsvHead); !head) return head;
    for (const SampleSelection& selection : selections) {
      for (const Rank rank : selection.ranks) {
        if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the samples were not written");
        auto lines = put(sampleCsv(samples, selection.name, rank, selection.from, selection.to));
        if (!lines) return lines;
      }
    }
    return {};
  });
}

}  // namespace lockstep

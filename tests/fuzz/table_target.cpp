// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bounds.h"
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "memory_file.h"
#include "portable/imports/csv_samples.h"

namespace lockstep {
namespace {

constexpr Step kMaxStep = Step{1} << 53;

std::string checkRun(const ImportedRun& run) {
  std::uint64_t samples = 0;
  for (const auto& [rank, series] : run.ranks) {
    if (rank.value < 0 || rank.value >= kMaxRanks) return "a rank that no cluster has";
    for (const auto& [name, points] : series) {
      if (name.empty() || name.find('\n') != std::string::npos) return "a name that is none";
      samples += points.size();
      for (const MetricPoint& point : points)
        if (point.step < -kMaxStep || point.step > kMaxStep) return "a step beyond all bounds";
    }
  }
  return samples == run.samples && samples > 0 ? "" : "samples that are counted wrong";
}

}  // namespace

std::string tryTable(std::string_view input) {
  const MemoryFile file(input);
  const auto runs = runsInCsv(file.path(), {});
  if (!runs) return wordless(runs.error(), ErrorCode::InvalidArgument);
  for (const ImportedRun& run : *runs)
    if (std::string wrong = checkRun(run); !wrong.empty()) return wrong;
  return {};
}

}  // namespace lockstep

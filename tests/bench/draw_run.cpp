// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a run that has ended, as its folder in a work dir, for measurements and pictures of the dashboard.
//   draw_run FOLDER RANKS STEPS [ROWS [all]]  FOLDER is made; 10 quantities, or all that a rank can measure, ROWS steps a
//                                             segment (5,000), with their summaries and the index; rank 17 waits for nobody:
//                                             it is the straggler
//   lockstep-desktop --bench-dashboard file:///…/FOLDER
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_text.h"
#include "metrics/metric_catalogue.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_summary.h"
#include "workdir/work_dir_uri.h"

namespace {

using namespace lockstep;
constexpr Step kRowsPerSegment = 5000;
constexpr std::chrono::milliseconds kStepTime{90};
constexpr int kStraggler = 17;
constexpr Step kSpike = 812;

/// The same numbers in every run of this program.
double noise(Step step, int rank, int what) {
  auto h = static_cast<std::uint64_t>(step) * 0x9E3779B97F4A7C15U +
           static_cast<std::uint64_t>(rank) * 0xBF58476D1CE4E5B9U +
           static_cast<std::uint64_t>(what) * 0x94D049BB133111EBU;
  h ^= h >> 31;
  h *= 0xD6E8FEB86659FD93U;
  h ^= h >> 32;
  return static_cast<double>(h % 10'000) / 10'000.0 - 0.5;
}

std::vector<std::pair<std::string_view, double>> valuesOf(Step step, int rank, Step steps) {
  const double at = static_cast<double>(step) / static_cast<double>(steps);
  const bool isSlow = rank == kStraggler;
  const double compute = (isSlow ? 78 : 41) + 6 * noise(step, rank, 1);
  const double slowest = 81;
  const double wait = std::max(1.0, slowest - compute + 2 * noise(step, rank, 2));
  const double spike = rank == 3 && step == kSpike ? 400 : 0;
  return {{metric::kLoss, 0.4 + 1.9 * std::exp(-6 * at) + 0.25 * noise(step, rank, 0)},
          {metric::kStepMs, compute + wait + 4 + spike},
          {metric::kSamplesPerSecond, 64'000 / (compute + wait + 4 + spike)},
          {metric::kCpuPercent, 92 + 8 * noise(step, rank, 3)},
          {metric::kGpuPercent, (isSlow ? 97 : 62) + 6 * noise(step, rank, 4)},
          {metric::kDataMs, 3 + noise(step, rank, 5)},
          {metric::kForwardMs, compute * 0.35},
          {metric::kBackwardMs, compute * 0.65},
          {metric::kWaitMs, wait},
          {metric::kOptimizerMs, 1 + spike}};
}

/// Of a quantity that valuesOf() leaves out; nullopt: not measured at this step.
std::optional<double> otherValue(const MetricInfo& metric, Step step, int rank, Step steps) {
  const double at = static_cast<double>(step) / static_cast<double>(steps);
  const double some = noise(step, rank, static_cast<int>(metric.name.size()) + 9);
  if (metric.name == metric::kAccuracy)
    return rank == 0 && step % (steps / 20 + 1) == 0 ? std::optional(92 - 70 * std::exp(-5 * at))
                                                     : std::nullopt;
  if (metric.name == metric::kGpuXid) return 0;
  if (metric.name == metric::kLearningRate) return 0.05 * (1 + std::cos(3.14159 * at));
  if (metric.name == metric::kEpoch) return std::floor(10 * at);
  if (metric.name == metric::kCheckpointStep)
    return rank == 0 && step > 0 && step % (steps / 8 + 1) == 0 ? std::optional(static_cast<double>(step))
                                                                : std::nullopt;
  if (metric.name == metric::kTotalSteps) return static_cast<double>(steps);
  switch (metric.unit) {
    case MetricUnit::Percent:
      return 45 + 10 * some;
    case MetricUnit::PercentOfOneCore:
      return 110 + 30 * some;
    case MetricUnit::Milliseconds:
      return 2 + some;
    case MetricUnit::Bytes:
      return 2.1e10 + 1e9 * at;
    case MetricUnit::BytesPerSecond:
      return 3e8 * (1 + some);
    case MetricUnit::PerSecond:
      return 50'000 + 4'000 * some;
    case MetricUnit::Watts:
      return 380 + 60 * some;
    case MetricUnit::Celsius:
      return 58 + 9 * at + 2 * some;
    case MetricUnit::Megahertz:
      return 1'700 + 80 * some;
    case MetricUnit::Count:
      return 0;
    case MetricUnit::None:
      return 1.4 + some;
  }
  return std::nullopt;
}

std::vector<std::pair<std::string_view, double>> allValuesOf(Step step, int rank, Step steps) {
  auto values = valuesOf(step, rank, steps);
  for (const MetricInfo& metric : metricCatalogue()) {
    const auto isThere = [&metric](const auto& value) { return value.first == metric.name; };
    if (metric.source != MetricSource::Rank || std::ranges::any_of(values, isThere)) continue;
    if (const auto value = otherValue(metric, step, rank, steps)) values.emplace_back(metric.name, *value);
  }
  return values;
}

bool write(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return out.good();
}

struct Drawing {
  std::filesystem::path folder;  // of the metrics
  Step steps = 0, rows = kRowsPerSegment;
  bool hasAll = false;  // quantities
  TimePoint end = std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
};

bool writeSegment(const Drawing& drawing, const MetricSegment& segment, SummaryBuilder& summaries) {
  bool isWritten =
      write(drawing.folder / segmentName(segment.rank, segment.sequence), encodeSegment(segment));
  for (const SegmentSummary& summary : summaries.add(segment))
    isWritten = write(drawing.folder / segmentName(summary.id), encodeSummary(summary)) && isWritten;
  return isWritten;
}

bool drawRank(const Drawing& drawing, int rank) {
  const Step steps = drawing.steps;
  SummaryBuilder summaries;
  MetricSegment segment;
  for (Step step = 0; step < steps; ++step) {
    segment.append(step, drawing.end - kStepTime * (steps - step),
                   drawing.hasAll ? allValuesOf(step, rank, steps) : valuesOf(step, rank, steps));
    if (step + 1 < steps && (step + 1) % drawing.rows != 0) continue;
    segment.rank = Rank(rank);
    if (!writeSegment(drawing, segment, summaries)) return false;
    const auto next = segment.sequence + 1;
    segment = {};
    segment.sequence = next;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool isAsked = argc >= 4 && argc <= 6;
  const int ranks = isAsked ? std::atoi(argv[2]) : 0;
  Drawing drawing;
  drawing.steps = isAsked ? std::atoll(argv[3]) : 0;
  if (argc >= 5) drawing.rows = std::atoll(argv[4]);
  drawing.hasAll = argc == 6 && std::string_view(argv[5]) == "all";
  if (ranks <= 0 || drawing.steps <= 0 || drawing.rows <= 0) {
    std::fprintf(stderr, "draw_run FOLDER RANKS STEPS [ROWS [all]]\n");
    return 2;
  }
  drawing.folder = std::filesystem::path(argv[1]) / "lockstep" / "metrics";
  const std::filesystem::path& folder = drawing.folder;
  for (int rank = 0; rank < ranks; ++rank)
    if (!drawRank(drawing, rank)) {
      std::fprintf(stderr, "draw_run: cannot write below '%s'\n", folder.c_str());
      return 1;
    }
  const auto segments = static_cast<std::uint64_t>((drawing.steps + drawing.rows - 1) / drawing.rows);
  write(folder / layout::kMetricIndexName,
        toText({1, std::vector<std::uint64_t>(static_cast<std::size_t>(ranks), segments)}));
  std::ofstream(folder.parent_path() / "run.json")
      << "{\"entryScript\":\"train.py\",\"framework\":\"pytorch\",\"nodes\":" << ranks
      << ",\"ranksPerNode\":1,\"started\":\"" << toRfc3339(drawing.end - kStepTime * drawing.steps)
      << "\",\"worldSize\":" << ranks << "}\n";
  std::ofstream(folder.parent_path().parent_path() / "stop") << "stop";
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a run that has ended, as its folder in a work dir, for measurements and pictures of the dashboard.
//   draw_run FOLDER RANKS STEPS        FOLDER is made; 10 quantities; rank 17 waits for nobody: it is the straggler
//   lockstep-desktop --bench-dashboard file:///…/FOLDER
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "metrics/metric_catalogue.h"
#include "metrics/segments/metric_segment.h"

namespace {

using namespace lockstep;
constexpr Step kRowsPerSegment = 5000;
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

bool write(const std::filesystem::path& folder, const MetricSegment& segment) {
  const std::filesystem::path file = folder / segmentName(segment.rank, segment.sequence, segment.level);
  std::filesystem::create_directories(file.parent_path());
  const std::string bytes = encodeSegment(segment);
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return out.good();
}

bool drawRank(const std::filesystem::path& folder, int rank, Step steps) {
  const TimePoint end =
      std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
  MetricSegment segment;
  for (Step step = 0; step < steps; ++step) {
    segment.append(step, end - std::chrono::milliseconds(90 * (steps - step)), valuesOf(step, rank, steps));
    if (step + 1 < steps && (step + 1) % kRowsPerSegment != 0) continue;
    segment.rank = Rank(rank);
    if (!write(folder, segment)) return false;
    const auto next = segment.sequence + 1;
    segment = {};
    segment.sequence = next;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc == 4 ? std::atoi(argv[2]) : 0;
  const Step steps = argc == 4 ? std::atoll(argv[3]) : 0;
  if (ranks <= 0 || steps <= 0) {
    std::fprintf(stderr, "draw_run FOLDER RANKS STEPS\n");
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::path(argv[1]) / "lockstep" / "metrics";
  for (int rank = 0; rank < ranks; ++rank)
    if (!drawRank(folder, rank, steps)) {
      std::fprintf(stderr, "draw_run: cannot write below '%s'\n", folder.c_str());
      return 1;
    }
  std::ofstream(folder.parent_path() / "run.json")
      << "{\"entryScript\":\"train.py\",\"framework\":\"pytorch\",\"nodes\":" << ranks
      << ",\"ranksPerNode\":1,\"started\":\"2026-11-23T05:37:02.783Z\",\"worldSize\":" << ranks << "}\n";
  std::ofstream(folder.parent_path().parent_path() / "stop") << "stop";
  return 0;
}

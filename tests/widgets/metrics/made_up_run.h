// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <memory>
#include <vector>

#include "logs/log_line.h"
#include "metrics/metric_sample.h"
#include "metrics/metric_store.h"
#include "widgets/metrics/dashboard.h"

namespace lockstep {

/// A training run as the trainer leaves it: `steps` steps of `ranks` ranks, with their lines.
inline std::vector<MetricSeriesBatch> madeUpMetrics(int ranks, Step steps, bool withGpu = false) {
  std::vector<MetricSeriesBatch> batches;
  const TimePoint begin =
      std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now()) -
      std::chrono::milliseconds(40 * steps);
  const auto series = [&](std::string_view name, int rank, auto value) {
    MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
    for (Step i = 0; i < steps; ++i)
      batch.points.push_back({i, begin + std::chrono::milliseconds(40 * i), value(static_cast<double>(i))});
    batches.push_back(std::move(batch));
  };
  for (int rank = 0; rank < ranks; ++rank) {
    const double r = rank;
    series(metric::kLoss, rank, [r](double i) {
      return 0.4 + 1.9 * std::exp(-i / 160) + 0.12 * std::sin(i * 1.7 + r * 2) * std::cos(i * 0.37 + r) +
             0.05 * r;
    });
    series(metric::kSamplesPerSecond, rank,
           [r](double i) { return 640 + 30 * std::sin(i * 0.9 + r) - 18 * r; });
    series(metric::kCpuPercent, rank, [r](double i) { return 62 + 9 * std::sin(i * 0.5 + r * 1.3) + 4 * r; });
    series(metric::kMemoryBytes, rank, [r](double i) { return 2.1e8 + 1e5 * i + 1e6 * r; });
    if (withGpu)
      series(metric::kGpuPercent, rank, [r](double i) { return 91 - 5 * r + 3 * std::sin(i * 0.3); });
  }
  return batches;
}

inline std::shared_ptr<const MetricStore> samplesOf(const std::vector<MetricSeriesBatch>& batches) {
  MetricStore store;
  store.add(batches);
  return store.snapshot();
}

inline std::vector<RankNode> madeUpNodes(int ranks) {
  std::vector<RankNode> nodes;
  for (int rank = 0; rank < ranks; ++rank)
    nodes.push_back({Rank(rank),
                     rank == 0 ? QStringLiteral("main") : QStringLiteral("worker_%1").arg(rank - 1),
                     QStringLiteral("In progress")});
  return nodes;
}

inline std::vector<LogLine> madeUpLines(int ranks, int count) {
  std::vector<LogLine> lines;
  const TimePoint begin =
      std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now()) -
      std::chrono::milliseconds(400 * count);
  for (int i = 0; i < count; ++i) {
    LogLine line;
    line.id = std::to_string(i);
    line.time = begin + std::chrono::milliseconds(400 * i);
    line.rank = Rank(i % ranks);
    line.node = i % ranks == 0 ? "main" : "worker_" + std::to_string(i % ranks - 1);
    line.text = "[1, " + std::to_string(i * 20) + "] loss: " + std::to_string(2.3 * std::exp(-i / 30.0));
    if (i % 17 == 5) line.text = "WARNING: data loading takes 31 % of the step";
    if (i % 23 == 9) {
      line.text = "[node] rank " + std::to_string(i % ranks) + " is alive";
      line.rank.reset();
    }
    if (i == count - 4) line.text = "ERROR: connection to rank 2 was lost, trying again";
    line.level = levelOf(line.text);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace lockstep

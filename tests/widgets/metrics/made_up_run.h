// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <vector>

#include "logs/log_line.h"
#include "made_up_metrics.h"
#include "widgets/metrics/dashboard.h"

namespace lockstep {

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "metrics/metric_reader.h"
#include "metrics/read_to_end.h"
#include "workdir/file_object_store.h"

namespace lockstep::node {

/// Points by rank and name.
using Samples = std::map<std::pair<int, std::string>, std::vector<MetricPoint>>;

/// All that ranks have left in the work dir, read as the dashboard reads it.
inline Samples samplesIn(const std::filesystem::path& workDir, const std::string& folder) {
  MetricReader reader(openFolder(workDir), folder);
  Samples samples;
  const auto take = [&](const MetricReader::Update& update) {
    for (const MetricSeriesBatch& batch : update.batches) {
      auto& points = samples[{batch.rank.value, batch.name}];
      points.insert(points.end(), batch.points.begin(), batch.points.end());
    }
  };
  const ReadToEnd end = readToEnd(reader, take, {});
  EXPECT_FALSE(end.problem);
  EXPECT_EQ(end.unreadableSegments, 0);
  return samples;
}

/// (step, value) of each.
inline std::vector<std::pair<Step, double>> pointsOf(const Samples& samples, int rank,
                                                     const std::string& name) {
  std::vector<std::pair<Step, double>> points;
  const auto found = samples.find({rank, name});
  if (found == samples.end()) return points;
  for (const MetricPoint& point : found->second) points.emplace_back(point.step, point.value);
  return points;
}

}  // namespace lockstep::node

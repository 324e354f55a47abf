// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "memory_object_store.h"
#include "metrics/metric_catalogue.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_summary.h"
#include "portable/save_run.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::testing {

inline constexpr TimePoint kSavedStart{std::chrono::hours(480'000)};

/// A run of some ranks that has failed, with a folder in a work dir and lines.
struct MadeUpRun {
  static constexpr int kSegments = 40, kRowsPerSegment = 25;
  int ranks = 3;
  std::shared_ptr<MemoryObjectStore> store = std::make_shared<MemoryObjectStore>();
  TrainingRun run;
  std::vector<LogLine> lines;

  explicit MadeUpRun(int ranks_ = 3) : ranks(ranks_) {
    run.id = RunId("cifar-7d05");
    run.name = "cifar";
    run.jobId = JobId("ocid1.datasciencejob.oc1.iad.aaaaaaaabbbbccccddddeeee");
    run.workDir = "oci://bucket@namespace/runs";
    run.created = kSavedStart;
    run.finished = kSavedStart + std::chrono::minutes(40);
    run.launchComplete = true;
    run.failure = "rank 1 on worker_0 ended with exit code 3";
    for (int rank = 0; rank < ranks; ++rank) addNode(rank);
    putMetrics();
    put("lockstep/run.json", R"({"nodes":3,"ranksPerNode":1,"worldSize":)" + std::to_string(ranks) +
                                 R"(,"started":"2024-10-04T00:00:00.000Z"})");
    put("lockstep/heartbeat.json", R"({"time":"2024-10-04T00:40:00.000Z","ranks":[],"waitingFor":[]})");
    for (int i = 0; i < 200; ++i)
      addLine(i, "step " + std::to_string(i) + "\tloss 0.5 \x1b[31mred\x1b[0m — ü");
  }

  void addNode(int rank) {
    NodeRun node;
    node.id = JobRunId("ocid1.datasciencejobrun.oc1.iad.aaaaaaaarun" + std::to_string(rank) + "eeeeffff");
    node.role = rank == 0 ? NodeRole::Main : NodeRole::Worker;
    node.displayName = rank == 0 ? "main" : "worker_" + std::to_string(rank - 1);
    node.nodeRank = rank;
    node.state = rank == 1 ? JobRunState::Failed : JobRunState::Succeeded;
    node.details = "it is over";
    node.started = kSavedStart;
    node.finished = run.finished;
    run.nodes.push_back(node);
  }

  void put(const std::string& name, const std::string& bytes) {
    store->set(layout::jobFolder(run.jobId.value) + name, bytes);
  }

  void putMetrics() {
    MetricIndex index;
    for (int rank = 0; rank < ranks; ++rank) {
      SummaryBuilder summaries;
      for (int number = 0; number < kSegments; ++number) {
        const MetricSegment raw = segment(rank, number);
        put("lockstep/metrics/" + segmentName(Rank(rank), raw.sequence), encodeSegment(raw));
        for (const SegmentSummary& summary : summaries.add(raw))
          put("lockstep/metrics/" + segmentName(summary.id), encodeSummary(summary));
      }
      index.segments.push_back(kSegments);
    }
    put("lockstep/metrics/index.json", toText(index));
  }

  static MetricSegment segment(int rank, int number) {
    MetricSegment raw;
    raw.rank = Rank(rank);
    raw.sequence = static_cast<std::uint64_t>(number);
    for (int row = 0; row < kRowsPerSegment; ++row) {
      const Step step = number * kRowsPerSegment + row;
      raw.append(step, kSavedStart + std::chrono::seconds(step),
                 {{metric::kLoss, 1.0 / static_cast<double>(step + rank + 1)},
                  {metric::kStepMs, static_cast<double>(step * 7 % 13)}});
    }
    return raw;
  }

  void addLine(int second, const std::string& text, const std::string& node = "main") {
    LogLine line;
    line.id = "record-" + std::to_string(lines.size());
    line.time = kSavedStart + std::chrono::seconds(second) + std::chrono::nanoseconds(7);
    line.node = node;
    if (lines.size() % 5 != 0) line.rank = Rank(static_cast<int>(lines.size() % 3));
    line.level = lines.size() % 7 == 0 ? LogLevel::Warning : LogLevel::Info;
    line.text = text;
    lines.push_back(line);
  }

  [[nodiscard]] RunToSave toSave() const {
    RunToSave what;
    what.run = run;
    what.workDir = store;
    what.lines = [this](const PutLine& put) -> Result<void> {
      for (const LogLine& line : lines)
        if (auto done = put(line); !done) return done;
      return {};
    };
    what.home = "/home/ann";
    what.now = kSavedStart + std::chrono::hours(1);
    return what;
  }
};

}  // namespace lockstep::testing

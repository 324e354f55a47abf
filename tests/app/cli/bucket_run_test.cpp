// SPDX-License-Identifier: GPL-3.0-or-later
// A run that somebody else launched, from the bucket where it lies: the real command line, a region, and its bytes on the wire.
#include <gtest/gtest.h>

#include "cli_process.h"
#include "ended_run.h"
#include "metrics/metric_reader.h"
#include "metrics/metric_store.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_summary.h"
#include "oci/calls/service_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/signing/profile.h"
#include "oci/storage/object_storage_client.h"
#include "workdir/work_dir_uri.h"

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct BucketRunTest : testing::Test {
  CliHome home;
  std::shared_ptr<ObjectStore> store;
  std::string workDir;

  void SetUp() override {
    ASSERT_EQ(home.run({"rehearsal", "start"}).code(), 0);
    const json region = home.run({"rehearsal", "status", "--json"}).json();
    workDir = region.at("places").at("workDir");
    const auto profile = oci::loadProfile({region.at("config").get<std::string>(), region.at("profile")}, {});
    ASSERT_TRUE(profile) << describe(profile.error());
    const auto services = oci::openServiceClient(*profile);
    ASSERT_TRUE(services) << describe(services.error());
    const auto opened = oci::openWorkDir(*services, workDir);
    ASSERT_TRUE(opened) << describe(opened.error());
    store = *opened;
  }
  ~BucketRunTest() override { home.run({"rehearsal", "stop"}); }

  [[nodiscard]] std::string uri() const { return workDir + "/Undefined"; }
  void putRun() { putEndedRun(store); }
  CliExit run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--profile", "REHEARSAL"});
    return home.run(std::move(arguments));
  }
};

TEST_F(BucketRunTest, IsReadToItsEndByEveryCommandThatReads) {
  putRun();
  const CliExit status = run({"status", uri(), "--json"});
  EXPECT_EQ(status.code(), 0) << status.err;
  EXPECT_EQ(status.json().at("state"), "SUCCEEDED");
  EXPECT_EQ(status.json().at("step"), kEndedSteps);
  EXPECT_EQ(status.json().at("ranks").size(), std::size_t{kEndedRanks});
  const CliExit metrics = run({"metrics", uri()});
  EXPECT_EQ(metrics.code(), 0) << metrics.err;
  EXPECT_EQ(lossesIn(metrics.out), kEndedRanks * kEndedSteps);
  const CliExit watch = run({"watch", uri()});
  EXPECT_EQ(watch.code(), 0) << watch.err;
  EXPECT_TRUE(contains(watch.err, "a work dir keeps no lines")) << watch.err;
}

TEST_F(BucketRunTest, WhatIsNotThereOrDoesNotAnswerIsNamed) {
  const CliExit none = run({"status", uri()});
  EXPECT_EQ(none.code(), 1);
  EXPECT_TRUE(contains(none.err, uri())) << none.err;
  putRun();
  ASSERT_EQ(home.run({"rehearsal", "stop"}).code(), 0);
  const CliExit unplugged = run({"metrics", uri()});
  EXPECT_NE(unplugged.code(), 0);
  EXPECT_EQ(unplugged.out, "") << "half of a run is not taken for the whole";
  EXPECT_TRUE(contains(unplugged.err, "127.0.0.1")) << unplugged.err;
}

/// A long run: segments with their summaries and the index, as rank and main node write them.
std::uint64_t putLongRun(ObjectStore& store, int ranks, int segments, int rows) {
  const std::string folder = layout::metricsFolder("Undefined");
  std::uint64_t bytes = 0;
  const auto put = [&](const std::string& name, const std::string& content) {
    EXPECT_TRUE(store.put(folder + name, content, {}));
    bytes += content.size();
  };
  for (int rank = 0; rank < ranks; ++rank) {
    SummaryBuilder summaries;
    for (int i = 0; i < segments; ++i) {
      MetricSegment segment;
      segment.rank = Rank(rank);
      segment.sequence = static_cast<std::uint64_t>(i);
      for (int row = 0; row < rows; ++row) {
        const Step step = Step{i} * rows + row;
        const auto value = static_cast<double>(step * 7919 % 10'007);
        segment.append(
            step, TimePoint(480'000h + step * 1s),
            {{metric::kLoss, value / 3}, {metric::kStepMs, value / 7}, {metric::kWaitMs, value / 11}});
      }
      put(segmentName(segment.rank, segment.sequence), encodeSegment(segment));
      for (const SegmentSummary& summary : summaries.add(segment))
        put(segmentName(summary.id), encodeSummary(summary));
    }
  }
  const std::vector<std::uint64_t> counts(static_cast<std::size_t>(ranks),
                                          static_cast<std::uint64_t>(segments));
  put(std::string(layout::kMetricIndexName), toText({1, counts}));
  return bytes;
}

TEST_F(BucketRunTest, AFirstPictureOfALongRunReadsFewOfItsBytes) {
  constexpr int kRankCount = 2, kSegments = 257, kRows = 400;
  const std::uint64_t bytes = putLongRun(*store, kRankCount, kSegments, kRows);
  MetricReading reading;
  reading.detail = MetricDetail::Overview;
  reading.rawBytes = 0;
  MetricReader reader(store, layout::metricsFolder("Undefined"), {}, reading);
  MetricStore samples;
  const auto first = reader.poll({});
  ASSERT_TRUE(first) << describe(first.error());
  for (const CoarsePart& part : first->parts) samples.add(part);
  samples.add(first->batches);
  EXPECT_LT(first->bytesRead * 10, bytes) << "of " << bytes;
  for (int rank = 0; rank < kRankCount; ++rank)
    EXPECT_EQ(samples.sampleCount(metric::kLoss, Rank(rank)), std::size_t{kSegments} * kRows)
        << "each is there, or stands in a bucket";
}

}  // namespace

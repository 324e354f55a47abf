// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/save_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "metrics/metric_store.h"
#include "metrics/read_to_end.h"
#include "portable/open_saved_run.h"
#include "run_to_save.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::MadeUpRun;

struct SaveRunTest : ::testing::Test {
  TempDir temp;
  fs::path path = temp.path() / "run.lockstep";

  SavedRun save(const RunToSave& what) const {
    const auto saved = saveRun(what, path, {}, {});
    EXPECT_TRUE(saved) << (saved ? "" : describe(saved.error()));
    return saved.value_or(SavedRun{});
  }
  OpenedRunFile open() const {
    auto opened = openSavedRun(path);
    EXPECT_TRUE(opened) << (opened ? "" : describe(opened.error()));
    return opened.value_or(OpenedRunFile{});
  }
};

MetricStore samplesOf(const std::shared_ptr<ObjectStore>& store, const JobId& job) {
  MetricReader reader(store, layout::metricsFolder(job.value), layout::runDescription(job.value));
  MetricStore samples;
  const ReadToEnd read =
      readToEnd(reader, [&](const MetricReader::Update& update) { samples.add(update.batches); }, {});
  EXPECT_FALSE(read.problem);
  EXPECT_EQ(read.unreadableSegments, 0);
  return samples;
}

std::vector<LogLine> linesOf(const OpenedRunFile& opened) {
  std::vector<LogLine> all;
  const auto source = opened.lines();
  while (source && source->isBehind()) {
    const auto some = source->poll({});
    EXPECT_TRUE(some);
    if (!some) break;
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

TEST_F(SaveRunTest, EverySampleOfEveryRankComesBack) {
  const MadeUpRun made;
  const SavedRun saved = save(made.toSave());
  EXPECT_EQ(saved.leftOut, 0U);
  EXPECT_EQ(saved.written.objects, saved.written.ofObjects);
  const OpenedRunFile opened = open();
  const MetricStore before = samplesOf(made.store, made.run.jobId),
                    after = samplesOf(opened.workDir, opened.run.jobId);
  EXPECT_EQ(before.sampleCount(), static_cast<std::size_t>(3 * 40 * 25 * 2));
  EXPECT_EQ(after.names(), before.names());
  for (const std::string& name : before.names()) {
    EXPECT_EQ(after.ranks(name), before.ranks(name));
    for (const Rank rank : before.ranks(name)) {
      const auto a = before.series(name, rank), b = after.series(name, rank);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].step, b[i].step);
        EXPECT_EQ(a[i].time, b[i].time);
        EXPECT_EQ(a[i].value, b[i].value);
      }
    }
  }
}

TEST_F(SaveRunTest, TheSegmentsAreTheSameBytes) {
  const MadeUpRun made;
  save(made.toSave());
  const OpenedRunFile opened = open();
  const std::string folder = layout::metricsFolder(made.run.jobId.value),
                    inside = layout::metricsFolder(opened.run.jobId.value);
  int segments = 0;
  for (const auto& [name, bytes] : made.store->objects()) {
    if (!name.starts_with(folder)) continue;
    EXPECT_EQ(opened.workDir->get(inside + name.substr(folder.size()), {}).value(), bytes) << name;
    ++segments;
  }
  EXPECT_EQ(segments, 3 * (40 + 2) + 1);  // raw, summaries of 16, the index
}

TEST_F(SaveRunTest, EveryLineComesBack) {
  MadeUpRun made;
  made.addLine(300, std::string(3 << 20, 'x'));  // some chunks
  made.addLine(300, "at the same time");
  made.addLine(301, "");
  const SavedRun saved = save(made.toSave());
  EXPECT_EQ(saved.written.lines, made.lines.size());
  EXPECT_EQ(saved.shortenedLines, 0U);
  const auto lines = linesOf(open());
  ASSERT_EQ(lines.size(), made.lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].id, made.lines[i].id);
    EXPECT_EQ(lines[i].time, made.lines[i].time);
    EXPECT_EQ(lines[i].node, made.lines[i].node);
    EXPECT_EQ(lines[i].rank, made.lines[i].rank);
    EXPECT_EQ(lines[i].level, made.lines[i].level);
    EXPECT_EQ(lines[i].text, made.lines[i].text);
  }
}

TEST_F(SaveRunTest, TheRunIsTheSame) {
  MadeUpRun made;
  RunToSave what = made.toSave();
  what.findings = R"([{"title":"a straggler"}])";
  save(what);
  const OpenedRunFile opened = open();
  const TrainingRun& run = opened.run;
  EXPECT_EQ(run.name, made.run.name);
  EXPECT_EQ(run.created, made.run.created);
  EXPECT_EQ(run.finished, made.run.finished);
  EXPECT_EQ(run.failure, made.run.failure);
  EXPECT_EQ(stateOf(run), RunState::Failed);
  ASSERT_EQ(run.nodes.size(), made.run.nodes.size());
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    EXPECT_EQ(run.nodes[i].displayName, made.run.nodes[i].displayName);
    EXPECT_EQ(run.nodes[i].state, made.run.nodes[i].state);
    EXPECT_EQ(run.nodes[i].role, made.run.nodes[i].role);
    EXPECT_EQ(run.nodes[i].started, made.run.nodes[i].started);
    EXPECT_EQ(run.nodes[i].finished, made.run.nodes[i].finished);
    EXPECT_EQ(run.nodes[i].details, made.run.nodes[i].details);
  }
  EXPECT_EQ(opened.findings, what.findings);
  EXPECT_EQ(run.id.value, "file://" + path.string());
  const std::string health = layout::heartbeatFile(run.jobId.value);
  EXPECT_TRUE(opened.workDir->get(health, {}));
}

TEST_F(SaveRunTest, ARunThatGoesOnIsNotHeardOfAnyMore) {
  MadeUpRun made;
  made.run.failure.clear();
  made.run.finished.reset();
  for (NodeRun& node : made.run.nodes) {
    node.state = JobRunState::InProgress;
    node.finished.reset();
  }
  save(made.toSave());
  const OpenedRunFile opened = open();
  EXPECT_EQ(stateOf(opened.run), RunState::Silent);
  EXPECT_EQ(opened.run.finished, made.toSave().now);
}

TEST_F(SaveRunTest, WhatIsTornOrNobodysIsLeftOut) {
  MadeUpRun made;
  made.put("lockstep/metrics/" + segmentName(Rank(2), 39), "torn, and it holds canary-in-a-torn-segment");
  made.put("lockstep/metrics/canary.txt", "canary-of-nobody");
  made.put("lockstep/reach/0.json", "canary-that-is-no-json");
  made.put("lockstep/checkpoints/1/model.pt", "canary-of-a-checkpoint");
  made.put("MAIN_config.json", R"({"OCI__MAIN_IP":"10.9.8.7"})");
  const SavedRun saved = save(made.toSave());
  EXPECT_EQ(saved.leftOut, 2U);
  const auto bytes = readFile(path);
  ASSERT_TRUE(bytes);
  for (const char* word : {"canary", "10.9.8.7"}) EXPECT_EQ(bytes->find(word), std::string::npos) << word;
}

TEST_F(SaveRunTest, ARunWithoutAnythingIsAFileToo) {
  RunToSave what;
  what.run.id = RunId("x");
  const SavedRun saved = save(what);
  EXPECT_EQ(saved.written.objects, 0U);
  const OpenedRunFile opened = open();
  EXPECT_EQ(opened.lines(), nullptr);
  EXPECT_EQ(opened.findings, "[]");
  EXPECT_TRUE(opened.workDir->list("", "", {}).value().empty());
}

TEST_F(SaveRunTest, StoppedItLeavesNothing) {
  const MadeUpRun made;
  for (const std::uint64_t after : {0, 1, 60, 150}) {
    std::stop_source stop;
    RunToSave what = made.toSave();
    std::uint64_t seen = 0;
    const auto lines = what.lines;
    what.lines = [&](const PutLine& put) {
      return lines([&](const LogLine& line) {
        if (++seen >= after) stop.request_stop();
        return put(line);
      });
    };
    if (after == 0) stop.request_stop();
    const auto saved = saveRun(what, path, {}, stop.get_token());
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::Cancelled) << describe(saved.error());
    EXPECT_TRUE(fs::is_empty(temp.path()));
  }
}

TEST_F(SaveRunTest, AStoreThatFailsIsAnError) {
  const MadeUpRun made;
  made.store->failGet = [](const std::string& name) {
    return name.ends_with("0000000007.lsm")
               ? std::optional(Error{ErrorCode::Unavailable, "no answer", {}, {}, {}, {}})
               : std::nullopt;
  };
  const auto saved = saveRun(made.toSave(), path, {}, {});
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::Unavailable);
  EXPECT_TRUE(fs::is_empty(temp.path()));
}

TEST_F(SaveRunTest, SavedAgainItIsTheSame) {
  const MadeUpRun made;
  save(made.toSave());
  const OpenedRunFile opened = open();
  RunToSave again;
  again.run = opened.run;
  again.workDir = opened.workDir;
  again.now = made.toSave().now;
  again.lines = [&](const PutLine& put) -> Result<void> {
    for (const LogLine& line : linesOf(opened))
      if (auto done = put(line); !done) return done;
    return {};
  };
  const fs::path second = temp.path() / "second.lockstep";
  ASSERT_TRUE(saveRun(again, second, {}, {}));
  const auto twice = openSavedRun(second);
  ASSERT_TRUE(twice);
  EXPECT_EQ(samplesOf(twice->workDir, twice->run.jobId).sampleCount(),
            samplesOf(made.store, made.run.jobId).sampleCount());
  EXPECT_EQ(linesOf(*twice).size(), made.lines.size());
  EXPECT_EQ(twice->run.finished, made.run.finished);
}

TEST_F(SaveRunTest, NoSecretIsInTheFile) {
  MadeUpRun made(1);
  made.run.trainYaml =
      "kind: distributed\napiVersion: v1.0\nspec:\n  cluster:\n    spec:\n      config:\n        env:\n"
      "          - name: WANDB_API_KEY\n            value: canary-wandb-0001\n"
      "          - name: DATABASE\n            value: 'postgres://ann:canary-database-0002@host/db'\n"
      "          - {name: HF_TOKEN, value: \"canary-hub\\u002d0003\"}\n"
      "          - name: COMPARTMENT\n            value: "
      "ocid1.compartment.oc1..aaaaaaaacanarycompartment0004xyz\n"
      "  runtime:\n    spec:\n      # password: canary-comment-0005\n      apiKey: canary-key-0006\n"
      "      args: [--password, canary-argument-0007, '--db-password canary-option-0008', "
      "'password=canary-args-0009']\n"
      "      code: /home/ann/somewhere/train.py\n";
  made.run.configFile = "/home/ann/canary-config";
  made.run.profile = "CANARY-PROFILE";
  made.run.trainFile = "/home/ann/canary-train-file.yaml";
  made.run.codeFolder = "/srv/canary-code-folder";
  made.run.jobRetryToken = "canary-retry-token-0010";
  made.run.compartmentId = "ocid1.compartment.oc1..aaaaaaaacanarycompartment0011xyz";
  made.run.logId = made.run.logGroupId = made.run.projectId = "ocid1.x.oc1..canaryid0012";
  made.run.workDir = "oci://canary-bucket@canary-namespace/runs";
  made.run.nodes[0].retryToken = "canary-retry-token-0013";
  made.run.nodes[0].details = "Authorization: Bearer canary-bearer-0014";
  made.run.failure = "cannot log in with canary-wandb-0001 at /home/ann/somewhere";
  made.put("lockstep/failure.json",
           R"({"what":"token=canary-failure-0015","password":"canary-failure-0016","rank":1})");
  made.put("lockstep/heartbeat.json",
           R"({"time":"2024-10-04T00:40:00.000Z","ranks":[{"note":"canary-wandb-0001"}]})");
  made.put("lockstep/reach/0.json", R"({"address":"http://ann:canary-reach-0017@host"})");
  for (const char* text :
       {"logged in with canary-wandb-0001", "password=canary-line-0018", R"({"api_key": "canary-line-0019"})",
        "--token canary-line-0020", "GET http://ann:canary-line-0021@proxy:3128/", "canary-hub-0003 again",
        "eyJcanarywebtoken0022.eyJ.x", "-----BEGIN PRIVATE KEY-----", "canary-private-key-0023",
        "canary-private-key-0024", "-----END PRIVATE KEY-----", "after the key"})
    made.addLine(400, text, "main-of-the-key");
  for (LogLine& line : made.lines) line.rank.reset();
  made.lines.back().node = "canary-wandb-0001";
  RunToSave what = made.toSave();
  what.findings = R"([{"evidence":"secret: canary-finding-0025"}])";
  const SavedRun saved = save(what);
  EXPECT_GE(saved.shortenedLines, 11U);
  const auto bytes = readFile(path);
  ASSERT_TRUE(bytes);
  for (std::size_t at = bytes->find("canary"); at != std::string::npos; at = bytes->find("canary", at + 1))
    ADD_FAILURE() << bytes->substr(at > 60 ? at - 60 : 0, 120);
  for (const char* word : {"CANARY", "/home/ann", "retryToken", "configFile"})
    EXPECT_EQ(bytes->find(word), std::string::npos) << word;
  EXPECT_NE(bytes->find("after the key"), std::string::npos);
  const OpenedRunFile opened = open();
  EXPECT_NE(opened.run.trainYaml.find("WANDB_API_KEY"), std::string::npos) << opened.run.trainYaml;
  EXPECT_NE(opened.run.trainYaml.find("~/"), std::string::npos) << opened.run.trainYaml;
}

}  // namespace
}  // namespace lockstep

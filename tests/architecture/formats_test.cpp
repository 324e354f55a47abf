// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of docs/formats, read by our own readers: a page that the code has left behind is found here.
// And pages that their lists have left out.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "health/health_reader.h"
#include "health/stack_report.h"
#include "info_file.h"
#include "launch/first_failure.h"
#include "logs/store/line_syntax.h"
#include "memory_object_store.h"
#include "metrics/layouts/layout_text.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_segment.h"
#include "metrics/segments/segment_summary.h"
#include "oci/calls/call_log.h"
#include "portable/run_description.h"
#include "portable/run_file_format.h"
#include "rehearsal/jobs/node_sampler.h"
#include "rehearsal/support/run_folder.h"
#include "runs/training_run.h"
#include "telling/run_news.h"
#include "temp_dir.h"
#include "workdir/work_dir_uri.h"
#ifdef LOCKSTEP_HAS_NODE
#include "trainer/checkpoint/training_position.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/rendezvous/restart_agreement.h"
#endif

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kRoot = LOCKSTEP_SOURCE_DIR;

std::string pageNamed(const std::string& name) {
  return readFile(kRoot / name).value_or("");
}

/// The blocks of code of a page by what stands behind their three marks: "json heartbeat.json", "python".
std::map<std::string, std::string> blocksOf(const std::string& page) {
  std::map<std::string, std::string> blocks;
  std::istringstream in(page);
  std::string name, block;
  bool isInside = false;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("```")) {
      if (isInside) block += line + "\n";
      continue;
    }
    if (isInside) blocks[name] = block;
    isInside = !isInside;
    name = line.substr(3);
    block.clear();
  }
  return blocks;
}

std::string blockOf(const std::string& page, const std::string& name) {
  const auto blocks = blocksOf(pageNamed(page));
  const auto found = blocks.find(name);
  EXPECT_NE(found, blocks.end()) << page << " has no block '" << name << "'";
  return found == blocks.end() ? "" : found->second;
}

void keysOf(const json& value, std::set<std::string>& keys) {
  if (value.is_object())
    for (const auto& [key, inner] : value.items()) {
      keys.insert(key);
      keysOf(inner, keys);
    }
  if (value.is_array())
    for (const json& inner : value) keysOf(inner, keys);
}

TEST(Formats, EveryKeyOfAnExampleIsExplainedOnItsPage) {
  int examples = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/formats")) {
    const std::string page = readFile(entry.path()).value_or("");
    for (const auto& [name, block] : blocksOf(page)) {
      if (!name.starts_with("json")) continue;
      ++examples;
      const json example = json::parse(block, nullptr, false);
      ASSERT_TRUE(example.is_object()) << entry.path() << ": " << name;
      std::set<std::string> keys;
      keysOf(example, keys);
      for (const std::string& key : keys)
        EXPECT_TRUE(page.find("`" + key + "`") != std::string::npos ||
                    page.find("\"" + key + "\"") != page.rfind("\"" + key + "\""))
            << entry.path() << " does not explain '" << key << "'";
    }
  }
  EXPECT_GE(examples, 14);
}

TEST(Formats, EveryPageIsListed) {
  const std::string list = pageNamed("docs/formats/README.md");
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/formats")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "README.md" || list.find("](" + name + ")") != std::string::npos) << name;
  }
}

TEST(Formats, KeptLinesAreRead) {
  std::istringstream in(blockOf("docs/formats/kept-lines.md", "text lines"));
  std::vector<LineParts> lines;
  std::vector<std::string> texts(3);
  for (std::string& text : texts) {
    ASSERT_TRUE(std::getline(in, text));
    const auto parts = takeApart(LineSyntax::Kept, text);
    ASSERT_TRUE(parts) << text;
    lines.push_back(*parts);
  }
  EXPECT_EQ(lines[0].text, "epoch 3 step 811 loss 0.4123");
  EXPECT_EQ(lines[1].node, "worker_0");
  EXPECT_FALSE(lines[1].rank);
  EXPECT_EQ(lines[2].level, LogLevel::Error);
  EXPECT_TRUE(lines[2].id.ends_with("#1"));
}

TEST(Decisions, EveryPageIsListedByItsTitle) {
  const std::string list = pageNamed("ARCHITECTURE.md");
  std::set<std::string> numbers;
  std::size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/decisions")) {
    ++pages;
    const std::string name = entry.path().filename().string();
    const std::string number = name.substr(0, 4);
    numbers.insert(number);
    const std::string page = readFile(entry.path()).value_or("");
    const std::string title = page.substr(0, page.find('\n'));
    ASSERT_TRUE(title.starts_with("# " + number + ": ")) << name;
    EXPECT_NE(list.find("- [" + number + "](docs/decisions/" + name + ") " + title.substr(8) + "\n"),
              std::string::npos)
        << "ARCHITECTURE.md has no line for " << name;
    for (const char* heading : {"Context", "Decision", "Alternatives", "Consequences"})
      EXPECT_NE(page.find("\n## " + std::string(heading) + "\n"), std::string::npos)
          << name << ": " << heading;
  }
  EXPECT_EQ(numbers.size(), pages) << "two pages have one number";
  EXPECT_EQ(std::stoul(*numbers.rbegin()), pages) << "a number was left out";
}

TEST(Formats, TheSegmentsAreThoseThatAreKept) {
  for (const char* name : {"v1-raw.lsm", "v2-x16.lsm"}) {
    const auto kept = readFile(fs::path(LOCKSTEP_TEST_DATA) / "metrics" / name);
    ASSERT_TRUE(kept) << name;
    std::string bytes;
    std::istringstream in(blockOf("docs/formats/metric-segments.md", name));
    for (std::string line; std::getline(in, line);) {
      std::istringstream numbers(line.substr(0, 48));
      for (int byte = 0; numbers >> std::hex >> byte;) bytes += static_cast<char>(byte);
    }
    EXPECT_EQ(bytes, *kept) << name;
    EXPECT_TRUE(name[1] == '1' ? decodeSegment(bytes).has_value() : decodeSummary(bytes).has_value()) << name;
  }
}

TEST(Formats, TheIndexOfTheMetricsIsRead) {
  const auto index = parseMetricIndex(blockOf("docs/formats/metric-segments.md", "json index.json"));
  ASSERT_TRUE(index) << describe(index.error());
  EXPECT_EQ(index->written, 42U);
  EXPECT_EQ(index->segments, (std::vector<std::uint64_t>{120, 118, 0, 119}));
  EXPECT_TRUE(layout::metricIndex("job").ends_with("/index.json"));
}

TEST(Formats, TheReaderInPythonReadsSummaries) {
  const std::string use =
      "\nimport sys\n"
      "level, rank, number, rows, cells = read_segment(open(sys.argv[1], 'rb').read())\n"
      "print(level, rank, number, rows[1][:2], cells['loss'][0]['mean'], cells['loss'][1]['steps'], "
      "cells['accuracy_percent'][0], cells['accuracy_percent'][1]['first'])\n";
  const auto ran =
      runCaptured({"/usr/bin/python3", "-c", blockOf("docs/formats/metric-segments.md", "python") + use,
                   (fs::path(LOCKSTEP_TEST_DATA) / "metrics/v2-x16.lsm").string()},
                  std::chrono::seconds(30), {});
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->output, "2 3 7 (120, 139) 2.0 (125, 125) None 0.1\n") << ran->errors;
}

TEST(Formats, TheReaderInPythonReadsSegments) {
  const std::string use =
      "\nimport sys\n"
      "level, rank, number, rows, cells = read_segment(open(sys.argv[1], 'rb').read())\n"
      "print(level, rank, number, rows[0], rows[3][0], sorted(cells), cells['loss'][0], "
      "cells['gpu_percent'])\n";
  for (const char* name : {"v1-raw.lsm", "v1-extended.lsm"}) {
    const auto ran =
        runCaptured({"/usr/bin/python3", "-c", blockOf("docs/formats/metric-segments.md", "python") + use,
                     (fs::path(LOCKSTEP_TEST_DATA) / "metrics" / name).string()},
                    std::chrono::seconds(30), {});
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->output,
              "0 3 7 (100, 1767225600000000000) 102 ['gpu_percent', 'loss', 'step_ms'] 2.302585092994046 "
              "[None, 97.0, None, None]\n")
        << ran->errors;
  }
}

TEST(Formats, TheLayoutOfADashboardIsRead) {
  const std::string text = blockOf("docs/formats/dashboard-layouts.md", "json layout");
  const auto read = parseLayout(text);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(layoutText(*read) + "\n", text);
}

TEST(Formats, HeartbeatAndFindingsAreRead) {
  const auto store = std::make_shared<MemoryObjectStore>();
  store->set(layout::heartbeatFile("j"), blockOf("docs/formats/heartbeat.md", "json heartbeat.json"));
  store->set(layout::reachFile("j", 1), blockOf("docs/formats/reachability.md", "json reach/1.json"));
  const auto health = HealthReader(store, "j", std::make_shared<SystemClock>()).poll({});
  ASSERT_TRUE(health && *health);
  EXPECT_TRUE((*health)->unreadable.empty());
  ASSERT_EQ((*health)->heartbeat->ranks.size(), 2U);
  const RankHeartbeat& second = (*health)->heartbeat->ranks[1];
  EXPECT_EQ(second.phase, RankPhase::Forward);
  EXPECT_EQ(second.step, 5);
  EXPECT_EQ(second.collectives, 6);
  EXPECT_EQ(second.host, "vm");
  EXPECT_EQ(second.pid, 25056);
  EXPECT_EQ(second.since, (*health)->heartbeat->time);
  ASSERT_EQ((*health)->nodes.size(), 1U);
  const NodeFindings& node = (*health)->nodes[0];
  ASSERT_EQ(node.peers.size(), 1U);
  EXPECT_TRUE(node.peers[0].reached);
  EXPECT_EQ(node.peers[0].port, 35869);
  EXPECT_EQ(node.name + " " + node.peers[0].name, "worker_0 main");
}

TEST(Formats, StacksAndTheirRequestAreRead) {
  const auto request = parseStackRequest(blockOf("docs/formats/stacks.md", "json stacks-request.json"));
  ASSERT_TRUE(request) << describe(request.error());
  EXPECT_EQ(request->ranks, std::vector{Rank(5)});
  const std::string text = blockOf("docs/formats/stacks.md", "json stacks.json");
  const auto report = parseStackReport(text);
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(toJsonText(*report) + "\n", text);
}

TEST(Formats, TheStoredRunComesBackAsItIs) {
  const json document = json::parse(blockOf("docs/formats/run-store.md", "json run"), nullptr, false);
  const auto run = trainingRunFrom(document);
  ASSERT_TRUE(run);
  EXPECT_EQ(toJson(*run), document);
  const json failed =
      json::parse(blockOf("docs/formats/failure.md", "json attempts/0/failure.json"), nullptr, false);
  TrainingRun broken = *run;
  broken.nodes[0].state = JobRunState::Failed;
  EXPECT_EQ(explainFailure(broken, failed), "rank 1 on worker_0 was ended by signal 9 (Killed)");
}

TEST(Formats, TheRunOfARunFileIsRead) {
  const auto run = runDescribedBy(blockOf("docs/formats/run-file.md", "json saved-run"));
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_EQ(run->name, "cifar-ddp");
  EXPECT_EQ(stateOf(*run), RunState::Succeeded);
  const std::string schema = blockOf("docs/formats/run-file.md", "sql");
  EXPECT_EQ(schema, std::string(run_file::kTable) + "\n" + run_file::kIndex + "\n");
}

TEST(Formats, NewsOfARunHaveTheKeysOfTheirPage) {
  RunNews news;
  news.kind = RunNews::Kind::FindingBegan;
  news.finding = RunFinding();
  const json page = json::parse(blockOf("docs/formats/run-news.md", "json news"));
  const json ours = json::parse(documentOf(news));
  std::set<std::string> keys, wanted;
  keysOf(page, keys);
  keysOf(ours, wanted);
  EXPECT_EQ(keys, wanted);
}

TEST(Formats, LinesOfTheLogOfCallsComeBackAsTheyAre) {
  std::string line = blockOf("docs/formats/call-log.md", "json line");
  line.pop_back();
  const auto record = oci::callRecordOf(line);
  ASSERT_TRUE(record);
  EXPECT_EQ(oci::toLine(*record), line);
}

TEST(Formats, TheInfoFileIsRead) {
  const std::string text = blockOf("docs/formats/info-file.md", "yaml info.yaml");
  const auto info = cli::parseInfo(text, "info.yaml");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->workDir, "oci://lockstep@rehearsal/runs");
  TrainingRun run;
  run.id = RunId("cifar-ddp-7d05");
  run.jobId = info->jobId;
  run.workDir = info->workDir;
  const std::string ocid = "ocid1.datasciencejobrun.oc1.rehearsal.aaaaaaaa";
  for (const auto& [name, id] :
       {std::pair("cifar-main", "c733ec199cb2809859aad08ae4463d77e3ac1c60da4b6576e427"),
        std::pair("cifar-worker_0", "0a1da9badd0b89784f499a94727be59f1ed2c3f02f9e8d703142")}) {
    NodeRun node;
    node.id = JobRunId(ocid + id);
    node.displayName = name;
    node.role = run.nodes.empty() ? NodeRole::Main : NodeRole::Worker;
    run.nodes.push_back(node);
  }
  EXPECT_EQ(cli::infoText(run).value(), text);
}

TEST(Formats, TheFolderOfARehearsalRunIsRead) {
  const auto sample = rehearsal::sampleFrom(blockOf("docs/formats/rehearsal-runs.md", "json metrics"));
  ASSERT_TRUE(sample);
  EXPECT_EQ(rehearsal::toLine(*sample), blockOf("docs/formats/rehearsal-runs.md", "json metrics"));
  const TempDir folder;
  const rehearsal::NodeFolder node{folder.path()};
  ASSERT_TRUE(
      writeFileAtomically(node.ended(), blockOf("docs/formats/rehearsal-runs.md", "json ended.json")));
  const auto end = rehearsal::readEnd(node);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->why, rehearsal::NodeEnd::Why::Exited);
  EXPECT_EQ(end->time, 1795412132347);
}

#ifdef LOCKSTEP_HAS_NODE
TEST(Formats, ThePositionOfATrainingComesBackAsItIs) {
  const std::string text = blockOf("docs/formats/checkpoints.md", "json position");
  const auto position = trainer::positionFrom(text);
  ASSERT_TRUE(position);
  EXPECT_EQ(trainer::toText(*position) + "\n", text);
}

TEST(Formats, FailureAndPlanOfARestartAreRead) {
  const auto store = std::make_shared<MemoryObjectStore>();
  node::NodeSettings settings;
  settings.jobId = "j";
  settings.nodeCount = 2;
  settings.maxRestarts = 1;
  node::RendezvousFiles board(store, settings);
  store->set(layout::attemptFolder("j", 0) + "failure.json",
             blockOf("docs/formats/failure.md", "json attempts/0/failure.json"));
  const auto first = board.failure({});
  ASSERT_TRUE(first && *first);
  EXPECT_TRUE((*first)->restart);
  EXPECT_EQ((*first)->signal, 9);
  EXPECT_EQ((*first)->node, "worker_0");
  store->set(layout::failureFile("j"), blockOf("docs/formats/failure.md", "json failure.json"));
  const auto last = board.failure({});
  ASSERT_TRUE(last && *last);
  EXPECT_FALSE((*last)->restart);
  EXPECT_EQ((*last)->exitCode, 3);

  store->set(layout::attemptFolder("j", 1) + "plan.json",
             blockOf("docs/formats/restarts.md", "json attempts/1/plan.json"));
  SystemClock clock;
  const auto plan = node::RestartAgreement(store, settings).agree(1, {}, {}, clock, {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->nodes, (std::vector<int>{0, 1}));
  EXPECT_EQ(plan->address + ":" + std::to_string(plan->port), "127.0.0.1:29400");
}
#endif

}  // namespace
}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/kept_lines.h"

#include <QTest>
#include <algorithm>
#include <deque>
#include <fstream>
#include <mutex>
#include <set>

#include "logs/store/log_reader.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

LogLine line(int number) {
  LogLine made;
  made.id = "id" + std::to_string(number);
  made.time = TimePoint(std::chrono::seconds(number));
  made.node = "main";
  made.rank = Rank(number % 2);
  made.text = "text " + std::to_string(number);
  return made;
}

/// A run whose looks bring these lines, one look after another.
RunPollFactory bringing(std::vector<std::vector<int>> looks) {
  auto rest = std::make_shared<std::deque<std::vector<int>>>(looks.begin(), looks.end());
  return [rest](const std::stop_token&) -> Result<RunPoll> {
    return RunPoll([rest](const std::stop_token&) {
      RunUpdate update;
      for (const int number : rest->front()) update.lines.push_back(line(number));
      rest->pop_front();
      update.ended = rest->empty();
      return update;
    });
  };
}

std::vector<std::string> textsOf(const std::shared_ptr<const LogSnapshot>& log) {
  std::vector<std::string> texts;
  LogReader reader(log);
  for (std::uint64_t i = 0; i < reader.size(); ++i) texts.emplace_back(reader.line(i).text);
  return texts;
}

/// What is there after the last look; each of them brings a log only if something is new.
std::vector<std::string> textsOfAllLooks(const RunPollFactory& open, std::vector<Error>* problems = nullptr) {
  Result<RunPoll> poll = open({});
  if (!poll) return {describe(poll.error())};
  std::shared_ptr<const LogSnapshot> log;
  for (bool ended = false; !ended;) {
    const RunUpdate update = (*poll)({});
    if (!update.lines.empty()) return {"lines beside the log"};
    if (update.log && log && update.log->size() == log->size()) return {"a log in which nothing is new"};
    if (update.log) log = update.log;
    if (problems) problems->insert(problems->end(), update.problems.begin(), update.problems.end());
    ended = update.ended;
  }
  return textsOf(log);
}

using Texts = std::vector<std::string>;

/// A finished run without metrics, whose looks bring reports of these steps.
RunPollFactory reporting(std::vector<std::vector<int>> looks) {
  auto rest = std::make_shared<std::deque<std::vector<int>>>(looks.begin(), looks.end());
  return [rest](const std::stop_token&) -> Result<RunPoll> {
    return RunPoll([rest](const std::stop_token&) {
      RunUpdate update;
      for (const int step : rest->front()) {
        update.lines.push_back(line(2 * step));
        update.lines.back().text = "step " + std::to_string(step) + ": loss 0.5";
      }
      rest->pop_front();
      update.areLinesBehind = !rest->empty();
      update.isWithoutMetrics = true;
      update.ended = rest->empty();
      return update;
    });
  };
}

/// The steps of all samples that the looks bring, each once.
std::set<Step> stepsOfAllLooks(const RunPollFactory& open) {
  Result<RunPoll> poll = open({});
  std::set<Step> steps;
  for (bool ended = !poll; !ended;) {
    const RunUpdate update = (*poll)({});
    for (const MetricSeriesBatch& batch : update.metrics)
      for (const MetricPoint& point : batch.points) steps.insert(point.step);
    ended = update.ended;
  }
  return steps;
}

}  // namespace

class KeptLinesTest : public QObject {
  Q_OBJECT
 private slots:
  // The newest come first, and what is kept does not come again.
  void linesSpeakWhereThereAreNoMetrics() {
    const TempDir dir;
    const std::set<Step> all{0, 1, 2, 3, 4, 5, 6, 7};
    QCOMPARE(stepsOfAllLooks(keepingLines(reporting({{6, 7}, {3, 4, 5}, {0, 1, 2}}), dir.path())), all);
    QCOMPARE(stepsOfAllLooks(keepingLines(reporting({{}}), dir.path())), all);
  }
  // What the service has measured gets the steps of those lines.
  void whatMonitoringHasStandsAtTheStepsOfTheLines() {
    const auto looks = std::make_shared<int>(0);
    const RunPollFactory open = [looks](const std::stop_token&) -> Result<RunPoll> {
      return RunPoll([looks](const std::stop_token&) {
        RunUpdate update;
        for (int step = 0; step < 4; ++step) {
          update.lines.push_back(line(2 * step));
          update.lines.back().text = "step " + std::to_string(step) + ": loss 0.5";
        }
        update.run.nodes.resize(1);
        update.run.nodes[0].id = JobRunId("node");
        if (*looks == 0)
          update.monitored.push_back(
              {JobRunId("node"), metric::kNodeCpuPercent, line(4).time + std::chrono::milliseconds(1), 42});
        update.isWithoutMetrics = *looks > 0;  // the values wait for it
        update.ended = ++*looks == 2;
        return update;
      });
    };
    const TempDir dir;
    const Result<RunPoll> poll = keepingLines(open, dir.path())({});
    QVERIFY(poll);
    QVERIFY((*poll)({}).metrics.empty());
    for (const MetricSeriesBatch& batch : (*poll)({}).metrics) {
      if (batch.name != metric::kNodeCpuPercent) continue;
      QCOMPARE(batch.points.size(), std::size_t(1));
      QCOMPARE(batch.points[0].step, Step(2));
      return;
    }
    QFAIL("no value of the service");
  }
  void linesComeOnceAlsoAfterARestart() {
    const TempDir dir;
    const auto folder = dir.path() / "run";
    QCOMPARE(textsOfAllLooks(keepingLines(bringing({{1, 2}, {3}}), folder)),
             (Texts{"text 1", "text 2", "text 3"}));
    // The service brings all of them again, and one more.
    QCOMPARE(textsOfAllLooks(keepingLines(bringing({{}, {1, 2, 3}, {4}}), folder)),
             (Texts{"text 1", "text 2", "text 3", "text 4"}));
  }

  void linesThatTheServiceHasDeletedAreThere() {
    const TempDir dir;
    QCOMPARE(textsOfAllLooks(keepingLines(bringing({{1, 2, 3}}), dir.path())).size(), std::size_t(3));
    QCOMPARE(textsOfAllLooks(keepingLines(bringing({{}, {}}), dir.path())),
             (Texts{"text 1", "text 2", "text 3"}));
  }

  void withoutAFolderLinesAreInMemory() {
    QCOMPARE(textsOfAllLooks(keepingLines(bringing({{2}, {}, {1, 3}}), {})),
             (Texts{"text 1", "text 2", "text 3"}));
  }

  void thatLinesCannotBeKeptIsSaidOnceAndTheyStillCome() {
    const TempDir dir;
    std::ofstream(dir.path() / "file") << "x";
    std::vector<Error> problems;
    QCOMPARE(textsOfAllLooks(keepingLines(bringing({{1}, {2}}), dir.path() / "file" / "run"), &problems),
             (Texts{"text 1", "text 2"}));
    QCOMPARE(problems.size(), std::size_t(1));
  }

  void everyRunHasAFolderOfItsOwnBelowTheCache() {
    const auto parent = linesFolder(RunId("a")).parent_path();
    for (const char* id : {"..", ".", "../x", "a/b", "/etc", "a b", ""})
      QCOMPARE(linesFolder(RunId(id)).lexically_normal().parent_path().string(), parent.string());
    QVERIFY(linesFolder(RunId("a/b")) != linesFolder(RunId("a")));
  }

  void whatIsInSightIsAskedForBehindIt() {
    const TempDir dir;
    std::size_t wanted = 0;
    const RunPollFactory open = [&wanted](const std::stop_token&) -> Result<RunPoll> {
      return RunPoll([](const std::stop_token&) { return RunUpdate(); },
                     [&wanted](const std::vector<CoarseSpan>& parts) { wanted = parts.size(); });
    };
    const Result<RunPoll> poll = keepingLines(open, dir.path() / "run")({});
    QVERIFY(poll.has_value());
    poll->wantFiner(std::vector<CoarseSpan>(3));
    QCOMPARE(wanted, std::size_t(3));
  }

  void aSourceIsToldWhatIsKeptAsAWhole() {
    const TempDir dir;
    std::vector<std::optional<KeptLines>> told;
    const RunPollFactory open = [&told](const std::stop_token&) -> Result<RunPoll> {
      return RunPoll(
          [](const std::stop_token&) {
            RunUpdate update;
            update.lines = {line(1), line(2), line(1000)};
            update.linesWholeUntil = line(600).time;
            return update;
          },
          {}, [&told](const std::optional<KeptLines>& kept) { told.push_back(kept); });
    };
    for (int opened = 0; opened < 2; ++opened) {
      const Result<RunPoll> poll = keepingLines(open, dir.path() / "run")({});
      QVERIFY(poll.has_value());
      (void)(*poll)({});
    }
    QCOMPARE(told.size(), std::size_t(2));
    QVERIFY(!told[0]);
    QVERIFY(told[1].has_value());
    QVERIFY(told[1]->wholeUntil == line(600).time);
    QCOMPARE(told[1]->nodes, std::vector<std::string>{"main"});
  }

  void aForgottenRunHasNoLinesAnyMore() {
    const TempDir dir;
    qputenv("LOCKSTEP_HOME", dir.path().c_str());
    const auto textsOfRun = [](const char* run, std::vector<std::vector<int>> looks) {
      return textsOfAllLooks(keepingLines(bringing(std::move(looks)), linesFolder(RunId(run))));
    };
    QCOMPARE(textsOfRun("a", {{1}}), Texts{"text 1"});
    QCOMPARE(textsOfRun("b", {{2}}), Texts{"text 2"});
    QVERIFY(forgetLines(RunId("a")));
    QVERIFY(forgetLines(RunId("")));
    QVERIFY(forgetLines(RunId("not there")));
    QCOMPARE(textsOfRun("a", {{}}), Texts());
    QCOMPARE(textsOfRun("b", {{}}), Texts{"text 2"});
    qunsetenv("LOCKSTEP_HOME");
  }

  // From the moment when a look has a line until the page is told of it: keeping it on disk, the mailbox, the event loop.
  void aLineIsHandedOverAtOnce() {
    const TempDir dir;
    constexpr int kLooks = 60;
    std::mutex mutex;
    std::deque<SteadyPoint> had;
    const RunPollFactory open = [&](const std::stop_token&) -> Result<RunPoll> {
      return RunPoll([&, number = 0](const std::stop_token&) mutable {
        RunUpdate update;
        update.lines.push_back(line(number++));
        update.ended = number == kLooks;
        const std::lock_guard lock(mutex);
        had.push_back(std::chrono::steady_clock::now());
        return update;
      });
    };
    std::vector<std::chrono::nanoseconds> took;
    RunMonitor monitor(20ms);
    connect(&monitor, &RunMonitor::updated, this, [&](const std::shared_ptr<const RunUpdate>& update) {
      const std::lock_guard lock(mutex);
      for (; update->log && took.size() < update->log->size(); had.pop_front())
        took.push_back(std::chrono::steady_clock::now() - had.front());
    });
    monitor.follow(open, dir.path() / "run");
    QTRY_COMPARE_WITH_TIMEOUT(took.size(), std::size_t(kLooks), 60'000);
    std::sort(took.begin(), took.end());
    qInfo("from the look to the page: median %.2f ms, longest %.2f ms",
          static_cast<double>(took[kLooks / 2].count()) / 1e6,
          static_cast<double>(took.back().count()) / 1e6);
    QVERIFY(took[kLooks / 2] < 200ms);
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::KeptLinesTest)
#include "kept_lines_test.moc"

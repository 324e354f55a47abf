// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_monitor.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "app/desktop/runs/run_mailbox.h"
#include "logs/store/log_reader.h"
#include "made_up_log.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
constexpr int kTimeout = 30'000;
constexpr auto kFast = 1ms;

RunUpdate updateWith(int lines, int points, const std::string& firstId = "l") {
  static int serial = 0;
  RunUpdate update;
  update.run.id = RunId("a");
  for (int i = 0; i < lines; ++i) {
    LogLine line;
    line.id = line.text = firstId + std::to_string(serial++);
    update.lines.push_back(line);
  }
  static Step step = 0;
  MetricSeriesBatch batch{"loss", Rank(0), {}};
  for (int i = 0; i < points; ++i) batch.points.push_back({step++, TimePoint(1s), 1.0});
  if (points > 0) update.metrics.push_back(batch);
  return update;
}

/// A run whose looks bring what the test says, one after another; after the last one it has ended.
RunPollFactory scripted(std::vector<RunUpdate> updates, std::shared_ptr<std::atomic<int>> looks = nullptr) {
  auto rest = std::make_shared<std::deque<RunUpdate>>(updates.begin(), updates.end());
  return [rest, looks](const std::stop_token&) -> Result<RunPoll> {
    return RunPoll([rest, looks](const std::stop_token&) {
      if (looks) ++*looks;
      RunUpdate update = rest->front();
      rest->pop_front();
      update.ended = rest->empty();
      return update;
    });
  };
}

}  // namespace

class RunMonitorTest : public QObject {
  Q_OBJECT
 private slots:
  void linesComeBetweenTwoLooks() {
    RunMonitor monitor(1h);
    QSignalSpy updated(&monitor, &RunMonitor::updated);
    const auto looks = std::make_shared<std::atomic<int>>(0);
    monitor.follow([looks](const std::stop_token&) -> Result<RunPoll> {
      const auto next = [](int lines) {
        RunUpdate update = updateWith(lines, 0);
        update.nextLines = 5ms;
        return update;
      };
      return RunPoll([next](const std::stop_token&) { return next(0); }, {}, {},
                     [next, looks](const std::stop_token&) { return next(++*looks == 3 ? 1 : 0); });
    });
    QTRY_VERIFY_WITH_TIMEOUT(updated.size() >= 2, kTimeout);
    const auto last = updated.last().first().value<std::shared_ptr<const RunUpdate>>();
    QVERIFY(last->log);
    QTRY_VERIFY_WITH_TIMEOUT(*looks > 10, kTimeout);
    QCOMPARE(updated.size(), 2);  // nobody is told of a look that brought nothing
    monitor.stop();
  }

  // A run that has ended, of whose samples only what they come to is there until somebody looks closely.
  void whatIsInSightIsReadAndShownAfterTheEndToo() {
    const auto wanted = std::make_shared<std::vector<CoarseSpan>>();
    const auto looks = std::make_shared<int>(0);
    RunMonitor monitor(kFast);
    std::shared_ptr<const MetricStore> shown;
    connect(&monitor, &RunMonitor::updated, this, [&shown](const std::shared_ptr<const RunUpdate>& update) {
      if (update->samples) shown = update->samples;
    });
    monitor.follow([wanted, looks](const std::stop_token&) -> Result<RunPoll> {
      return RunPoll(
          [wanted, looks](const std::stop_token&) {
            RunUpdate update;
            update.ended = true;
            SegmentSummary summary;
            summary.id = {Rank(0), SegmentLevel::Of16, 0};
            summary.buckets = {{{0, TimePoint(1s)}, {159, TimePoint(2s)}}};
            ValueSummary values;
            for (int i = 0; i < 160; ++i) values.add(i);
            summary.columns = {{"loss", {SegmentSummary::Cell{values, 0, 159}}}};
            if (++*looks == 1) update.parts = {{Rank(0), {}, {summary}, {}}};
            if (wanted->empty()) return update;
            MetricSeriesBatch batch{"loss", Rank(0), {}, {0, 16}};
            for (Step i = 0; i < 160; ++i) batch.points.push_back({i, TimePoint(1s), static_cast<double>(i)});
            update.parts = {{Rank(0), wanted->front().segments, {}, {batch}}};
            return update;
          },
          [wanted](std::vector<CoarseSpan> parts) { *wanted = std::move(parts); });
    });
    QTRY_VERIFY_WITH_TIMEOUT(shown, kTimeout);
    QVERIFY(shown->isCoarse(Rank(0), 10, 20));
    QVERIFY(shown->series("loss", Rank(0)).empty());
    monitor.lookAt({{}, 10, 20, 0.1});
    QTRY_VERIFY_WITH_TIMEOUT(!shown->isCoarse(Rank(0), 10, 20), kTimeout);
    QCOMPARE(shown->series("loss", Rank(0)).size(), std::size_t{160});
    QTRY_VERIFY_WITH_TIMEOUT(!monitor.isFollowing(), kTimeout);  // everything is here now
  }

  void theNewestHealthOutlivesMerging() {
    RunMailbox mailbox;
    const auto healthOf = [](int step) {
      auto health = std::make_shared<RunHealth>();
      health->heartbeat.emplace();
      health->heartbeat->ranks.emplace_back();
      health->heartbeat->ranks[0].step = step;
      return health;
    };
    RunUpdate first = updateWith(0, 0);
    first.health = healthOf(1);
    RunUpdate second = updateWith(0, 0);
    second.health = healthOf(2);
    QVERIFY(mailbox.put(first));
    mailbox.put(second);
    mailbox.put(updateWith(0, 0));  // brings none
    const auto taken = mailbox.take();
    QVERIFY(taken && taken->health);
    QCOMPARE(taken->health->heartbeat->ranks.at(0).step, Step{2});
    QVERIFY(!mailbox.take());
  }

  void handsEveryLineAndPointOverOnceOnThisThread() {
    RunMonitor monitor(kFast);
    std::shared_ptr<const LogSnapshot> log;
    std::size_t points = 0;
    bool ended = false;
    QThread* thread = nullptr;
    connect(&monitor, &RunMonitor::updated, this, [&](const std::shared_ptr<const RunUpdate>& update) {
      if (update->log) log = update->log;
      if (update->samples) points = update->samples->sampleCount();
      ended = update->ended;
      thread = QThread::currentThread();
    });
    std::vector<RunUpdate> script;
    std::vector<std::string> expected;
    for (int i = 0; i < 20; ++i) {
      script.push_back(updateWith(50, 100));
      for (const LogLine& line : script.back().lines) expected.push_back(line.id);
    }
    monitor.follow(scripted(script));
    QTRY_VERIFY_WITH_TIMEOUT(ended, kTimeout);
    LogReader reader(log);
    std::vector<std::string> ids;
    for (std::uint64_t i = 0; i < reader.size(); ++i) ids.emplace_back(reader.line(i).text);
    QCOMPARE(ids, expected);
    QCOMPARE(points, std::size_t(2000));
    QCOMPARE(thread, QThread::currentThread());
    QTRY_VERIFY_WITH_TIMEOUT(!monitor.isFollowing(), kTimeout);
  }

  void aLongHistoryComesAsAWhole() {
    RunMonitor monitor(kFast);
    std::size_t lines = 0, points = 0;
    bool ended = false;
    connect(&monitor, &RunMonitor::updated, this, [&](const std::shared_ptr<const RunUpdate>& update) {
      QVERIFY(update->lines.empty());
      ended = update->ended;
      if (update->log) lines = update->log->size();
      if (update->samples) points = update->samples->sampleCount();
    });
    monitor.follow(scripted({updateWith(4321, 376'543)}));
    QTRY_VERIFY_WITH_TIMEOUT(ended, kTimeout);
    QCOMPARE(lines, std::size_t(4321));
    QCOMPARE(points, std::size_t(376'543));
  }

  void whatTheUiDidNotTakeIsMerged() {
    RunMailbox mailbox;
    RunUpdate first = updateWith(0, 0);
    first.log = snapshotOf({LogLine()});
    const auto log = first.log;
    QVERIFY(mailbox.put(first));
    RunUpdate second = updateWith(0, 0);
    second.samples = std::make_shared<const MetricStore>();
    QVERIFY(!mailbox.put(second));  // the UI thread was told already
    RunUpdate last = updateWith(0, 0);
    last.samples = std::make_shared<const MetricStore>();
    const auto newest = last.samples;
    last.ended = true;
    QVERIFY(!mailbox.put(last));
    const auto taken = mailbox.take();
    QVERIFY(taken);
    QCOMPARE(taken->log, log);
    QCOMPARE(taken->samples, newest);
    QVERIFY(taken->ended);
    QVERIFY(!mailbox.take());
    QVERIFY(mailbox.put(updateWith(0, 0)));  // and is told again
  }

  void aWindowThatIsHeldUpGetsTheNewestOnceItGoesOn() {
    constexpr int kLooks = 60;
    RunMonitor monitor(kFast);
    auto looks = std::make_shared<std::atomic<int>>(0);
    std::vector<std::size_t> lines;
    connect(&monitor, &RunMonitor::updated, this, [&](const auto& update) {
      if (update->log) lines.push_back(update->log->size());
    });
    constexpr std::size_t kEach = 2000;
    std::vector<RunUpdate> script;
    for (int i = 0; i < kLooks; ++i) script.push_back(updateWith(kEach, 0));
    monitor.follow(scripted(script, looks));
    for (int waited = 0; *looks < kLooks && waited < kTimeout; waited += 10) QTest::qSleep(10);  // no events
    QTRY_VERIFY_WITH_TIMEOUT(!lines.empty() && lines.back() == kLooks * kEach, kTimeout);
    QVERIFY(lines.size() <= 2);
  }

  void stoppingEndsTheLooks() {
    RunMonitor monitor(kFast);
    auto looks = std::make_shared<std::atomic<int>>(0);
    int updates = 0;
    connect(&monitor, &RunMonitor::updated, this, [&updates] { ++updates; });
    monitor.follow(scripted(std::vector<RunUpdate>(100'000, updateWith(0, 1)), looks));
    QTRY_VERIFY_WITH_TIMEOUT(updates > 0, kTimeout);
    monitor.stop();
    const int before = updates;
    QVERIFY(!monitor.isFollowing());
    QTest::qWait(50);
    QCOMPARE(updates, before);
  }

  void followingAnotherRunForgetsTheFirst() {
    RunMonitor monitor(kFast);
    std::vector<std::string> seen;
    connect(&monitor, &RunMonitor::updated, this,
            [&seen](const auto& update) { seen.push_back(update->run.id.value); });
    monitor.follow(scripted(std::vector<RunUpdate>(100'000, updateWith(0, 1))));
    RunUpdate other = updateWith(0, 1);
    other.run.id = RunId("b");
    monitor.follow(scripted({other}));
    QTRY_VERIFY_WITH_TIMEOUT(!seen.empty() && seen.back() == "b", kTimeout);
    QTest::qWait(50);
    QCOMPARE(std::count(seen.begin(), seen.end(), "a"), 0);
  }

  void whatCannotBeOpenedIsReportedAndTriedAgain() {
    RunMonitor monitor(kFast);
    auto tries = std::make_shared<std::atomic<int>>(0);
    const RunPollFactory good = scripted({updateWith(1, 0)});
    QSignalSpy failed(&monitor, &RunMonitor::failed);
    bool ended = false;
    connect(&monitor, &RunMonitor::updated, this, [&ended](const auto& update) { ended = update->ended; });
    monitor.follow([tries, good](const std::stop_token& stop) -> Result<RunPoll> {
      if (++*tries == 1) return failure(ErrorCode::NotFound, "no profile 'TEAM'");
      return good(stop);
    });
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(ended, kTimeout);
    QCOMPARE(tries->load(), 2);
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::RunMonitorTest)
#include "run_monitor_test.moc"

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

namespace lockstep {
namespace {

using namespace std::chrono_literals;
constexpr int kTimeout = 30'000;
constexpr auto kFast = 1ms;
constexpr std::size_t kNoLimit = 1'000'000;

RunUpdate updateWith(int lines, int points, const std::string& firstId = "l") {
  static int serial = 0;
  RunUpdate update;
  update.run.id = RunId("a");
  for (int i = 0; i < lines; ++i) {
    LogLine line;
    line.id = firstId + std::to_string(serial++);
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

  void theNewestHealthOutlivesMergingAndCutting() {
    RunMailbox mailbox(10, kNoLimit);
    const auto healthOf = [](int step) {
      auto health = std::make_shared<RunHealth>();
      health->heartbeat.emplace();
      health->heartbeat->ranks.emplace_back();
      health->heartbeat->ranks[0].step = step;
      return health;
    };
    RunUpdate first = updateWith(2, 0);
    first.health = healthOf(1);
    RunUpdate second = updateWith(2, 0);
    second.health = healthOf(2);
    QVERIFY(mailbox.put(first));
    mailbox.put(second);
    mailbox.put(updateWith(2, 0));  // brings none
    RunUpdate large = updateWith(35, 0);
    large.health = healthOf(3);
    mailbox.put(large);
    std::vector<Step> steps;
    while (const auto batch = mailbox.take())
      if (batch->health) steps.push_back(batch->health->heartbeat->ranks.at(0).step);
    QCOMPARE(steps, (std::vector<Step>{2, 3}));
  }

  void handsEveryLineAndPointOverOnceOnThisThread() {
    RunMonitor monitor(kFast);
    std::vector<std::string> ids;
    std::size_t points = 0;
    bool ended = false;
    QThread* thread = nullptr;
    connect(&monitor, &RunMonitor::updated, this, [&](const std::shared_ptr<const RunUpdate>& update) {
      for (const LogLine& line : update->lines) ids.push_back(line.id);
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
    QCOMPARE(ids, expected);
    QCOMPARE(points, std::size_t(2000));
    QCOMPARE(thread, QThread::currentThread());
    QTRY_VERIFY_WITH_TIMEOUT(!monitor.isFollowing(), kTimeout);
  }

  void aLongHistoryComesInPieces() {
    RunMonitor monitor(kFast);
    std::size_t lines = 0, points = 0, pieces = 0;
    bool ended = false, endedEarly = false;
    connect(&monitor, &RunMonitor::updated, this, [&](const std::shared_ptr<const RunUpdate>& update) {
      QVERIFY(update->lines.size() <= RunMonitor::kLinesPerBatch);
      endedEarly = ended;
      ended = update->ended;
      lines += update->lines.size();
      if (update->samples) points = update->samples->sampleCount();
      ++pieces;
    });
    monitor.follow(scripted({updateWith(4321, 376'543)}));
    QTRY_VERIFY_WITH_TIMEOUT(ended, kTimeout);
    QVERIFY(!endedEarly);
    QCOMPARE(lines, std::size_t(4321));
    QCOMPARE(points, std::size_t(376'543));
    QVERIFY(pieces >= 5);
  }

  void whatTheUiDidNotTakeIsMerged() {
    RunMailbox mailbox(100, kNoLimit);
    QVERIFY(mailbox.put(updateWith(10, 0)));
    RunUpdate second = updateWith(20, 0);
    second.samples = std::make_shared<const MetricStore>();
    QVERIFY(!mailbox.put(second));  // the UI thread was told already
    RunUpdate last = updateWith(1, 0);
    last.samples = std::make_shared<const MetricStore>();
    const auto newest = last.samples;
    last.ended = true;
    QVERIFY(!mailbox.put(last));
    const auto batch = mailbox.take();
    QVERIFY(batch);
    QCOMPARE(batch->lines.size(), std::size_t(31));
    QCOMPARE(batch->samples, newest);
    QVERIFY(batch->ended);
    QVERIFY(!mailbox.take());
    QVERIFY(mailbox.put(updateWith(1, 0)));  // and is told again
  }

  void aFullMailboxLetsTheNextLookWait() {
    RunMailbox mailbox(10, 25);
    std::atomic<int> rooms = 0;
    const auto room = [&](const std::stop_token& stop) { rooms += mailbox.waitForRoom(stop) ? 1 : 100; };
    QVERIFY(mailbox.waitForRoom({}));
    mailbox.put(updateWith(30, 0));
    {
      std::jthread waiting(room);
      QTest::qSleep(30);
      QCOMPARE(rooms.load(), 0);
      mailbox.take();
      QTRY_COMPARE_WITH_TIMEOUT(rooms.load(), 1, kTimeout);
    }
    mailbox.put(updateWith(30, 0));
    std::jthread stopped(room);
    stopped.request_stop();
    stopped.join();
    QCOMPARE(rooms.load(), 101);
  }

  void aWindowThatIsHeldUpIsNotFilledWithoutEnd() {
    constexpr int kLooks = 60;
    RunMonitor monitor(kFast);
    auto looks = std::make_shared<std::atomic<int>>(0);
    std::size_t lines = 0;
    bool ended = false;
    connect(&monitor, &RunMonitor::updated, this, [&](const auto& update) {
      lines += update->lines.size();
      ended = update->ended;
    });
    constexpr std::size_t kEach = 2000;
    monitor.follow(scripted(std::vector<RunUpdate>(kLooks, updateWith(kEach, 0)), looks));
    constexpr int kMax = static_cast<int>(RunMonitor::kMaxWaitingLines / kEach) + 1;
    static_assert(kMax < kLooks);
    for (int waited = 0; *looks < kMax && waited < kTimeout; waited += 10) QTest::qSleep(10);  // no events
    QTest::qSleep(200);
    QVERIFY2(*looks <= kMax, qPrintable(QString::number(looks->load())));
    QTRY_VERIFY_WITH_TIMEOUT(ended, kTimeout);
    QCOMPARE(lines, kLooks * kEach);
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

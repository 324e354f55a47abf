// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/stall_watchdog.h"

#include <QTest>
#include <QTimer>
#include <algorithm>
#include <fstream>
#include <thread>

#include "app/desktop/runs/run_monitor.h"
#include "temp_dir.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
constexpr int kTimeout = 60'000;
constexpr auto kDeliberate = 1500ms;

TrainingRun someRun() {
  TrainingRun run;
  run.id = RunId("a");
  run.name = "a";
  run.created = SystemClock().now();
  for (int i = 0; i < 3; ++i) {
    NodeRun node;
    node.nodeRank = i;
    node.displayName = "node " + std::to_string(i);
    node.state = JobRunState::InProgress;
    run.nodes.push_back(node);
  }
  return run;
}

/// What three ranks bring within one look: 20 steps each and their lines.
RunUpdate streamed(int look) {
  RunUpdate update;
  update.run = someRun();
  update.dataLag = 1s;
  for (int rank = 0; rank < 3; ++rank) {
    for (const auto name : {metric::kLoss, metric::kSamplesPerSecond, metric::kCpuPercent, metric::kStepMs}) {
      MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
      for (Step step = look * 20; step < (look + 1) * 20; ++step) {
        batch.points.push_back({step, SystemClock().now(), 2.0 / static_cast<double>(step + 1)});
      }
      update.metrics.push_back(batch);
    }
    LogLine line;
    line.id = std::to_string(look) + "/" + std::to_string(rank);
    line.time = SystemClock().now();
    line.rank = Rank(rank);
    line.node = "node";
    line.text = "Epoch: [0][" + std::to_string(look) + "/100] Loss 2.0";
    update.lines.push_back(line);
  }
  return update;
}

}  // namespace

class StallWatchdogTest : public QObject {
  Q_OBJECT
 private slots:
  void findsTheDeliberateStallWhileARunStreams() {
    std::vector<std::chrono::milliseconds> stalls;
    RunPage page;
    page.resize(1200, 800);
    page.setRun(someRun());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    RunMonitor monitor(20ms);
    int updates = 0;
    connect(&monitor, &RunMonitor::updated, &page, [&](const auto& update) {
      page.apply(*update);
      ++updates;
    });
    auto look = std::make_shared<int>(0);
    const StallWatchdog watchdog(
        [&stalls](const StallWatchdog::Stall& stall) { stalls.push_back(stall.length); });
    monitor.follow([look](const std::stop_token&) -> Result<RunPoll> {
      return RunPoll([look](const std::stop_token&) { return streamed((*look)++); });
    });
    QTRY_VERIFY_WITH_TIMEOUT(updates > 50, kTimeout);
    QTimer::singleShot(0, this, [] { std::this_thread::sleep_for(kDeliberate); });
    const int before = updates;
    QTRY_VERIFY_WITH_TIMEOUT(updates > before + 10, kTimeout);
    monitor.stop();
    // Exactly one as long as ours: a loaded machine may add short ones, streaming must add none of that
    // length.
    const auto isLong = [](std::chrono::milliseconds length) { return length > kDeliberate / 2; };
    QCOMPARE(std::count_if(stalls.begin(), stalls.end(), isLong), 1);
    const auto longest = stalls.empty() ? 0ms : *std::max_element(stalls.begin(), stalls.end());
    QVERIFY2(longest >= kDeliberate - 2 * StallWatchdog::kPingInterval - 50ms,
             qPrintable(QString::number(longest.count())));
  }

  void writesEachStallIntoTheLog() {
    const TempDir dir;
    const auto file = dir.path() / "stalls.txt";
    const auto report = stallLogTo(file);
    report({123ms, 7ms});
    report({51ms, 0ms});
    std::ifstream in(file);
    std::string first, second;
    std::getline(in, first);
    std::getline(in, second);
    QVERIFY(first.ends_with(" stall 123 ms, worked 7 ms"));
    QVERIFY(second.ends_with(" stall 51 ms, worked 0 ms"));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::StallWatchdogTest)
#include "stall_watchdog_test.moc"

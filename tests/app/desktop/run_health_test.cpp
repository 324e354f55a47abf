// SPDX-License-Identifier: GPL-3.0-or-later
// Two nodes as real processes train over a work dir, and the page of their run shows what they publish.
#include <signal.h>

#include <QTest>

#include "app/desktop/runs/run_monitor.h"
#include "base/atomic_file.h"
#include "launch/run_follower.h"
#include "temp_dir.h"
#include "trainer/started_program.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/health/phase_model.h"
#include "widgets/health/reach_model.h"
#include "widgets/health/reach_panel.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/runs/run_page.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr int kTimeout = 120'000;

/// The service's part is not played here: the run just goes on.
class GoingOn final : public Launcher {
 public:
  Result<TrainingRun> launch(const LaunchRequest&, const LaunchProgressHandler&,
                             const std::stop_token&) override {
    return failure(ErrorCode::Internal, "not part of this test");
  }
  Result<TrainingRun> cancel(TrainingRun run, const std::stop_token&) override { return run; }
  Result<TrainingRun> refresh(TrainingRun run, const std::stop_token&) override { return run; }
};

TrainingRun runOf(const std::string& job) {
  TrainingRun run;
  run.id = RunId("a");
  run.jobId = JobId(job);
  run.launchComplete = true;
  run.nodes.resize(2);
  for (int i = 0; i < 2; ++i) {
    run.nodes[static_cast<std::size_t>(i)].id = JobRunId("r" + std::to_string(i));
    run.nodes[static_cast<std::size_t>(i)].nodeRank = i;
    run.nodes[static_cast<std::size_t>(i)].state = JobRunState::InProgress;
  }
  return run;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

}  // namespace

class RunHealthTest : public QObject {
  Q_OBJECT

  StartedProgram node(int rank) {
    return StartedProgram(dir_.path() / ("node-" + std::to_string(rank)), {program("lockstep-node")},
                          {{"OCI__WORK_DIR", "file://" + (dir_.path() / "work").string()},
                           {"OCI__WORKER_COUNT", "1"},
                           {"OCI__MODE", rank == 0 ? "MAIN" : "WORKER"},
                           {"RANK", std::to_string(rank)},
                           {"JOB_OCID", "job"},
                           {"JOB_RUN_OCID", "r" + std::to_string(rank)},
                           {"OCI__TIMEOUT", "60"},
                           {"OCI__CODE_DIR", dir_.path().string()},
                           {"OCI__ENTRY_SCRIPT", "train.sh"}});
  }

  TempDir dir_;

 private slots:
  void thePageShowsWhatNodesAndRanksPublish() {
    const std::string script =
        "#!/bin/sh\nexec " + program("lockstep-trainer") + " --make-data 400 --data-dir " +
        (dir_.path() / "data$RANK").string() +
        " --epochs 100000 --batch-size 16 --timeout 300 --no-shared-memory --output-dir " +
        (dir_.path() / "out$RANK").string() + "\n";
    QVERIFY(writeFileAtomically(dir_.path() / "train.sh", script, 0755));
    std::vector<StartedProgram> nodes;
    for (int rank = 0; rank < 2; ++rank) nodes.push_back(node(rank));

    RunPage page;
    page.setRun(runOf("job"));
    page.show();
    RunMonitor monitor(200ms);
    connect(&monitor, &RunMonitor::updated, this,
            [&](const std::shared_ptr<const RunUpdate>& update) { page.apply(*update); });
    monitor.follow([work = dir_.path() / "work"](const std::stop_token&) -> Result<RunPoll> {
      const auto clock = std::make_shared<SystemClock>();
      auto follower =
          std::make_shared<RunFollower>(runOf("job"), std::make_shared<GoingOn>(), nullptr, nullptr, clock,
                                        std::make_unique<HealthReader>(openFolder(work), "job", clock));
      return RunPoll([follower](const std::stop_token& stop) { return follower->poll(stop); });
    });

    const RunTables& tables = *page.dashboard()->tables();
    const ReachModel& reach = tables.nodes().model();
    QTRY_VERIFY_WITH_TIMEOUT(reach.rowCount() == 2 && cell(reach, 0, 2).startsWith("both ways") &&
                                 cell(reach, 1, 1).startsWith("both ways"),
                             kTimeout);
    const PhaseModel& phases = tables.phases();
    const bool isThere = QTest::qWaitFor(
        [&] { return phases.rowCount() == 2 && cell(phases, 1, PhaseModel::CollectiveColumn) != "0"; },
        kTimeout);
    QVERIFY2(isThere, (nodes[0].output() + nodes[1].output()).c_str());
    QVERIFY(cell(phases, 0, PhaseModel::AgeColumn).endsWith("ago"));
    const QString before = cell(phases, 1, PhaseModel::CollectiveColumn);
    QTRY_VERIFY_WITH_TIMEOUT(cell(phases, 1, PhaseModel::CollectiveColumn) != before, kTimeout);

    // One rank is frozen: the page says which one, and that the other waits for it.
    const auto written = openFolder(dir_.path() / "work")->get(layout::heartbeatFile("job"), {});
    QVERIFY(written);
    const auto heartbeat = parseHeartbeat(*written);
    QVERIFY(heartbeat);
    const pid_t frozen = heartbeat->ranks.at(1).pid;
    QVERIFY(frozen > 0);
    QCOMPARE(::kill(frozen, SIGSTOP), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!phases.stalls().empty(), kTimeout);
    QCOMPARE(phases.stalls().front().beat.rank, Rank(1));
    const auto said = [&page] {
      QString text;
      for (const MessageBar* bar : page.findChildren<MessageBar*>())
        if (bar->hasMessage()) text += bar->plainText();
      return text;
    };
    QTRY_VERIFY_WITH_TIMEOUT(said().contains("Rank 1 (host "), kTimeout);
    ::kill(frozen, SIGCONT);
    QTRY_VERIFY_WITH_TIMEOUT(phases.stalls().empty(), kTimeout);
    QTRY_COMPARE_WITH_TIMEOUT(said(), QString(), kTimeout);
    monitor.stop();
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunHealthTest)
#include "run_health_test.moc"

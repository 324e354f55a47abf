// SPDX-License-Identifier: GPL-3.0-or-later
// When the page of a run is worth a picture: it says what is there, not that something is being loaded.
#include <QTableView>
#include <QTest>

#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "metrics/metric_writer.h"
#include "temp_dir.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
constexpr int kTimeout = 60'000;

}  // namespace

class RunSettledTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RunsController> controller_;

  /// A run that has samples of the last seconds and no lines.
  void openRun(bool isOver) {
    const auto work = dir_->path() / "work";
    const TimePoint end = SystemClock().now();
    MetricWriter writer(openFolder(work), layout::metricsFolder("Undefined"), Rank(0), 1);
    for (Step step = 0; step < 50; ++step)
      writer.record(step, end - (50 - step) * 100ms, {{metric::kLoss, 1.0 / static_cast<double>(step + 1)}});
    QVERIFY(writer.flush(20s));
    if (isOver) QVERIFY(writeFileAtomically(work / "Undefined" / "stop", "stop"));
    controller_->open(toQString("file://" + (work / "Undefined").string()));
    QTRY_VERIFY_WITH_TIMEOUT(window_->runPage()->dashboard()->samples().sampleCount() == 50, kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isSettled(), kTimeout);
  }
  /// What the log says where its lines would be.
  [[nodiscard]] QStringList saidInstead() const {
    QStringList texts;
    for (const auto* const table : window_->runPage()->dashboard()->logView()->findChildren<QTableView*>())
      texts << table->accessibleDescription();
    return texts;
  }

 private slots:
  void init() {
    dir_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", QByteArray::fromStdString((dir_->path() / "home").string()));
    qputenv("HOME", dir_->path().c_str());
    window_ = std::make_unique<MainWindow>();
    controller_ = std::make_unique<RunsController>(window_.get());
  }
  void cleanup() {
    controller_.reset();
    window_.reset();
    dir_.reset();
  }

  void ofARunThatIsOverItIsKnownThatItLeftNoLines() {
    openRun(true);
    QVERIFY2(saidInstead().contains(QStringLiteral("This run left no lines.")),
             qPrintable(saidInstead().join(QLatin1Char('|'))));
  }

  void ofARunThatGoesOnLinesMayStillCome() {
    openRun(false);
    QVERIFY2(saidInstead().filter(QStringLiteral("No lines yet")).size() == 1,
             qPrintable(saidInstead().join(QLatin1Char('|'))));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunSettledTest)
#include "run_settled_test.moc"

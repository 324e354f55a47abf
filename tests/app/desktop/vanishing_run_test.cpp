// SPDX-License-Identifier: GPL-3.0-or-later
// A run in a folder that loses objects, and then all of itself, while the window shows it.
#include <QTest>
#include <filesystem>

#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/window/main_window.h"
#include "metrics/metric_writer.h"
#include "temp_dir.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr int kTimeout = 60'000;
constexpr int kRanks = 3;
constexpr Step kPerSegment = 20;

}  // namespace

class VanishingRunTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RunsController> controller_;
  std::vector<std::unique_ptr<MetricWriter>> writers_;
  Step next_ = 0;

  [[nodiscard]] fs::path work() const { return dir_->path() / "work"; }
  [[nodiscard]] fs::path metricsOf(int rank) const {
    return work() / "Undefined/lockstep/metrics" / ("rank-0000" + std::to_string(rank));
  }
  /// A segment of each rank.
  void writeSegments() {
    for (const auto& writer : writers_)
      for (Step step = next_; step < next_ + kPerSegment; ++step)
        writer->record(step, SystemClock().now(), {{metric::kLoss, 1.0 / static_cast<double>(step + 1)}});
    next_ += kPerSegment;
    for (const auto& writer : writers_) QVERIFY(writer->flush(20s));
  }
  [[nodiscard]] std::size_t samples(int rank) const {
    return window_->runPage()->dashboard()->samples().sampleCount(metric::kLoss, Rank(rank));
  }

 private slots:
  void init() {
    dir_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", QByteArray::fromStdString((dir_->path() / "home").string()));
    qputenv("HOME", dir_->path().c_str());
    window_ = std::make_unique<MainWindow>();
    controller_ = std::make_unique<RunsController>(window_.get());
    next_ = 0;
    for (int rank = 0; rank < kRanks; ++rank)
      writers_.push_back(std::make_unique<MetricWriter>(
          openFolder(work()), layout::metricsFolder("Undefined"), Rank(rank), kRanks));
  }
  void cleanup() {
    writers_.clear();
    controller_.reset();
    window_.reset();
    dir_.reset();
  }

  void whatIsGoneIsNotInventedAndTheRestIsRead() {
    writeSegments();
    writeSegments();
    fs::remove_all(metricsOf(1) / "raw");
    controller_->open(toQString("file://" + (work() / "Undefined").string()));
    QTRY_COMPARE_WITH_TIMEOUT(samples(0), static_cast<std::size_t>(next_), kTimeout);
    QTRY_COMPARE_WITH_TIMEOUT(samples(2), static_cast<std::size_t>(next_), kTimeout);
    QCOMPARE(samples(1), std::size_t{0});
    writeSegments();
    QTRY_COMPARE_WITH_TIMEOUT(samples(0), static_cast<std::size_t>(next_), kTimeout);
    QTRY_COMPARE_WITH_TIMEOUT(samples(1), static_cast<std::size_t>(kPerSegment), kTimeout);
  }

  void whatWasReadStaysWhereTheFolderGoesAndComesBack() {
    writeSegments();
    controller_->open(toQString("file://" + (work() / "Undefined").string()));
    QTRY_COMPARE_WITH_TIMEOUT(samples(2), static_cast<std::size_t>(next_), kTimeout);
    fs::rename(work() / "Undefined", work() / "aside");
    QTest::qWait(1500);
    for (int rank = 0; rank < kRanks; ++rank) QCOMPARE(samples(rank), static_cast<std::size_t>(next_));
    fs::rename(work() / "aside", work() / "Undefined");
    writeSegments();
    for (int rank = 0; rank < kRanks; ++rank)
      QTRY_COMPARE_WITH_TIMEOUT(samples(rank), static_cast<std::size_t>(next_), kTimeout);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::VanishingRunTest)
#include "vanishing_run_test.moc"

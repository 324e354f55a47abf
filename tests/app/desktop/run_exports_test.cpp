// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_exports.h"

#include <QImage>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>
#include <algorithm>
#include <memory>

#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "made_up_log.h"
#include "temp_dir.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"

namespace lockstep {

class RunExportsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RunExports> exports_;

  [[nodiscard]] QString fileNamed(const char* name) const {
    return toQString((dir_->path() / name).string());
  }
  MetricPlot* lossPlot() {
    for (MetricPlot* plot : window_->runPage()->dashboard()->findChildren<MetricPlot*>())
      if (plot->spec().lines.front().quantity.metric == "loss") return plot;
    return nullptr;
  }
  [[nodiscard]] bool finishes(QSignalSpy& finished) const {
    return !finished.isEmpty() || finished.wait(10'000);
  }

 private slots:
  void init() {
    dir_ = std::make_unique<TempDir>();
    window_ = std::make_unique<MainWindow>();
    exports_ = std::make_unique<RunExports>(window_.get());
    MetricStore samples;
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step step = 0; step < 50; ++step)
      batch.points.push_back(
          {step, TimePoint(std::chrono::seconds(step)), 1.0 / static_cast<double>(step + 1)});
    samples.add(batch);
    window_->runPage()->dashboard()->setSamples(samples.snapshot());
    lossPlot()->resize(500, 250);
  }

  void savesThePictureAsItsNameSays() {
    QSignalSpy finished(exports_.get(), &RunExports::finished);
    exports_->writePicture(*lossPlot(), fileNamed("loss.png"));
    QVERIFY(finishes(finished));
    QVERIFY(finished.takeFirst().at(0).toBool());
    QVERIFY(!QImage(fileNamed("loss.png")).isNull());
    exports_->writePicture(*lossPlot(), fileNamed("loss.SVG"));
    QVERIFY(finishes(finished));
    QVERIFY(QSvgRenderer(fileNamed("loss.SVG")).isValid());
  }

  void savesTheValuesInSight() {
    lossPlot()->setView({false, false, 10, 12});
    QSignalSpy finished(exports_.get(), &RunExports::finished);
    exports_->writeValues(*lossPlot(), fileNamed("loss.csv"));
    QVERIFY(finishes(finished));
    const auto text = readFile(dir_->path() / "loss.csv");
    QVERIFY(text.has_value());
    QCOMPARE(toQString(*text), QStringLiteral("rank,name,step,time,value\n"
                                              "0,loss,10,1970-01-01T00:00:10.000Z,0.09090909090909091\n"
                                              "0,loss,11,1970-01-01T00:00:11.000Z,0.08333333333333333\n"
                                              "0,loss,12,1970-01-01T00:00:12.000Z,0.07692307692307693\n"));
  }

  void savesLinesOfTheLogHoweverManyAndLong() {
    std::vector<LogLine> lines(2500);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].time = TimePoint(std::chrono::seconds(i));
      lines[i].node = "main";
      lines[i].text = "n" + std::to_string(i);
    }
    lines[1].text = std::string(300'000, 'x');  // more than is shown
    LogExtract some{snapshotOf(lines), {}};
    some.lines.appendRange(1, 2400);
    QSignalSpy finished(exports_.get(), &RunExports::finished);
    exports_->writeLines(some, fileNamed("run.log"));
    QVERIFY(finishes(finished));
    const auto text = readFile(dir_->path() / "run.log");
    QVERIFY(text.has_value());
    const QStringList written = toQString(*text).split(QLatin1Char('\n'));
    QCOMPARE(written.size(), 2401);
    QVERIFY(written[0].endsWith(QString(300'000, QLatin1Char('x'))));
    QVERIFY(written[2399].endsWith(QStringLiteral("[main] n2400")));
  }

  void whatCannotBeWrittenIsSaidOnThePage() {
    QSignalSpy finished(exports_.get(), &RunExports::finished);
    exports_->writeValues(*lossPlot(), fileNamed("missing/loss.csv"));
    QVERIFY(finishes(finished));
    QVERIFY(!finished.takeFirst().at(0).toBool());
    const auto bars = window_->runPage()->findChildren<MessageBar*>();
    QVERIFY(std::any_of(bars.begin(), bars.end(), [](const MessageBar* bar) {
      return bar->plainText().contains(QStringLiteral("missing/loss.csv"));
    }));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunExportsTest)
#include "run_exports_test.moc"

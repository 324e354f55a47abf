// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

#include "history/run_results.h"
#include "widgets/comparison/comparison_page.h"
#include "widgets/comparison/comparison_tables.h"
#include "widgets/comparison/verdict_text.h"
#include "widgets/metrics/charts/overlay/overlay_plot.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

ComparedRun runNamed(const std::string& name, double loss, Step steps) {
  ComparedRun run;
  run.run.id = RunId(name + "-1");
  run.run.name = name;
  run.run.created = TimePoint(1'700'000'000s);
  run.run.finished = run.run.created + 100s;
  run.run.launchComplete = true;
  run.run.trainYaml = "spec:\n  runtime: {spec: {args: ['--lr', '" + std::to_string(loss) + "']}}\n";
  NodeRun node;
  node.id = JobRunId("n");
  node.state = JobRunState::Succeeded;
  run.run.nodes = {node};
  MetricStore samples;
  MetricSeriesBatch batch{std::string(metric::kLoss), Rank(0), {}};
  for (Step step = 0; step < steps; ++step)
    batch.points.push_back({step, run.run.created + step * 10ms, loss + (step % 2 ? 0.01 : -0.01)});
  samples.add(batch);
  run.samples = samples.snapshot();
  run.results = resultsOf(*run.samples);
  return run;
}

const QAbstractItemModel* modelOf(const ComparisonPage& page, const char* name) {
  for (const QTreeView* table : page.findChildren<QTreeView*>())
    if (table->accessibleName() == QLatin1String(name)) return table->model();
  return nullptr;
}

}  // namespace

class ComparisonWidgetsTest : public QObject {
  Q_OBJECT
 private slots:
  void theVerdictTheCurvesAndTheTablesAreThere() {
    ComparisonPage page;
    page.resize(900, 700);
    page.show();
    page.setRuns({runNamed("a", 0.5, 100'000), runNamed("b", 0.25, 100'000)});
    QVERIFY2(page.verdict().contains("b is 0.25"), qPrintable(page.verdict()));
    QVERIFY(page.verdict().contains("lower than a"));
    const std::size_t drawn = page.plot()->pointCount();
    QVERIFY(drawn > 100);
    QVERIFY(drawn < 5000);  // columns, not samples
    const QAbstractItemModel* results = modelOf(page, "Results of the runs");
    QVERIFY(results);
    QCOMPARE(results->columnCount(), 3);
    QVERIFY(results->rowCount() >= 6);
    const QAbstractItemModel* differences = modelOf(page, "Differences between the runs");
    QVERIFY(differences);
    QCOMPARE(differences->rowCount(), 1);
    QCOMPARE(differences->index(0, 0).data().toString(), QStringLiteral("Arguments: --lr"));
    QCOMPARE(page.findChild<QTabWidget*>()->tabText(1), QStringLiteral("Differences (1)"));
  }

  void byTimeTheCurvesAreDrawnAgain() {
    ComparisonPage page;
    page.resize(900, 700);
    page.show();
    page.setRuns({runNamed("a", 0.5, 1000), runNamed("b", 0.25, 1000)});
    auto* axis = page.findChildren<QComboBox*>().at(1);
    for (QComboBox* box : page.findChildren<QComboBox*>())
      if (box->itemText(1) == QLatin1String("By time")) axis = box;
    axis->setCurrentIndex(1);
    QVERIFY(page.plot()->pointCount() > 100);
  }

  void aRunWhoseSamplesAreGoneSaysSo() {
    ComparisonPage page;
    page.show();
    ComparedRun bare = runNamed("b", 0.25, 10);
    bare.samples = std::make_shared<MetricStore>();
    page.setRuns({runNamed("a", 0.5, 1000), bare});
    QCOMPARE(page.plot()->curveNames(), (QStringList{"a", "b (no samples)"}));
  }

  void whatIsZoomedIntoStaysWhileRunsAreBeingRead() {
    ComparisonPage page;
    page.resize(900, 700);
    page.show();
    page.setRuns({runNamed("a", 0.5, 1000), runNamed("b", 0.25, 1000)});
    const auto whole = page.plot()->range();
    for (int i = 0; i < 3; ++i) QTest::keyClick(page.plot(), Qt::Key_Plus);
    QTest::keyClick(page.plot(), Qt::Key_Left);
    const auto zoomed = page.plot()->range();
    QVERIFY(zoomed.second - zoomed.first < 0.6 * (whole.second - whole.first));
    page.setRuns({runNamed("a", 0.5, 1000), runNamed("b", 0.25, 2000)});
    QCOMPARE(page.plot()->range(), zoomed);
    QTest::keyClick(page.plot(), Qt::Key_Home);
    QVERIFY(page.plot()->range().second > whole.second);
  }

  void runsThatHaveNotBeenReadYetAreThereAllTheSame() {
    ComparisonPage page;
    page.show();
    ComparedRun bare = runNamed("a", 0.5, 10);
    bare.samples.reset();
    bare.results.clear();
    page.setRuns({bare, bare});
    QCOMPARE(page.plot()->pointCount(), 0U);
    QVERIFY(page.verdict().contains("Nothing tells"));
    page.setRuns({});
    QCOMPARE(page.plot()->pointCount(), 0U);
  }

  void theTableIsAModel() {
    ComparisonTable table;
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.setRows({"", "a"}, resultRows({runNamed("a", 0.5, 10)}, TimePoint{}));
    QVERIFY(table.rowCount() > 3);
    QCOMPARE(table.index(0, 1).data().toString(), QStringLiteral("Succeeded"));
    table.setRows({}, {});
    QCOMPARE(table.rowCount(), 0);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::ComparisonWidgetsTest)
#include "comparison_widgets_test.moc"

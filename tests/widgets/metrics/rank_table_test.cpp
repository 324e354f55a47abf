// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>
#include <limits>

#include "made_up_run.h"

namespace lockstep {

class RankTableTest : public QObject {
  Q_OBJECT

  static QString cell(const RankTableModel& model, int row, int column) {
    return model.index(row, column).data().toString();
  }

 private slots:
  void chosenRanksAreSelectedUntilOthersAre() {
    RankTableModel model;
    model.update(*samplesOf(madeUpMetrics(6, 10)));
    RankTable table(&model);
    table.show();
    const auto selected = [&table] {
      std::set<Rank> ranks;
      for (const QModelIndex& row : table.selectionModel()->selectedRows())
        ranks.emplace(row.data(RankTableModel::RankRole).toInt());
      return ranks;
    };
    const std::set<Rank> chosen{Rank(1), Rank(4)};
    table.showChosen(chosen);
    QCOMPARE(selected(), chosen);
    table.clearSelection();  // by the user: it stays so
    table.showChosen(chosen);
    QVERIFY(selected().empty());
    table.showChosen({});
    table.showChosen({Rank(5)});
    QCOMPARE(selected(), std::set<Rank>{Rank(5)});
  }

  void columnsAreSizedByFewRowsOfMany() {
    RankTableModel model;
    const RankTable table(&model);
    QVERIFY(table.horizontalHeader()->resizeContentsPrecision() <= 100);
  }

  void thereIsRoomForAllPercentsWhateverTheFirstRowsShow() {
    RankTableModel model;
    model.update(*samplesOf(madeUpMetrics(1, 10)));
    RankTable table(&model);
    table.fitColumns();
    const int column = model.columnOf(metric::kCpuPercent);
    QVERIFY(model.widestText(column).contains(QStringLiteral("100")));
    QVERIFY(table.columnWidth(column) > table.fontMetrics().horizontalAdvance(model.widestText(column)));
  }

  void namesOfNodesAreElidedBeforeTheTableScrolls() {
    RankTableModel model;
    model.setNodes({{Rank(0), QStringLiteral("a-node-with-a-long-name-0001"), QStringLiteral("Running")}});
    model.update(*samplesOf(madeUpMetrics(1, 10)));
    RankTable table(&model);
    table.fitColumns();
    table.show();
    table.resize(2000, 200);
    const int whole = table.columnWidth(RankTableModel::NodeColumn);
    table.resize(table.horizontalHeader()->length() - 20, 200);
    QVERIFY(table.columnWidth(RankTableModel::NodeColumn) < whole);
    QVERIFY(table.horizontalHeader()->length() <= table.viewport()->width());
    table.resize(100, 200);  // it scrolls all the same
    QCOMPARE(table.columnWidth(RankTableModel::NodeColumn), whole);
    table.resize(2000, 200);
    QCOMPARE(table.columnWidth(RankTableModel::NodeColumn), whole);
  }

  void showsNodesBeforeTheirFirstSample() {
    RankTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setNodes(madeUpNodes(3));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 1, RankTableModel::NodeColumn), QStringLiteral("worker_0"));
    QCOMPARE(cell(model, 1, model.columnOf(metric::kLoss)), QStringLiteral("–"));
    QCOMPARE(cell(model, 1, model.ageColumn()), QStringLiteral("–"));
    model.setRankState(Rank(1), QStringLiteral("Failed"));
    QCOMPARE(cell(model, 1, RankTableModel::StateColumn), QStringLiteral("Failed"));
  }

  void aRankThatFellSilentFadesAndSaysSinceWhen() {
    RankTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setNodes(madeUpNodes(2));
    const auto foreground = [&model](int row) {
      return model.index(row, model.ageColumn()).data(Qt::ForegroundRole);
    };
    model.setStale({{Rank(1), TimePoint{}, std::chrono::seconds(125), 812}});
    QVERIFY(!foreground(0).isValid());
    QVERIFY(foreground(1).isValid());
    QCOMPARE(model.index(1, model.ageColumn()).data(Qt::ToolTipRole).toString(),
             QStringLiteral("No sample for 2 min 5 s after step 812, while other ranks went on"));
    model.setStale({});
    QVERIFY(!foreground(1).isValid());
  }

  void takesTheNewestValues() {
    RankTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setNodes(madeUpNodes(2));
    MetricStore store;
    const TimePoint time(std::chrono::seconds(1000));
    store.add({"loss", Rank(1), {{7, time - std::chrono::seconds(1), 3.0}, {8, time, 2.5}}});
    store.add({"samples_per_second", Rank(1), {{8, time, 1234.0}}});
    store.add({"memory_bytes", Rank(1), {{8, time, 2.1e9}}});
    store.add({"cpu_percent", Rank(1), {{8, time, 87.0}}});
    model.update(store);
    model.setNow(time + std::chrono::seconds(40));
    QCOMPARE(cell(model, 1, RankTableModel::StepColumn), QStringLiteral("8"));
    QCOMPARE(cell(model, 1, model.columnOf(metric::kLoss)), QStringLiteral("2.500"));
    QCOMPARE(cell(model, 1, model.columnOf(metric::kSamplesPerSecond)), QLocale().toString(1234));
    QCOMPARE(cell(model, 1, model.columnOf(metric::kCpuPercent)), QStringLiteral("87 %"));
    QCOMPARE(cell(model, 1, model.columnOf(metric::kMemoryBytes)), QStringLiteral("2.1 GB"));
    QCOMPARE(cell(model, 1, model.ageColumn()), QStringLiteral("40 s ago"));
    QVERIFY(!model.isOfUse(model.columnOf(metric::kGpuPercent)));
    store.add({"gpu_percent", Rank(0), {{8, time, 50.0}}});
    store.add({"loss", Rank(0), {{8, time, std::numeric_limits<double>::quiet_NaN()}}});
    model.update(store);
    QVERIFY(model.isOfUse(model.columnOf(metric::kGpuPercent)));
    QCOMPARE(cell(model, 0, model.columnOf(metric::kLoss)), QStringLiteral("not a number"));
  }

  void ranksWithoutANodeGetARow() {
    RankTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setNodes({{Rank(4), QStringLiteral("worker_3"), {}}});
    MetricStore store;
    store.add({"loss", Rank(1), {{0, {}, 1.0}}});
    store.add({"loss", Rank(9), {{0, {}, 1.0}}});
    model.update(store);
    QCOMPARE(model.ranks(), (std::vector<Rank>{Rank(1), Rank(4), Rank(9)}));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void sortsByNumbersNotByText() {
    RankTableModel model;
    RankTable table(&model);
    MetricStore store;
    for (int rank = 0; rank < 12; ++rank)
      store.add({"loss", Rank(rank), {{0, {}, rank == 3 ? 100.0 : 9.0 + rank}}});
    model.update(store);
    table.sortByColumn(model.columnOf(metric::kLoss), Qt::DescendingOrder);
    QCOMPARE(table.model()->index(0, RankTableModel::RankColumn).data().toString(), QStringLiteral("3"));
    table.sortByColumn(RankTableModel::RankColumn, Qt::AscendingOrder);
    QCOMPARE(table.model()->index(11, RankTableModel::RankColumn).data().toString(), QStringLiteral("11"));
  }

  void hidesTheGpuColumnUntilThereIsOne() {
    RankTableModel model;
    RankTable table(&model);
    QVERIFY(table.isColumnHidden(model.columnOf(metric::kGpuPercent)));
    MetricStore store;
    store.add({"gpu_percent", Rank(0), {{0, {}, 50.0}}});
    model.update(store);
    table.fitColumns();
    QVERIFY(!table.isColumnHidden(model.columnOf(metric::kGpuPercent)));
  }

  void headsAreThoseOfTheCatalogue() {
    const RankTableModel model;
    const auto head = [&](int column, int role = Qt::DisplayRole) {
      return model.headerData(column, Qt::Horizontal, role).toString();
    };
    QStringList heads;
    for (int column = 0; column < model.columnCount(); ++column) heads << head(column);
    QCOMPARE(heads.join(QLatin1Char('|')),
             QStringLiteral("Rank|Node|State|Step|Loss|Samples/s|CPU|GPU|Memory|Last sample"));
    QCOMPARE(head(model.columnOf(metric::kCpuPercent), Qt::ToolTipRole), QStringLiteral("100 % is one core"));
    QVERIFY(head(model.columnOf(metric::kLoss), Qt::ToolTipRole).isEmpty());
    QCOMPARE(model.columnOf(metric::kEpoch), -1);
    QCOMPARE(model.columnOf("of_a_script"), -1);
  }

  void entersAndCopiesARow() {
    RankTableModel model;
    RankTable table(&model);
    model.setNodes(madeUpNodes(3));
    table.resize(700, 200);
    table.show();
    table.selectRow(2);
    QSignalSpy activated(&table, &RankTable::rankActivated);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toInt(), 2);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("worker_1")));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RankTableTest)
#include "rank_table_test.moc"

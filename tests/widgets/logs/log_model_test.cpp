// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_model.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <random>

namespace lockstep {
namespace {

LogLine line(int second, const std::string& text, std::optional<Rank> rank = Rank(0)) {
  LogLine l;
  l.time = TimePoint(std::chrono::seconds(second));
  l.text = text;
  l.rank = rank;
  l.node = rank ? "worker_" + std::to_string(rank->value) : "main";
  l.level = levelOf(text);
  return l;
}

QStringList texts(const LogModel& model) {
  QStringList all;
  for (int row = 0; row < model.rowCount(); ++row)
    all.append(model.index(row, LogModel::TextColumn).data().toString());
  return all;
}

}  // namespace

class LogModelTest : public QObject {
  Q_OBJECT

 private slots:
  void lateLinesAreInsertedWhereTheyBelong() {
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.addLines({line(1, "a"), line(3, "c")});
    const QPersistentModelIndex c(model.index(1, LogModel::TextColumn));
    model.addLines({line(2, "b"), line(4, "d"), line(0, "first")});
    QCOMPARE(texts(model), (QStringList{"first", "a", "b", "c", "d"}));
    QCOMPARE(c.row(), 3);
    QCOMPARE(c.data().toString(), QStringLiteral("c"));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void whatHidesOrTurnsTextIsShownInstead() {
    LogModel model;
    LogLine hostile = line(1, "a\x1b[2J\x1b]0;x\a b\r\u202Etxt.exe");
    hostile.node = "main\u202E0";
    model.addLines({hostile});
    const QString shown = QString::fromUtf8("a\u241b[2J\u241b]0;x\u2407 b\u240d\\u202Etxt.exe");
    QCOMPARE(texts(model), QStringList{shown});
    QCOMPARE(model.index(0, LogModel::NodeColumn).data().toString(), QStringLiteral("main\\u202E0"));
    QVERIFY(model.copyText(0).endsWith(shown));
    QCOMPARE(model.book().line(0).text,
             std::string_view(hostile.text));  // as it came, for the filter and for saving
  }

  void aFilterHidesAndCounts() {
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    LogFilter filter;
    filter.text = literalMatcher("keep");
    model.setFilter(filter);
    model.addLines({line(1, "keep 1"), line(2, "drop"), line(3, "keep 3")});
    model.addLines({line(2, "keep 2"), line(0, "drop")});
    QCOMPARE(texts(model), (QStringList{"keep 1", "keep 2", "keep 3"}));
    QCOMPARE(model.hiddenCount(), std::size_t{2});
    QCOMPARE(model.book().line(model.lineOfRow(1)).text, std::string_view("keep 2"));
    QCOMPARE(model.rowOfLine(0), 0);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 5);
  }

  void anyArrivalShowsWhatAFreshModelShows() {
    std::mt19937 random(4);
    for (int round = 0; round < 40; ++round) {
      LogModel grown, fresh;
      QAbstractItemModelTester tester(&grown, QAbstractItemModelTester::FailureReportingMode::Fatal);
      LogFilter filter;
      if (round % 2) filter.ranks = {Rank(1)};
      grown.setFilter(filter);
      std::vector<LogLine> all;
      for (int batch = 0; batch < 6; ++batch) {
        std::vector<LogLine> lines;
        // Large, finely interleaved batches too: the end is rewritten then.
        for (auto n = random() % (round % 3 == 0 ? 300 : 12); n > 0; --n)
          lines.push_back(line(static_cast<int>(random() % 400), std::to_string(all.size() + lines.size()),
                               Rank(static_cast<int>(random() % 2))));
        grown.addLines(lines);
        all.insert(all.end(), lines.begin(), lines.end());
      }
      fresh.addLines(all);
      fresh.setFilter(filter);
      QCOMPARE(texts(grown), texts(fresh));
    }
  }

  void ofAVeryLongLogTheOldestLinesGo() {
    LogModel model(nullptr, LogBook::Limits{100, 1'000'000});
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    LogFilter filter;
    filter.ranks = {Rank(1)};
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
      if (i == 200) model.setFilter(filter);
      model.addLines({line(i, "n" + std::to_string(i), Rank(i % 2)),
                      line(static_cast<int>(random() % static_cast<unsigned>(i + 1)), "late", Rank(0))});
      QVERIFY(model.book().size() <= 100);
      for (int row = 0; row < model.rowCount(); ++row) QVERIFY(filter.accepts(model.lineAt(row)) || i < 200);
    }
    QCOMPARE(texts(model).back(), QStringLiteral("n399"));
    QCOMPARE(model.droppedCount() + model.book().size(), std::size_t{800});
    model.setFilter({});
    QCOMPARE(static_cast<std::size_t>(model.rowCount()), model.book().size());
  }

  void saysWhatALineIs() {
    LogModel model;
    model.addLines({line(1, "WARNING: slow", Rank(3)), line(2, "[node] up", std::nullopt)});
    QCOMPARE(model.index(0, LogModel::RankColumn).data().toString(), QStringLiteral("3"));
    QCOMPARE(model.index(0, 0).data(LogModel::RankRole).toInt(), 3);
    QCOMPARE(model.index(1, 0).data(LogModel::RankRole).toInt(), -1);
    QVERIFY(model.index(0, LogModel::TextColumn)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(QStringLiteral("Warning:")));
    QVERIFY(model.copyText(0).contains(QStringLiteral("[worker_3 rank 3] WARNING: slow")));
    QVERIFY(model.copyText(1).contains(QStringLiteral("[main] [node] up")));
    QVERIFY(!model.index(5, 0).data().isValid());
  }

  void findsRoundTheEnd() {
    LogModel model;
    model.addLines({line(1, "x"), line(2, "hit"), line(3, "x"), line(4, "hit")});
    const auto hit = literalMatcher("hit");
    QCOMPARE(model.findRow(hit, -1, true), 1);
    QCOMPARE(model.findRow(hit, 1, true), 3);
    QCOMPARE(model.findRow(hit, 3, true), 1);
    QCOMPARE(model.findRow(hit, 1, false), 3);
    QCOMPARE(model.findRow(hit, 4, false), 3);
    QCOMPARE(model.findRow(literalMatcher("none"), 0, true), -1);
    LogModel empty;
    QCOMPARE(empty.findRow(hit, -1, true), -1);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogModelTest)
#include "log_model_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

#include "log_view_fixture.h"
#include "widgets/logs/filters/log_find_bar.h"
#include "widgets/logs/filters/log_highlighters_dialog.h"
#include "widgets/logs/filters/log_words.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_overview.h"

namespace lockstep {

class LogViewFindTest : public LogViewFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }

  void findsForwardAndBack() {
    add(lines(0, 100));
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("error"));
    view_->findNext();
    QCOMPARE(view_->table()->currentIndex().row(), 7);
    view_->findNext();
    QCOMPARE(view_->table()->currentIndex().row(), 17);
    view_->findPrevious();
    view_->findPrevious();
    QCOMPARE(view_->table()->currentIndex().row(), 97);
    QVERIFY(!view_->table()->isFollowing());
    QTest::keyClick(child<QLineEdit>("findText"), Qt::Key_Escape);
    QVERIFY(!view_->findChild<LogFindBar*>()->isVisible());
  }

  void aPaneShowsAllMatches() {
    add(lines(0, 500));
    QVERIFY(view_->matches()->isHidden());
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("error"));
    QTRY_COMPARE(view_->matches()->model()->rowCount(), 50);
    QVERIFY(view_->matches()->isVisible());
    QCOMPARE(child<QLabel>("findResult")->text(), QStringLiteral("50 matches"));
    QSignalSpy told(view_.get(), &LogView::lineActivated);
    view_->matches()->table()->setFollowing(false);
    view_->matches()->table()->showRow(3);
    QTest::keyClick(view_->matches()->table(), Qt::Key_Return);
    QCOMPARE(view_->table()->currentIndex().row(), 37);
    QCOMPARE(told.count(), 1);
    QTest::keyClick(view_->table(), Qt::Key_F3);
    QCOMPARE(view_->table()->currentIndex().row(), 47);
    QCOMPARE(child<QLabel>("findResult")->text(), QStringLiteral("5 of 50 matches"));
    QTest::keyClick(view_->table(), Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(view_->table()->currentIndex().row(), 37);
    // Each pane follows by itself.
    view_->table()->setFollowing(true);
    QVERIFY(!view_->matches()->table()->isFollowing());
    view_->showOnlyRank(Rank(1));
    add(lines(500, 10));
    QCOMPARE(view_->matches()->model()->rowCount(), 51);
    view_->findChild<LogFindBar*>()->close();
    QVERIFY(view_->matches()->isHidden());
  }

  void aMatchThatIsFoldedIsUnfolded() {
    std::vector<LogLine> all = lines(0, 5, 1);
    all[1].text = "Traceback (most recent call last):";
    all[2].text = "  File \"model.py\"";
    all[3].text = "ValueError: x";
    add(all);
    QCOMPARE(view_->model()->rowCount(), 3);
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("model.py"));
    view_->findNext();
    QCOMPARE(view_->model()->rowCount(), 5);
    QCOMPARE(view_->table()->currentIndex().row(), 2);
    QTest::keyClick(view_->table(), Qt::Key_Left);
    QCOMPARE(view_->model()->rowCount(), 3);
    QCOMPARE(view_->table()->currentIndex().row(), 1);
    QTest::keyClick(view_->table(), Qt::Key_Right);
    QCOMPARE(view_->model()->rowCount(), 5);
    const QRect cell = view_->table()->visualRect(view_->model()->index(1, LogModel::TextColumn));
    QTest::mouseClick(view_->table()->viewport(), Qt::LeftButton, {},
                      QPoint(cell.left() + 3, cell.center().y()));
    QCOMPARE(view_->model()->rowCount(), 3);
    child<QToolButton>("fold")->click();
    QCOMPARE(view_->model()->rowCount(), 5);
  }

  void marksAndErrorsAreGoneTo() {
    add(lines(0, 100));
    QTest::keyClick(view_->table(), Qt::Key_F2);
    QVERIFY(!child<QLabel>("said")->text().isEmpty());
    view_->table()->showRow(10);
    QTest::keyClick(view_->table(), Qt::Key_M);
    view_->table()->showRow(50);
    QTest::keyClick(view_->table(), Qt::Key_M, Qt::ControlModifier);
    QTest::keyClick(view_->table(), Qt::Key_F2);
    QCOMPARE(view_->table()->currentIndex().row(), 10);
    QTest::keyClick(view_->table(), Qt::Key_F2, Qt::ShiftModifier);
    QCOMPARE(view_->table()->currentIndex().row(), 50);
    QTest::keyClick(view_->table(), Qt::Key_M);
    QCOMPARE(view_->model()->lines()->marks().size(), std::size_t{1});
    view_->table()->showRow(1);  // rank 1; errors are 7, 17, …, all of rank 1
    QTest::keyClick(view_->table(), Qt::Key_E);
    QCOMPARE(view_->table()->currentIndex().row(), 7);
    QTest::keyClick(view_->table(), Qt::Key_E, Qt::ShiftModifier);
    QCOMPARE(view_->table()->currentIndex().row(), 97);
    view_->table()->showRow(2);
    QTest::keyClick(view_->table(), Qt::Key_E);
    QCOMPARE(view_->table()->currentIndex().row(), 2);
    QCOMPARE(child<QLabel>("said")->text(), QStringLiteral("No error of rank 0"));
  }

  void goesToALineOrATime() {
    add(lines(0, 100));
    const auto go = [this](const QString& place) {
      QTest::keyClick(view_->table(), Qt::Key_G, Qt::ControlModifier);
      child<QLineEdit>("goText")->setText(place);
      QTest::keyClick(child<QLineEdit>("goText"), Qt::Key_Return);
      return view_->table()->currentIndex().row();
    };
    QCOMPARE(go(QStringLiteral("42")), 41);
    QCOMPARE(go(QStringLiteral("1970-01-01T00:00:12Z")), 12);
    QCOMPARE(go(lineTimeText(TimePoint(std::chrono::seconds(77)))), 77);
    QCOMPARE(go(QStringLiteral("999999")), 99);
    QCOMPARE(go(QStringLiteral("soon")), 99);
    QVERIFY(!child<QLabel>("goMistake")->text().isEmpty());
  }

  void theOverviewCountsAllOfTheLog() {
    add(lines(0, 1000));
    auto* overview = view_->findChild<LogOverview*>();
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("line 12"));
    view_->model()->lines()->toggleMark(999);
    QTRY_VERIFY(view_->matches()->model()->rowCount() > 0);
    LogOverview::Counts sum;
    for (int y = 0; y < 50; ++y) {
      const LogOverview::Counts counts = overview->countsAt(y, 50);
      sum.errors += counts.errors;
      sum.matches += counts.matches;
      sum.marks += counts.marks;
    }
    QCOMPARE(sum.errors, std::uint64_t{100});
    QCOMPARE(sum.matches, view_->matches()->model()->accepted().size());
    QCOMPARE(sum.marks, std::uint64_t{1});
    QTRY_VERIFY(overview->accessibleDescription().contains(QStringLiteral("100 errors")));
    QTest::mouseClick(overview, Qt::LeftButton, {}, QPoint(3, 1));
    QVERIFY(!view_->table()->isFollowing());
    QVERIFY(topLine() < 50);
  }

  void wordsGetColoursAndStay() {
    add(lines(0, 20));
    const QImage before = view_->table()->grab().toImage();
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("line 1"));
    QTest::keyClick(child<QLineEdit>("findText"), Qt::Key_3, Qt::ControlModifier | Qt::ShiftModifier);
    view_->findChild<LogFindBar*>()->close();
    QVERIFY(view_->table()->grab().toImage() != before);
    const QByteArray state = view_->saveState();
    QVERIFY(state.contains("line 1"));
    LogView other;
    other.restoreState(state);
    QCOMPARE(other.saveState(), state);
    QTest::keyClick(view_->table(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = view_->findChild<LogHighlightersDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("highlighter3"))->text(), QStringLiteral("line 1"));
    dialog->findChild<QLineEdit*>(QStringLiteral("highlighter3"))->clear();
    QVERIFY(!view_->saveState().contains("line 1"));
    dialog->close();
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogViewFindTest)
#include "log_view_find_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QToolButton>

#include "log_view_fixture.h"
#include "temp_dir.h"

namespace lockstep {

class LogViewTest : public LogViewFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }

  void followsTheEnd() {
    add(lines(0, 200));
    QTRY_VERIFY(bar()->maximum() > 0 && isAtEnd());
    add(lines(200, 200));
    QTRY_VERIFY(view_->table()->rowAt(view_->table()->viewport()->height() - 4) == 399);
    QVERIFY(isAtEnd());
    QVERIFY(view_->table()->isFollowing());
  }

  void scrollingUpStopsFollowingAndEndTakesItUpAgain() {
    add(lines(0, 200));
    QTRY_VERIFY(bar()->maximum() > 0 && isAtEnd());
    bar()->triggerAction(QAbstractSlider::SliderPageStepSub);
    QVERIFY(!view_->table()->isFollowing());
    QVERIFY(!child<QToolButton>("follow")->isChecked());
    const int top = topLine();
    add(lines(200, 100));
    QTest::qWait(20);
    QCOMPARE(topLine(), top);
    QTest::keyClick(view_->table(), Qt::Key_End);
    QVERIFY(view_->table()->isFollowing());
    QVERIFY(child<QToolButton>("follow")->isChecked());
    QTRY_VERIFY(isAtEnd());
    bar()->setValue(10);
    QVERIFY(!view_->table()->isFollowing());
    child<QToolButton>("follow")->click();
    QTRY_VERIFY(isAtEnd());
  }

  void scrollingBackToTheEndFollowsAgain() {
    add(lines(0, 200));
    QTRY_VERIFY(bar()->maximum() > 0 && isAtEnd());
    bar()->setValue(0);
    QVERIFY(!view_->table()->isFollowing());
    bar()->setValue(bar()->maximum());
    QVERIFY(view_->table()->isFollowing());
  }

  void lateLinesAboveDoNotMoveWhatIsRead() {
    add(lines(1000, 300));
    QTRY_VERIFY(bar()->maximum() > 0);
    bar()->setValue(100);
    const QString text =
        QString::fromStdString(std::string(view_->model()->lineAt(view_->table()->rowAt(0)).text));
    add(lines(0, 50));
    QTest::qWait(20);
    QCOMPARE(QString::fromStdString(std::string(view_->model()->lineAt(view_->table()->rowAt(0)).text)),
             text);
  }

  void lateLinesTakeMarksSelectionAndUnfoldedLinesWithThem() {
    std::vector<LogLine> all = lines(1000, 300, 1);
    all[120].text = "Traceback (most recent call last):";
    all[121].text = "  File \"model.py\"";
    all[122].text = "ValueError: x";
    add(all);
    view_->table()->showRow(130);
    QTest::keyClick(view_->table(), Qt::Key_M);
    view_->model()->setUnfolded(120, true);
    view_->table()->selectionModel()->select(
        QItemSelection(view_->model()->index(100, 0), view_->model()->index(109, LogModel::TextColumn)),
        QItemSelectionModel::ClearAndSelect);
    const QString selected = view_->table()->selectedText();
    QCOMPARE(selected.count(QLatin1Char('\n')), 9);
    const int rows = view_->model()->rowCount();
    add(lines(0, 7, 1));  // before all of them
    std::vector<LogLine> between = lines(1100, 5, 1);
    for (LogLine& line : between) line.time += std::chrono::milliseconds(500);
    add(between);  // between those that are selected
    QCOMPARE(view_->model()->rowCount(), rows + 12);
    QCOMPARE(view_->table()->selectedText(), selected);
    QCOMPARE(view_->model()->lines()->marks().lines(), std::vector<LineList::Line>{132 + 12});
    QCOMPARE(view_->model()->lineAt(view_->model()->rowOfLine(132 + 12)).text, std::string_view("line 1132"));
    QCOMPARE(view_->model()->index(120 + 12, 0).data(LogModel::FoldRole).toInt(),
             static_cast<int>(LogModel::Fold::Unfolded));
  }

  void linesThatAreNoLongerKeptAreSaid() {
    const TempDir dir;
    KeptLog kept(dir.path() / "log", KeptLog::Limits{16'000});
    for (int i = 0; i < 800; i += 10) kept.add(lines(i, 10));
    view_->setLog(kept.snapshot());
    QVERIFY(kept.dropped() > 0);
    QVERIFY2(counts().contains(QStringLiteral("%1 older lines").arg(kept.dropped())), qPrintable(counts()));
    view_->model()->setMostRows(10);
    kept.add(lines(800, 1));
    view_->setLog(kept.snapshot());
    QVERIFY2(counts().contains(QStringLiteral("too many to be shown")), qPrintable(counts()));
  }

  void copiesAndHandsOutWhatIsShown() {
    add(lines(0, 20));
    view_->table()->selectAll();
    QTest::keyClick(view_->table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 19);
    QSignalSpy saved(view_.get(), &LogView::saveRequested);
    view_->showOnlyRank(Rank(1));
    child<QToolButton>("saveLines")->click();
    QCOMPARE(saved.count(), 1);
    QCOMPARE(saved[0][0].value<LogExtract>().text().count(QLatin1Char('\n')), 10);
    QVERIFY(
        saved[0][0].value<LogExtract>().text().contains(QStringLiteral("[worker_1 rank 1] ERROR: line 7")));
  }

  void manyLinesASecondAreTaken() {
    for (int batch = 0; batch < 50; ++batch) add(lines(batch * 2000, 2000));
    QCOMPARE(view_->model()->rowCount(), 100'000);
    QTRY_VERIFY(isAtEnd());
    QVERIFY(counts().startsWith(QLocale().toString(100'000)));
  }

  void ofVeryManySelectedLinesTheFirstAreCopiedAndThatIsSaid() {
    add(lines(0, LogTable::kMaxCopied + 10));
    view_->table()->selectAll();
    view_->table()->copyRaw();
    QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), LogTable::kMaxCopied - 1);
    QVERIFY(child<QLabel>("said")->text().contains(QLocale().toString(LogTable::kMaxCopied)));
  }

  void aClickAndEnterTellTimeAndRank() {
    add(lines(0, 20));
    view_->table()->setFollowing(false);
    QSignalSpy told(view_.get(), &LogView::lineActivated);
    const QRect cell = view_->table()->visualRect(view_->model()->index(2, LogModel::NodeColumn));
    QTest::mouseClick(view_->table()->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(told.count(), 1);
    QTest::keyClick(view_->table(), Qt::Key_Down);
    QTest::keyClick(view_->table(), Qt::Key_Return);
    QCOMPARE(told.count(), 2);
    QCOMPARE(told[1][0].value<TimePoint>(), TimePoint(std::chrono::seconds(3)));
    QCOMPARE(told[1][1].value<std::optional<Rank>>(), std::optional(Rank(1)));
  }

  void theSharedCursorIsInSightAndEndsFollowing() {
    add(lines(0, 500));
    QTRY_VERIFY(isAtEnd());
    view_->setCursorTime(TimePoint(std::chrono::milliseconds(100'500)));
    QVERIFY(!view_->table()->isFollowing());
    QVERIFY(view_->table()->viewport()->rect().contains(
        view_->table()->visualRect(view_->model()->index(100, LogModel::TimeColumn)).center()));
    const QImage with = view_->table()->grab().toImage();
    view_->setCursorTime(std::nullopt);
    QVERIFY(view_->table()->grab().toImage() != with);
  }

  void saysUntilWhenTheServiceHasTheLines() {
    QVERIFY(child<QLabel>("retention")->isHidden());
    view_->setRetention(SystemClock().now() + std::chrono::hours(48));
    QVERIFY(child<QLabel>("retention")->text().contains(QStringLiteral("until")));
    view_->setRetention(SystemClock().now() - std::chrono::hours(48));
    QVERIFY(child<QLabel>("retention")->text().contains(QStringLiteral("deleted")));
    view_->setRetention(std::nullopt);
    QVERIFY(child<QLabel>("retention")->isHidden());
    view_->setRetention(std::chrono::days(30));
    QVERIFY(child<QLabel>("retention")->isHidden());  // there is no line yet
    std::vector<LogLine> now = lines(0, 1);
    now[0].time = SystemClock().now() - std::chrono::hours(1);
    add(now);
    QVERIFY(child<QLabel>("retention")->text().contains(QStringLiteral("until")));
    add(lines(0, 1));  // of 1970
    QVERIFY(child<QLabel>("retention")->text().contains(QStringLiteral("deleted")));
    view_->clear();
    QVERIFY(child<QLabel>("retention")->isHidden());
  }

  void savesAllAndCopiesWhatCame() {
    std::vector<LogLine> all = lines(0, 4);
    all[3].text = "\033[31mred\033[0m\tx";
    add(all);
    view_->showOnlyRank(Rank(1));
    QSignalSpy saved(view_.get(), &LogView::saveRequested);
    for (QAction* action : view_->table()->actions())
      if (action->text() == QStringLiteral("Save all lines…")) action->trigger();
    QCOMPARE(saved.count(), 1);
    QCOMPARE(saved[0][0].value<LogExtract>().text().count(QLatin1Char('\n')), 4);
    view_->table()->showRow(1);
    QTest::keyClick(view_->table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("\033[31mred\033[0m\tx"));
    QTest::keyClick(view_->table(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("red\tx")));
  }

  void clearBeginsAnew() {
    add(lines(0, 100));
    bar()->setValue(0);
    view_->clear();
    QCOMPARE(view_->model()->rowCount(), 0);
    QVERIFY(view_->table()->isFollowing());
    QVERIFY(counts().isEmpty());
    QVERIFY(!child<QToolButton>("saveLines")->isEnabled());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogViewTest)
#include "log_view_test.moc"

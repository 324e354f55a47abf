// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "log_view_fixture.h"
#include "widgets/common/layout/elided_button.h"
#include "widgets/common/layout/elided_combo.h"
#include "widgets/logs/filters/log_filter_bar.h"

namespace lockstep {

class LogViewFilterTest : public LogViewFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }

  void theButtonsWithinTheFilterHaveNamesAndOneCanBeReached() {
    LogView view;
    auto* text = view.findChild<QLineEdit*>(QStringLiteral("textFilter"));
    QVERIFY(text);
    text->setText(QStringLiteral("error"));
    const auto buttons = text->findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    bool canBeReached = false;
    for (const QToolButton* button : buttons) {
      QVERIFY(!button->accessibleName().isEmpty());
      canBeReached |= (button->focusPolicy() & Qt::TabFocus) != 0;
    }
    QVERIFY(canBeReached);
  }

  void theMenusEndTheirTextsWithAnEllipsisInANarrowWindow() {
    view_->resize(view_->minimumSizeHint().width(), 300);
    for (const char* name : {"rankFilter", "timeFilter"}) {
      auto* menu = child<ElidedButton>(name);
      menu->setText(QStringLiteral("a text that is longer than the button is wide"));
      QTRY_VERIFY(menu->width() < menu->sizeHint().width());
      QVERIFY2(menu->shownText().endsWith(QChar(0x2026)), name);
      QVERIFY2(menu->fontMetrics().horizontalAdvance(menu->shownText()) < menu->width(), name);
      menu->setText(QStringLiteral("ab"));
      QCOMPARE(menu->shownText(), QStringLiteral("ab"));
    }
  }

  void theListOfLevelsEndsItsTextWithAnEllipsisWhereItIsTooNarrow() {
    auto* levels = child<ElidedCombo>("levelFilter");
    levels->setCurrentIndex(2);
    QFont large = levels->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    const int width = levels->width();
    levels->setFont(large);
    levels->setFixedWidth(width);
    QVERIFY2(levels->shownText().endsWith(QChar(0x2026)), qPrintable(levels->shownText()));
    QVERIFY(levels->fontMetrics().horizontalAdvance(levels->shownText()) < levels->width());
    QCOMPARE(levels->currentText(), levels->itemText(2));
  }

  void aLineOf100MegabytesIsALineAmongOthers() {
    std::vector<LogLine> some = lines(0, 3);
    some[1].text = std::string(100 << 20, 'x') + " the end";
    const std::size_t length = some[1].text.size();
    add(some);
    QTRY_COMPARE(view_->model()->rowCount(), 3);
    const QString shown = view_->model()->index(1, LogModel::TextColumn).data().toString();
    QVERIFY(shown.startsWith(QStringLiteral("xxx")) && shown.size() <= qsizetype{128 * 1024});
    view_->table()->grab();
    child<QLineEdit>("textFilter")->setText(QStringLiteral("\"the end\""));
    QTRY_COMPARE_WITH_TIMEOUT(view_->model()->rowCount(), 1, 20'000);
    QCOMPARE(view_->model()->rawText(0).size(), static_cast<qsizetype>(length));
    child<QLineEdit>("textFilter")->clear();
    QTRY_COMPARE_WITH_TIMEOUT(view_->model()->rowCount(), 3, 20'000);
    QCOMPARE(view_->model()->index(2, LogModel::TextColumn).data().toString(), QStringLiteral("line 2"));
  }

  void filtersByTextLevelAndRank() {
    add(lines(0, 100));
    QCOMPARE(counts(), QStringLiteral("100 lines"));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("\"LINE 9\""));
    QTRY_COMPARE(view_->model()->rowCount(), 11);
    QCOMPARE(counts(), QStringLiteral("100 lines, 89 hidden by filter"));
    child<QLineEdit>("textFilter")->clear();
    QTRY_COMPARE(view_->model()->rowCount(), 100);
    child<QComboBox>("levelFilter")->setCurrentIndex(3);
    QCOMPARE(view_->model()->rowCount(), 10);
    child<QComboBox>("levelFilter")->setCurrentIndex(0);
    view_->showOnlyRank(Rank(1));
    QCOMPARE(view_->model()->rowCount(), 50);
    auto* menu = child<QPushButton>("rankFilter")->menu();
    menu->actions().front()->trigger();
    QCOMPARE(view_->model()->rowCount(), 100);
    menu->actions()[2]->trigger();  // rank 0
    QCOMPARE(view_->model()->rowCount(), 50);
    add(lines(100, 10));
    QCOMPARE(view_->model()->rowCount(), 55);
  }

  void aBadExpressionIsSaidBesideTheFieldAndTheOldFilterStays() {
    add(lines(0, 100));
    auto* filter = view_->findChild<LogFilterBar*>();
    for (auto* button : filter->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral(".*")) button->click();
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [12]$"));
    QTRY_COMPARE(view_->model()->rowCount(), 2);
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [12"));
    QTRY_VERIFY(!filter->expressionError().isEmpty());
    QVERIFY(child<QLabel>("textFilterMistake")->isVisible());
    QCOMPARE(view_->model()->rowCount(), 2);
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [1]$"));
    QTRY_COMPARE(view_->model()->rowCount(), 1);
    QVERIFY(!child<QLabel>("textFilterMistake")->isVisible());
  }

  void anExpressionThatTakesTooLongIsSaidAndHoldsNothingUp() {
    std::vector<LogLine> hard = lines(0, 200);
    for (LogLine& line : hard) line.text = std::string(200, 'a') + "!";
    add(hard);
    auto* filter = view_->findChild<LogFilterBar*>();
    for (auto* button : filter->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral(".*")) button->click();
    child<QLineEdit>("textFilter")->setText(QStringLiteral("(a+)+$"));
    QTRY_VERIFY(filter->expressionError().contains(QStringLiteral("too long")));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("!$"));
    QTRY_COMPARE(view_->model()->rowCount(), 200);
    QVERIFY(filter->expressionError().isEmpty());
  }

  void windowRanksAndEndNarrowTheLog() {
    add(lines(0, 100, 4));
    view_->setTimeWindow(std::pair(TimePoint(std::chrono::seconds(10)), TimePoint(std::chrono::seconds(29))));
    QCOMPARE(view_->model()->rowCount(), 20);
    view_->showOnlyRanks({Rank(1), Rank(2)});
    QCOMPARE(view_->model()->rowCount(), 10);
    QVERIFY(child<QToolButton>("timeChip"));
    QVERIFY(child<QToolButton>("rankChip")->text().startsWith(QStringLiteral("Ranks 1")));
    view_->setEnd(TimePoint(std::chrono::seconds(19)));
    QCOMPARE(view_->model()->rowCount(), 5);
    QCOMPARE(counts(), QStringLiteral("20 lines, 15 hidden by filter"));  // as if the log ended there
    child<QToolButton>("timeChip")->click();
    QCOMPARE(view_->model()->rowCount(), 10);
    child<QToolButton>("rankChip")->click();
    QCOMPARE(view_->model()->rowCount(), 20);
    QVERIFY(view_->findChild<LogFilterChips*>()->isHidden());
    view_->setEnd(std::nullopt);
    QCOMPARE(view_->model()->rowCount(), 100);
  }

  void ranksAndNodesAreChosenInTheMenu() {
    add(lines(0, 100, 4));
    auto* menu = child<QPushButton>("rankFilter")->menu();
    auto* list = menu->findChild<QLineEdit*>(QStringLiteral("rankList"));
    QVERIFY(list);
    list->setText(QStringLiteral("x"));
    emit list->returnPressed();
    QTRY_VERIFY(!list->accessibleDescription().isEmpty());
    QCOMPARE(view_->model()->rowCount(), 100);
    list->setText(QStringLiteral("1-2"));
    emit list->returnPressed();
    QTRY_COMPARE(view_->model()->rowCount(), 50);
    menu->actions().front()->trigger();
    QCOMPARE(view_->model()->rowCount(), 100);
    menu->actions().back()->trigger();  // the last node
    QCOMPARE(view_->model()->rowCount(), 25);
    QVERIFY(child<QToolButton>("nodeChip"));
  }

  void theTimeMenuCountsFromTheNewestAndTheChosenLine() {
    add(lines(0, 1000));
    const QList<QAction*> entries = child<QPushButton>("timeFilter")->menu()->actions();
    const auto trigger = [&](const char* text) {
      for (QAction* entry : entries)
        if (entry->text() == QLatin1String(text)) entry->trigger();
    };
    trigger("Last minute");
    QCOMPARE(view_->model()->rowCount(), 61);
    trigger("All times");
    view_->table()->showRow(500);
    trigger("30 seconds around the chosen line");
    QCOMPARE(view_->model()->rowCount(), 61);
    trigger("All times");
    view_->table()->showRow(500);
    trigger("Until the chosen line");
    QCOMPARE(view_->model()->rowCount(), 501);
  }

  void wordsAreSearchedForInTheLog() {
    add(lines(0, 100));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line -error (5 OR \"line 8\")"));
    QTRY_COMPARE(counts(), QStringLiteral("100 lines, 73 hidden by filter"));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line \"8"));
    QTRY_COMPARE(child<QLabel>("textFilterMistake")->text(),
                 QStringLiteral("Character 6: the quote is not closed"));
    QCOMPARE(view_->model()->rowCount(), 27);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogViewFilterTest)
#include "log_view_filter_test.moc"

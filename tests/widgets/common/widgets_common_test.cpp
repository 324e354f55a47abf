// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "widgets/common/elided_label.h"
#include "widgets/common/issues_panel.h"
#include "widgets/common/issues_view.h"
#include "widgets/common/message_bar.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/state_badge.h"
#include "widgets/common/theme.h"

using namespace lockstep;

namespace {

Issue issueAt(int line, Severity severity, const std::string& message) {
  return {severity, "some-code", message, "write it", FieldPath{"spec", "name"}, {line, 3}};
}

double luminance(const QColor& color) {
  const auto channel = [](double value) {
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a) + 0.05;
  const double lb = luminance(b) + 0.05;
  return std::max(la, lb) / std::min(la, lb);
}

QColor inkOf(const QIcon& icon) {
  const QImage image = icon.pixmap(32, 32).toImage().convertToFormat(QImage::Format_ARGB32);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).alpha() == 255) return image.pixelColor(x, y);
  return {};
}

Status refusal() {
  return {StatusCode::NotFound,
          "cannot find bucket 'b'",
          "the service knows no such bucket",
          "create it",
          "spec.workDir",
          ServiceAnswer{"Object Storage", "GetBucket", 404, "BucketNotFound", "REQ/1"}};
}

}  // namespace

class WidgetsCommonTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { applyTheme(*qApp, ThemeMode::Light); }

  void theModelKeepsTheRulesOfModels() {
    IssuesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setIssues({issueAt(1, Severity::Error, "a"), issueAt(2, Severity::Warning, "b")});
    model.setIssues({});
    model.setIssues({issueAt(4, Severity::Info, "c")});
    QCOMPARE(model.rowCount(), 1);
  }

  void issuesSayPlaceMessageAndRemedy() {
    IssuesModel model;
    model.setIssues({issueAt(7, Severity::Error, "name is missing"), issueAt(9, Severity::Warning, "odd")});
    QCOMPARE(model.index(0, IssuesModel::SeverityColumn).data().toString(), QStringLiteral("Error"));
    QCOMPARE(model.index(0, IssuesModel::PlaceColumn).data().toString(), QStringLiteral("line 7:3"));
    QCOMPARE(model.index(0, IssuesModel::MessageColumn).data().toString(),
             QStringLiteral("Name is missing. Write it"));
    QCOMPARE(model.summary(), QStringLiteral("1 error, 1 warning"));
    model.setIssues({});
    QCOMPARE(model.summary(), QStringLiteral("No problems"));
  }

  void activatingARowNamesItsIssue() {
    IssuesView view;
    view.setIssues({issueAt(1, Severity::Error, "a"), issueAt(2, Severity::Error, "b")});
    QList<Issue> activated;
    connect(&view, &IssuesView::issueActivated, this, [&](const Issue& issue) { activated << issue; });
    emit view.activated(view.model()->index(1, IssuesModel::MessageColumn));
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated.front().place.line, 2);
  }

  void aStatusIsShownWhole() {
    MessageBar bar;
    QVERIFY(!bar.hasMessage());
    bar.showStatus(refusal());
    QVERIFY(bar.hasMessage());
    const QString text = bar.plainText();
    for (const char* part :
         {"Cannot find bucket 'b'", "The service knows no such bucket", "Create it", "spec.workDir",
          "Object Storage GetBucket", "HTTP 404 BucketNotFound", "REQ/1", "not-found"})
      QVERIFY2(text.contains(QLatin1String(part)), part);
    QVERIFY(!bar.findChild<QLabel*>(QStringLiteral("details"))->isVisibleTo(&bar));
  }

  void theMessageCanBeClosedAndReplaced() {
    MessageBar bar;
    bar.showStatus(refusal());
    bar.addButton(QStringLiteral("&Fix"));
    bar.showMessage(Severity::Info, QStringLiteral("all is well"));
    for (const QPushButton* button : bar.findChildren<QPushButton*>()) QVERIFY(button->isHidden());
    QVERIFY(!bar.plainText().contains(QLatin1String("bucket")));
    QSignalSpy closed(&bar, &MessageBar::closed);
    QTest::keyClick(&bar, Qt::Key_Escape);
    QCOMPARE(closed.count(), 1);
    QVERIFY(!bar.hasMessage());
  }

  // A message bar that is shown and then meets another palette once recoloured itself without end.
  void aShownMessageOutlivesAChangeOfTheme() {
    MessageBar bar;
    bar.showStatus(refusal());
    bar.show();
    applyTheme(*qApp, ThemeMode::Dark);
    QCoreApplication::processEvents();
    applyTheme(*qApp, ThemeMode::Light);
    QCoreApplication::processEvents();
    QVERIFY(bar.hasMessage());
  }

  void meaningsAreReadableInLightAndDark() {
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
      applyTheme(*qApp, mode);
      const QPalette palette = QApplication::palette();
      QCOMPARE(isDark(palette), mode == ThemeMode::Dark);
      for (const QColor& ink : {okColor(palette), warningColor(palette), errorColor(palette),
                                mutedColor(palette), accentColor(palette), palette.color(QPalette::Text)})
        for (const QColor& ground :
             {palette.color(QPalette::Window), palette.color(QPalette::Base), cardColor(palette)})
          QVERIFY2(contrast(ink, ground) >= 4.5,
                   qPrintable(ink.name() + QStringLiteral(" on ") + ground.name()));
    }
  }

  void iconsTakeTheColorOfTheThemeInForce() {
    const QIcon icon = themedIcon(QStringLiteral("play"));
    QVERIFY(!icon.isNull());
    QCOMPARE(inkOf(icon), QApplication::palette().color(QPalette::WindowText));
    applyTheme(*qApp, ThemeMode::Dark);
    QCOMPARE(inkOf(icon), QApplication::palette().color(QPalette::WindowText));
    QVERIFY(themedIcon(QStringLiteral("no-such-icon")).isNull());
  }

  void everyToneHasAnIconOfItsOwn() {
    QList<QImage> seen;
    for (const BadgeTone tone : {BadgeTone::Neutral, BadgeTone::Busy, BadgeTone::Info, BadgeTone::Ok,
                                 BadgeTone::Warning, BadgeTone::Error, BadgeTone::Off}) {
      const QImage image = iconFor(tone).pixmap(24, 24).toImage().convertToFormat(QImage::Format_Alpha8);
      QVERIFY2(!seen.contains(image), "two tones look the same without colour");
      seen << image;
    }
  }

  void aCutTextIsWholeInToolTipAndForScreenReaders() {
    ElidedLabel label(QString(200, QLatin1Char('x')));
    label.resize(80, 20);
    label.show();
    QCOMPARE(label.toolTip(), label.text());
    QCOMPARE(label.accessibleName(), label.text());
    label.setText(QStringLiteral("x"));
    QVERIFY(label.toolTip().isEmpty());
  }

  void timesConvertBothWays() {
    const TimePoint time{std::chrono::milliseconds(1'700'000'000'123)};
    QCOMPARE(toQDateTime(time).toString(Qt::ISODateWithMs), QStringLiteral("2023-11-14T22:13:20.123Z"));
    QVERIFY(toTimePoint(toQDateTime(time)) == time);
  }

  void sentencesBeginWithACapitalUnlessWithAName() {
    QCOMPARE(asSentence("cannot read it"), QStringLiteral("Cannot read it"));
    QCOMPARE(asSentence("spec.name is 3"), QStringLiteral("spec.name is 3"));
    QCOMPARE(asSentence("workDir is 3"), QStringLiteral("workDir is 3"));
    QCOMPARE(asSentence(""), QString());
  }

  void problemsAreCountedFilteredAndMended() {
    IssuesPanel panel;
    panel.resize(700, 200);
    std::vector<Issue> issues{issueAt(1, Severity::Error, "one"), issueAt(2, Severity::Warning, "two"),
                              issueAt(3, Severity::Warning, "three")};
    issues[1].fix = Fix{"rename it to blockStorageSize", {}};
    panel.setIssues(issues);
    panel.show();
    QCOMPARE(panel.severityButton(Severity::Error)->text(), QStringLiteral("1 error"));
    QCOMPARE(panel.severityButton(Severity::Warning)->text(), QStringLiteral("2 warnings"));
    QVERIFY(panel.severityButton(Severity::Info)->isHidden());
    QVERIFY(panel.fixAllButton()->text().contains(QLatin1String("(1)")));
    IssuesModel* model = panel.view()->issuesModel();
    QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    panel.severityButton(Severity::Warning)->click();
    QCOMPARE(model->rowCount(), 1);
    QCOMPARE(model->count(Severity::Warning), 2);
    QCOMPARE(model->issueAt(0)->message, std::string("one"));
    panel.severityButton(Severity::Warning)->click();
    QCOMPARE(model->rowCount(), 3);
    const QModelIndex mend = model->index(1, IssuesModel::FixColumn);
    QVERIFY(mend.data().toString().contains(QLatin1String("rename it to blockStorageSize")));
    QVERIFY(mend.data(Qt::ToolTipRole).toString().contains(QLatin1String("rename it to blockStorageSize")));
    QVERIFY(!model->index(0, IssuesModel::FixColumn).data().isValid());
    QSignalSpy wanted(&panel, &IssuesPanel::fixRequested);
    QSignalSpy activated(&panel, &IssuesPanel::issueActivated);
    panel.view()->setCurrentIndex(model->index(0, 0));
    QTest::keyClick(panel.view(), Qt::Key_Period, Qt::ControlModifier);
    QCOMPARE(wanted.count(), 0);  // nothing to apply
    panel.view()->setCurrentIndex(model->index(1, 0));
    QTest::keyClick(panel.view(), Qt::Key_Period, Qt::ControlModifier);
    QCOMPARE(wanted.count(), 1);
    QTest::keyClick(panel.view(), Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, panel.view()->visualRect(mend).center());
    QCOMPARE(wanted.count(), 2);
  }

  void theCurrentProblemStaysCurrent() {
    IssuesPanel panel;
    panel.setIssues({issueAt(1, Severity::Error, "one"), issueAt(2, Severity::Error, "two")});
    panel.view()->setCurrentIndex(panel.view()->issuesModel()->index(1, 0));
    panel.setIssues({issueAt(7, Severity::Error, "two")});
    QCOMPARE(panel.view()->currentIndex().row(), 0);
  }

  void aFoldedListSaysWhetherItIsShown() {
    IssuesPanel panel;
    QSignalSpy shown(&panel, &IssuesPanel::listShown);
    QVERIFY(!panel.isListShown());
    panel.setIssues({issueAt(1, Severity::Error, "one")});
    QVERIFY(panel.isListShown());
    panel.setUnfolded(false);
    QVERIFY(!panel.isListShown());
    panel.setIssues({});
    QCOMPARE(shown.count(), 2);
  }
};

QTEST_MAIN(WidgetsCommonTest)
#include "widgets_common_test.moc"

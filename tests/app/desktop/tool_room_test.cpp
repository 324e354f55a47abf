// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>
#include <functional>

#include "app/desktop/window/main_window.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/theme/theme.h"
#include "widgets/comparison/comparison_page.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"
#include "widgets/setup/setup_page.h"

using namespace lockstep;

namespace {

constexpr int kNarrow = 480;
constexpr int kWide = 1480;
constexpr int kStep = 40;
constexpr int kHeight = 700;

/// What lies in something that scrolls can be scrolled to.
bool isScrolled(const QWidget* widget, const QWidget* page) {
  for (const QWidget* at = widget->parentWidget(); at && at != page; at = at->parentWidget())
    if (qobject_cast<const QAbstractScrollArea*>(at)) return true;
  return false;
}

QString describe(const QWidget* widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  const QString name = button && !button->text().isEmpty() ? button->text() : widget->accessibleName();
  return QStringLiteral("%1 “%2”").arg(QLatin1String(widget->metaObject()->className()), name);
}

/// Whatever can be pressed or typed into and is not whole within the page and the widgets around it.
QStringList outOf(QWidget* page) {
  QStringList outside;
  for (const QWidget* widget : page->findChildren<QWidget*>()) {
    const bool isControl = qobject_cast<const QAbstractButton*>(widget) ||
                           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget);
    if (!isControl || !widget->isVisibleTo(page) || isScrolled(widget, page)) continue;
    for (const QWidget* around = widget->parentWidget(); around; around = around->parentWidget()) {
      const QRect place(widget->mapTo(around, QPoint()), widget->size());
      if (!around->rect().contains(place))
        outside << describe(widget) + QLatin1String(" in ") + describe(around);
      if (around == page) break;
    }
  }
  return outside;
}

/// What keeps a page from being narrower: a help for whoever has to fix it.
QString wideParts(const QWidget* page, int width) {
  QStringList wide;
  for (const QWidget* widget : page->findChildren<QWidget*>()) {
    const int min = std::max(widget->minimumWidth(), widget->minimumSizeHint().width());
    if (min > width / 2 && widget->isVisibleTo(page) && !isScrolled(widget, page))
      wide << QStringLiteral("%1 %2: %3").arg(describe(widget), widget->objectName()).arg(min);
  }
  return wide.join(QLatin1String("; "));
}

/// Tools that are neither shown nor in the menu for the rest.
QStringList lostBy(const QWidget* page) {
  QStringList lost;
  for (const ToolRow* row : page->findChildren<ToolRow*>()) {
    const QList<QAction*> entries = row->overflowMenu()->actions();
    if (!row->isVisibleTo(page)) continue;
    if (entries.isEmpty() == row->overflowButton()->isVisibleTo(row)) lost << QStringLiteral("the menu");
    for (const QToolButton* tool : row->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly)) {
      if (!tool->defaultAction() || tool->isVisibleTo(row)) continue;
      if (!entries.contains(tool->defaultAction())) lost << tool->text();
    }
  }
  return lost;
}

QAbstractButton* buttonOf(QWidget* page, QAction* action) {
  for (QToolButton* button : page->findChildren<QToolButton*>())
    if (button->defaultAction() == action) return button;
  return nullptr;
}

}  // namespace

/// Whatever the width and the size of the letters, everything that can be pressed is in sight or in a menu.
class ToolRoomTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), ThemeMode::Light);
    usual_ = QApplication::font();
  }
  void cleanup() { QApplication::setFont(usual_); }

  void everyWidth_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<double>("letters");
    for (const double letters : {1.0, 1.25}) {
      for (const Page page : {Page::Setup, Page::Clusters, Page::Runs, Page::Run, Page::Comparison})
        QTest::addRow("%s, letters x %.2f", qPrintable(lockstep::nameOf(page)), letters)
            << static_cast<int>(page) << letters;
    }
  }

  void everyWidth() {
    QFETCH(int, page);
    QFETCH(double, letters);
    QFont font = usual_;
    font.setPointSizeF(font.pointSizeF() * letters);
    QApplication::setFont(font);
    MainWindow window;
    QWidget* shown = pageOf(window, static_cast<Page>(page));
    shown->setParent(nullptr);
    shown->show();
    shown->resize(kNarrow, kHeight);
    QTest::qWait(1);
    const int narrow = static_cast<int>(kNarrow * letters);
    const QString parts = wideParts(shown, narrow);
    QVERIFY2(shown->width() <= narrow, qPrintable(QStringLiteral("%1: %2").arg(shown->width()).arg(parts)));
    for (int width = shown->width(); width <= kWide; width += kStep) {
      shown->resize(width, kHeight);
      QTest::qWait(1);
      const QString at = QStringLiteral("at %1: ").arg(shown->width());
      QVERIFY2(outOf(shown).isEmpty(), qPrintable(at + outOf(shown).join(QLatin1String("; "))));
      QVERIFY2(lostBy(shown).isEmpty(), qPrintable(at + lostBy(shown).join(QLatin1String("; "))));
    }
    delete shown;
  }

  void launchIsAlwaysInSight() {
    MainWindow window;
    DesignerPage* page = window.designerPage();
    fill(page);
    page->setParent(nullptr);
    page->show();
    const QAbstractButton* launch = buttonOf(page, page->launchAction());
    QVERIFY(launch);
    for (int width = kNarrow; width <= kWide; width += kStep) {
      page->resize(width, kHeight);
      QTest::qWait(1);
      QVERIFY(launch->isVisibleTo(page));
      QVERIFY(page->rect().contains(QRect(launch->mapTo(page, QPoint()), launch->size())));
    }
    delete page;
  }

  void whatFindsNoRoomIsInTheMenuAndComesBack() {
    ToolRow row;
    QAction first(QStringLiteral("First"));
    QAction second(QStringLiteral("Second"));
    QAction last(QStringLiteral("Stays"));
    QToolButton* one = row.addTool(&first);
    QToolButton* two = row.addTool(&second);
    QToolButton* stays = row.addTool(&last, ToolRow::Place::Stays);
    row.resize(row.sizeHint().width() + 40, row.sizeHint().height());
    row.show();
    QVERIFY(!row.overflowButton()->isVisible());
    two->setFocus();
    row.resize(row.sizeHint().width() - 10, row.height());
    QVERIFY(one->isVisible() && !two->isVisible() && stays->isVisible());
    QVERIFY(row.overflowButton()->isVisible());
    QVERIFY(!row.overflowButton()->accessibleName().isEmpty());
    QCOMPARE(row.overflowMenu()->actions(), QList<QAction*>{&second});
    row.resize(row.minimumSizeHint());
    QVERIFY(!one->isVisible() && stays->isVisible());
    QCOMPARE(row.overflowMenu()->actions(), (QList<QAction*>{&first, &second}));
    row.resize(row.sizeHint().width() + 40, row.height());
    QVERIFY(one->isVisible() && two->isVisible() && !row.overflowButton()->isVisible());
    QVERIFY(row.overflowMenu()->isEmpty());
  }

  void aWiderTextBesideTheToolsSendsThemIntoTheMenu() {
    ToolRow row;
    QAction tool(QStringLiteral("A tool with a name"));
    QToolButton* button = row.addTool(&tool);
    auto* text = new QToolButton(&row);
    text->setText(QStringLiteral("short"));
    row.addWidget(text);
    row.resize(row.sizeHint().width() + 10, row.sizeHint().height());
    row.show();
    QVERIFY(button->isVisible());
    text->setText(QStringLiteral("a text that became much longer than it was"));
    QTRY_VERIFY(!button->isVisible());
    QVERIFY(row.overflowMenu()->actions().contains(&tool));
  }

 private:
  static void fill(DesignerPage* page) {
    page->setTemplates({{QStringLiteral("pytorch"), QStringLiteral("PyTorch"), QString()}});
    page->setExportTargets({ExportTarget::Compose, ExportTarget::Slurm});
  }

  static QWidget* pageOf(MainWindow& window, Page page) {
    switch (page) {
      case Page::Setup:
        window.setupPage()->showError(failure(ErrorCode::Unavailable, "the service cannot be reached",
                                              "the network is down", "try again")
                                          .value());
        return window.setupPage();
      case Page::Clusters:
        fill(window.designerPage());
        window.designerPage()->showFileChangedOnDisk();
        return window.designerPage();
      case Page::Runs:
        return window.runsPage();
      case Page::Run: {
        TrainingRun run;
        run.id = RunId("r1");
        run.name = "a run with a rather long name";
        window.runPage()->setRun(run);
        return window.runPage();
      }
      case Page::Comparison:
        return window.comparisonPage();
    }
    return nullptr;
  }

  QFont usual_;
};

QTEST_MAIN(ToolRoomTest)
#include "tool_room_test.moc"

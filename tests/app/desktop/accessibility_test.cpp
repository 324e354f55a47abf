// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QLineEdit>
#include <QListWidget>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>
#include <functional>

#include "app/desktop/designer/starter_project.h"
#include "app/desktop/window/main_window.h"
#include "made_up_log.h"
#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/metrics/run_tables.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"
#include "widgets/setup/setup_page.h"

using namespace lockstep;

namespace {

using Visit = std::function<void(QAccessibleInterface*)>;

void walk(QAccessibleInterface* from, const Visit& visit) {
  visit(from);
  for (int i = 0; i < from->childCount(); ++i)
    if (QAccessibleInterface* child = from->child(i)) walk(child, visit);
}

QString nameOf(const QAccessibleInterface* access) {
  return QStringLiteral("%1 “%2”").arg(access->role()).arg(access->text(QAccessible::Name));
}

QStringList focusedIn(QWidget* window) {
  QStringList focused;
  walk(QAccessible::queryAccessibleInterface(window), [&](QAccessibleInterface* access) {
    if (access->state().focused) focused << nameOf(access);
  });
  return focused;
}

/// What a screen reader would take to be on the screen, or to have the focus, below a widget that is hidden.
QStringList wrongBelow(QWidget* hidden, int& seen) {
  QStringList wrong;
  walk(QAccessible::queryAccessibleInterface(hidden), [&](QAccessibleInterface* access) {
    ++seen;
    const QAccessible::State state = access->state();
    if (!state.invisible) wrong << nameOf(access) + QLatin1String(" shows");
    if (state.focused) wrong << nameOf(access) + QLatin1String(" is focused");
  });
  return wrong;
}

TrainingRun aRun() {
  TrainingRun run;
  run.id = RunId("r1");
  run.name = "a run";
  run.nodes.resize(2);
  return run;
}

std::vector<LogLine> someLines() {
  std::vector<LogLine> lines(60);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].id = std::to_string(i);
    lines[i].text = "line " + std::to_string(i);
  }
  return lines;
}

}  // namespace

/// What screen readers are told of what shows and what has the focus.
class AccessibilityTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    window_ = std::make_unique<MainWindow>();
    window_->designerPage()->setDocument(QString(), starterText());
    window_->runsPage()->setRuns({summaryOf(aRun())});
    window_->runPage()->setRun(aRun());
    window_->runPage()->dashboard()->setLog(snapshotOf(someLines()));
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  void cleanup() { window_.reset(); }

  void nothingOfAHiddenPageShowsOrIsFocused() {
    const QWidgetList pages{window_->setupPage(), window_->designerPage(), window_->runsPage(),
                            window_->runPage()};
    // Each is shown once, so that it is laid out and its views have a current item.
    for (const Page page : {Page::Setup, Page::Clusters, Page::Runs, Page::Run}) {
      window_->showPage(page);
      QTest::qWait(20);
    }
    for (int shown = 0; shown < pages.size(); ++shown) {
      window_->showPage(static_cast<Page>(shown));
      QTest::qWait(20);
      for (int other = 0; other < pages.size(); ++other) {
        if (other == shown) continue;
        int seen = 0;
        const QStringList wrong = wrongBelow(pages[other], seen);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.mid(0, 5).join(QLatin1String("; "))));
        QVERIFY2(seen > 20, qPrintable(QString::number(seen)));
      }
    }
  }

  void oneThingHasTheFocus_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<QString>("what");
    QTest::newRow("the list of pages") << static_cast<int>(Page::Clusters) << "sidebar";
    QTest::newRow("the history") << static_cast<int>(Page::Runs) << "runs";
    QTest::newRow("the filter of the history") << static_cast<int>(Page::Runs) << "filter";
    QTest::newRow("the log") << static_cast<int>(Page::Run) << "log";
    QTest::newRow("the tabs of the tables") << static_cast<int>(Page::Run) << "tabs";
    QTest::newRow("the drawing") << static_cast<int>(Page::Clusters) << "canvas";
  }

  void oneThingHasTheFocus() {
    QFETCH(int, page);
    QFETCH(QString, what);
    window_->showPage(static_cast<Page>(page));
    QWidget* widget = widgetNamed(what);
    QVERIFY(widget);
    widget->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(widget->hasFocus());
    const QStringList focused = focusedIn(window_.get());
    QVERIFY2(focused.size() == 1, qPrintable(focused.join(QLatin1String("; "))));
    QVERIFY(QAccessible::queryAccessibleInterface(window_.get())->focusChild());
  }

  void itemsHaveNamePlaceAndNumber() {
    window_->showPage(Page::Runs);
    auto* table = window_->runsPage()->findChild<QTreeView*>();
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(table);
    QAccessibleTableInterface* cells = access->tableInterface();
    QVERIFY(cells);
    QCOMPARE(cells->rowCount(), 1);
    QAccessibleInterface* cell = cells->cellAt(0, 0);
    QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("a run"));
    QVERIFY(!cell->state().invisible);
    QVERIFY(cell->state().selected);
    QCOMPARE(access->child(access->indexOfChild(cell)), cell);
    QCOMPARE(access->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
    QAccessibleInterface* header = cell->tableCellInterface()->columnHeaderCells().value(0);
    QVERIFY(header);
    QVERIFY(!header->text(QAccessible::Name).isEmpty());
    QCOMPARE(access->child(access->indexOfChild(header)), header);
  }

  void anItemThatIsGoneIsInvalidAndItsPressDoesNothing() {
    window_->showPage(Page::Runs);
    auto* table = window_->runsPage()->findChild<QTreeView*>();
    QAccessibleInterface* cell = QAccessible::queryAccessibleInterface(table)->tableInterface()->cellAt(0, 0);
    window_->runsPage()->setRuns({});
    QVERIFY(!cell->isValid());
    QVERIFY(cell->state().invalid && !cell->state().focused);
    cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(cell->text(QAccessible::Name).isEmpty());
  }

  void aPressedItemIsOpened() {
    window_->showPage(Page::Runs);
    auto* table = window_->runsPage()->findChild<QTreeView*>();
    QString opened;
    connect(window_->runsPage(), &RunsPage::openRequested, this,
            [&](const RunId& id) { opened = QString::fromStdString(id.value); });
    QAccessibleInterface* cell = QAccessible::queryAccessibleInterface(table)->tableInterface()->cellAt(0, 0);
    cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(opened, QStringLiteral("r1"));
  }

  void tabsHaveNamesAndCanBePressed() {
    window_->showPage(Page::Run);
    RunTables* tables = window_->runPage()->dashboard()->tables();
    auto* bar = tables->findChild<QTabBar*>();
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(bar);
    QCOMPARE(access->childCount(), bar->count());
    QAccessibleInterface* tab = access->child(1);
    QCOMPARE(tab->role(), QAccessible::PageTab);
    QVERIFY(!tab->text(QAccessible::Name).isEmpty());
    QVERIFY(!tab->state().selected);
    tab->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(tables->currentIndex(), 1);
    QVERIFY(tab->state().selected);
  }

 private:
  QWidget* widgetNamed(const QString& what) {
    if (what == QLatin1String("sidebar")) return window_->findChild<QListWidget*>();
    if (what == QLatin1String("runs")) return window_->runsPage()->findChild<QTreeView*>();
    if (what == QLatin1String("filter")) return window_->runsPage()->findChild<QLineEdit*>();
    if (what == QLatin1String("log")) return window_->runPage()->findChild<LogTable*>();
    if (what == QLatin1String("tabs"))
      return window_->runPage()->dashboard()->tables()->findChild<QTabBar*>();
    return window_->designerPage()->findChild<ClusterCanvas*>();
  }

  std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(AccessibilityTest)
#include "accessibility_test.moc"

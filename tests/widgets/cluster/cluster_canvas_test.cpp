// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QAction>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <algorithm>

#include "cluster_canvas_samples.h"
#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_card.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;
using Kind = CanvasKey::Kind;

namespace {

const CanvasKey kMain{Kind::Node, NodeRole::Main, 0};
const CanvasKey kWorkers{Kind::Group, NodeRole::Worker, 0};

CanvasKey worker(long long index) {
  return {Kind::Node, NodeRole::Worker, index};
}

/// A canvas on a document of its own, shown and active.
struct Stage {
  explicit Stage(const CanvasSample& sample = {}, int width = 640) {
    cluster.load(QStringLiteral("/home/me/train.yaml"), sample.text().toStdString());
    canvas.resize(width, canvas.heightForWidth(width));
    canvas.show();
    canvas.activateWindow();
    if (!QTest::qWaitForWindowActive(&canvas, 30'000)) qWarning("the canvas did not become active");
    canvas.setFocus();
  }
  QPoint center(const CanvasKey& key) const {
    const CanvasItem* item = canvas.scene().find(key);
    return item ? item->rect.center().toPoint() : QPoint(-1, -1);
  }
  void drag(const QPoint& from, const QPoint& to) {
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    QTest::mouseMove(&canvas, (from + to) / 2);
    QTest::mouseMove(&canvas, to);
  }
  void drop(const QPoint& at) { QTest::mouseRelease(&canvas, Qt::LeftButton, {}, at); }
  long long count(NodeRole role) { return nodeCount(cluster.document().spec(), role); }
  QString text() const { return QString::fromStdString(cluster.text()); }
  int commands() { return cluster.undoStack()->count(); }

  EditableCluster cluster;
  ClusterCanvas canvas{&cluster};
};

}  // namespace

class ClusterCanvasTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void saysWhatItDraws() {
    Stage stage;
    QVERIFY2(stage.canvas.summary().startsWith(QLatin1String("World size 6")),
             qPrintable(stage.canvas.summary()));
    QVERIFY(stage.canvas.accessibleDescription().contains(stage.canvas.summary()));
    QVERIFY(!stage.canvas.accessibleName().isEmpty());
    const CanvasItem* second = stage.canvas.scene().find(worker(1));
    QVERIFY(second);
    QCOMPARE(second->title, QStringLiteral("worker 1"));
    QCOMPARE(second->subtitle, QStringLiteral("ranks 4–5"));
  }

  void aThousandNodesAreOneStack() {
    Stage stage({QStringLiteral("PYTORCH"), 1000});
    QVERIFY(stage.canvas.scene().items.size() < 30);
    const auto& items = stage.canvas.scene().items;
    const auto stack = std::find_if(items.begin(), items.end(),
                                    [](const CanvasItem& item) { return item.key.kind == Kind::Stack; });
    QVERIFY(stack != items.end());
    QCOMPARE(stack->title, QStringLiteral("× 998"));
    QCOMPARE(stack->subtitle, QStringLiteral("ranks 6–2001"));
  }

  void digitsSetTheNumberAsOneCommand() {
    Stage stage;
    stage.canvas.setFocusedPart(kWorkers);
    QTest::keyClick(&stage.canvas, Qt::Key_1, Qt::NoModifier);
    auto* box = stage.canvas.findChild<QSpinBox*>();
    QVERIFY(box && box->isVisible());
    QTest::keyClicks(box, QStringLiteral("2"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(stage.count(NodeRole::Worker), 12);
    QCOMPARE(stage.commands(), 1);
    QVERIFY(box->isHidden());
    QVERIFY(stage.canvas.hasFocus());
    stage.cluster.undoStack()->undo();
    QCOMPARE(stage.text(), CanvasSample().text());
  }

  void escapeLeavesTheNumberAlone() {
    Stage stage;
    stage.canvas.setFocusedPart(worker(0));
    QTest::keyClick(&stage.canvas, Qt::Key_9);
    auto* box = stage.canvas.findChild<QSpinBox*>();
    QVERIFY(box);
    QTest::keyClick(box, Qt::Key_Escape);
    QCOMPARE(stage.commands(), 0);
    QVERIFY(box->isHidden());
  }

  void clickingTheNumberOpensTheField() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.center({Kind::Count, NodeRole::Worker, 0}));
    auto* box = stage.canvas.findChild<QSpinBox*>();
    QVERIFY(box && box->isVisible());
    QTest::keyClicks(box, QStringLiteral("7"));
    stage.canvas.setFocus();  // leaving it takes the number, as leaving a field does
    QCOMPARE(stage.count(NodeRole::Worker), 7);
  }

  void aNumberBeyondTheFieldIsLeftAsItIs() {
    Stage stage({QStringLiteral("PYTORCH"), 250'000});
    stage.canvas.editCount(NodeRole::Worker);
    auto* box = stage.canvas.findChild<QSpinBox*>();
    QVERIFY(box);
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(stage.commands(), 0);
    stage.canvas.step(NodeRole::Worker, -1);
    QCOMPARE(stage.count(NodeRole::Worker), 249'999);
  }

  void plusAndMinusStepAndMerge() {
    Stage stage;
    stage.canvas.setFocusedPart(worker(0));
    for (int i = 0; i < 3; ++i) QTest::keyClicks(&stage.canvas, QStringLiteral("+"));
    QTest::keyClicks(&stage.canvas, QStringLiteral("-"));
    QCOMPARE(stage.count(NodeRole::Worker), 4);
    QCOMPARE(stage.commands(), 1);
  }

  void steppersAreButtons() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.center({Kind::More, NodeRole::Worker, 0}));
    QCOMPARE(stage.count(NodeRole::Worker), 3);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.center({Kind::Fewer, NodeRole::Worker, 0}));
    QCOMPARE(stage.count(NodeRole::Worker), 2);
  }

  void controlDDuplicatesAndDeleteRemoves() {
    Stage stage;
    stage.canvas.setFocusedPart(worker(1));
    QTest::keyClick(&stage.canvas, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(stage.count(NodeRole::Worker), 3);
    QTest::keyClick(&stage.canvas, Qt::Key_Delete);
    QCOMPARE(stage.count(NodeRole::Worker), 2);
    stage.canvas.setFocusedPart(kMain);
    QTest::keyClick(&stage.canvas, Qt::Key_Delete);
    QTest::keyClick(&stage.canvas, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(stage.count(NodeRole::Worker), 2);  // main is one, and stays
  }

  void aRoleRemovedAndAddedComesBackAsItWas() {
    Stage stage;
    stage.canvas.setFocusedPart(kWorkers);
    QTest::keyClick(&stage.canvas, Qt::Key_Delete);
    QCOMPARE(stage.count(NodeRole::Worker), 0);
    QVERIFY(!stage.text().contains(QLatin1String("cifar-worker")));
    const CanvasKey add{Kind::Add, NodeRole::Worker, 0};
    QVERIFY(stage.canvas.scene().find(add));
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.center(add));
    QCOMPARE(stage.text(), CanvasSample().text());
  }

  void parameterServersCanBeAddedOnlyToTensorFlow() {
    Stage pytorch;
    const CanvasKey add{Kind::Add, NodeRole::ParameterServer, 0};
    QVERIFY(!pytorch.canvas.scene().find(add));
    Stage tensorflow({QStringLiteral("TENSORFLOW"), 2});
    tensorflow.canvas.setFocusedPart(add);
    QTest::keyClick(&tensorflow.canvas, Qt::Key_Return);
    QCOMPARE(tensorflow.count(NodeRole::ParameterServer), 1);
    QVERIFY(tensorflow.canvas.scene().find({Kind::Group, NodeRole::ParameterServer, 0}));
  }

  void draggingTheGripShowsTheNumberAndIsOneCommand() {
    Stage stage;
    const QPoint from = stage.center({Kind::Grip, NodeRole::Worker, 0});
    stage.drag(from, from + QPoint(100, 0));
    QCOMPARE(stage.commands(), 0);
    const long long shown = stage.canvas.model().role(NodeRole::Worker)->count;
    QVERIFY2(shown > 2, qPrintable(QString::number(shown)));
    QTest::mouseMove(&stage.canvas, from + QPoint(160, 0));
    QVERIFY(stage.canvas.model().role(NodeRole::Worker)->count > shown);
    stage.drop(from + QPoint(160, 0));
    QCOMPARE(stage.count(NodeRole::Worker), stage.canvas.model().role(NodeRole::Worker)->count);
    QCOMPARE(stage.commands(), 1);
    stage.cluster.undoStack()->undo();
    QCOMPARE(stage.text(), CanvasSample().text());
  }

  void escapeEndsADragWithoutAChange() {
    Stage stage;
    const QPoint from = stage.center({Kind::Grip, NodeRole::Worker, 0});
    stage.drag(from, from + QPoint(150, 0));
    QTest::keyClick(&stage.canvas, Qt::Key_Escape);
    stage.drop(from + QPoint(150, 0));
    QCOMPARE(stage.commands(), 0);
    QCOMPARE(stage.canvas.model().role(NodeRole::Worker)->count, 2);
  }

  void aWorkerDroppedInTheSubnetIsOneMoreAndOutsideOneLess() {
    Stage stage;
    const QPoint from = stage.center(worker(0));
    stage.drag(from, stage.center(kMain));
    stage.drop(stage.center(kMain));
    QCOMPARE(stage.count(NodeRole::Worker), 3);
    const QPoint outside(stage.canvas.width() - 4, stage.canvas.height() - 4);
    QVERIFY(!stage.canvas.scene().subnet.contains(outside));
    stage.drag(stage.center(worker(1)), outside);
    stage.drop(outside);
    QCOMPARE(stage.count(NodeRole::Worker), 2);
    stage.drag(from, from + QPoint(14, 4));  // put back where it was taken
    stage.drop(from + QPoint(14, 4));
    QCOMPARE(stage.count(NodeRole::Worker), 2);
  }

  void theCrossOfACardRemovesOne() {
    Stage stage;
    const CanvasItem item = *stage.canvas.scene().find(worker(0));
    const QRectF cross = removeButton(item, CanvasMetrics(stage.canvas.font()), Qt::LeftToRight);
    QTest::mouseMove(&stage.canvas, cross.center().toPoint());
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, cross.center().toPoint());
    QCOMPARE(stage.count(NodeRole::Worker), 1);
  }

  void arrowKeysReachEveryPart() {
    Stage stage({QStringLiteral("TENSORFLOW"), 3, 2});
    std::vector<CanvasKey> reached;
    std::vector<CanvasKey> open{stage.canvas.focusedPart()};
    while (!open.empty()) {
      const CanvasKey from = open.back();
      open.pop_back();
      if (std::find(reached.begin(), reached.end(), from) != reached.end()) continue;
      reached.push_back(from);
      for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) {
        stage.canvas.setFocusedPart(from);
        QTest::keyClick(&stage.canvas, key);
        open.push_back(stage.canvas.focusedPart());
      }
    }
    for (const CanvasItem& item : stage.canvas.scene().items)
      if (item.canFocus)
        QVERIFY2(std::find(reached.begin(), reached.end(), item.key) != reached.end(),
                 qPrintable(stage.canvas.describePart(item)));
  }

  void theFocusIsDescribedWithRanksHostAndPorts() {
    Stage stage;
    stage.canvas.setFocusedPart(worker(1));
    const QString words = stage.canvas.accessibleDescription();
    QVERIFY2(words.contains(QStringLiteral("worker 1, ranks 4–5")), qPrintable(words));
    QVERIFY2(words.contains(QLatin1String("MAIN_config.json")), qPrintable(words));
    QVERIFY2(words.contains(QLatin1String("port ")), qPrintable(words));
  }

  void screenReadersWalkThePartsAndStepThem() {
    Stage stage;
    QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&stage.canvas);
    QVERIFY(canvas);
    QCOMPARE(canvas->text(QAccessible::Name), stage.canvas.accessibleName());
    const std::vector<CanvasKey> parts = stage.canvas.focusableParts();
    QVERIFY(canvas->childCount() >= static_cast<int>(parts.size()));
    QAccessibleInterface* second = nullptr;
    for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
      QAccessibleInterface* part = canvas->child(i);
      QVERIFY(part && part->isValid());
      QVERIFY(!part->text(QAccessible::Name).isEmpty());
      QCOMPARE(canvas->indexOfChild(part), i);
      QCOMPARE(part->parent(), canvas);
      if (parts[static_cast<size_t>(i)] == worker(1)) second = part;
    }
    QVERIFY(second);
    QCOMPARE(second->text(QAccessible::Name), QStringLiteral("worker 1, ranks 4–5"));
    QVERIFY(second->text(QAccessible::Description).contains(QLatin1String("MAIN_config.json")));
    const QPoint middle = second->rect().center();
    QCOMPARE(canvas->childAt(middle.x(), middle.y()), second);
    second->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
    QCOMPARE(canvas->focusChild(), second);
    QVERIFY(second->state().focused);
    second->actionInterface()->doAction(QAccessibleActionInterface::increaseAction());
    QCOMPARE(stage.count(NodeRole::Worker), 3);
    stage.canvas.setFocusedPart(kWorkers);
    QTest::keyClick(&stage.canvas, Qt::Key_Delete);
    QVERIFY(!second->isValid());  // what a screen reader still holds says so
    QCOMPARE(second->text(QAccessible::Name), QString());
  }

  void theCardTellsRanksHostPortsAndEnvironment() {
    Stage stage;
    QTest::mouseMove(&stage.canvas, stage.center(worker(1)));
    QTRY_VERIFY_WITH_TIMEOUT(stage.canvas.card() && stage.canvas.card()->isVisible(), 10'000);
    const QString text = stage.canvas.card()->text();
    for (const char* part :
         {"worker 1", "ranks 4–5", "cifar-worker_1", "MAIN_config.json", "RANK", "OCI__MODE", "WORKER"})
      QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, stage.center(kMain));
    QVERIFY(stage.canvas.card()->isHidden());
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, stage.center(kMain));
  }

  void valuesOnTheCardAreNoMarkup() {
    Stage stage;
    stage.cluster.load({},
                       QString(CanvasSample().text())
                           .replace(QLatin1String("cifar-worker   #"), QLatin1String("\"<b>x</b>&amp;\"   #"))
                           .toStdString());
    stage.canvas.setFocusedPart(worker(0));
    QTest::keyClick(&stage.canvas, Qt::Key_Right);
    stage.canvas.setFocusedPart(worker(0));
    QTest::mouseMove(&stage.canvas, stage.center(worker(0)));
    QTRY_VERIFY_WITH_TIMEOUT(stage.canvas.card() && stage.canvas.card()->isVisible(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(stage.canvas.card()->text().contains(QLatin1String("<b>x</b>&amp;_0")), 10'000);
  }

  void enterAndDoubleClickAskForTheField() {
    Stage stage;
    QSignalSpy asked(&stage.canvas, &ClusterCanvas::fieldRequested);
    stage.canvas.setFocusedPart(worker(0));
    QTest::keyClick(&stage.canvas, Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].value<FieldPath>(), (FieldPath{"spec", "cluster", "spec", "worker"}));
    QTest::mouseDClick(&stage.canvas, Qt::LeftButton, {}, stage.center({Kind::Chip, NodeRole::Main, 1}));
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked[1][0].value<FieldPath>(), (FieldPath{"spec", "infrastructure", "spec", "logGroupId"}));
  }

  void whileTheTextIsNoYamlTheLastGoodStateIsShownDisabled() {
    Stage stage;
    const std::size_t parts = stage.canvas.scene().items.size();
    stage.cluster.setViewText(stage.cluster.viewText() + QStringLiteral("\n  broken: [\n"));
    stage.cluster.document();
    QVERIFY(!stage.canvas.isEnabled());
    QCOMPARE(stage.canvas.scene().items.size(), parts);
    QVERIFY(stage.canvas.summary().startsWith(QLatin1String("World size 6")));
    stage.cluster.undoStack()->undo();
    stage.cluster.document();
    QVERIFY(stage.canvas.isEnabled());
  }

  // The designer says the world size below the form, where it is always in sight.
  void drawsNoWorldSizeButACountThatIsBeingChanged() {
    Stage stage;
    QVERIFY(stage.canvas.model().note.isEmpty());
    QVERIFY(stage.canvas.scene().note.isEmpty());
    CanvasModel model = stage.canvas.model();
    previewCount(model, NodeRole::Worker, 7);
    QVERIFY(model.note.contains(QLatin1Char('7')));
    QCOMPARE(model.summary, model.note);
  }

  void followsTheText() {
    Stage stage;
    stage.cluster.setViewText(
        stage.cluster.viewText().replace(QLatin1String("replicas: 2"), QLatin1String("replicas: 5")));
    stage.cluster.document();
    QCOMPARE(stage.canvas.model().role(NodeRole::Worker)->count, 5);
    QVERIFY(stage.canvas.summary().contains(QLatin1String("12")));
  }

  void theFocusStaysOnSomethingThatIsDrawn() {
    Stage stage({QStringLiteral("PYTORCH"), 3});
    stage.canvas.setFocusedPart(worker(2));
    QTest::keyClick(&stage.canvas, Qt::Key_Delete);
    QVERIFY(stage.canvas.scene().find(stage.canvas.focusedPart()));
    QCOMPARE(stage.canvas.focusedPart().role, NodeRole::Worker);
  }

  void aMultiNodeJobIsOneFrameWithItsGroups() {
    CanvasSample sample{QStringLiteral("TENSORFLOW"), 3, 1};
    sample.multiNode = QStringLiteral(
        "  multiNode:\n    startupOrder: IN_ORDER\n    maximumRuntimeInMinutes: 90\n    groups:\n"
        "      worker: {minimumSuccessReplicas: 2}\n");
    Stage stage(sample);
    QVERIFY(!stage.canvas.scene().run.isNull());
    const CanvasModel& model = stage.canvas.model();
    QVERIFY2(model.runCaption.contains(QLatin1String("one after the other")), qPrintable(model.runCaption));
    QVERIFY2(model.runCaption.contains(QLatin1String("90")), qPrintable(model.runCaption));
    QVERIFY(model.role(NodeRole::Worker)->note.contains(QLatin1String("2 of 3 must succeed")));
  }

  void aJobFileCountsItsNodesInOneNumber() {
    Stage stage;
    stage.cluster.load({},
                       "kind: job\nspec:\n  name: llm\n  infrastructure:\n    kind: infrastructure\n"
                       "    type: dataScienceJob\n    spec:\n      shapeName: VM.GPU.A10.2\n"
                       "  runtime:\n    kind: runtime\n    type: pyTorchDistributed\n    spec:\n"
                       "      replicas: 3\n      command: torchrun train.py\n");
    QCOMPARE(stage.canvas.model().role(NodeRole::Worker)->count, 2);
    stage.canvas.setFocusedPart(kWorkers);
    QTest::keyClicks(&stage.canvas, QStringLiteral("+"));
    QVERIFY(stage.text().contains(QLatin1String("replicas: 4")));
  }

  void rightToLeftMirrorsTheDrawing() {
    Stage stage;
    const QRectF left = stage.canvas.scene().find(kMain)->rect;
    stage.canvas.setLayoutDirection(Qt::RightToLeft);
    const QRectF right = stage.canvas.scene().find(kMain)->rect;
    QCOMPARE(right.right(), stage.canvas.width() - left.left());
    const QPoint from = stage.center({Kind::Grip, NodeRole::Worker, 0});
    stage.drag(from, from - QPoint(80, 0));  // outward is to the left now
    stage.drop(from - QPoint(80, 0));
    QVERIFY(stage.count(NodeRole::Worker) > 2);
  }

  void followsTheFont() {
    Stage stage;
    const qreal before = stage.canvas.scene().find(kMain)->rect.height();
    QFont large = stage.canvas.font();
    large.setPointSizeF(large.pointSizeF() * 2);
    stage.canvas.setFont(large);
    QVERIFY(stage.canvas.scene().find(kMain)->rect.height() > 1.6 * before);
  }

  void aRefreshOfAThousandNodesIsMeasured() {
    Stage stage({QStringLiteral("PYTORCH"), 1000});
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
      QElapsedTimer timer;
      timer.start();
      emit stage.cluster.documentChanged();
      times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    qInfo("refresh with 1,000 workers: n 200, median %.3f ms, p5 %.3f, p95 %.3f", times[100], times[10],
          times[190]);
    QVERIFY(stage.canvas.scene().items.size() < 30);  // what makes it cheap
  }
};

QTEST_MAIN(ClusterCanvasTest)
#include "cluster_canvas_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>

#include "cluster_canvas_samples.h"
#include "widgets/cluster/fields/shape_picker.h"
#include "widgets/cluster/layout/layout_panel.h"
#include "widgets/cluster/layout/layout_panel_fields.h"
#include "widgets/cluster/layout/layout_panel_group.h"
#include "widgets/cluster/layout/layout_panel_settings.h"
#include "widgets/cluster/layout/migration_preview.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

namespace {

struct Stage {
  explicit Stage(const QString& text = CanvasSample().text()) {
    cluster.load(QStringLiteral("/home/me/train.yaml"), text.toStdString());
    panel.resize(440, 700);
    panel.show();
    panel.activateWindow();
    if (!QTest::qWaitForWindowActive(&panel, 30'000)) qWarning("the panel did not become active");
  }
  QString text() const { return QString::fromStdString(cluster.text()); }
  const MultiNodeSpec& layout() { return *cluster.document().spec().multiNode; }
  void picture(const char* name) {
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    panel.resize(panel.width(), panel.heightForWidth(panel.width()) > 0 ? panel.heightForWidth(panel.width())
                                                                        : panel.sizeHint().height());
    QTest::qWait(50);
    QVERIFY(panel.grab().save(QStringLiteral("%1/layout-%2.png").arg(folder, QLatin1String(name))));
  }

  EditableCluster cluster;
  LayoutPanel panel{&cluster};
};

QString nativeText() {
  CanvasSample sample;
  sample.workers = 3;
  sample.multiNode = QStringLiteral("  multiNode: {}   # ours\n");
  return sample.text();
}

}  // namespace

class LayoutPanelTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void showsTheLayoutOfTheFile() {
    Stage runs;
    QVERIFY(runs.panel.runsButton()->isChecked());
    QVERIFY(runs.panel.settings()->isHidden());
    Stage nodes(nativeText());
    QVERIFY(nodes.panel.nodesButton()->isChecked());
    QVERIFY(nodes.panel.settings()->isVisible());
  }

  void changingShowsFirstAndKeepingItChangesNothing() {
    Stage stage;
    stage.panel.nodesButton()->click();
    MigrationPreview* preview = stage.panel.preview();
    QVERIFY(preview->isVisible());
    QVERIFY(!preview->migration().changes.empty());
    QVERIFY(!preview->plainText().isEmpty());
    stage.picture("preview");
    QCOMPARE(stage.cluster.undoStack()->count(), 0);
    preview->rejectButton()->click();
    QVERIFY(preview->isHidden());
    QVERIFY(stage.panel.runsButton()->isChecked());
    QCOMPARE(stage.text(), CanvasSample().text());
  }

  void changingIsOneCommandThatUndoTakesBack() {
    Stage stage;
    stage.panel.nodesButton()->click();
    stage.panel.preview()->acceptButton()->click();
    QVERIFY(stage.cluster.document().spec().multiNode.has_value());
    QCOMPARE(stage.cluster.undoStack()->count(), 1);
    QVERIFY(stage.panel.nodesButton()->isChecked());
    QVERIFY(stage.panel.settings()->isVisible());
    stage.cluster.undoStack()->undo();
    stage.cluster.document();
    QCOMPARE(stage.text(), CanvasSample().text());
    QVERIFY(stage.panel.runsButton()->isChecked());
  }

  void andBackToOneRunPerNode() {
    Stage stage(nativeText());
    stage.panel.runsButton()->click();
    QVERIFY(stage.panel.preview()->isVisible());
    stage.panel.preview()->acceptButton()->click();
    QVERIFY(!stage.cluster.document().spec().multiNode.has_value());
    QVERIFY(!stage.text().contains(QLatin1String("multiNode")));
  }

  void escapeKeepsTheLayout() {
    Stage stage;
    stage.panel.nodesButton()->click();
    QTest::keyClick(stage.panel.preview()->acceptButton(), Qt::Key_Escape);
    QVERIFY(stage.panel.preview()->isHidden());
    QVERIFY(stage.panel.runsButton()->isChecked());
  }

  void aProposalGoesWhenTheTextChanges() {
    Stage stage;
    stage.panel.nodesButton()->click();
    stage.cluster.setViewText(stage.cluster.viewText() + QStringLiteral("# more\n"));
    stage.cluster.document();
    QVERIFY(stage.panel.preview()->isHidden());
  }

  void whatCannotBePlannedIsSaid() {
    Stage stage(QStringLiteral("kind: distributed\nspec: {}\n"));
    stage.panel.nodesButton()->click();
    QVERIFY(stage.panel.preview()->isHidden());
    QVERIFY(stage.panel.note()->hasMessage());
    QVERIFY(stage.panel.runsButton()->isChecked());
  }

  void networkOrderAndRunTimeAreWritten() {
    Stage stage(nativeText());
    MultiNodeSettings* settings = stage.panel.settings();
    settings->network()->setCurrentIndex(settings->network()->findData(QStringLiteral("managed")));
    emit settings->network()->activated(settings->network()->currentIndex());
    settings->order()->setCurrentIndex(settings->order()->findData(QStringLiteral("IN_ORDER")));
    emit settings->order()->activated(settings->order()->currentIndex());
    settings->maximumRuntime()->setValue(1440);
    QCOMPARE(stage.layout().network, "managed");
    QCOMPARE(stage.layout().startupOrder, "IN_ORDER");
    QCOMPARE(stage.layout().maximumRuntimeInMinutes, 1440);
    settings->maximumRuntime()->setValue(0);
    QVERIFY(!stage.text().contains(QLatin1String("maximumRuntimeInMinutes")));
    while (stage.cluster.undoStack()->canUndo()) stage.cluster.undoStack()->undo();
    QCOMPARE(stage.text(), nativeText());
  }

  void aGroupGetsWhatIsItsOwnAndLosesItWithoutATrace() {
    Stage stage(nativeText());
    NodeGroupSettings* workers = stage.panel.settings()->group(NodeRole::Worker);
    QVERIFY(workers && workers->isVisible());
    workers->min()->setValue(2);
    QCOMPARE(stage.layout().worker.minimumSuccessReplicas, 2);
    workers->shape()->setEditText(QStringLiteral("VM.GPU.A10.1"));
    emit workers->shape()->lineEdit()->editingFinished();
    QCOMPARE(stage.layout().worker.shapeName, "VM.GPU.A10.1");
    workers->shape()->clearEditText();
    emit workers->shape()->lineEdit()->editingFinished();
    workers->min()->setValue(0);
    QVERIFY(stage.cluster.document().spec().multiNode.has_value());
    QVERIFY2(!stage.text().contains(QLatin1String("groups")), qPrintable(stage.text()));
  }

  void aProbeIsAListOfWords() {
    Stage stage(nativeText());
    NodeGroupSettings* workers = stage.panel.settings()->group(NodeRole::Worker);
    workers->probe()->setText(QStringLiteral("sh -c 'test -f /tmp/it is ready'"));
    emit workers->probe()->editingFinished();
    const std::vector<std::string> words{"sh", "-c", "test -f /tmp/it is ready"};
    QVERIFY(stage.layout().worker.startupProbe.has_value());
    QCOMPARE(stage.layout().worker.startupProbe->command, words);
    workers->period()->setValue(15);
    workers->threshold()->setValue(4);
    workers->delay()->setValue(30);
    const StartupProbe probe = *stage.layout().worker.startupProbe;
    QCOMPARE(probe.periodInSeconds, 15);
    QCOMPARE(probe.failureThreshold, 4);
    QCOMPARE(probe.initialDelayInSeconds, 30);
    stage.picture("settings");
  }

  void groupsThatAreNotThereAreNotShown() {
    Stage stage(nativeText());
    QVERIFY(stage.panel.settings()->group(NodeRole::ParameterServer)->isHidden());
    QVERIFY(stage.panel.settings()->group(NodeRole::Main)->isVisible());
  }

  void everyFieldHasAName() {
    Stage stage(nativeText());
    for (const auto* spin : stage.panel.findChildren<QSpinBox*>()) QVERIFY(!spin->accessibleName().isEmpty());
    for (const auto* combo : stage.panel.findChildren<QComboBox*>())
      QVERIFY(!combo->accessibleName().isEmpty());
  }

  void whileTheTextIsNoYamlItIsDisabled() {
    Stage stage(nativeText());
    stage.cluster.setViewText(stage.cluster.viewText() + QStringLiteral("x: [\n"));
    stage.cluster.document();
    QVERIFY(!stage.panel.isEnabled());
    QVERIFY(stage.panel.nodesButton()->isChecked());
    stage.cluster.undoStack()->undo();
    stage.cluster.document();
    QVERIFY(stage.panel.isEnabled());
  }

  void aJobFileHasNoChoice() {
    Stage stage(
        QStringLiteral("kind: job\nspec:\n  name: llm\n  runtime:\n    kind: runtime\n"
                       "    type: pyTorchDistributed\n    spec:\n      replicas: 2\n"));
    QVERIFY(stage.panel.nodesButton()->isChecked());
    QVERIFY(!stage.panel.runsButton()->isEnabled());
  }
};

QTEST_MAIN(LayoutPanelTest)
#include "layout_panel_test.moc"

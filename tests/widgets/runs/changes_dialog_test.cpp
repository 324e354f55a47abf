// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/changes_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

namespace lockstep {
namespace {

const char* const kText =
    "kind: distributed\n"
    "apiVersion: v1.0\n"
    "spec:\n"
    "  cluster:\n"
    "    kind: PYTORCH\n"
    "    spec:\n"
    "      image: iad.ocir.io/ns/cifar:1\n"
    "      config:\n"
    "        env:\n"
    "          - {name: NCCL_DEBUG, value: INFO}\n"
    "          - {name: API_TOKEN, value: secret}\n"
    "      main: {name: main, replicas: 1}\n"
    "      worker: {name: worker, replicas: 2}\n"
    "  runtime:\n"
    "    kind: python\n"
    "    spec:\n"
    "      entryPoint: train.py\n"
    "      args: ['--lr', '0.1', '--amp', '--epochs', '3']\n";

TrainingRun runOfText() {
  TrainingRun run;
  run.id = RunId("cifar-1");
  run.name = "cifar";
  run.trainYaml = kText;
  return run;
}

}  // namespace

class ChangesDialogTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsLikelyToBeChangedStandsThere() {
    const ChangesDialog dialog(runOfText(), nullptr);
    QStringList rows;
    for (int row = 0; row < dialog.table()->rowCount(); ++row)
      rows << dialog.table()->item(row, 0)->text() + "=" + dialog.table()->item(row, 1)->text();
    QCOMPARE(rows, (QStringList{"arg.lr=0.1", "arg.epochs=3", "spec.cluster.spec.worker.replicas=2",
                                "image=iad.ocir.io/ns/cifar:1", "env.NCCL_DEBUG=INFO", "=", "="}));
    QVERIFY(dialog.changes().empty());
    QVERIFY2(!dialog.launchButton()->isEnabled(), "nothing is other");
  }

  void whatIsOtherIsAskedFor() {
    ChangesDialog dialog(runOfText(), nullptr);
    dialog.table()->item(0, 2)->setText("0.01");
    dialog.table()->item(5, 0)->setText("spec.cluster.spec.main.replicas");
    dialog.table()->item(5, 2)->setText("1");
    QVERIFY(dialog.launchButton()->isEnabled());
    const auto changes = dialog.changes();
    QCOMPARE(changes.size(), std::size_t{2});
    QVERIFY((changes[0] == LaunchChange{"arg.lr", "0.01"}));
    QVERIFY((changes[1] == LaunchChange{"spec.cluster.spec.main.replicas", "1"}));
    dialog.table()->item(0, 2)->setText("0.1");
    QCOMPARE(dialog.changes().size(), std::size_t{1});
  }

  void whatCannotBeChangedIsSaid() {
    ChangesDialog dialog(runOfText(), nullptr);
    dialog.table()->item(5, 0)->setText("nonsense");
    dialog.table()->item(5, 2)->setText("1");
    QVERIFY(!dialog.launchButton()->isEnabled());
    bool isSaid = false;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      isSaid = isSaid || (label->isVisibleTo(&dialog) && label->text().contains("nonsense"));
    QVERIFY(isSaid);
  }

  void aTextThatIsNoYamlLeavesTheEmptyRows() {
    TrainingRun run = runOfText();
    run.trainYaml = "a: [";
    const ChangesDialog dialog(run, nullptr);
    QCOMPARE(dialog.table()->rowCount(), 2);
    QVERIFY(!dialog.launchButton()->isEnabled());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::ChangesDialogTest)
#include "changes_dialog_test.moc"

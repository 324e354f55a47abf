// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <set>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/fields/field_row.h"
#include "widgets/cluster/page/cluster_form.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/cluster/tables/env_editor.h"
#include "widgets/cluster/yaml/yaml_editor.h"
#include "widgets/common/issues/issues_view.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

namespace {

const FieldPath kName{"spec", "cluster", "spec", "name"};
const FieldPath kImage{"spec", "cluster", "spec", "image"};
const FieldPath kReplicas{"spec", "cluster", "spec", "worker", "replicas"};
const FieldPath kLogId{"spec", "infrastructure", "spec", "logId"};
const FieldPath kStorage{"spec", "infrastructure", "spec", "blockStorageSize"};

/// The example of the guide, with comments, as a user would have it.
QString sample() {
  return QStringLiteral(R"(# my cluster
kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaaaaaalockstep
      compartmentId: ocid1.compartment.oc1..aaaaaaaalockstep
      subnetId: ocid1.subnet.oc1.iad.aaaaaaaalockstep
      logGroupId: ocid1.loggroup.oc1.iad.aaaaaaaalockstep
      logId: ocid1.log.oc1.iad.aaaaaaaalockstep
      shapeName: VM.GPU.A10.2
      blockStorageSize: 50   # GB
  cluster:
    kind: PYTORCH
    spec:
      image: iad.ocir.io/team/cifar:1
      workDir: oci://bucket@team/runs
      name: cifar   # shown in the console
      config:
        env:
          - name: OCI__TIMEOUT
            value: "600"
      main:
        name: cifar-main
        replicas: 1
      worker:
        name: cifar-worker   # keep me
        replicas: 2
  runtime:
    kind: python
    spec:
      entryPoint: train.py
      args: ["--epochs", "10"]
)");
}

QLineEdit* lineEdit(DesignerPage& page, const FieldPath& path) {
  QWidget* editor = page.form()->rowFor(path)->editor();
  if (auto* combo = qobject_cast<QComboBox*>(editor)) return combo->lineEdit();
  return qobject_cast<QLineEdit*>(editor);
}

QSpinBox* spinBox(DesignerPage& page, const FieldPath& path) {
  return qobject_cast<QSpinBox*>(page.form()->rowFor(path)->editor());
}

void type(QLineEdit* edit, const QString& text) {
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, text);
}

std::unique_ptr<DesignerPage> makePage(const QString& text = sample()) {
  auto page = std::make_unique<DesignerPage>();
  page->setDocument(QStringLiteral("/home/me/train.yaml"), text);
  page->resize(1280, 800);
  page->show();
  page->activateWindow();
  if (!QTest::qWaitForWindowActive(page.get(), 30'000)) qWarning("the page did not become active");
  return page;
}

}  // namespace

class DesignerPageTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void theSampleHasNoErrors() {
    const auto page = makePage();
    for (const Issue& issue : page->cluster()->document().issues())
      QVERIFY2(issue.severity != Severity::Error, issue.message.c_str());
    QVERIFY(page->launchAction()->isEnabled());
  }

  void typingInTheFormChangesOneLineAndUndoRestoresTheBytes() {
    const auto page = makePage();
    type(lineEdit(*page, kName), QStringLiteral("resnet"));
    QCOMPARE(page->text(),
             sample().replace(QLatin1String("name: cifar   #"), QLatin1String("name: resnet   #")));
    QCOMPARE(page->editor()->viewText(), page->text());
    QCOMPARE(page->cluster()->undoStack()->count(), 1);
    page->editActions().at(0)->trigger();
    QCOMPARE(page->text(), sample());
    QCOMPARE(lineEdit(*page, kName)->text(), QStringLiteral("cifar"));
    QVERIFY(!page->cluster()->isDirty());
  }

  void theCursorStaysWhereItIsWhileTyping() {
    const auto page = makePage();
    QLineEdit* name = lineEdit(*page, kName);
    name->setFocus();
    name->setCursorPosition(2);
    QTest::keyClicks(name, QStringLiteral("XY"));
    QCOMPARE(name->text(), QStringLiteral("ciXYfar"));
    QCOMPARE(name->cursorPosition(), 4);
  }

  void undoKeysInAFieldBelongToTheDocument() {
    const auto page = makePage();
    QLineEdit* name = lineEdit(*page, kName);
    type(name, QStringLiteral("x"));
    spinBox(*page, kReplicas)->setFocus();
    QTest::keyClick(spinBox(*page, kReplicas), Qt::Key_Up);
    QVERIFY(page->text().contains(QLatin1String("replicas: 3")));
    name->setFocus();
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);  // the last edit, though it was in another field
    QVERIFY(page->text().contains(QLatin1String("replicas: 2")));
    QCOMPARE(name->text(), QStringLiteral("x"));
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page->text(), sample());
    QTest::keyClick(name, Qt::Key_Z,
                    Qt::ControlModifier);  // nothing left: the field's own history stays out of it
    QCOMPARE(page->text(), sample());
    QCOMPARE(name->text(), QStringLiteral("cifar"));
  }

  void anEditInTheYamlPaneUpdatesTheFormAndSharesTheUndoStack() {
    const auto page = makePage();
    type(lineEdit(*page, kName), QStringLiteral("one"));
    YamlEditor* editor = page->editor();
    const int line =
        static_cast<int>(
            page->text().left(page->text().indexOf(QLatin1String("replicas: 2"))).count(QLatin1Char('\n'))) +
        1;
    editor->goTo(line, 1);
    QTest::keyClick(editor, Qt::Key_End);
    QTest::keyClick(editor, Qt::Key_Backspace);
    QTest::keyClicks(editor, QStringLiteral("5"));
    QTRY_COMPARE_WITH_TIMEOUT(spinBox(*page, kReplicas)->value(), 5, 10'000);
    QCOMPARE(page->form()->canvas()->summary().left(13), QStringLiteral("World size 12"));
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    while (page->cluster()->undoStack()->count() > 1 && page->cluster()->undoStack()->index() > 1)
      QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(spinBox(*page, kReplicas)->value(), 2);
    QCOMPARE(lineEdit(*page, kName)->text(), QStringLiteral("one"));
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page->text(), sample());
    QCOMPARE(editor->viewText(), sample());
  }

  void brokenYamlKeepsTheFormAndShowsThePlace() {
    const auto page = makePage();
    page->cluster()->setViewText(
        sample().replace(QLatin1String("    kind: PYTORCH"), QLatin1String("    kind: [PYTORCH")));
    page->cluster()->document();
    QCOMPARE(lineEdit(*page, kName)->text(), QStringLiteral("cifar"));
    QVERIFY(!lineEdit(*page, kName)->isEnabled());
    QVERIFY(page->form()->brokenNote()->hasMessage());
    const Issue issue = page->cluster()->document().issues().front();
    QVERIFY(
        page->form()->brokenNote()->plainText().contains(QStringLiteral("line %1").arg(issue.place.line)));
    QVERIFY(!page->launchAction()->isEnabled());
    QVERIFY(page->launchAction()->toolTip().contains(QLatin1String("YAML")));
    page->editActions().at(0)->trigger();
    QVERIFY(lineEdit(*page, kName)->isEnabled());
    QVERIFY(!page->form()->brokenNote()->hasMessage());
    QVERIFY(page->launchAction()->isEnabled());
  }

  void aDocumentThatNeverWasYamlShowsNoFormerValues() {
    const auto page = makePage();
    page->setDocument(QStringLiteral("/x"), QStringLiteral("a: [1"));
    QCOMPARE(lineEdit(*page, kName)->text(), QString());
    QCOMPARE(page->editor()->viewText(), QStringLiteral("a: [1"));
  }

  void issuesStandUnderTheirField() {
    const auto page = makePage();
    FieldRow* row = page->form()->rowFor(kStorage);
    QVERIFY(row->note()->isHidden());
    type(lineEdit(*page, kStorage), QStringLiteral("20"));
    QVERIFY(page->text().contains(QLatin1String("blockStorageSize: 20   # GB")));
    QVERIFY(!row->note()->isHidden());
    QVERIFY2(row->note()->text().contains(QLatin1String("50")), qPrintable(row->note()->text()));
    QVERIFY(page->problems()->issuesModel()->rowCount() > 0);
    QVERIFY(!page->launchAction()->isEnabled());
    QVERIFY2(page->launchAction()->toolTip().contains(QLatin1String("50")),
             qPrintable(page->launchAction()->toolTip()));
  }

  void launchIsOfferedOnlyWhenItCanWork() {
    const auto page = makePage();
    QSignalSpy launched(page.get(), &DesignerPage::launchRequested);
    page->setLaunchObstacle(QStringLiteral("no profile"));
    QVERIFY(!page->launchAction()->isEnabled());
    QVERIFY(page->launchAction()->toolTip().contains(QLatin1String("no profile")));
    page->setLaunchObstacle({});
    page->setLaunching(true, 1, 4, QStringLiteral("creating job"));
    QVERIFY(!page->launchAction()->isEnabled());
    page->setLaunching(false);
    page->launchAction()->trigger();
    QCOMPARE(launched.count(), 1);
    // An error typed just now stops the launch even before the pause that the parser waits for.
    page->cluster()->setViewText(QStringLiteral("a: [1"));
    page->launchAction()->trigger();
    QCOMPARE(launched.count(), 1);
  }

  void placeholdersDoNotStandInTheWayOfARehearsal() {
    QString text = sample();
    text.replace(QRegularExpression(QStringLiteral("projectId: \\S+")),
                 QStringLiteral("projectId: <OCID of your Data Science project>"));
    const auto page = makePage(text);
    QVERIFY(page->problems()->issuesModel()->count(Severity::Error) > 0);
    QVERIFY(!page->launchAction()->isEnabled());
    page->setRehearsing(true);
    QVERIFY2(page->launchAction()->isEnabled(), qPrintable(page->launchAction()->toolTip()));
    type(lineEdit(*page, kStorage), QStringLiteral("20"));
    QVERIFY2(!page->launchAction()->isEnabled(), "an error of another kind still does");
    page->setRehearsing(false);
    QVERIFY(!page->launchAction()->isEnabled());
  }

  void anIssueLeadsToFieldAndLine() {
    const auto page = makePage(
        sample().replace(QLatin1String("blockStorageSize: 50"), QLatin1String("blockStorageSize: 20")));
    const auto& issues = page->cluster()->document().issues();
    const auto at = std::find_if(issues.begin(), issues.end(),
                                 [](const Issue& issue) { return issue.field == kStorage; });
    QVERIFY(at != issues.end());
    const int line = at->place.line;
    emit page->problems()->issueActivated(Issue(*at));
    QCOMPARE(page->editor()->textCursor().blockNumber() + 1, line);
    QCOMPARE(page->focusWidget(), page->form()->rowFor(kStorage)->editor());
  }

  void anIssueOfAVariableLeadsToItsRow() {
    const auto page = makePage();
    QVERIFY(page->form()->focusField(
        FieldPath{"spec", "cluster", "spec", "config", "env", std::size_t{0}, "value"}));
    QCOMPARE(page->form()->envEditor()->table()->currentIndex().row(), 0);
    QCOMPARE(page->form()->envEditor()->table()->currentIndex().column(),
             static_cast<int>(EnvModel::ValueColumn));
  }

  void anEmptiedOptionalFieldLosesItsKey() {
    const auto page = makePage();
    QLineEdit* log = lineEdit(*page, kLogId);
    log->setFocus();
    log->selectAll();
    QTest::keyClick(log, Qt::Key_Delete);
    QTest::keyClick(log, Qt::Key_Return);
    QVERIFY(!page->text().contains(QLatin1String("logId:")));
    while (page->cluster()->undoStack()->canUndo()) page->editActions().at(0)->trigger();
    QCOMPARE(page->text(), sample());
  }

  void noWorkersAndBackAgainKeepsWhatStoodThere() {
    const auto page = makePage();
    QSpinBox* workers = spinBox(*page, kReplicas);
    workers->setFocus();
    for (int i = 0; i < 2; ++i) QTest::keyClick(workers, Qt::Key_Down);
    QCOMPARE(workers->value(), 0);
    QVERIFY(!page->text().contains(QLatin1String("worker:")));
    QVERIFY(
        page->form()->canvas()->summary().startsWith(QLatin1String("World size 2")));  // two GPUs, one node
    for (int i = 0; i < 2; ++i) QTest::keyClick(workers, Qt::Key_Up);
    QCOMPARE(page->text(), sample());
  }

  void valuesThatYamlReadsOtherwiseAreTold() {
    const auto page =
        makePage(sample().replace(QLatin1String("name: cifar   #"), QLatin1String("name: 010   #")));
    QCOMPARE(lineEdit(*page, kName)->text(), QStringLiteral("010"));
    QVERIFY2(page->form()->rowFor(kName)->note()->text().contains(QLatin1String("8")),
             qPrintable(page->form()->rowFor(kName)->note()->text()));
    type(lineEdit(*page, kName), QStringLiteral("011"));
    QCOMPARE(page->cluster()->document().scalar(kName)->value, std::string("011"));
  }

  void windowsLineEndsSurviveFormAndPane() {
    const QString text = sample().replace(QLatin1String("\n"), QLatin1String("\r\n"));
    const auto page = makePage(text);
    type(lineEdit(*page, kName), QStringLiteral("x"));
    page->editor()->goTo(1, 1);
    QTest::keyClicks(page->editor(), QStringLiteral("#"));
    QString expected = text;
    expected.replace(QLatin1String("name: cifar   #"), QLatin1String("name: x   #"));
    QCOMPARE(page->text(), QLatin1Char('#') + expected);
  }

  void tabIndentsAndEscapeThenTabLeaves() {
    const auto page = makePage(QStringLiteral("a:\nb: 1\n"));
    YamlEditor* editor = page->editor();
    editor->goTo(1, 3);
    QTest::keyClick(editor, Qt::Key_Return);
    QTest::keyClicks(editor, QStringLiteral("c: 1"));
    QCOMPARE(page->text(), QStringLiteral("a:\n  c: 1\nb: 1\n"));
    QTest::keyClick(editor, Qt::Key_Tab);
    QCOMPARE(page->text(), QStringLiteral("a:\n  c: 1  \nb: 1\n"));
    QTest::keyClick(editor, Qt::Key_Backtab);
    QCOMPARE(page->text(), QStringLiteral("a:\nc: 1  \nb: 1\n"));
    QTest::keyClick(editor, Qt::Key_Escape);
    QTest::keyClick(editor, Qt::Key_Tab);
    QVERIFY(!editor->hasFocus());
    QCOMPARE(page->text(), QStringLiteral("a:\nc: 1  \nb: 1\n"));
  }

  void everyFieldIsNamedAndBound() {
    const auto page = makePage();
    std::set<QString> paths;
    for (QWidget* widget : page->form()->findChildren<QWidget*>()) {
      const QVariant path = widget->property("fieldPath");
      if (!path.isValid() || !widget->isVisible()) continue;
      QVERIFY2(paths.insert(path.toString()).second, qPrintable(path.toString()));
      QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(path.toString()));
      QVERIFY2(page->form()->focusField(FieldPath::parse(path.toString().toStdString())),
               qPrintable(path.toString()));
    }
    QVERIFY2(paths.size() >= 16, qPrintable(QString::number(paths.size())));
  }

  void tabGoesFromFieldToFieldInReadingOrder() {
    const auto page = makePage();
    lineEdit(*page, kName)->setFocus();
    QStringList visited;
    const QWidget* before = nullptr;
    for (QWidget* now = page->focusWidget(); now != page->editor() && now != before;
         now = page->focusWidget()) {
      if (now->property("fieldPath").isValid()) visited << now->property("fieldPath").toString();
      before = now;
      QTest::keyClick(now, Qt::Key_Tab);
    }
    QCOMPARE(page->focusWidget(), static_cast<QWidget*>(page->editor()));
    QVERIFY2(visited.size() >= 16, qPrintable(visited.join(QLatin1Char(' '))));
    QCOMPARE(visited.at(2), QStringLiteral("spec.cluster.spec.image"));
    QCOMPARE(visited.last(), QStringLiteral("spec.runtime.spec.args"));
    QCOMPARE(page->text(), sample());  // passing by changes nothing
  }

  void theFileThatChangedOnDiskAsksWhatToDo() {
    const auto page = makePage();
    page->showFileChangedOnDisk();
    QVERIFY(page->messageBar()->plainText().contains(QLatin1String("train.yaml")));
    QVERIFY(page->cluster()->isDirty());
    page->setSaved(QStringLiteral("/home/me/train.yaml"));
    QVERIFY(!page->cluster()->isDirty());
  }

  void theLayoutIsRemembered() {
    const auto page = makePage();
    const QByteArray state = page->saveState();
    DesignerPage other;
    QVERIFY(other.restoreState(state));
    QVERIFY(!other.restoreState(QByteArray("nonsense")));
    QVERIFY(!other.restoreState(QByteArray()));
  }

  void hostileTextsDoNotBreakThePage() {
    const auto page = makePage();
    const std::string texts[] = {std::string(),
                                 std::string("\0\0", 2),
                                 "\xFF\xFE",
                                 "a: &a [*a]",
                                 std::string(5000, '['),
                                 "- 1\n- 2\n",
                                 "{}",
                                 "spec: 3\n",
                                 "spec:\n  cluster: []\n",
                                 "\xEF\xBB\xBFkind: distributed\n"};
    for (const std::string& text : texts) {
      page->setDocument(QStringLiteral("/x"), text);
      QCOMPARE(page->cluster()->text(), text);
      QVERIFY(!page->launchAction()->isEnabled());
      page->editor()->goTo(1, 1);
      QTest::keyClicks(page->editor(), QStringLiteral("x"));
      page->editActions().at(0)->trigger();
      QCOMPARE(page->cluster()->text(), text);
    }
  }
};

QTEST_MAIN(DesignerPageTest)
#include "designer_page_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "setup/setup_steps.h"
#include "widgets/cluster/resource_picker.h"
#include "widgets/common/theme.h"
#include "widgets/setup/choice_form.h"
#include "widgets/setup/finding_card.h"
#include "widgets/setup/report_table_view.h"

using namespace lockstep;

namespace {

Finding problem(const std::string& text) {
  return {StepState::Blocked, text, "GetThing 404", "make it"};
}

ReportTable portTable() {
  return {"Ports",
          {"port", "in", "out"},
          {{{"29400"},
            {"open", StepState::Ready, "security list 'default', rule 2"},
            {"closed", StepState::Blocked}},
           {{"all"}, {"open", StepState::Ready}}}};
}

QStringList labelsOf(const QWidget& widget) {
  QStringList texts;
  for (const QLabel* label : widget.findChildren<QLabel*>()) texts << label->text();
  return texts;
}

}  // namespace

class StepPartsTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Dark); }

  void aFindingsTextIsWhatAndWhy() {
    const FindingText both = splitText(problem("cannot read the key: the file's mode is 0644"));
    QCOMPARE(both.what, QStringLiteral("Cannot read the key"));
    QCOMPARE(both.why, QStringLiteral("The file's mode is 0644"));
    const FindingText quoted = splitText(problem("the image 'iad.ocir.io/ns/a: b c d' is no name"));
    QVERIFY2(quoted.why.isEmpty(), "a colon in a quoted name is no reason");
    QVERIFY(splitText(problem("blocked: no subnet")).why.isEmpty());
    Finding fine = problem("what: a long reason given");
    fine.state = StepState::Ready;
    QVERIFY2(splitText(fine).why.isEmpty(), "what is fine has no likely cause");
  }

  void aCardHasItsFourLinesInOrder() {
    const FindingCard card(problem("cannot read the bucket: the policy says no to it"));
    const QStringList texts = labelsOf(card);
    int last = -1;
    for (const char* line :
         {"Cannot read the bucket", "GetThing 404", "The policy says no to it", "Make it"}) {
      const auto at = static_cast<int>(texts.indexOf(QLatin1String(line)));
      QVERIFY2(at > last, line);
      last = at;
    }
    QVERIFY(card.accessibleName().contains(QLatin1String("blocked")));
  }

  void aTableTellsItsStatesToWhoCannotSeeThem() {
    ReportTableModel model(portTable());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QString spoken = model.index(0, 1).data(Qt::AccessibleTextRole).toString();
    for (const char* part : {"ready", "open", "rule 2"}) QVERIFY2(spoken.contains(QLatin1String(part)), part);
    QVERIFY(!model.index(0, 1).data(Qt::DecorationRole).value<QIcon>().isNull());
    QVERIFY(!model.index(0, 0).data(Qt::DecorationRole).isValid());
    QVERIFY2(!model.index(1, 2).data().isValid(), "a row may be shorter than the head");
  }

  void aTableIsAsTallAsItsRowsAndCopies() {
    ReportTableView view(portTable());
    view.resize(500, view.sizeHint().height());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(view.rowViewportPosition(1) + view.rowHeight(1) <= view.viewport()->height());
    view.selectAll();
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("29400\topen\tclosed\nall\topen\t"));
  }

  // Each field can be read back after it was written, and empties again.
  void everyFieldKeepsWhatIsWritten() {
    for (const std::string& step : setupStepNames()) {
      for (const ChoiceField& field : choiceFieldsOf(step)) {
        SetupChoices choices;
        const QString value =
            field.options.empty() ? QStringLiteral("some-value") : field.options.back().value;
        field.write(choices, value);
        QVERIFY2(field.read(choices) == value, field.id.c_str());
        QVERIFY2(!field.label.isEmpty(), field.id.c_str());
        if (!field.options.empty()) continue;
        field.write(choices, QString());
        QVERIFY2(field.read(choices).isEmpty(), field.id.c_str());
        const auto users = stepsUsing(field.id);
        QVERIFY2(std::find(users.begin(), users.end(), step) != users.end(), field.id.c_str());
      }
    }
  }

  void aBucketIsUnderstoodHoweverItIsSaid() {
    SetupChoices choices;
    for (const ChoiceField& field : choiceFieldsOf("bucket"))
      if (field.id == "bucket") field.write(choices, QStringLiteral(" oci://work@ns/team/a "));
    QCOMPARE(choices.bucket, std::string("work"));
    QCOMPARE(choices.nameSpace, std::string("ns"));
    QCOMPARE(choices.bucketPrefix, std::string("team/a"));
  }

  void aChangeIsToldOnceWhenItIsDone() {
    ChoiceForm form;
    form.showStep("policies", {});
    form.show();
    QSignalSpy changed(&form, &ChoiceForm::changed);
    auto* group = qobject_cast<QLineEdit*>(form.editorOf("group"));
    QVERIFY(group);
    QTest::keyClicks(group, QStringLiteral("trainers"));
    QCOMPARE(changed.count(), 0);
    QTest::keyClick(group, Qt::Key_Return);
    QTest::keyClick(group, Qt::Key_Return);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(form.choices().group, std::string("trainers"));
    auto* mode = qobject_cast<QComboBox*>(form.editorOf("policyMode"));
    QVERIFY(mode);
    mode->setFocus();
    QTest::keyClick(mode, Qt::Key_Down);
    QCOMPARE(changed.count(), 2);
    QCOMPARE(form.choices().policyMode, PolicyMode::Scoped);
  }

  void theFormStaysWhenItsStepIsShownAgain() {
    ChoiceForm form;
    form.showStep("network", {});
    form.show();
    auto* subnet = qobject_cast<ResourcePicker*>(form.editorOf("subnetId"));
    QVERIFY(subnet);
    QTest::keyClicks(subnet->lineEdit(), QStringLiteral("ocid1.sub"));
    form.showStep("network", {{"infrastructure.subnetId", "ocid1.subnet.oc1..used"}});
    QCOMPARE(form.editorOf("subnetId"), subnet);
    QCOMPARE(subnet->currentText(), QStringLiteral("ocid1.sub"));
    QVERIFY(subnet->lineEdit()->placeholderText().contains(QLatin1String("ocid1.subnet.oc1..used")));
    form.showStep("machine", {});
    QVERIFY2(form.isHidden(), "a step without choices has no form");
  }

  void whatTheTenancyHasIsChosenFromTheList() {
    ChoiceForm form;
    form.showStep("network", {});
    QSignalSpy changed(&form, &ChoiceForm::changed);
    ResourceChoices subnets;
    subnets.state = ResourceChoices::State::Ready;
    subnets.choices = {{QStringLiteral("ocid1.subnet.oc1..a"), QStringLiteral("team"), {}}};
    form.setResources(ResourceKind::Subnet, subnets);
    auto* subnet = qobject_cast<ResourcePicker*>(form.editorOf("subnetId"));
    emit subnet->activated(0);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(form.choices().subnetId, std::string("ocid1.subnet.oc1..a"));
  }

  void aFileIsAskedForAndTaken() {
    ChoiceForm form;
    form.showStep("hosts", {});
    QSignalSpy changed(&form, &ChoiceForm::changed);
    form.setField("hostsFile", QStringLiteral("/tmp/hosts"));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(form.choices().hostsFile, std::string("/tmp/hosts"));
  }
};

QTEST_MAIN(StepPartsTest)
#include "step_parts_test.moc"

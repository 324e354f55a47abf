// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "setup/steps/setup_steps.h"
#include "widgets/common/layout/name_line.h"
#include "widgets/common/pickers/resource_picker.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/choice_form.h"
#include "widgets/setup/finding_card.h"
#include "widgets/setup/finding_list.h"
#include "widgets/setup/report_table_view.h"
#include "widgets/setup/step_texts.h"

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

  void aCardHasItsFourLinesInOrder() {
    Finding finding = problem("cannot read the bucket");
    finding.cause = "the policy says no: 'b: c'";
    const FindingCard card(finding);
    const QStringList texts = labelsOf(card);
    int last = -1;
    for (const char* line :
         {"Cannot read the bucket", "GetThing 404", "The policy says no: 'b: c'", "Make it"}) {
      const auto at = static_cast<int>(texts.indexOf(QLatin1String(line)));
      QVERIFY2(at > last, line);
      last = at;
    }
    QVERIFY(card.accessibleName().contains(QLatin1String("blocked")));
    QCOMPARE(card.accessibleDescription(), QStringLiteral("The policy says no: 'b: c'. Make it"));
    QVERIFY(plainText(finding).contains(QLatin1String("likely: the policy says no")));
  }

  void manyFindingsOfOneKindAreFolded() {
    std::vector<Finding> findings;
    for (const char* verb : {"read", "use", "manage", "inspect"}) {
      findings.push_back(problem(std::string("missing: ") + verb));
      findings.back().code = "statement-missing";
    }
    findings.push_back(problem("there is no group"));
    FindingList list(findings);
    list.show();
    const auto shown = [&list] {
      int count = 0;
      for (const FindingCard* card : list.findChildren<FindingCard*>()) count += card->isVisible();
      return count;
    };
    QCOMPARE(shown(), 3);  // two of the kind, and the other one
    QSignalSpy folded(&list, &FindingList::folded);
    const auto folds = list.findChildren<QToolButton*>();
    QCOMPARE(folds.size(), 1);
    QTest::keyClick(folds[0], Qt::Key_Space);
    QCOMPARE(shown(), 5);
    QCOMPARE(folded.count(), 1);
    QTest::mouseClick(folds[0], Qt::LeftButton);
    QCOMPARE(shown(), 3);
  }

  void fewFindingsOrThoseWithoutACodeAreAllShown() {
    const std::vector<Finding> findings(6, problem("cannot read"));
    QCOMPARE(FindingList(findings).findChildren<QToolButton*>().size(), 0);
    std::vector<Finding> three(3, problem("missing"));
    for (Finding& finding : three) finding.code = "statement-missing";
    QCOMPARE(FindingList(three).findChildren<QToolButton*>().size(), 0);
  }

  // A long id would push the whole page sideways.
  void aLongIdIsShortenedAndWholeInTheTip() {
    const QString id =
        QStringLiteral("ocid1.datascienceproject.oc1.rehearsal.") + QString(60, QLatin1Char('b'));
    Finding finding = problem("project " + id.toStdString() + " is not there");
    finding.evidence = "GetThing 200, opc-request-id " + std::string(32, 'A') + "/" + std::string(64, '1');
    const FindingCard card(finding);
    QVERIFY(labelsOf(card).contains(QStringLiteral("GetThing 200, opc-request-id AAAAAAAA…")));
    QVERIFY(card.minimumSizeHint().width() < 500);
    bool isTold = false;
    for (const QLabel* label : card.findChildren<QLabel*>()) {
      QVERIFY(!label->text().contains(id));
      isTold = isTold || label->toolTip().contains(id);
    }
    QVERIFY(isTold);
    QVERIFY2(plainText(finding).contains(id), "what is copied is whole");
    QVERIFY(labelsOf(FindingCard(problem("subnet ocid1.subnet.oc1.rehearsal.aaaaaaaalockstep is gone")))
                .contains(QLatin1String("Subnet ocid1.subnet.oc1.rehearsal.aaaaaaaalockstep is gone")));
  }

  void stepsAreNamedAsTheListNamesThem() {
    QCOMPARE(
        withStepTitles(QStringLiteral("complete it (step auth), one step further (step ocir-login)")),
        QStringLiteral("complete it (step “Profile and API key”), one step further (step “Registry login”)"));
    QCOMPARE(withStepTitles(QStringLiteral("step by step")), QStringLiteral("step by step"));
  }

  void aFindingThatSaysAllHasNoLikelyCause() {
    const QStringList texts = labelsOf(FindingCard(problem("cannot read the key: the mode is 0644")));
    QVERIFY(texts.contains(QLatin1String("Cannot read the key: the mode is 0644")));
    QVERIFY(!texts.contains(QLatin1String("Likely")));
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
    auto* group = qobject_cast<ResourcePicker*>(form.editorOf("group"));
    QVERIFY(group);
    QTest::keyClicks(group->lineEdit(), QStringLiteral("trainers"));
    QCOMPARE(changed.count(), 0);
    QTest::keyClick(group->lineEdit(), Qt::Key_Return);
    QTest::keyClick(group->lineEdit(), Qt::Key_Return);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(form.choices().group, std::string("trainers"));
    auto* mode = qobject_cast<QComboBox*>(form.editorOf("policyMode"));
    QVERIFY(mode);
    mode->setFocus();
    QTest::keyClick(mode, Qt::Key_Down);
    QCOMPARE(changed.count(), 2);
    QCOMPARE(form.choices().policyMode, PolicyMode::Scoped);
  }

  // The field with the focus loses it in QWidget's destructor, when the form is none any more.
  void aFormThatGoesSaysNothing() {
    int told = 0;
    auto form = std::make_unique<ChoiceForm>();
    connect(form.get(), &ChoiceForm::changed, this, [&told] { ++told; });
    form->showStep("policies", {});
    form->show();
    QVERIFY(QTest::qWaitForWindowActive(form.get()));
    auto* group = qobject_cast<ResourcePicker*>(form->editorOf("group"));
    QVERIFY(group);
    group->setFocus();
    QTest::keyClicks(group->lineEdit(), QStringLiteral("trainers"));
    form.reset();
    QCOMPARE(told, 0);
  }

  void whoLaunchesDecidesWhichGroupIsAskedFor() {
    ChoiceForm form;
    SetupChoices choices;
    choices.group = "trainers";
    form.setChoices(choices);
    form.showStep("policies", {});
    form.show();
    QVERIFY(form.editorOf("group")->isVisible());
    QVERIFY(!form.editorOf("launcherGroup")->isVisible());
    ResourceChoices groups;
    groups.state = ResourceChoices::State::Ready;
    groups.choices = {{QStringLiteral("notebooks"), QStringLiteral("notebooks"), {}}};
    form.setResources(ResourceKind::DynamicGroup, groups);
    QSignalSpy changed(&form, &ChoiceForm::changed);
    auto* launcher = qobject_cast<QComboBox*>(form.editorOf("launcher"));
    launcher->setFocus();
    QTest::keyClick(launcher, Qt::Key_End);
    QCOMPARE(form.choices().launcher, std::string("dynamic-group"));
    QVERIFY2(form.choices().group.empty(), "a group of users is no dynamic group");
    QVERIFY(!form.editorOf("group")->isVisible());
    auto* itself = qobject_cast<ResourcePicker*>(form.editorOf("launcherGroup"));
    QVERIFY(itself->isVisible());
    emit itself->activated(0);
    QCOMPARE(form.choices().group, std::string("notebooks"));
    QCOMPARE(changed.count(), 2);
  }

  // What a field names is listed; what is not listed is typed.
  void vcnAndGroupsAreListed() {
    const std::pair<const char*, const char*> kFields[] = {
        {"network", "vcnId"}, {"policies", "group"}, {"policies", "dynamicGroup"}};
    for (const auto& [step, field] : kFields) {
      ChoiceForm form;
      form.showStep(step, {});
      QSignalSpy wanted(&form, &ChoiceForm::resourcesWanted);
      auto* picker = qobject_cast<ResourcePicker*>(form.editorOf(field));
      QVERIFY2(picker, field);
      form.show();
      picker->setFocus();
      QTRY_COMPARE(wanted.count(), 1);
    }
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

  // People know things by their names; the id is there for whoever types.
  void aFieldShowsTheNameOfItsId() {
    ChoiceForm form;
    const QString id = QStringLiteral("ocid1.subnet.oc1..a"), name = QStringLiteral("training nodes");
    SetupChoices choices;
    choices.subnetId = id.toStdString();
    form.setChoices(choices);
    form.setNames({{id, name}, {QStringLiteral("ocid1.compartment.oc1..c"), QStringLiteral("training")}});
    form.showStep("network", {{"infrastructure.compartmentId", "ocid1.compartment.oc1..c"}});
    auto* subnet = qobject_cast<ResourcePicker*>(form.editorOf("subnetId"));
    auto* line = qobject_cast<NameLine*>(subnet->lineEdit());
    QVERIFY(line);
    QCOMPARE(line->name(), name);
    QCOMPARE(line->text(), id);
    QVERIFY(line->accessibleDescription().contains(name) && line->accessibleDescription().contains(id));
    QVERIFY(line->toolTip().contains(name) && line->toolTip().contains(id));
    QLineEdit* compartment = qobject_cast<ResourcePicker*>(form.editorOf("compartmentId"))->lineEdit();
    QCOMPARE(compartment->placeholderText(), QStringLiteral("in use: training"));
    QVERIFY(compartment->toolTip().contains(QLatin1String("ocid1.compartment.oc1..c")));
    QTest::keyClick(subnet->lineEdit(), Qt::Key_End);
    QTest::keyClicks(subnet->lineEdit(), QStringLiteral("x"));
    QVERIFY2(line->name().isEmpty(), "it is another id");
    ResourceChoices listed;
    listed.state = ResourceChoices::State::Ready;
    listed.choices = {{id + QLatin1Char('x'), QStringLiteral("other"), QStringLiteral("10.0.1.0/24")}};
    form.setResources(ResourceKind::Subnet, listed);
    QCOMPARE(line->name(), QStringLiteral("other"));
  }

  void theNameIsPaintedWhileNobodyTypes() {
    NameLine line;
    line.resize(400, line.sizeHint().height());
    line.setText(QStringLiteral("ocid1.subnet.oc1..aaaaaaaaaaaaaaaa"));
    const QImage id = line.grab().toImage();
    line.setName(QStringLiteral("training nodes"));
    const QImage name = line.grab().toImage();
    QVERIFY(id != name);
    line.show();
    QVERIFY(QTest::qWaitForWindowActive(&line));
    line.setFocus();
    QVERIFY(line.hasFocus());
    const QImage typing = line.grab().toImage();
    line.setName({});
    QCOMPARE(line.grab().toImage(), typing);
  }

  void theNameOfANewCompartmentIsAskedForWhereOneIsProposed() {
    ChoiceForm form;
    form.show();
    form.showStep("project", {});
    QVERIFY(form.editorOf("newCompartment")->isHidden());
    form.showStep("project", {}, {"create-compartment"});
    QVERIFY(form.editorOf("newCompartment")->isVisible());
    form.setField("newCompartment", QStringLiteral("training"));
    QCOMPARE(form.choices().newCompartment, std::string("training"));
    const auto users = stepsUsing("newCompartment");
    QVERIFY2(std::find(users.begin(), users.end(), "bucket") != users.end(), "its fix names the compartment");
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

  // Lists of another place, profile or moment are not offered.
  void aListThatIsStaleIsAskedForAgain() {
    ChoiceForm form;
    form.showStep("network", {});
    form.show();
    auto* compartment = qobject_cast<ResourcePicker*>(form.editorOf("compartmentId"));
    auto* vcn = qobject_cast<ResourcePicker*>(form.editorOf("vcnId"));
    auto* subnet = qobject_cast<ResourcePicker*>(form.editorOf("subnetId"));
    using State = ResourceChoices::State;
    const auto fill = [&] {
      for (const ResourceKind kind : {ResourceKind::Compartment, ResourceKind::Vcn, ResourceKind::Subnet})
        form.setResources(kind, {State::Ready, {}, {}});
    };
    fill();
    form.setField("subnetId", QStringLiteral("ocid1.subnet.oc1..a"));
    QCOMPARE(subnet->choices().state, State::Ready);
    form.setField("vcnId", QStringLiteral("ocid1.vcn.oc1..a"));
    QCOMPARE(subnet->choices().state, State::Unknown);
    QCOMPARE(vcn->choices().state, State::Ready);
    fill();
    form.setField("compartmentId", QStringLiteral("ocid1.compartment.oc1..a"));
    QCOMPARE(vcn->choices().state, State::Unknown);
    QCOMPARE(compartment->choices().state, State::Ready);
    form.clearResources();
    QCOMPARE(compartment->choices().state, State::Unknown);
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

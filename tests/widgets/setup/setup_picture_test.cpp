// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up page in its states, in both themes, small and large: nothing scrolls sideways and no button is
// cut off. With LOCKSTEP_PICTURES set to a folder, what was looked at is left there.
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include "setup/steps/setup_steps.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/finding_card.h"
#include "widgets/setup/fix_list.h"
#include "widgets/setup/fix_preview.h"
#include "widgets/setup/setup_page.h"
#include "widgets/setup/step_details.h"
#include "widgets/setup/waiver_row.h"

using namespace lockstep;

namespace {

StepReport networkReport() {
  StepReport report =
      reportOf({{StepState::Blocked,
                 "nodes of subnet 'training' cannot reach each other on TCP 29400: no ingress rule of the "
                 "security list "
                 "'default' admits it",
                 "ListSecurityLists 200, opc-request-id 6F1A/77C0", "open TCP 29400 within 10.0.1.0/24",
                 "closed-port"},
                {StepState::Warning, "subnet 'training' is public", "GetSubnet 200, opc-request-id 6F1A/77C1",
                 "use a private subnet", "public-subnet"},
                {StepState::Ready,
                 "nodes reach Object Storage through the service gateway 'sgw'",
                 "ListServiceGateways 200, opc-request-id 6F1A/77C2",
                 {}}});
  const auto open = [](const char* text) {
    return ReportTable::Cell{text, StepState::Ready, "security list 'default', rule 2"};
  };
  const auto closed = [](const char* text) {
    return ReportTable::Cell{text, StepState::Blocked, "no rule admits it"};
  };
  report.tables.push_back(
      {"Who can reach whom",
       {"port", "for", "into a node", "out of a node"},
       {{{"TCP 29400"}, {"rendezvous of PyTorch"}, closed("closed"), open("open")},
        {{"TCP 1024-65535"}, {"collectives of Gloo and NCCL"}, closed("closed"), open("open")},
        {{"TCP 443"}, {"Object Storage"}, {"not needed"}, open("open")}}});
  ProposedFix narrow;
  narrow.id = "open-ports";
  narrow.title = "open TCP 29400 and 1024-65535 within 10.0.1.0/24";
  narrow.before = "ingress\n  tcp 22 from 0.0.0.0/0\negress\n  all to 0.0.0.0/0\n";
  narrow.after =
      "ingress\n  tcp 22 from 0.0.0.0/0\n  tcp 1024-65535 from 10.0.1.0/24  # lockstep\negress\n  all to "
      "0.0.0.0/0\n";
  narrow.calls = {
      "UpdateSecurityList PUT /20160918/securityLists/ocid1.securitylist.oc1.iad.aaaa (if-match)"};
  ProposedFix wide = narrow;
  wide.id = "open-all";
  wide.title = "open everything to everybody";
  wide.isUnsafe = true;
  report.fixes = {narrow, wide};
  report.facts = {{"infrastructure.subnetId", "ocid1.subnet.oc1.iad.aaaaaaaaexampleexampleexampleexample"}};
  return report;
}

void fill(SetupPage& page) {
  page.setProfiles({QStringLiteral("DEFAULT"), QStringLiteral("REHEARSAL")}, QStringLiteral("DEFAULT"));
  page.setProfileSummary(
      QStringLiteral("us-ashburn-1 · ocid1.user.oc1..aaaaexample · /home/ada/.oci/config"));
  page.setLastCheck(QStringLiteral("last check 14:02, 3.1 s, 23 read-only calls"));
  SetupChoices choices;
  choices.waived["limits"] = "asked for already";
  page.setChoices(choices);
  page.setReport("machine", reportOf({{StepState::Ready, "the clock is right", "Date of the service", {}}}));
  page.setReport("network", networkReport());
  page.setReport("containers", reportOf({{StepState::Warning, "the disk is nearly full", "12 GB free", {}}}));
  page.setReport("limits", reportOf({{StepState::Waived, "waived: asked for already", {}, {}}}));
  page.setReport("hosts",
                 reportOf({{StepState::NotApplicable, "there are no machines of your own", {}, {}}}));
  page.setRemembered("bucket", reportOf({{StepState::Ready, "bucket 'work' exists", "GetBucket 200", {}}}),
                     QDateTime::currentDateTime());
  page.setChecking("policies");
  AppliedChange change;
  change.id = "1";
  change.stepId = "bucket";
  change.profile = "DEFAULT";
  change.title = "created bucket 'work' in compartment 'training'";
  change.when = toTimePoint(QDateTime::currentDateTimeUtc());
  page.setChanges({change});
}

}  // namespace

class SetupPictureTest : public QObject {
  Q_OBJECT
 private slots:
  void everyStateFits_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    for (const bool dark : {false, true}) {
      const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
      QTest::newRow(qPrintable(theme + "-large")) << dark << QSize(1230, 760) << 1.0;
      QTest::newRow(qPrintable(theme + "-small")) << dark << QSize(830, 560) << 1.0;
      QTest::newRow(qPrintable(theme + "-large-letters")) << dark << QSize(1400, 900) << 1.6;
    }
  }

  void everyStateFits() {
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const QFont usual = QApplication::font();
    QFont font = usual;
    font.setPointSizeF(usual.pointSizeF() * scale);
    QApplication::setFont(font);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    {
      SetupPage page;
      fill(page);
      page.resize(size);
      page.show();
      QVERIFY(QTest::qWaitForWindowExposed(&page, 30'000));
      look(page, QStringLiteral("missing"), [&] { page.showStep("network"); });
      look(page, QStringLiteral("preview"), [&] { page.details()->fixes()->open("open-ports"); });
      look(page, QStringLiteral("unsafe"), [&] { page.details()->fixes()->open("open-all"); });
      look(page, QStringLiteral("applying"), [&] { page.setApplying("network", "open-all"); });
      page.setApplying({}, {});
      look(page, QStringLiteral("error"), [&] {
        page.showError(failure(ErrorCode::FailedPrecondition, "cannot open the ports",
                               "somebody has changed the security list since", "check the step again")
                           .value());
      });
      look(page, QStringLiteral("waived"), [&] { page.showStep("limits"); });
      look(page, QStringLiteral("ready"), [&] { page.showStep("machine"); });
      look(page, QStringLiteral("waiving"), [&] { page.details()->waiver()->ask(); });
      look(page, QStringLiteral("choices"), [&] { page.showStep("ocir-login"); });
      look(page, QStringLiteral("changes"), [&] { page.showChanges(); });
    }
    QApplication::setFont(usual);
  }

 private:
  template <class Do>
  void look(SetupPage& page, const QString& name, Do act) {
    act();
    QTest::qWait(120);
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    const QString row = QString::fromLatin1(QTest::currentDataTag());
    if (!folder.isEmpty()) page.grab().save(QStringLiteral("%1/setup-%2-%3.png").arg(folder, row, name));
    QVERIFY2(page.minimumSizeHint().width() <= page.width(), qPrintable(row + " " + name));
    QVERIFY2(!page.details()->scrollArea()->horizontalScrollBar()->isVisible(), qPrintable(row + " " + name));
    for (const auto* card : page.details()->findChildren<FindingCard*>())
      QVERIFY2(!card->isVisible() || card->height() >= card->heightForWidth(card->width()),
               qPrintable(row + " " + name));
    for (const QPushButton* button : page.findChildren<QPushButton*>()) {
      if (!button->isVisible()) continue;
      QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(name + " " + button->text()));
    }
  }
};

QTEST_MAIN(SetupPictureTest)
#include "setup_picture_test.moc"

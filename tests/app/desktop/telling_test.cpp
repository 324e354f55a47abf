// SPDX-License-Identifier: GPL-3.0-or-later
// Notifications over a real bus of its own, with a service on it that keeps what it is asked to show.
#include <QCheckBox>
#include <QDBusConnection>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <filesystem>

#include "app/desktop/telling/telling_controller.h"
#include "app/desktop/telling/telling_dialog.h"
#include "base/atomic_file.h"
#include "temp_dir.h"

namespace lockstep {

class NotificationService : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
 public:
  struct Shown {
    uint replaces = 0;
    QString title, body;
    QStringList actions;
    QVariantMap hints;
  };
  QList<Shown> shown;

 public slots:
  uint Notify(const QString&, uint replaces, const QString&, const QString& title, const QString& body,
              const QStringList& actions, const QVariantMap& hints, int) {
    shown.push_back({replaces, title, body, actions, hints});
    return replaces != 0 ? replaces : static_cast<uint>(shown.size());
  }

 signals:
  void ActionInvoked(uint id, const QString& action);
  void NotificationClosed(uint id, uint reason);
};

namespace {

RunFinding findingOf(int rank, FindingSeverity severity) {
  RunFinding finding;
  finding.kind = FindingKind::Straggler;
  finding.severity = severity;
  finding.ranks = {Rank(rank)};
  finding.what = {"rank %1 is slow", {{std::to_string(rank)}}};
  finding.cause = {"<b>its loader</b> & more", {}};
  return finding;
}

RunNews newsOf(int rank, FindingSeverity severity = FindingSeverity::Critical) {
  RunNews news;
  news.kind = RunNews::Kind::FindingBegan;
  news.run = RunId("cifar-1");
  news.name = "cifar";
  news.finding = findingOf(rank, severity);
  return news;
}

TrainingRun liveRun() {
  TrainingRun run;
  run.id = RunId("cifar-1");
  run.name = "cifar";
  run.launchComplete = true;
  NodeRun node;
  node.id = JobRunId("run-0");
  node.state = JobRunState::InProgress;
  run.nodes.push_back(node);
  return run;
}

std::shared_ptr<const DiagnosisReport> reportOf(int rank) {
  auto report = std::make_shared<DiagnosisReport>();
  report->findings = {findingOf(rank, FindingSeverity::Warning)};
  return report;
}

}  // namespace

class TellingTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
    QVERIFY2(!program.isEmpty(), "the program 'dbus-daemon' is missing");
    // Nothing that is installed here is started by it.
    const auto configuration = folder_.path() / "bus.conf";
    QVERIFY(writeFileAtomically(
        configuration,
        "<busconfig><type>session</type><listen>unix:tmpdir=" + folder_.path().string() +
            "</listen><policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>"
            "<allow eavesdrop=\"true\"/><allow own=\"*\"/>"
            "</policy></busconfig>"));
    daemon_.start(program,
                  {QStringLiteral("--nofork"), QStringLiteral("--print-address"),
                   QStringLiteral("--config-file=") + QString::fromStdString(configuration.string())});
    QVERIFY(daemon_.waitForReadyRead(20'000));
    address_ = QString::fromUtf8(daemon_.readLine()).trimmed();
    QDBusConnection bus = QDBusConnection::connectToBus(address_, QStringLiteral("service"));
    QVERIFY(bus.isConnected());
    QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &service_,
                               QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
    QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
  }
  void cleanupTestCase() {
    daemon_.kill();
    daemon_.waitForFinished();
  }
  void init() { service_.shown.clear(); }

  void newsAreShownAsPlainText() {
    DesktopNotifier notifier(client());
    QSignalSpy answered(&notifier, &DesktopNotifier::answered);
    notifier.show(newsOf(3));
    QTRY_COMPARE(answered.size(), 1);
    QVERIFY(notifier.isAvailable());
    QCOMPARE(service_.shown.size(), 1);
    QCOMPARE(service_.shown[0].title, QStringLiteral("cifar: rank 3 is slow"));
    QCOMPARE(service_.shown[0].body, QStringLiteral("&lt;b&gt;its loader&lt;/b&gt; &amp; more"));
    QCOMPARE(service_.shown[0].hints.value(QStringLiteral("urgency")).value<uchar>(), uchar{2});
    QCOMPARE(service_.shown[0].actions.value(0), QStringLiteral("default"));
  }

  void theSameFindingReplacesWhatWasShown() {
    DesktopNotifier notifier(client());
    QSignalSpy answered(&notifier, &DesktopNotifier::answered);
    notifier.show(newsOf(3));
    QTRY_COMPARE(answered.size(), 1);
    notifier.show(newsOf(3));
    notifier.show(newsOf(4));
    QTRY_COMPARE(answered.size(), 3);
    QCOMPARE(service_.shown[1].replaces, 1U);
    QCOMPARE(service_.shown[2].replaces, 0U);
  }

  void aClickNamesTheRun() {
    DesktopNotifier notifier(client());
    QSignalSpy answered(&notifier, &DesktopNotifier::answered);
    RunId clicked;
    connect(&notifier, &DesktopNotifier::activated, this, [&](const RunId& run) { clicked = run; });
    notifier.show(newsOf(3));
    QTRY_COMPARE(answered.size(), 1);
    emit service_.ActionInvoked(99, QStringLiteral("default"));  // somebody else's
    emit service_.ActionInvoked(1, QStringLiteral("default"));
    QTRY_COMPARE(clicked.value, std::string("cifar-1"));
  }

  void withoutAServiceNothingHappensButThatItIsSaid() {
    const QDBusConnection none(QStringLiteral("no such connection"));
    DesktopNotifier notifier(none);
    QVERIFY(!notifier.isAvailable());
    notifier.show(newsOf(3));
    QVERIFY(service_.shown.isEmpty());
  }

  void aBusWithoutAServiceIsFoundOutBeforeAnythingIsToBeShown() {
    const QString name = QStringLiteral("org.freedesktop.Notifications");
    QDBusConnection bus(QStringLiteral("service"));
    QVERIFY(bus.unregisterService(name));
    {
      const DesktopNotifier notifier(client());
      QTRY_VERIFY(!notifier.isAvailable());
    }
    QVERIFY(bus.registerService(name));
    const DesktopNotifier notifier(client());
    QTest::qWait(200);
    QVERIFY(notifier.isAvailable());
  }

  void whoeverLooksIsNotNotified() {
    bool isWatched = true;
    auto owned = std::make_unique<DesktopNotifier>(client());
    QSignalSpy answered(owned.get(), &DesktopNotifier::answered);
    TellingController controller(std::move(owned), [&] { return isWatched; });
    controller.look(liveRun(), reportOf(3));
    isWatched = false;
    controller.look(liveRun(), reportOf(4));
    QTRY_COMPARE(answered.size(), 1);
    QCOMPARE(service_.shown[0].title, QStringLiteral("cifar: rank 4 is slow"));
    TellingChoice quiet;
    quiet.notifies = false;
    controller.setChoice(quiet);
    controller.look(liveRun(), reportOf(5));
    QTest::qWait(100);
    QCOMPARE(service_.shown.size(), 1);
  }

  void aCommandIsToldAndItsFailureSaid() {
    const TempDir temp;
    const std::string out = (temp.path() / "out").string();
    TellingController controller(std::make_unique<DesktopNotifier>(client()), [] { return true; });
    QSignalSpy failed(&controller, &TellingController::failed);
    TellingChoice choice;
    choice.targets.command = "cat > " + out;
    controller.setChoice(choice);
    controller.look(liveRun(), reportOf(3));
    QTRY_VERIFY_WITH_TIMEOUT(readFile(out).value_or("").find("rank 3 is slow") != std::string::npos, 20'000);
    choice.targets.command = "exit 7";
    controller.setChoice(choice);
    controller.look(liveRun(), reportOf(4));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
  }

  void theDialogKeepsWhatIsChosenAndRefusesAnUnsafeAddress() {
    TellingChoice choice;
    choice.least = FindingSeverity::Critical;
    choice.notifies = false;
    choice.targets = {"notify", "https://hooks.example.com/x"};
    TellingDialog dialog(choice, false, nullptr);
    QVERIFY(dialog.choice() == choice);
    QPushButton* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(ok->isEnabled());
    for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
      if (edit->text().startsWith(QLatin1String("https")))
        edit->setText(QStringLiteral("http://example.com/x"));
    QVERIFY(!ok->isEnabled());
  }

 private:
  [[nodiscard]] QDBusConnection client() const {
    return QDBusConnection::connectToBus(address_, QStringLiteral("client"));
  }
  TempDir folder_;
  QProcess daemon_;
  QString address_;
  NotificationService service_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::TellingTest)
#include "telling_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/support/pass_phrase_desk.h"

#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QWidget>
#include <future>

#include "app/desktop/support/keychain.h"
#include "widgets/setup/pass_phrase_dialog.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 30'000;

PassPhraseDialog* shownDialog() {
  for (QWidget* widget : QApplication::topLevelWidgets()) {
    auto* dialog = qobject_cast<PassPhraseDialog*>(widget);
    if (dialog && dialog->isVisible()) return dialog;
  }
  return nullptr;
}

using Answer = std::future<Result<Secret>>;

Answer askAside(std::shared_ptr<oci::PassPhraseSource> source, const std::string& file, int attempt = 1) {
  return std::async(std::launch::async, [source, file, attempt] {
    return source->ask({file, "TEAM", attempt});
  });
}

bool isReady(const Answer& answer) {
  return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void type(PassPhraseDialog* dialog, const QString& text) {
  QTest::keyClicks(dialog->findChild<QLineEdit*>(), text);
  dialog->accept();
}

class PassPhraseDeskTest : public QObject {
  Q_OBJECT
 private slots:
  // No test may find, or leave, anything in the keychain of whoever runs it.
  void initTestCase() { qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"); }

  void everybodyWhoWaitsForOneKeyGetsTheOneAnswer() {
    QWidget window;
    PassPhraseDesk desk(&window, true);
    Answer first = askAside(desk.source(), "/k.pem"), second = askAside(desk.source(), "/k.pem");
    QTRY_VERIFY_WITH_TIMEOUT(shownDialog(), kTimeout);
    QCOMPARE(shownDialog()->findChild<QLineEdit*>()->echoMode(), QLineEdit::Password);
    QTest::qWait(100);  // the second question has come by now, or is asked on its own
    type(shownDialog(), QStringLiteral("open sesame"));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(first), kTimeout);
    if (PassPhraseDialog* late = shownDialog()) type(late, QStringLiteral("open sesame"));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(second), kTimeout);
    QCOMPARE(first.get()->reveal(), std::string("open sesame"));
    QCOMPARE(second.get()->reveal(), std::string("open sesame"));
  }

  void aSessionWithoutAKeychainIsToldSo() {
    Keychain keychain;
    std::optional<Error> problem;
    keychain.read(QStringLiteral("any"), [&](const Result<std::optional<Secret>>& answer) {
      problem = answer ? Error() : answer.error();
    });
    QTRY_VERIFY_WITH_TIMEOUT(problem, kTimeout);
    QCOMPARE(problem->cause, std::string("no keychain runs in this session"));
    QVERIFY2(problem->remedy.find("GNOME Keyring") != std::string::npos, problem->remedy.c_str());
    const Error locked = keychainProblem("cannot read the keychain", true, QStringLiteral("it is locked"));
    QCOMPARE(locked.cause, std::string("it is locked"));
    QVERIFY(locked.remedy.find("unlock") != std::string::npos);
  }

  void whatOpenedAKeyIsNotAskedForAgain() {
    QWidget window;
    PassPhraseDesk desk(&window, true);
    const auto source = desk.source();
    source->answered({"/k.pem", "TEAM", 1}, Secret("right"), true);
    QCOMPARE(source->ask({"/k.pem", "TEAM", 1})->reveal(), std::string("right"));
    source->answered({"/k.pem", "TEAM", 1}, Secret("right"), false);
    Answer asked = askAside(source, "/k.pem", 2);
    QTRY_VERIFY_WITH_TIMEOUT(shownDialog(), kTimeout);
    shownDialog()->reject();
    QTRY_VERIFY_WITH_TIMEOUT(isReady(asked), kTimeout);
    QCOMPARE(asked.get().error().code, ErrorCode::Cancelled);
  }

  void withoutAKeychainNothingCanBeKept() {
    QWidget window;
    PassPhraseDesk desk(&window, true);
    Answer asked = askAside(desk.source(), "/k.pem");
    QTRY_VERIFY_WITH_TIMEOUT(shownDialog(), kTimeout);
    QVERIFY(!shownDialog()->findChild<QCheckBox*>()->isEnabled());
    shownDialog()->reject();
    QTRY_VERIFY_WITH_TIMEOUT(isReady(asked), kTimeout);
  }

  void theEndOfTheDeskEndsTheWaiting() {
    QWidget window;
    auto desk = std::make_unique<PassPhraseDesk>(&window, true);
    const auto source = desk->source();
    Answer asked = askAside(source, "/k.pem");
    QTRY_VERIFY_WITH_TIMEOUT(shownDialog(), kTimeout);
    desk.reset();
    QTRY_VERIFY_WITH_TIMEOUT(isReady(asked), kTimeout);
    QCOMPARE(asked.get().error().code, ErrorCode::Cancelled);
    QCOMPARE(source->ask({"/k.pem", "TEAM", 1}).error().code, ErrorCode::FailedPrecondition);
  }

  void theThreadOfTheDialogIsNeverBlocked() {
    QWidget window;
    const PassPhraseDesk desk(&window, true);
    QCOMPARE(desk.source()->ask({"/k.pem", "TEAM", 1}).error().code, ErrorCode::FailedPrecondition);
  }
};

}  // namespace
}  // namespace lockstep

QTEST_MAIN(lockstep::PassPhraseDeskTest)
#include "pass_phrase_desk_test.moc"

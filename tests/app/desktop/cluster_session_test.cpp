// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/cluster_session.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QTest>
#include <array>
#include <fstream>
#include <vector>

#include "base/atomic_file.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 30'000;

QString pathIn(const TempDir& dir, const char* name) {
  return QString::fromStdString((dir.path() / name).string());
}

std::string contentsOf(const QString& path) {
  return readFile(path.toStdString()).value_or("(cannot be read)");
}

void writePlainly(const QString& path, const std::string& text) {
  std::ofstream(path.toStdString(), std::ios::binary | std::ios::trunc) << text;
}

/// As if a window with another process id had left the draft.
void leaveDraft(const TempDir& dir, const Draft& draft) {
  QVERIFY(DraftStore(dir.path()).keep(draft, 1));
  std::filesystem::rename(DraftStore(dir.path()).ownFile(), dir.path() / "999999999.json");
}

/// How many of so many windows that start at the same moment, and stay open, recover a draft.
int recoveredByWindows(const std::filesystem::path& folder, int windows) {
  std::array<int, 2> go{}, told{}, leave{};
  if (::pipe(go.data()) != 0 || ::pipe(told.data()) != 0 || ::pipe(leave.data()) != 0) return -1;
  std::vector<pid_t> pids;
  for (int i = 0; i < windows; ++i) {
    pids.push_back(::fork());
    if (pids.back() != 0) continue;
    for (const int end : {go[1], leave[1]}) ::close(end);
    char byte = 0;
    (void)!::read(go[0], &byte, 1);  // ends when the parent closes the other end
    byte = DraftStore(folder).recover() ? 1 : 0;
    (void)!::write(told[1], &byte, 1);
    (void)!::read(leave[0], &byte, 1);
    ::_exit(0);
  }
  ::close(go[1]);
  int recovered = 0;
  for (int i = 0; i < windows; ++i) {
    char byte = 0;
    if (::read(told[0], &byte, 1) == 1) recovered += byte;
  }
  ::close(leave[1]);
  for (const pid_t pid : pids) ::waitpid(pid, nullptr, 0);
  for (const int end : {go[0], told[0], told[1], leave[0]}) ::close(end);
  return recovered;
}

/// A disk without room: no file of this process may grow beyond `bytes`.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    oldHandler_ = ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, oldHandler_);
  }

 private:
  rlimit before_{};
  sighandler_t oldHandler_ = nullptr;
};

}  // namespace

class ClusterSessionTest : public QObject {
  Q_OBJECT
 private slots:
  void opensAndSaves() {
    const TempDir dir;
    ClusterSession session(dir.path() / "drafts");
    const QString path = pathIn(dir, "train.yaml");
    writePlainly(path, "kind: distributed\r\n");
    std::string opened, saved;
    connect(&session, &ClusterSession::opened, this,
            [&opened](const QString&, const std::string& t) { opened = t; });
    connect(&session, &ClusterSession::saved, this,
            [&saved](const QString&, const std::string& t) { saved = t; });
    session.open(path);
    QTRY_COMPARE_WITH_TIMEOUT(opened, std::string("kind: distributed\r\n"), kTimeout);
    session.save(path, "kind: other\n");
    QTRY_COMPARE_WITH_TIMEOUT(saved, std::string("kind: other\n"), kTimeout);
    QCOMPARE(contentsOf(path), std::string("kind: other\n"));
  }

  void aFileThatCannotBeOpenedIsNamed() {
    const TempDir dir;
    ClusterSession session(dir.path() / "drafts");
    std::vector<Error> failures;
    connect(&session, &ClusterSession::failed, this, [&failures](const Error& s) { failures.push_back(s); });
    session.open(pathIn(dir, "none.yaml"));
    QTRY_COMPARE_WITH_TIMEOUT(failures.size(), std::size_t(1), kTimeout);
    QVERIFY(failures[0].what.find("none.yaml") != std::string::npos);
    writePlainly(pathIn(dir, "bytes.yaml"), "a: \xff\xfe");
    session.open(pathIn(dir, "bytes.yaml"));
    QTRY_COMPARE_WITH_TIMEOUT(failures.size(), std::size_t(2), kTimeout);
    QCOMPARE(failures[1].cause, std::string("it is not UTF-8 text"));
    QVERIFY(session.path().isEmpty());
  }

  void aFullDiskLosesNothing() {
    const TempDir dir;
    ClusterSession session(dir.path() / "drafts");
    const QString path = pathIn(dir, "train.yaml");
    writePlainly(path, "old: text\n");
    std::optional<Error> problem;
    bool saved = false;
    connect(&session, &ClusterSession::failed, this, [&problem](const Error& s) { problem = s; });
    connect(&session, &ClusterSession::saved, this, [&saved] { saved = true; });
    {
      const FullDisk disk(4096);
      session.save(path, std::string(100'000, 'x'));
      QTRY_VERIFY_WITH_TIMEOUT(problem.has_value(), kTimeout);
    }
    QVERIFY(problem->what.find("train.yaml") != std::string::npos);
    QVERIFY(!saved);
    QCOMPARE(contentsOf(path), std::string("old: text\n"));
    session.save(path, "new: text\n");  // room again
    QTRY_VERIFY_WITH_TIMEOUT(saved, kTimeout);
  }

  void anotherProgramsChangeIsNoticed() {
    const TempDir dir;
    ClusterSession session(dir.path() / "drafts");
    const QString path = pathIn(dir, "train.yaml");
    writePlainly(path, "one\n");
    QSignalSpy opened(&session, &ClusterSession::opened);
    QSignalSpy changed(&session, &ClusterSession::changedOnDisk);
    session.open(path);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kTimeout);
    writePlainly(path, "two\n");
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kTimeout);
    // Editors save by renaming; that must be seen as well, and again afterwards.
    QVERIFY(writeFileAtomically(path.toStdString(), "three\n"));
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, kTimeout);
    QVERIFY(writeFileAtomically(path.toStdString(), "four\n"));
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 3, kTimeout);
  }

  void aSaveOfOursIsNoChange() {
    const TempDir dir;
    ClusterSession session(dir.path() / "drafts");
    const QString path = pathIn(dir, "train.yaml");
    QSignalSpy saved(&session, &ClusterSession::saved);
    QSignalSpy changed(&session, &ClusterSession::changedOnDisk);
    session.save(path, "one\n");
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kTimeout);
    session.save(path, "two\n");
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, kTimeout);
    QTest::qWait(600);  // longer than the look that follows an event
    QCOMPARE(changed.size(), 0);
  }

  void anotherProgramsTextIsNotOverwrittenUnasked() {
    const TempDir dir;
    ClusterSession session(dir.path() / "drafts");
    const QString path = pathIn(dir, "train.yaml");
    QSignalSpy saved(&session, &ClusterSession::saved);
    QSignalSpy failed(&session, &ClusterSession::failed);
    session.save(path, "mine\n");
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kTimeout);
    writePlainly(path, "theirs\n");
    session.save(path, "mine again\n");
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kTimeout);
    QCOMPARE(contentsOf(path), std::string("theirs\n"));
    session.save(path, "mine again\n");  // the user insists
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, kTimeout);
    QCOMPARE(contentsOf(path), std::string("mine again\n"));
  }

  void unsavedTextSurvivesTheWindow() {
    const TempDir dir;
    leaveDraft(dir, {"/home/me/train.yaml", "half: done\n"});
    ClusterSession session(dir.path());
    std::optional<Draft> draft;
    connect(&session, &ClusterSession::recovered, this, [&draft](const Draft& d) { draft = d; });
    session.recover();
    QTRY_VERIFY_WITH_TIMEOUT(draft.has_value(), kTimeout);
    QVERIFY(*draft == (Draft{"/home/me/train.yaml", "half: done\n"}));
    // It is still there for the next window, should this one die at once.
    leaveDraft(dir, *draft);
    ClusterSession next(dir.path());
    bool again = false;
    connect(&next, &ClusterSession::recovered, this, [&again] { again = true; });
    next.recover();
    QTRY_VERIFY_WITH_TIMEOUT(again, kTimeout);
  }

  void theDraftOfAnOpenWindowIsLeftAlone() {
    const TempDir dir;
    const pid_t other = ::fork();  // a window that is open
    if (other == 0) {
      const bool kept = DraftStore(dir.path()).keep({"", "text"}, 1).has_value();
      ::raise(kept ? SIGSTOP : SIGKILL);
      ::_exit(0);
    }
    ::waitpid(other, nullptr, WUNTRACED);
    const auto found = DraftStore(dir.path()).recover();
    ::kill(other, SIGKILL);
    const auto ofAZombie = DraftStore(dir.path()).recover();
    ::waitpid(other, nullptr, 0);
    QVERIFY(!found);
    QVERIFY(ofAZombie || DraftStore(dir.path()).recover());  // now it is gone
  }

  // Process ids come round again, machines start again, and a home folder can be that of several machines.
  void aWindowIsKnownByMoreThanItsProcessId() {
    const TempDir dir;
    QVERIFY(DraftStore(dir.path()).keep({"", "text"}, 1));
    const auto own = DraftStore(dir.path()).ownFile();
    const QStringList parts = QString::fromStdString(own.stem()).split(QLatin1Char('-'));
    QCOMPARE(parts.size(), 4);
    const auto isRecoveredAs = [&](int part, const QString& instead) {
      QStringList name = parts;
      name[part] = instead;
      const auto file = dir.path() / (name.join(QLatin1Char('-')) + QStringLiteral(".json")).toStdString();
      std::filesystem::rename(own, file);
      const bool isRecovered = DraftStore(dir.path()).recover().has_value();
      if (!isRecovered) std::filesystem::rename(file, own);
      return isRecovered;
    };
    QVERIFY(isRecoveredAs(3, QStringLiteral("1")));             // another process of this id
    QVERIFY(isRecoveredAs(1, QString(12, QLatin1Char('a'))));   // before the machine started again
    QVERIFY(isRecoveredAs(2, QStringLiteral("999999999")));     // no such process
    QVERIFY(!isRecoveredAs(0, QString(12, QLatin1Char('a'))));  // another machine's window
  }

  void windowsThatStartTogetherRecoverADraftOnce() {
    for (int round = 0; round < 20; ++round) {
      const TempDir dir;
      leaveDraft(dir, {"", "text"});
      QCOMPARE(recoveredByWindows(dir.path(), 8), 1);
    }
  }

  void savingEndsTheDraft() {
    const TempDir dir;
    ClusterSession session(dir.path());
    session.noteText("/x/train.yaml", "text\n", true);
    QVERIFY(session.flushDraft());
    const auto file = DraftStore(dir.path()).ownFile();
    QVERIFY(std::filesystem::exists(file));
    session.noteText("/x/train.yaml", "text\n", false);
    QTRY_VERIFY_WITH_TIMEOUT(!std::filesystem::exists(file), kTimeout);
  }

  void typingIsKeptByItself() {
    const TempDir dir;
    ClusterSession session(dir.path());
    session.noteText("", "a", true);
    session.noteText("", "ab", true);
    const auto file = DraftStore(dir.path()).ownFile();
    QTRY_VERIFY_WITH_TIMEOUT(
        contentsOf(QString::fromStdString(file.string())).find("\"ab\"") != std::string::npos, kTimeout);
  }

  void aLateWriteDoesNotUndoANewerOne() {
    const TempDir dir;
    const DraftStore store(dir.path());
    store.drop(2);
    QVERIFY(store.keep({"", "late"}, 1));
    QVERIFY(!std::filesystem::exists(DraftStore(dir.path()).ownFile()));
  }

  void brokenDraftsAreNoDrafts() {
    const TempDir dir;
    for (const char* text : {"", "{", "[]", "{\"path\":1,\"text\":2}", "null"}) {
      std::ofstream(dir.path() / "123456789.json") << text;
      QVERIFY(!DraftStore(dir.path()).recover());
    }
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::ClusterSessionTest)
#include "cluster_session_test.moc"

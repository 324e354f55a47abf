// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/profiles.h"

#include <QTest>
#include <fstream>

#include "app/desktop/runs/launch_cluster.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

std::string profileText(const std::string& name) {
  return "[" + name + "]\nuser=ocid1.user.oc1..a" + name +
         "\ntenancy=ocid1.tenancy.oc1..a\nfingerprint=aa:bb\n" + "key_file=/k.pem\nregion=us-ashburn-1\n";
}

}  // namespace

class ProfilesTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    for (const char* name : {"OCI_CONFIG_FILE", "OCI_CLI_CONFIG_FILE", "OCI_CLI_PROFILE"}) qunsetenv(name);
    qputenv("HOME", home_.path().c_str());
    std::filesystem::remove(config());
  }

  void withoutAFileThereIsNone() {
    const ProfileList list = readProfiles({config(), ""});
    QVERIFY(list.empty());
    QVERIFY(!list.problem);
  }

  void theUsualProfileIsTaken() {
    write(profileText("TEAM") + profileText("DEFAULT"));
    const ProfileList list = readProfiles({config(), ""});
    QCOMPARE(list.names, (std::vector<std::string>{"TEAM", "DEFAULT"}));
    QCOMPARE(list.chosen.profile, std::string("DEFAULT"));
    QCOMPARE(list.region, std::string("us-ashburn-1"));
    QVERIFY(!rehearsalOf(list.chosen));
  }

  void withoutItTheRehearsalRegionIsTaken() {
    write(profileText("TEAM") + profileText("REHEARSAL"));
    const ProfileList list = readProfiles({config(), ""});
    QCOMPARE(list.chosen.profile, std::string("REHEARSAL"));
    QVERIFY(rehearsalOf(list.chosen));
    write(profileText("TEAM"));
    QCOMPARE(readProfiles({config(), ""}).chosen.profile, std::string("TEAM"));
  }

  void aWantedProfileThatIsMissingIsAProblemNotAnotherProfile() {
    write(profileText("DEFAULT"));
    const ProfileList list = readProfiles({config(), "GONE"});
    QCOMPARE(list.chosen.profile, std::string("GONE"));
    QVERIFY(list.problem);
    QVERIFY(describe(*list.problem).find("GONE") != std::string::npos);
  }

  void aBrokenFileIsAProblem() {
    write("this is no config file\n");
    const ProfileList list = readProfiles({config(), ""});
    QVERIFY(list.problem);
    QVERIFY(describe(*list.problem).find(config()) != std::string::npos);
  }

 private:
  [[nodiscard]] std::string config() const { return (home_.path() / "config").string(); }
  void write(const std::string& text) const { std::ofstream(config(), std::ios::trunc) << text; }
  TempDir home_;
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::ProfilesTest)
#include "profiles_test.moc"

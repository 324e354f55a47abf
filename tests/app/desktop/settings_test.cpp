// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/settings.h"

#include <QTest>
#include <fstream>

#include "temp_dir.h"

namespace lockstep {

class SettingsTest : public QObject {
  Q_OBJECT
 private slots:
  void comeBackAsTheyWereSaved() {
    const TempDir dir;
    const auto file = dir.path() / "config" / "desktop.ini";
    Settings saved(file);
    saved.preferences = {"dark",
                         "de",
                         "/home/me/.oci/config",
                         "TEAM ä",
                         1024,
                         2048,
                         "critical",
                         "off",
                         "say \"$LOCKSTEP_TITLE\"",
                         "https://hooks.example.com/x"};
    saved.workspace = {QByteArray("\x00\x01geometry\xff", 11),
                       "docks",
                       "dash",
                       "design",
                       "runs",
                       "/home/me/train ü.yaml",
                       "run-1"};
    QVERIFY(saved.save());
    // An address of a webhook may be a secret.
    QVERIFY(std::filesystem::status(file).permissions() ==
            (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    Settings read(file);
    QVERIFY(!read.load());
    QVERIFY(read.preferences == saved.preferences);
    QVERIFY(read.workspace == saved.workspace);
  }

  void theRulesOfARunComeBack() {
    const TempDir dir;
    const auto file = dir.path() / "desktop.ini";
    Settings saved(file);
    const LineChoice own{true, {"keras"}, {"cost=\"(?<cost>\\S+)\", ü"}};
    saved.setLineChoice(RunId("a"), own);
    saved.setLineChoice(RunId("b"), {false, {}, {}});
    QVERIFY(saved.save());
    Settings read(file);
    QVERIFY(!read.load());
    QVERIFY(read.lineChoice(RunId("a")) == own);
    QVERIFY(!read.lineChoice(RunId("b")).isOn);
    QVERIFY(read.lineChoice(RunId("c")).isDefault());
    read.setLineChoice(RunId("a"), {});
    QVERIFY(read.lineChoice(RunId("a")).isDefault());
    QCOMPARE(read.workspace.lineChoices.size(), 2);
    for (int i = 0; i < 150; ++i) read.setLineChoice(RunId(std::to_string(i)), own);
    QCOMPARE(read.workspace.lineChoices.size(), 200);
    QVERIFY(read.lineChoice(RunId("149")) == own && read.lineChoice(RunId("b")).isOn);
  }

  void areTheDefaultsWithoutAFile() {
    const TempDir dir;
    Settings settings(dir.path() / "desktop.ini");
    QVERIFY(!settings.load());
    QVERIFY(settings.preferences == Preferences());
    QVERIFY(settings.workspace == WorkspaceState());
    QVERIFY(!std::filesystem::exists(dir.path() / "desktop.ini"));  // reading writes nothing
  }

  void nonsenseInTheFileIsTheDefault() {
    const TempDir dir;
    const auto file = dir.path() / "desktop.ini";
    std::ofstream(file) << "[preferences]\ntheme=purple\n[workspace\n\x01\x02";
    Settings settings(file);
    settings.load();
    QCOMPARE(settings.preferences.theme, "system");
  }

  void sizesThatMakeNoSenseAreTheNearestOnesThatDo() {
    const TempDir dir;
    const auto file = dir.path() / "desktop.ini";
    const auto read = [&](const std::string& value) {
      std::ofstream(file) << "[preferences]\nsampleMemoryMb=" << value << "\nkeptLogMb=" << value << "\n";
      Settings settings(file);
      settings.load();
      return std::pair(settings.preferences.sampleMemoryMb, settings.preferences.keptLogMb);
    };
    QCOMPARE(read("100"), std::pair(100, 100));
    QCOMPARE(read("-5"), std::pair(64, 64));
    QCOMPARE(read("2000000"), std::pair(65'536, 65'536));
    QCOMPARE(Preferences().keptLogMb, 512);
  }

  void aDamagedFileIsTold() {
    const TempDir dir;
    const auto file = dir.path() / "desktop.ini";
    for (const std::string& text : {std::string("\x7f"
                                                "ELF\x02\x01\x01\0\0\0",
                                                10),
                                    std::string("no settings at all\n")}) {
      std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
      Settings settings(file);
      const auto problem = settings.load();
      QVERIFY(problem);
      QVERIFY(problem->what.find("desktop.ini") != std::string::npos);
      QVERIFY(settings.preferences == Preferences());
      QVERIFY(settings.save());
      QVERIFY2(!Settings(file).load(), "written anew, it is sound again");
    }
  }

  void aFileThatCannotBeWrittenIsAFailure() {
    const TempDir dir;
    std::ofstream(dir.path() / "config") << "a file where the folder should be";
    Settings settings(dir.path() / "config" / "desktop.ini");
    const auto saved = settings.save();
    QVERIFY(!saved);
    QVERIFY(saved.error().what.find("desktop.ini") != std::string::npos);
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::SettingsTest)
#include "settings_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/designer_controller.h"

#include <unistd.h>

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>
#include <fstream>

#include "app/desktop/designer/starter_project.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "starter/starter.h"
#include "temp_dir.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/cluster/yaml/yaml_editor.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/text_difference_view.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 30'000;

QPushButton* buttonOf(QWidget* widget, const QString& text) {
  for (QPushButton* button : widget->findChildren<QPushButton*>()) {
    if (button->text() == text && !button->isHidden()) return button;
  }
  return nullptr;
}

QString pathText(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

class DesignerControllerTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    home_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", home_->path().c_str());
    window_ = std::make_unique<MainWindow>();
    controller_ = std::make_unique<DesignerController>(window_.get(), home_->path() / "drafts");
  }

  void cleanup() {
    controller_.reset();
    window_.reset();
    home_.reset();
  }

  void theFirstStartBringsTheStarterProject() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    QCOMPARE(page()->cluster()->text(), starterText());
    QVERIFY(!starterText().empty());
    QVERIFY(!hasErrors(page()->cluster()->document().issues()));
    QCOMPARE(controller_->file(), pathText(userDataDir() / "projects/cifar-ddp/train.yaml"));
    QVERIFY(!page()->cluster()->isDirty());
  }

  void theUsersChangesToTheStarterStay() {
    const auto file = ensureStarterProject(userDataDir());
    QVERIFY(file);
    std::ofstream(*file) << "kind: mine\n";
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    QCOMPARE(page()->cluster()->text(), std::string("kind: mine\n"));
  }

  void aFailedSaveSaysSoAndKeepsTheTextUnsaved() {
    const auto file = home_->path() / "folder" / "train.yaml";
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "kind: distributed\n";
    controller_->restore(pathText(file), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    type("kind: other\n");
    // A file where the folder was: nobody, not even root, can write below it.
    std::filesystem::remove_all(file.parent_path());
    std::ofstream(file.parent_path()) << "";
    save();
    QTRY_VERIFY_WITH_TIMEOUT(page()->messageBar()->hasMessage(), kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(page()->messageBar()->plainText().contains("train.yaml"), kTimeout);
    QVERIFY(page()->cluster()->isDirty());
    QCOMPARE(page()->cluster()->text(), std::string("kind: other\n"));
  }

  void savingMakesTheTextClean() {
    const auto file = home_->path() / "train.yaml";
    std::ofstream(file) << "kind: distributed\n";
    controller_->restore(pathText(file), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    type("kind: other\n");
    QVERIFY(page()->cluster()->isDirty());
    save();
    QTRY_VERIFY_WITH_TIMEOUT(!page()->cluster()->isDirty(), kTimeout);
    QCOMPARE(readFile(file).value_or(""), std::string("kind: other\n"));
  }

  void aDraftComesBackAsAnEditOfItsFile() {
    const auto file = home_->path() / "train.yaml";
    std::ofstream(file) << "kind: distributed\n";
    const DraftStore drafts(home_->path() / "drafts");
    QVERIFY(drafts.keep({file.string(), "kind: draft\r\n"}, 1));
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    QCOMPARE(page()->cluster()->text(), std::string("kind: draft\r\n"));
    QVERIFY(page()->cluster()->isDirty());
    QVERIFY(buttonOf(page()->messageBar(), "Save"));
    QVERIFY(controller_->flushDraft());
    QVERIFY(std::filesystem::exists(DraftStore(home_->path() / "drafts").ownFile()));
    buttonOf(page()->messageBar(), "Discard the changes")->click();
    QCOMPARE(page()->cluster()->text(), std::string("kind: distributed\n"));
    QVERIFY(!page()->cluster()->isDirty());
  }

  void aDraftOfAFileThatIsGoneIsUnsavedText() {
    const DraftStore drafts(home_->path() / "drafts");
    QVERIFY(drafts.keep({"/nowhere/train.yaml", "kind: draft\n"}, 1));
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    QCOMPARE(page()->cluster()->text(), std::string("kind: draft\n"));
    QVERIFY(page()->cluster()->isDirty());
    QVERIFY(page()->cluster()->path().isEmpty());
  }

  void anEditIsKeptWhenTheWindowCloses() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    type("kind: edited\n");
    QVERIFY(controller_->flushDraft());
    const auto kept = readFile(DraftStore(home_->path() / "drafts").ownFile());
    QVERIFY(kept && kept->find("kind: edited") != std::string::npos);
  }

  void aNewClusterDoesNotDropUnsavedWork() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    type("kind: edited\n");
    emit page()->newRequested();
    QCOMPARE(page()->cluster()->text(), std::string("kind: edited\n"));
    buttonOf(page()->messageBar(), "Go on without saving")->click();
    QCOMPARE(page()->cluster()->text(), starterText());
    QVERIFY(page()->cluster()->path().isEmpty());
  }

  void aDroppedFileIsOpenedUnlessWorkWouldBeLost() {
    const auto first = home_->path() / "train.yaml";
    const auto other = home_->path() / "other.yml";
    std::ofstream(first) << "kind: distributed\n";
    std::ofstream(other) << "kind: other\n";
    controller_->restore(pathText(first), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    window_->showPage(Page::Runs);
    QVERIFY(!drop(home_->path() / "picture.png"));
    QVERIFY(drop(other));
    QTRY_COMPARE_WITH_TIMEOUT(controller_->file(), pathText(other), kTimeout);
    QCOMPARE(window_->page(), Page::Clusters);
    type("kind: edited\n");
    QVERIFY(drop(first));
    QCOMPARE(page()->cluster()->text(), std::string("kind: edited\n"));
    buttonOf(page()->messageBar(), "Go on without saving")->click();
    QTRY_COMPARE_WITH_TIMEOUT(controller_->file(), pathText(first), kTimeout);
  }

  void aFileThatIsDroppedOnTheEditorIsOpenedNotTypedIn() {
    QSignalSpy opened(window_.get(), &MainWindow::fileDropped);
    const std::string before = page()->cluster()->text();
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/train.yaml"))});
    file.setText(QStringLiteral("file:///tmp/train.yaml"));
    QWidget* editor = page()->editor()->viewport();
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(editor, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(editor, &dropped);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(page()->cluster()->text(), before);
  }

  void aFolderThatIsDroppedIsOfferedAsARun() {
    QSignalSpy folders(window_.get(), &MainWindow::runDropped);
    QSignalSpy files(window_.get(), &MainWindow::fileDropped);
    QVERIFY(drop(home_->path()));
    QCOMPARE(folders.size(), 1);
    QCOMPARE(folders[0][0].toString(), pathText(home_->path()));
    QCOMPARE(files.size(), 0);
    QVERIFY(!drop(home_->path() / "no-such-folder"));
    QCOMPARE(folders.size(), 1);
  }

  void theWindowIsNamedAfterTheFile() {
    const auto file = home_->path() / "train.yaml";
    std::ofstream(file) << "kind: distributed\n";
    controller_->restore(pathText(file), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    QVERIFY(window_->windowTitle().startsWith("train.yaml"));
    QVERIFY(!window_->isWindowModified());
    type("kind: other\n");
    QVERIFY(window_->isWindowModified());
  }

  void aTemplateIsAnUnsavedClusterAndCanBeWrittenWhole() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    emit page()->templateRequested("dask");
    QCOMPARE(page()->cluster()->text(), std::string(findStarter("dask")->files.front().content));
    QVERIFY(page()->cluster()->path().isEmpty());
    QVERIFY(!page()->cluster()->isDirty());
    QVERIFY(buttonOf(page()->messageBar(), "Write the whole project …"));
    const auto folder = home_->path() / "project";
    controller_->templates().writeProject("dask", pathText(folder));
    QTRY_COMPARE_WITH_TIMEOUT(controller_->file(), pathText(folder / "train.yaml"), kTimeout);
    QVERIFY(std::filesystem::exists(folder / "gridsearch.py"));
    // A second time there is something in the way, and that is said.
    controller_->templates().writeProject("dask", pathText(folder));
    QTRY_VERIFY_WITH_TIMEOUT(page()->messageBar()->plainText().contains("exists"), kTimeout);
  }

  void aTemplateDoesNotDropUnsavedWork() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    type("kind: edited\n");
    emit page()->templateRequested("ray");
    QCOMPARE(page()->cluster()->text(), std::string("kind: edited\n"));
    buttonOf(page()->messageBar(), "Go on without saving")->click();
    QCOMPARE(page()->cluster()->text(), std::string(findStarter("ray")->files.front().content));
  }

  void anExportIsWrittenAndNeverOverUnlessAsked() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    const auto folder = home_->path() / "out";
    QSignalSpy finished(&controller_->exporter(), &DesignerExport::finished);
    const auto exportOnce = [&] {
      controller_->exporter().exportTo(ExportTarget::TrainYaml, pathText(folder), false);
    };
    exportOnce();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kTimeout);
    QVERIFY2(finished[0][0].toBool(), qPrintable(page()->messageBar()->plainText()));
    QVERIFY(buttonOf(page()->messageBar(), "Open the folder"));
    std::filesystem::path written;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) written = entry.path();
    std::ofstream(written) << "mine\n";
    exportOnce();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, kTimeout);
    QVERIFY(!finished[1][0].toBool());
    QCOMPARE(readFile(written).value_or(""), std::string("mine\n"));
    QVERIFY(buttonOf(page()->messageBar(), "Overwrite"));
    buttonOf(page()->messageBar(), "Overwrite")->click();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 3, kTimeout);
    QVERIFY(finished[2][0].toBool());
    QVERIFY(readFile(written).value_or("") != "mine\n");
  }

  void anExportThatCannotBeNamesTheField() {
    const auto file = home_->path() / "train.yaml";
    std::ofstream(file) << "kind: distributed\n";
    controller_->restore(pathText(file), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    QSignalSpy finished(&controller_->exporter(), &DesignerExport::finished);
    controller_->exporter().exportTo(ExportTarget::Compose, pathText(home_->path() / "out"), false);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kTimeout);
    QVERIFY(!finished[0][0].toBool());
    QVERIFY(page()->messageBar()->hasMessage());
    QVERIFY(!std::filesystem::exists(home_->path() / "out"));
  }

  void whatAnotherProgramWroteIsShownBesideOurs() {
    const auto file = home_->path() / "train.yaml";
    std::ofstream(file) << "kind: distributed\nspec: {}\n";
    controller_->restore(pathText(file), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    std::ofstream(file) << "kind: distributed\nspec: {a: 1}\n";
    QTRY_VERIFY_WITH_TIMEOUT(page()->messageBar()->hasMessage(), kTimeout);
    emit page()->differenceRequested();
    QTRY_VERIFY_WITH_TIMEOUT(page()->difference()->summary().contains("1"), kTimeout);
    QCOMPARE(page()->cluster()->text(), std::string("kind: distributed\nspec: {}\n"));
  }

  void aPriceTableThatCannotBeReadIsSaid() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    const auto file = home_->path() / "prices.json";
    std::ofstream(file) << "{\"currency\": 7}\n";
    controller_->loadPriceTable(file);
    QTRY_VERIFY_WITH_TIMEOUT(page()->messageBar()->plainText().contains("prices.json"), kTimeout);
    page()->messageBar()->clear();
    controller_->loadPriceTable(home_->path() / "none.json");  // no such file: the built-in table
    QTest::qWait(200);
    QVERIFY(!page()->messageBar()->hasMessage());
  }

  void aClusterWithErrorsIsNotLaunched() {
    const auto file = home_->path() / "train.yaml";
    std::ofstream(file) << "kind: distributed\n";
    controller_->restore(pathText(file), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    controller_->setProfileSource([] { return oci::ProfileQuery{"/nowhere/config", "TEAM"}; });
    QSignalSpy ended(controller_.get(), &DesignerController::launchEnded);
    controller_->launch();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    QCOMPARE(ended[0][0].toBool(), false);
    QVERIFY(page()->messageBar()->plainText().contains("cannot be launched"));
  }

  void aLaunchWithoutAProfileNamesTheConfigFile() {
    controller_->restore({}, false, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    controller_->setProfileSource([] { return oci::ProfileQuery{"/nowhere/config", "TEAM"}; });
    QSignalSpy ended(controller_.get(), &DesignerController::launchEnded);
    controller_->launch();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    QVERIFY2(page()->messageBar()->plainText().contains("/nowhere/config"),
             qPrintable(page()->messageBar()->plainText()));
  }

  void aRehearsalOfAStarterAsksForItsScriptAndNotForOcids() {
    const Starter* starter = findStarter("pytorch");
    QVERIFY(starter != nullptr);
    QVERIFY(writeStarter(*starter, home_->path() / "demo"));
    std::filesystem::remove(home_->path() / "demo" / "train.py");
    controller_->restore(pathText(home_->path() / "demo" / "train.yaml"), true, false);
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    const std::string config = (home_->path() / "config").string();
    controller_->setProfileSource([config] { return oci::ProfileQuery{config, "REHEARSAL"}; });
    QSignalSpy ended(controller_.get(), &DesignerController::launchEnded);
    controller_->launch();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    QCOMPARE(ended[0][0].toBool(), false);
    const QString said = page()->messageBar()->plainText();
    QVERIFY2(said.contains("'train.py' does not exist"), qPrintable(said));
    QVERIFY2(!std::filesystem::exists(userDataDir() / "rehearsal"), "a region was started for nothing");
  }

 private:
  /// Whether the window takes the file.
  bool drop(const std::filesystem::path& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(pathText(file))});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(window_.get(), &enter);
    QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &dropped);
    return enter.isAccepted();
  }

  [[nodiscard]] DesignerPage* page() const { return window_->designerPage(); }
  void type(const std::string& text) {
    const auto replaced =
        page()->cluster()->edit("typing", {}, {[&text](const ClusterDocument& document) -> Result<TextEdit> {
                                  return TextEdit{0, document.text(), text};
                                }});
    QVERIFY(replaced);
  }
  void save() { emit page()->saveRequested(); }

  std::unique_ptr<TempDir> home_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<DesignerController> controller_;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::DesignerControllerTest)
#include "designer_controller_test.moc"

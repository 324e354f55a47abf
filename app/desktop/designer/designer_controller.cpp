// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/designer_controller.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <utility>

#include "app/desktop/designer/starter_project.h"
#include "app/desktop/runs/launch_cluster.h"
#include "app/desktop/runs/launch_progress_text.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "setup/step/setup_facts.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

QString folderOf(const QString& file) {
  return file.isEmpty() ? toQString(homeDir().string()) : QFileInfo(file).absolutePath();
}

}  // namespace

DesignerController::DesignerController(MainWindow* window, std::filesystem::path draftFolder, QObject* parent)
    : QObject(parent),
      window_(window),
      page_(window->designerPage()),
      session_(std::move(draftFolder)),
      export_(page_),
      templates_(page_),
      resources_(page_) {
  connectPage();
  connectSession();
}

DesignerController::~DesignerController() = default;

void DesignerController::connectPage() {
  connect(page_, &DesignerPage::newRequested, this, &DesignerController::newCluster);
  connect(page_, &DesignerPage::openRequested, this, &DesignerController::chooseFile);
  connect(window_, &MainWindow::fileDropped, this, &DesignerController::openDropped);
  connect(page_, &DesignerPage::saveRequested, this, &DesignerController::save);
  connect(page_, &DesignerPage::saveAsRequested, this, &DesignerController::saveAs);
  connect(page_, &DesignerPage::launchRequested, this, &DesignerController::launch);
  connect(page_, &DesignerPage::reloadRequested, this, [this] { session_.open(session_.path()); });
  connect(page_, &DesignerPage::differenceRequested, this, &DesignerController::showDifference);
  connect(page_, &DesignerPage::templateRequested, this, &DesignerController::newFromTemplate);
  connect(&templates_, &DesignerTemplates::written, this,
          [this](const QString& file) { leaveDocument([this, file] { session_.open(file); }); });
  connect(page_->cluster(), &EditableCluster::pathChanged, this, &DesignerController::refreshTitle);
  connect(page_->cluster(), &EditableCluster::dirtyChanged, this, &DesignerController::refreshTitle);
  connect(page_, &DesignerPage::cancelLaunchRequested, this, &DesignerController::cancelLaunch);
  connect(&launchTask_, &BackgroundTask::failed, this,
          [this](const Error& error) { finishLaunch(failure(error)); });
  connect(page_->cluster(), &EditableCluster::pathChanged, this, &DesignerController::fileChanged);
  connect(page_->cluster(), &EditableCluster::textChanged, this, &DesignerController::noteText);
  connect(page_->cluster(), &EditableCluster::dirtyChanged, this, &DesignerController::noteText);
}

void DesignerController::connectSession() {
  connect(&session_, &ClusterSession::opened, this, [this](const QString& path, const std::string& text) {
    showDocument(path, text);
    emit fileShown();
  });
  connect(&session_, &ClusterSession::saved, this, [this](const QString& path, const std::string& text) {
    // What was typed while the file was written is not in it.
    if (page_->cluster()->text() == text) page_->setSaved(path);
    window_->showNote(tr("Saved %1").arg(path));
    if (const auto go = std::exchange(afterSave_, {})) go();
  });
  connect(&session_, &ClusterSession::failed, this, [this](const Error& error) {
    afterSave_ = {};
    page_->showError(error);
    if (!loaded_) openStarter();
  });
  connect(&session_, &ClusterSession::changedOnDisk, page_, &DesignerPage::showFileChangedOnDisk);
  connect(&session_, &ClusterSession::recovered, this, &DesignerController::showDraft);
  connect(&session_, &ClusterSession::nothingToRecover, this, [this] {
    if (fallbackFile_.isEmpty()) return openStarter();
    session_.open(fallbackFile_);
  });
}

void DesignerController::restore(const QString& file, bool isAsked, bool isReadOnly) {
  fallbackFile_ = file;
  isReadOnly_ = isReadOnly;
  // A draft stays where it is while another file is asked for.
  if (!isAsked && !isReadOnly) return session_.recover();
  if (file.isEmpty()) return openStarter();
  session_.open(file);
}

void DesignerController::open(const QString& file) {
  session_.open(file);
}

void DesignerController::openStarter() {
  if (isReadOnly_) return showDocument(QString(), starterText());
  starterTask_.start([](const std::stop_token&) { return ensureStarterProject(userDataDir()); },
                     [this](const Result<std::filesystem::path>& file) {
                       if (file) return session_.open(toQString(file->string()));
                       showDocument(QString(), starterText());
                       page_->showError(file.error());
                     });
}

void DesignerController::showDocument(const QString& path, const std::string& text) {
  page_->setDocument(path, text);
  loaded_ = true;
  emit loaded();
}

void DesignerController::showDraft(const Draft& draft) {
  // The file's text first, then the draft as an edit: undo leads back to what is on disk.
  const QString path = toQString(draft.path);
  starterTask_.start([path = draft.path](const std::stop_token&) { return readFile(path); },
                     [this, path, draft](const Result<std::string>& onDisk) {
                       page_->setDocument(onDisk ? path : QString(), onDisk ? *onDisk : std::string());
                       if (onDisk) session_.adopt(path, *onDisk);
                       const auto toDraft = [&draft](const ClusterDocument& document) -> Result<TextEdit> {
                         return TextEdit{0, document.text(), draft.text};
                       };
                       const auto put = page_->cluster()->edit(tr("unsaved changes"), {}, {toDraft});
                       offerDraft();
                       if (!put) page_->showError(put.error());
                     });
}

void DesignerController::offerDraft() {
  loaded_ = true;
  emit loaded();
  if (!page_->cluster()->isDirty()) return;  // it had been saved after all
  page_->showMessage(
      Severity::Info, tr("Unsaved changes are back"),
      tr("The window closed before they were saved. Undo leads back to the text of the file."));
  QPushButton* save = page_->messageBar()->addButton(tr("Save"));
  QPushButton* discard = page_->messageBar()->addButton(tr("Discard the changes"));
  connect(save, &QPushButton::clicked, this, &DesignerController::save);
  connect(discard, &QPushButton::clicked, this, [this] {
    page_->messageBar()->clear();
    page_->cluster()->undoStack()->setIndex(0);
  });
}

void DesignerController::leaveDocument(const std::function<void()>& go) {
  if (!page_->cluster()->isDirty()) return go();
  page_->showMessage(Severity::Warning, tr("This cluster has unsaved changes"),
                     tr("Save them first, or go on without them."));
  QPushButton* save = page_->messageBar()->addButton(tr("Save"));
  QPushButton* drop = page_->messageBar()->addButton(tr("Go on without saving"));
  connect(save, &QPushButton::clicked, this, [this, go] {
    page_->messageBar()->clear();
    afterSave_ = go;
    this->save();
  });
  connect(drop, &QPushButton::clicked, this, [this, go] {
    page_->messageBar()->clear();
    go();
  });
}

void DesignerController::newCluster() {
  leaveDocument([this] {
    session_.forgetFile();
    showDocument(QString(), starterText());
    emit templateShown();
  });
}

void DesignerController::newFromTemplate(const QString& name) {
  const Starter* starter = findStarter(toStdString(name));
  if (starter == nullptr) return;
  leaveDocument([this, starter, name] {
    session_.forgetFile();
    showDocument(QString(), std::string(starter->files.front().content));
    templates_.offerProject(name);
    emit templateShown();
  });
}

void DesignerController::refreshTitle() {
  const EditableCluster& cluster = *page_->cluster();
  const QString name = cluster.path().isEmpty() ? tr("new cluster") : QFileInfo(cluster.path()).fileName();
  window_->setDocumentTitle(name, cluster.isDirty());
}

void DesignerController::showDifference() {
  const QString path = session_.path();
  if (path.isEmpty()) return;
  differenceTask_.start(
      [file = std::filesystem::path(toStdString(path))](const std::stop_token&) { return readFile(file); },
      [this, path](const Result<std::string>& onDisk) {
        if (!onDisk) return page_->showError(onDisk.error());
        page_->showDifference(toQString(*onDisk), tr("%1 on disk").arg(QFileInfo(path).fileName()),
                              page_->text(), tr("here"));
      });
}

void DesignerController::useFacts(const std::map<std::string, std::string>& facts) {
  const std::string before = page_->cluster()->text();
  const auto fill = [&facts](const ClusterDocument& document) -> Result<TextEdit> {
    const auto filled = withFacts(document, facts);
    if (!filled) return failure(filled.error());
    return TextEdit{0, document.text(), filled->text()};
  };
  const auto done = page_->cluster()->edit(tr("use what the set-up found"), {}, {fill});
  window_->showPage(Page::Clusters);
  if (!done) return page_->showError(done.error());
  const bool isNew = page_->cluster()->text() != before;
  page_->showMessage(Severity::Info,
                     isNew ? tr("The cluster has what the set-up found")
                           : tr("The cluster had all that the set-up found already"),
                     isNew ? tr("Undo takes it back.") : QString());
}

void DesignerController::setProfileSource(std::function<oci::ProfileQuery()> query) {
  query_ = std::move(query);
  resources_.setProfileSource(query_);
}

void DesignerController::loadPriceTable(const std::filesystem::path& file) {
  priceTask_.start([file](const std::stop_token&) { return loadPrices(file); },
                   [this](const Result<PriceTable>& prices) {
                     if (prices) return page_->setPrices(*prices);
                     page_->showError(prices.error());
                   });
}

void DesignerController::chooseFile() {
  leaveDocument([this] { chooseFileNow(); });
}

void DesignerController::openDropped(const QString& file) {
  window_->showPage(Page::Clusters);
  leaveDocument([this, file] { session_.open(file); });
}

void DesignerController::chooseFileNow() {
  const QString file =
      QFileDialog::getOpenFileName(window_, tr("Open a train.yaml"), folderOf(session_.path()),
                                   tr("Cluster files (*.yaml *.yml);;All files (*)"));
  if (!file.isEmpty()) session_.open(file);
}

void DesignerController::save() {
  const QString path = page_->cluster()->path();
  if (path.isEmpty()) return saveAs();
  session_.save(path, page_->cluster()->text());
}

void DesignerController::saveAs() {
  const QString suggested = folderOf(session_.path()) + QStringLiteral("/train.yaml");
  const QString file = QFileDialog::getSaveFileName(window_, tr("Save the cluster"), suggested,
                                                    tr("Cluster files (*.yaml *.yml);;All files (*)"));
  if (file.isEmpty()) return afterSave_ = {}, void();
  session_.save(file, page_->cluster()->text());
}

void DesignerController::noteText() {
  if (isReadOnly_ || !loaded_) return;
  const EditableCluster& cluster = *page_->cluster();
  session_.noteText(cluster.path(), cluster.text(), cluster.isDirty());
}

Result<void> DesignerController::flushDraft() {
  return isReadOnly_ ? Result<void>() : session_.flushDraft();
}

void DesignerController::launch() {
  if (isLaunching()) return;
  const LaunchAsk ask{page_->cluster()->text(), toStdString(page_->cluster()->path()), query_()};
  page_->messageBar()->clear();
  page_->setLaunching(true);
  launchStop_ = {};
  launchTask_.run([this, ask, asked = launchStop_](const std::stop_token& stop,
                                                   const BackgroundTask::Post& post) mutable {
    // The user's "cancel" must not drop the answer: it says what was taken back.
    const std::stop_callback both(stop, [&asked] { asked.request_stop(); });
    const auto progress = [this, &post](const LaunchProgress& p) {
      post([this, p] { page_->setLaunching(true, p.done, p.total, launchProgressText(p)); });
    };
    auto run = launchCluster(ask, progress, asked.get_token());
    post([this, run = std::move(run)] { finishLaunch(run); });
  });
}

void DesignerController::cancelLaunch() {
  launchStop_.request_stop();
  page_->setLaunching(true, 0, 0, tr("taking back what was created …"));
}

void DesignerController::finishLaunch(const Result<TrainingRun>& run) {
  page_->setLaunching(false);
  if (run) {
    emit launched(*run);
  } else {
    page_->showError(run.error());
    emit launchRefused(run.error());
  }
  emit launchEnded(run.has_value());
}

}  // namespace lockstep

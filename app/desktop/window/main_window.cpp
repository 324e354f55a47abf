// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUrl>
#include <QVBoxLayout>

#include "base/version.h"
#include "widgets/activity/calls_panel.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/access/accessible_role.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/comparison/comparison_page.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"
#include "widgets/setup/setup_page.h"

// Outside of any namespace, as the macro wants it: the library is static.
static void initResources() {
  Q_INIT_RESOURCE(desktop);
}

namespace lockstep {
namespace {

constexpr int kSidebarWidth = 150;
constexpr int kSidebarRowHeight = 42;
constexpr int kNoteMs = 8000;

const std::pair<Page, const char*> kPageNames[] = {{Page::Setup, "setup"},
                                                   {Page::Clusters, "clusters"},
                                                   {Page::Runs, "runs"},
                                                   {Page::Run, "run"},
                                                   {Page::Comparison, "comparison"}};

/// The first file of this machine that can be a train.yaml; empty: none.
QString trainFileIn(const QMimeData& data) {
  for (const QUrl& url : data.urls()) {
    const QString file = url.toLocalFile();
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QLatin1String("yaml") || suffix == QLatin1String("yml")) return file;
  }
  return {};
}

/// The first file of a run on this machine; empty: none.
QString runFileIn(const QMimeData& data) {
  for (const QUrl& url : data.urls()) {
    const QString file = url.toLocalFile();
    if (QFileInfo(file).suffix().toLower() == QLatin1String("lockstep") && !QFileInfo(file).isDir())
      return file;
  }
  return {};
}

/// The first folder of this machine; empty: none.
QString folderIn(const QMimeData& data) {
  for (const QUrl& url : data.urls()) {
    const QString folder = url.toLocalFile();
    if (!folder.isEmpty() && QFileInfo(folder).isDir()) return folder;
  }
  return {};
}

/// Where a run is that can be opened: a file, else a folder.
QString runIn(const QMimeData& data) {
  const QString file = runFileIn(data);
  return file.isEmpty() ? folderIn(data) : file;
}

}  // namespace

QString nameOf(Page page) {
  return QLatin1String(kPageNames[static_cast<int>(page)].second);
}

Page pageNamed(const QString& name) {
  for (const auto& [page, known] : kPageNames) {
    if (name == QLatin1String(known)) return page;
  }
  return Page::Clusters;
}

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  initResources();
  installAccess(*qApp);
  setDocumentTitle({}, false);
  setAcceptDrops(true);
  setWindowIcon(QIcon(QStringLiteral(":/lockstep/lockstep.svg")));
  resize(1280, 800);
  createPages();
  createSidebar();
  createActivity();
  createFileMenu();
  createEditMenu();
  createViewMenu();
  createSetupMenu();
  createHelpMenu();
  createStatusBar();

  auto* column = new QVBoxLayout;
  column->setSpacing(0);
  auto* bannerRow = new QVBoxLayout;
  bannerRow->setContentsMargins(16, 8, 16, 0);
  bannerRow->addWidget(banner_);
  column->addLayout(bannerRow);
  column->addWidget(stack_, 1);
  auto* central = new QWidget(this);
  auto* layout = new QHBoxLayout(central);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(sidebar_);
  layout->addLayout(column, 1);
  setCentralWidget(central);
  showPage(Page::Clusters);
}

void MainWindow::createPages() {
  banner_ = new MessageBar(this);
  stack_ = new QStackedWidget(this);
  setup_ = new SetupPage(this);
  designer_ = new DesignerPage(this);
  runs_ = new RunsPage(this);
  run_ = new RunPage(this);
  comparison_ = new ComparisonPage(this);
  // In the order of enum Page.
  for (QWidget* page :
       {static_cast<QWidget*>(setup_), static_cast<QWidget*>(designer_), static_cast<QWidget*>(runs_),
        static_cast<QWidget*>(run_), static_cast<QWidget*>(comparison_)}) {
    stack_->addWidget(page);
  }
  connect(runs_, &RunsPage::designerRequested, this, [this] { showPage(Page::Clusters); });
  connect(run_, &RunPage::backRequested, this, [this] { showPage(Page::Runs); });
  connect(comparison_, &ComparisonPage::backRequested, this, [this] { showPage(Page::Runs); });
}

void MainWindow::createSidebar() {
  sidebar_ = new QListWidget(this);
  sidebar_->setFixedWidth(kSidebarWidth);
  sidebar_->setIconSize(QSize(20, 20));
  sidebar_->setAccessibleName(tr("Pages"));
  makeSidebar(sidebar_);
  const auto add = [this](const char* icon, const QString& text) {
    auto* item = new QListWidgetItem(themedIcon(QLatin1String(icon), IconColor::OnTint), text, sidebar_);
    item->setSizeHint(QSize(0, kSidebarRowHeight));
  };
  add("setup", tr("Setup"));
  add("clusters", tr("Clusters"));
  add("runs", tr("Runs"));
  connect(sidebar_, &QListWidget::currentRowChanged, this, [this](int row) {
    const bool staysInRuns =
        row == static_cast<int>(Page::Runs) && (page() == Page::Run || page() == Page::Comparison);
    if (row >= 0 && !staysInRuns) showPage(static_cast<Page>(row));
  });
  // A click on "Runs" while one run is open leads back to the list.
  connect(sidebar_, &QListWidget::itemClicked, this,
          [this](QListWidgetItem* item) { showPage(static_cast<Page>(sidebar_->row(item))); });
}

void MainWindow::createActivity() {
  activity_ = new QDockWidget(tr("Activity"), this);
  activity_->setObjectName(QStringLiteral("activity"));  // for saveState()
  activity_->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::RightDockWidgetArea);
  calls_ = new CallsPanel(activity_);
  activity_->setWidget(calls_);
  addDockWidget(Qt::BottomDockWidgetArea, activity_);
  activity_->hide();
  connect(activity_, &QDockWidget::visibilityChanged, this, &MainWindow::activityShown);
}

void MainWindow::createFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  // The designer's own actions: here they work from every page, and lead to it.
  for (QAction* action : designer_->fileActions() + QList<QAction*>{designer_->launchAction()}) {
    action->setShortcutContext(Qt::WindowShortcut);
    connect(action, &QAction::triggered, this, [this] { showPage(Page::Clusters); });
    if (action == designer_->launchAction()) {
      addDesignerMenus(menu);
      menu->addSeparator();
    }
    menu->addAction(action);
  }
  menu->addSeparator();
  QAction* quit = menu->addAction(themedIcon(QStringLiteral("close")), tr("&Quit"), this, &QWidget::close);
  quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));
}

void MainWindow::addDesignerMenus(QMenu* menu) {
  menu->addSeparator();
  for (QMenu* more : {designer_->templateMenu(), designer_->exportMenu()}) {
    menu->addMenu(more);
    connect(more, &QMenu::triggered, this, [this] { showPage(Page::Clusters); });
  }
}

void MainWindow::createEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  menu->addActions(designer_->editActions());
}

void MainWindow::createViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  const std::pair<QString, Page> pages[] = {
      {tr("&Setup"), Page::Setup}, {tr("&Clusters"), Page::Clusters}, {tr("&Runs"), Page::Runs}};
  for (const auto& [text, page] : pages) {
    QAction* action = menu->addAction(text, this, [this, page = page] { showPage(page); });
    action->setShortcut(QKeySequence(static_cast<int>(Qt::CTRL) | (Qt::Key_1 + static_cast<int>(page))));
  }
  menu->addSeparator();
  QAction* activity = activity_->toggleViewAction();
  activity->setText(tr("&Activity"));
  activity->setToolTip(tr("Every call of the services, with its status, duration and request id"));
  activity->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A));
  menu->addAction(activity);
  menu->addAction(tr("Be &told of findings …"), this, &MainWindow::tellingRequested);
  menu->addSeparator();
  QMenu* themeMenu = menu->addMenu(tr("&Theme"));
  themes_ = new QActionGroup(this);
  const std::pair<QString, ThemeMode> modes[] = {{tr("As the &system"), ThemeMode::System},
                                                 {tr("&Light"), ThemeMode::Light},
                                                 {tr("&Dark"), ThemeMode::Dark}};
  for (const auto& [text, mode] : modes) {
    QAction* action = themeMenu->addAction(text, this, [this, mode = mode] { emit themeChosen(mode); });
    action->setCheckable(true);
    action->setData(static_cast<int>(mode));
    themes_->addAction(action);
  }
}

void MainWindow::createSetupMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Setup"));
  menu->addActions({setup_->checkAction(), setup_->checkStepAction(), setup_->rehearsalAction()});
  menu->addSeparator();
  menu->addActions(setup_->moreActions());
}

void MainWindow::createHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  menu->addAction(themedIcon(QStringLiteral("info")), tr("&About Lockstep"), this, &MainWindow::showAbout);
}

void MainWindow::createStatusBar() {
  place_ = new PlainLabel(this);
  place_->setContentsMargins(0, 0, 10, 0);
  statusBar()->addPermanentWidget(place_);
  setPlace({}, {});
}

void MainWindow::showPage(Page page) {
  stack_->setCurrentIndex(static_cast<int>(page));
  sidebar_->setCurrentRow(
      static_cast<int>(page == Page::Run || page == Page::Comparison ? Page::Runs : page));
  emit pageShown(page);
}

Page MainWindow::page() const {
  return static_cast<Page>(stack_->currentIndex());
}

void MainWindow::setPlace(const QString& profile, const QString& region) {
  const QString text =
      profile.isEmpty() ? tr("No profile") : tr("Profile %1 · region %2").arg(profile, region);
  place_->setText(text);
}

void MainWindow::setDocumentTitle(const QString& name, bool isUnsaved) {
  const QString program = QStringLiteral("Lockstep");
  setWindowTitle(name.isEmpty() ? program + QStringLiteral("[*]")
                                : name + QStringLiteral("[*] – ") + program);
  setWindowModified(isUnsaved);
}

void MainWindow::showNote(const QString& text) {
  statusBar()->showMessage(text, kNoteMs);
}

void MainWindow::setThemeMode(ThemeMode mode) {
  for (QAction* action : themes_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(mode));
}

bool MainWindow::event(QEvent* event) {
  const bool handled = QMainWindow::event(event);
  if (event->type() == QEvent::Paint && !painted_) {
    painted_ = true;
    // Queued: what follows the first picture must not delay it.
    QMetaObject::invokeMethod(this, &MainWindow::firstPainted, Qt::QueuedConnection);
  }
  return handled;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  emit closing();
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QMimeData& dragged = *event->mimeData();
  if (!trainFileIn(dragged).isEmpty() || !runIn(dragged).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString file = trainFileIn(*event->mimeData());
  const QString run = file.isEmpty() ? runIn(*event->mimeData()) : QString();
  if (file.isEmpty() && run.isEmpty()) return;
  event->acceptProposedAction();
  if (file.isEmpty()) return emit runDropped(run);
  emit fileDropped(file);
}

void MainWindow::showAbout() {
  auto* about = new QDialog(this);
  about->setAttribute(Qt::WA_DeleteOnClose);
  about->setWindowTitle(tr("About Lockstep"));
  auto* title = new PlainLabel(QStringLiteral("Lockstep " LOCKSTEP_VERSION), about);
  makeHeading(title);
  auto* text =
      new PlainLabel(tr("Configure, launch and watch distributed training on Oracle Cloud Infrastructure.\n"
                        "Free software under the GNU General Public License, version 3 or later."),
                     about);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, about);
  connect(buttons, &QDialogButtonBox::rejected, about, &QDialog::close);
  auto* layout = new QVBoxLayout(about);
  for (QWidget* widget :
       {static_cast<QWidget*>(title), static_cast<QWidget*>(text), static_cast<QWidget*>(buttons)}) {
    layout->addWidget(widget);
  }
  about->show();
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/application.h"

#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QScreen>
#include <cstdlib>
#include <utility>

#include "app/desktop/designer/starter_project.h"
#include "app/desktop/telling/telling_dialog.h"
#include "base/user_dirs.h"
#include "diagnosis/findings/finding_catalogue.h"
#include "oci/calls/call_log.h"
#include "widgets/activity/calls_panel.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

constexpr int kSaveDelayMs = 500;

ThemeMode themeNamed(const QString& name) {
  if (name == QLatin1String("light")) return ThemeMode::Light;
  return name == QLatin1String("dark") ? ThemeMode::Dark : ThemeMode::System;
}

QString nameOf(ThemeMode mode) {
  switch (mode) {
    case ThemeMode::Light:
      return QStringLiteral("light");
    case ThemeMode::Dark:
      return QStringLiteral("dark");
    case ThemeMode::System:
      break;
  }
  return QStringLiteral("system");
}

}  // namespace

Application::Application(QApplication& application, DesktopOptions options)
    : application_(application), options_(std::move(options)), settings_(Settings::defaultPath()) {
  const auto unusable = settings_.load();
  if (!options_.configFile.isEmpty()) options_.configFile = QFileInfo(options_.configFile).absoluteFilePath();
  loadTranslations();
  const QString theme = options_.theme.isEmpty() ? settings_.preferences.theme : options_.theme;
  applyTheme(application_, themeNamed(theme));
  makeWindow();
  window_->setThemeMode(themeNamed(theme));
  if (unusable) window_->banner()->showError(*unusable, Severity::Warning);
  connectAll();
  connectActivity();
  restoreWindow();
  watchForStalls();
}

Application::~Application() {
  passPhrases_.reset();  // first: who still waits for a pass phrase must not keep its controller from ending
}

void Application::loadTranslations() {
  const QString wish = options_.language.isEmpty() ? settings_.preferences.language : options_.language;
  const QLocale locale = wish.isEmpty() ? QLocale::system() : QLocale(wish);
  QLocale::setDefault(locale);
  if (qtTexts_.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                    QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
    QApplication::installTranslator(&qtTexts_);
  }
  // Whatever the language: a text that is not translated has its English plural.
  if (plurals_.load(QStringLiteral(":/plurals/lockstep_en.qm"))) QApplication::installTranslator(&plurals_);
  if (ownTexts_.load(locale, QStringLiteral("lockstep"), QStringLiteral("_"), QStringLiteral(":/i18n"))) {
    QApplication::installTranslator(&ownTexts_);
  }
}

void Application::makeWindow() {
  // Closing the window during a launch hides it and lets the launch come to an end.
  QApplication::setQuitOnLastWindowClosed(false);
  window_ = std::make_unique<MainWindow>();
  const oci::ProfileQuery fromCommandLine{toStdString(options_.configFile), toStdString(options_.profile)};
  setup_ = std::make_unique<SetupController>(window_.get(), &settings_, fromCommandLine);
  designer_ = std::make_unique<DesignerController>(window_.get(), userDataDir() / "drafts");
  advice_ = std::make_unique<LaunchAdvice>(window_.get(), setup_.get());
  runs_ = std::make_unique<RunsController>(window_.get());
  remoteRuns_ = std::make_unique<RemoteRunsController>(window_.get());
  if (!options_.rendersOnly()) makeTelling();
  passPhrases_ = std::make_unique<PassPhraseDesk>(window_.get(), !options_.rendersOnly());
  setup_->setPassPhrases(passPhrases_->source());
  runs_->setPassPhrases(passPhrases_->source());
  remoteRuns_->setPassPhrases(passPhrases_->source());
  connect(passPhrases_.get(), &PassPhraseDesk::failed, this,
          [this](const Error& error) { window_->banner()->showError(error, Severity::Warning); });
  activity_ = std::make_unique<ActivityFeed>(oci::callLogFile());
  designer_->setProfileSource([this] { return setup_->query(); });
  runs_->setProfileSource([this] { return setup_->query(); });
  remoteRuns_->setProfileSource([this] { return setup_->query(); });
  runs_->setSampleMemory(static_cast<std::size_t>(settings_.preferences.sampleMemoryMb) << 20);
  runs_->setKeptLog(static_cast<std::uint64_t>(settings_.preferences.keptLogMb) << 20);
  runs_->setLineChoices({[this](const RunId& run) { return settings_.lineChoice(run); },
                         [this](const RunId& run, const LineChoice& choice) {
                           settings_.setLineChoice(run, choice);
                           saveSettingsSoon();
                         }});
  setup_->setReadOnly(options_.rendersOnly());
  setup_->setSpecSource([this]() -> std::optional<ClusterSpec> {
    const ClusterDocument& document = window_->designerPage()->cluster()->document();
    if (!designer_->isLoaded() || !document.isParsable()) return std::nullopt;
    return withoutStarterIds(document.spec());
  });
}

void Application::connectAll() {
  connect(window_.get(), &MainWindow::closing, this, &Application::close);
  connect(window_.get(), &MainWindow::themeChosen, this, &Application::chooseTheme);
  connect(window_.get(), &MainWindow::pageShown, this, [this](Page page) {
    if (page == Page::Runs) runs_->refresh();
    if (page == Page::Setup && setup_->isReady() && designer_->isLoaded()) setup_->look();
  });
  saveTimer_.setSingleShot(true);
  saveTimer_.setInterval(kSaveDelayMs);
  connect(&saveTimer_, &QTimer::timeout, this, &Application::saveSettings);
  connect(window_.get(), &MainWindow::pageShown, this, &Application::saveSettingsSoon);
  connect(setup_.get(), &SetupController::profileChanged, this, &Application::saveSettingsSoon);
  connect(setup_.get(), &SetupController::profileChanged, designer_.get(),
          &DesignerController::profileChanged);
  connect(setup_.get(), &SetupController::factsChosen, designer_.get(), &DesignerController::useFacts);
  connect(designer_.get(), &DesignerController::fileChanged, this, &Application::saveSettingsSoon);
  connect(designer_.get(), &DesignerController::launchRefused, advice_.get(), &LaunchAdvice::offerWayOut);
  connect(designer_.get(), &DesignerController::templateShown, advice_.get(), &LaunchAdvice::fillTemplate);
  connect(designer_.get(), &DesignerController::fileShown, advice_.get(), &LaunchAdvice::offerFilling);
  connect(window_.get(), &MainWindow::runDropped, this, [this](const QString& place) {
    window_->showPage(Page::Runs);  // what is wrong with it is said there
    runs_->open(place);
  });
  connect(remoteRuns_.get(), &RemoteRunsController::added, runs_.get(), &RunsController::refresh);
  connect(remoteRuns_.get(), &RemoteRunsController::openRequested, this,
          [this](const RunId& id) { runs_->open(toQString(id.value)); });
  connect(runs_.get(), &RunsController::opened, this, [this] { runDue_ = false; });
  connect(runs_.get(), &RunsController::notFound, this, [this] { runDue_ = false; });
  connect(runs_.get(), &RunsController::opened, this, &Application::saveSettingsSoon);
  connect(setup_.get(), &SetupController::ready, this, &Application::continueWhenReady);
  connect(designer_.get(), &DesignerController::loaded, this, &Application::continueWhenReady);
  connect(designer_.get(), &DesignerController::launched, this, [this](const TrainingRun& run) {
    window_->banner()->clear();
    runs_->show(run);
  });
  connect(runs_.get(), &RunsController::relaunchEnded, this, [this] {
    if (!window_->isVisible()) QApplication::quit();
  });
  connect(designer_.get(), &DesignerController::launchEnded, this, [this](bool launched) {
    if (!launched) runs_->refresh();  // what was left of it stands in the history
    if (!window_->isVisible()) QApplication::quit();
  });
}

void Application::connectActivity() {
  CallsPanel* panel = window_->callsPanel();
  connect(window_.get(), &MainWindow::activityShown, activity_.get(), &ActivityFeed::setRunning);
  connect(activity_.get(), &ActivityFeed::started, panel, &CallsPanel::clear);
  connect(activity_.get(), &ActivityFeed::called, panel, &CallsPanel::append);
  connect(activity_.get(), &ActivityFeed::failed, panel, &CallsPanel::showError);
}

void Application::restoreWindow() {
  const WorkspaceState& was = settings_.workspace;
  if (options_.rendersOnly()) {
    window_->resize(options_.size);
  } else {
    // On a small screen, or one whose letters are large, the usual size would reach beyond it.
    if (!window_->restoreGeometry(was.windowGeometry))
      window_->resize(window_->size().boundedTo(window_->screen()->availableSize()));
    window_->restoreState(was.windowState);
  }
  window_->designerPage()->restoreState(was.designerState);
  window_->runPage()->dashboard()->restoreState(was.dashboardState);
  Page page = pageNamed(options_.page.isEmpty() ? was.page : options_.page);
  // Where it cannot be opened, that is said on the page of the runs.
  if (options_.page.isEmpty() && !options_.run.isEmpty()) page = Page::Run;
  // An empty run page says nothing: the run is read first and then shown.
  window_->showPage(page == Page::Run || page == Page::Comparison ? Page::Runs : page);
  launchDue_ = !options_.launchFile.isEmpty();
  runDue_ =
      !launchDue_ && (page == Page::Run || !options_.run.isEmpty() || !options_.dashboardFile.isEmpty());
  if (launchDue_) window_->showPage(Page::Clusters);
}

void Application::start() {
  if (options_.rendersOnly()) {
    window_->ensurePolished();
    QMetaObject::invokeMethod(this, &Application::restoreContents, Qt::QueuedConnection);
    return;
  }
  connect(window_.get(), &MainWindow::firstPainted, this, &Application::restoreContents);
  window_->show();
}

QString Application::fileToOpen() const {
  for (const QString& file : {options_.launchFile, options_.openFile}) {
    if (!file.isEmpty()) return QFileInfo(file).absoluteFilePath();
  }
  return settings_.workspace.file;
}

void Application::restoreContents() {
  setup_->start(!options_.rendersOnly());
  designer_->loadPriceTable(userConfigDir() / "prices.json");
  const bool isAsked = !options_.launchFile.isEmpty() || !options_.openFile.isEmpty();
  designer_->restore(fileToOpen(), isAsked, options_.rendersOnly());
  runs_->refresh();
  const QString run = !options_.run.isEmpty() ? options_.run : settings_.workspace.openRun;
  if (runDue_) {
    runs_->open(run.isEmpty() ? QStringLiteral("last") : run, !options_.run.isEmpty());
  }
  emit started();
}

void Application::continueWhenReady() {
  if (!designer_->isLoaded()) return;
  restored_ = true;
  if (!setup_->isReady()) return;
  if (window_->page() == Page::Setup) setup_->look();
  if (!std::exchange(launchDue_, false)) return;
  designer_->launch();
}

void Application::chooseTheme(ThemeMode mode) {
  settings_.preferences.theme = nameOf(mode);
  applyTheme(application_, mode);
  window_->setThemeMode(mode);
  saveSettingsSoon();
}

namespace {

TellingChoice tellingOf(const Preferences& preferences) {
  TellingChoice choice;
  choice.least = findingSeverityNamed(toStdString(preferences.tellFrom)).value_or(FindingSeverity::Warning);
  choice.notifies = preferences.notifications != QLatin1String("off");
  choice.targets = {toStdString(preferences.tellCommand), toStdString(preferences.tellWebhook)};
  return choice;
}

}  // namespace

void Application::makeTelling() {
  telling_ = std::make_unique<TellingController>(std::make_unique<DesktopNotifier>(),
                                                 [this] { return window_->isActiveWindow(); });
  telling_->setChoice(tellingOf(settings_.preferences));
  connect(runs_.get(), &RunsController::looked, telling_.get(), &TellingController::look);
  connect(runs_.get(), &RunsController::mutedFound, telling_.get(), &TellingController::setMuted);
  connect(window_.get(), &MainWindow::tellingRequested, this, &Application::chooseTelling);
  connect(telling_.get(), &TellingController::failed, window_->runPage(), &RunPage::showError);
  connect(telling_.get(), &TellingController::activated, this, [this](const RunId& run) {
    window_->setWindowState(window_->windowState() & ~Qt::WindowMinimized);
    window_->raise();
    window_->activateWindow();
    runs_->open(toQString(run.value));
  });
}

void Application::chooseTelling() {
  auto* dialog = new TellingDialog(telling_->choice(), telling_->notifier().isAvailable(), window_.get());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const TellingChoice choice = dialog->choice();
    telling_->setChoice(choice);
    Preferences& preferences = settings_.preferences;
    preferences.tellFrom = toQString(codeOf(choice.least));
    preferences.notifications = choice.notifies ? QStringLiteral("on") : QStringLiteral("off");
    preferences.tellCommand = toQString(choice.targets.command);
    preferences.tellWebhook = toQString(choice.targets.webhook);
    saveSettingsSoon();
  });
  dialog->open();
}

void Application::watchForStalls() {
  const char* file = std::getenv("LOCKSTEP_STALL_LOG");
  if (file && *file) watchdog_ = std::make_unique<StallWatchdog>(stallLogTo(file));
}

void Application::close() {
  saveSettings();
  if (const auto kept = designer_->flushDraft(); !kept) qWarning("%s", describe(kept.error()).c_str());
  if (!designer_->isLaunching() && !runs_->isRelaunching()) QApplication::quit();
}

void Application::saveSettingsSoon() {
  if (restored_ && !options_.rendersOnly()) saveTimer_.start();
}

void Application::saveSettings() {
  saveTimer_.stop();
  // Before the contents are back there is nothing to say that the file does not say already.
  if (options_.rendersOnly() || !restored_) return;
  WorkspaceState& now = settings_.workspace;
  now.windowGeometry = window_->saveGeometry();
  now.windowState = window_->saveState();
  now.designerState = window_->designerPage()->saveState();
  now.dashboardState = window_->runPage()->dashboard()->saveState();
  now.file = designer_->file();
  if (!runDue_) {  // else the run that was open is still being looked up
    now.page = lockstep::nameOf(window_->page());
    now.openRun = runs_->openRun();
  }
  const auto saved = settings_.save();
  // Told once: it would come back at every change.
  if (!saved && !std::exchange(saveFailed_, true))
    window_->banner()->showError(saved.error(), Severity::Warning);
  if (saved) saveFailed_ = false;
}

}  // namespace lockstep

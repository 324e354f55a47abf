// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/renderer.h"

#include <QApplication>
#include <QDir>
#include <QPixmap>
#include <cstdio>

#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"
#include "widgets/setup/fix_list.h"
#include "widgets/setup/setup_page.h"
#include "widgets/setup/step_details.h"

namespace lockstep {
namespace {

constexpr int kLookMs = 50;
constexpr int kLayoutMs = 150;
constexpr std::size_t kComparedInPictures = 3;
constexpr int kTimeoutMs = 30'000;  // then the page is drawn as it is

}  // namespace

Renderer::Renderer(Application& application) : application_(application) {
  connect(&application, &Application::started, this, &Renderer::begin);
  connect(&application.runs(), &RunsController::notFound, this, [this](const Error& error) {
    runMissing_ = true;
    if (application_.options().run.isEmpty() && application_.options().dashboardFile.isEmpty()) return;
    std::fprintf(stderr, "lockstep-desktop: %s\n", describe(error).c_str());
    failed_ = true;
  });
  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, &Renderer::look);
}

void Renderer::begin() {
  const DesktopOptions& options = application_.options();
  if (!options.dashboardFile.isEmpty()) {
    due_ = {Page::Run};
  } else if (!options.steps.isEmpty()) {
    due_ = {Page::Setup};
  } else if (!options.page.isEmpty()) {
    due_ = {pageNamed(options.page)};
    if (due_.front() == Page::Comparison) application_.runs().comparison().compareNewest(kComparedInPictures);
  } else {
    due_ = {Page::Setup, Page::Clusters, Page::Runs, Page::Run};
  }
  if (due_.back() == Page::Run && application_.runs().openRun().isEmpty() && !application_.isRunDue()) {
    application_.runs().open(QStringLiteral("last"), false);
  }
  waited_.start();
  timer_.start();
}

bool Renderer::isSettled(Page page) const {
  switch (page) {
    case Page::Setup:
      return application_.setup().isSettled() && application_.designer().isLoaded();
    case Page::Clusters:
      return application_.setup().isReady() && application_.designer().isLoaded();
    case Page::Runs:
      return application_.setup().isReady() && application_.runs().isLoaded();
    case Page::Run:
      return application_.runs().isSettled();
    case Page::Comparison:
      return application_.runs().comparison().isSettled();
  }
  return true;
}

void Renderer::look() {
  if (isDrawing_) return;  // drawing runs the event loop
  if (due_.empty()) return end();
  const Page page = due_.front();
  if (page == Page::Run && runMissing_) {
    due_.pop_front();
    return;
  }
  if (page != Page::Run && application_.window().page() != page) {
    application_.window().showPage(page);
    waited_.restart();
    return;
  }
  if (!isSettled(page) && waited_.elapsed() < kTimeoutMs) return;
  due_.pop_front();
  waited_.restart();
  application_.window().showPage(page);
  isDrawing_ = true;
  if (!application_.options().dashboardFile.isEmpty()) {
    drawDashboard();
  } else if (!application_.options().steps.isEmpty()) {
    drawSteps();
  } else {
    draw(page);
  }
  isDrawing_ = false;
}

void Renderer::draw(Page page) {
  application_.window().grab();  // lays out and polishes what was never shown
  if (page == Page::Run) application_.window().runPage()->dashboard()->refreshNow();
  drawWindow(nameOf(page));
}

void Renderer::drawWindow(const QString& name) {
  MainWindow& window = application_.window();
  const QString theme = isDark(window.palette()) ? QStringLiteral("dark") : QStringLiteral("light");
  QApplication::processEvents();
  save(window.grab(),
       QDir(application_.options().screenshotDir).filePath(name + QLatin1Char('-') + theme + ".png"));
}

void Renderer::drawSteps() {
  SetupPage* page = application_.window().setupPage();
  // What a step shows is laid out a moment after it was put in.
  const auto settle = [this] {
    application_.window().grab();
    QElapsedTimer waited;
    for (waited.start(); waited.elapsed() < kLayoutMs;)
      QApplication::processEvents(QEventLoop::AllEvents, kLookMs);
  };
  for (const QString& step : application_.options().steps) {
    page->showStep(toStdString(step));
    settle();
    drawWindow(step);
    FixList* fixes = page->details()->fixes();
    if (!application_.options().drawsPreviews || !fixes->openFirst()) continue;
    settle();
    drawWindow(step + QStringLiteral("-preview"));
    fixes->closePreview();
  }
}

void Renderer::drawDashboard() {
  Dashboard* dashboard = application_.window().runPage()->dashboard();
  application_.window().grab();
  dashboard->refreshNow();
  QApplication::processEvents();
  save(dashboard->grab(), application_.options().dashboardFile);
}

void Renderer::save(const QPixmap& picture, const QString& file) {
  QDir().mkpath(QFileInfo(file).absolutePath());
  if (picture.save(file, "PNG")) {
    std::printf("%s\n", qUtf8Printable(file));
  } else {
    std::fprintf(stderr, "lockstep-desktop: cannot write '%s'\n", qUtf8Printable(file));
    failed_ = true;
  }
}

void Renderer::end() {
  timer_.stop();
  QApplication::exit(failed_ ? 1 : 0);
}

}  // namespace lockstep

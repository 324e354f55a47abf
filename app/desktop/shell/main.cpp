// SPDX-License-Identifier: GPL-3.0-or-later
#include <malloc.h>

#include <QApplication>
#include <cstdio>
#include <memory>
#include <variant>

#include "app/desktop/shell/application.h"
#include "app/desktop/shell/dashboard_bench.h"
#include "app/desktop/shell/renderer.h"
#include "app/desktop/window/options.h"
#include "app/desktop/window/start_time.h"
#include "base/secret.h"
#include "base/version.h"
#include "metrics/layouts/built_in_layouts.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"

namespace {

void prepareQt(const lockstep::DesktopOptions& options) {
  // Pictures need no screen; a platform that was asked for stays.
  if (options.rendersOnly() && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QCoreApplication::setApplicationName(QStringLiteral("Lockstep"));
  QCoreApplication::setApplicationVersion(QStringLiteral(LOCKSTEP_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("io.github.lockstep.Lockstep"));
}

// Sixteen threads that read a long run, each with an arena of its own, would keep some 50 MB that nobody uses any more.
void limitArenas() {
#ifdef M_ARENA_MAX
  ::mallopt(M_ARENA_MAX, 2);
#endif
}

void reportStart() {
  std::printf("STARTUP first_paint_ms=%lld rss_mb=%.1f\n",
              static_cast<long long>(lockstep::timeSinceProcessStart().count()),
              lockstep::residentMegabytes());
  std::fflush(stdout);
  QApplication::quit();
}

/// False, said on stderr: there is no such layout.
bool showLayout(lockstep::Application& application, const QString& name) {
  if (name.isEmpty() || application.window().runPage()->dashboard()->showLayout(name)) return true;
  QStringList known;
  for (const lockstep::DashboardLayout& layout : lockstep::builtInLayouts())
    known << QString::fromStdString(layout.name);
  std::fprintf(stderr, "--layout: there is no layout '%s'; those of the program are %s\n",
               qUtf8Printable(name), qUtf8Printable(known.join(QStringLiteral(", "))));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  limitArenas();
  lockstep::keepSecretsOutOfDumps();
  const auto parsed = lockstep::parseCommandLine(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  const auto& options = std::get<lockstep::DesktopOptions>(parsed);
  prepareQt(options);
  QApplication qt(argc, argv);
  lockstep::Application application(qt, options);
  if (!showLayout(application, options.layout)) return 2;
  std::unique_ptr<lockstep::Renderer> renderer;
  std::unique_ptr<lockstep::DashboardBench> bench;
  if (!options.benchRun.isEmpty()) {
    bench = std::make_unique<lockstep::DashboardBench>(application);
  } else if (options.rendersOnly()) {
    renderer = std::make_unique<lockstep::Renderer>(application);
  }
  if (options.quitAfterStart) {
    QObject::connect(&application.window(), &lockstep::MainWindow::firstPainted, &qt, reportStart);
  }
  application.start();
  return QApplication::exec();
}

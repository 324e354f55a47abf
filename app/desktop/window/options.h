// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <variant>

namespace lockstep {

/// What the command line of lockstep-desktop asks for. Empty texts: not given.
struct DesktopOptions {
  QString openFile;  // a train.yaml
  QString launchFile;
  QString configFile, profile;
  QString theme, language, page;
  QString run;                 // as RunsController::open() takes it
  QStringList steps;           // of the set-up page, to be drawn one by one
  bool drawsPreviews = false;  // of their first fixes, too
  QString screenshotDir;
  QString dashboardFile;
  QString layout;    // of the dashboard's cards
  QString benchRun;  // whose dashboard is measured
  int benchFrames = 0;
  int benchCards = 0;  // 0: those of the layout
  QSize size{1280, 800};
  bool quitAfterStart = false;

  /// Draws into files, or measures; needs no screen, changes nothing and leaves no settings behind.
  [[nodiscard]] bool rendersOnly() const {
    return !screenshotDir.isEmpty() || !dashboardFile.isEmpty() || !benchRun.isEmpty();
  }
};

/// The options, or the exit status with which the program ends now (help and version: 0, wrong usage: 2);
/// what there was to say was printed.
[[nodiscard]] std::variant<DesktopOptions, int> parseCommandLine(int argc, char** argv);

}  // namespace lockstep

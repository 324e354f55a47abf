// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/ids.h"
#include "metrics/lines/line_choice.h"

namespace lockstep {

/// What the user chose.
struct Preferences {
  QString theme = QStringLiteral("system");  // "system" | "light" | "dark"
  QString language;                          // empty: the system's
  QString configFile;                        // OCI config file; empty: where the OCI tools look
  QString profile;                           // empty: the default one
  int sampleMemoryMb = 512;                  // for the samples of the open run, 64 … 65,536
  int keptLogMb = 512;  // on disk, for the lines of each run that is followed, 64 … 65,536
  // Who is told of findings, and from which severity on: "notice", "warning", "critical". The webhook may hold a secret.
  QString tellFrom = QStringLiteral("warning");
  QString notifications = QStringLiteral("on");  // of the desktop: "on" | "off"
  QString tellCommand = {}, tellWebhook = {};    // empty: none

  bool operator==(const Preferences&) const = default;
};

/// Where the window was when it closed.
struct WorkspaceState {
  QByteArray windowGeometry;
  QByteArray windowState;  // which docks are shown, and where
  QByteArray dashboardState;
  QByteArray designerState;
  QString page = QStringLiteral("clusters");
  QString file;     // the train.yaml that was open; empty: none
  QString openRun;  // id of the run whose page was open; empty: none
  QStringList lineChoices =
      {};  // in pairs: a run, and which rules read its lines (keptText()); the newest last

  bool operator==(const WorkspaceState&) const = default;
};

/// Both, in one ini file that its owner alone may read. Values that make no sense are read as the default. Reads and writes a small file;
/// the UI thread owns it.
class Settings {
 public:
  explicit Settings(std::filesystem::path file);
  /// userConfigDir()/desktop.ini
  static std::filesystem::path defaultPath();

  Preferences preferences;
  WorkspaceState workspace;

  /// Why the file could not be used, whole or in part; then the defaults stand in for it. Nothing for a file
  /// that is not there.
  std::optional<Error> load();
  /// Which rules read the lines of a run; all, unless somebody has chosen. Of the last hundred runs a choice is kept.
  [[nodiscard]] LineChoice lineChoice(const RunId& run) const;
  void setLineChoice(const RunId& run, const LineChoice& choice);
  /// Fails when the file cannot be written; what was there before stays.
  [[nodiscard]] Result<void> save() const;

 private:
  std::filesystem::path file_;
};

}  // namespace lockstep

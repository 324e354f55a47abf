// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "app/desktop/telling/desktop_notifier.h"
#include "telling/teller.h"

namespace lockstep {

/// What the user wants to be told, and how.
struct TellingChoice {
  FindingSeverity least = FindingSeverity::Warning;
  bool notifies = true;  // by the desktop, while the window is not the active one
  TellingTargets targets;
  bool operator==(const TellingChoice&) const = default;
};

/// Tells the news of the run that the window follows. UI thread; blocks nothing.
class TellingController : public QObject {
  Q_OBJECT
 public:
  /// `isWatched`: whether somebody looks at the window, so that no notification is needed.
  TellingController(std::unique_ptr<DesktopNotifier> notifier, std::function<bool()> isWatched,
                    QObject* parent = nullptr);

  void setChoice(const TellingChoice& choice);
  [[nodiscard]] const TellingChoice& choice() const { return choice_; }
  [[nodiscard]] const DesktopNotifier& notifier() const { return *notifier_; }
  /// After each look at the run that is followed; `report` may be null.
  void look(const TrainingRun& run, const std::shared_ptr<const DiagnosisReport>& report);
  void setMuted(const MutedFindings& muted) { muted_ = muted; }

 signals:
  void activated(const lockstep::RunId& run);
  /// A command or webhook does not do what it should.
  void failed(const lockstep::Error& error);

 private:
  std::unique_ptr<DesktopNotifier> notifier_;
  std::function<bool()> isWatched_;
  TellingChoice choice_;
  MutedFindings muted_;
  std::optional<NewsOfRun> news_;
  RunId run_;                       // whose news these are
  std::unique_ptr<Teller> teller_;  // made with the first thing that it is to tell
};

}  // namespace lockstep

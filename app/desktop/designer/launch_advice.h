// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include "base/error.h"

namespace lockstep {

class MainWindow;
class SetupController;

/// What the set-up knows and the designer can use: whether the place of a launch is ready, what stands behind
/// a launch that was refused, and what a template leaves open. UI thread; blocks nothing.
class LaunchAdvice : public QObject {
  Q_OBJECT
 public:
  LaunchAdvice(MainWindow* window, SetupController* setup, QObject* parent = nullptr);

 public slots:
  /// The designer shows why a launch was refused: adds the ways out that the set-up knows.
  void offerWayOut(const lockstep::Error& refusal);
  /// The designer shows a template: what it leaves open is filled from the last check of the profile, else
  /// that is offered.
  void fillTemplate();
  /// The designer shows somebody's file: to fill what it leaves open is offered.
  void offerFilling();

 private:
  void refresh();
  bool fill();
  void checkThenFill();
  void finishFilling();
  void addStepButton(const std::string& stepId);
  [[nodiscard]] bool isFileBehind() const;
  [[nodiscard]] std::string firstBlocked() const;

  MainWindow* window_;
  SetupController* setup_;
  bool fillsAfterCheck_ = false;
};

}  // namespace lockstep

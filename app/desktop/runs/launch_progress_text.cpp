// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/launch_progress_text.h"

#include <QCoreApplication>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

// A namespace has no tr(); this one stands for the function below.
struct LaunchProgressText {
  Q_DECLARE_TR_FUNCTIONS(lockstep::LaunchProgressText)
};

}  // namespace

QString launchProgressText(const LaunchProgress& progress) {
  switch (progress.stage) {
    case LaunchStage::CheckingMachine:
      return LaunchProgressText::tr("checking this machine");
    case LaunchStage::StartingRegion:
      return LaunchProgressText::tr("starting the rehearsal region");
    case LaunchStage::CopyingCode:
      return LaunchProgressText::tr("copying the code");
    case LaunchStage::CreatingJob:
      return LaunchProgressText::tr("creating job “%1”").arg(toQString(progress.name));
    case LaunchStage::CreatingJobRun:
      return LaunchProgressText::tr("creating job run “%1”").arg(toQString(progress.name));
    case LaunchStage::Launched:
      break;
  }
  return LaunchProgressText::tr("launched");
}

}  // namespace lockstep

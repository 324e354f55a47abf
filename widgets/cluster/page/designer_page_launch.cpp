// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

#include "plan/plan.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

// The launch as the designer shows it: what stands in its way, the badge, and how far one is that is under way.
namespace lockstep {

QWidget* DesignerPage::makeProgress() {
  progressPanel_ = new QFrame(this);
  makeCard(progressPanel_);
  auto* row = new QHBoxLayout(progressPanel_);
  row->setContentsMargins(12, 6, 8, 6);
  doing_ = new ElidedLabel(progressPanel_);
  progress_ = new QProgressBar(progressPanel_);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the launch"));
  auto* cancel = new QPushButton(themedIcon(QStringLiteral("cancel")), tr("Cancel la&unch"), progressPanel_);
  connect(cancel, &QPushButton::clicked, this, &DesignerPage::cancelLaunchRequested);
  row->addWidget(doing_, 1);
  row->addWidget(progress_, 1);
  row->addWidget(cancel);
  progressPanel_->hide();
  return progressPanel_;
}

void DesignerPage::setLaunching(bool isLaunching, int done, int total, const QString& doing) {
  isLaunching_ = isLaunching;
  progressPanel_->setVisible(isLaunching);
  progress_->setRange(0, std::max(0, total));
  progress_->setValue(done);
  doing_->setText(total > 0         ? tr("Launching, %1 of %2: %3").arg(done).arg(total).arg(doing)
                  : doing.isEmpty() ? tr("Launching…")
                                    : tr("Launching: %1").arg(doing));
  refreshLaunch();
}

void DesignerPage::setRehearsing(bool isRehearsing) {
  isRehearsing_ = isRehearsing;
  refreshLaunch();
}

void DesignerPage::setLaunchObstacle(const QString& reason) {
  obstacle_ = reason;
  refreshLaunch();
}

void DesignerPage::setReadiness(const LaunchReadiness& readiness) {
  if (readiness == readiness_) return;
  readiness_ = readiness;
  refreshLaunch();
}

QString DesignerPage::launchObstacle() const {
  if (isLaunching_) return tr("A launch is under way.");
  const ClusterDocument& document = cluster_->document();
  if (document.text().empty()) return tr("There is nothing to launch: open a train.yaml or start a new one.");
  if (!document.isParsable()) return tr("The text cannot be read as YAML.");
  if (const auto errors = errorsInTheWay(); !errors.empty()) {
    const QString first = toQString(errors.front()->message);
    return errors.size() == 1 ? tr("There is an error: %1").arg(first)
                              : tr("There are %1 errors. The first: %2").arg(errors.size()).arg(first);
  }
  return obstacle_;
}

std::vector<const Issue*> DesignerPage::errorsInTheWay() const {
  std::vector<const Issue*> errors;
  for (const Issue& issue : cluster_->document().issues())
    if (issue.severity == Severity::Error && !(isRehearsing_ && isUnfinished(issue)))
      errors.push_back(&issue);
  return errors;
}

void DesignerPage::refreshLaunch() {
  const QString reason = launchObstacle();
  QAction* launch = launchAction();
  StateBadge* badge = bar_->badge();
  launch->setEnabled(reason.isEmpty());
  const QString tip = reason.isEmpty() ? withShortcut(tr("Launch this cluster"), *launch)
                                       : tr("Cannot launch: %1").arg(reason);
  launch->setToolTip(plainToolTip(tip));
  const std::size_t errors = errorsInTheWay().size();
  badge->setToolTip(plainToolTip(tip));
  if (isLaunching_) return badge->setState(BadgeTone::Busy, tr("launching"));
  if (errors > 0)
    return badge->setState(BadgeTone::Error, errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
  if (!reason.isEmpty()) return badge->setState(BadgeTone::Warning, tr("not ready"));
  showReadiness();
}

void DesignerPage::showReadiness() {
  StateBadge* badge = bar_->badge();
  const auto say = [&](BadgeTone tone, const QString& text, const QString& why = {}) {
    badge->setState(tone, text);
    if (!why.isEmpty()) badge->setToolTip(plainToolTip(why));
  };
  if (readiness_.isRehearsal)
    return say(BadgeTone::Ok, tr("ready to rehearse"),
               tr("A rehearsal runs on this machine and needs nothing of a tenancy"));
  if (!readiness_.missing.isEmpty())
    return say(BadgeTone::Warning,
               tr("%Ln set-up step(s) missing", nullptr, static_cast<int>(readiness_.missing.size())),
               tr("Something is missing for a launch; see Setup: %1")
                   .arg(readiness_.missing.join(tr(", ", "between the parts of a list"))));
  if (!readiness_.isChecked)
    return say(BadgeTone::Neutral, tr("set-up not checked"),
               tr("Nobody has looked yet whether the tenancy has what a launch needs; the page Setup does"));
  if (readiness_.isFileBehind)
    return say(BadgeTone::Warning, tr("set-up not used yet"),
               tr("The set-up found what this train.yaml does not say; Setup, “Use all that was found in "
                  "train.yaml” puts it here"));
  say(BadgeTone::Ok, tr("ready to launch"));
}

}  // namespace lockstep

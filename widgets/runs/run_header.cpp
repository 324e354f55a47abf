// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_header.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "base/time_text.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/run_state_text.h"
#include "widgets/runs/time/time_texts.h"

namespace lockstep {
namespace {

constexpr std::chrono::seconds kOldData{
    15};  // metrics come every few seconds; later than this, something waits

/// A value with its caption in front, in one label: "Elapsed 0:41".
void setFact(QLabel* label, const QString& caption, const QString& value) {
  label->setText(
      QStringLiteral("<span style='color:%1'>%2</span>&nbsp; %3")
          .arg(mutedColor(label->palette()).name(), caption.toHtmlEscaped(), value.toHtmlEscaped()));
  label->setAccessibleName(caption + QLatin1Char(' ') + value);
}

}  // namespace

RunHeader::RunHeader(const RunProgress* progress, QWidget* parent)
    : QWidget(parent),
      progress_(progress),
      back_(new QToolButton(this)),
      name_(new ElidedLabel(this)),
      badge_(new StateBadge(this)),
      relaunch_(new QPushButton(themedIcon(QStringLiteral("refresh")), QString(), this)),
      cancel_(new QPushButton(themedIcon(QStringLiteral("stop")), tr("Cancel run"), this)),
      export_(new QToolButton(this)),
      at_(new QLabel(this)),
      elapsed_(new QLabel(this)),
      bar_(new QProgressBar(this)),
      stopLoading_(new QPushButton(tr("Stop loading"), this)),
      steps_(new QLabel(this)),
      remaining_(new QLabel(this)),
      accuracy_(new QLabel(this)),
      lagLabel_(new QLabel(this)) {
  makeExport();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addLayout(makeTopRow());
  layout->addLayout(makeFactsRow());
  connect(back_, &QToolButton::clicked, this, &RunHeader::backRequested);
  connect(relaunch_, &QPushButton::clicked, this, &RunHeader::relaunchRequested);
  connect(cancel_, &QPushButton::clicked, this, &RunHeader::cancelRequested);
  connect(stopLoading_, &QPushButton::clicked, this, &RunHeader::stopLoadingRequested);
}

void RunHeader::makeExport() {
  export_->setText(tr("Export"));
  export_->setAccessibleName(tr("Export"));
  export_->setIcon(themedIcon(QStringLiteral("export")));
  export_->setToolButtonStyle(Qt::ToolButtonIconOnly);  // a narrow window has no room for its text
  export_->setPopupMode(QToolButton::InstantPopup);
  export_->setFocusPolicy(Qt::TabFocus);
  export_->setToolTip(tr("Write this run into one file, to keep it or to give it away"));
  export_->hide();
  auto* menu = new QMenu(export_);
  menu->setToolTipsVisible(true);
  const auto add = [&](const QString& text, const QString& tip, const QKeySequence& keys,
                       RunDocument document) {
    QAction* action = menu->addAction(text);
    action->setToolTip(plainToolTip(tip));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    // Keys are heard of what is on the page, not of what is in a closed menu.
    if (parentWidget()) parentWidget()->addAction(action);
    connect(action, &QAction::triggered, this, [this, document] {
      if (export_->isVisibleTo(this) && export_->isEnabled()) emit saveRequested(document);
    });
  };
  add(tr("&Run file …"),
      tr("Metrics, lines, train.yaml and findings in one .lockstep file, without secrets; Lockstep opens it "
         "on any "
         "machine (Ctrl+Shift+E)"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), RunDocument::File);
  add(tr("&HTML report …"),
      tr("A page with its curves, results and findings for any browser, without secrets (Ctrl+Shift+H)"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H), RunDocument::Report);
  export_->setMenu(menu);
}

QLayout* RunHeader::makeTopRow() {
  back_->setText(tr("Runs"));
  back_->setIcon(themedIcon(QStringLiteral("left")));
  back_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  back_->setAutoRaise(true);
  back_->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Up));
  back_->setToolTip(tr("Back to the list of runs (Alt+Up); the run continues"));
  makeHeading(name_);
  cancel_->setToolTip(tr("Ask every node of the run to end"));
  relaunch_->setToolTip(
      tr("Launch the same again: the text that this run was launched from, with the same profile"));
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  row->addWidget(back_);
  row->addWidget(name_, 1);
  row->addWidget(badge_);
  row->addWidget(export_);
  row->addWidget(relaunch_);
  row->addWidget(cancel_);
  return row;
}

QLayout* RunHeader::makeFactsRow() {
  bar_->setTextVisible(false);
  bar_->setMinimumWidth(120);
  QSizePolicy policy = bar_->sizePolicy();
  policy.setRetainSizeWhenHidden(true);  // what stands beside it stays in its place
  bar_->setSizePolicy(policy);
  stopLoading_->setToolTip(tr("Keep what is here; the rest can be loaded later"));
  stopLoading_->hide();
  lagLabel_->setToolTip(
      tr("How old the newest sample or line is. A slow bucket shows here, not as a slow run."));
  auto* row = new FlowLayout;  // of all the facts there is not always room in one line
  row->setGaps(18, 4);
  row->addWidget(at_);
  row->addWidget(elapsed_);
  row->addWidget(bar_);
  row->addWidget(stopLoading_);
  for (QLabel* label : {steps_, remaining_, accuracy_, lagLabel_}) row->addWidget(label);
  for (QLabel* label : {at_, elapsed_, steps_, remaining_, accuracy_, lagLabel_})
    label->setTextFormat(Qt::RichText);
  at_->setToolTip(tr("What is below is as it was then; state and messages are as they are now"));
  at_->hide();
  return row;
}

void RunHeader::setRun(const TrainingRun& run) {
  run_ = run;
  name_->setText(toShownLine(run.name.empty() ? run.id.value : run.name));
  name_->setToolTip(plainToolTip(toQString(run.id.value)));
  badge_->setState(toneOf(stateOf(run)), textOf(stateOf(run)));
  updateCancel();
  updateRelaunch();
  export_->setVisible(!run.id.empty());
}

void RunHeader::setRelaunching(bool isRelaunching) {
  isRelaunching_ = isRelaunching;
  updateRelaunch();
}

void RunHeader::setSaving(bool isSaving) {
  export_->setEnabled(!isSaving);
}

void RunHeader::updateRelaunch() {
  relaunch_->setVisible(isRelaunchable(run_));
  relaunch_->setEnabled(!isRelaunching_);
  relaunch_->setText(isRelaunching_ ? tr("Launching …") : tr("Relaunch"));
}

void RunHeader::setDataLag(std::optional<std::chrono::nanoseconds> lag, SteadyPoint seenAt) {
  lag_ = lag;
  lagSeenAt_ = seenAt;
}

void RunHeader::setCanceling(bool canceling) {
  canceling_ = canceling;
  updateCancel();
}

void RunHeader::updateCancel() {
  const bool ended = isTerminal(stateOf(run_));
  cancel_->setVisible(!ended && !isReadOnly(run_));
  cancel_->setEnabled(!canceling_ && !run_.cancelRequested);
  cancel_->setText(cancel_->isEnabled() ? tr("Cancel run") : tr("Canceling …"));
}

void RunHeader::setLoading(std::optional<LoadedPart> part) {
  loading_ = part;
  stopLoading_->setVisible(part.has_value());
}

void RunHeader::setPast(std::optional<TimePoint> time) {
  past_ = time;
  tick(SystemClock().now(), SystemClock().steady());
}

void RunHeader::showElapsed(TimePoint now) {
  at_->setVisible(past_.has_value());
  if (past_) setFact(at_, tr("As of"), momentText(now, now - run_.created));
  TrainingRun run = run_;
  if (past_) run.finished.reset();  // it had not
  setFact(elapsed_, tr("Elapsed"), elapsedOf(run, now));
}

void RunHeader::tick(TimePoint now, SteadyPoint steady) {
  now = past_.value_or(now);
  showElapsed(now);
  bar_->setAccessibleName(loading_ ? tr("Loaded") : tr("Progress"));
  if (loading_) {
    showLoading();
  } else {
    showProgress(now);
  }
  showLag(steady);
}

void RunHeader::showLoading() {
  const QLocale locale;
  bar_->setVisible(true);
  // Not counted yet: a bar without an end.
  bar_->setRange(0, loading_->known > 0 ? 1000 : 0);
  if (loading_->known > 0) bar_->setValue(static_cast<int>(loading_->read * 1000 / loading_->known));
  const QString counted = tr("%1 of %2 segments")
                              .arg(locale.toString(static_cast<qulonglong>(loading_->read)),
                                   locale.toString(static_cast<qulonglong>(loading_->known)));
  setFact(steps_, tr("Loading"), loading_->known > 0 ? counted : QStringLiteral("…"));
  steps_->setVisible(true);
  remaining_->setVisible(false);
  accuracy_->setVisible(false);
}

void RunHeader::showProgress(TimePoint now) {
  const auto done = progress_->stepsDone();
  const auto total = progress_->totalSteps();
  const QLocale locale;
  bar_->setVisible(done && total);  // an empty one would say that nothing was done
  bar_->setRange(0, 1000);
  if (done && total) bar_->setValue(static_cast<int>(std::min<Step>(1000, *done * 1000 / *total)));
  steps_->setVisible(done.has_value());
  if (done && total) {
    setFact(
        steps_, tr("Step"),
        tr("%1 / %2 (%3 %)").arg(locale.toString(*done), locale.toString(*total)).arg(*done * 100 / *total));
  } else if (done) {
    setFact(steps_, tr("Step"), locale.toString(*done));
  }
  showPace(now);
  const auto accuracy = progress_->accuracyPercent();
  accuracy_->setVisible(accuracy.has_value());
  if (accuracy) setFact(accuracy_, tr("Accuracy"), tr("%1 %").arg(locale.toString(*accuracy, 'f', 1)));
}

// Either the time that is left, or for how long nothing has moved: a time left that counts down while a run hangs is none.
void RunHeader::showPace(TimePoint now) {
  const bool ended = isTerminal(stateOf(run_)) && !past_;
  const auto stalled = ended ? std::nullopt : progress_->stalledFor(now);
  const auto left = ended ? std::nullopt : progress_->remaining(now);
  remaining_->setVisible(stalled || left);
  if (left) setFact(remaining_, tr("Left"), toQString(elapsedText(*left)));
  if (stalled) setFact(remaining_, tr("No step for"), toQString(elapsedText(*stalled)));
}

void RunHeader::showLag(SteadyPoint now) {
  const bool isCounted = !isTerminal(stateOf(run_));  // also while the past is looked at
  lagLabel_->setVisible(isCounted);
  if (!isCounted) return;
  if (!lag_) return setFact(lagLabel_, tr("Data lag"), tr("no data yet"));
  const auto age = *lag_ + std::max(now - lagSeenAt_, SteadyPoint::duration::zero());
  const double seconds = std::chrono::duration<double>(age).count();
  QString text =
      age < kOldData ? tr("%1 s").arg(QLocale().toString(seconds, 'f', 1)) : toQString(elapsedText(age));
  if (age >= kOldData) text = tr("last data %1 ago").arg(text);
  setFact(lagLabel_, tr("Data lag"), text);
}

}  // namespace lockstep

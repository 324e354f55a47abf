// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/issues/issues_panel.h"

#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/issues/issues_view.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr std::array kSeverities{Severity::Error, Severity::Warning, Severity::Info};

QString countText(Severity severity, int count) {
  switch (severity) {
    case Severity::Error:
      return count == 1 ? IssuesPanel::tr("1 error") : IssuesPanel::tr("%1 errors").arg(count);
    case Severity::Warning:
      return count == 1 ? IssuesPanel::tr("1 warning") : IssuesPanel::tr("%1 warnings").arg(count);
    case Severity::Info:
      break;
  }
  return count == 1 ? IssuesPanel::tr("1 note") : IssuesPanel::tr("%1 notes").arg(count);
}

QString tipOf(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return IssuesPanel::tr("Show the errors");
    case Severity::Warning:
      return IssuesPanel::tr("Show the warnings");
    case Severity::Info:
      break;
  }
  return IssuesPanel::tr("Show the notes");
}

QToolButton* makeTool(QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setAutoRaise(true);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  return button;
}

}  // namespace

IssuesPanel::IssuesPanel(QWidget* parent)
    : QWidget(parent), line_(new ToolRow(this)), calm_(new StateBadge(line_)), fold_(makeTool(line_)) {
  calm_->setState(BadgeTone::Ok, tr("No problems"));
  fold_->setToolTip(tr("Show or hide the list of problems"));
  line_->addWidget(calm_);
  line_->addButton(fold_, ToolRow::Place::Stays);
  for (const Severity severity : kSeverities) {
    QToolButton* button = makeTool(line_);
    button->setCheckable(true);
    button->setChecked(true);
    button->setIcon(iconFor(severity));
    button->setToolTip(plainToolTip(tipOf(severity)));
    line_->addButton(button);
    severities_ << button;
    connect(button, &QToolButton::toggled, this,
            [this, severity](bool isShown) { view_->issuesModel()->setShown(severity, isShown); });
  }
  line_->addStretch();
  fixAll_ = new QPushButton(line_);
  fixAll_->setToolTip(tr("Apply every fix that needs no decision; undo takes them back together"));
  line_->addButton(fixAll_);
  view_ = new IssuesView(this);
  view_->setHeaderHidden(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(line_);
  column->addWidget(view_, 1);
  connect(fold_, &QToolButton::clicked, this, [this] { setUnfolded(!unfolded_); });
  connect(fixAll_, &QPushButton::clicked, this, &IssuesPanel::fixAllRequested);
  connect(view_, &IssuesView::issueActivated, this, &IssuesPanel::issueActivated);
  connect(view_, &IssuesView::fixRequested, this, &IssuesPanel::fixRequested);
  refresh();
}

void IssuesPanel::setIssues(std::vector<Issue> issues) {
  view_->setIssues(std::move(issues));
  refresh();
}

void IssuesPanel::setUnfolded(bool unfolded) {
  unfolded_ = unfolded;
  refresh();
}

bool IssuesPanel::isListShown() const {
  return !view_->isHidden();
}

int IssuesPanel::foldedHeight() const {
  return line_->sizeHint().height();
}

QToolButton* IssuesPanel::severityButton(Severity severity) const {
  const auto at = std::find(kSeverities.begin(), kSeverities.end(), severity);
  return severities_.at(at - kSeverities.begin());
}

void IssuesPanel::refresh() {
  const IssuesModel& model = *view_->issuesModel();
  const bool isEmpty = model.issues().empty();
  const bool shown = unfolded_ && !isEmpty;
  fold_->setText(tr("Problems"));
  fold_->setAccessibleName(tr("Problems: %1").arg(model.summary()));
  fold_->setIcon(themedIcon(shown ? QStringLiteral("down") : QStringLiteral("right")));
  line_->setOffered(calm_, isEmpty);
  line_->setOffered(fold_, !isEmpty);
  for (const Severity severity : kSeverities) {
    QToolButton* button = severityButton(severity);
    const int count = model.count(severity);
    button->setText(countText(severity, count));
    line_->setOffered(button, count > 0);
  }
  const int fixes = model.fixCount();
  fixAll_->setText(tr("Fi&x all (%1)").arg(fixes));
  line_->setOffered(fixAll_, fixes > 0);
  if (shown == !view_->isHidden() && shown == wasShown_) return;
  wasShown_ = shown;
  view_->setVisible(shown);
  emit listShown(shown);
}

}  // namespace lockstep

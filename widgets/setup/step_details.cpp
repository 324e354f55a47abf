// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/step_details.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

QString plainTextOf(const StepsModel::Step& step) {
  QStringList lines{StepDetails::tr("%1: %2").arg(step.title, nameOf(step.report.state))};
  for (const Finding& finding : step.report.findings) {
    lines << StepDetails::tr("- %1: %2").arg(nameOf(finding.state), toQString(finding.text));
    if (!finding.evidence.empty())
      lines << StepDetails::tr("  evidence: %1").arg(toQString(finding.evidence));
    if (!finding.remedy.empty()) lines << StepDetails::tr("  to do: %1").arg(toQString(finding.remedy));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

StepDetails::StepDetails(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      badge_(new StateBadge(this)),
      purpose_(makeText({}, this)),
      copy_(new QToolButton(this)),
      scroll_(new QScrollArea(this)) {
  makeHeading(title_);
  makeCaption(purpose_);
  copy_->setIcon(themedIcon(QStringLiteral("copy")));
  copy_->setText(tr("Cop&y"));
  copy_->setToolTip(tr("Copy the findings as text"));
  copy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  copy_->setAutoRaise(true);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setAccessibleName(tr("Findings"));

  auto* head = new QHBoxLayout;
  head->addWidget(title_);
  head->addSpacing(8);
  head->addWidget(badge_);
  head->addStretch();
  head->addWidget(copy_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 4, 4, 4);
  column->setSpacing(6);
  column->addLayout(head);
  column->addWidget(purpose_);
  column->addWidget(scroll_, 1);
  connect(copy_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(plainText_); });
}

void StepDetails::showStep(const StepsModel::Step& step) {
  title_->setText(step.title);
  badge_->setState(toneOf(step.report.state), nameOf(step.report.state));
  purpose_->setText(step.purpose);
  plainText_ = plainTextOf(step);
  copy_->setEnabled(!step.report.findings.empty());
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 6, 0);
  column->setSpacing(8);
  for (const Finding& finding : step.report.findings) column->addWidget(makeCard(finding));
  if (step.report.findings.empty()) {
    auto* empty =
        new QLabel(step.report.state == StepState::Checking ? tr("Checking…")
                                                            : tr("Not checked yet. “Check all” asks the "
                                                                 "service; nothing is created or changed."),
                   page);
    empty->setWordWrap(true);
    makeCaption(empty);
    column->addWidget(empty);
  }
  column->addStretch();
  scroll_->setWidget(page);
}

QWidget* StepDetails::makeCard(const Finding& finding) {
  auto* card = new QFrame;
  lockstep::makeCard(card);
  card->setAccessibleName(tr("%1: %2").arg(nameOf(finding.state), toQString(finding.text)));
  auto* grid = new QGridLayout(card);
  grid->setContentsMargins(12, 10, 12, 10);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(1, 1);
  auto* icon = new QLabel(card);
  icon->setPixmap(iconFor(toneOf(finding.state)).pixmap(QSize(20, 20), devicePixelRatioF()));
  icon->setToolTip(nameOf(finding.state));
  grid->addWidget(icon, 0, 0, Qt::AlignTop);
  grid->addWidget(makeText(asSentence(finding.text), card), 0, 1);
  if (!finding.evidence.empty()) {
    auto* evidence = makeText(toQString(finding.evidence), card);
    makeCaption(evidence);
    grid->addWidget(evidence, 1, 1);
  }
  if (!finding.remedy.empty()) {
    auto* remedy = makeText(tr("To do: %1").arg(toQString(finding.remedy)), card);
    QFont bold = remedy->font();
    bold.setWeight(QFont::DemiBold);
    remedy->setFont(bold);
    grid->addWidget(remedy, 2, 1);
  }
  return card;
}

}  // namespace lockstep

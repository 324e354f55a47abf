// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diagnosis/run_finding_card.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "base/clock.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/diagnosis/finding_texts.h"
#include "widgets/diagnosis/stack_answer_view.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 20;

QLabel* makeText(QWidget* parent) {
  auto* label = new PlainLabel(parent);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::ClickFocus);
  return label;
}

QToolButton* makeButton(const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  return button;
}

QString linesOf(const std::vector<FindingText>& texts) {
  QStringList lines;
  for (const FindingText& text : texts) lines << sentenceOf(text);
  return lines.join(QLatin1Char('\n'));
}

void setTextOf(QLabel* label, const QString& text) {
  if (label->text() != text) label->setText(text);  // what is selected in it stays
}

}  // namespace

RunFindingCard::RunFindingCard(QWidget* parent) : QFrame(parent), grid_(new QGridLayout(this)) {
  makeCard(this);
  grid_->setContentsMargins(12, 8, 12, 8);
  grid_->setHorizontalSpacing(10);
  grid_->setVerticalSpacing(4);
  grid_->setColumnStretch(2, 1);
  icon_ = new PlainLabel(this);
  grid_->addWidget(icon_, 0, 0, Qt::AlignTop);
  what_ = makeText(this);
  what_->setObjectName(QStringLiteral("what"));
  QFont bold = what_->font();
  bold.setWeight(QFont::DemiBold);
  what_->setFont(bold);
  grid_->addWidget(what_, 0, 1, 1, 2);
  since_ = addLine(tr("Since"));
  evidence_ = addLine(tr("Measured"));
  unmeasured_ = addLine(tr("Not measured"));
  cause_ = addLine(tr("Likely"));
  remedy_ = addLine(tr("To do"));
  confidence_ = addLine(tr("How sure"));
  jump_ = makeButton(tr("Show that time"), this);
  jump_->setToolTip(tr("Choose that time in the charts and in the log"));
  where_ = makeButton(tr("Where is it?"), this);
  where_->setToolTip(
      tr("Ask the nodes where in their code these ranks are (Python with py-spy, all else with gdb)"));
  mute_ = makeButton(QString(), this);
  copy_ = makeButton(tr("Copy"), this);
  copy_->setToolTip(tr("Copy the finding as text"));
  auto* buttons = new QHBoxLayout;
  for (QToolButton* button : {jump_, where_, mute_, copy_}) buttons->addWidget(button);
  buttons->addStretch();
  grid_->addLayout(buttons, grid_->rowCount(), 1, 1, 2);
  stacks_ = new StackAnswerView(this);
  grid_->addWidget(stacks_, grid_->rowCount(), 1, 1, 2);
  where_->hide();
  connect(jump_, &QToolButton::clicked, this, [this] { emit jumpRequested(finding_); });
  connect(where_, &QToolButton::clicked, this, [this] { emit whereRequested(finding_); });
  connect(mute_, &QToolButton::clicked, this,
          [this] { emit muteRequested(finding_, !mute_->property("isMuted").toBool()); });
  connect(copy_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(plainText(finding_, SystemClock().now())); });
}

QLabel* RunFindingCard::addLine(const QString& name) {
  auto* label = new PlainLabel(name, this);
  makeCaption(label);
  QLabel* value = makeText(this);
  label->setBuddy(value);
  const int row = grid_->rowCount();
  grid_->addWidget(label, row, 1, Qt::AlignTop);
  grid_->addWidget(value, row, 2);
  return value;
}

void RunFindingCard::setLine(QLabel* value, const QString& text) {
  setTextOf(value, text);
  value->setVisible(!text.isEmpty());
  const int index = grid_->indexOf(value);
  int row = 0, column = 0, rows = 0, columns = 0;
  grid_->getItemPosition(index, &row, &column, &rows, &columns);
  if (QLayoutItem* caption = grid_->itemAtPosition(row, 1)) caption->widget()->setVisible(!text.isEmpty());
}

void RunFindingCard::show(const RunFinding& finding, TimePoint now, bool isMuted) {
  finding_ = finding;
  setIcon();
  setTextOf(what_, sentenceOf(finding.what));
  setLine(since_, sinceText(finding, now));
  setLine(evidence_, linesOf(finding.evidence));
  setLine(unmeasured_, linesOf(finding.unmeasured));
  setLine(cause_, sentenceOf(finding.cause));
  setLine(remedy_, sentenceOf(finding.remedy));
  setLine(confidence_, confidenceText(finding.confidence));
  mute_->setProperty("isMuted", isMuted);
  mute_->setText(isMuted ? tr("Tell of it again") : tr("Mute for 8 hours"));
  mute_->setToolTip(isMuted ? tr("It is muted") : tr("Do not tell of this finding of this run for a while"));
  mute_->setVisible(!finding.end);
  setAccessibleName(tr("%1: %2").arg(severityText(finding.severity), what_->text()));
  setAccessibleDescription(QStringList{cause_->text(), remedy_->text()}.join(QLatin1Char(' ')));
  for (QToolButton* button : {jump_, where_, mute_, copy_}) button->setAccessibleDescription(what_->text());
}

void RunFindingCard::setStacks(const StackAnswer& answer, bool canAsk) {
  stacks_->show(answer);
  where_->setVisible(!ranksToAsk(finding_).empty() && (canAsk || answer.isWaiting));
  where_->setEnabled(canAsk);
}

QWidget* RunFindingCard::stacks() const {
  return stacks_;
}

void RunFindingCard::setIcon() {
  const BadgeTone tone = finding_.end ? BadgeTone::Neutral : toneOf(finding_.severity);
  icon_->setPixmap(iconFor(tone).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  icon_->setAccessibleName(severityText(finding_.severity));
  icon_->setToolTip(plainToolTip(severityText(finding_.severity)));
}

void RunFindingCard::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) setIcon();
}

}  // namespace lockstep

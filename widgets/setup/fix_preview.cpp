// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/fix_preview.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/text/text_difference_view.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMinLines = 3;
constexpr int kMaxLines = 18;  // of the difference; more is scrolled
constexpr int kMaxCalls = 6;
constexpr int kIconSide = 18;

}  // namespace

FixPreview::FixPreview(QWidget* parent) : QFrame(parent), difference_(new TextDifferenceView(this)) {
  QWidget* calls = makeCalls();  // made in the order in which one comes to them by keyboard
  warning_ = makeWarning();
  difference_->setClosable(false);
  connect(difference_, &TextDifferenceView::closed, this, &FixPreview::closed);  // Escape in its list
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 4);
  column->setSpacing(8);
  column->addWidget(difference_);
  column->addWidget(calls);
  column->addWidget(warning_);
  column->addWidget(makeButtons());
}

QWidget* FixPreview::makeWarning() {
  auto* row = new QFrame(this);
  auto* icon = new PlainLabel(row);
  icon->setPixmap(iconFor(BadgeTone::Warning).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  auto* text =
      new PlainLabel(tr("Unsafe: this grants, opens or gives away more than other fixes do, so it waits "
                        "for your judgement. It can be taken back."),
                     row);
  text->setWordWrap(true);
  understood_ = new QCheckBox(tr("I &understand"), row);
  understood_->setAccessibleDescription(text->text());
  connect(understood_, &QCheckBox::toggled, this, &FixPreview::refresh);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(icon, 0, Qt::AlignTop);
  line->addWidget(text, 1);
  line->addWidget(understood_, 0, Qt::AlignTop);
  return row;
}

QWidget* FixPreview::makeCalls() {
  auto* area = new QWidget(this);
  callsTitle_ = new PlainLabel(area);
  makeCaption(callsTitle_);
  calls_ = new QPlainTextEdit(area);
  calls_->setReadOnly(true);
  calls_->setTabChangesFocus(true);
  calls_->setLineWrapMode(QPlainTextEdit::NoWrap);
  calls_->setFont(monospaceFont());
  calls_->setAccessibleName(tr("Calls that do it"));
  callsTitle_->setBuddy(calls_);
  auto* column = new QVBoxLayout(area);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  column->addWidget(callsTitle_);
  column->addWidget(calls_);
  return area;
}

QWidget* FixPreview::makeButtons() {
  auto* row = new QWidget(this);
  close_ = new QPushButton(tr("Close the preview"), row);
  doing_ = new PlainLabel(row);
  makeCaption(doing_);
  progress_ = new QProgressBar(row);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("The change is being made"));
  apply_ = new QPushButton(tr("&Apply"), row);
  apply_->setAccessibleDescription(tr("Makes exactly the change that is shown"));
  makePrimary(apply_);
  connect(close_, &QPushButton::clicked, this, &FixPreview::closed);
  connect(apply_, &QPushButton::clicked, this, &FixPreview::applyRequested);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(close_);
  line->addWidget(doing_);
  line->addWidget(progress_, 1);
  line->addStretch();
  line->addWidget(apply_);
  return row;
}

void FixPreview::showFix(const ProposedFix& fix) {
  isUnsafe_ = fix.isUnsafe;
  isWaiting_ = !fix.waitsFor.empty();
  understood_->setChecked(false);
  warning_->setVisible(isUnsafe_);
  difference_->setTexts(toQString(fix.before), fix.before.empty() ? tr("nothing yet") : tr("as it is"),
                        toQString(fix.after), tr("as it would be"));
  difference_->setVisible(!fix.before.empty() || !fix.after.empty());
  QStringList calls;
  for (const std::string& call : fix.calls) calls << toQString(call);
  calls_->setPlainText(calls.join(QLatin1Char('\n')));
  callsTitle_->setText(calls.isEmpty() ? tr("Nothing is asked of a service")
                                       : tr("Calls that do it (%Ln)", "", static_cast<int>(calls.size())));
  calls_->setVisible(!calls.isEmpty());
  fitCalls(static_cast<int>(calls.size()));
  fitDifference();
  setAccessibleName(tr("Preview: %1").arg(toQString(fix.title)));
  setApplying(false);
}

void FixPreview::fitDifference() {
  QListView* list = difference_->list();
  const int lines = std::clamp(difference_->model()->rowCount(), kMinLines, kMaxLines);
  const int row = std::max(list->sizeHintForRow(0), list->fontMetrics().height());
  list->setFixedHeight(lines * row + 2 * list->frameWidth() + 14);
}

void FixPreview::fitCalls(int lines) {
  const int shown = std::clamp(lines, 1, kMaxCalls);
  calls_->setFixedHeight(shown * calls_->fontMetrics().lineSpacing() + 26);
}

void FixPreview::setApplying(bool isApplying) {
  isApplying_ = isApplying;
  doing_->setText(isApplying ? tr("Applying …") : isWaiting_ ? waitingText() : QString());
  progress_->setVisible(isApplying);
  refresh();
}

void FixPreview::refresh() {
  close_->setEnabled(!isApplying_);
  understood_->setEnabled(!isApplying_);
  const bool isUnderstood = !isUnsafe_ || understood_->isChecked();
  apply_->setEnabled(!isApplying_ && !isWaiting_ && isUnderstood);
  apply_->setToolTip(plainToolTip(isWaiting_      ? waitingText()
                                  : !isUnderstood ? tr("Tick “I understand” first")
                                                  : tr("Makes exactly the change that is shown")));
}

QString FixPreview::waitingText() {
  return tr("The compartment is created first: in its step, or by making all changes");
}

void FixPreview::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !isApplying_) return emit closed();
  QFrame::keyPressEvent(event);
}

}  // namespace lockstep

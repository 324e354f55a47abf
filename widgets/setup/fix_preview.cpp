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

#include "widgets/common/plain_text.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/state_badge.h"
#include "widgets/common/text_difference_view.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

constexpr int kFewestLines = 3;
constexpr int kMostLines = 18;  // of the difference; more is scrolled
constexpr int kMostCalls = 6;
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
  understood_->setChecked(false);
  warning_->setVisible(isUnsafe_);
  difference_->setTexts(toQString(fix.before), fix.before.empty() ? tr("nothing yet") : tr("as it is"),
                        toQString(fix.after), tr("as it would be"));
  difference_->setVisible(!fix.before.empty() || !fix.after.empty());
  QStringList calls;
  for (const std::string& call : fix.calls) calls << toQString(call);
  calls_->setPlainText(calls.join(QLatin1Char('\n')));
  callsTitle_->setText(calls.isEmpty() ? tr("Nothing is asked of a service")
                                       : tr("Calls that do it (%n)", "", static_cast<int>(calls.size())));
  calls_->setVisible(!calls.isEmpty());
  fitCalls(static_cast<int>(calls.size()));
  fitDifference();
  setAccessibleName(tr("Preview: %1").arg(toQString(fix.title)));
  setApplying(false);
}

void FixPreview::fitDifference() {
  QListView* list = difference_->list();
  const int lines = std::clamp(difference_->model()->rowCount(), kFewestLines, kMostLines);
  const int row = std::max(list->sizeHintForRow(0), list->fontMetrics().height());
  list->setFixedHeight(lines * row + 2 * list->frameWidth() + 14);
}

void FixPreview::fitCalls(int lines) {
  const int shown = std::clamp(lines, 1, kMostCalls);
  calls_->setFixedHeight(shown * calls_->fontMetrics().lineSpacing() + 26);
}

void FixPreview::setApplying(bool isApplying) {
  isApplying_ = isApplying;
  doing_->setText(isApplying ? tr("Applying …") : QString());
  progress_->setVisible(isApplying);
  refresh();
}

void FixPreview::refresh() {
  close_->setEnabled(!isApplying_);
  understood_->setEnabled(!isApplying_);
  apply_->setEnabled(!isApplying_ && (!isUnsafe_ || understood_->isChecked()));
  apply_->setToolTip(isUnsafe_ && !understood_->isChecked() ? tr("Tick “I understand” first")
                                                            : tr("Makes exactly the change that is shown"));
}

void FixPreview::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !isApplying_) return emit closed();
  QFrame::keyPressEvent(event);
}

}  // namespace lockstep

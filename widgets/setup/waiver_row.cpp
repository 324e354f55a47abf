// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/waiver_row.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

WaiverRow::WaiverRow(QWidget* parent)
    : QFrame(parent),
      text_(new PlainLabel(this)),
      edit_(new QLineEdit(this)),
      waive_(new QPushButton(tr("&Waive"), this)),
      cancel_(new QPushButton(tr("Cancel"), this)),
      drop_(new QPushButton(tr("Check it after all"), this)) {
  makeCard(this);
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  edit_->setPlaceholderText(tr("such as “the network team looks after it”"));
  edit_->setAccessibleName(tr("Reason for waiving this step"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  row->addWidget(text_, 1);
  row->addWidget(edit_, 3);
  row->addWidget(waive_);
  row->addWidget(cancel_);
  row->addWidget(drop_);
  connect(edit_, &QLineEdit::textChanged, this, &WaiverRow::refresh);
  connect(edit_, &QLineEdit::returnPressed, this, &WaiverRow::submit);
  connect(waive_, &QPushButton::clicked, this, &WaiverRow::submit);
  connect(cancel_, &QPushButton::clicked, this, &WaiverRow::reset);
  connect(drop_, &QPushButton::clicked, this, &WaiverRow::dropped);
  refresh();
}

void WaiverRow::ask() {
  isAsking_ = true;
  refresh();
  edit_->setFocus(Qt::OtherFocusReason);
}

void WaiverRow::setReason(const QString& reason) {
  reason_ = reason;
  if (isWaived()) isAsking_ = false;
  refresh();
}

void WaiverRow::reset() {
  isAsking_ = false;
  edit_->clear();
  refresh();
}

void WaiverRow::submit() {
  const QString reason = edit_->text().trimmed();
  if (reason.isEmpty()) return;
  reset();
  emit waived(reason);
}

void WaiverRow::refresh() {
  const bool asks = isAsking_ && !isWaived();
  text_->setText(asks ? tr("Do not check this step, because") : tr("Waived: %1").arg(reason_));
  for (QWidget* widget :
       {static_cast<QWidget*>(edit_), static_cast<QWidget*>(waive_), static_cast<QWidget*>(cancel_)})
    widget->setVisible(asks);
  drop_->setVisible(isWaived());
  waive_->setEnabled(!edit_->text().trimmed().isEmpty());
  waive_->setToolTip(waive_->isEnabled() ? QString() : tr("Give a reason first"));
  setVisible(asks || isWaived());
}

void WaiverRow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && isAsking_) return reset();
  QFrame::keyPressEvent(event);
}

}  // namespace lockstep

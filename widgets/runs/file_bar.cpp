// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/file_bar.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

#include "widgets/common/layout/elided_label.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kSteps = 1000;

}  // namespace

FileBar::FileBar(QWidget* parent)
    : QFrame(parent),
      what_(new ElidedLabel(this)),
      details_(new ElidedLabel(this)),
      bar_(new QProgressBar(this)),
      cancel_(new QPushButton(themedIcon(QStringLiteral("cancel")), tr("Cancel"), this)) {
  bar_->setTextVisible(false);
  bar_->setMinimumWidth(100);
  bar_->setAccessibleName(tr("Done so far"));
  cancel_->setToolTip(tr("End this; nothing is left of it then"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  details_->setMuted(true);
  row->addWidget(what_, 1);
  row->addWidget(bar_, 1);
  row->addWidget(details_, 1);
  row->addWidget(cancel_);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    cancel_->setEnabled(false);
    emit cancelRequested();
  });
  hide();
}

void FileBar::begin(const QString& what) {
  what_->setText(what);
  cancel_->setAccessibleName(tr("Cancel: %1").arg(what));
  details_->setText({});
  bar_->setRange(0, 0);
  cancel_->setEnabled(true);
  show();
  emit runningChanged(true);
}

void FileBar::setProgress(double share, const QString& details) {
  details_->setText(details);
  if (share < 0) return;
  bar_->setRange(0, kSteps);
  bar_->setValue(std::clamp(static_cast<int>(share * kSteps), 0, kSteps));
}

void FileBar::end() {
  hide();
  emit runningChanged(false);
}

}  // namespace lockstep

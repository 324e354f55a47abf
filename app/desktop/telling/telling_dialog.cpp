// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/telling/telling_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

#include "telling/tell_webhook.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {

TellingDialog::TellingDialog(const TellingChoice& choice, bool canNotify, QWidget* parent)
    : QDialog(parent),
      least_(new QComboBox(this)),
      notifies_(new QCheckBox(tr("&Notifications of the desktop, while the window is not in front"), this)),
      command_(new QLineEdit(toQString(choice.targets.command), this)),
      webhook_(new QLineEdit(toQString(choice.targets.webhook), this)),
      problem_(new PlainLabel(this)) {
  setWindowTitle(tr("Be told of findings"));
  auto* intro = new PlainLabel(tr("Of the run whose page is open: each finding when it begins, none that is "
                                  "muted, and that the run has ended."),
                               this);
  intro->setWordWrap(true);
  least_->addItems({tr("Notices"), tr("Warnings"), tr("Critical findings")});
  least_->setCurrentIndex(static_cast<int>(choice.least));
  least_->setAccessibleName(tr("From which severity on"));
  notifies_->setChecked(choice.notifies);
  command_->setPlaceholderText(QStringLiteral("notify-team \"$LOCKSTEP_TITLE\""));
  command_->setAccessibleName(tr("Command"));
  command_->setToolTip(plainToolTip(
      tr("Run by /bin/sh; it gets one JSON document on its input, and variables such as LOCKSTEP_TITLE")));
  webhook_->setPlaceholderText(QStringLiteral("https://"));
  webhook_->setAccessibleName(tr("Webhook"));
  webhook_->setToolTip(
      plainToolTip(tr("The same document is posted there. The address is kept in the settings file, which "
                      "only you may read.")));
  problem_->setWordWrap(true);
  problem_->setAccessibleName(tr("What is wrong"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  ok_ = buttons->button(QDialogButtonBox::Ok);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* form = new QFormLayout(this);
  form->addRow(intro);
  form->addRow(tr("&From:"), least_);
  form->addRow(notifies_);
  if (!canNotify) {
    auto* none = new PlainLabel(tr("No notification service answers on this desktop."), this);
    none->setWordWrap(true);
    form->addRow(none);
  }
  form->addRow(tr("&Command:"), command_);
  form->addRow(tr("&Webhook:"), webhook_);
  form->addRow(problem_);
  form->addRow(buttons);
  connect(webhook_, &QLineEdit::textChanged, this, &TellingDialog::check);
  resize(520, sizeHint().height());
  check();
}

void TellingDialog::check() {
  const QString url = webhook_->text().trimmed();
  const auto usable = url.isEmpty() ? Result<void>() : checkWebhook(toStdString(url));
  problem_->setText(usable ? QString() : toShownText(describe(usable.error())));
  ok_->setEnabled(usable.has_value());
}

TellingChoice TellingDialog::choice() const {
  TellingChoice choice;
  choice.least = static_cast<FindingSeverity>(least_->currentIndex());
  choice.notifies = notifies_->isChecked();
  choice.targets.command = toStdString(command_->text().trimmed());
  choice.targets.webhook = toStdString(webhook_->text().trimmed());
  return choice;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/pass_phrase_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

PassPhraseDialog::PassPhraseDialog(const Question& question, QWidget* parent)
    : QDialog(parent), edit_(new QLineEdit(this)), keep_(new QCheckBox(this)) {
  setWindowTitle(tr("Pass phrase"));
  auto* title =
      new PlainLabel(tr("The private key of the profile %1 is encrypted").arg(question.profile), this);
  makeHeading(title);
  title->setWordWrap(true);
  auto* file = new PlainLabel(question.keyFile, this);
  makeCaption(file);
  file->setWordWrap(true);
  file->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* wrong = new MessageBar(this);
  if (question.isRetry) {
    wrong->showMessage(Severity::Error,
                       question.wasKept ? tr("The pass phrase kept in the keychain does not open this key.")
                                        : tr("That pass phrase does not open this key."),
                       {});
  }
  auto* label = new PlainLabel(tr("&Pass phrase:"), this);
  label->setBuddy(edit_);
  edit_->setEchoMode(QLineEdit::Password);
  edit_->setAccessibleName(tr("Pass phrase of the key"));
  edit_->setMinimumWidth(edit_->fontMetrics().averageCharWidth() * 48);
  keep_->setText(tr("&Keep it in the system's keychain"));
  keep_->setEnabled(question.canBeKept);
  if (!question.canBeKept)
    keep_->setToolTip(
        tr("No keychain answers on this computer: the pass phrase is kept until Lockstep ends"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  QPushButton* open = buttons->button(QDialogButtonBox::Ok);
  open->setText(tr("&Open the key"));
  makePrimary(open);
  open->setEnabled(false);
  connect(edit_, &QLineEdit::textChanged, open,
          [open](const QString& text) { open->setEnabled(!text.isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(8);
  for (QWidget* widget :
       {static_cast<QWidget*>(title), static_cast<QWidget*>(file), static_cast<QWidget*>(wrong),
        static_cast<QWidget*>(label), static_cast<QWidget*>(edit_), static_cast<QWidget*>(keep_),
        static_cast<QWidget*>(buttons)}) {
    layout->addWidget(widget);
  }
  edit_->setFocus();
}

QString PassPhraseDialog::passPhrase() const {
  return edit_->text();
}

bool PassPhraseDialog::isToBeKept() const {
  return keep_->isChecked();
}

}  // namespace lockstep

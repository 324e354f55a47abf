// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/secret_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

SecretDialog::SecretDialog(const QString& question, QWidget* parent)
    : QDialog(parent), edit_(new QLineEdit(this)) {
  setWindowTitle(tr("Secret"));
  auto* label = new PlainLabel(tr("Paste the %1").arg(question), this);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setBuddy(edit_);
  auto* note =
      new PlainLabel(tr("It is kept in the system's keychain, handed on without being shown, and written "
                        "into no file of Lockstep."),
                     this);
  note->setWordWrap(true);
  makeCaption(note);
  edit_->setEchoMode(QLineEdit::Password);
  edit_->setAccessibleName(question);
  edit_->setMinimumWidth(edit_->fontMetrics().averageCharWidth() * 48);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  QPushButton* use = buttons->button(QDialogButtonBox::Ok);
  use->setText(tr("&Use it"));
  makePrimary(use);
  use->setEnabled(false);
  connect(edit_, &QLineEdit::textChanged, use,
          [use](const QString& text) { use->setEnabled(!text.trimmed().isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(8);
  column->addWidget(label);
  column->addWidget(edit_);
  column->addWidget(note);
  column->addWidget(buttons);
  edit_->setFocus();
}

// Copied from a console, a token often brings a space or a line end along.
QString SecretDialog::secret() const {
  return edit_->text().trimmed();
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/name_dialog.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QVBoxLayout>

#include "metrics/layouts/dashboard_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

NameDialog::NameDialog(const QString& title, const QString& name,
                       std::function<Result<void>(const std::string&)> take, QWidget* parent)
    : QDialog(parent),
      take_(std::move(take)),
      name_(new QLineEdit(name, this)),
      mistake_(new PlainLabel(this)) {
  setWindowTitle(title);
  name_->setObjectName(QStringLiteral("layoutName"));
  name_->setAccessibleName(tr("Name of the layout"));
  name_->setMaxLength(static_cast<int>(DashboardLayout::kLongestText));
  name_->selectAll();
  mistake_->setObjectName(QStringLiteral("nameMistake"));
  mistake_->setWordWrap(true);
  mistake_->hide();
  QPalette colors = mistake_->palette();
  colors.setColor(QPalette::WindowText, errorColor(palette()));
  mistake_->setPalette(colors);
  auto* const label = new PlainLabel(tr("&Name of the layout"), this);
  label->setBuddy(name_);
  auto* const buttons = new QDialogButtonBox(this);
  buttons->addButton(tr("Save"), QDialogButtonBox::AcceptRole);
  buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  connect(buttons, &QDialogButtonBox::accepted, this, &NameDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &NameDialog::reject);
  auto* const column = new QVBoxLayout(this);
  for (QWidget* const part : std::initializer_list<QWidget*>{label, name_, mistake_, buttons})
    column->addWidget(part);
  resize(fontMetrics().averageCharWidth() * 60, sizeHint().height());
}

void NameDialog::accept() {
  const auto taken = take_(toStdString(name_->text().trimmed()));
  if (taken) return QDialog::accept();
  mistake_->setText(toQString(describe(taken.error())));
  mistake_->show();
  name_->setAccessibleDescription(mistake_->text());
  name_->setFocus();
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/pickers/clear_button.h"

#include <QAction>
#include <QEvent>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

/// The button draws its icon and nothing around it: the icon's colour has to tell the focus.
class FocusTint final : public QObject {
 public:
  explicit FocusTint(QToolButton* button) : QObject(button), button_(button) { tint(IconColor::Muted); }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::FocusIn) tint(IconColor::Accent);
    if (event->type() == QEvent::FocusOut) tint(IconColor::Muted);
    return QObject::eventFilter(watched, event);
  }

 private:
  void tint(IconColor color) { button_->setIcon(themedIcon(QStringLiteral("close"), color)); }

  QToolButton* button_;
};

}  // namespace

void addClearButton(QLineEdit* field, const QString& name) {
  const auto before = field->findChildren<QToolButton*>();
  field->setClearButtonEnabled(true);
  for (QToolButton* button : field->findChildren<QToolButton*>()) {
    if (before.contains(button)) continue;
    button->setAccessibleName(name);
    button->setToolTip(plainToolTip(name));
    button->setFocusPolicy(Qt::TabFocus);
    button->installEventFilter(new FocusTint(button));
    QWidget::setTabOrder(field, button);
  }
}

void addSearchIcon(QLineEdit* field, const QString& name) {
  QAction* icon =
      field->addAction(themedIcon(QStringLiteral("search"), IconColor::Muted), QLineEdit::LeadingPosition);
  icon->setText(name);
  QObject::connect(icon, &QAction::triggered, field, [field] { field->setFocus(Qt::OtherFocusReason); });
  for (QToolButton* button : field->findChildren<QToolButton*>())
    if (button->accessibleName().isEmpty()) button->setAccessibleName(name);
}

}  // namespace lockstep

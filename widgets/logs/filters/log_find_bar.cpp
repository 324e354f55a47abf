// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

LogFindBar::LogFindBar(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), result_(new PlainLabel(this)) {
  text_->setObjectName(QStringLiteral("findText"));
  text_->setPlaceholderText(tr("Find in the lines shown"));
  text_->setAccessibleName(tr("Find"));
  addSearchIcon(text_, tr("Find"));
  text_->setMaximumWidth(360);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(text_, 1);
  const auto addButton = [&](const QString& icon, const QString& toolTip, auto slot) {
    auto* button = new QToolButton(this);
    button->setIcon(themedIcon(icon));
    button->setToolTip(plainToolTip(toolTip));
    button->setAccessibleName(toolTip);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, slot);
    row->addWidget(button);
  };
  addButton(QStringLiteral("left"), tr("Find previous (Shift+F3)"), &LogFindBar::findPrevious);
  addButton(QStringLiteral("right"), tr("Find next (F3)"), &LogFindBar::findNext);
  row->addWidget(result_);
  row->addStretch(1);
  addButton(QStringLiteral("close"), tr("Close (Esc)"), &LogFindBar::close);
  connect(text_, &QLineEdit::textChanged, this, &LogFindBar::patternChanged);
  hide();
}

void LogFindBar::open(const QString& suggestion) {
  if (!suggestion.isEmpty()) text_->setText(suggestion);
  show();
  text_->setFocus(Qt::ShortcutFocusReason);
  text_->selectAll();
  emit patternChanged();
}

QString LogFindBar::text() const {
  return text_->text();
}

QRegularExpression LogFindBar::pattern() const {
  return isHidden() ? QRegularExpression()
                    : QRegularExpression(QRegularExpression::escape(text_->text()),
                                         QRegularExpression::CaseInsensitiveOption);
}

void LogFindBar::showResult(bool found) {
  result_->setText(found || text_->text().isEmpty() ? QString() : tr("Not found"));
}

void LogFindBar::close() {
  hide();
  result_->clear();
  emit patternChanged();
}

void LogFindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    if (event->modifiers() & Qt::ShiftModifier)
      emit findPrevious();
    else
      emit findNext();
    return;
  }
  QWidget::keyPressEvent(event);
}

}  // namespace lockstep

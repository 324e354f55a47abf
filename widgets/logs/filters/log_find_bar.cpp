// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/filters/log_search_field.h"

namespace lockstep {

LogFindBar::LogFindBar(QWidget* parent)
    : QWidget(parent),
      text_(new LogSearchField(QStringLiteral("findText"), tr("Find in the lines shown"), this)),
      result_(new PlainLabel(this)) {
  result_->setObjectName(QStringLiteral("findResult"));
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
  addButton(QStringLiteral("up"), tr("Find previous (Shift+F3)"), &LogFindBar::findPrevious);
  addButton(QStringLiteral("down"), tr("Find next (F3)"), &LogFindBar::findNext);
  row->addWidget(result_);
  addButton(QStringLiteral("close"), tr("Close (Esc)"), &LogFindBar::close);
  connect(text_, &LogSearchField::changed, this, &LogFindBar::searchChanged);
  hide();
}

void LogFindBar::open(const QString& suggestion) {
  show();
  if (!suggestion.isEmpty()) text_->setText(suggestion);
  text_->edit()->setFocus(Qt::ShortcutFocusReason);
  text_->edit()->selectAll();
  emit searchChanged();
}

QString LogFindBar::text() const {
  return text_->text();
}

std::optional<TextQuery> LogFindBar::query() const {
  return isHidden() ? std::nullopt : text_->query();
}

void LogFindBar::showTooHard(const Error& why) {
  text_->showTooHard(why);
}

QList<QRegularExpression> LogFindBar::patterns() const {
  return isHidden() ? QList<QRegularExpression>() : text_->patterns();
}

void LogFindBar::showResult(const QString& result) {
  result_->setText(result);
}

void LogFindBar::applyNow() {
  text_->applyNow();
}

void LogFindBar::close() {
  hide();
  result_->clear();
  emit searchChanged();
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

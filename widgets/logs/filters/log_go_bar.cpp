// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_go_bar.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "base/time_text.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

std::optional<LogPlace> parseLogPlace(const QString& typed, TimePoint day) {
  const QString text = typed.trimmed();
  bool isNumber = false;
  const qulonglong number = text.toULongLong(&isNumber);
  if (isNumber && number > 0) return LogPlace(static_cast<std::size_t>(number));
  if (const auto time = parseRfc3339(toStdString(text))) return LogPlace(*time);
  for (const char* format : {"HH:mm:ss.z", "HH:mm:ss", "HH:mm", "H:mm:ss", "H:mm"}) {
    const QTime time = QTime::fromString(text, QString::fromLatin1(format));
    if (time.isValid()) return LogPlace(toTimePoint(QDateTime(toQDateTime(day).toLocalTime().date(), time)));
  }
  for (const char* format :
       {"yyyy-MM-dd HH:mm:ss.z", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd"}) {
    const QDateTime time = QDateTime::fromString(text, QString::fromLatin1(format));
    const bool isInRange = time.isValid() && time.date().year() > 1678 && time.date().year() < 2261;
    if (isInRange) return LogPlace(toTimePoint(time));
  }
  return std::nullopt;
}

LogGoBar::LogGoBar(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), mistake_(new PlainLabel(this)) {
  text_->setObjectName(QStringLiteral("goText"));
  text_->setPlaceholderText(tr("Line number or time: 12345, 12:04:10, 2026-01-31 12:04"));
  text_->setAccessibleName(tr("Go to line or time"));
  text_->setMaxLength(100);
  mistake_->setObjectName(QStringLiteral("goMistake"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(text_, 1);
  row->addWidget(mistake_);
  auto* button = new QToolButton(this);
  button->setIcon(themedIcon(QStringLiteral("close")));
  button->setToolTip(tr("Close (Esc)"));
  button->setAccessibleName(button->toolTip());
  button->setAutoRaise(true);
  row->addWidget(button);
  connect(button, &QToolButton::clicked, this, &LogGoBar::close);
  connect(text_, &QLineEdit::textChanged, mistake_, &QLabel::clear);
  hide();
}

void LogGoBar::open(TimePoint day) {
  day_ = day;
  show();
  text_->setFocus(Qt::ShortcutFocusReason);
  text_->selectAll();
}

void LogGoBar::close() {
  hide();
  emit closed();
}

void LogGoBar::go() {
  const auto place = parseLogPlace(text_->text(), day_);
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, errorColor(colors));
  mistake_->setPalette(colors);
  mistake_->setText(place ? QString() : tr("This is no line number and no time"));
  text_->setAccessibleDescription(mistake_->text());
  if (!place) return;
  close();
  if (const auto* number = std::get_if<std::size_t>(&*place))
    emit lineWanted(*number);
  else
    emit timeWanted(std::get<TimePoint>(*place));
}

void LogGoBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return go();
  QWidget::keyPressEvent(event);
}

}  // namespace lockstep

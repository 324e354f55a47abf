// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_search_field.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/filters/log_highlighters.h"

namespace lockstep {
namespace {

constexpr int kTypingPauseMs = 150;

}  // namespace

LogSearchField::LogSearchField(const QString& name, const QString& placeholder, QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), mistake_(new PlainLabel(this)) {
  createField(name, placeholder);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(text_, 1);
  regex_ = addOption(QStringLiteral(".*"), tr("Regular expression"));
  caseSensitive_ = addOption(QStringLiteral("Aa"), tr("Match case"));
  row->addWidget(mistake_, 1);
  setFocusProxy(text_);
  pause_.setSingleShot(true);
  pause_.setInterval(kTypingPauseMs);
  connect(text_, &QLineEdit::textChanged, &pause_, qOverload<>(&QTimer::start));
  connect(&pause_, &QTimer::timeout, this, &LogSearchField::read);
  showMistake({});
}

void LogSearchField::createField(const QString& name, const QString& placeholder) {
  text_->setObjectName(name);
  text_->setPlaceholderText(placeholder);
  text_->setAccessibleName(placeholder);
  text_->setMinimumWidth(70);
  text_->setMaxLength(4096);
  addClearButton(text_, tr("Clear"));
  addSearchIcon(text_, placeholder);
  mistake_->setObjectName(name + QStringLiteral("Mistake"));
}

QAction* LogSearchField::addOption(const QString& text, const QString& toolTip) {
  auto* button = new QToolButton(this);
  auto* action = new QAction(text, this);
  action->setCheckable(true);
  action->setToolTip(plainToolTip(toolTip));
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setAccessibleName(toolTip);
  layout()->addWidget(button);
  connect(action, &QAction::toggled, this, &LogSearchField::read);
  return action;
}

QString LogSearchField::text() const {
  return text_->text();
}

void LogSearchField::setText(const QString& text) {
  text_->setText(text);
  read();
}

void LogSearchField::clear() {
  const QSignalBlocker blocker(text_);
  text_->clear();
  read();
}

void LogSearchField::applyNow() {
  if (pause_.isActive()) read();
}

void LogSearchField::read() {
  pause_.stop();
  const QString mistake = compile();
  showMistake(mistake);
  if (mistake.isEmpty()) emit changed();
}

QString LogSearchField::compile() {
  const QString text = text_->text();
  if (text.trimmed().isEmpty()) {
    query_.reset();
    patterns_.clear();
    return {};
  }
  const bool isExact = caseSensitive_->isChecked();
  const auto query = regex_->isChecked() ? TextQuery::of({toStdString(text), true, isExact})
                                         : TextQuery::parse(toStdString(text), isExact);
  if (!query) {
    const Error& why = query.error();
    return asSentence(why.where.empty() ? why.cause : why.where + ": " + why.cause);
  }
  query_ = *query;
  patterns_.clear();
  const auto options =
      isExact ? QRegularExpression::NoPatternOption : QRegularExpression::CaseInsensitiveOption;
  for (const TextTerm& term : query->positiveTerms()) {
    const QString wanted = toQString(term.text);
    const QRegularExpression pattern = term.isRegex
                                           ? boundedExpression(wanted, options)
                                           : QRegularExpression(QRegularExpression::escape(wanted), options);
    if (pattern.isValid()) patterns_ << pattern;
  }
  return {};
}

// It names the expression, which may be another field's.
void LogSearchField::showTooHard(const Error& why) {
  const QString what = toQString(why.what);
  const QString expression = what.sliced(1, std::max<qsizetype>(1, what.lastIndexOf(QLatin1Char('\''))) - 1);
  if (query_ && !pause_.isActive() && text().contains(expression))
    showMistake(asSentence(why.what + ": " + why.cause));
}

QString LogSearchField::mistake() const {
  return mistake_->text();
}

void LogSearchField::showMistake(const QString& mistake) {
  const bool isNew = mistake != mistake_->text();
  mistake_->setText(mistake);
  mistake_->setToolTip(plainToolTip(mistake));
  mistake_->setVisible(!mistake.isEmpty());
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, errorColor(palette()));
  mistake_->setPalette(colors);
  const QString help =
      tr("Lines with all of these words. \"exact phrase\", -without, AND, OR, NOT, parentheses and "
         "/expressions/: "
         "nccl (timeout OR abort) -heartbeat. With .* all of it is a regular expression.");
  text_->setToolTip(plainToolTip(help));
  text_->setAccessibleDescription(mistake.isEmpty() ? help : mistake);
  if (isNew) emit mistakeChanged(mistake);
}

QJsonObject LogSearchField::saveState() const {
  return {{QStringLiteral("text"), text_->text()},
          {QStringLiteral("regex"), regex_->isChecked()},
          {QStringLiteral("case"), caseSensitive_->isChecked()}};
}

void LogSearchField::restoreState(const QJsonObject& state) {
  {
    const QSignalBlocker textBlocker(text_), regexBlocker(regex_), caseBlocker(caseSensitive_);
    text_->setText(state[QStringLiteral("text")].toString());
    regex_->setChecked(state[QStringLiteral("regex")].toBool());
    caseSensitive_->setChecked(state[QStringLiteral("case")].toBool());
  }
  read();
}

void LogSearchField::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && regex_ != nullptr) showMistake(mistake());
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_search_field.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSignalBlocker>
#include <QToolButton>

#include "logs/text/word_query.h"
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
  const bool isExact = caseSensitive_->isChecked();
  if (text.trimmed().isEmpty()) {
    matcher_ = nullptr;
    patterns_.clear();
    return {};
  }
  if (regex_->isChecked()) return compileExpression(text);
  const auto query = parseWordQuery(toStdString(text));
  if (!query) return asSentence(query.error().cause);
  matcher_ = matcherOf(*query, isExact);
  patterns_.clear();
  for (const std::string& wanted : wantedTexts(*query))
    patterns_ << QRegularExpression(
        QRegularExpression::escape(toQString(wanted)),
        isExact ? QRegularExpression::NoPatternOption : QRegularExpression::CaseInsensitiveOption);
  return {};
}

QString LogSearchField::compileExpression(const QString& text) {
  // Told later: a line is looked at while the view is being filled.
  const auto tooHard = [field = QPointer<LogSearchField>(this), text](const Error& why) {
    if (!field) return;
    QTimer::singleShot(0, field, [field, text, why] {
      if (field->text() == text) field->showMistake(asSentence(why.what + ": " + why.cause));
    });
  };
  const bool isExact = caseSensitive_->isChecked();
  auto matcher = regexMatcher(toStdString(text), isExact, tooHard);
  if (!matcher) return asSentence(matcher.error().cause);
  matcher_ = *std::move(matcher);
  const QRegularExpression pattern = boundedExpression(
      text, isExact ? QRegularExpression::NoPatternOption : QRegularExpression::CaseInsensitiveOption);
  patterns_.clear();
  if (pattern.isValid()) patterns_ << pattern;
  return {};
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
      tr("Lines with all of these words. \"exact phrase\", -without, AND, OR, NOT and parentheses: "
         "nccl (timeout OR abort) -heartbeat. With .* a regular expression.");
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

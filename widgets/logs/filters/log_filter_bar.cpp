// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_filter_bar.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_model.h"

namespace lockstep {
namespace {

constexpr int kTypingPauseMs = 150;

QPixmap rankSwatch(Rank rank, const QPalette& palette) {
  QPixmap swatch(14, 14);
  swatch.fill(rankColor(rank, palette));
  return swatch;
}

}  // namespace

LogFilterBar::LogFilterBar(QWidget* parent) : QWidget(parent) {
  createFields();
  arrange();
  rebuildRankMenu();
}

void LogFilterBar::createFields() {
  rankButton_ = new QPushButton(this);
  rankButton_->setObjectName(QStringLiteral("rankFilter"));
  rankButton_->setToolTip(tr("Show only lines of some ranks"));
  rankMenu_ = new QMenu(this);
  rankButton_->setMenu(rankMenu_);

  level_ = new QComboBox(this);
  level_->setObjectName(QStringLiteral("levelFilter"));
  level_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  level_->setMinimumContentsLength(8);
  level_->setToolTip(tr("Show only lines of this level and above"));
  level_->setAccessibleDescription(level_->toolTip());
  level_->addItem(tr("All levels"), static_cast<int>(LogLevel::Debug));
  level_->addItem(tr("Info and above"), static_cast<int>(LogLevel::Info));
  level_->addItem(tr("Warnings and errors"), static_cast<int>(LogLevel::Warning));
  level_->addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
  connect(level_, &QComboBox::currentIndexChanged, this, &LogFilterBar::filterChanged);

  text_ = new QLineEdit(this);
  text_->setObjectName(QStringLiteral("textFilter"));
  text_->setPlaceholderText(tr("Filter lines"));
  text_->setAccessibleName(tr("Filter lines by text"));
  addClearButton(text_, tr("Clear the filter"));
  addSearchIcon(text_, tr("Filter lines"));
  auto* pause = new QTimer(this);
  pause->setSingleShot(true);
  pause->setInterval(kTypingPauseMs);
  connect(text_, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
  connect(text_, &QLineEdit::returnPressed, this, &LogFilterBar::onTextChanged);
  connect(pause, &QTimer::timeout, this, &LogFilterBar::onTextChanged);
  regex_ = addOption(QStringLiteral(".*"), tr("Regular expression"));
  caseSensitive_ = addOption(QStringLiteral("Aa"), tr("Match case"));

  error_ = new PlainLabel(this);
  error_->setObjectName(QStringLiteral("expressionError"));
  error_->setTextFormat(Qt::PlainText);
  error_->hide();
}

QAction* LogFilterBar::addOption(const QString& text, const QString& toolTip) {
  auto* button = new QToolButton(this);
  auto* action = new QAction(text, this);
  action->setCheckable(true);
  action->setToolTip(plainToolTip(toolTip));
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setAccessibleName(toolTip);
  connect(action, &QAction::toggled, this, &LogFilterBar::onTextChanged);
  return action;
}

void LogFilterBar::arrange() {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(rankButton_);
  row->addWidget(level_);
  row->addWidget(text_, 1);
  for (auto* button : findChildren<QToolButton*>())
    if (button->parent() == this) row->addWidget(button);
  row->addWidget(error_, 1);
  text_->setMinimumWidth(70);
}

void LogFilterBar::setRanks(const std::vector<Rank>& ranks) {
  if (ranks == ranks_) return;
  ranks_ = ranks;
  rebuildRankMenu();
}

void LogFilterBar::showOnlyRank(Rank rank) {
  chosen_ = {rank};
  rebuildRankMenu();
  emit filterChanged();
}

void LogFilterBar::showAll() {
  chosen_.clear();
  {
    const QSignalBlocker levelBlocker(level_);
    const QSignalBlocker textBlocker(text_);
    level_->setCurrentIndex(0);
    text_->clear();
  }
  compile();
  rebuildRankMenu();
  emit filterChanged();
}

void LogFilterBar::rebuildRankMenu() {
  rankMenu_->clear();
  QAction* all = rankMenu_->addAction(tr("All ranks"));
  connect(all, &QAction::triggered, this, [this] {
    chosen_.clear();
    rebuildRankMenu();
    emit filterChanged();
  });
  rankMenu_->addSeparator();
  const auto addChoice = [this](const QString& text, std::optional<Rank> rank) {
    QAction* choice = rankMenu_->addAction(text);
    choice->setCheckable(true);
    choice->setChecked(std::find(chosen_.begin(), chosen_.end(), rank) != chosen_.end());
    if (rank) choice->setIcon(rankSwatch(*rank, palette()));
    connect(choice, &QAction::toggled, this, [this, rank](bool on) {
      std::erase(chosen_, rank);
      if (on) chosen_.push_back(rank);
      updateRankButton();
      emit filterChanged();
    });
  };
  for (const Rank rank : ranks_) addChoice(tr("Rank %1").arg(rank.value), rank);
  addChoice(tr("Node agents"), std::nullopt);
  updateRankButton();
}

void LogFilterBar::updateRankButton() {
  QString text = tr("All ranks");
  if (chosen_.size() == 1)
    text = chosen_.front() ? tr("Rank %1").arg(chosen_.front()->value) : tr("Node agents");
  else if (chosen_.size() > 1)
    text = tr("%n ranks", nullptr, static_cast<int>(chosen_.size()));
  rankButton_->setText(text);
}

void LogFilterBar::onTextChanged() {
  compile();
  if (expressionError().isEmpty()) emit filterChanged();
}

void LogFilterBar::compile() {
  const QString text = text_->text();
  showError({});
  if (text.isEmpty()) {
    matcher_ = nullptr;
  } else if (!regex_->isChecked()) {
    matcher_ = literalMatcher(toStdString(text), caseSensitive_->isChecked());
  } else {
    // Told later: a line is looked at while the view is being filled.
    const auto tooHard = [bar = QPointer<LogFilterBar>(this), text](const Error& why) {
      QTimer::singleShot(0, bar, [bar, text, why] {
        if (bar->text_->text() == text) bar->showError(asSentence(why.what + ": " + why.cause));
      });
    };
    auto matcher = regexMatcher(toStdString(text), caseSensitive_->isChecked(), tooHard);
    if (!matcher) return showError(asSentence(matcher.error().cause));
    matcher_ = *std::move(matcher);
  }
}

void LogFilterBar::showError(const QString& error) {
  error_->setText(error);
  error_->setToolTip(plainToolTip(error));
  error_->setVisible(!error.isEmpty());
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, errorColor(palette()));
  error_->setPalette(colors);
  text_->setAccessibleDescription(error);
}

QString LogFilterBar::expressionError() const {
  return error_->text();
}

LogFilter LogFilterBar::filter() const {
  LogFilter filter;
  filter.ranks = chosen_;
  filter.minLevel = static_cast<LogLevel>(level_->currentData().toInt());
  filter.text = matcher_;
  return filter;
}

QByteArray LogFilterBar::saveState() const {
  const QJsonObject state{{QStringLiteral("level"), level_->currentIndex()},
                          {QStringLiteral("text"), text_->text()},
                          {QStringLiteral("regex"), regex_->isChecked()},
                          {QStringLiteral("case"), caseSensitive_->isChecked()}};
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void LogFilterBar::restoreState(const QByteArray& state) {
  const QJsonObject object = QJsonDocument::fromJson(state).object();
  if (object.isEmpty()) return;
  {
    const QSignalBlocker levelBlocker(level_);
    const QSignalBlocker textBlocker(text_);
    const QSignalBlocker regexBlocker(regex_);
    const QSignalBlocker caseBlocker(caseSensitive_);
    level_->setCurrentIndex(std::clamp(object[QStringLiteral("level")].toInt(), 0, level_->count() - 1));
    text_->setText(object[QStringLiteral("text")].toString());
    regex_->setChecked(object[QStringLiteral("regex")].toBool());
    caseSensitive_->setChecked(object[QStringLiteral("case")].toBool());
  }
  onTextChanged();
}

void LogFilterBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && rankMenu_) {
    rebuildRankMenu();
    showError(expressionError());
  }
}

}  // namespace lockstep

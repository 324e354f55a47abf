// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_filter_bar.h"

#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "widgets/common/layout/elided_combo.h"
#include "widgets/logs/filters/log_words.h"

namespace lockstep {

LogFilterBar::LogFilterBar(QWidget* parent)
    : QWidget(parent),
      ranks_(new LogRankMenu(this)),
      level_(new ElidedCombo(this)),
      times_(new LogTimeMenu(this)),
      text_(new LogSearchField(QStringLiteral("textFilter"), tr("Filter lines"), this)),
      chips_(new LogFilterChips(this)) {
  createFields();
  // As narrow as they may become in a narrow window, in which the search is worth more than their whole texts.
  const int letter = fontMetrics().averageCharWidth();
  ranks_->setMinimumWidth(letter * 10);
  level_->setMinimumWidth(letter * 9);
  times_->setMinimumWidth(letter * 9);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(ranks_);
  row->addWidget(level_);
  row->addWidget(times_);
  row->addWidget(text_, 1);
  connect(ranks_, &LogRankMenu::chosenChanged, this, &LogFilterBar::change);
  connect(ranks_, &LogRankMenu::chosenChanged, this, &LogFilterBar::ranksChosen);
  connect(level_, &QComboBox::currentIndexChanged, this, &LogFilterBar::change);
  connect(times_, &LogTimeMenu::timesChanged, this, &LogFilterBar::change);
  connect(times_, &LogTimeMenu::timesChanged, this, &LogFilterBar::timesChosen);
  connect(text_, &LogSearchField::changed, this, &LogFilterBar::change);
  connect(chips_, &LogFilterChips::clearRequested, this, &LogFilterBar::showAll);
}

void LogFilterBar::createFields() {
  level_->setObjectName(QStringLiteral("levelFilter"));
  level_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  level_->setMinimumContentsLength(8);
  level_->setToolTip(tr("Show only lines of this level and above"));
  level_->setAccessibleDescription(level_->toolTip());
  level_->addItem(tr("All levels"), static_cast<int>(LogLevel::Debug));
  level_->addItem(tr("Info and above"), static_cast<int>(LogLevel::Info));
  level_->addItem(tr("Warnings and errors"), static_cast<int>(LogLevel::Warning));
  level_->addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
}

void LogFilterBar::setRanks(const std::vector<Rank>& ranks) {
  ranks_->setRanks(ranks);
}

void LogFilterBar::setNodes(const std::vector<std::string>& nodes) {
  ranks_->setNodes(nodes);
}

void LogFilterBar::showOnlyRanks(const std::vector<Rank>& ranks) {
  ranks_->choose({ranks.begin(), ranks.end()}, ranks_->nodes());
  change();
}

void LogFilterBar::setTimes(const LogTimeMenu::Times& times) {
  if (times == times_->times()) return;
  times_->setTimes(times);
  change();
}

std::vector<Rank> LogFilterBar::shownRanks() const {
  std::vector<Rank> ranks;
  for (const auto& rank : ranks_->ranks())
    if (rank) ranks.push_back(*rank);
  return ranks;
}

void LogFilterBar::showAll() {
  const bool hadRanks = !shownRanks().empty();
  ranks_->choose({}, {});
  const bool hadTimes = times_->times() != LogTimeMenu::Times{};
  times_->setTimes({});
  {
    const QSignalBlocker levelBlocker(level_), textBlocker(text_);
    level_->setCurrentIndex(0);
    text_->clear();
  }
  change();
  if (hadTimes) emit timesChosen();
  if (hadRanks) emit ranksChosen();
}

void LogFilterBar::focusText() {
  text_->edit()->setFocus(Qt::ShortcutFocusReason);
  text_->edit()->selectAll();
}

void LogFilterBar::change() {
  chips_->setChips(currentChips());
  emit filterChanged();
}

std::vector<LogFilterChips::Chip> LogFilterBar::currentChips() {
  std::vector<LogFilterChips::Chip> chips;
  const auto add = [&chips](const char* name, const QString& text, std::function<void()> remove) {
    if (!text.isEmpty()) chips.push_back({QString::fromLatin1(name), text, std::move(remove)});
  };
  add("rankChip", ranks_->ranksText(), [this] {
    showOnlyRanks({});
    emit ranksChosen();
  });
  add("nodeChip", ranks_->nodesText(), [this] {
    ranks_->choose(ranks_->ranks(), {});
    change();
  });
  add("levelChip", level_->currentIndex() > 0 ? level_->currentText() : QString(),
      [this] { level_->setCurrentIndex(0); });
  add("timeChip", timesText(times_->times().from, times_->times().until), [this] {
    setTimes({});
    emit timesChosen();
  });
  add("textChip", text_->query() ? text_->text() : QString(), [this] { text_->clear(); });
  return chips;
}

QString LogFilterBar::expressionError() const {
  return text_->mistake();
}

void LogFilterBar::showTooHard(const Error& why) {
  text_->showTooHard(why);
}

LogQuery LogFilterBar::filter() const {
  LogQuery filter;
  filter.ranks = ranks_->ranks();
  filter.nodes = ranks_->nodes();
  filter.minLevel = static_cast<LogLevel>(level_->currentData().toInt());
  filter.from = times_->times().from;
  if (const auto until = times_->times().until)
    filter.to = *until == TimePoint::max() ? until : *until + std::chrono::nanoseconds(1);
  filter.text = text_->query();
  return filter;
}

QByteArray LogFilterBar::saveState() const {
  QJsonObject state = text_->saveState();
  state[QStringLiteral("level")] = level_->currentIndex();
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void LogFilterBar::restoreState(const QByteArray& state) {
  const QJsonObject object = QJsonDocument::fromJson(state).object();
  if (object.isEmpty()) return;
  {
    const QSignalBlocker levelBlocker(level_), textBlocker(text_);
    level_->setCurrentIndex(std::clamp(object[QStringLiteral("level")].toInt(), 0, level_->count() - 1));
    text_->restoreState(object);
  }
  change();
}

}  // namespace lockstep

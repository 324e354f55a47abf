// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_view.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QSplitter>
#include <QToolButton>
#include <algorithm>

#include "widgets/logs/filters/log_filter_bar.h"
#include "widgets/logs/filters/log_find_bar.h"
#include "widgets/logs/filters/log_go_bar.h"
#include "widgets/logs/filters/log_highlighters_dialog.h"
#include "widgets/logs/follow_button.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_navigation.h"
#include "widgets/logs/log_status.h"
#include "widgets/logs/log_table.h"

namespace lockstep {

LogView::LogView(QWidget* parent)
    : QWidget(parent),
      lines_(new LogLines(this)),
      model_(new LogModel(lines_, this)),
      table_(new LogTable(model_, this)),
      matches_(new LogMatches(model_, this)),
      navigation_(new LogNavigation(table_)),
      filter_(new LogFilterBar(this)),
      findBar_(new LogFindBar(this)),
      goBar_(new LogGoBar(this)),
      status_(new LogStatus(this)),
      panes_(new QSplitter(Qt::Vertical, this)),
      follow_(makeFollowButton(table_, this)),
      fold_(new QToolButton(this)),
      colors_(new QToolButton(this)),
      save_(new QToolButton(this)) {
  createTools();
  createActions();
  arrange();
  connectParts();
  updateCounts();
}

LogView::~LogView() = default;

void LogView::connectParts() {
  connect(filter_, &LogFilterBar::filterChanged, this, &LogView::applyFilter);
  connect(filter_, &LogFilterBar::timesChosen, this, [this] {
    const LogTimeMenu::Times& times = filter_->timeMenu()->times();
    emit timesChosen(times.from, times.until);
  });
  connect(filter_, &LogFilterBar::ranksChosen, this, [this] { emit ranksChosen(filter_->shownRanks()); });
  connect(findBar_, &LogFindBar::findNext, this, &LogView::findNext);
  connect(findBar_, &LogFindBar::findPrevious, this, &LogView::findPrevious);
  connect(findBar_, &LogFindBar::searchChanged, this, &LogView::applySearch);
  connect(goBar_, &LogGoBar::lineWanted, navigation_, &LogNavigation::goToNumber);
  connect(goBar_, &LogGoBar::timeWanted, navigation_, &LogNavigation::goToTime);
  connect(goBar_, &LogGoBar::closed, table_, qOverload<>(&QWidget::setFocus));
  connect(navigation_, &LogNavigation::said, status_, &LogStatus::say);
  connect(table_, &LogTable::rowActivated, this, &LogView::activate);
  for (const LogTable* table : {table_, matches_->table()})
    connect(table, &LogTable::copiedPart, this, [this](int lines) {
      status_->say(tr("Copied the first %1 lines; save them to have all").arg(QLocale().toString(lines)));
    });
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    status_->say({});
    updateTimes();
  });
  connect(matches_, &LogMatches::lineWanted, this, [this](quint64 line) {
    navigation_->showLine(line);
    activate(table_->currentIndex().row());
  });
  connect(matches_, &LogMatches::changed, this,
          [this] { findBar_->showResult(matches_->resultText(navigation_->current())); });
  connect(matches_->model(), &LogModel::scanAdvanced, this, &LogView::goToFound);
  connect(model_, &LogModel::scanAdvanced, this, &LogView::updateCounts);
  connect(model_, &LogModel::scanAdvanced, this, &LogView::goToLastError);
  connect(model_, &LogModel::tooHard, filter_, &LogFilterBar::showTooHard);
  connect(matches_->model(), &LogModel::tooHard, findBar_, &LogFindBar::showTooHard);
}

void LogView::setSearchers(const MakeLogSearcher& make) {
  model_->setSearcher(make());
  matches_->model()->setSearcher(make());
}

void LogView::setLog(std::shared_ptr<const LogSnapshot> log) {
  if (!log || log == lines_->log()) return;
  lines_->setLog(std::move(log));
  updateRanks();
  updateTimes();
  updateCounts();
}

void LogView::clear() {
  isErrorWanted_ = false;
  wantedMatch_.reset();
  serviceKeeps_.reset();
  lines_->clear();
  knownRanks_.clear();
  updateRanks();
  updateTimes();
  updateCounts();
  status_->say({});
  status_->setRetention(std::nullopt, {});
  table_->setFollowing(true);
}

void LogView::setRanks(const std::vector<Rank>& ranks) {
  knownRanks_ = ranks;
  updateRanks();
}

void LogView::showOnlyRanks(const std::vector<Rank>& ranks) {
  filter_->showOnlyRanks(ranks);
}

void LogView::setTimeWindow(std::optional<std::pair<TimePoint, TimePoint>> window) {
  filter_->setTimes(window ? LogTimeMenu::Times{window->first, window->second} : LogTimeMenu::Times{});
}

void LogView::setEnd(std::optional<TimePoint> end) {
  model_->setEnd(end);
  matches_->model()->setEnd(end);
  updateCounts();
}

void LogView::setCursorTime(std::optional<TimePoint> time) {
  table_->setCursorTime(time);
  const int row = time ? model_->rowAtTime(*time) : -1;
  if (row < 0) return;
  table_->setFollowing(false);
  table_->scrollTo(model_->index(row, LogModel::TimeColumn), QAbstractItemView::EnsureVisible);
}

void LogView::setRetention(std::optional<TimePoint> serviceHasUntil) {
  status_->setRetention(serviceHasUntil, SystemClock().now());
}

void LogView::setRetention(std::chrono::days serviceKeeps) {
  serviceKeeps_ = serviceKeeps;
  updateTimes();
}

void LogView::activate(int row) {
  if (row < 0) return;
  const LogLineView line = model_->lineAt(row);
  emit lineActivated(line.time, line.rank);
}

void LogView::updateRanks() {
  std::vector<Rank> ranks = lines_->ranks();
  ranks.insert(ranks.end(), knownRanks_.begin(), knownRanks_.end());
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  filter_->setRanks(ranks);
  filter_->setNodes(lines_->nodes());
}

void LogView::updateTimes() {
  const std::uint64_t count = lines_->size();
  const auto timeOf = [this](std::uint64_t line) { return lines_->line(line).time; };
  const auto current = navigation_->current();
  filter_->timeMenu()->setNewest(count > 0 ? std::optional(timeOf(count - 1)) : std::nullopt);
  if (serviceKeeps_ && count > 0) setRetention(timeOf(0) + *serviceKeeps_);
  filter_->timeMenu()->setChosen(current ? std::optional(timeOf(*current)) : std::nullopt);
}

void LogView::applyFilter() {
  isErrorWanted_ = false;
  table_->keepPlace();
  model_->setFilter(filter_->filter());
  table_->restorePlace();
  if (matches_->isSearching()) matches_->search(findBar_->query());
  updateCounts();
}

void LogView::applySearch() {
  wantedMatch_.reset();
  matches_->search(findBar_->query());
  applyHighlights();
  if (findBar_->isHidden()) table_->setFocus();
}

void LogView::applyHighlights() {
  QList<LogHighlight> highlights;
  for (int i = 0; i < LogHighlighters::kMost; ++i) {
    const QRegularExpression pattern = patternOf(highlighters_.words[static_cast<std::size_t>(i)]);
    if (!pattern.pattern().isEmpty() && pattern.isValid()) highlights.append({pattern, i});
  }
  for (const QRegularExpression& pattern : findBar_->patterns()) highlights.append({pattern, -1});
  table_->setHighlights(highlights);
  matches_->table()->setHighlights(highlights);
}

void LogView::updateCounts() {
  status_->showCounts(*model_, isReadingPast_);
  table_->setEmptyText(emptyLogText(*model_, filling_));
  save_->setEnabled(lines_->size() > 0);
}

void LogView::setFilling(Filling filling) {
  if (filling == filling_) return;
  filling_ = filling;
  updateCounts();
}

void LogView::setReadingPast(bool isReading) {
  if (isReading == isReadingPast_) return;
  isReadingPast_ = isReading;
  updateCounts();
}

void LogView::showLastError(std::optional<Rank> rank) {
  filter_->showAll();
  if (rank) showOnlyRank(*rank);
  isErrorWanted_ = true;
  goToLastError();
}

void LogView::goToLastError() {
  if (!isErrorWanted_ || model_->rowCount() == 0) return;
  const LineSet& errors = model_->errors();
  const std::optional<std::uint64_t> last =
      errors.isEmpty() ? std::nullopt : std::optional(errors.at(errors.size() - 1));
  if (model_->knownFrom() > last.value_or(0)) return;  // there may be a later one
  isErrorWanted_ = false;
  navigation_->showLine(last.value_or(model_->lineOfRow(model_->rowCount() - 1)));
  table_->scrollTo(table_->currentIndex().siblingAtColumn(LogModel::TimeColumn),
                   QAbstractItemView::PositionAtCenter);
  table_->setFocus();
}

LogExtract LogView::allLines() const {
  return {lines_->log(), LineSet::all(lines_->size())};
}

void LogView::openFind() {
  findBar_->open({});
}
void LogView::findNext() {
  find(true);
}
void LogView::findPrevious() {
  find(false);
}

void LogView::find(bool forward) {
  findBar_->applyNow();
  if (!matches_->isSearching()) return openFind();
  wantedMatch_ = forward;
  goToFound();
}

void LogView::goToFound() {
  if (!wantedMatch_) return;
  const auto line = matches_->next(navigation_->current(), *wantedMatch_);
  if (!line && matches_->model()->isScanning()) return;
  wantedMatch_.reset();
  if (line) navigation_->showLine(*line);
  findBar_->showResult(matches_->resultText(navigation_->current()));
}

void LogView::openGo() {
  const auto current = navigation_->current();
  const std::uint64_t count = lines_->size();
  if (count > 0) goBar_->open(lines_->line(current.value_or(count - 1)).time);
}

void LogView::editHighlighters() {
  auto* dialog = new LogHighlightersDialog(highlighters_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &LogHighlightersDialog::highlightersChanged, this, [this](const LogHighlighters& changed) {
    highlighters_ = changed;
    applyHighlights();
  });
  dialog->show();
}

// What is searched for gets a colour that stays; without a search, the colour is free again.
void LogView::colorWord(int number) {
  highlighters_.words[static_cast<std::size_t>(number)] = {
      findBar_->isHidden() ? QString() : findBar_->text(), false};
  applyHighlights();
}

void LogView::setFolding(bool isOn) {
  table_->keepPlace();
  model_->setFolding(isOn);
  table_->restorePlace();
}

QByteArray LogView::saveState() const {
  QJsonObject state = QJsonDocument::fromJson(filter_->saveState()).object();
  state[QStringLiteral("words")] = toJson(highlighters_);
  state[QStringLiteral("fold")] = model_->isFolding();
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void LogView::restoreState(const QByteArray& state) {
  const QJsonObject object = QJsonDocument::fromJson(state).object();
  filter_->restoreState(state);
  highlighters_ = highlightersOf(object[QStringLiteral("words")].toArray());
  fold_->setChecked(object[QStringLiteral("fold")].toBool(true));
  applyHighlights();
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_view.h"

#include <QAction>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_filter_bar.h"
#include "widgets/logs/log_find_bar.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"

namespace lockstep {

LogView::LogView(QWidget* parent)
    : QWidget(parent),
      model_(new LogModel(this)),
      table_(new LogTable(model_, this)),
      filter_(new LogFilterBar(this)),
      findBar_(new LogFindBar(this)),
      follow_(new QToolButton(this)),
      save_(new QToolButton(this)),
      counts_(new PlainLabel(this)) {
  createActions();
  createMenu();
  arrange();
  connect(filter_, &LogFilterBar::filterChanged, this, &LogView::applyFilter);
  connect(findBar_, &LogFindBar::findNext, this, &LogView::findNext);
  connect(findBar_, &LogFindBar::findPrevious, this, &LogView::findPrevious);
  connect(findBar_, &LogFindBar::patternChanged, this, [this] {
    table_->setHighlight(findBar_->pattern());
    if (findBar_->isHidden()) table_->setFocus();
  });
  updateCounts();
}

void LogView::createActions() {
  follow_->setObjectName(QStringLiteral("follow"));
  follow_->setCheckable(true);
  follow_->setChecked(true);
  follow_->setText(tr("Follow"));
  follow_->setIcon(themedIcon(QStringLiteral("follow")));
  follow_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  follow_->setToolTip(tr("Keep the newest line in sight (End). Scrolling up ends it."));
  follow_->setAutoRaise(true);
  connect(follow_, &QToolButton::toggled, table_, &LogTable::setFollowing);
  connect(table_, &LogTable::followingChanged, follow_, &QToolButton::setChecked);

  save_->setObjectName(QStringLiteral("saveLines"));
  save_->setIcon(themedIcon(QStringLiteral("save")));
  save_->setToolTip(tr("Save shown lines…"));
  save_->setAccessibleName(save_->toolTip());
  save_->setAutoRaise(true);
  connect(save_, &QToolButton::clicked, this, [this] { emit saveRequested(shownText()); });

  const auto addShortcut = [this](const QKeySequence& keys, auto slot) {
    auto* action = new QAction(this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
  };
  addShortcut(QKeySequence::Find, &LogView::openFind);
  addShortcut(QKeySequence(Qt::Key_F3), &LogView::findNext);
  addShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), &LogView::findPrevious);
}

void LogView::createMenu() {
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  const auto addItem = [this](const QString& icon, const QString& text, const QKeySequence& keys,
                              auto receiver, auto slot) {
    auto* action = new QAction(themedIcon(icon), text, table_);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, receiver, slot);
    table_->addAction(action);
  };
  addItem(QStringLiteral("copy"), tr("Copy lines"), QKeySequence::Copy, table_, &LogTable::copySelection);
  addItem(QStringLiteral("search"), tr("Find…"), {}, this, &LogView::openFind);
  addItem(QStringLiteral("save"), tr("Save shown lines…"), {}, save_, &QToolButton::click);
}

void LogView::arrange() {
  auto* top = new ToolRow(this);
  top->addWidget(filter_, 1);
  top->addButton(follow_);
  top->addButton(save_);
  counts_->setObjectName(QStringLiteral("counts"));
  makeCaption(counts_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(top);
  column->addWidget(findBar_);
  column->addWidget(table_, 1);
  column->addWidget(counts_);
  setFocusProxy(table_);
  setAccessibleRole(this, QAccessible::Pane);  // the table is focused, not what is around it
}

void LogView::addLines(const std::vector<LogLine>& lines) {
  if (lines.empty()) return;
  model_->addLines(lines);
  updateRanks();
  updateCounts();
}

void LogView::clear() {
  model_->clear();
  knownRanks_.clear();
  updateRanks();
  updateCounts();
  table_->setFollowing(true);
}

void LogView::setRanks(const std::vector<Rank>& ranks) {
  knownRanks_ = ranks;
  updateRanks();
}

void LogView::showOnlyRank(Rank rank) {
  filter_->showOnlyRank(rank);
}

void LogView::updateRanks() {
  std::vector<Rank> ranks = model_->book().ranks();
  ranks.insert(ranks.end(), knownRanks_.begin(), knownRanks_.end());
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  filter_->setRanks(ranks);
}

void LogView::applyFilter() {
  table_->keepPlace();
  model_->setFilter(filter_->filter());
  table_->restorePlace();
  updateCounts();
}

void LogView::updateCounts() {
  const auto all = static_cast<qlonglong>(model_->book().size());
  const auto hidden = static_cast<qlonglong>(model_->hiddenCount());
  const QLocale locale;
  QString text = all == 1 ? tr("1 line") : tr("%1 lines").arg(locale.toString(all));
  if (hidden > 0) text = tr("%1, %2 hidden by filter").arg(text, locale.toString(hidden));
  const auto dropped = static_cast<qlonglong>(model_->droppedCount());
  if (dropped > 0)
    text = tr("%1; %2 older lines are left out here, and are in the log").arg(text, locale.toString(dropped));
  counts_->setText(all == 0 ? QString() : text);
  if (all == 0)
    table_->setEmptyText(emptyText());
  else
    table_->setEmptyText(tr("The filter hides all %1 lines.").arg(locale.toString(all)));
  save_->setEnabled(model_->rowCount() > 0);
}

QString LogView::emptyText() const {
  switch (filling_) {
    case Filling::Loading:
      return tr("Loading the lines …");
    case Filling::Live:
      return tr("No lines yet: the first arrive when a node has started.");
    case Filling::Ended:
      return tr("This run left no lines.");
    case Filling::Stopped:
      return tr("The lines were not loaded.");
    case Filling::Unreadable:
      break;
  }
  return tr("The lines cannot be read now.");
}

void LogView::setFilling(Filling filling) {
  if (filling == filling_) return;
  filling_ = filling;
  updateCounts();
}

void LogView::showLastError(std::optional<Rank> rank) {
  filter_->showAll();
  if (rank) filter_->showOnlyRank(*rank);
  int row = model_->rowCount() - 1;
  while (row >= 0 && model_->lineAt(row).level != LogLevel::Error) --row;
  if (row < 0) row = model_->rowCount() - 1;
  if (row < 0) return;
  table_->setFollowing(false);
  table_->setCurrentIndex(model_->index(row, LogModel::TextColumn));
  table_->scrollTo(model_->index(row, LogModel::TimeColumn), QAbstractItemView::PositionAtCenter);
  table_->setFocus();
}

QString LogView::shownText() const {
  QString text;
  for (int row = 0; row < model_->rowCount(); ++row) text += model_->copyText(row) + QLatin1Char('\n');
  return text;
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
  if (findBar_->isHidden() || findBar_->text().isEmpty()) return openFind();
  const QRegularExpression pattern = findBar_->pattern();
  const auto wanted = [&pattern](std::string_view line) { return pattern.match(toQString(line)).hasMatch(); };
  const QModelIndex current = table_->currentIndex();
  const int from = current.isValid() ? current.row() : forward ? -1 : model_->rowCount();
  const int row = model_->findRow(wanted, from, forward);
  findBar_->showResult(row >= 0);
  if (row < 0) return;
  table_->setFollowing(false);
  table_->setCurrentIndex(model_->index(row, LogModel::TextColumn));
  table_->scrollTo(model_->index(row, LogModel::TimeColumn), QAbstractItemView::EnsureVisible);
}

QByteArray LogView::saveState() const {
  return filter_->saveState();
}
void LogView::restoreState(const QByteArray& state) {
  filter_->restoreState(state);
}

}  // namespace lockstep

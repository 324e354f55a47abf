// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_rank_menu.h"

#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QPixmap>
#include <QPointer>
#include <QWidgetAction>
#include <algorithm>

#include "base/bounds.h"
#include "metrics/rank_list.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

QPixmap rankSwatch(Rank rank, const QPalette& palette) {
  QPixmap swatch(14, 14);
  swatch.fill(rankColor(rank, palette));
  return swatch;
}

std::vector<Rank> ranksOf(const LogRankMenu::Choice& choice) {
  std::vector<Rank> ranks;
  for (const auto& rank : choice)
    if (rank) ranks.push_back(*rank);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

/// '&' marks a key in a menu.
QString menuText(const std::string& name) {
  return toShownLine(name).replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

LogRankMenu::LogRankMenu(QWidget* parent) : ElidedButton(parent), menu_(new QMenu(this)) {
  setObjectName(QStringLiteral("rankFilter"));
  setToolTip(tr("Show only lines of some ranks and nodes"));
  setAccessibleDescription(toolTip());
  setMenu(menu_);
  rebuild();
}

void LogRankMenu::setRanks(const std::vector<Rank>& ranks) {
  if (ranks == ranks_) return;
  ranks_ = ranks;
  rebuild();
}

void LogRankMenu::setNodes(const std::vector<std::string>& nodes) {
  if (nodes == nodes_) return;
  nodes_ = nodes;
  rebuild();
}

void LogRankMenu::choose(Choice ranks, std::vector<std::string> nodes) {
  chosen_ = std::move(ranks);
  chosenNodes_ = std::move(nodes);
  rebuild();
}

void LogRankMenu::rebuild() {
  menu_->clear();
  QAction* all = menu_->addAction(tr("All ranks and nodes"));
  connect(all, &QAction::triggered, this, [this] {
    choose({}, {});
    emit chosenChanged();
  });
  menu_->addSeparator();
  for (std::size_t i = 0; i < std::min(ranks_.size(), kMaxEntries); ++i)
    addRank(tr("Rank %1").arg(ranks_[i].value), ranks_[i]);
  addRank(tr("Node agents"), std::nullopt);
  addRankList();
  addNodes();
  change();
}

void LogRankMenu::addRank(const QString& text, std::optional<Rank> rank) {
  QAction* choice = menu_->addAction(text);
  choice->setCheckable(true);
  choice->setChecked(std::find(chosen_.begin(), chosen_.end(), rank) != chosen_.end());
  if (rank) choice->setIcon(rankSwatch(*rank, palette()));
  connect(choice, &QAction::toggled, this, [this, rank](bool on) {
    std::erase(chosen_, rank);
    if (on) chosen_.push_back(rank);
    change();
    emit chosenChanged();
  });
}

void LogRankMenu::addRankList() {
  if (ranks_.size() < 3) return;
  menu_->addSeparator();
  auto* field = new QLineEdit(menu_);
  field->setObjectName(QStringLiteral("rankList"));
  field->setPlaceholderText(tr("Ranks, e.g. 0-3, 17"));
  field->setAccessibleName(tr("Ranks to show, as a list"));
  field->setText(toQString(rankListText(ranksOf(chosen_))));
  auto* entry = new QWidgetAction(menu_);
  entry->setDefaultWidget(field);
  menu_->addAction(entry);
  // Queued: the menu is made anew, and the field with it.
  connect(
      field, &QLineEdit::returnPressed, this,
      [this, known = QPointer<QLineEdit>(field)] {
        if (known) readRankList(known);
      },
      Qt::QueuedConnection);
}

void LogRankMenu::readRankList(QLineEdit* field) {
  const auto ranks = parseRankList(toStdString(field->text()), kMaxRanks);
  QPalette colors = palette();
  if (!ranks) colors.setColor(QPalette::Text, errorColor(colors));
  field->setPalette(colors);
  const QString mistake = ranks ? QString() : toQString(describe(ranks.error()));
  field->setToolTip(plainToolTip(mistake));
  field->setAccessibleDescription(mistake);
  if (!ranks) return;
  const Choice choice(ranks->begin(), ranks->end());
  menu_->close();
  choose(choice, chosenNodes_);
  emit chosenChanged();
}

void LogRankMenu::addNodes() {
  if (nodes_.size() < 2) return;
  menu_->addSeparator();
  for (std::size_t i = 0; i < std::min(nodes_.size(), kMaxEntries); ++i) {
    const std::string node = nodes_[i];
    QAction* choice = menu_->addAction(tr("Node %1").arg(menuText(node)));
    choice->setCheckable(true);
    choice->setChecked(std::find(chosenNodes_.begin(), chosenNodes_.end(), node) != chosenNodes_.end());
    connect(choice, &QAction::toggled, this, [this, node](bool on) {
      std::erase(chosenNodes_, node);
      if (on) chosenNodes_.push_back(node);
      change();
      emit chosenChanged();
    });
  }
}

QString LogRankMenu::ranksText() const {
  const std::vector<Rank> ranks = ranksOf(chosen_);
  const bool hasAgents = ranks.size() < chosen_.size();
  if (ranks.empty()) return hasAgents ? tr("Node agents") : QString();
  const QString list = toQString(rankListText(ranks));
  const QString text = ranks.size() == 1 ? tr("Rank %1").arg(list) : tr("Ranks %1").arg(list);
  return hasAgents ? tr("%1 and node agents").arg(text) : text;
}

QString LogRankMenu::nodesText() const {
  QStringList names;
  for (const std::string& node : chosenNodes_) names << toShownLine(node);
  if (names.isEmpty()) return {};
  return names.size() == 1 ? tr("Node %1").arg(names.front())
                           : tr("Nodes %1").arg(names.join(QStringLiteral(", ")));
}

void LogRankMenu::change() {
  QString text = tr("All ranks");
  if (chosen_.size() == 1)
    text = ranksText();
  else if (!chosen_.empty())
    text = tr("%Ln ranks", nullptr, static_cast<int>(chosen_.size()));
  else if (!chosenNodes_.empty())
    text = tr("%Ln node(s)", nullptr, static_cast<int>(chosenNodes_.size()));
  setText(text);
}

void LogRankMenu::changeEvent(QEvent* event) {
  ElidedButton::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && menu_ != nullptr) rebuild();
}

}  // namespace lockstep

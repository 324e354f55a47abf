// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_legend.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "health/health_text.h"
#include "widgets/common/text/number_text.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kSample = 18;  // length of the line sample
constexpr int kGap = 5;
constexpr int kSpacing = 14;

constexpr float kFaded = 0.35F;

}  // namespace

RankLegend::RankLegend(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(tr("Ranks"));
}

void RankLegend::setRanks(const std::vector<Rank>& ranks) {
  if (ranks == ranks_) return;
  ranks_ = ranks;
  focused_ = 0;
  std::erase_if(hidden_,
                [&](Rank rank) { return std::find(ranks.begin(), ranks.end(), rank) == ranks.end(); });
  describe();
}

void RankLegend::setStale(const std::vector<StaleRank>& stale) {
  std::map<Rank, QString> silentFor;
  stale_.clear();
  for (const StaleRank& one : stale) {
    silentFor[one.rank] = toQString(lastingText(one.behind));
    stale_[one.rank] = one;
  }
  if (silentFor == silentFor_) return;
  silentFor_ = std::move(silentFor);
  describe();
}

void RankLegend::describe() {
  QStringList names;
  for (const Rank rank : ranks_) names.append(nameOf(rank));
  setAccessibleDescription(names.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

QString RankLegend::nameOf(Rank rank) const {
  const auto silent = silentFor_.find(rank);
  const QString name = tr("Rank %1").arg(rank.value);
  return silent == silentFor_.end() ? name : tr("%1, silent for %2").arg(name, silent->second);
}

QString RankLegend::toolTipOf(Rank rank) const {
  const QString action = tr("Show or hide rank %1").arg(rank.value);
  const auto stale = stale_.find(rank);
  if (stale == stale_.end()) return action;
  return tr("%1\nNo sample since %2, after step %3, while other ranks went on")
      .arg(action, clockTimeText(stale->second.since), QLocale().toString(stale->second.lastStep));
}

int RankLegend::entryWidth(Rank rank) const {
  return kSample + kGap + fontMetrics().horizontalAdvance(nameOf(rank));
}

QSize RankLegend::sizeHint() const {
  int width = 0;
  for (const Rank rank : ranks_) width += entryWidth(rank) + kSpacing;
  return {std::min(width, 700), fontMetrics().height() + 6};
}

QSize RankLegend::minimumSizeHint() const {
  return {60, fontMetrics().height() + 6};
}

std::vector<RankLegend::Entry> RankLegend::layoutEntries() const {
  std::vector<Entry> entries;
  const int rest = fontMetrics().horizontalAdvance(QStringLiteral("+9999")) + kSpacing;
  int x = 2;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const int width = entryWidth(ranks_[i]);
    const int needed = i + 1 == ranks_.size() ? width : width + rest;
    if (x + needed > this->width()) break;
    entries.push_back({ranks_[i], QRect(x, 0, width, height())});
    x += width + kSpacing;
  }
  return entries;
}

void RankLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto entries = layoutEntries();
  int end = 2;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [rank, place] = entries[i];
    const bool isHidden = hidden_.contains(rank);
    QColor color = rankColor(rank, palette());
    const bool isFaded = isHidden || silentFor_.contains(rank);
    if (isFaded) color.setAlphaF(kFaded);
    painter.setPen(QPen(color, 3, rankPenStyle(rank), Qt::FlatCap));
    painter.drawLine(place.left(), place.center().y() + 1, place.left() + kSample, place.center().y() + 1);
    painter.setPen(isFaded ? mutedColor(palette()) : palette().color(QPalette::WindowText));
    QFont font = this->font();
    font.setStrikeOut(isHidden);
    painter.setFont(font);
    painter.drawText(place.adjusted(kSample + kGap, 0, 4, 0), Qt::AlignVCenter | Qt::AlignLeft, nameOf(rank));
    if (hasFocus() && i == focused_) {
      painter.setPen(QPen(accentColor(palette()), 1));
      painter.drawRoundedRect(QRectF(place).adjusted(-2, 1, 3, -1), 3, 3);
    }
    end = place.right() + kSpacing;
  }
  if (entries.size() == ranks_.size()) return;
  painter.setPen(mutedColor(palette()));
  painter.drawText(QRect(end, 0, width() - end, height()), Qt::AlignVCenter | Qt::AlignLeft,
                   QStringLiteral("+%1").arg(ranks_.size() - entries.size()));
}

void RankLegend::toggle(Rank rank) {
  if (!hidden_.erase(rank)) hidden_.insert(rank);
  update();
  emit hiddenRanksChanged();
}

void RankLegend::mousePressEvent(QMouseEvent* event) {
  for (const auto& [rank, place] : layoutEntries())
    if (place.contains(event->position().toPoint())) return toggle(rank);
  QWidget::mousePressEvent(event);
}

void RankLegend::keyPressEvent(QKeyEvent* event) {
  const auto entries = layoutEntries();
  if (entries.empty()) return QWidget::keyPressEvent(event);
  focused_ = std::min(focused_, entries.size() - 1);
  if (event->key() == Qt::Key_Right && focused_ + 1 < entries.size())
    ++focused_;
  else if (event->key() == Qt::Key_Left && focused_ > 0)
    --focused_;
  else if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return)
    return toggle(entries[focused_].rank);
  else
    return QWidget::keyPressEvent(event);
  update();
}

bool RankLegend::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const auto& [rank, place] : layoutEntries())
    if (place.contains(help->pos())) {
      QToolTip::showText(help->globalPos(), plainToolTip(toolTipOf(rank)), this, place);
      return true;
    }
  QToolTip::hideText();
  return true;
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_delegate.h"

#include <QPainter>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_model.h"

namespace lockstep {
namespace {

constexpr int kPadding = 4;
constexpr double kMatchTint = 0.45;
constexpr int kOneLine = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine;
constexpr int kLongestDrawn = 4000;  // characters of a line; all of it is copied and saved

void paintChip(QPainter* painter, const QStyleOptionViewItem& option, const QString& text, Rank rank) {
  const int height = option.fontMetrics.height() - 1;
  const int width = std::min(option.rect.width() - 4,
                             std::max(option.fontMetrics.horizontalAdvance(text) + 10, height + 4));
  QRect chip(0, 0, width, height);
  chip.moveCenter(option.rect.center());
  const QColor color = rankColor(rank, option.palette);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(color);
  painter->drawRoundedRect(chip, 4, 4);
  painter->setPen(readableOn(color));
  painter->drawText(chip, Qt::AlignCenter, text);
}

QColor textColor(const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (option.state & QStyle::State_Selected) return option.palette.color(QPalette::HighlightedText);
  const auto level = static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt());
  if (level == LogLevel::Error) return errorColor(option.palette);
  if (level == LogLevel::Warning) return warningColor(option.palette);
  const bool isQuiet = index.column() != LogModel::TextColumn || level == LogLevel::Debug;
  return isQuiet ? mutedColor(option.palette) : option.palette.color(QPalette::Text);
}

}  // namespace

void LogDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  painter->save();
  painter->setClipRect(cell.rect);
  painter->setFont(cell.font);
  if (cell.state & QStyle::State_Selected)
    painter->fillRect(cell.rect, cell.palette.brush(QPalette::Highlight));
  const int rank = index.data(LogModel::RankRole).toInt();
  if (index.column() == LogModel::RankColumn && rank >= 0)
    paintChip(painter, cell, cell.text, Rank(rank));
  else
    paintText(painter, cell, index);
  painter->restore();
}

void LogDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const QRect rect = option.rect.adjusted(kPadding, 0, -kPadding, 0);
  const QString text = option.text.left(kLongestDrawn);
  painter->setPen(textColor(option, index));
  const QString shown = index.column() == LogModel::TextColumn
                            ? text
                            : option.fontMetrics.elidedText(text, Qt::ElideRight, rect.width());
  painter->drawText(rect, kOneLine, shown);
  if (index.column() == LogModel::TextColumn)
    paintMatches(painter, rect, option.fontMetrics, text, option.palette);
}

void LogDelegate::paintMatches(QPainter* painter, const QRect& rect, const QFontMetrics& metrics,
                               const QString& text, const QPalette& palette) const {
  if (highlight_.pattern().isEmpty()) return;
  QRegion matched;
  for (auto matches = highlight_.globalMatch(text); matches.hasNext();) {
    const auto match = matches.next();
    if (match.capturedLength() == 0) continue;
    const int from = metrics.horizontalAdvance(text, static_cast<int>(match.capturedStart()));
    const int to = metrics.horizontalAdvance(text, static_cast<int>(match.capturedEnd()));
    matched += QRect(rect.left() + from, rect.top(), to - from, rect.height());
  }
  if (matched.isEmpty()) return;
  // In the colour of plain text: that of an error or of a selected row cannot be read on this ground.
  painter->setClipRegion(matched, Qt::IntersectClip);
  painter->fillRect(rect, tinted(palette.color(QPalette::Base), warningColor(palette), kMatchTint));
  painter->setPen(palette.color(QPalette::Text));
  painter->drawText(rect, kOneLine, text);
}

}  // namespace lockstep

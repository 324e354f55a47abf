// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_delegate.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_model.h"

namespace lockstep {
namespace {

constexpr int kPadding = 4;
constexpr int kOneLine = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine;

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

bool isSelected(const QStyleOptionViewItem& option) {
  return option.state & QStyle::State_Selected;
}

QColor textColor(const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (isSelected(option)) return option.palette.color(QPalette::HighlightedText);
  const auto level = static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt());
  if (level == LogLevel::Error) return errorColor(option.palette);
  if (level == LogLevel::Warning) return warningColor(option.palette);
  const bool isQuiet = index.column() != LogModel::TextColumn || level == LogLevel::Debug;
  return isQuiet ? mutedColor(option.palette) : option.palette.color(QPalette::Text);
}

/// A ribbon, as one lays into a book.
void paintMark(QPainter* painter, const QRectF& box, const QColor& color) {
  const double width = box.height() * 0.5;
  const QRectF ribbon(box.left() + 2, box.top() + box.height() * 0.15, width, box.height() * 0.7);
  QPainterPath path(ribbon.topLeft());
  path.lineTo(ribbon.topRight());
  path.lineTo(ribbon.bottomRight());
  path.lineTo(ribbon.center().x(), ribbon.bottom() - width * 0.5);
  path.lineTo(ribbon.bottomLeft());
  path.closeSubpath();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->fillPath(path, color);
}

/// Points right while lines are folded, down when they are not.
void paintFold(QPainter* painter, const QRectF& box, bool isFolded, const QColor& color) {
  const QPointF center = box.center();
  const double size = box.height() * 0.25;
  QPolygonF arrow;
  if (isFolded)
    arrow << QPointF(-size * 0.6, -size) << QPointF(-size * 0.6, size) << QPointF(size * 0.8, 0);
  else
    arrow << QPointF(-size, -size * 0.6) << QPointF(size, -size * 0.6) << QPointF(0, size * 0.8);
  arrow.translate(center);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(color);
  painter->drawPolygon(arrow);
}

void drawFormatted(QPainter* painter, const QRect& rect, const QFont& font, const LogText& shown) {
  QTextLayout layout(shown.text, font);
  QTextOption whole;
  whole.setWrapMode(QTextOption::NoWrap);
  layout.setTextOption(whole);
  layout.setFormats(shown.formats);
  layout.beginLayout();
  const QTextLine line = layout.createLine();
  layout.endLayout();
  layout.draw(painter, {static_cast<double>(rect.left()), rect.top() + (rect.height() - line.height()) / 2});
}

}  // namespace

int LogDelegate::gutterWidth(const QFontMetrics& metrics) {
  return metrics.height();
}

void LogDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  painter->save();
  painter->setClipRect(cell.rect);
  painter->setFont(cell.font);
  if (isSelected(cell)) painter->fillRect(cell.rect, cell.palette.brush(QPalette::Highlight));
  const int rank = index.data(LogModel::RankRole).toInt();
  if (index.column() == LogModel::TimeColumn)
    paintTime(painter, cell, index);
  else if (index.column() == LogModel::TextColumn)
    paintText(painter, cell, index);
  else if (index.column() == LogModel::RankColumn && rank >= 0)
    paintChip(painter, cell, cell.text, Rank(rank));
  else {
    const QRect rect = cell.rect.adjusted(kPadding, 0, -kPadding, 0);
    painter->setPen(textColor(cell, index));
    painter->drawText(rect, kOneLine, cell.fontMetrics.elidedText(cell.text, Qt::ElideRight, rect.width()));
  }
  if (index.row() == cursorRow_)
    painter->fillRect(QRect(cell.rect.left(), cell.rect.bottom() - 1, cell.rect.width(), 2),
                      accentColor(cell.palette));
  painter->restore();
}

void LogDelegate::paintTime(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const int gutter = gutterWidth(option.fontMetrics);
  const QRect rect = option.rect.adjusted(gutter, 0, -kPadding, 0);
  painter->setPen(textColor(option, index));
  painter->drawText(rect, kOneLine, option.text);
  if (index.data(LogModel::MarkRole).toBool()) {
    const QColor color =
        isSelected(option) ? option.palette.color(QPalette::HighlightedText) : accentColor(option.palette);
    paintMark(painter, QRectF(option.rect.left(), option.rect.top(), gutter, option.rect.height()), color);
  }
}

void LogDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const int gutter = gutterWidth(option.fontMetrics);
  QRect rect = option.rect.adjusted(gutter, 0, -kPadding, 0);
  const QColor color = textColor(option, index);
  const auto fold = static_cast<LogModel::Fold>(index.data(LogModel::FoldRole).toInt());
  const QColor quiet = isSelected(option) ? color : mutedColor(option.palette);
  if (fold == LogModel::Fold::Folded || fold == LogModel::Fold::Unfolded)
    paintFold(painter, QRectF(option.rect.left(), option.rect.top(), gutter, option.rect.height()),
              fold == LogModel::Fold::Folded, quiet);
  if (fold == LogModel::Fold::Inner)
    painter->fillRect(QRect(option.rect.left() + gutter / 2, option.rect.top(), 1, option.rect.height()),
                      quiet);
  if (fold == LogModel::Fold::Folded) {
    const QString count = QStringLiteral("+%1 ").arg(index.data(LogModel::CountRole).toInt());
    painter->setPen(quiet);
    painter->drawText(rect, kOneLine, count);
    rect.setLeft(rect.left() + option.fontMetrics.horizontalAdvance(count));
  }
  const LogText shown = logTextOf(index.data(LogModel::RawRole).toByteArray(), highlights_, option.palette,
                                  color, isSelected(option));
  painter->setPen(color);
  if (shown.formats.isEmpty())
    painter->drawText(rect, kOneLine, shown.text);
  else
    drawFormatted(painter, rect, option.font, shown);
}

}  // namespace lockstep

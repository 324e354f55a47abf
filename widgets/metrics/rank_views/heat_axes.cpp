// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/heat_axes.h"

#include <QFontMetrics>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "widgets/common/theme/rank_palette.h"

namespace lockstep {
namespace {

constexpr int kGap = 6;
constexpr int kTick = 4;
constexpr double kMaxOfPicture = 0.22;  // for names of nodes
constexpr double kChosenWidth = 4;      // of the colour of a chosen rank, pixels

int widthOfRanks(const HeatRows& rows, const QFontMetrics& font) {
  int most = 0;
  for (const Rank rank : rows.ranks) most = std::max(most, rank.value);
  return font.horizontalAdvance(QString::number(most));
}

/// Ranks at round distances: of rows that are too low for a label each.
int rowsPerLabel(double rowHeight, int labelHeight) {
  int count = 1;
  while (count * rowHeight < labelHeight) count *= 2;
  return count;
}

void paintRanks(QPainter& painter, const HeatRows& rows, const HeatView& view, const QRectF& area) {
  const QFontMetrics font = painter.fontMetrics();
  const double rowHeight = area.height() / (view.bottom - view.top);
  const int step = rowsPerLabel(rowHeight, font.height());
  const int width = widthOfRanks(rows, font);
  const int first = std::max(0, static_cast<int>(std::floor(view.top))) / step * step;
  for (int row = first; row < static_cast<int>(rows.ranks.size()) && row < view.bottom; row += step) {
    const double middle = view.yOf(row + 0.5, area);
    if (middle < area.top() || middle > area.bottom()) continue;
    const QRectF place(area.left() - kGap - width, middle - font.height() / 2.0, width, font.height());
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(rows.ranks[static_cast<std::size_t>(row)].value));
  }
}

}  // namespace

QString HeatRows::nodeOf(int row) const {
  const auto found = std::ranges::find_if(
      nodes, [row](const Node& node) { return row >= node.firstRow && row < node.firstRow + node.rows; });
  return found == nodes.end() ? QString() : found->name;
}

std::vector<double> roundSteps(double from, double to, int most) {
  const double least = std::max(1.0, (to - from) / std::max(1, most));
  double distance = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (distance * factor >= least) {
      distance *= factor;
      break;
    }
  std::vector<double> steps;
  for (double step = std::ceil(from / distance) * distance; step <= to; step += distance) {
    steps.push_back(step);
    if (step + distance == step) break;  // beyond what a double tells apart
  }
  return steps;
}

QString stepText(double step) {
  const QLocale locale;
  if (std::fabs(step) >= 1e6) return locale.toString(step / 1e6, 'g', 6) + QLatin1Char('M');
  return locale.toString(static_cast<qlonglong>(step));
}

int widthOfRowLabels(const HeatRows& rows, const QFontMetrics& font, int pictureWidth) {
  int names = 0;
  for (const HeatRows::Node& node : rows.nodes) names = std::max(names, font.horizontalAdvance(node.name));
  if (names > 0) names = std::min(names, static_cast<int>(pictureWidth * kMaxOfPicture)) + kGap;
  return names + widthOfRanks(rows, font) + 2 * kGap;
}

void paintStepLabels(QPainter& painter, const HeatView& view, const QRectF& area, const QString& word) {
  const QFontMetrics font = painter.fontMetrics();
  const int widest = font.horizontalAdvance(stepText(view.to)) + 4 * kGap;
  const double top = area.bottom() + kTick;
  const QRectF wordPlace(area.right() - font.horizontalAdvance(word), top, font.horizontalAdvance(word) + 1,
                         font.height());
  painter.drawText(wordPlace, Qt::AlignLeft | Qt::AlignTop, word);
  // A step stands for itself and not for the line before it, so its label is below its middle.
  for (const double step :
       roundSteps(view.from, view.to - 1, static_cast<int>(area.width()) / std::max(1, widest))) {
    const double x = view.xOf(step + 0.5, area);
    const QString text = stepText(step);
    const int width = font.horizontalAdvance(text);
    const double left = std::max(area.left(), x - width / 2.0);
    if (left + width + kGap > wordPlace.left()) continue;
    painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + kTick - 1));
    painter.drawText(QRectF(left, top, width + 1, font.height()), Qt::AlignLeft | Qt::AlignTop, text);
  }
}

void paintRowLabels(QPainter& painter, const HeatRows& rows, const HeatView& view, const QRectF& area,
                    const QColor& line) {
  paintRanks(painter, rows, view, area);
  const QFontMetrics font = painter.fontMetrics();
  const double right = area.left() - 2 * kGap - widthOfRanks(rows, font);
  double free = area.top() - font.height();  // where the next name has room
  for (const HeatRows::Node& node : rows.nodes) {
    const double top = view.yOf(node.firstRow, area), bottom = view.yOf(node.firstRow + node.rows, area);
    if (bottom <= area.top() || top >= area.bottom()) continue;
    // Lines that would be closer than this would hide the cells.
    if (top > area.top() && bottom - top >= 3) {
      const QPen text = painter.pen();
      painter.setPen(QPen(line, 1));
      painter.drawLine(QPointF(area.left(), std::round(top)), QPointF(area.right(), std::round(top)));
      painter.setPen(text);
    }
    const double place = (std::max(top, area.top()) + std::min(bottom, area.bottom()) - font.height()) / 2;
    if (place < free || right < kGap) continue;
    free = place + font.height();
    painter.drawText(QRectF(0, place, right, font.height()), Qt::AlignRight | Qt::AlignVCenter,
                     font.elidedText(node.name, Qt::ElideMiddle, static_cast<int>(right)));
  }
}

void paintChosenRanks(QPainter& painter, const HeatRows& rows, const std::set<Rank>& chosen,
                      const HeatView& view, const QRectF& area, const QPalette& palette) {
  if (chosen.empty()) return;
  const QRectF column(area.left() - kChosenWidth, area.top(), kChosenWidth, area.height());
  for (std::size_t row = 0; row < rows.ranks.size(); ++row) {
    if (!chosen.contains(rows.ranks[row])) continue;
    const double top = view.yOf(static_cast<double>(row), area);
    const double bottom = std::max(view.yOf(static_cast<double>(row) + 1, area), top + kChosenWidth);
    const QRectF bar(column.left(), top, column.width(), bottom - top);
    painter.fillRect(bar & column, rankColor(rows.ranks[row], palette));
  }
}

void paintPointedStep(QPainter& painter, double x, const QRectF& area) {
  if (x < area.left() || x > area.right()) return;
  // White on black is seen on every colour of the scale.
  painter.setPen(QPen(Qt::black, 3));
  painter.drawLine(QLineF(x, area.top(), x, area.bottom()));
  painter.setPen(QPen(Qt::white, 1));
  painter.drawLine(QLineF(x, area.top(), x, area.bottom()));
}

}  // namespace lockstep

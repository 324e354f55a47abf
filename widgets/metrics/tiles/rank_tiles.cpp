// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/rank_tiles.h"

#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "metrics/layouts/card_choices.h"
#include "widgets/common/text/number_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

constexpr int kRenewRankMs = 500;
constexpr int kLettersAcrossTile = 34;

QString headingOf(const std::string& name) {
  const MetricInfo* const known = findMetric(name);
  return known != nullptr ? titleOfMetric(*known) : toShownLine(name);
}

QString textOf(const std::string& name, std::optional<double> value) {
  if (!value) return QStringLiteral("–");
  const MetricInfo* const known = findMetric(name);
  return known != nullptr ? metricValueText(known->unit, *value) : valueText(*value);
}

}  // namespace

RankTiles::RankTiles(QWidget* parent)
    : TileView(parent), metrics_(std::make_shared<const MetricStore>()), rank_(0), soon_(new QTimer(this)) {
  setObjectName(QStringLiteral("rankTiles"));
  setEmptyText(tr("No samples yet."));
  soon_->setSingleShot(true);
  soon_->setInterval(kRenewRankMs);
  connect(soon_, &QTimer::timeout, this, &RankTiles::renew);
}

void RankTiles::setRank(Rank rank) {
  rank_ = rank;
  setAccessibleName(tr("Rank %1 and the median of all ranks").arg(rank.value));
  pictures_.clear();
  renew();
}

void RankTiles::setMetrics(std::shared_ptr<const MetricStore> metrics) {
  metrics_ = metrics ? std::move(metrics) : std::make_shared<const MetricStore>();
  if (!soon_->isActive()) soon_->start();
}

void RankTiles::setSteps(const TileSteps& steps) {
  if (steps == steps_) return;
  steps_ = steps;
  if (!soon_->isActive()) soon_->start();
}

void RankTiles::renew() {
  soon_->stop();
  std::vector<std::string> names;
  for (const QuantityGroup& group : quantitiesToChoose(*metrics_))
    if (group.isMeasured) names.insert(names.end(), group.names.begin(), group.names.end());
  if (names != names_) pictures_.clear();
  names_ = std::move(names);
  setOld();
}

QSize RankTiles::tileSize() const {
  return {fontMetrics().averageCharWidth() * kLettersAcrossTile, fontMetrics().height() * 6 + 16};
}

void RankTiles::computeTile(int tile, int width) {
  const std::string& name = nameOf(tile);
  const auto ranks = metrics_->ranks(name);
  Picture& picture = pictures_[tile];
  picture.rank = sparklineOf(*metrics_, name, std::span(&rank_, 1), steps_, width / 3);
  picture.all = sparklineOf(*metrics_, name, ranks, steps_, width / 3);
  for (SparkPoint& point : picture.all.points) point.low = point.high = point.middle;  // the median alone
}

/// At the step that is pointed at, or the newest.
QString RankTiles::medianText(const std::string& name, const Picture& picture) const {
  if (pointed()) return textOf(name, valueAt(picture.all, *pointed()));
  const auto& points = picture.all.points;
  const auto last =
      std::find_if(points.rbegin(), points.rend(), [](const auto& one) { return std::isfinite(one.middle); });
  return last == points.rend() ? QString() : textOf(name, last->middle);
}

QString RankTiles::rankText(const std::string& name, const Picture& picture) const {
  return pointed() ? textOf(name, valueAt(picture.rank, *pointed())) : newestText(name, picture.rank);
}

void RankTiles::paintTile(QPainter& painter, const QRect& area, int tile) {
  const std::string& name = nameOf(tile);
  const QFontMetrics letters = fontMetrics();
  const auto found = pictures_.find(tile);
  QRect head(area.left(), area.top(), area.width(), letters.height());
  QString value, median;
  if (found != pictures_.end()) {
    value = rankText(name, found->second);
    median = medianText(name, found->second);
  }
  QFont bold = font();
  bold.setBold(true);
  const int valueWidth = QFontMetrics(bold).horizontalAdvance(value);
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(head, Qt::AlignVCenter | Qt::AlignRight, value);
  painter.setFont(font());
  painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft,
                   letters.elidedText(headingOf(name), Qt::ElideRight, head.width() - valueWidth - 8));
  if (found == pictures_.end()) return;
  head.translate(0, letters.height());
  painter.setPen(mutedColor(palette()));
  painter.drawText(head, Qt::AlignVCenter | Qt::AlignRight,
                   letters.elidedText(tr("median %1").arg(median), Qt::ElideRight, head.width()));
  const QRectF spark(area.left(), head.bottom() + 4, area.width(), area.bottom() - head.bottom() - 4);
  const auto& [rank, all] = found->second;
  const SparkRange range = rangeOf(name, {&rank, &all});
  if (!rank.isMeasured()) paintUnmeasured(painter, spark, palette());
  paintSparkline(painter, spark, all, range, mutedColor(palette()));
  if (rank.isMeasured()) paintSparkline(painter, spark, rank, range, rankColor(rank_, palette()));
  paintPointed(painter, spark, all, pointed(), palette().color(QPalette::WindowText));
}

QString RankTiles::tileText(int tile) const {
  if (tile < 0 || tile >= tileCount()) return {};
  const std::string& name = nameOf(tile);
  const auto found = pictures_.find(tile);
  if (found == pictures_.end()) return headingOf(name);
  const QString median = medianText(name, found->second);
  if (!found->second.rank.isMeasured())
    return tr("%1: not measured by this rank, median of all ranks %2").arg(headingOf(name), median);
  return tr("%1: %2, median of all ranks %3").arg(headingOf(name), rankText(name, found->second), median);
}

}  // namespace lockstep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/node_tiles.h"

#include <QPainter>
#include <QTimer>
#include <algorithm>

#include "metrics/layouts/card_choices.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

constexpr int kRenewMs = 500;
constexpr int kLettersWide = 44;
constexpr int kRowAir = 3;  // pixels between rows
constexpr int kTitleGap = 6;
constexpr int kMinSpark = 32;  // pixels

std::span<const std::string_view> quantitiesIn(bool isGpu) {
  return isGpu ? std::span<const std::string_view>(kGpuQuantities)
               : std::span<const std::string_view>(kNodeQuantities);
}

QString rowTitle(std::string_view name) {
  return titleOfMetric(*findMetric(name));
}

}  // namespace

NodeTiles::NodeTiles(QWidget* parent)
    : TileView(parent), metrics_(std::make_shared<const MetricStore>()), soon_(new QTimer(this)) {
  setObjectName(QStringLiteral("nodeTiles"));
  setAccessibleName(tr("Nodes and GPUs"));
  setEmptyText(tr("No samples yet."));
  soon_->setSingleShot(true);
  soon_->setInterval(kRenewMs);
  connect(soon_, &QTimer::timeout, this, &NodeTiles::makeTiles);
  connect(this, &TileView::tileActivated, this,
          [this](int tile) { emit ranksActivated(tiles_[static_cast<std::size_t>(tile)].ranks); });
}

void NodeTiles::setMetrics(std::shared_ptr<const MetricStore> metrics) {
  const bool isFirst = tiles_.empty() || metrics == nullptr;
  metrics_ = metrics ? std::move(metrics) : std::make_shared<const MetricStore>();
  if (isFirst)
    makeTiles();
  else
    scheduleTiles();
}

void NodeTiles::setNodes(const std::vector<RankNode>& nodes) {
  nodes_ = nodes;
  scheduleTiles();
}

void NodeTiles::setSteps(const TileSteps& steps) {
  if (steps == steps_) return;
  steps_ = steps;
  scheduleTiles();
}

void NodeTiles::setChosenRanks(const std::set<Rank>& ranks) {
  if (ranks == chosen_) return;
  chosen_ = ranks;
  viewport()->update();
}

void NodeTiles::scheduleTiles() {
  if (!soon_->isActive()) soon_->start();
}

void NodeTiles::makeTiles() {
  soon_->stop();
  std::map<Rank, QString> names;
  for (const RankNode& one : nodes_) names[one.rank] = one.node;
  std::vector<std::pair<QString, std::vector<Rank>>> nodes;  // by their first rank
  std::map<QString, std::size_t> places;
  for (const Rank rank : metrics_->ranks()) {
    const auto known = names.find(rank);
    const QString name = known != names.end() ? known->second : tr("Node of rank %1").arg(rank.value);
    const auto [place, isNew] = places.emplace(name, nodes.size());
    if (isNew) nodes.push_back({name, {}});
    nodes[place->second].second.push_back(rank);
  }
  const bool hasGpus =
      std::ranges::any_of(kGpuQuantities, [this](auto name) { return metrics_->steps(name).has_value(); });
  std::vector<Tile> tiles;
  for (const auto& [name, ranks] : nodes) {
    tiles.push_back({name, ranks, false});
    if (!hasGpus) continue;
    for (const Rank rank : ranks)
      tiles.push_back({tr("%1: GPU of rank %2").arg(name).arg(rank.value), {rank}, true});
  }
  const auto isSame = [](const Tile& a, const Tile& b) { return a.title == b.title && a.ranks == b.ranks; };
  if (!std::ranges::equal(tiles, tiles_, isSame)) rows_.clear();
  tiles_ = std::move(tiles);
  setOld();
}

int NodeTiles::valueWidth() const {
  return fontMetrics().horizontalAdvance(QStringLiteral("000.0 MB/s")) + 4;
}

// Titles that nobody can read are worth less than a wide sparkline.
int NodeTiles::titleWidthIn(bool isGpu, int width) const {
  int widest = 0;
  for (const std::string_view name : quantitiesIn(isGpu))
    widest = std::max(widest, fontMetrics().horizontalAdvance(rowTitle(name)) + kTitleGap);
  const int narrow = width * 2 / 5;
  return std::clamp(widest, narrow, std::max(narrow, width - valueWidth() - kTitleGap - kMinSpark));
}

QSize NodeTiles::tileSize() const {
  const auto rows = static_cast<int>(std::max(kGpuQuantities.size(), kNodeQuantities.size())) + 1;
  return {fontMetrics().averageCharWidth() * kLettersWide, rows * (fontMetrics().height() + kRowAir) + 12};
}

void NodeTiles::computeTile(int tile, int width) {
  const Tile& shown = tiles_[static_cast<std::size_t>(tile)];
  std::vector<Row> rows;
  for (const std::string_view name : quantitiesIn(shown.isGpu))
    rows.push_back({name, sparklineOf(*metrics_, name, shown.ranks, steps_, std::max(20, width / 3))});
  rows_[tile] = std::move(rows);
}

void NodeTiles::paintTile(QPainter& painter, const QRect& area, int tile) {
  const Tile& shown = tiles_[static_cast<std::size_t>(tile)];
  const QFontMetrics letters = fontMetrics();
  if (std::ranges::any_of(shown.ranks, [this](Rank rank) { return chosen_.contains(rank); }))
    painter.fillRect(QRect(area.left() - 7, area.top(), 3, area.height()),
                     shown.isGpu ? rankColor(shown.ranks.front(), palette()) : accentColor(palette()));
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::WindowText));
  const QRect head(area.left(), area.top(), area.width(), letters.height());
  painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetrics(bold).elidedText(shown.title, Qt::ElideMiddle, head.width()));
  painter.setFont(font());
  const auto computed = rows_.find(tile);
  if (computed == rows_.end()) return;
  const int titleWidth = titleWidthIn(shown.isGpu, area.width());
  QRect row = head;
  for (const Row& one : computed->second) {
    row.translate(0, letters.height() + kRowAir);
    painter.setPen(mutedColor(palette()));
    painter.drawText(QRect(row.left(), row.top(), titleWidth - kTitleGap, row.height()),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     letters.elidedText(rowTitle(one.name), Qt::ElideRight, titleWidth - kTitleGap));
    const QRectF spark(row.left() + titleWidth, row.top() + 1,
                       row.width() - titleWidth - valueWidth() - kTitleGap, row.height() - 2);
    const QRect value(row.right() - valueWidth(), row.top(), valueWidth(), row.height());
    if (one.line.isMeasured())
      paintSparkline(painter, spark, one.line, rangeOf(one.name, {&one.line}),
                     shown.isGpu ? rankColor(shown.ranks.front(), palette()) : accentColor(palette()));
    else
      paintUnmeasured(painter, spark, palette());
    paintPointed(painter, spark, one.line, pointed(), palette().color(QPalette::WindowText));
    painter.setPen(one.line.isMeasured() ? palette().color(QPalette::WindowText) : mutedColor(palette()));
    painter.drawText(value, Qt::AlignVCenter | Qt::AlignRight, newestText(one.name, one.line));
  }
}

QString NodeTiles::tileText(int tile) const {
  if (tile < 0 || tile >= tileCount()) return {};
  QStringList said{tiles_[static_cast<std::size_t>(tile)].title};
  const auto computed = rows_.find(tile);
  if (computed == rows_.end()) return said.first();
  for (const Row& one : computed->second)
    said << (one.line.isMeasured()
                 ? QStringLiteral("%1: %2").arg(rowTitle(one.name), newestText(one.name, one.line))
                 : tr("%1: not measured").arg(rowTitle(one.name)));
  return said.join(QStringLiteral("\n"));
}

}  // namespace lockstep

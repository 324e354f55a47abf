// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/topology_strip.h"

#include <QPainter>
#include <algorithm>
#include <charconv>

#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

constexpr int kGap = 14;
constexpr int kPad = 8;
constexpr int kMostGpus = 64;

QString summaryOf(long long workers, int ranksPerNode) {
  const long long world = (workers + 1) * ranksPerNode;
  QString nodes = workers == 1 ? TopologyStrip::tr("1 main + 1 worker")
                               : TopologyStrip::tr("1 main + %1 workers").arg(workers);
  if (workers == 0) nodes = TopologyStrip::tr("1 main node alone");
  return ranksPerNode == 1 ? TopologyStrip::tr("World size %1: %2, one rank each").arg(world).arg(nodes)
                           : TopologyStrip::tr("World size %1: (%2) × %3 GPUs, one rank each")
                                 .arg(world)
                                 .arg(nodes)
                                 .arg(ranksPerNode);
}

}  // namespace

int gpusByName(const std::string& shapeName) {
  if (shapeName.find(".GPU") == std::string::npos) return 0;
  const auto dot = shapeName.rfind('.');
  int count = 0;
  const char* end = shapeName.data() + shapeName.size();
  const auto [stop, error] = std::from_chars(shapeName.data() + dot + 1, end, count);
  return error == std::errc() && stop == end && count > 0 && count <= kMostGpus ? count : 0;
}

TopologyStrip::TopologyStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setSpec({});
}

void TopologyStrip::setSpec(const ClusterSpec& spec) {
  workers_ = spec.worker ? std::max(0LL, nodeCount(spec, NodeRole::Worker)) : 0;
  ranksPerNode_ = std::max(1, gpusByName(spec.infrastructure.shapeName.value_or(std::string())));
  summary_ = summaryOf(workers_, ranksPerNode_);
  setAccessibleName(tr("Topology"));
  setAccessibleDescription(summary_);
  setToolTip(summary_);
  update();
}

QSize TopologyStrip::boxSize() const {
  const int height = 2 * fontMetrics().height() + 2 * kPad - 4;
  return {fontMetrics().horizontalAdvance(QStringLiteral("worker 99")) + 2 * kPad + 8, height};
}

QSize TopologyStrip::sizeHint() const {
  return {4 * (boxSize().width() + kGap), boxSize().height() + fontMetrics().height() + kPad};
}

QSize TopologyStrip::minimumSizeHint() const {
  return {2 * (boxSize().width() + kGap), sizeHint().height()};
}

TopologyStrip::Node TopologyStrip::nodeAt(long long index) const {
  Node node;
  node.isMain = index == 0;
  node.title = node.isMain ? tr("main") : tr("worker %1").arg(index);
  const long long first = index * ranksPerNode_;
  node.ranks = ranksPerNode_ == 1 ? tr("rank %1").arg(first)
                                  : tr("ranks %1–%2").arg(first).arg(first + ranksPerNode_ - 1);
  return node;
}

void TopologyStrip::paintBox(QPainter& painter, const QRect& box, const Node& node) const {
  const QColor ink = node.isMain ? accentColor(palette()) : palette().color(QPalette::Text);
  const QColor ground = cardColor(palette());
  painter.setPen(QPen(node.isMain ? ink : tinted(ground, ink, 0.35), node.isMain ? 1.5 : 1));
  painter.setBrush(tinted(ground, ink, node.isMain ? 0.12 : 0.04));
  painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), 6, 6);
  const int middle = box.center().y() + 1;
  painter.setPen(palette().color(QPalette::Text));
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.drawText(QRect(box.left(), box.top() + 2, box.width(), middle - box.top() - 2),
                   Qt::AlignHCenter | Qt::AlignBottom, node.title);
  painter.setFont(font());
  painter.setPen(mutedColor(palette()));
  painter.drawText(QRect(box.left(), middle, box.width(), box.bottom() - middle - 2),
                   Qt::AlignHCenter | Qt::AlignTop, node.ranks);
}

void TopologyStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QSize size = boxSize();
  const long long room = std::max(2, (width() + kGap) / (size.width() + kGap));
  const long long nodes = workers_ + 1;
  const long long shown = std::min(nodes, room);
  const bool isCut = nodes > shown;
  for (long long slot = 0; slot < shown; ++slot) {
    const bool isRest = isCut && slot == shown - 1;
    QRect box(QPoint(static_cast<int>(slot) * (size.width() + kGap), 0), size);
    if (layoutDirection() == Qt::RightToLeft) box.moveRight(width() - 1 - box.left());
    if (slot > 0) {
      const int from = layoutDirection() == Qt::RightToLeft ? box.right() : box.left() - kGap;
      painter.setPen(QPen(mutedColor(palette()), 1.2, isRest ? Qt::DotLine : Qt::SolidLine));
      painter.drawLine(from, box.center().y(), from + kGap, box.center().y());
    }
    if (isRest)
      paintBox(painter, box,
               {tr("+ %1").arg(nodes - slot), tr("… rank %1").arg(nodes * ranksPerNode_ - 1), false});
    else
      paintBox(painter, box, nodeAt(slot));
  }
  painter.setPen(mutedColor(palette()));
  const QRect words(0, size.height(), width(), height() - size.height());
  painter.drawText(words, Qt::AlignLeading | Qt::AlignBottom,
                   fontMetrics().elidedText(summary_, Qt::ElideRight, words.width()));
}

}  // namespace lockstep
